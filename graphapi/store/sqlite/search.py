"""Keyword search: FTS5 ranks, the states and kinds asked for are words of the expression, ties are settled after."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from graphapi.store.port import (
    BODY_WEIGHT,
    STATEMENT_RANK,
    TITLE_WEIGHT,
    ArtifactHit,
    Deleted,
    FactHit,
    FactKind,
)
from graphapi.store.query import LINK_MARK, STATEMENT_MARK, Ranked, best, kind_mark, state_marks, words
from graphapi.store.rows import STORED_ARTIFACT, stored_artifact
from graphapi.store.sqlite.schema import artifact_text, fact_text

# The order of ``best``, settled here as well: the rest of a row is read for those that it will keep, and for no other.
_ARTIFACTS = """WITH found AS MATERIALIZED (
        SELECT rowid AS number, bm25({table}, {title}, {body}, 0.0) AS score FROM {table}
        WHERE {table} MATCH ? ORDER BY score LIMIT ?),
    ranked AS MATERIALIZED (
        SELECT a.id, a.sort_key, a.artifact_id, a.title, a.kind, found.score,
            row_number() OVER (ORDER BY found.score, a.sort_key, a.artifact_id) AS place
        FROM found CROSS JOIN artifacts AS a ON a.id = found.number)
    SELECT -ranked.score, ranked.sort_key, ranked.artifact_id, ranked.title, ranked.kind {whole}
    FROM ranked LEFT JOIN artifacts AS a ON a.id = ranked.id AND ranked.place <= ? ORDER BY ranked.place"""
_WHOLE = "".join(f", a.{name}" for name in STORED_ARTIFACT)
_FACTS = """WITH found AS MATERIALIZED (
        SELECT rowid AS number, bm25({table}, 1.0, 0.0) AS score FROM {table}
        WHERE {table} MATCH ? ORDER BY score LIMIT ?)
    SELECT 'link', l.key, l.fact, s.artifact_id, t.artifact_id, l.relation, l.method, l.rank,
        -found.score AS score, l.invalid_at, s.sort_key
    FROM found CROSS JOIN links AS l ON found.number % 2 = 0 AND l.id = found.number / 2
    CROSS JOIN artifacts AS s ON s.id = l.src CROSS JOIN artifacts AS t ON t.id = l.dst
    UNION ALL
    SELECT 'statement', st.key, st.fact, n.artifact_id, st.key, 'states', st.type, {rank:d},
        -found.score, st.retired_at, n.sort_key
    FROM found CROSS JOIN statements AS st ON found.number % 2 = 1 AND st.id = found.number / 2
    CROSS JOIN artifacts AS n ON n.id = st.note
    ORDER BY score DESC"""


def expression(columns: str, query: str, *marks: Iterable[str]) -> str | None:
    """The FTS5 expression for any word of ``query`` in ``columns`` and one of each group of ``marks``; None: no word.

    Each word is quoted, so that FTS5 reads it as text.
    """
    found = words(query)
    if not found:
        return None
    parts = [f"{{{columns}}} : ({_any_of(found)})"]
    parts += [f"marks : ({group})" for group in map(_any_of, marks) if group]
    return " AND ".join(parts)


def search_artifacts(
    cursor: sqlite3.Cursor,
    space: int,
    query: str,
    limit: int,
    kinds: Sequence[str] | None,
    deleted: Deleted,
    whole: bool,
) -> list[ArtifactHit]:
    match = _artifact_expression(query, kinds, deleted)
    if match is None:
        return []
    statement = _ARTIFACTS.format(
        table=artifact_text(space), title=TITLE_WEIGHT, body=BODY_WEIGHT, whole=_WHOLE if whole else ""
    )

    def fetch(room: int) -> list[Ranked[ArtifactHit]]:
        return [
            (score, (sort_key, i), ArtifactHit(i, title, kind, score, stored_artifact(row) if row and row[0] else None))
            for score, sort_key, i, title, kind, *row in cursor.execute(statement, (match, room, limit))
        ]

    return best(fetch, limit)


def count_artifacts(
    cursor: sqlite3.Cursor, space: int, query: str, kinds: Sequence[str] | None, deleted: Deleted
) -> int:
    return _count(cursor, artifact_text(space), _artifact_expression(query, kinds, deleted))


def search_facts(
    cursor: sqlite3.Cursor, space: int, query: str, limit: int, kind: FactKind | None, deleted: Deleted
) -> list[FactHit]:
    of_kind = {"link": (LINK_MARK,), "statement": (STATEMENT_MARK,), None: ()}[kind]
    match = expression("fact", query, state_marks(deleted), of_kind)
    if match is None:
        return []
    statement = _FACTS.format(table=fact_text(space), rank=STATEMENT_RANK)

    def fetch(room: int) -> list[Ranked[FactHit]]:
        hits: list[Ranked[FactHit]] = []
        for *values, sort_key in cursor.execute(statement, (match, room)):
            hit = FactHit(*values)
            hits.append((hit.score, (hit.rank, sort_key, hit.key), hit))
        return hits

    return best(fetch, limit)


def count_facts(cursor: sqlite3.Cursor, space: int, query: str, deleted: Deleted) -> int:
    return _count(cursor, fact_text(space), expression("fact", query, state_marks(deleted)))


def _artifact_expression(query: str, kinds: Sequence[str] | None, deleted: Deleted) -> str | None:
    """As ``expression``; None too where ``kinds`` lets nothing through."""
    if kinds is not None and not kinds:
        return None
    return expression("title body", query, state_marks(deleted), map(kind_mark, kinds or ()))


def _count(cursor: sqlite3.Cursor, table: str, match: str | None) -> int:
    if match is None:
        return 0
    (found,) = cursor.execute(f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (match,)).fetchone()
    return int(found)


def _any_of(tokens: Iterable[str]) -> str:
    return " OR ".join(f'"{token}"' for token in tokens)
