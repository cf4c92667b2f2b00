"""What changed in a window, read off the ledger and the sources' change logs (004 section 2b, Deltas).

Every query is bounded, and none reads the graph: a change to an artifact's links is no change to it, and what a model
inferred has no part in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import Exists, OuterRef, Q, QuerySet

from graphapi.models import LedgerEntry, Project, Revision
from graphapi.reads.arguments import Clock
from graphapi.store.port import Deleted

Kind = Literal["created", "revised", "deleted"]
CHANGES: tuple[Kind, ...] = ("created", "revised", "deleted")
SOURCE_DECLARED = "source-declared"
# A deletion is on record by its date or by when it was learned of: either may be unknown.
GONE = Q(deleted_at__isnull=False) | Q(deleted_learned_at__isnull=False)

# The field that places each change on each clock.
_FIELDS: dict[Clock, dict[Kind, str]] = {
    "source": {"created": "source_created_at", "revised": "at", "deleted": "deleted_at"},
    "ingest": {"created": "first_ingested_at", "revised": "learned_at", "deleted": "deleted_learned_at"},
}


@dataclass(frozen=True, slots=True)
class Change:
    """One change, at its time on the clock that was asked for; None where nothing says when. ``edit_date`` and
    ``commit`` are those of the one commit that a revision is."""

    place: int
    artifact_id: str
    change: Kind
    at: datetime | None
    edit_date: datetime | None = None
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """``ids`` restricts changes to these artifacts of the project; None takes all of them."""

    project: Project
    place: int
    clock: Clock
    deleted: Deleted
    ids: Sequence[str] | None = None

    def changes(self, since: datetime | None, until: datetime | None, limit: int) -> list[Change]:
        """The oldest changes in the half-open window, at most ``limit`` of each kind."""
        out: list[Change] = []
        for kind in CHANGES:
            field = _FIELDS[self.clock][kind]
            rows = self._in_window(kind, since, until).order_by(field, "pk")[:limit]
            out += self._read(kind, rows, field)
        return out

    def counts(self, since: datetime | None, until: datetime | None) -> dict[Kind, int]:
        return {kind: self._in_window(kind, since, until).count() for kind in CHANGES}

    def undated(self, limit: int) -> list[Change]:
        """Changes that this clock cannot place: of each kind the first ``limit`` by id."""
        out: list[Change] = []
        for kind in CHANGES:
            out += self._read(kind, self._undated(kind).order_by("artifact_id", "pk")[:limit], None)
        return out

    def count_undated(self) -> int:
        return sum(self._undated(kind).count() for kind in CHANGES)

    def _read(self, kind: Kind, rows: QuerySet[Any], field: str | None) -> list[Change]:
        names = ["artifact_id", *(["at", "commit"] if kind == "revised" else [])]
        out = []
        for row in rows.values(*dict.fromkeys([*names, *([field] if field else [])])):
            at = row[field] if field else None
            out.append(Change(self.place, row["artifact_id"], kind, at, row.get("at"), row.get("commit", "")))
        return out

    def _in_window(self, kind: Kind, since: datetime | None, until: datetime | None) -> QuerySet[Any]:
        field = _FIELDS[self.clock][kind]
        rows = self._all(kind).filter(**{f"{field}__isnull": False})
        if kind == "deleted" and self.clock == "source":
            rows = rows.filter(deleted_clock=SOURCE_DECLARED)
        if since is not None:
            rows = rows.filter(**{f"{field}__gte": since})
        return rows if until is None else rows.filter(**{f"{field}__lt": until})

    def _undated(self, kind: Kind) -> QuerySet[Any]:
        rows = self._all(kind)
        if kind == "deleted" and self.clock == "source":
            return rows.exclude(deleted_at__isnull=False, deleted_clock=SOURCE_DECLARED)
        return rows.filter(**{f"{_FIELDS[self.clock][kind]}__isnull": True})

    def _all(self, kind: Kind) -> QuerySet[Any]:
        """Every change of a kind. Deleted work is left out but for the deletion, which is the change itself."""
        entries = self.project.ledger.all()
        standing = ~GONE if self.deleted == "exclude" else Q()
        if kind == "deleted":
            rows: QuerySet[Any] = entries.filter(GONE)
        elif self.deleted == "only":
            rows = entries.none() if kind == "created" else Revision.objects.none()
        elif kind == "created":
            rows = entries.filter(standing)
        else:
            of = LedgerEntry.objects.filter(standing, project=self.project, artifact_id=OuterRef("artifact_id"))
            if self.clock == "ingest":
                # What the first pass found in a change log it learned with the artifact itself: a pass between the two
                # is what makes a revision news.
                passes = self.project.passes.filter(
                    started_at__gt=OuterRef("first_ingested_at"), started_at__lte=OuterRef(OuterRef("learned_at"))
                )
                of = of.filter(Exists(passes), first_ingested_at__lt=OuterRef("learned_at"))
            rows = self.project.revisions.filter(Exists(of))
        return rows if self.ids is None else rows.filter(artifact_id__in=self.ids)
