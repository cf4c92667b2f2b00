"""The half of a search that a model read, and how much of it an answer holds (004 section 5, inferred_cap)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeVar

from graphapi.domain.mentions import normalised
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.inferences import InferredEdge
from graphapi.reads.marks import bounded
from graphapi.reads.reader import Reader
from graphapi.store.port import Deleted, StoredArtifact

# How many rows the inferred shelves have, so that what was inferred does not win by volume over what was stated.
CONCEPTS = 5
FACTS = 10
# A paragraph grows a clause at a time; its first sentences say what it is about.
SUMMARY_SENTENCES = 2

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")

T = TypeVar("T")


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph, in its order."""
    return [sentence for sentence in _SENTENCE_END.split(text.strip()) if sentence]


def in_turn(*several: Sequence[T]) -> Iterator[T]:
    """One row of each in turn: projects' matches are not on one scale, but their places are."""
    for level in zip_longest(*several):
        yield from (row for row in level if row is not None)


def concept_rows(reader: Reader, corpus: Corpus, query: str, *, limit: int) -> list[dict[str, Any]]:
    """The concepts that answer ``query``, whole: nothing of them is cut yet."""
    if reader.inferences is None:
        return []
    found = []
    for place in range(len(corpus.projects)):
        concepts = reader.inferences.concepts(corpus.namespace(place), query, limit=limit)
        label = corpus.label(Key(place, ""))
        found.append([{"name": c.name, **label, "summary": c.summary} for c in concepts])
    return list(in_turn(*found))[:limit]


def first_sentences(row: dict[str, Any], key: str, most: int) -> None:
    """Leave the first ``most`` sentences of ``row[key]`` and say beside it how many there were."""
    said = sentences(row[key])
    if len(said) > most:
        row[key] = " ".join(said[:most])
        row.setdefault(f"{key}_sentences_total", len(said))


def inferred_rows(
    reader: Reader, corpus: Corpus, query: str, *, limit: int, deleted: Deleted
) -> tuple[list[dict[str, Any]], int]:
    """The third band of facts, and how many of it are read out of bodies that have since gone: those come last."""
    if reader.inferences is None:
        return [], 0
    found: list[list[tuple[int, InferredEdge]]] = []
    for place in range(len(corpus.projects)):
        edges = reader.inferences.facts(corpus.namespace(place), query, limit=limit, deleted=deleted)
        found.append([(place, edge) for edge in edges])
    edges_found = sorted(in_turn(*found), key=lambda row: row[1].sources_retired)[:limit]
    ends = corpus.get(_ends(edges_found), bodies=False)
    rows = [_inferred_row(corpus, place, edge, ends) for place, edge in edges_found]
    return rows, sum(edge.sources_retired for _, edge in edges_found)


def _ends(edges: Iterable[tuple[int, InferredEdge]]) -> list[Key]:
    return [Key(place, end) for place, edge in edges for end in (edge.source_id, edge.target_id)]


def _inferred_row(corpus: Corpus, place: int, edge: InferredEdge, ends: Mapping[Key, StoredArtifact]) -> dict[str, Any]:
    joined = [edge.source_id, edge.target_id]
    row: dict[str, Any] = {"fact": edge.fact, "endpoints": joined, **corpus.label(Key(place, edge.source_id))}
    row |= {"relation": edge.relation, "inferred": True}
    if edge.stated_at:
        row["stated_at"] = edge.stated_at
    if edge.invalid_at:
        row["invalid_at"] = edge.invalid_at
    if edge.sources_retired:
        row["sources_retired"] = True
    if any(end.deleted for i in joined if (end := ends.get(Key(place, i)))):
        row["other_deleted"] = True
    if not names_either(edge.fact, [(i, end.title if (end := ends.get(Key(place, i))) else "") for i in joined]):
        row["unnamed_endpoints"] = True
    return bounded(row)


def names_either(fact: str, ends: Iterable[tuple[str, str]]) -> bool:
    """Whether a sentence has the id or the title of one of ``ends`` in it, whole, case and spacing aside."""
    text = normalised(fact)
    names = (normalised(name) for end in ends for name in end)
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in names if name)
