"""A pass's second half: look for titles in bodies, resolve every stated reference, write the differences alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from graphapi.domain.artifact import Finding
from graphapi.domain.mentions import PhraseIndex
from graphapi.domain.project_config import ProjectConfig
from graphapi.ingest import ledger
from graphapi.ingest.linker import Linker, Titles, Unresolved
from graphapi.models import Project, UnresolvedReference
from graphapi.store.port import BATCH_ROWS, GraphStore, LinkRow

STOPPED = "source-stopped-declaring"
_LONGEST_TARGET = 500


@dataclass(slots=True)
class Linked:
    """What linking did: links by method, what was written and retired, and what came to light."""

    live: dict[str, int] = field(default_factory=dict)
    written: int = 0
    retired: int = 0
    findings: list[Finding] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)


def link_project(
    project: Project, config: ProjectConfig, store: GraphStore, *, now: str, step: Callable[[], None] = lambda: None
) -> Linked:
    """Bring the graph's stated links to what the ledger's artifacts state. ``step`` is called as batches go by."""
    artifacts = ledger.names(project)
    titles = Titles(artifacts, config.extraction.aliases)
    find_titles(project, store, titles)
    families = config.backlog.families if config.backlog else ()
    linker = Linker.over(project.namespace, artifacts, titles, families)
    out = Linked()
    standing = dict(store.link_digests(project.namespace))
    for batch in _batches(_changed(project, linker, standing, out)):
        out.written += store.link(project.namespace, batch)
        step()
    leftover = list(standing)
    for at in range(0, len(leftover), BATCH_ROWS):
        keys = leftover[at : at + BATCH_ROWS]
        out.retired += store.retire_links(project.namespace, keys, at=now, reason=STOPPED)
    out.findings = [*linker.findings, *linker.closing_findings()]
    out.unresolved = linker.unresolved
    _keep_unresolved(project, out.unresolved)
    return out


def _changed(project: Project, linker: Linker, standing: dict[str, str], out: Linked) -> Iterator[LinkRow]:
    """Rows the graph lacks or holds otherwise. What is left in ``standing`` afterwards nobody states any more."""
    for stated in ledger.statements_of_links(project):
        for key, row in linker.links_of(stated).items():
            out.live[row.method] = out.live.get(row.method, 0) + 1
            if standing.pop(key, None) != row.digest:
                yield row


def _batches(rows: Iterator[LinkRow]) -> Iterator[list[LinkRow]]:
    batch: list[LinkRow] = []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch


def find_titles(project: Project, store: GraphStore, titles: Titles) -> None:
    """Look for every title in the bodies that changed, and for new titles in all the others.

    The two marks in the ledger are taken off only once both looks are done, so a pass that dies here owes them still.
    """
    live = project.ledger.filter(deleted_at=None)
    unscanned = list(live.filter(body_scanned=False).values_list("artifact_id", flat=True))
    offered = frozenset(live.filter(title_offered=False).values_list("artifact_id", flat=True))
    if not unscanned and not offered:
        return
    _scan(project, store, PhraseIndex.of(titles.phrases), unscanned)
    fresh = PhraseIndex.of(titles.phrases_of(offered))
    if fresh:
        skip = frozenset(unscanned)
        _scan(project, store, fresh, None, skip=skip, adding=True)
    live.filter(body_scanned=False).update(body_scanned=True)
    live.filter(title_offered=False).update(title_offered=True)


def _scan(
    project: Project,
    store: GraphStore,
    index: PhraseIndex,
    ids: list[str] | None,
    *,
    skip: frozenset[str] = frozenset(),
    adding: bool = False,
) -> None:
    """``ids`` None is every body but those in ``skip``; ``adding`` keeps what was found before."""
    if ids == []:
        return
    found: dict[str, list[str]] = {}
    for artifact_id, body in store.bodies(project.namespace, ids):
        if artifact_id not in skip and (phrases := index.found_in(body)):
            found[artifact_id] = phrases
    ledger.keep_mentions(project, found, adding=adding)


def _keep_unresolved(project: Project, rows: list[Unresolved]) -> None:
    """Bring the table to ``rows``, touching what differs: an unchanged pass writes nothing."""
    # What outgrows every id resolves to nothing, and PostgreSQL keeps no text of any length in an index.
    wanted = {(u.artifact_id, u.relation, u.target[:_LONGEST_TARGET], u.reason) for u in rows}
    gone = []
    for pk, *row in project.unresolved.values_list("pk", "artifact_id", "relation", "target", "reason").iterator():
        if tuple(row) in wanted:
            wanted.discard(tuple(row))
        else:
            gone.append(pk)
    for at in range(0, len(gone), 500):
        UnresolvedReference.objects.filter(pk__in=gone[at : at + 500]).delete()
    UnresolvedReference.objects.bulk_create(
        [
            UnresolvedReference(project=project, artifact_id=a, relation=r, target=t, reason=why)
            for a, r, t, why in sorted(wanted)
        ],
        batch_size=200,
    )
