"""A source's Markdown as HTML that may stand on a page: no markup of its own, no image, no address but the web's."""

from __future__ import annotations

import re
from collections.abc import Mapping

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
# The page has headings of its own above: what a source calls its first level is the third here.
_DEEPER = 2
_OUTSIDE = re.compile(r"(?i)https?://|mailto:")


def markdown(text: str, links: Mapping[str, str]) -> SafeString:
    """``text`` as HTML. ``links`` maps ids to the addresses of their pages; an id standing whole in prose leads there.

    Nothing but these addresses and the web's is linked, whatever the text holds.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    parser.core.ruler.push("page", lambda state: _for_page(state, links))
    known = set(links.values())

    def allowed(tag: str, attribute: str, value: str) -> str | None:
        if attribute == "href" and value not in known and not _OUTSIDE.match(value):
            return None
        return value

    made = nh3.clean(
        parser.render(text),
        tags=_TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        attribute_filter=allowed,
        link_rel="noopener noreferrer nofollow",
        url_schemes={"http", "https", "mailto"},
    )
    return mark_safe(made)  # noqa: S308 - what nh3 let through, and nothing after it


def _for_page(state: StateCore, links: Mapping[str, str]) -> None:
    pattern = _pattern(links)
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + _DEEPER, 6)}"
        if token.children and pattern:
            token.children = _linked(token.children, pattern, links)


def _pattern(links: Mapping[str, str]) -> re.Pattern[str] | None:
    """Any of the ids, the longest first, with nothing of an id on either side."""
    if not links:
        return None
    ids = "|".join(re.escape(i) for i in sorted(links, key=len, reverse=True))
    return re.compile(rf"(?<![\w/@-])({ids})(?![\w@]|[-/.]\w)")


def _linked(children: list[Token], pattern: re.Pattern[str], links: Mapping[str, str]) -> list[Token]:
    out: list[Token] = []
    within = 0
    for token in children:
        within += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type == "text" and not within:
            out += _pieces(token, pattern, links)
        else:
            out.append(token)
    return out


def _pieces(token: Token, pattern: re.Pattern[str], links: Mapping[str, str]) -> list[Token]:
    out: list[Token] = []
    for place, piece in enumerate(pattern.split(token.content)):
        text = Token("text", "", 0, content=piece)
        if place % 2:
            opened = Token("link_open", "a", 1, attrs={"href": links[piece]})
            out += [opened, text, Token("link_close", "a", -1)]
        elif piece:
            out.append(text)
    return out
