"""Patterns that were declared later: the words of what they match leave the graph, the ledger with what stands beside
it, and the pass records.

The graph comes first and the ledger last, as in every pass: one that dies in between finds the same entries again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from graphapi.connectors.withholding import Withholding
from graphapi.domain.dates import as_text
from graphapi.domain.links import EXPLICIT_REF
from graphapi.domain.project_config import ProjectConfig
from graphapi.ingest import ledger, residue
from graphapi.ingest.linker import Named, sentence
from graphapi.ingest.pass_records import forget
from graphapi.ingest.rows import Compact, blank_row
from graphapi.models import HistoryEntry, LedgerEntry, Project, Revision
from graphapi.store.port import ArtifactRow, GraphStore, LinkRow, StoredArtifact, StoredLink, Tombstone
from graphapi.store.rows import LINK, batches

# Small enough for one request to the store to carry the bodies; a link is never cut off, however many there are.
_BATCH = 200
_EVERY_LINK = 10_000_000
_BLANKED = ("title", "withheld", "criteria_unparsed", "findings", "mentions", "references", "digest", "body_scanned")


def blank_withheld(project: Project, config: ProjectConfig, store: GraphStore, now: datetime) -> int:
    """Blank what the patterns match and still has its words, deleted artifacts too. Returns how many there were."""
    if not config.extraction.withhold:
        return 0
    held = Withholding(config.extraction.withhold, project.root_path)
    graph = {i: digest for i, digest, _ in store.artifact_digests(project.namespace)}
    rows = project.ledger.values_list("artifact_id", "path", "title", "withheld", "digest")
    known: set[str] = set()
    matching: dict[str, str] = {}
    blanked: list[str] = []
    for artifact_id, path, title, withheld, digest in rows.iterator(chunk_size=5000):
        known.add(artifact_id)
        if path is not None and held.holds(path):
            matching[artifact_id] = title
            # Another digest in the graph: a pass died before it had told the ledger what it wrote there.
            if not withheld or graph.get(artifact_id, digest) != digest:
                blanked.append(artifact_id)
    names = ledger.names(project)
    names |= {i: replace(names[i], title="") for i in matching}
    for unknown in batches((i for i in graph if i not in known), _BATCH):
        for node in store.get(project.namespace, unknown):
            if node.source_path is not None and held.holds(node.source_path) and not node.withheld:
                matching[node.artifact_id] = node.title
                names[node.artifact_id] = Named(node.kind, "", not node.deleted)
                blanked.append(node.artifact_id)
    if blanked:
        residue.owe(project)
    # Before the ledger loses the titles: they are what the records are searched for.
    forget(project, held, matching)
    for batch in batches(blanked, _BATCH):
        _blank(project, store, batch, names, as_text(now) or "")
    return len(blanked)


def _blank(project: Project, store: GraphStore, ids: list[str], names: dict[str, Named], now: str) -> None:
    entries = {e.artifact_id: e for e in project.ledger.filter(artifact_id__in=ids)}
    rows: list[ArtifactRow] = []
    stones: list[Tombstone] = []
    for node in store.get(project.namespace, ids):
        entry = entries.get(node.artifact_id)
        row = blank_row(node, _declared(entry.references) if entry else [])
        rows.append(row)
        if stone := _stone(node, entry):
            stones.append(stone)
        if entry:
            entry.digest = row.digest
    links = store.neighbours(project.namespace, ids, deleted="include", limit=_EVERY_LINK)
    store.upsert_artifacts(project.namespace, rows, now=now)
    store.tombstone(project.namespace, stones)
    _restate(project, store, links, names)
    for entry in entries.values():
        entry.title, entry.withheld, entry.criteria_unparsed = "", True, False
        entry.findings, entry.mentions, entry.body_scanned = [], [], False
        entry.references = _declared(entry.references)
    with transaction.atomic():
        LedgerEntry.objects.bulk_update(entries.values(), _BLANKED, batch_size=_BATCH)
        HistoryEntry.objects.filter(project=project, artifact_id__in=ids).delete()
        Revision.objects.filter(project=project, artifact_id__in=ids).exclude(subject="").update(subject="")


def _declared(references: Iterable[Compact]) -> list[Compact]:
    """References without those that the body's words gave."""
    return [reference for reference in references if reference[1] != EXPLICIT_REF]


def _stone(node: StoredArtifact, entry: LedgerEntry | None) -> Tombstone | None:
    """The tombstone it had: writing the row anew took it away."""
    if node.deleted:
        return Tombstone(node.artifact_id, node.deleted_at or "", node.deleted_clock or "", node.deleted_note)
    if entry is not None and entry.deleted_at is not None:
        # A pass died after an earlier one of these two writes.
        when = as_text(entry.deleted_at) or ""
        return Tombstone(node.artifact_id, when, entry.deleted_clock, entry.deleted_note or None)
    return None


def _restate(project: Project, store: GraphStore, links: Sequence[StoredLink], names: dict[str, Named]) -> None:
    """Say the facts again without the titles. Links that had ended are ended again, each at its own moment.

    Live ones as well, though linking would: a file that is gone by now ends its links before that, as they stand.
    """
    ended: dict[tuple[str, str], list[str]] = defaultdict(list)
    said = [link for link in links if link.fact]
    for link in said:
        if link.invalid_at is not None:
            ended[link.invalid_at, link.invalid_reason or ""].append(link.key)
    store.link(project.namespace, list(_without_titles(said, names)))
    for (at, reason), keys in ended.items():
        store.retire_links(project.namespace, keys, at=at, reason=reason)


def _without_titles(links: Iterable[StoredLink], names: dict[str, Named]) -> Iterator[LinkRow]:
    for link in links:
        row = LinkRow(**{name: getattr(link, name) for name in LINK})
        # The digest stays that of the old sentence, so linking writes a link that stands once more.
        yield replace(row, fact=sentence(names, link.source_id, link.relation, link.target_id))
