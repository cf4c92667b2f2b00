"""A source's Markdown on a page: what it may be, and what it may never become."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphapi.pages.markdown import markdown

ALLOWED = {
    "a", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
LINKS = {"STORY-001": "/context/product/a/STORY-001", "docs/how.md": "/context/product/a/docs/how.md"}


def test_headings_lists_tables_and_code_are_shown_below_the_pages_own_headings() -> None:
    made = markdown("# One\n\n## Two\n\n- a\n- b\n\n1. c\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```\n<b>\n```\n", {})
    assert "<h3>One</h3>" in made and "<h4>Two</h4>" in made and "<h1" not in made
    assert "<li>a</li>" in made and "<ol>" in made and "<td>1</td>" in made and "&lt;b&gt;" in made


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "[a](vbscript:x)",
        "![a](https://elsewhere.example/pixel.png)",
        "![a](//elsewhere.example/pixel.png)",
        "[a](//elsewhere.example)",
        "[a](/admin/logout/)",
        "[a](../admin/)",
        "<a href='https://elsewhere.example' onclick='x'>a</a>",
        "<style>*{display:none}</style>",
        "<svg><script>alert(1)</script></svg>",
        "`<iframe src=//elsewhere.example>`",
        '<https://elsewhere.example/" onmouseover="x>',
        "[a]: javascript:alert(1)\n\n[a]",
    ],
)
def test_nothing_a_source_writes_becomes_script_style_image_or_an_address_of_this_server(text) -> None:
    made = str(markdown(text, LINKS))
    for tag, attributes in elements(made):
        assert tag not in ("script", "img", "style", "svg", "iframe")
        assert set(attributes) <= {"href", "rel", "start"}
        assert re.match(r"https?://|mailto:", attributes.get("href") or "https://")


def elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    found: list[tuple[str, dict[str, str | None]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    Reader().feed(html)
    return found


def test_an_address_of_the_web_is_a_link_that_tells_nothing_of_where_it_came_from() -> None:
    made = markdown("[a](https://example.com/x) and <mailto:ada@example.com>", {})
    assert 'href="https://example.com/x"' in made and 'rel="noopener noreferrer nofollow"' in made
    assert 'href="mailto:ada@example.com"' in made


def test_an_id_that_stands_whole_leads_to_its_page() -> None:
    made = markdown("See STORY-001, (docs/how.md) and **STORY-001**.", LINKS)
    assert made.count('href="/context/product/a/STORY-001"') == 2
    assert 'href="/context/product/a/docs/how.md"' in made


@pytest.mark.parametrize(
    "text",
    ["STORY-0012", "A-STORY-001", "STORY-001-a", "xSTORY-001", "STORY-001.5", "`STORY-001`", "STORY-002",
     "[STORY-001](https://example.com)"],
)  # fmt: skip
def test_part_of_another_word_code_and_the_text_of_a_link_lead_nowhere_else(text) -> None:
    assert "/context/" not in markdown(text, LINKS)


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("<>&\"'`[]()!*_#-+.:/\\ \n\taSTORY-001javscript=;&#x0"), max_size=80))
def test_no_text_breaks_out_of_what_is_allowed(text) -> None:
    for tag, attributes in elements(str(markdown(text, LINKS))):
        assert tag in ALLOWED
        assert set(attributes) <= {"href", "rel", "start"}
