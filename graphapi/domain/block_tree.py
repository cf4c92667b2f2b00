"""Reading one YAML block into a tree of text, from the parser's events and under limits.

PyYAML's C parser is read as a stream of events rather than through a loader: values stay text (a sha of digits, a
date), a key given twice is seen with its line, and neither deep nesting nor aliases that fan out can exhaust the
process, because the tree is built here, without recursion.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

import yaml

MAX_BLOCK = 256 * 1024
MAX_NODES = 20_000
MAX_DEPTH = 32
# What aliases repeat is counted in characters too: one long value named thousands of times is a bomb of its own.
MAX_UNFOLDED = 4 * MAX_BLOCK

_LINE_END = re.compile(r"\r\n|\n|\r")


class BlockError(Exception):
    """The block cannot be read. ``code`` is a finding's code, ``line`` is the line of the file, from 1."""

    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(message)
        self.code, self.message, self.line = code, message, line


@dataclass(slots=True)
class Block:
    """What a block says: ``values`` (text, lists and maps of text), ``lines`` of its top keys, and what was mended."""

    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    twice: list[tuple[str, int]] = field(default_factory=list)
    repaired: list[int] = field(default_factory=list)


class Lines:
    """Lines of the file by place in its block, which begins on line 2.

    The parser's own line numbers count separators that no editor takes for a line's end, so they are not used.
    """

    def __init__(self, block: str) -> None:
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(block))]

    def at(self, index: int) -> int:
        return bisect_right(self._starts, index) + 1

    def column(self, index: int) -> int:
        return index - self._starts[bisect_right(self._starts, index) - 1]


class _Builder:
    """Builds the tree from events, keeping a stack of its own; counts what aliases repeat."""

    def __init__(self, out: Block) -> None:
        self.out = out
        self.root: Any = None
        self.stack: list[tuple[Any, list[Any]]] = []  # (container, [pending key or nothing])
        self.anchors: dict[str, tuple[Any, int, int]] = {}
        self.open_anchors: list[tuple[str | None, int, int]] = []
        self.nodes = 0
        self.characters = 0
        self.documents = 0

    def add(self, value: Any, line: int, size: int, characters: int) -> None:
        self.nodes += size
        self.characters += characters
        if self.nodes > MAX_NODES:
            raise BlockError("block-too-large", f"the frontmatter block unfolds to over {MAX_NODES} values", line)
        if self.characters > MAX_UNFOLDED:
            text = f"the frontmatter block unfolds to over {MAX_UNFOLDED // 1024} KiB"
            raise BlockError("block-too-large", text, line)
        if not self.stack:
            self.root = value
            return
        container, pending = self.stack[-1]
        if isinstance(container, list):
            container.append(value)
        elif pending:
            container[pending.pop()] = value
        elif isinstance(value, str):
            self._key(value, container, pending, line)
        else:
            raise BlockError("block-broken", "a key of the block is a list, a map or nothing", line)

    def _key(self, key: str, container: dict[str, Any], pending: list[Any], line: int) -> None:
        pending.append(key)
        if key in container:
            self.out.twice.append((key, line))
        elif len(self.stack) == 1:
            self.out.lines[key] = line

    def scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        value: str | None = event.value
        if "\0" in event.value:
            # An escape may spell what no text may hold; databases refuse it.
            raise BlockError("nul-byte", "a value of the block holds a NUL", line)
        is_key = self.stack and isinstance(self.stack[-1][0], dict) and not self.stack[-1][1]
        if event.style in (None, "") and event.value in ("", "~", "null") and not (is_key and event.value):
            value = None
        if event.anchor:
            self.anchors[event.anchor] = (value, 1, len(event.value))
        self.add(value, line, 1, len(event.value))

    def open(self, container: Any, anchor: str | None, line: int) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise BlockError("block-too-deep", f"the frontmatter block nests deeper than {MAX_DEPTH} levels", line)
        self.add(container, line, 1, 0)
        self.stack.append((container, []))
        self.open_anchors.append((anchor, self.nodes, self.characters))

    def close(self) -> None:
        container, _ = self.stack.pop()
        anchor, nodes, characters = self.open_anchors.pop()
        if anchor:
            self.anchors[anchor] = (container, self.nodes - nodes + 1, self.characters - characters)

    def alias(self, anchor: str, line: int) -> None:
        if anchor not in self.anchors:
            # The alias is not named: what looks like one may be a withheld file's words.
            raise BlockError("block-broken", "not YAML: a value begins with *, an alias of nothing before it", line)
        self.add(self.anchors[anchor][0], line, *self.anchors[anchor][1:])

    def document(self, line: int) -> None:
        self.documents += 1
        if self.documents > 1:
            raise BlockError("block-broken", "not YAML: a line of the block begins a second document", line)


def build(block: str, out: Block) -> Any:
    """The tree of ``block``; ``out`` takes its top keys' lines and the keys given twice. Raises ``YAMLError`` and
    :class:`BlockError`."""
    out.values, out.lines, out.twice = {}, {}, []
    builder, lines = _Builder(out), Lines(block)
    for event in yaml.parse(block, Loader=yaml.CBaseLoader):
        line = lines.at(event.start_mark.index) if event.start_mark else 2
        if isinstance(event, yaml.ScalarEvent):
            builder.scalar(event, line)
        elif isinstance(event, yaml.MappingStartEvent):
            builder.open({}, event.anchor, line)
        elif isinstance(event, yaml.SequenceStartEvent):
            builder.open([], event.anchor, line)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            builder.close()
        elif isinstance(event, yaml.AliasEvent):
            builder.alias(event.anchor or "", line)
        elif isinstance(event, yaml.DocumentStartEvent):
            builder.document(line)
    return builder.root
