"""Splitting a file at its fences and reading the block between them, every scalar as text."""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from graphapi.domain.block_tree import MAX_BLOCK, Block, BlockError, Lines, build

__all__ = ["BOM", "MAX_BLOCK", "Block", "BlockError", "Split", "read_block", "split"]

BOM = "\ufeff"
# Each repair reads the block again, so they are limited.
MAX_REPAIRS = 100

_FENCE = re.compile(r"---[ \t]*(?:\r\n|\n|\r|\Z)")
_CLOSE = re.compile(r"(?:(?<=[\r\n])|\A)---[ \t]*(?:\r\n|\n|\r|\Z)")
_COMMENT = re.compile(r"[ \t]+#|[ \t]*(?:[\r\n]|\Z)")
_FLOW_END = re.compile(r"[ \t]*[,\]}]|[ \t]+#|[ \t]*(?:[\r\n]|\Z)")
_OPENS_FLOW = re.compile(r"(?:\A|[\s,\[{])[\[{]")
_DASHES = re.compile(r"[ \t]*(?:- +)*")
_TAB_INDENT = re.compile(r"(?:(?<=[\r\n])|\A) *\t[ \t]*(?=[^ \t\r\n])")


@dataclass(frozen=True, slots=True)
class Split:
    """A file's text in parts that make it up again: the mark, ``opening``, ``block``, ``closing`` and ``body``.

    ``block`` is None where the file has none; ``body`` is its text as it stands, which begins on ``body_line``.
    """

    block: str | None
    body: str
    body_line: int
    bom: bool = False
    opening: str = ""
    closing: str = ""


def split(text: str) -> Split:
    """Split at the fences. A file that does not open with ``---`` has no block. Raises :class:`BlockError` where the
    block is never closed."""
    bom = text.startswith(BOM)
    if bom:
        text = text[1:]
    opening = _FENCE.match(text)
    if opening is None:
        return Split(None, text, 1, bom)
    closing = _CLOSE.search(text, opening.end())
    if closing is None:
        raise BlockError("block-unclosed", "the frontmatter block is opened with --- and never closed", 1)
    block = text[opening.end() : closing.start()]
    line = Lines(block).at(len(block)) + 1
    return Split(block, text[closing.end() :], line, bom, opening.group(), closing.group())


def read_block(block: str) -> Block:
    """Read a block's mapping. Lines are the file's (the opening fence is line 1).

    One repair: a plain scalar beginning with ``@`` or a backtick is quoted, and its line is in ``repaired``.
    Raises :class:`BlockError` for tabs, broken YAML, a block that is not a mapping, and one past the limits.
    """
    if len(block) > MAX_BLOCK:
        raise BlockError("block-too-large", f"the frontmatter block is over {MAX_BLOCK // 1024} KiB", 1)
    out = Block()
    text, mended_to = block, 0
    while True:
        try:
            root = build(text, out)
            break
        except yaml.YAMLError as error:
            mended = _quoted(text, error, mended_to) if len(out.repaired) < MAX_REPAIRS else None
            if mended is None:
                raise _named(error, text) from error
            out.repaired.append(Lines(text).at(error.problem_mark.index))  # type: ignore[attr-defined]
            text, mended_to = mended
        except UnicodeEncodeError as error:
            line = Lines(text).at(error.start)
            raise BlockError("block-broken", "not text: half of a surrogate pair", line) from error
    if root is None:
        return out
    if not isinstance(root, dict):
        kind = "a list" if isinstance(root, list) else "a single value"
        raise BlockError("block-not-a-map", f"the frontmatter block is {kind}, not a map of keys", 2)
    out.values = root
    return out


def _quoted(text: str, error: yaml.YAMLError, mended_to: int) -> tuple[str, int] | None:
    """``text`` with the scalar the parser stopped at in quotes, where a reserved character is what stopped it, and
    where that scalar now ends.

    The parser must have come further than the last repair, ``mended_to``: quoting one place again would double its
    quotes without end.
    """
    mark = getattr(error, "problem_mark", None)
    if mark is None or mark.index < mended_to or text[mark.index : mark.index + 1] not in ("@", "`"):
        return None
    before = text[mark.index - Lines(text).column(mark.index) : mark.index]
    dashes = _DASHES.match(before)
    rest = before[dashes.end() :] if dashes else before
    # After `key:` or `-` the value runs to the line's end; anywhere else it stands in a list or map in brackets.
    is_block = (rest.rstrip(" \t").endswith(":") and not _OPENS_FLOW.search(rest)) if rest else "-" in before
    end = (_COMMENT if is_block else _FLOW_END).search(text, mark.index)
    stop = end.start() if end else len(text)
    value = text[mark.index : stop].replace("'", "''")
    return f"{text[: mark.index]}'{value}'{text[stop:]}", mark.index + len(value) + 2


def _named(error: yaml.YAMLError, block: str) -> BlockError:
    lines = Lines(block)
    if isinstance(error, yaml.reader.ReaderError):
        at = len(block.encode("utf-8", "surrogatepass")[: error.position].decode("utf-8", "ignore"))
        return BlockError("block-broken", f"not YAML: {error.reason}", lines.at(at))
    mark = getattr(error, "problem_mark", None)
    line = lines.at(mark.index) if mark else 2
    problem = getattr(error, "problem", None) or "unreadable"
    if "nesting depth" in problem:
        return BlockError("block-too-deep", "the frontmatter block nests deeper than its parser reads", line)
    # A tab further down than where the parser stopped may be text; one before it, on a line that indents, is the cause.
    for tab in _TAB_INDENT.finditer(block):
        if (at_line := lines.at(tab.start())) <= line:
            return BlockError("tab-indentation", "a tab indents this line; YAML takes spaces only", at_line)
    # The parser's own words about the place, never its excerpt: the block may be a withheld file's.
    return BlockError("block-broken", f"not YAML: {problem}", line)
