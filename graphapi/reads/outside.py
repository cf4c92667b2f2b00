"""What a source holds that is on no backlog, for want of a type that a map covers (004 section 2b).

It is read from what a pass stored. An item that is typed at its source is a work item after the next pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from graphapi.domain.artifact import KINDS, natural_key
from graphapi.models import LedgerEntry, Project
from graphapi.reads.budget import listed_within
from graphapi.reads.marks import bounded
from graphapi.store.port import GraphStore, StoredArtifact

FIX = (
    "set the type, or a label that the map names, on the item at its source; or widen the type map in"
    " [connectors.*.types]"
)
UNTYPED, UNMAPPED = "untyped", "unmapped"
_BATCH = 500


@dataclass(frozen=True, slots=True)
class OutsideItem:
    """``kind`` is the source's own word; ``native_type`` the type it has there, which no map names."""

    artifact_id: str
    title: str
    kind: str
    native_type: str | None
    labels: tuple[str, ...]

    def as_row(self) -> dict[str, Any]:
        row: dict[str, Any] = {"artifact_id": self.artifact_id, "title": self.title, "kind": self.kind}
        row["why"] = UNMAPPED if self.native_type else UNTYPED
        if self.native_type:
            row["native_type"] = self.native_type
        if self.labels:
            row["labels"] = list(self.labels)
        return bounded(row)


def outside_count(project: Project) -> int:
    return _ids(project).count()


def outside(project: Project, store: GraphStore) -> Iterator[OutsideItem]:
    """The items off the backlog, in natural order, read as far as they are asked for."""
    ids = sorted(_ids(project), key=lambda i: (natural_key(i), i))
    for at in range(0, len(ids), _BATCH):
        for artifact in store.get(project.namespace, ids[at : at + _BATCH], bodies=False):
            if not artifact.deleted:
                yield _item(artifact)


def outside_block(project: Project, store: GraphStore, room: int) -> dict[str, Any]:
    """``count``, which is whole, and as many ``items`` as ``room`` bytes take."""
    count = outside_count(project)
    rows: list[dict[str, Any]] = []
    if count:
        # A row is no smaller than thirty bytes: what is past these could not be listed.
        found = outside(project, store)
        rows = [item.as_row() for item, _ in zip(found, range(max(room // 30, 1)), strict=False)]
        rows = rows[: listed_within(rows, room)]
    return {"count": count, "items": rows}


def _ids(project: Project) -> QuerySet[LedgerEntry, str]:
    """Ids of live entries whose kind is none of the engine's own. Asked as the ranges between those, each of which an
    index answers by seeking; "none of these four" would be answered by reading every entry."""
    kinds = sorted(KINDS)
    between = [Q(kind__gt=low, kind__lt=high) for low, high in zip(kinds, kinds[1:], strict=False)]
    live = project.ledger.filter(deleted_at=None).order_by()
    ranges = [Q(kind__lt=kinds[0]), *between, Q(kind__gt=kinds[-1])]
    first, *others = (live.filter(within).values_list("artifact_id", flat=True) for within in ranges)
    return first.union(*others, all=True)


def _item(artifact: StoredArtifact) -> OutsideItem:
    native, labels = artifact.metadata.get("native_type"), artifact.metadata.get("labels")
    return OutsideItem(
        artifact.artifact_id,
        artifact.title,
        artifact.kind,
        native if isinstance(native, str) and native else None,
        tuple(map(str, labels))
        if isinstance(labels, list)
        else (labels,)
        if isinstance(labels, str) and labels
        else (),
    )
