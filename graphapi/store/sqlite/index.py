"""Keeps a namespace's full-text tables in step with its rows.

The index holds no text of its own: to take a row out, it must be given the very words it was given when the row went
in. So a write takes its rows out before it changes them and puts them back after, in the same transaction, from the
same expressions. ``unicode61`` folds by a table that does not move with SQLite's version, which keeps that true.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from graphapi.store.query import ENDED, LINK_MARK, LIVE, STATEMENT_MARK
from graphapi.store.rows import json_text
from graphapi.store.sqlite.schema import artifact_text, fact_text

_NAMED = "(SELECT value FROM json_each(?))"
# Rows go to FTS5 by rising number: it writes its pending words out whenever the number falls.
_ARTIFACTS = f"""SELECT id, title, body, iif(deleted, '{ENDED}', '{LIVE}') || ' ' || kind_mark
    FROM artifacts WHERE id IN {_NAMED} ORDER BY id"""
# Links and statements share an index of facts: even numbers are links, odd ones are statements.
_LINKS = f"""SELECT 2 * id, fact, iif(invalid_at IS NULL, '{LIVE}', '{ENDED}') || ' {LINK_MARK}'
    FROM links WHERE id IN {_NAMED} AND trim(fact) <> '' ORDER BY id"""
_STATEMENTS = f"""SELECT 2 * id + 1, fact, iif(retired_at IS NULL, '{LIVE}', '{ENDED}') || ' {STATEMENT_MARK}'
    FROM statements WHERE id IN {_NAMED} AND trim(fact) <> '' ORDER BY id"""
_FACTS = {"links": _LINKS, "statements": _STATEMENTS}


def unindex_artifacts(cursor: sqlite3.Cursor, space: int, ids: Iterable[int]) -> None:
    """Take artifacts out of the index, before their rows change."""
    table = artifact_text(space)
    _run(
        cursor, f"INSERT INTO {table} ({table}, rowid, title, body, marks) SELECT 'delete', * FROM ({_ARTIFACTS})", ids
    )


def index_artifacts(cursor: sqlite3.Cursor, space: int, ids: Iterable[int]) -> None:
    """Put artifacts that are not in the index into it, as their rows are now."""
    _run(cursor, f"INSERT INTO {artifact_text(space)} (rowid, title, body, marks) {_ARTIFACTS}", ids)


def unindex_facts(cursor: sqlite3.Cursor, space: int, table: str, ids: Iterable[int]) -> None:
    """Take rows of ``links`` or ``statements`` out of the index, before they change."""
    index = fact_text(space)
    _run(cursor, f"INSERT INTO {index} ({index}, rowid, fact, marks) SELECT 'delete', * FROM ({_FACTS[table]})", ids)


def index_facts(cursor: sqlite3.Cursor, space: int, table: str, ids: Iterable[int]) -> None:
    """Put rows of ``links`` or ``statements`` that state a fact into the index; the others stay out of it."""
    _run(cursor, f"INSERT INTO {fact_text(space)} (rowid, fact, marks) {_FACTS[table]}", ids)


def forget_terms(cursor: sqlite3.Cursor, space: int) -> None:
    """Fold the index into one piece: until then its older pieces hold the words of rows that were taken out."""
    for table in (artifact_text(space), fact_text(space)):
        cursor.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")


def _run(cursor: sqlite3.Cursor, statement: str, ids: Iterable[int]) -> None:
    if numbers := list(ids):
        cursor.execute(statement, (json_text(numbers),))
