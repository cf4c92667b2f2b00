"""Acceptance criteria as a body states them (004 section 2b), and the fingerprint of one (004 section 2)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
# Backticks further on in the line make it code within a sentence, not the beginning of a block.
_FENCE = re.compile(r"^ {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_MARKER = re.compile(r"^(?P<indent>[ \t]*)(?:[-*]|[0-9]+[.)])[ \t]+(?=\S)")
_RULE = re.compile(r"^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_OTHER_BLOCK = re.compile(r"^ {0,3}(?:#{1,6}[ \t]|\+[ \t]|>|\|)")
_NESTED = re.compile(r"^(?:\t| {2,})\s*(?:[-*+]|[0-9]+[.)])\s")
_TITLE = "acceptance criteria"


@dataclass(frozen=True, slots=True)
class Section:
    """One criteria section of a body, by line index: ``heading`` up to, not including, ``end``.

    ``lines`` are those of the list itself: its items, their wrapped lines and what is nested in them.
    """

    heading: int
    end: int
    criteria: tuple[str, ...]
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Criteria:
    """The criteria of a body in its order, and whether a heading was there that yielded none."""

    items: tuple[str, ...]
    sections: tuple[Section, ...]

    @property
    def unparsed(self) -> bool:
        return bool(self.sections) and not self.items


def read_criteria(body: str) -> Criteria:
    """Read every criteria section. A heading of level 1 or 2 ends one; a heading inside a code fence is none."""
    if _TITLE not in body.casefold():
        return Criteria((), ())
    lines = re.split(r"\r\n|\n|\r", body)
    sections, start, fence = [], None, ""
    for index, line in enumerate(lines):
        fence = _fence_after(fence, line)
        if fence or not (heading := _HEADING.match(line)) or len(heading[1]) > 2:
            continue
        if start is not None:
            sections.append(_section(lines, start, index))
        start = index if len(heading[1]) == 2 and heading[2].casefold() == _TITLE else None
    if start is not None:
        sections.append(_section(lines, start, len(lines)))
    return Criteria(tuple(c for s in sections for c in s.criteria), tuple(sections))


def _fence_after(fence: str, line: str) -> str:
    """The code fence that is open once ``line`` is read, or nothing."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    closes = found[1][0] == fence[0] and len(found[1]) >= len(fence) and not line.strip(" \t" + fence[0])
    return "" if closes else fence


def _section(lines: list[str], start: int, end: int) -> Section:
    reader = _ListReader()
    fence = ""
    for number, line in enumerate(lines[start + 1 : end], start=start + 1):
        was, fence = fence, _fence_after(fence, line)
        if not was and not fence:
            reader.take(number, line)
    return Section(start, end, tuple(" ".join(parts) for parts in reader.items), tuple(reader.held))


class _ListReader:
    """Takes a section's lines one by one. ``held`` are the numbers of those that belong to its list."""

    def __init__(self) -> None:
        self.items: list[list[str]] = []
        self.held: list[int] = []
        self._indent = 0
        self._wraps = False

    def take(self, number: int, line: str) -> None:
        if _RULE.match(line):
            self._wraps = False
        elif (marker := _MARKER.match(line)) and self._begins(marker["indent"]):
            self.held.append(number)
            self.items.append([line[marker.end() :].strip()])
            self._wraps = True
        elif self.items and _NESTED.match(line):
            self.held.append(number)
            self._wraps = False
        elif self._wraps and line.strip() and not _OTHER_BLOCK.match(line):
            self.held.append(number)
            self.items[-1].append(line.strip())
        else:
            self._wraps = False

    def _begins(self, indent: str) -> bool:
        """Whether a marker at this indent begins an item. The first item says where the outer list stands; a marker a
        tab or two spaces further in is an item's own list."""
        width = len(indent.expandtabs(4))
        if not self.items:
            self._indent = width
            return width < 4
        return width < self._indent + 2


def fingerprint(criterion: str) -> str:
    """First eight hex digits of a sha1 of the criterion, whitespace collapsed and case folded (004 section 2)."""
    return hashlib.sha1(" ".join(criterion.split()).casefold().encode(), usedforsecurity=False).hexdigest()[:8]
