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
    undeclared: Collection[str] = (), unseen: Collection[str] = (),
) -> int:  # fmt: skip
    """Tombstone what complete readings lacked, and date again what a commit has since dated.

    ``undeclared`` are sources the project's file no longer names: all they held is gone from its sources. ``unseen``
    are artifacts live in the graph before this pass that it did not list. Returns how many were newly closed out.
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
    lost = strays(project, unseen, now)
    _carry(project, store, [*gone, *lost], now)
    return fresh + len(lost)


def strays(project: Project, unseen: Iterable[str], now: datetime) -> list[Gone]:
    """Of artifacts that are live in the graph and that no source of this pass listed, those the ledger does not hold as
    live: a process that died between graph and ledger left them, or a project that was declared anew."""
    out: list[Gone] = []
    ids = sorted(unseen)
    for at in range(0, len(ids), BATCH_ROWS):
        batch = ids[at : at + BATCH_ROWS]
        rows = project.ledger.filter(artifact_id__in=batch)
        values = rows.values_list("artifact_id", "deleted_at", "deleted_clock", "deleted_note")
        held = {i: (when, clock, note) for i, when, clock, note in values}
        for artifact_id in batch:
            when, clock, note = held.get(artifact_id, (now, FOUND, ""))
            if when is not None:
                out.append((artifact_id, when, clock, note))
    return out


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


def _carry(project: Project, store: GraphStore, gone: list[Gone], now: datetime) -> None:
    for at in range(0, len(gone), BATCH_ROWS):
        batch = gone[at : at + BATCH_ROWS]
        stones = [Tombstone(i, as_text(when) or "", clock, note or None) for i, when, clock, note in batch]
        store.tombstone(project.namespace, stones)
        ledger.mark_deleted(project, batch, now=now)
