"""The ledger: which version of every artifact the graph holds. It is written after the graph, never before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F

from graphapi.connectors.base import Known
from graphapi.domain.artifact import SourceArtifact
from graphapi.domain.dates import as_text
from graphapi.ingest.linker import Named, Stated
from graphapi.models import HistoryEntry, LedgerEntry, Project
from graphapi.store.port import GraphStore

_BATCH = 1000
_KEPT_ON_REWRITE = ("id", "project", "artifact_id", "first_ingested_at")
_DELETION = ["deleted_at", "deleted_clock", "deleted_note", "deleted_learned_at"]
_WRITTEN = [f.name for f in LedgerEntry._meta.concrete_fields if f.name not in _KEPT_ON_REWRITE]


@dataclass(frozen=True, slots=True)
class Memory:
    """What the ledger says before a pass: artifacts by path and by id for the connectors, and digests by id."""

    by_path: dict[str, Known]
    by_id: dict[str, Known]
    digests: dict[str, str]
    live_in_graph: frozenset[str] = frozenset()


def recall(project: Project, store: GraphStore, *, reread: bool) -> Memory:
    """Load the ledger. An entry the graph does not hold as recorded is stale, and read again.

    ``reread`` makes every entry stale: the project's declarations, or the way of reading, have changed.
    """
    graph = {i: (digest, deleted) for i, digest, deleted in store.artifact_digests(project.namespace)}
    memory = Memory({}, {}, {}, frozenset(i for i, (_, deleted) in graph.items() if not deleted))
    # Deleted artifacts come first, so that a path's live one takes its place.
    rows = project.ledger.order_by(F("deleted_at").asc(nulls_last=True)).values_list(
        "artifact_id", "path", "version", "digest", "deleted_at"
    )
    for artifact_id, path, version, digest, gone in rows.iterator(chunk_size=5000):
        in_graph = gone is None and graph.get(artifact_id) == (digest, False)
        known = Known(artifact_id, version, stale=reread or not in_graph, gone=gone is not None)
        if path is None:
            memory.by_id[artifact_id] = known
        else:
            memory.by_path[path] = known
        if in_graph:
            memory.digests[artifact_id] = digest
    return memory


def record(project: Project, entries: Sequence[LedgerEntry], artifacts: Sequence[SourceArtifact]) -> None:
    """Write the entries of artifacts the graph now holds, and their history, in one transaction."""
    steps = [
        HistoryEntry(
            project=project, artifact_id=a.artifact_id, position=n,
            at=h.at, action=h.action[:64], by=h.by, detail=h.detail,
        )
        for a in artifacts
        for n, h in enumerate(a.history, start=1)
    ]  # fmt: skip
    with transaction.atomic():
        LedgerEntry.objects.bulk_create(
            entries, update_conflicts=True, unique_fields=["project", "artifact_id"], update_fields=_WRITTEN
        )
        ids = [a.artifact_id for a in artifacts]
        HistoryEntry.objects.filter(project=project, artifact_id__in=ids).delete()
        HistoryEntry.objects.bulk_create(steps)


def move_versions(project: Project, versions: dict[str, str]) -> None:
    """Artifacts that were read again and found the same: only the token that says so moves on."""
    if not versions:
        return
    entries = list(project.ledger.filter(artifact_id__in=versions).only("id", "artifact_id", "version"))
    for entry in entries:
        entry.version = versions[entry.artifact_id]
    LedgerEntry.objects.bulk_update(entries, ["version"], batch_size=_BATCH)


def names(project: Project) -> dict[str, Named]:
    """Every artifact on record, deleted ones too: an id that once stood here still names something."""
    rows = project.ledger.values_list("artifact_id", "kind", "title", "deleted_at")
    return {i: Named(kind, title, gone is None) for i, kind, title, gone in rows.iterator(chunk_size=5000)}


def statements_of_links(project: Project) -> Iterator[Stated]:
    """What each live artifact says of others, streamed in id order."""
    rows = (
        project.ledger.filter(deleted_at=None)
        .exclude(references=[], mentions=[])
        .order_by("artifact_id")
        .values_list("artifact_id", "source", "source_updated_at", "source_created_at", "references", "mentions")
    )
    for artifact_id, source, updated, created, references, mentions in rows.iterator(chunk_size=2000):
        yield Stated(artifact_id, source, as_text(updated or created), references, mentions)


def keep_mentions(project: Project, found: dict[str, list[str]], *, adding: bool) -> None:
    """Record what titles the bodies of these artifacts carry, in place of what was found before or, ``adding``, beside
    it. In batches: a title that comes late may stand in most of a corpus."""
    ids = list(found)
    for at in range(0, len(ids), _BATCH):
        changed: list[LedgerEntry] = []
        batch = project.ledger.filter(artifact_id__in=ids[at : at + _BATCH]).only("id", "artifact_id", "mentions")
        for entry in batch:
            phrases = found[entry.artifact_id]
            if adding:
                phrases = list(dict.fromkeys([*entry.mentions, *phrases]))
            if entry.mentions != phrases:
                entry.mentions = phrases
                changed.append(entry)
        LedgerEntry.objects.bulk_update(changed, ["mentions"], batch_size=_BATCH)


def mark_deleted(project: Project, gone: Iterable[tuple[str, datetime, str, str]], *, now: datetime) -> None:
    """(artifact id, when, clock, note) of artifacts the graph holds as deleted, as this pass learned ``now`` of those
    that were live. A date that a source gives later is no news of the removal."""
    rows = {i: (at, clock, note) for i, at, clock, note in gone}
    entries = list(project.ledger.filter(artifact_id__in=rows))
    for entry in entries:
        if entry.deleted_at is None:
            entry.deleted_learned_at = now
        entry.deleted_at, entry.deleted_clock, entry.deleted_note = rows[entry.artifact_id]
    LedgerEntry.objects.bulk_update(entries, _DELETION, batch_size=_BATCH)
