"""What is read from the graph file: artifacts, links, statements, readings and how many there are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from graphapi.store.branch import Child, walk
from graphapi.store.port import (
    SOURCE_WITHDRAWN,
    Branch,
    Counts,
    Deleted,
    Direction,
    LinkCount,
    StoredArtifact,
    StoredLink,
    StoredReading,
    StoredStatement,
)
from graphapi.store.rows import (
    STORED_ARTIFACT,
    STORED_LINK,
    STORED_READING,
    STORED_STATEMENT,
    json_text,
    stored_artifact,
    stored_link,
)

_ARTIFACT = ", ".join(f"a.{name}" for name in STORED_ARTIFACT)
_LINK = ", ".join({"source_id": "s.artifact_id", "target_id": "t.artifact_id"}.get(n, f"l.{n}") for n in STORED_LINK)
_STATEMENT = ", ".join({"note_id": "n.artifact_id"}.get(name, f"st.{name}") for name in STORED_STATEMENT)
_READING = ", ".join(f"r.{name}" for name in STORED_READING)
# CROSS JOIN: SQLite takes the tables in this order. Without statistics its planner may begin with a whole namespace.
_ASKED = """WITH asked AS MATERIALIZED (SELECT a.id, a.artifact_id, a.sort_key FROM json_each(?) AS named
    CROSS JOIN artifacts AS a ON a.space = ? AND a.artifact_id = named.value)"""
_TOUCHING = {
    "out": "SELECT l.id FROM asked CROSS JOIN links AS l ON l.src = asked.id",
    "in": "SELECT l.id FROM asked CROSS JOIN links AS l ON l.dst = asked.id",
}
_TOUCHING["both"] = f"{_TOUCHING['out']} UNION {_TOUCHING['in']}"
_LINK_STATES = {
    "exclude": "l.invalid_at IS NULL AND NOT s.deleted AND NOT t.deleted",
    "include": "1",
    "only": "(l.invalid_at IS NOT NULL OR s.deleted OR t.deleted)",
}
_ARTIFACT_STATES = {"exclude": "NOT a.deleted", "include": "1", "only": "a.deleted"}


def get(cursor: sqlite3.Cursor, space: int, ids: Sequence[str]) -> list[StoredArtifact]:
    asked = list(dict.fromkeys(ids))
    found = cursor.execute(
        f"""SELECT {_ARTIFACT} FROM json_each(?) AS named
            CROSS JOIN artifacts AS a ON a.space = ? AND a.artifact_id = named.value ORDER BY named.key""",
        (json_text(asked), space),
    )
    return [stored_artifact(row) for row in found]


def neighbours(
    cursor: sqlite3.Cursor,
    space: int,
    ids: Sequence[str],
    direction: Direction,
    relations: Sequence[str] | None,
    deleted: Deleted,
    limit: int,
) -> list[StoredLink]:
    found = cursor.execute(
        f"""{_ASKED}, touching AS MATERIALIZED ({_TOUCHING[direction]})
            SELECT {_LINK}, s.sort_key AS source_key, t.sort_key AS target_key FROM touching
            CROSS JOIN links AS l ON l.id = touching.id
            CROSS JOIN artifacts AS s ON s.id = l.src CROSS JOIN artifacts AS t ON t.id = l.dst
            WHERE {_LINK_STATES[deleted]} {_one_of("l.relation", relations)}
            ORDER BY l.rank, source_key, target_key, l.key LIMIT ?""",
        (json_text(list(dict.fromkeys(ids))), space, *_listed(relations), max(limit, 0)),
    )
    return [stored_link(row[: len(STORED_LINK)]) for row in found]


def branch(cursor: sqlite3.Cursor, space: int, root_id: str, depth: int | None, limit: int) -> Branch:
    root = cursor.execute(
        "SELECT deleted FROM artifacts WHERE space = ? AND artifact_id = ?", (space, root_id)
    ).fetchone()
    if root is None or root[0]:
        return Branch((), withdrawn=() if root is None else (root_id,))

    def children(parents: Sequence[str]) -> Iterable[Child]:
        found = cursor.execute(
            f"""{_ASKED} SELECT asked.artifact_id, c.artifact_id, c.sort_key, c.deleted FROM asked
                CROSS JOIN links AS l ON l.dst = asked.id AND l.relation = 'parent'
                CROSS JOIN artifacts AS c ON c.id = l.src
                WHERE l.invalid_at IS NULL OR (c.deleted AND l.invalid_reason = ?)""",
            (json_text(parents), space, SOURCE_WITHDRAWN),
        )
        return [Child(*row) for row in found]

    return walk(root_id, children, depth=depth, limit=limit)


def list_artifacts(
    cursor: sqlite3.Cursor,
    space: int,
    filters: dict[str, Sequence[str] | None],
    deleted: Deleted,
    after: tuple[str, str] | None,
    limit: int,
) -> list[StoredArtifact]:
    """``filters``: the values a column may have, None for any."""
    found = cursor.execute(
        f"""SELECT {_ARTIFACT} FROM artifacts AS a WHERE a.space = ? AND {_ARTIFACT_STATES[deleted]}
            {"".join(_one_of(f"a.{column}", values) for column, values in filters.items())}
            {"AND (a.sort_key, a.artifact_id) > (?, ?)" if after else ""}
            ORDER BY a.sort_key, a.artifact_id LIMIT ?""",
        (space, *(v for values in filters.values() for v in _listed(values)), *(after or ()), max(limit, 0)),
    )
    return [stored_artifact(row) for row in found]


def statements(cursor: sqlite3.Cursor, space: int, note_ids: Sequence[str], retired: bool) -> list[StoredStatement]:
    found = cursor.execute(
        f"""{_ASKED} SELECT {_STATEMENT} FROM asked AS n CROSS JOIN statements AS st ON st.note = n.id
            WHERE {"1" if retired else "st.retired_at IS NULL"} ORDER BY n.sort_key, n.artifact_id, st.key""",
        (json_text(list(dict.fromkeys(note_ids))), space),
    )
    return [StoredStatement(*row) for row in found]


def readings(cursor: sqlite3.Cursor, space: int, artifact_ids: Sequence[str]) -> list[StoredReading]:
    found = cursor.execute(
        f"""SELECT {_READING} FROM json_each(?) AS named
            CROSS JOIN readings AS r ON r.space = ? AND r.artifact_id = named.value
            ORDER BY r.artifact_id, r.read_at, r.key""",
        (json_text(list(dict.fromkeys(artifact_ids))), space),
    )
    return [StoredReading(*row) for row in found]


def link_counts(cursor: sqlite3.Cursor, space: int) -> list[LinkCount]:
    found = cursor.execute(
        """SELECT relation, method, count(*) AS n FROM links WHERE space = ? AND invalid_at IS NULL
            GROUP BY relation, method ORDER BY n DESC, relation, method""",
        (space,),
    )
    return [LinkCount(*row) for row in found]


def counts(cursor: sqlite3.Cursor, space: int) -> Counts:
    live: dict[str, int] = {}
    removed = 0
    for kind, deleted, n in cursor.execute(
        "SELECT kind, deleted, count(*) FROM artifacts WHERE space = ? GROUP BY kind, deleted ORDER BY kind", (space,)
    ):
        if deleted:
            removed += n
        else:
            live[kind] = n
    links = _live_and_ended(cursor, "SELECT count(*), count(invalid_at) FROM links WHERE space = ?", space)
    stated = _live_and_ended(cursor, "SELECT count(*), count(retired_at) FROM statements WHERE space = ?", space)
    return Counts(live, removed, *links, *stated)


def _live_and_ended(cursor: sqlite3.Cursor, statement: str, space: int) -> tuple[int, int]:
    total, ended = cursor.execute(statement, (space,)).fetchone()
    return total - ended, ended


def _one_of(column: str, values: Sequence[str] | None) -> str:
    return "" if values is None else f" AND {column} IN (SELECT value FROM json_each(?))"


def _listed(values: Sequence[str] | None) -> tuple[str, ...]:
    return () if values is None else (json_text(list(values)),)
