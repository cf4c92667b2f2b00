"""What is read from the graph file: artifacts, links, statements, readings and how many there are."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graphapi.store.port import (
    Counts,
    Deleted,
    Facets,
    LinkCount,
    StoredArtifact,
    StoredReading,
    StoredStatement,
)
from graphapi.store.rows import (
    STORED_ARTIFACT,
    STORED_READING,
    STORED_STATEMENT,
    facets_of,
    json_text,
    stored_artifact,
)
from graphapi.store.sqlite.filters import ASKED, listed, one_of

# By whether bodies are wanted: they stand last in a row, and what is not named is not read.
_ARTIFACT = {
    bodies: ", ".join("''" if name == "body" and not bodies else f"a.{name}" for name in STORED_ARTIFACT)
    for bodies in (True, False)
}
_STATEMENT = ", ".join({"note_id": "n.artifact_id"}.get(name, f"st.{name}") for name in STORED_STATEMENT)
_READING = ", ".join(f"r.{name}" for name in STORED_READING)
_ARTIFACT_STATES = {"exclude": "a.deleted = 0", "include": "1", "only": "a.deleted = 1"}


def get(cursor: sqlite3.Cursor, space: int, ids: Sequence[str], bodies: bool) -> list[StoredArtifact]:
    asked = list(dict.fromkeys(ids))
    found = cursor.execute(
        f"""SELECT {_ARTIFACT[bodies]} FROM json_each(?) AS named
            CROSS JOIN artifacts AS a ON a.space = ? AND a.artifact_id = named.value ORDER BY named.key""",
        (json_text(asked), space),
    )
    return [stored_artifact(row) for row in found]


def list_artifacts(
    cursor: sqlite3.Cursor,
    space: int,
    filters: dict[str, Sequence[str] | None],
    deleted: Deleted,
    after: tuple[str, str] | None,
    limit: int,
    bodies: bool,
) -> list[StoredArtifact]:
    """``filters``: the values a column may have, None for any."""
    found = cursor.execute(
        f"""SELECT {_ARTIFACT[bodies]} FROM artifacts AS a WHERE a.space = ? AND {_ARTIFACT_STATES[deleted]}
            {"".join(one_of(f"a.{column}", values) for column, values in filters.items())}
            {"AND (a.sort_key, a.artifact_id) > (?, ?)" if after else ""}
            ORDER BY a.sort_key, a.artifact_id LIMIT ?""",
        (space, *(v for values in filters.values() for v in listed(values)), *(after or ()), max(limit, 0)),
    )
    return [stored_artifact(row) for row in found]


def statements(cursor: sqlite3.Cursor, space: int, note_ids: Sequence[str], retired: bool) -> list[StoredStatement]:
    found = cursor.execute(
        f"""{ASKED} SELECT {_STATEMENT} FROM asked AS n CROSS JOIN statements AS st ON st.note = n.id
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


def facets(cursor: sqlite3.Cursor, space: int, kinds: Sequence[str] | None) -> Facets:
    found = cursor.execute(
        f"""SELECT DISTINCT a.status, a.artifact_type, a.provenance FROM artifacts AS a
            WHERE a.space = ? AND a.deleted = 0 {one_of("a.kind", kinds)}""",
        (space, *listed(kinds)),
    )
    return facets_of(found.fetchall())
