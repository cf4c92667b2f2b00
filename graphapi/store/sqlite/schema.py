"""Tables of the graph file, and the two full-text tables each namespace has for itself."""

from __future__ import annotations

import sqlite3

# A file of this version that lacks a table or an index gains it in ``prepare``.
VERSION = 1

# ``space`` is the namespace's number. Bodies stand last: SQLite reads a row from the left and may stop before them.
# Links keep their ends as row numbers: artifacts are never removed one by one, so an end cannot go missing.
TABLES = (
    # AUTOINCREMENT: the number of a cleared namespace, and so the name of its full-text tables, is never given again.
    """CREATE TABLE IF NOT EXISTS namespaces (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE)""",
    """CREATE TABLE IF NOT EXISTS artifacts (
        id INTEGER PRIMARY KEY, space INTEGER NOT NULL, artifact_id TEXT NOT NULL, digest TEXT NOT NULL,
        deleted INTEGER NOT NULL DEFAULT 0, kind TEXT NOT NULL, kind_mark TEXT NOT NULL, artifact_type TEXT,
        status TEXT, provenance TEXT NOT NULL, source TEXT NOT NULL, sort_key TEXT NOT NULL, title TEXT NOT NULL,
        source_path TEXT, source_uri TEXT, source_created_at TEXT, source_updated_at TEXT,
        first_ingested_at TEXT NOT NULL, ingested_at TEXT NOT NULL, deleted_at TEXT, deleted_clock TEXT,
        deleted_note TEXT, withheld INTEGER NOT NULL, metadata TEXT NOT NULL, body TEXT NOT NULL,
        UNIQUE (space, artifact_id))""",
    "CREATE INDEX IF NOT EXISTS artifacts_in_order ON artifacts (space, sort_key, artifact_id)",
    "CREATE INDEX IF NOT EXISTS artifacts_of_kind ON artifacts (space, kind, deleted, sort_key, artifact_id)",
    """CREATE TABLE IF NOT EXISTS links (
        id INTEGER PRIMARY KEY, space INTEGER NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, invalid_at TEXT,
        src INTEGER NOT NULL, dst INTEGER NOT NULL, relation TEXT NOT NULL, method TEXT NOT NULL,
        rank INTEGER NOT NULL, source TEXT NOT NULL, valid_at TEXT, invalid_reason TEXT, attributes TEXT NOT NULL,
        fact TEXT NOT NULL,
        UNIQUE (space, key))""",
    "CREATE INDEX IF NOT EXISTS links_out ON links (src, relation)",
    "CREATE INDEX IF NOT EXISTS links_in ON links (dst, relation)",
    """CREATE TABLE IF NOT EXISTS statements (
        id INTEGER PRIMARY KEY, space INTEGER NOT NULL, key TEXT NOT NULL, note INTEGER NOT NULL, retired_at TEXT,
        type TEXT NOT NULL, name TEXT NOT NULL, passage TEXT NOT NULL, qualifier TEXT, fact TEXT NOT NULL,
        stated_at TEXT, episode TEXT, retired_reason TEXT,
        UNIQUE (space, key))""",
    "CREATE INDEX IF NOT EXISTS statements_of ON statements (note)",
    """CREATE TABLE IF NOT EXISTS readings (
        id INTEGER PRIMARY KEY, space INTEGER NOT NULL, key TEXT NOT NULL, artifact_id TEXT NOT NULL,
        content_hash TEXT NOT NULL, read_at TEXT NOT NULL, retired_at TEXT, retired_reason TEXT,
        UNIQUE (space, key))""",
    "CREATE INDEX IF NOT EXISTS readings_of ON readings (space, artifact_id)",
)
CLEARED = ("artifacts", "links", "statements", "readings")

# One table a namespace, since BM25 weighs a word by all rows of its table. ``content=''``: the text is kept once, in
# the tables above, and each write hands the index what it had been given before (see index.py).
_FULL_TEXT = "tokenize = 'porter unicode61 remove_diacritics 2', content = ''"


def artifact_text(space: int) -> str:
    """The name of a namespace's full-text table over artifacts."""
    return f"artifact_text_{space:d}"


def fact_text(space: int) -> str:
    """The name of a namespace's full-text table over facts."""
    return f"fact_text_{space:d}"


def prepare(cursor: sqlite3.Cursor) -> bool:
    """Create what is missing; False when the file was made by another version of this schema."""
    (found,) = cursor.execute("PRAGMA user_version").fetchone()
    if found not in (0, VERSION):
        return False
    for statement in TABLES:
        cursor.execute(statement)
    cursor.execute(f"PRAGMA user_version = {VERSION:d}")
    return True


def find_space(cursor: sqlite3.Cursor, namespace: str) -> int | None:
    """The namespace's number, None while nothing was written to it."""
    row = cursor.execute("SELECT id FROM namespaces WHERE name = ?", (namespace,)).fetchone()
    return None if row is None else int(row[0])


def make_space(cursor: sqlite3.Cursor, namespace: str) -> int:
    """The namespace's number; on first use, its full-text tables too. Names are numbers since tables' ignore case."""
    space = find_space(cursor, namespace)
    if space is None:
        cursor.execute("INSERT INTO namespaces (name) VALUES (?)", (namespace,))
        space = int(cursor.lastrowid or 0)
        cursor.execute(f"CREATE VIRTUAL TABLE {artifact_text(space)} USING fts5(title, body, marks, {_FULL_TEXT})")
        cursor.execute(f"CREATE VIRTUAL TABLE {fact_text(space)} USING fts5(fact, marks, {_FULL_TEXT})")
    return space


def clear_space(cursor: sqlite3.Cursor, namespace: str) -> None:
    """Remove every row of the namespace and its full-text tables."""
    space = find_space(cursor, namespace)
    if space is None:
        return
    for table in CLEARED:
        cursor.execute(f"DELETE FROM {table} WHERE space = ?", (space,))
    cursor.execute(f"DROP TABLE {artifact_text(space)}")
    cursor.execute(f"DROP TABLE {fact_text(space)}")
    cursor.execute("DELETE FROM namespaces WHERE id = ?", (space,))
