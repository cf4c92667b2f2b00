"""Links from one project's artifact to another's, resolved as they are read (004 section 5, project).

A pass resolves ids within its own project; an id it finds nowhere stays on record as unresolved. Where the reader
reaches the project that has it, the two ends meet here. Nothing is written: what one may reach is the reader's own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Q

from graphapi.domain.dates import as_text, stated_since
from graphapi.domain.links import EXPLICIT_REF, IMPLEMENTED_BY, METHOD_RANK, RELATED, link_key
from graphapi.models import LedgerEntry, Project, UnresolvedReference
from graphapi.store.port import GraphStore, StoredLink

_MOST = 1000


@dataclass(frozen=True, slots=True)
class Crossing:
    """``source`` and ``target`` are (place of the project, artifact id)."""

    source: tuple[int, str]
    target: tuple[int, str]
    row: StoredLink


def crossings(store: GraphStore, projects: Sequence[Project], keys: Collection[tuple[int, str]]) -> list[Crossing]:
    """Every link between two of ``projects`` with an end among ``keys``; both ends live. At most ``_MOST``."""
    places = {p.pk: place for place, p in enumerate(projects)}
    touching = Q(target__in={i for _, i in keys})
    for place, project in enumerate(projects):
        if ids := [i for at, i in keys if at == place]:
            touching |= Q(project=project, artifact_id__in=ids)
    rows = (
        UnresolvedReference.objects.filter(touching, project__in=projects)
        .exclude(relation=IMPLEMENTED_BY)
        .order_by("project_id", "artifact_id", "relation", "target")[:_MOST]
    )
    named = [(places[r.project_id], r) for r in rows]
    held = _held(projects, {r.target for _, r in named}, {(place, r.artifact_id) for place, r in named})
    out: list[Crossing] = []
    for place, row in named:
        source = (place, row.artifact_id)
        for far in range(len(projects)):
            target = (far, row.target)
            if far == place or (source not in keys and target not in keys):
                continue
            if (
                (entry := held.get(target))
                and (stated := held.get(source))
                and (link := _link(projects[place], row, stated, entry))
            ):
                out.append(Crossing(source, target, link))
                break
    return out


def _held(
    projects: Sequence[Project], targets: set[str], sources: set[tuple[int, str]]
) -> dict[tuple[int, str], LedgerEntry]:
    """The live ledger entries of both ends, in one query."""
    places = {p.pk: place for place, p in enumerate(projects)}
    ids = targets | {i for _, i in sources}
    rows = LedgerEntry.objects.filter(project__in=projects, artifact_id__in=ids, deleted_at=None).only(
        "project_id", "artifact_id", "kind", "source", "references", "source_updated_at", "source_created_at"
    )
    return {(places[r.project_id], r.artifact_id): r for r in rows}


def _link(project: Project, row: UnresolvedReference, stated: LedgerEntry, target: LedgerEntry) -> StoredLink | None:
    """The link as the linker would write it, without a sentence: it is in no fact index. None where it makes none."""
    methods = {
        method: rest
        for relation, method, to, *rest in stated.references
        if (relation, to) == (row.relation, row.target)
    }
    if RELATED in methods and target.kind == "pbi":
        methods.setdefault(EXPLICIT_REF, [])
    methods.pop(RELATED, None)
    if not methods:
        return None
    method = min(methods, key=lambda m: METHOD_RANK[m])
    return StoredLink(
        key=link_key(project.namespace, row.artifact_id, row.target, row.relation, method),
        source_id=row.artifact_id,
        target_id=row.target,
        relation=row.relation,
        method=method,
        rank=METHOD_RANK[method],
        fact="",
        source=stated.source,
        valid_at=as_text(stated_since(stated.kind, stated.source_created_at, stated.source_updated_at)),
        attributes=dict(methods[method][0]) if methods[method] else {},
        digest="",
    )
