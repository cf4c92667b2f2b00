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
from graphapi.store.query import LINK_MARK, STATEMENT_MARK, kind_mark, state_marks, words
from graphapi.store.rows import STORED_ARTIFACT, stored_artifact
from graphapi.store.sqlite.schema import artifact_text, fact_text

# All that match are scored in any case; kept are those as good as the last one wanted, for ties to be settled in the
# one statement. The rest of a row is read for what stands after that, and for nothing else.
_SCORED = """WITH scored AS MATERIALIZED (
        SELECT rowid AS number, bm25({table}, {weights}) AS score FROM {table} WHERE {table} MATCH :match),
    found AS MATERIALIZED (SELECT * FROM scored
        WHERE score <= (SELECT max(score) FROM (SELECT score FROM scored ORDER BY score LIMIT :limit)))"""
_ARTIFACTS = f"""{_SCORED}, ranked AS MATERIALIZED (
        SELECT found.number, found.score, a.sort_key, a.artifact_id
        FROM found CROSS JOIN artifacts AS a ON a.id = found.number
        ORDER BY found.score, a.sort_key, a.artifact_id LIMIT :limit)
    SELECT a.artifact_id, a.title, a.kind, -ranked.score {{whole}}
    FROM ranked CROSS JOIN artifacts AS a ON a.id = ranked.number
    ORDER BY ranked.score, ranked.sort_key, ranked.artifact_id"""
_WHOLE = "".join(f", a.{name}" for name in STORED_ARTIFACT)
_FACTS = f"""{_SCORED}
    SELECT 'link', l.key AS key, l.fact, s.artifact_id, t.artifact_id, l.relation, l.method, l.rank AS rank,
        -found.score AS score, l.invalid_at, s.sort_key AS sort_key
    FROM found CROSS JOIN links AS l ON found.number % 2 = 0 AND l.id = found.number / 2
    CROSS JOIN artifacts AS s ON s.id = l.src CROSS JOIN artifacts AS t ON t.id = l.dst
    UNION ALL
    SELECT 'statement', st.key, st.fact, n.artifact_id, st.key, 'states', st.type, {STATEMENT_RANK:d},
        -found.score, st.retired_at, n.sort_key
    FROM found CROSS JOIN statements AS st ON found.number % 2 = 1 AND st.id = found.number / 2
    CROSS JOIN artifacts AS n ON n.id = st.note
    ORDER BY score DESC, rank, sort_key, key LIMIT :limit"""


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
    if match is None or limit <= 0:
        return []
    statement = _ARTIFACTS.format(
        table=artifact_text(space), weights=f"{TITLE_WEIGHT}, {BODY_WEIGHT}, 0.0", whole=_WHOLE if whole else ""
    )
    found = cursor.execute(statement, {"match": match, "limit": limit})
    return [
        ArtifactHit(artifact_id, title, kind, score, stored_artifact(row) if whole else None)
        for artifact_id, title, kind, score, *row in found
    ]


def count_artifacts(
    cursor: sqlite3.Cursor, space: int, query: str, kinds: Sequence[str] | None, deleted: Deleted
) -> int:
    return _count(cursor, artifact_text(space), _artifact_expression(query, kinds, deleted))


def search_facts(
    cursor: sqlite3.Cursor, space: int, query: str, limit: int, kind: FactKind | None, deleted: Deleted
) -> list[FactHit]:
    of_kind = {"link": (LINK_MARK,), "statement": (STATEMENT_MARK,), None: ()}[kind]
    match = expression("fact", query, state_marks(deleted), of_kind)
    if match is None or limit <= 0:
        return []
    statement = _FACTS.format(table=fact_text(space), weights="1.0, 0.0")
    return [FactHit(*values) for *values, _ in cursor.execute(statement, {"match": match, "limit": limit})]


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
