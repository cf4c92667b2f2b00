"""A block's values as the engine's own types, with a finding for each value that is not what its key takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from graphapi.domain.artifact import Finding, HistoryItem, Reference, Severity
from graphapi.domain.dates import BadDate, parse_when
from graphapi.domain.frontmatter import Block
from graphapi.domain.links import CITES, EDGES, PARENT, REFERENCES, RELATED, REVISES, SAME_AS, SUPERSEDES

_FINGERPRINT = re.compile(r"\A[0-9a-f]{8}\Z")
_POSITION = re.compile(r"\A[1-9]\d{0,5}\Z")


class Fields:
    """One file's block. ``findings`` grows as values are read; ``path`` and lines are put on each."""

    def __init__(self, block: Block, path: str) -> None:
        self.values = block.values
        self.block = block
        self.path = path
        self.findings: list[Finding] = []
        for key, line in block.twice:
            self.note("duplicate-key", "warning", f"{key} is given twice; the last counts", line=line)
        for line in block.repaired:
            self.note(
                "repaired-value", "warning", "a value beginning with @ or ` is not YAML; read as text", line=line,
                fix="put it in quotes",
            )  # fmt: skip

    def note(
        self, code: str, severity: Severity, message: str, *, key: str | None = None, line: int | None = None,
        fix: str | None = None,
    ) -> None:  # fmt: skip
        at = line if line is not None else self.block.lines.get(key or "")
        self.findings.append(Finding(code, severity, message, self.path, at, fix=fix))

    def text(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is None or isinstance(value, str):
            return value
        self.note("bad-value", "warning", f"{key} takes one value; this one is set aside", key=key)
        return None

    def ids(self, key: str) -> list[str]:
        """A list of ids; one id alone is a list of one, and ids run together by commas are parted and named."""
        value = self.values.get(key)
        if value is None:
            return []
        out: list[str] = []
        for entry in value if isinstance(value, list) else [value]:
            if not isinstance(entry, str):
                self.note("bad-value", "warning", f"{key} takes ids; an entry that is none is set aside", key=key)
                continue
            parts = [part.strip() for part in entry.split(",")]
            if len(parts) > 1:
                self.note("joined-ids", "warning", f"{key} holds ids run together by commas; read apart", key=key)
            out += [part for part in parts if part]
        return self._once(key, out)

    def _once(self, key: str, ids: list[str]) -> list[str]:
        if twice := sorted({i for i in ids if ids.count(i) > 1}):
            self.note("duplicate-link", "warning", f"{key} names {', '.join(twice)} more than once; read once", key=key)
        return list(dict.fromkeys(ids))

    def when(self, key: str) -> datetime | None:
        text = self.text(key)
        if text is None:
            return None
        try:
            return parse_when(text)
        except BadDate as error:
            self.note("bad-date", "warning", f"{key}: {error}; git's date is used", key=key)
            return None

    def maps(self, key: str) -> Iterator[Mapping[str, Any]]:
        value = self.values.get(key)
        for entry in value if isinstance(value, list) else [] if value is None else [value]:
            if isinstance(entry, dict):
                yield entry
            else:
                self.note("bad-value", "warning", f"{key} takes a list of maps; an entry is set aside", key=key)

    def references(self) -> list[Reference]:
        """Every link the block declares, whatever kind of file it heads."""
        out = [Reference(PARENT, PARENT, parent)] if (parent := self.text("parent")) else []
        out += [Reference(CITES, CITES, i) for i in self.ids("cited_sources")]
        out += [Reference(SUPERSEDES, SUPERSEDES, i) for i in self.ids("supersedes")]
        out += [Reference(SAME_AS, SAME_AS, i) for i in self.ids("same_as")]
        out += [Reference(REFERENCES, RELATED, i) for i in self.ids("related")]
        out += self._edges()
        out += self._revises()
        return out

    def _edges(self) -> Iterator[Reference]:
        seen: set[tuple[str, str]] = set()
        for entry in self.maps("edges"):
            to, relation = entry.get("to"), entry.get("relation")
            if not (isinstance(to, str) and isinstance(relation, str)):
                self.note("bad-value", "warning", "an entry of edges needs to and relation; set aside", key="edges")
            elif (relation, to) in seen:
                self.note("duplicate-link", "warning", f"edges names {relation} {to} more than once", key="edges")
            else:
                seen.add((relation, to))
                yield Reference(relation, EDGES, to)

    def _revises(self) -> Iterator[Reference]:
        value = self.values.get("revises")
        seen: set[str] = set()
        for number, entry in enumerate(value if isinstance(value, list) else [] if value is None else [value], 1):
            found = self._revision(entry, number)
            if found and found.target in seen:
                self.note("duplicate-link", "warning", f"revises names {found.target} more than once", key="revises")
            elif found:
                seen.add(found.target)
                yield found

    def _revision(self, entry: Any, number: int) -> Reference | None:
        if isinstance(entry, str):
            return Reference(REVISES, REVISES, entry)
        target = entry.get("id") if isinstance(entry, dict) else None
        if not isinstance(target, str):
            self.note(
                "revises-no-id", "warning", f"entry {number} of revises has no id; set aside", key="revises",
                fix="write the work item's id, alone or as id:",
            )  # fmt: skip
            return None
        criteria = entry.get("criteria") or []
        prints = entry.get("criteria_fp") or []
        positions = [p for p in (criteria if isinstance(criteria, list) else [criteria]) if self._position(p, target)]
        attributes: dict[str, Any] = {"criteria": [int(p) for p in positions]} if positions else {}
        if prints:
            whole = isinstance(prints, list) and isinstance(criteria, list) and len(prints) == len(criteria)
            if whole and len(positions) == len(criteria) and all(_is_fingerprint(p) for p in prints):
                attributes["criteria_fp"] = prints
            else:
                self.note(
                    "revises-fingerprints", "warning",
                    f"criteria_fp of {target} does not match its criteria, one of 8 hex digits each; set aside",
                    key="revises", fix="give one fingerprint a position, or leave the list out",
                )  # fmt: skip
        return Reference(REVISES, REVISES, target, attributes or None)

    def _position(self, value: Any, target: str) -> bool:
        if isinstance(value, str) and _POSITION.match(value):
            return True
        self.note(
            "revises-position", "warning",
            f"{value!r} is no position of a criterion of {target}: a whole number from 1", key="revises",
        )  # fmt: skip
        return False

    def review_log(self) -> tuple[HistoryItem, ...]:
        out = []
        for entry in self.maps("review_log"):
            at = entry.get("at")
            try:
                when = parse_when(at) if isinstance(at, str) else None
            except BadDate:
                when = None
            if when is None:
                self.note(
                    "bad-date", "warning", "an entry of review_log has no time that can be read", key="review_log"
                )
            by = entry.get("by")
            detail = {k: v for k, v in entry.items() if k not in ("at", "action", "by")}
            out.append(
                HistoryItem(when, str(entry.get("action") or "noted"), by if isinstance(by, dict) else {}, detail)
            )
        return tuple(out)


def _is_fingerprint(value: Any) -> bool:
    return isinstance(value, str) and bool(_FINGERPRINT.match(value))
