"""The rows of a deltas answer: each change with what it is about, each time with its clock (004 section 2b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphapi.domain.dates import as_text
from graphapi.models import LedgerEntry
from graphapi.reads.arguments import Clock
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.deltas_changes import SOURCE_DECLARED, Change
from graphapi.reads.marks import bounded
from graphapi.reads.scope_members import batches
from graphapi.store.port import BATCH_ROWS

_FIELDS = (
    "artifact_id", "title", "kind", "artifact_type", "withheld", "deleted_at", "deleted_clock", "deleted_note",
    "deleted_learned_at", "project",
)  # fmt: skip
_SHA_SHOWN = 12
FOUND = "found"


def change_rows(corpus: Corpus, changes: Sequence[Change], clock: Clock) -> list[dict[str, Any]]:
    """A row a change, in the order given; one query a project and batch for what the ledger says of the artifacts."""
    entries = _entries(corpus, changes)
    return [_row(corpus, change, entries[_key(change)], clock) for change in changes if _key(change) in entries]


def undated_rows(corpus: Corpus, changes: Sequence[Change]) -> list[dict[str, Any]]:
    """The same without any time: nothing says when."""
    entries = _entries(corpus, changes)
    return [
        bounded(_about(corpus, change, entry) | {"change": change.change} | _marks(entry))
        for change in changes
        if (entry := entries.get(_key(change)))
    ]


def _key(change: Change) -> Key:
    return Key(change.place, change.artifact_id)


def _entries(corpus: Corpus, changes: Sequence[Change]) -> Mapping[Key, LedgerEntry]:
    out: dict[Key, LedgerEntry] = {}
    for part in batches(dict.fromkeys(map(_key, changes)), BATCH_ROWS):
        for place, project in enumerate(corpus.projects):
            ids = [key.artifact_id for key in part if key.place == place]
            if ids:
                out |= {Key(place, e.artifact_id): e for e in project.ledger.filter(artifact_id__in=ids).only(*_FIELDS)}
    return out


def _about(corpus: Corpus, change: Change, entry: LedgerEntry) -> dict[str, Any]:
    row: dict[str, Any] = {"artifact_id": change.artifact_id, **corpus.label(_key(change))}
    row |= {"title": entry.title, "kind": entry.kind}
    if entry.artifact_type and entry.artifact_type != entry.kind:
        row["artifact_type"] = entry.artifact_type
    return row


def _row(corpus: Corpus, change: Change, entry: LedgerEntry, clock: Clock) -> dict[str, Any]:
    row = _about(corpus, change, entry) | {"change": change.change, "at": as_text(change.at), "clock": clock}
    if change.edit_date is not None:
        row |= {"edit_date": as_text(change.edit_date), "edit_clock": "source"}
    if change.commit:
        row["commit"] = change.commit[:_SHA_SHOWN]
    return bounded(row | _marks(entry))


def _marks(entry: LedgerEntry) -> dict[str, Any]:
    out: dict[str, Any] = {"withheld": True} if entry.withheld else {}
    if entry.deleted_at is None and entry.deleted_learned_at is None:
        return out
    out["deleted"] = True
    if entry.deleted_at is not None:
        # A date without a clock is when it was found gone, never when it went.
        declared = entry.deleted_clock == SOURCE_DECLARED
        out |= {"deleted_at": as_text(entry.deleted_at), "deleted_clock": SOURCE_DECLARED if declared else FOUND}
    if entry.deleted_note:
        out["deleted_note"] = entry.deleted_note
    return out
