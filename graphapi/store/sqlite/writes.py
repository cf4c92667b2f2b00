"""What changes the graph file. Each function is one batch, in the transaction of the cursor it is given."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from operator import attrgetter

from graphapi.store.port import SOURCE_WITHDRAWN, WITHDRAWN, ArtifactRow, LinkRow, ReadingRow, StatementRow, Tombstone
from graphapi.store.query import kind_mark
from graphapi.store.rows import ARTIFACT, LINK, READING, STATEMENT, json_text
from graphapi.store.sqlite.index import index_artifacts, index_facts, unindex_artifacts, unindex_facts

_OWN = tuple(name for name in ARTIFACT if name != "metadata")
_COLUMNS = (*_OWN, "metadata", "kind_mark")
_own_values = attrgetter(*_OWN)
_UPSERT = f"""INSERT INTO artifacts (space, first_ingested_at, ingested_at, {", ".join(_COLUMNS)})
    VALUES (?, ?, ?, {", ".join("?" for _ in _COLUMNS)})
    ON CONFLICT (space, artifact_id) DO UPDATE SET
    ingested_at = iif(digest = excluded.digest, ingested_at, excluded.ingested_at),
    deleted = 0, deleted_at = NULL, deleted_clock = NULL, deleted_note = NULL,
    {", ".join(f"{column} = excluded.{column}" for column in _COLUMNS if column != "artifact_id")}"""
_LINK_COLUMNS = ("key", "src", "dst", *LINK[3:])
_STATEMENT_COLUMNS = ("key", "note", *STATEMENT[2:])
# The end of each table's rows, as its columns call it.
_END = {"links": "invalid", "statements": "retired", "readings": "retired"}


def _by_key(table: str, columns: Sequence[str]) -> str:
    """The statement that writes a row by its key, live."""
    end = _END[table]
    return f"""INSERT INTO {table} (space, {", ".join(columns)}) VALUES (?, {", ".join("?" for _ in columns)})
        ON CONFLICT (space, key) DO UPDATE SET {end}_at = NULL, {end}_reason = NULL,
        {", ".join(f"{column} = excluded.{column}" for column in columns[1:])}"""


_PUT = {
    "links": _by_key("links", _LINK_COLUMNS),
    "statements": _by_key("statements", _STATEMENT_COLUMNS),
    "readings": _by_key("readings", READING),
}


def upsert_artifacts(cursor: sqlite3.Cursor, space: int, rows: Sequence[ArtifactRow], now: str) -> int:
    ids = [row.artifact_id for row in rows]
    unindex_artifacts(cursor, space, _artifact_numbers(cursor, space, ids).values())
    cursor.executemany(
        _UPSERT, [(space, now, now, *_own_values(row), json_text(row.metadata), kind_mark(row.kind)) for row in rows]
    )
    index_artifacts(cursor, space, _artifact_numbers(cursor, space, ids).values())
    return len(rows)


def tombstone(cursor: sqlite3.Cursor, space: int, rows: Sequence[Tombstone]) -> int:
    numbers = _artifact_numbers(cursor, space, [row.artifact_id for row in rows])
    found = [(row, numbers[row.artifact_id]) for row in rows if row.artifact_id in numbers]
    unindex_artifacts(cursor, space, numbers.values())
    cursor.executemany(
        "UPDATE artifacts SET deleted = 1, deleted_at = ?, deleted_clock = ?, deleted_note = ? WHERE id = ?",
        [(row.deleted_at, row.deleted_clock, row.deleted_note, number) for row, number in found],
    )
    index_artifacts(cursor, space, numbers.values())
    for table, column, reason in (("links", "src", SOURCE_WITHDRAWN), ("statements", "note", WITHDRAWN)):
        live = _select_ids(
            cursor,
            f"SELECT id FROM {table} WHERE {column} IN (SELECT value FROM json_each(?)) AND {_END[table]}_at IS NULL",
            list(numbers.values()),
        )
        unindex_facts(cursor, space, table, live)
        _end(cursor, table, column, [(row.deleted_at, reason, number) for row, number in found])
        index_facts(cursor, space, table, live)
    _end(
        cursor,
        "readings",
        "space = ? AND artifact_id",
        [(r.deleted_at, WITHDRAWN, space, r.artifact_id) for r, _ in found],
    )
    return len(found)


def put_links(cursor: sqlite3.Cursor, space: int, rows: Sequence[LinkRow]) -> int:
    ends = _artifact_numbers(cursor, space, {end for row in rows for end in (row.source_id, row.target_id)})
    return _put(
        cursor,
        space,
        "links",
        [
            (r.key, ends[r.source_id], ends[r.target_id], r.relation, r.method, r.rank, r.fact, r.source, r.valid_at,
             json_text(r.attributes), r.digest)
            for r in rows
            if r.source_id in ends and r.target_id in ends
        ],
    )  # fmt: skip


def put_statements(cursor: sqlite3.Cursor, space: int, rows: Sequence[StatementRow]) -> int:
    notes = _artifact_numbers(cursor, space, {row.note_id for row in rows})
    return _put(
        cursor,
        space,
        "statements",
        [
            (r.key, notes[r.note_id], r.type, r.name, r.passage, r.qualifier, r.fact, r.stated_at, r.episode)
            for r in rows
            if r.note_id in notes
        ],
    )


def put_readings(cursor: sqlite3.Cursor, space: int, rows: Sequence[ReadingRow]) -> int:
    values = [(space, r.key, r.artifact_id, r.content_hash, r.read_at) for r in rows]
    cursor.executemany(_PUT["readings"], values)
    return len(values)


def retire(cursor: sqlite3.Cursor, space: int, table: str, keys: Sequence[str], at: str, reason: str) -> int:
    """End the live rows of ``links``, ``statements`` or ``readings`` that ``keys`` name; how many there were."""
    live = _select_ids(
        cursor,
        f"""SELECT id FROM {table} WHERE space = ? AND key IN (SELECT value FROM json_each(?))
            AND {_END[table]}_at IS NULL""",
        keys,
        space,
    )
    if table != "readings":
        unindex_facts(cursor, space, table, live)
    _end(cursor, table, "id", [(at, reason, number) for number in live])
    if table != "readings":
        index_facts(cursor, space, table, live)
    return len(live)


def _put(cursor: sqlite3.Cursor, space: int, table: str, values: Sequence[tuple[object, ...]]) -> int:
    named = f"SELECT id FROM {table} WHERE space = ? AND key IN (SELECT value FROM json_each(?))"
    keys = [value[0] for value in values]
    unindex_facts(cursor, space, table, _select_ids(cursor, named, keys, space))
    cursor.executemany(_PUT[table], [(space, *value) for value in values])
    index_facts(cursor, space, table, _select_ids(cursor, named, keys, space))
    return len(values)


def _end(cursor: sqlite3.Cursor, table: str, column: str, values: Sequence[tuple[object, ...]]) -> None:
    end = _END[table]
    cursor.executemany(
        f"UPDATE {table} SET {end}_at = ?, {end}_reason = ? WHERE {column} = ? AND {end}_at IS NULL", values
    )


def _artifact_numbers(cursor: sqlite3.Cursor, space: int, ids: Iterable[str]) -> dict[str, int]:
    found = cursor.execute(
        "SELECT artifact_id, id FROM artifacts WHERE space = ? AND artifact_id IN (SELECT value FROM json_each(?))",
        (space, json_text(list(ids))),
    )
    return dict(found.fetchall())


def _select_ids(cursor: sqlite3.Cursor, statement: str, named: Sequence[object], *before: object) -> list[int]:
    return [number for (number,) in cursor.execute(statement, (*before, json_text(named)))]
