"""Keyword search: Lucene ranks, the states and kinds asked for are words of the query, ties are settled behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from neo4j import ManagedTransaction

from graphapi.store.neo4j.schema import MARK, STATE, TEXT, Names
from graphapi.store.port import ArtifactHit, Deleted, FactHit, FactKind
from graphapi.store.query import LINK_MARK, STATEMENT_MARK, TIE_ROOM, fold, kind_mark, state_marks, words
from graphapi.store.rows import STORED_ARTIFACT, stored_artifact

# A word that the analyzer makes nothing of (a lone ½) leaves the marks alone to match: such a match scores nought.
# Lucene cuts by score alone, so what ties with the last one wanted may stand outside: where the room past the limit
# does not show that it was all there, the index is asked for everything, in the same round trip. Scores are sums of
# floats and may differ in the last digit from one asking to the next, so a shade less is a tie until they are sorted.
_SCORED = """CALL db.index.fulltext.queryNodes($index, $lucene, {limit: $room}) YIELD node, score
WHERE score > 0
WITH collect(node) AS nodes, collect(score) AS scores
WITH nodes, scores, size(scores) = $room AND scores[-1] = scores[$limit - 1] AS more
CALL (nodes, scores, more) {
    UNWIND CASE WHEN more THEN [] ELSE range(0, size(nodes) - 1) END AS place
    RETURN nodes[place] AS n, scores[place] AS score
    UNION ALL
    UNWIND CASE WHEN more THEN [scores[-1] * 0.99999] ELSE [] END AS least
    CALL db.index.fulltext.queryNodes($index, $lucene) YIELD node AS n, score WHERE score >= least
    RETURN n, score
}"""
# Rows are read for what is kept, and for nothing else.
_ARTIFACTS = f"""{_SCORED}
WITH n, score ORDER BY score DESC, n.sort_key, n.artifact_id LIMIT $limit
RETURN n.artifact_id, n.title, n.kind, score,
    CASE WHEN $whole THEN [{", ".join(f"n.{name}" for name in STORED_ARTIFACT)}] END
ORDER BY score DESC, n.sort_key, n.artifact_id"""
_FACTS = f"""{_SCORED}
MATCH (s:Artifact {{group_id: n.group_id, artifact_id: n.source_id}})
WITH n, s, score ORDER BY score DESC, n.rank, s.sort_key, n.key LIMIT $limit
RETURN n.kind, n.key, n.fact, n.source_id, n.target_id, n.relation, n.method, n.rank, score, n.invalid_at
ORDER BY score DESC, n.rank, s.sort_key, n.key"""
_COUNT = """CALL db.index.fulltext.queryNodes($index, $lucene) YIELD score WHERE score > 0 RETURN count(*)"""


def search_artifacts(
    tx: ManagedTransaction,
    namespace: str,
    query: str,
    limit: int,
    kinds: Sequence[str] | None,
    deleted: Deleted,
    whole: bool,
) -> list[ArtifactHit]:
    lucene = _artifact_lucene(query, kinds, deleted)
    if lucene is None or limit <= 0:
        return []
    found = tx.run(
        _ARTIFACTS,
        index=Names(namespace).text_index,
        lucene=lucene,
        limit=limit,
        room=limit + TIE_ROOM,
        whole=whole,
    )
    return [
        ArtifactHit(artifact_id, title, kind, score, stored_artifact(row) if row else None)
        for artifact_id, title, kind, score, row in map(tuple, found)
    ]


def count_artifacts(
    tx: ManagedTransaction, namespace: str, query: str, kinds: Sequence[str] | None, deleted: Deleted
) -> int:
    return _count(tx, Names(namespace).text_index, _artifact_lucene(query, kinds, deleted))


def search_facts(
    tx: ManagedTransaction, namespace: str, query: str, limit: int, kind: FactKind | None, deleted: Deleted
) -> list[FactHit]:
    of_kind = {"link": (LINK_MARK,), "statement": (STATEMENT_MARK,), None: ()}[kind]
    lucene = _lucene(query, state_marks(deleted), of_kind)
    if lucene is None or limit <= 0:
        return []
    index = Names(namespace).fact_index
    found = tx.run(_FACTS, index=index, lucene=lucene, limit=limit, room=limit + TIE_ROOM)
    return [FactHit(*row.values()) for row in found]


def count_facts(tx: ManagedTransaction, namespace: str, query: str, deleted: Deleted) -> int:
    return _count(tx, Names(namespace).fact_index, _lucene(query, state_marks(deleted), ()))


def _count(tx: ManagedTransaction, index: str, lucene: str | None) -> int:
    return 0 if lucene is None else int(tx.run(_COUNT, index=index, lucene=lucene).single(strict=True)[0])


def _artifact_lucene(query: str, kinds: Sequence[str] | None, deleted: Deleted) -> str | None:
    """As ``_lucene``; None too where ``kinds`` lets nothing through."""
    if kinds is not None and not kinds:
        return None
    return _lucene(query, state_marks(deleted), map(kind_mark, kinds or ()))


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
