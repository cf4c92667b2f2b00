"""Keyword search: Lucene ranks, the states and kinds asked for are words of the query, ties are settled after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from neo4j import ManagedTransaction

from graphapi.store.neo4j.schema import Names
from graphapi.store.port import STATEMENT_RANK, ArtifactHit, Deleted, FactHit, FactKind
from graphapi.store.query import LINK_MARK, STATEMENT_MARK, Ranked, best, fold, kind_mark, state_marks, words

# A word that the analyzer makes nothing of (a lone ½) leaves the marks alone to match: such a match scores nought.
_ARTIFACTS = """CALL db.index.fulltext.queryNodes($index, $lucene, {limit: $room}) YIELD node AS a, score
WHERE score > 0
RETURN score, a.sort_key, a.artifact_id, a.title, a.kind"""
_FACTS = """CALL db.index.fulltext.queryRelationships($index, $lucene, {limit: $room}) YIELD relationship AS r, score
WHERE score > 0
WITH r, score, startNode(r) AS s, endNode(r) AS t, type(r) = 'LINK' AS link
RETURN CASE WHEN link THEN 'link' ELSE 'statement' END, r.key,
    CASE WHEN link THEN r.fact ELSE t.fact END, s.artifact_id,
    CASE WHEN link THEN t.artifact_id ELSE r.key END,
    CASE WHEN link THEN r.relation ELSE 'states' END,
    CASE WHEN link THEN r.method ELSE t.type END,
    CASE WHEN link THEN r.rank ELSE $statement_rank END, score,
    CASE WHEN link THEN r.invalid_at ELSE t.retired_at END, s.sort_key"""


def search_artifacts(
    tx: ManagedTransaction,
    namespace: str,
    query: str,
    limit: int,
    kinds: Sequence[str] | None,
    deleted: Deleted,
) -> list[ArtifactHit]:
    names = Names(namespace)
    lucene = _lucene(names.text, query, {names.state: state_marks(deleted), names.kind: map(kind_mark, kinds or ())})
    if lucene is None or (kinds is not None and not kinds):
        return []

    def fetch(room: int) -> list[Ranked[ArtifactHit]]:
        found = tx.run(_ARTIFACTS, index=names.text_index, lucene=lucene, room=room)
        return [
            (score, (sort_key, i), ArtifactHit(i, title, kind, score))
            for score, sort_key, i, title, kind in map(tuple, found)
        ]

    return best(fetch, limit)


def search_facts(
    tx: ManagedTransaction, namespace: str, query: str, limit: int, kind: FactKind | None, deleted: Deleted
) -> list[FactHit]:
    names = Names(namespace)
    of_kind = {"link": (LINK_MARK,), "statement": (STATEMENT_MARK,), None: ()}[kind]
    lucene = _lucene(names.fact, query, {names.state: state_marks(deleted), names.kind: of_kind})
    if lucene is None:
        return []

    def fetch(room: int) -> list[Ranked[FactHit]]:
        hits: list[Ranked[FactHit]] = []
        for *values, sort_key in tx.run(
            _FACTS, index=names.fact_index, lucene=lucene, room=room, statement_rank=STATEMENT_RANK
        ):
            hit = FactHit(*values)
            hits.append((hit.score, (hit.rank, sort_key, hit.key), hit))
        return hits

    return best(fetch, limit)


def _lucene(field: str, query: str, marks: dict[str, Iterable[str]]) -> str | None:
    """The Lucene query for any word of ``query`` in ``field`` and one mark of each group; None: no word.

    Each word is quoted, so that Lucene reads it as text. ``^0``: a mark decides what matches and adds nothing.
    """
    found = words(query)
    if not found:
        return None
    parts = [f"+{field}:({_quoted(map(fold, found))})"]
    parts += [f"+{name}:({group})^0" for name, group in ((n, _quoted(m)) for n, m in marks.items()) if group]
    return " ".join(parts)


def _quoted(tokens: Iterable[str]) -> str:
    return " ".join(f'"{token}"' for token in tokens)
