"""Acceptance criteria as a body states them (004 section 2b), and the fingerprint of one (004 section 2)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_MARKER = re.compile(r"^ {0,3}(?:[-*]|\d+[.)])[ \t]+(?=\S)")
_OTHER_BLOCK = re.compile(r"^ {0,3}(?:#{1,6}[ \t]|\+[ \t]|>|\|)")
_NESTED = re.compile(r"^(?:\t| {2,})\s*(?:[-*+]|\d+[.)])\s")
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
    items: list[list[str]] = []
    held: list[int] = []
    fence, inside = "", False
    for number, line in enumerate(lines[start + 1 : end], start=start + 1):
        was, fence = fence, _fence_after(fence, line)
        if was or fence:
            continue
        if marker := _MARKER.match(line):
            # A marker indented by two spaces or more under an open item is that item's own list.
            held.append(number)
            if items and _NESTED.match(line):
                inside = False
                continue
            items.append([line[marker.end() :].strip()])
            inside = True
        elif items and _NESTED.match(line):
            held.append(number)
            inside = False
        elif inside and line.strip() and not _OTHER_BLOCK.match(line):
            held.append(number)
            items[-1].append(line.strip())
        else:
            inside = False
    return Section(start, end, tuple(" ".join(parts) for parts in items), tuple(held))


def fingerprint(criterion: str) -> str:
    """First eight hex digits of a sha1 of the criterion, whitespace collapsed and case folded (004 section 2)."""
    return hashlib.sha1(" ".join(criterion.split()).casefold().encode(), usedforsecurity=False).hexdigest()[:8]
