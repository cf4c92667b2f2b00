"""The floor: the rows of a namespace, read back and written again by the smallest script with the same index."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

BATCH = 1000


def bare_insert(home: Path, namespace: str, graph: str, work: Path) -> float:
    """Seconds of the bare insert of what ``namespace`` holds. Reading it back is not counted."""
    if graph == "sqlite":
        return _sqlite(home / "graph.sqlite3", namespace, work / f"bare-{namespace}.sqlite3")
    raise SystemExit("the Neo4j floor is measured by benchmarks.store, on the store's own writes")


def _sqlite(source: Path, namespace: str, target: Path) -> float:
    with sqlite3.connect(source) as graph:
        artifacts = graph.execute(
            "SELECT * FROM artifacts WHERE space = (SELECT id FROM namespaces WHERE name = ?)", (namespace,)
        ).fetchall()
        names = [d[1] for d in graph.execute("PRAGMA table_info(artifacts)")]
        links = graph.execute(
            "SELECT * FROM links WHERE space = (SELECT id FROM namespaces WHERE name = ?)", (namespace,)
        ).fetchall()
        link_names = [d[1] for d in graph.execute("PRAGMA table_info(links)")]
        schema = [
            sql
            for (sql,) in graph.execute(
                "SELECT sql FROM sqlite_master WHERE tbl_name IN ('artifacts', 'links') AND sql IS NOT NULL"
            )
        ]
    title, body = names.index("title"), names.index("body")
    fact = link_names.index("fact")
    began = time.perf_counter()
    bare = sqlite3.connect(target)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = NORMAL")
    for sql in schema:
        bare.execute(sql)
    words = "content='', tokenize='porter unicode61 remove_diacritics 2'"
    bare.execute(f"CREATE VIRTUAL TABLE words USING fts5(title, body, {words})")
    bare.execute(f"CREATE VIRTUAL TABLE facts USING fts5(fact, {words})")
    marks = ", ".join("?" * len(names))
    for at in range(0, len(artifacts), BATCH):
        rows = artifacts[at : at + BATCH]
        with bare:
            bare.executemany(f"INSERT INTO artifacts VALUES ({marks})", rows)
            bare.executemany("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)",
                             [(at + n + 1, r[title], r[body]) for n, r in enumerate(rows)])  # fmt: skip
    marks = ", ".join("?" * len(link_names))
    for at in range(0, len(links), BATCH):
        rows = links[at : at + BATCH]
        with bare:
            bare.executemany(f"INSERT INTO links VALUES ({marks})", rows)
            bare.executemany("INSERT INTO facts (rowid, fact) VALUES (?, ?)",
                             [(at + n + 1, r[fact]) for n, r in enumerate(rows) if r[fact]])  # fmt: skip
    bare.close()
    return time.perf_counter() - began
