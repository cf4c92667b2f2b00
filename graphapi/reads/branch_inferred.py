"""What a model inferred about a branch: counted beside the tree, and never in it (004 section 2b)."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any

from graphapi.reads.absent import absent
from graphapi.reads.budget import Rows, Shelf
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.inferences import InferredEdge
from graphapi.reads.inferred_links import edge_marks, inferred_about, names_neither
from graphapi.reads.marks import bounded
from graphapi.reads.reader import Reader
from graphapi.reads.record import Record

# How many edges a sample lists unasked, and how many are counted before the count is a floor.
SAMPLE = 12
SCANNED = 1000

_Edge = tuple[int, InferredEdge]


def inferred_block(
    reader: Reader, record: Record, members: Sequence[Key], answer: dict[str, Any], *, everything: bool
) -> list[Shelf]:
    """Put ``inferred`` on ``answer``: how many edges touch ``members``, and some of each artifact's in turn.

    ``everything`` lists all that were counted. Absent where nothing was inferred by a model.
    """
    if reader.inferences is None:
        answer["inferred"] = absent(record.home)
        return []
    corpus = record.corpus
    found = inferred_about(reader, corpus, members, limit=SCANNED)
    edges = [(place, edge) for place, about in found.items() for edge in about.edges]
    titles = _titles(corpus, edges)
    block: dict[str, Any] = {
        "total": sum(about.total for about in found.values()),
        "unnamed_endpoints": sum(names_neither(edge, titles[place]) for place, edge in edges),
    }
    if any(about.total_is_floor for about in found.values()):
        block["total_is_floor"] = True
    turns = in_turn(members, edges)
    rows = [_row(corpus, place, edge, titles[place]) for place, edge in turns[: None if everything else SAMPLE]]
    block["listed"] = rows
    answer["inferred"] = block
    return [Rows(rows, block, "listed_truncated", note="total counts them all")]


def in_turn(members: Sequence[Key], edges: Sequence[_Edge]) -> list[_Edge]:
    """``edges`` one of each member in turn, in the members' order, each edge once."""
    queues: dict[tuple[int, str], deque[int]] = {(key.place, key.artifact_id): deque() for key in members}
    for at, (place, edge) in enumerate(edges):
        for end in dict.fromkeys((edge.source_id, edge.target_id)):
            if (place, end) in queues:
                queues[place, end].append(at)
    taken: dict[int, None] = {}
    waiting = [queue for queue in queues.values() if queue]
    while waiting:
        for queue in waiting:
            while queue and queue[0] in taken:
                queue.popleft()
            if queue:
                taken.setdefault(queue.popleft())
        waiting = [queue for queue in waiting if queue]
    return [edges[at] for at in taken]


def _titles(corpus: Corpus, edges: Sequence[_Edge]) -> dict[int, dict[str, str]]:
    """The titles of both ends of every edge, by the place of their project."""
    ends = {Key(place, end) for place, edge in edges for end in (edge.source_id, edge.target_id)}
    out: dict[int, dict[str, str]] = defaultdict(dict)
    for key, artifact in corpus.get(ends, bodies=False).items():
        out[key.place][key.artifact_id] = artifact.title
    return out


def _row(corpus: Corpus, place: int, edge: InferredEdge, titles: dict[str, str]) -> dict[str, Any]:
    row: dict[str, Any] = {"fact": edge.fact, "endpoints": [edge.source_id, edge.target_id]}
    row |= corpus.label(Key(place, edge.source_id))
    return bounded(row | {"relation": edge.relation} | edge_marks(edge, titles))
