"""Splitting a file at its fences and reading the block between them, every scalar as text.

PyYAML's C parser is read as a stream of events rather than through a loader: values stay text (a sha of digits, a
date), a key given twice is seen with its line, and neither deep nesting nor aliases that fan out can exhaust the
process, because the tree is built here, under limits, without recursion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

BOM = "\ufeff"
MAX_BLOCK = 256 * 1024
MAX_NODES = 20_000
MAX_DEPTH = 32

_FENCE = re.compile(r"---[ \t]*(?:\r\n|\n|\r|\Z)")
_CLOSE = re.compile(r"^---[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)
_UNQUOTED = re.compile(
    r"^(?P<head>\s*(?:- +)*(?:[^\s:#'\"][^:#]*:[ \t]+)?)(?P<value>[@`][^\r\n]*?)(?P<tail>[ \t]*)$", re.M
)


class BlockError(Exception):
    """The block cannot be read. ``code`` is a finding's code, ``line`` is the line of the file, from 1."""

    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(message)
        self.code, self.message, self.line = code, message, line


@dataclass(frozen=True, slots=True)
class Split:
    """A file's text in two: the block (None where the file has none) and the body, byte for byte."""

    block: str | None
    body: str
    body_line: int
    bom: bool = False


@dataclass(slots=True)
class Block:
    """What a block says: ``values`` (text, lists and maps of text), ``lines`` of its top keys, and what was mended."""

    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    twice: list[tuple[str, int]] = field(default_factory=list)
    repaired: list[int] = field(default_factory=list)


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
    return Split(block, text[closing.end() :], 3 + _line_ends(block), bom)


def _line_ends(text: str) -> int:
    return text.count("\n") + text.replace("\r\n", "\n").count("\r")


def read_block(block: str) -> Block:
    """Read a block's mapping. Lines are the file's (the opening fence is line 1).

    One repair: a plain scalar beginning with ``@`` or a backtick is quoted, and its line is in ``repaired``.
    Raises :class:`BlockError` for tabs, broken YAML, a block that is not a mapping, and one past the limits.
    """
    if len(block) > MAX_BLOCK:
        raise BlockError("block-too-large", f"the frontmatter block is over {MAX_BLOCK // 1024} KiB", 1)
    out = Block()
    try:
        root = _build(block, out)
    except yaml.YAMLError as error:
        mended, out.repaired = _quote_reserved(block)
        if not out.repaired:
            raise _named(error, block) from error
        try:
            root = _build(mended, out)
        except yaml.YAMLError as again:
            raise _named(again, block) from again
    if root is None:
        return out
    if not isinstance(root, dict):
        kind = "a list" if isinstance(root, list) else "a single value"
        raise BlockError("block-not-a-map", f"the frontmatter block is {kind}, not a map of keys", 2)
    out.values = root
    return out


def _quote_reserved(block: str) -> tuple[str, list[int]]:
    lines: list[int] = []

    def quoted(found: re.Match[str]) -> str:
        lines.append(block.count("\n", 0, found.start("value")) + 2)
        value = found["value"].replace("'", "''")
        return f"{found['head']}'{value}'{found['tail']}"

    return _UNQUOTED.sub(quoted, block), lines


def _named(error: yaml.YAMLError, block: str) -> BlockError:
    mark = getattr(error, "problem_mark", None)
    line = (mark.line if mark else 0) + 2
    for number, text in enumerate(block.splitlines(), start=2):
        if "\t" in text[: len(text) - len(text.lstrip())]:
            return BlockError("tab-indentation", "a tab indents this line; YAML takes spaces only", number)
    # The parser's own words about the place, never its excerpt: the block may be a withheld file's.
    return BlockError("block-broken", f"not YAML: {getattr(error, 'problem', None) or 'unreadable'}", line)


class _Builder:
    """Builds the tree from events, keeping a stack of its own; counts what aliases repeat."""

    def __init__(self, out: Block) -> None:
        self.out = out
        self.root: Any = None
        self.stack: list[tuple[Any, list[Any]]] = []  # (container, [pending key or nothing])
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.open_anchors: list[tuple[str | None, int]] = []
        self.nodes = 0

    def add(self, value: Any, line: int, size: int = 1) -> None:
        self.nodes += size
        if self.nodes > MAX_NODES:
            raise BlockError("block-too-large", f"the frontmatter block unfolds to over {MAX_NODES} values", line)
        if not self.stack:
            self.root = value
            return
        container, pending = self.stack[-1]
        if isinstance(container, list):
            container.append(value)
        elif not pending:
            if not isinstance(value, str):
                raise BlockError("block-broken", "a key of the block is a list or a map", line)
            pending.append(value)
            if value in container:
                self.out.twice.append((value, line))
            elif len(self.stack) == 1:
                self.out.lines[value] = line
        else:
            container[pending.pop()] = value

    def open(self, container: Any, anchor: str | None, line: int) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise BlockError("block-too-deep", f"the frontmatter block nests deeper than {MAX_DEPTH} levels", line)
        self.add(container, line)
        self.stack.append((container, []))
        self.open_anchors.append((anchor, self.nodes))

    def close(self) -> None:
        container, _ = self.stack.pop()
        anchor, before = self.open_anchors.pop()
        if anchor:
            self.anchors[anchor] = (container, self.nodes - before + 1)

    def alias(self, anchor: str, line: int) -> None:
        if anchor not in self.anchors:
            raise BlockError("block-broken", f"alias *{anchor} names nothing before it", line)
        value, size = self.anchors[anchor]
        self.add(value, line, size)


def _build(block: str, out: Block) -> Any:
    out.values, out.lines, out.twice = {}, {}, []
    builder = _Builder(out)
    for event in yaml.parse(block, Loader=yaml.CBaseLoader):
        line = (event.start_mark.line if event.start_mark else 0) + 2
        if isinstance(event, yaml.ScalarEvent):
            value = _scalar(event)
            if event.anchor:
                builder.anchors[event.anchor] = (value, 1)
            builder.add(value, line)
        elif isinstance(event, yaml.MappingStartEvent):
            builder.open({}, event.anchor, line)
        elif isinstance(event, yaml.SequenceStartEvent):
            builder.open([], event.anchor, line)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            builder.close()
        elif isinstance(event, yaml.AliasEvent):
            builder.alias(event.anchor or "", line)
    return builder.root


def _scalar(event: yaml.ScalarEvent) -> str | None:
    plain = event.style in (None, "")
    value: str = event.value
    return None if plain and value in ("", "~", "null") else value
