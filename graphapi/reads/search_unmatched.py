"""What stands around a search's rows that the fact index did not match (004 section 5, the facts shelf)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from graphapi.domain.links import is_fact
from graphapi.ranking.words import carried, stems
from graphapi.reads.corpus import Corpus, Edge, Key
from graphapi.reads.search_gather import Around, Gathered
from graphapi.store.port import Deleted, FactHit, FactKind, StoredStatement

# A row the index did not match is served only where it touches one of so many leading artifacts.
NEAR_TOP = 3


class Match(NamedTuple):
    """A fact the index matched, in the project at ``place``."""

    place: int
    hit: FactHit

    @property
    def ends(self) -> list[Key]:
        # A statement is no artifact: the note it stands in is the one end that anybody can look up.
        ids = [self.hit.source_id] if self.hit.kind == "statement" else [self.hit.source_id, self.hit.target_id]
        return [Key(self.place, i) for i in ids]


class Stated(NamedTuple):
    """A statement of a note of the project at ``place``."""

    place: int
    row: StoredStatement

    @property
    def note(self) -> Key:
        return Key(self.place, self.row.note_id)


class Unmatched:
    """What stands around the served artifacts that the index did not match."""

    def __init__(
        self,
        corpus: Corpus,
        gathered: Gathered,
        served: Sequence[Key],
        deleted: Deleted,
        links: Sequence[Match],
        statements: Sequence[Match],
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

    def statements(self, room: int) -> tuple[list[Stated], int]:
        """The statements of the leading artifacts, at most ``room``, and how many the other served ones have."""
        near: list[Stated] = []
        far: dict[str, str] = {}
        top = set(self._top)
        for stated in self._stated([*self._top, *self._lower]):
            if stated.row.key in self._statements:
                continue
            if stated.note in top:
                near.append(stated)
            else:
                far[stated.row.key] = stated.row.fact
        return near[: max(room, 0)], sum(self._unmatched("statement", far))

    def _stated(self, notes: Iterable[Key]) -> Iterator[Stated]:
        places: dict[int, list[str]] = {}
        for key in notes:
            places.setdefault(key.place, []).append(key.artifact_id)
        for place, ids in places.items():
            rows = self._corpus.store.statements(self._corpus.namespace(place), ids, retired=self._deleted != "exclude")
            yield from (Stated(place, row) for row in rows if self._deleted != "only" or row.retired_at)

    def _unmatched(self, kind: FactKind, facts: Mapping[str, str]) -> Iterator[bool]:
        known = self._links if kind == "link" else self._statements
        wanted = self._stems[kind]
        return (key not in known and not carried(fact, wanted) for key, fact in facts.items())
