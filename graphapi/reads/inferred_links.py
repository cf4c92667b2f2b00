"""What a model inferred about some artifacts, as rows that say so (004 section 5, stated before inferred)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.inferences import InferredEdge, InferredEdges
from graphapi.reads.marks import bounded
from graphapi.reads.reader import Reader
from graphapi.store.port import StoredArtifact

# How the method of an inferred row reads, where a stated one has the manual's word for how it was stated.
INFERRED = "inferred"
# How many inferred edges of one artifact a record lists.
EDGES_OF_ONE = 200
# What is served of a summary unasked: it grows a clause at a time and may wander to other artifacts.
SUMMARY_SENTENCES = 2
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def inferred_about(reader: Reader, corpus: Corpus, keys: Iterable[Key], *, limit: int) -> dict[int, InferredEdges]:
    """The inferred edges that touch ``keys``, by the place of their project; nothing on a lite instance."""
    if reader.inferences is None:
        return {}
    ids: dict[int, list[str]] = {}
    for key in keys:
        ids.setdefault(key.place, []).append(key.artifact_id)
    return {place: reader.inferences.edges(corpus.namespace(place), found, limit=limit) for place, found in ids.items()}


def names_neither(edge: InferredEdge, titles: Mapping[str, str]) -> bool:
    """Whether its sentence names neither artifact it joins, by id or title: it is evidence about something else."""
    fact = edge.fact.casefold()
    names = (name for end in (edge.source_id, edge.target_id) for name in (end, titles.get(end, "")))
    return not any(name and name.casefold() in fact for name in names)


def sentences(summary: str) -> list[str]:
    return [part for part in _SENTENCE_END.split(summary.strip()) if part]


def edge_marks(edge: InferredEdge, titles: Mapping[str, str]) -> dict[str, Any]:
    """What an inferred row says of itself, wherever it is served."""
    row: dict[str, Any] = {"inferred": True}
    if edge.stated_at:
        row["stated_at"] = edge.stated_at
    if names_neither(edge, titles):
        row["unnamed_endpoints"] = True
    if edge.sources_retired:
        row["sources_retired"] = True
    return row


def inferred_rows(
    corpus: Corpus, near: Key, edges: Iterable[InferredEdge], far: Mapping[str, StoredArtifact]
) -> list[dict[str, Any]]:
    """The inferred edges of one artifact as links of it; ``far`` holds both ends' artifacts."""
    titles = {i: artifact.title for i, artifact in far.items()}
    rows: list[dict[str, Any]] = []
    for edge in edges:
        goes_out = edge.source_id == near.artifact_id
        other = edge.target_id if goes_out else edge.source_id
        row = {
            "relation": edge.relation,
            "artifact_id": other,
            **corpus.label(near),
            "title": titles.get(other, ""),
            "direction": "out" if goes_out else "in",
            "method": INFERRED,
            "fact": edge.fact,
            **edge_marks(edge, titles),
        }
        if other in far and far[other].deleted:
            row["other_deleted"] = True
        rows.append(bounded(row))
    return rows
