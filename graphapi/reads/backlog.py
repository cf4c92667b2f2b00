"""``list_backlog``: the work items of one project or several, a page at a time (004 sections 2b and 5, paging)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from graphapi.connectors.backlog import STATUSES
from graphapi.domain.links import PARENT, SUPERSEDES
from graphapi.domain.refusals import BadArguments, CursorGone
from graphapi.reads.answer import begin, finish
from graphapi.reads.arguments import deleted_state, within
from graphapi.reads.budget import Rows, Shelf
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.cursors import cursor_of, mark_of, parts_of
from graphapi.reads.even_shelf import EvenShelf
from graphapi.reads.marks import compact_row
from graphapi.reads.outside import outside_block
from graphapi.reads.payloads.backlog import BacklogPayload
from graphapi.reads.reach import Reach
from graphapi.reads.reader import Reader
from graphapi.store.port import Deleted, StoredArtifact

PAGE, LONGEST_PAGE = 50, 200
WORK_ITEM = "pbi"
_FIRST_PAGE = "ask again without the cursor"


@dataclass(frozen=True, slots=True)
class Filters:
    """What a page lists; None lets everything through."""

    status: tuple[str, ...] | None
    provenance: tuple[str, ...] | None
    pbi_type: tuple[str, ...] | None
    deleted: Deleted

    def admit(self, artifact: StoredArtifact) -> bool:
        """Whether the store would list it by these filters."""
        return (
            artifact.kind == WORK_ITEM
            and self.holds(artifact)
            and (self.status is None or artifact.status in self.status)
            and (self.provenance is None or artifact.provenance in self.provenance)
            and (self.pbi_type is None or artifact.artifact_type in self.pbi_type)
        )

    def holds(self, artifact: StoredArtifact) -> bool:
        """Whether it is in the corpus that is asked about: live work, deleted work, or both."""
        return self.deleted == "include" or artifact.deleted == (self.deleted == "only")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page ended: the row's project and its place in the order."""

    place: int
    sort_key: str
    artifact_id: str


def list_backlog(
    reader: Reader,
    *,
    status: str | Sequence[str] | None = None,
    provenance: str | Sequence[str] | None = None,
    pbi_type: str | Sequence[str] | None = None,
    limit: int = PAGE,
    cursor: str | None = None,
    deleted: str | None = None,
    project: str | None = None,
    projects: Sequence[str] | None = None,
) -> BacklogPayload:
    """The projects' own work items in natural order of their ids, and what sits outside the backlog.

    ``cursor`` is the ``next_cursor`` of the page before, asked with the same filters. Raises :class:`CursorGone`,
    :class:`BadArguments`, what :meth:`Reader.reach` raises and ``StoreUnavailable``.
    """
    limit = within("limit", limit, 1, LONGEST_PAGE)
    filters = Filters(_listed(status), _listed(provenance), _lowered(_listed(pbi_type)), deleted_state(deleted))
    reach = reader.reach(project, projects)
    corpus = Corpus(reader.store, reach.named, several=reach.several)
    _known_statuses(corpus, filters.status)
    asked = mark_of(
        filters.status, filters.provenance, filters.pbi_type, filters.deleted, [p.name for p in reach.named]
    )
    after = _resume(corpus, filters, cursor, asked) if cursor is not None else None
    page = _page(corpus, filters, after, limit + 1)
    more, page = len(page) > limit, page[:limit]
    rows = _rows(corpus, page)
    answer: dict[str, Any] = {**begin(reach), "items": rows}
    cursors = [cursor_of(corpus.projects[key.place].name, key.artifact_id, asked) for key, _ in page]
    if more:
        answer["next_cursor"] = cursors[-1]
    outside = _outside(reader, reach, answer)
    listing = _Page(rows, answer, "truncated", note="next_cursor serves the rest", keep=1, cursors=cursors)
    shelves: list[Shelf] = [listing, outside]
    return cast(BacklogPayload, finish(reader, reach, answer, shelves))


@dataclass(slots=True)
class _Page(Rows):
    """Rows that give way from the end, and are resumed at the first that went."""

    cursors: Sequence[str] = ()

    def give(self, excess: int) -> bool:
        given = Rows.give(self, excess)
        if given:
            self.holder["next_cursor"] = self.cursors[len(self.rows) - 1]
        return given


def _listed(value: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    return (value,) if isinstance(value, str) else tuple(sorted(set(value)))


def _lowered(types: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Types are kept in lower case, however their source writes them."""
    return None if types is None else tuple(sorted({t.lower() for t in types}))


def _known_statuses(corpus: Corpus, wanted: tuple[str, ...] | None) -> None:
    strange = [s for s in wanted or () if s not in STATUSES]
    if not strange:
        return
    there: set[str] = set()
    for place in range(len(corpus.projects)):
        there.update(corpus.store.facets(corpus.namespace(place), kinds=[WORK_ITEM]).statuses)
    if unknown := [s for s in strange if s not in there]:
        own = sorted(there.difference(STATUSES))
        more = f"; present here besides: {', '.join(own)}" if own else "; none besides them is present here"
        raise BadArguments(
            f"status={', '.join(map(repr, unknown))} is no status and no item has it",
            fix=f"name any of: {', '.join(STATUSES)}{more}",
        )


def _resume(corpus: Corpus, filters: Filters, cursor: str, asked: str) -> Place:
    name, artifact_id, served_for = parts_of(cursor, (str, str, str), fix=_FIRST_PAGE)
    if served_for != asked:
        raise BadArguments(
            "this cursor was served for other filters or projects", fix="repeat the call it came from, or leave it out"
        )
    place = next((at for at, p in enumerate(corpus.projects) if p.name == name), 0)
    row = corpus.get([Key(place, artifact_id)], bodies=False).get(Key(place, artifact_id))
    if row is None or not filters.holds(row):
        raise CursorGone(f"{artifact_id}, where this page began, is no longer in the corpus", fix=_FIRST_PAGE)
    return Place(place, row.sort_key, artifact_id)


def _page(corpus: Corpus, filters: Filters, after: Place | None, limit: int) -> list[tuple[Key, StoredArtifact]]:
    """The first ``limit`` rows past ``after``, of all projects by (natural order, id, project as asked)."""
    found: list[tuple[Key, StoredArtifact]] = []
    for place in range(len(corpus.projects)):
        rows = corpus.store.list_artifacts(
            corpus.namespace(place),
            kinds=[WORK_ITEM],
            types=filters.pbi_type,
            statuses=filters.status,
            provenances=filters.provenance,
            deleted=filters.deleted,
            after=(after.sort_key, after.artifact_id) if after else None,
            limit=limit,
            bodies=False,
        )
        found += [(Key(place, row.artifact_id), row) for row in rows]
    if after is not None:
        # A later project's item of the very same id comes after the row the page before ended on.
        twins = corpus.get(
            (Key(p, after.artifact_id) for p in range(after.place + 1, len(corpus.projects))), bodies=False
        )
        found += [(key, row) for key, row in twins.items() if filters.admit(row)]
    found.sort(key=lambda item: (item[1].sort_key, item[0].artifact_id, item[0].place))
    return found[:limit]


def _rows(corpus: Corpus, page: Sequence[tuple[Key, StoredArtifact]]) -> list[dict[str, Any]]:
    """Deleted items keep their marks, and links of live ones to deleted ones are none of a row's."""
    around = corpus.around((key for key, _ in page), deleted="include", each=0, whole=(SUPERSEDES, PARENT))
    return [compact_row(corpus, key, artifact, around[key], parent=True) for key, artifact in page]


def _outside(reader: Reader, reach: Reach, answer: dict[str, Any]) -> EvenShelf:
    """Put ``outside_backlog`` on ``answer``, keyed by project where there are several; its rows take a quarter."""
    room = reader.budget // 4 // len(reach.named)
    blocks = {p.name: outside_block(p, reader.store, room) for p in reach.named}
    answer["outside_backlog"] = blocks if reach.spanning else blocks[reach.named[0].name]
    lists, whole = [block["items"] for block in blocks.values()], sum(block["count"] for block in blocks.values())
    shelf = EvenShelf(lists, whole, answer, "outside_backlog_truncated", "a larger read budget lists more")
    shelf.tell()
    return shelf
