"""A file's bytes as a note: decoded, split, its block read; or the finding that says why it is none."""

from __future__ import annotations

from dataclasses import dataclass

from graphapi.connectors.fields import Fields
from graphapi.domain.artifact import Finding
from graphapi.domain.frontmatter import Block, BlockError, Split, read_block, split
from graphapi.vendors.git_tree import TreeFile


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A file, decoded and split. ``body`` is the file's own text, byte for byte."""

    file: TreeFile
    fields: Fields
    body: str
    body_line: int
    has_block: bool


def note_of(raw: bytes, file: TreeFile) -> NoteFile | Finding:
    path = file.path
    if not raw.strip(b"\xef\xbb\xbf \t\r\n"):
        return Finding("empty-file", "warning", "the file is empty; not read", path, 1)
    if (nul := raw.find(b"\0")) >= 0:
        return Finding("nul-byte", "error", "holds a NUL byte, so it is no text; not read", path, _line(raw, nul))
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _line(raw, error.start)
        return Finding("not-utf8", "error", "is not UTF-8; not read", path, line, fix="save it as UTF-8")
    try:
        parts = split(text)
        block = read_block(parts.block) if parts.block is not None else Block()
    except BlockError as error:
        return Finding(error.code, "error", f"{error.message}; not read", path, error.line)
    fields = Fields(block, path)
    if parts.block is not None and (line_of_second := _second_block(parts)) is not None:
        fields.note(
            "second-block", "warning", "a second frontmatter block; the first counts, this one is body",
            line=line_of_second, fix="remove it",
        )  # fmt: skip
    return NoteFile(file, fields, parts.body, parts.body_line, parts.block is not None)


def _line(raw: bytes, at: int) -> int:
    before = raw[:at].replace(b"\r\n", b"\n")
    return before.count(b"\n") + before.count(b"\r") + 1


def _second_block(parts: Split) -> int | None:
    """The line a second block opens on, where the body begins with one."""
    rest = parts.body.lstrip("\r\n")
    try:
        again = split(rest)
    except BlockError:
        return None
    # Two rules around a paragraph are Markdown; a block has keys.
    if again.block is None or not any(x.rstrip().endswith(":") or ": " in x for x in again.block.splitlines()):
        return None
    skipped = parts.body[: len(parts.body) - len(rest)].encode()
    return parts.body_line + _line(skipped, len(skipped)) - 1


def heading_of(body: str) -> str | None:
    """The first level-1 heading of a body, for a file whose block gives no title."""
    fenced = False
    for line in body[:8192].splitlines():
        if line.startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and line.startswith("# "):
            return line[2:].strip().rstrip("#").rstrip() or None
    return None
