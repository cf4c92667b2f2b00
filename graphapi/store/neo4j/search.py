"""Keyword search: Lucene ranks, the states and kinds asked for are words of the query, ties are settled after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from neo4j import ManagedTransaction

from graphapi.store.neo4j.schema import MARK, STATE, TEXT, Names
from graphapi.store.port import ArtifactHit, Deleted, FactHit, FactKind
from graphapi.store.query import LINK_MARK, STATEMENT_MARK, Ranked, best, fold, kind_mark, state_marks, words
from graphapi.store.rows import STORED_ARTIFACT, stored_artifact

# A word that the analyzer makes nothing of (a lone ½) leaves the marks alone to match: such a match scores nought.
_ARTIFACTS = """CALL db.index.fulltext.queryNodes($index, $lucene, {limit: $room}) YIELD node AS a, score
WHERE score > 0
RETURN score, a.sort_key, a.artifact_id, a.title, a.kind, null ORDER BY score DESC"""
# The order of ``best``, settled here as well: whole rows are read for those that it will keep, and for no other.
_WHOLE = f"""CALL db.index.fulltext.queryNodes($index, $lucene, {{limit: $room}}) YIELD node AS a, score
WHERE score > 0
WITH a, score ORDER BY score DESC, a.sort_key, a.artifact_id
WITH collect(a) AS found, collect(score) AS scores UNWIND range(0, size(found) - 1) AS place
WITH place, scores[place] AS score, found[place] AS a
RETURN score, a.sort_key, a.artifact_id, a.title, a.kind,
    CASE WHEN place < $limit THEN [{", ".join(f"a.{name}" for name in STORED_ARTIFACT)}] END ORDER BY place"""
_COUNT = """CALL db.index.fulltext.queryNodes($index, $lucene) YIELD score WHERE score > 0 RETURN count(*)"""
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
    whole: bool,
) -> list[ArtifactHit]:
    lucene = _artifact_lucene(query, kinds, deleted)
    if lucene is None:
        return []

    def fetch(room: int) -> list[Ranked[ArtifactHit]]:
        found = tx.run(
            _WHOLE if whole else _ARTIFACTS, index=Names(namespace).text_index, lucene=lucene, room=room, limit=limit
        )
        return [
            (score, (sort_key, i), ArtifactHit(i, title, kind, score, stored_artifact(row) if row else None))
            for score, sort_key, i, title, kind, row in map(tuple, found)
        ]

    return best(fetch, limit)


def count_artifacts(
    tx: ManagedTransaction, namespace: str, query: str, kinds: Sequence[str] | None, deleted: Deleted
) -> int:
    return _count(tx, Names(namespace).text_index, _artifact_lucene(query, kinds, deleted))


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
