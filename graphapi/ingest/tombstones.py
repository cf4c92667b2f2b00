"""Closing out what a source no longer holds: only after a complete read, dated by the source where it says when."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, time

from graphapi.connectors.base import SourceReading
from graphapi.domain.dates import as_text
from graphapi.ingest import ledger
from graphapi.models import Project
from graphapi.store.port import BATCH_ROWS, GraphStore, Tombstone

SOURCE_DECLARED = "source-declared"
FOUND = "found"
UNDECLARED_SOURCE = "its source is no longer declared"

Gone = tuple[str, datetime, str, str]


def close_out(
    project: Project, store: GraphStore, readings: Iterable[SourceReading], seen: Collection[str], *, now: datetime,
    undeclared: Collection[str] = (),
) -> int:  # fmt: skip
    """Tombstone what complete readings lacked, and date again what a commit has since dated.

    ``undeclared`` are sources the project's file no longer names: all they held is gone from its sources. Returns how
    many artifacts were newly closed out.
    """
    gone: list[Gone] = []
    fresh = 0
    for reading in readings:
        if reading.complete:
            newly, dated = _of_reading(project, reading, seen, now)
            fresh += len(newly)
            gone += [*newly, *dated]
    if undeclared:
        rows = project.ledger.filter(deleted_at=None, source__in=list(undeclared)).values_list("artifact_id", flat=True)
        dropped = [(i, now, FOUND, UNDECLARED_SOURCE) for i in rows if i not in seen]
        fresh += len(dropped)
        gone += dropped
    _carry(project, store, gone)
    return fresh


def _of_reading(
    project: Project, reading: SourceReading, seen: Collection[str], now: datetime
) -> tuple[list[Gone], list[Gone]]:
    mine = project.ledger.filter(source=reading.source)
    live = mine.filter(deleted_at=None)
    if reading.view_from is not None:
        # Below the day it was listed from, nothing was looked for.
        live = live.filter(source_created_at__gte=datetime.combine(reading.view_from, time(), UTC))
    newly: list[Gone] = []
    for artifact_id, path in live.values_list("artifact_id", "path").iterator(chunk_size=5000):
        if artifact_id not in seen:
            removal = reading.removal(path)
            newly.append(
                (artifact_id, removal.at, SOURCE_DECLARED, removal.note) if removal else (artifact_id, now, FOUND, "")
            )
    dated: list[Gone] = []
    for artifact_id, path in mine.filter(deleted_clock=FOUND).values_list("artifact_id", "path"):
        if artifact_id not in seen and (removal := reading.removal(path)) is not None:
            dated.append((artifact_id, removal.at, SOURCE_DECLARED, removal.note))
    return newly, dated


def _carry(project: Project, store: GraphStore, gone: list[Gone]) -> None:
    for at in range(0, len(gone), BATCH_ROWS):
        batch = gone[at : at + BATCH_ROWS]
        stones = [Tombstone(i, as_text(when) or "", clock, note or None) for i, when, clock, note in batch]
        store.tombstone(project.namespace, stones)
        ledger.mark_deleted(project, batch)
