"""Keyword search: Lucene ranks, the states and kinds asked for are words of the query, ties are settled after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from neo4j import ManagedTransaction

from graphapi.store.neo4j.schema import MARK, STATE, TEXT, Names
from graphapi.store.port import ArtifactHit, Deleted, FactHit, FactKind
from graphapi.store.query import LINK_MARK, STATEMENT_MARK, Ranked, best, fold, kind_mark, state_marks, words

# A word that the analyzer makes nothing of (a lone ½) leaves the marks alone to match: such a match scores nought.
_ARTIFACTS = """CALL db.index.fulltext.queryNodes($index, $lucene, {limit: $room}) YIELD node AS a, score
WHERE score > 0
RETURN score, a.sort_key, a.artifact_id, a.title, a.kind ORDER BY score DESC"""
_FACTS = """CALL db.index.fulltext.queryNodes($index, $lucene, {limit: $room}) YIELD node AS f, score
WHERE score > 0
MATCH (s:Artifact {group_id: f.group_id, artifact_id: f.source_id})
RETURN f.kind, f.key, f.fact, f.source_id, f.target_id, f.relation, f.method, f.rank, score, f.invalid_at, s.sort_key
ORDER BY score DESC"""


def search_artifacts(
    tx: ManagedTransaction,
    namespace: str,
    query: str,
    limit: int,
    kinds: Sequence[str] | None,
    deleted: Deleted,
) -> list[ArtifactHit]:
    lucene = _lucene(query, state_marks(deleted), map(kind_mark, kinds or ()))
    if lucene is None or (kinds is not None and not kinds):
        return []

    def fetch(room: int) -> list[Ranked[ArtifactHit]]:
        found = tx.run(_ARTIFACTS, index=Names(namespace).text_index, lucene=lucene, room=room)
        return [
            (score, (sort_key, i), ArtifactHit(i, title, kind, score))
            for score, sort_key, i, title, kind in map(tuple, found)
        ]

    return best(fetch, limit)


def search_facts(
    tx: ManagedTransaction, namespace: str, query: str, limit: int, kind: FactKind | None, deleted: Deleted
) -> list[FactHit]:
    of_kind = {"link": (LINK_MARK,), "statement": (STATEMENT_MARK,), None: ()}[kind]
    lucene = _lucene(query, state_marks(deleted), of_kind)
    if lucene is None:
        return []

    def fetch(room: int) -> list[Ranked[FactHit]]:
        hits: list[Ranked[FactHit]] = []
        for *values, sort_key in tx.run(_FACTS, index=Names(namespace).fact_index, lucene=lucene, room=room):
            hit = FactHit(*values)
            hits.append((hit.score, (hit.rank, sort_key, hit.key), hit))
        return hits

    return best(fetch, limit)


def _lucene(query: str, states: Iterable[str], marks: Iterable[str]) -> str | None:
    """The Lucene query for any word of ``query``, one of ``states`` and one of ``marks``; None: no word.

    Each word is quoted, so that Lucene reads it as text. ``^0``: a mark decides what matches and adds nothing.
    """
    found = words(query)
    if not found:
        return None
    parts = [f"+{TEXT}:({_quoted(map(fold, found))})"]
    parts += [f"+{field}:({group})^0" for field, group in ((STATE, _quoted(states)), (MARK, _quoted(marks))) if group]
    return " ".join(parts)


def _quoted(tokens: Iterable[str]) -> str:
    return " ".join(f'"{token}"' for token in tokens)
