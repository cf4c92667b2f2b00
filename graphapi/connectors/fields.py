"""A block's values as the engine's own types, with a finding for each value that is not what its key takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from graphapi.domain.artifact import Finding, HistoryItem, Severity
from graphapi.domain.dates import BadDate, parse_when
from graphapi.domain.frontmatter import Block


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
        finding = Finding(code, severity, message, self.path, at, fix=fix)
        # A key may be asked for more than once; what is wrong with it is said once.
        if finding not in self.findings:
            self.findings.append(finding)

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
            by = {"sub": by} if isinstance(by, str) else by
            detail = {k: v for k, v in entry.items() if k not in ("at", "action", "by")}
            out.append(
                HistoryItem(when, str(entry.get("action") or "noted"), by if isinstance(by, dict) else {}, detail)
            )
        return tuple(out)
