"""The floor: the rows of a namespace, read back and written again by the smallest script with the same index."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from benchmarks.environment import neo4j_driver

BATCH = 1000


def bare_insert(home: Path, namespace: str, graph: str, work: Path) -> float:
    """Seconds of the bare insert of what ``namespace`` holds. Reading it back is not counted."""
    if graph == "sqlite":
        return _sqlite(home / "graph.sqlite3", namespace, work / f"bare-{namespace}.sqlite3")
    return _neo4j(namespace)


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


def _neo4j(namespace: str) -> float:
    """A bare batched ``UNWIND`` of the same nodes and links, with the same keys, index and full-text index."""
    driver = neo4j_driver()
    own = f"Bare{namespace.replace('-', '')}"
    artifacts = [
        dict(r["a"])
        for r in driver.execute_query(
            "MATCH (a:Artifact {group_id: $g}) WHERE a.artifact_id IS NOT NULL RETURN a{.*} AS a", g=namespace
        ).records
    ]
    links = [
        r.data()
        for r in driver.execute_query(
            "MATCH (s:Artifact {group_id: $g})-[l:LINK]->(t) RETURN s.artifact_id AS s, t.artifact_id AS t, l{.*} AS l",
            g=namespace,
        ).records
    ]
    driver.execute_query(f"CREATE CONSTRAINT {own} FOR (b:{own}) REQUIRE (b.group_id, b.artifact_id) IS UNIQUE")
    driver.execute_query(f"CREATE INDEX {own}_link FOR ()-[l:{own}_L]-() ON (l.group_id, l.key)")
    driver.execute_query(
        f"CREATE FULLTEXT INDEX {own}_text FOR (b:{own}) ON EACH [b.search_text] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}}"
    )
    driver.execute_query("CALL db.awaitIndexes(60)")
    began = time.perf_counter()
    for at in range(0, len(artifacts), BATCH):
        driver.execute_query(
            f"UNWIND $rows AS r MERGE (b:{own} {{group_id: r.group_id, artifact_id: r.artifact_id}}) SET b += r",
            rows=artifacts[at : at + BATCH],
        )
    for at in range(0, len(links), BATCH):
        driver.execute_query(
            f"UNWIND $rows AS r MATCH (s:{own} {{group_id: $g, artifact_id: r.s}}) "
            f"MATCH (t:{own} {{group_id: $g, artifact_id: r.t}}) CREATE (s)-[l:{own}_L]->(t) SET l = r.l",
            rows=links[at : at + BATCH], g=namespace,
        )  # fmt: skip
    seconds = time.perf_counter() - began
    for _ in range(0, len(artifacts), BATCH):
        driver.execute_query(f"MATCH (b:{own}) WITH b LIMIT {BATCH} DETACH DELETE b")
    for name in (f"{own}_link", f"{own}_text"):
        driver.execute_query(f"DROP INDEX {name} IF EXISTS")
    driver.execute_query(f"DROP CONSTRAINT {own} IF EXISTS")
    driver.close()
    return seconds
