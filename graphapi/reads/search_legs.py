"""The legs of a search: what is asked, of which index, in each project (004 section 5, method)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from graphapi.domain.query_words import words
from graphapi.ranking import retrieval
from graphapi.ranking.candidates import Leg
from graphapi.ranking.retrieval import fuse
from graphapi.ranking.words import feedback_terms
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.reader import Reader
from graphapi.store.port import Deleted, StoredArtifact

# The rows of the first answer that the second question takes its words from.
FEEDBACK_ROWS = 5


@dataclass(slots=True)
class Legs:
    """The legs as they are asked, and the rows they brought."""

    reader: Reader
    corpus: Corpus
    kinds: Sequence[str] | None
    deleted: Deleted
    rows: dict[Key, StoredArtifact] = field(default_factory=dict)

    def keyword(self, query: str, method: str, weight: float, limit: int) -> list[Leg]:
        """One leg a project, in the projects' order: their scores are not on one scale."""
        if not words(query):
            return []
        legs = []
        for place in range(len(self.corpus.projects)):
            hits = self.corpus.store.search_artifacts(
                self.corpus.namespace(place), query, limit=limit, kinds=self.kinds, deleted=self.deleted, whole=True
            )
            found = [(Key(place, hit.artifact_id), hit.artifact) for hit in hits]
            self.rows |= {key: row for key, row in found if row is not None}
            legs.append(Leg(method, weight, [key for key, _ in found]))
        return legs

    def feedback_query(self, query: str, first: Sequence[Leg]) -> str:
        """``query`` and the words that most distinguish the best rows of ``first``; blank where it says no more."""
        best = [self.rows[cast(Key, found.key)] for found in fuse(first)[:FEEDBACK_ROWS]]
        terms = feedback_terms(query, [(row.title, row.body) for row in best])
        return " ".join((query, *terms)) if terms else ""

    def recipe(self, query: str, limit: int) -> tuple[list[Leg], list[Leg]]:
        """What a model's own search finds, for artifacts and for passages; nothing on a lite instance."""
        inferences = self.reader.inferences
        if inferences is None:
            return [], []
        nodes, episodes = list[Leg](), list[Leg]()
        shelves: tuple[tuple[Callable[..., Sequence[str]], str, list[Leg]], ...] = (
            (inferences.artifacts, retrieval.RECIPE_ARTIFACT, nodes),
            (inferences.passages, retrieval.RECIPE_PASSAGE, episodes),
        )
        for ask, method, legs in shelves:
            for place in range(len(self.corpus.projects)):
                found = ask(self.corpus.namespace(place), query, limit=limit, deleted=self.deleted)
                legs.append(Leg(method, retrieval.RECIPE_WEIGHT, [Key(place, i) for i in found]))
        named = {cast(Key, key) for leg in (*nodes, *episodes) for key in leg.keys} - self.rows.keys()
        self.rows |= {key: row for key, row in self.corpus.get(named).items() if self._wanted(row)}
        return self._known(nodes), self._known(episodes)

    def _wanted(self, row: StoredArtifact) -> bool:
        state = {"exclude": not row.deleted, "only": row.deleted, "include": True}[self.deleted]
        return state and not row.withheld and (self.kinds is None or row.kind in self.kinds)

    def _known(self, legs: Iterable[Leg]) -> list[Leg]:
        return [Leg(leg.method, leg.weight, [key for key in leg.keys if key in self.rows]) for leg in legs]
