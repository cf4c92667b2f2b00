"""The facts shelf of a search: declared relations, then statements, then what a model inferred (004 section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphapi.domain.links import is_fact
from graphapi.domain.query_words import words
from graphapi.ranking.words import carried, stems
from graphapi.reads.corpus import Corpus, Edge, Key
from graphapi.reads.marks import bounded
from graphapi.reads.reader import Reader
from graphapi.reads.search_gather import Around, Gathered
from graphapi.reads.search_inferred import in_turn, inferred_rows
from graphapi.store.port import Deleted, FactHit, FactKind, StoredStatement

# A row the index did not match is served only where it touches one of so many leading artifacts.
NEAR_TOP = 3
STATES = "states"


class _Match(NamedTuple):
    place: int
    hit: FactHit


@dataclass(frozen=True, slots=True)
class Facts:
    """The shelf as it is served, ``declared`` of its rows being declared relations.

    ``capped``: rows past the inferred cap. ``left_out``: unmatched relations and statements around the served artifacts
    that touch none of the leading ones. ``retired``: inferred facts whose sources have all gone.
    """

    rows: list[dict[str, Any]]
    declared: int
    capped: int
    left_out: int
    retired: int


def facts_of(
    reader: Reader,
    corpus: Corpus,
    gathered: Gathered,
    served: Sequence[Key],
    *,
    limit: int,
    deleted: Deleted,
    cap: int,
) -> Facts:
    """At most ``limit`` rows, at most ``cap`` of them no declared relation; ``served`` are the artifacts rows.

    What the index matched comes first and what a model inferred has its room; the links and statements of the leading
    artifacts get what is left.
    """
    links = _matched(corpus, gathered.query, "link", limit, deleted)
    statements = _matched(corpus, gathered.query, "statement", limit, deleted)
    inferred, retired = inferred_rows(reader, corpus, gathered.query, limit=limit, deleted=deleted)
    tail = [*(_row_of(corpus, match) for match in statements), *inferred][: limit - len(links)]
    capped = max(len(tail) - cap, 0)
    tail = tail[:cap]
    room = limit - len(links) - len(tail)
    around = _Unmatched(corpus, gathered, served, deleted, links, statements, limit)
    padding = [_link_row(corpus, edge) for edge in around.links(room)]
    stated, far_statements = around.statements(min(room - len(padding), cap - len(tail)))
    of_notes = min(len(statements), len(tail))
    rows = [_row_of(corpus, match) for match in links]
    rows += [*padding, *tail[:of_notes], *stated, *tail[of_notes:]]
    return Facts(rows, len(links) + len(padding), capped, around.links_left_out() + far_statements, retired)


def ended(corpus: Corpus, query: str) -> int:
    """How many facts that match ``query`` their sources have taken back."""
    if not words(query):
        return 0
    places = range(len(corpus.projects))
    return sum(corpus.store.count_facts(corpus.namespace(place), query, deleted="only") for place in places)


def _matched(corpus: Corpus, query: str, kind: FactKind, limit: int, deleted: Deleted) -> list[_Match]:
    """One band as the fulltext index orders it, the projects' matches in turn."""
    if not words(query):
        return []
    found = []
    for place in range(len(corpus.projects)):
        hits = corpus.store.search_facts(corpus.namespace(place), query, limit=limit, kind=kind, deleted=deleted)
        found.append([_Match(place, hit) for hit in hits])
    return list(in_turn(*found))[:limit]


def _row_of(corpus: Corpus, match: _Match) -> dict[str, Any]:
    hit = match.hit
    statement = hit.kind == "statement"
    # A statement is no artifact: what it is read in is the one end that anybody can look up.
    ends = [hit.source_id] if statement else [hit.source_id, hit.target_id]
    row: dict[str, Any] = {"fact": hit.fact, "endpoints": ends, **corpus.label(Key(match.place, hit.source_id))}
    row |= {"relation": hit.relation, "method": hit.method}
    if hit.invalid_at:
        row["retired_at" if statement else "invalid_at"] = hit.invalid_at
    return bounded(row)


def _link_row(corpus: Corpus, edge: Edge) -> dict[str, Any]:
    link = edge.row
    # A link between two projects is in no fact index, so it has no sentence of its own.
    fact = link.fact or f"{link.source_id} {link.relation.replace('_', ' ')} {link.target_id}"
    row: dict[str, Any] = {"fact": fact, "endpoints": [link.source_id, link.target_id], **corpus.label(edge.source)}
    row |= {"relation": link.relation, "method": link.method}
    if link.invalid_at:
        row["invalid_at"] = link.invalid_at
    return bounded(row)


def _statement_row(corpus: Corpus, place: int, statement: StoredStatement) -> dict[str, Any]:
    note = Key(place, statement.note_id)
    row: dict[str, Any] = {"fact": statement.fact, "endpoints": [statement.note_id], **corpus.label(note)}
    row |= {"relation": STATES, "method": statement.type}
    if statement.retired_at:
        row["retired_at"] = statement.retired_at
    return bounded(row)


class _Unmatched:
    """What stands around the served artifacts that the index did not match."""

    def __init__(
        self,
        corpus: Corpus,
        gathered: Gathered,
        served: Sequence[Key],
        deleted: Deleted,
        links: Sequence[_Match],
        statements: Sequence[_Match],
        limit: int,
    ) -> None:
        self._corpus = corpus
        self._around: Around = gathered.around
        self._top, self._lower = served[:NEAR_TOP], served[NEAR_TOP:]
        self._deleted = deleted
        self._links = {match.hit.key: match for match in links}
        self._statements = {match.hit.key for match in statements}
        # A full band says nothing of what else matched; the sentences themselves then tell.
        self._stems = {
            "link": stems(gathered.query) if len(links) >= limit else set(),
            "statement": stems(gathered.query) if len(statements) >= limit else set(),
        }

    def links(self, room: int) -> list[Edge]:
        """The declared relations of the leading artifacts, the stronger claim first."""
        if room <= 0 or not self._top:
            return []
        # A link's rank comes first in the store's order, and a relation that is no fact ranks behind every other.
        edges = self._corpus.neighbours(self._top, deleted=self._deleted, limit=room + len(self._links))
        known = dict.fromkeys(self._links)
        out = []
        for edge in edges:
            if is_fact(edge.row.method) and edge.row.key not in known:
                known[edge.row.key] = None
                out.append(edge)
        return out[:room]

    def links_left_out(self) -> int:
        """Relations around the other served rows, each counted once, that touch no leading one."""
        top, lower = set(self._top), set(self._lower)
        listed: dict[str, str] = {}
        unlisted = 0
        for group in (group for key in self._lower for group in self._around.get(key, ())):
            if is_fact(group.method):
                unlisted += group.count - len(group.edges)
                listed |= {e.row.key: e.row.fact for e in group.edges if top.isdisjoint((e.source, e.target))}
        matched = 0
        for key, (place, hit) in self._links.items():
            ends = {Key(place, hit.source_id), Key(place, hit.target_id)}
            matched += key not in listed and not ends.isdisjoint(lower) and ends.isdisjoint(top)
        return sum(self._unmatched("link", listed)) + max(unlisted - matched, 0)

    def statements(self, room: int) -> tuple[list[dict[str, Any]], int]:
        """The statements of the leading artifacts, at most ``room``, and how many the other served ones have."""
        near: list[dict[str, Any]] = []
        far: dict[str, str] = {}
        top = set(self._top)
        for place, statement in self._stated([*self._top, *self._lower]):
            if statement.key in self._statements:
                continue
            if Key(place, statement.note_id) in top:
                near.append(_statement_row(self._corpus, place, statement))
            else:
                far[statement.key] = statement.fact
        return near[: max(room, 0)], sum(self._unmatched("statement", far))

    def _stated(self, notes: Iterable[Key]) -> Iterator[tuple[int, StoredStatement]]:
        places: dict[int, list[str]] = {}
        for key in notes:
            places.setdefault(key.place, []).append(key.artifact_id)
        for place, ids in places.items():
            rows = self._corpus.store.statements(self._corpus.namespace(place), ids, retired=self._deleted != "exclude")
            yield from ((place, row) for row in rows if self._deleted != "only" or row.retired_at)

    def _unmatched(self, kind: FactKind, facts: Mapping[str, str]) -> Iterator[bool]:
        known = self._links if kind == "link" else self._statements
        wanted = self._stems[kind]
        return (key not in known and not carried(fact, wanted) for key, fact in facts.items())
