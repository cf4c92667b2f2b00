"""The facts shelf of a search: declared relations, then statements, then what a model inferred (004 section 5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from graphapi.domain.query_words import words
from graphapi.reads.corpus import Corpus, Edge, Key
from graphapi.reads.marks import bounded
from graphapi.reads.reader import Reader
from graphapi.reads.search_gather import Gathered
from graphapi.reads.search_inferred import in_turn, inferred_rows
from graphapi.reads.search_unmatched import Match, Stated, Unmatched
from graphapi.store.port import Deleted, FactKind

STATES = "states"


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
    tail: list[Match | dict[str, Any]] = list(statements)
    tail = (tail + inferred)[: limit - len(links)]
    capped = max(len(tail) - cap, 0)
    tail = tail[:cap]
    room = limit - len(links) - len(tail)
    around = Unmatched(corpus, gathered, served, deleted, links, statements, limit)
    padding = around.links(room)
    stated, far_statements = around.statements(min(room - len(padding), cap - len(tail)))
    of_notes = min(len(statements), len(tail))
    rows = _rows(corpus, [*links, *padding, *tail[:of_notes], *stated, *tail[of_notes:]], deleted)
    return Facts(rows, len(links) + len(padding), capped, around.links_left_out() + far_statements, retired)


def ended(corpus: Corpus, query: str) -> int:
    """How many facts that match ``query`` their sources have taken back."""
    if not words(query):
        return 0
    places = range(len(corpus.projects))
    return sum(corpus.store.count_facts(corpus.namespace(place), query, deleted="only") for place in places)


def _matched(corpus: Corpus, query: str, kind: FactKind, limit: int, deleted: Deleted) -> list[Match]:
    """One band as the fulltext index orders it, the projects' matches in turn."""
    if not words(query):
        return []
    found = []
    for place in range(len(corpus.projects)):
        hits = corpus.store.search_facts(corpus.namespace(place), query, limit=limit, kind=kind, deleted=deleted)
        found.append([Match(place, hit) for hit in hits])
    return list(in_turn(*found))[:limit]


def _rows(
    corpus: Corpus, facts: Sequence[Match | Edge | Stated | dict[str, Any]], deleted: Deleted
) -> list[dict[str, Any]]:
    """The rows of the shelf; an inferred one is a row already."""
    ends = [_ends(fact) for fact in facts]
    gone = _gone(corpus, [key for keys in ends for key in keys]) if deleted != "exclude" else frozenset[Key]()
    return [
        fact if isinstance(fact, dict) else _row(corpus, fact, keys, gone)
        for fact, keys in zip(facts, ends, strict=True)
    ]


def _ends(fact: Match | Edge | Stated | dict[str, Any]) -> list[Key]:
    match fact:
        case Match():
            return fact.ends
        case Edge():
            return [fact.source, fact.target]
        case Stated():
            return [fact.note]
    return []


def _gone(corpus: Corpus, ends: Sequence[Key]) -> frozenset[Key]:
    return frozenset(key for key, row in corpus.get(ends, bodies=False).items() if row.deleted)


def _row(corpus: Corpus, fact: Match | Edge | Stated, ends: Sequence[Key], gone: Collection[Key]) -> dict[str, Any]:
    row: dict[str, Any] = {"fact": "", "endpoints": [key.artifact_id for key in ends], **corpus.label(ends[0])}
    match fact:
        case Match(_, hit):
            row |= {"fact": hit.fact, "relation": hit.relation, "method": hit.method}
            mark, at = ("retired_at" if hit.kind == "statement" else "invalid_at"), hit.invalid_at
        case Edge(source, target, link):
            # A link between two projects is in no fact index, so it has no sentence of its own.
            said = link.fact or f"{source.artifact_id} {link.relation.replace('_', ' ')} {target.artifact_id}"
            row |= {"fact": said, "relation": link.relation, "method": link.method}
            mark, at = "invalid_at", link.invalid_at
        case Stated(_, statement):
            row |= {"fact": statement.fact, "relation": STATES, "method": statement.type}
            mark, at = "retired_at", statement.retired_at
    if at:
        row[mark] = at
    if any(key in gone for key in ends):
        row["other_deleted"] = True
    return bounded(row)
