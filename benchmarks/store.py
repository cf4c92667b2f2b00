"""What the graph stores cost over the bare database: ``python benchmarks/store.py`` from the top of the checkout.

Each figure is a ratio within one run: the store's writes of 10,000 artifacts of about 1 KB and 20,000 links, over the
same rows written by the smallest script with the same columns, index and full-text index. Median of three, taken in
turns so that a machine that slows down slows both. On Neo4j where ``REVETLY_TEST_NEO4J_URL`` is set (see
``scripts/services/up.sh``), after one round that is not counted. Exits with 1 when a target is missed.
"""

from __future__ import annotations

import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from graphapi.domain.artifact import natural_key
from graphapi.domain.links import link_key
from graphapi.store.factory import open_store
from graphapi.store.port import BATCH_ROWS, ArtifactRow, GraphStore, LinkRow

ARTIFACTS, LINKS, ROUNDS = 10_000, 20_000, 3
TARGETS = {"sqlite": 1.5, "neo4j": 3.0}
NAMESPACE, BARE = "benchmark", "benchmark-bare"
NOW = "2026-01-31T09:00:00Z"


def artifacts() -> list[ArtifactRow]:
    dice = random.Random(1)
    vocabulary = ["".join(dice.choices("abdeiklmnorstu", k=dice.randint(3, 9))) for _ in range(4000)]
    weights = [1 / (place + 3) for place in range(len(vocabulary))]
    rows = []
    for n in range(ARTIFACTS):
        said = dice.choices(vocabulary, weights, k=165)
        artifact_id = f"STORY-{n}"
        rows.append(
            ArtifactRow(
                artifact_id, "pbi", "story", " ".join(said[:6]), " ".join(said), "ready", "source-of-record", "backlog",
                f"backlog/{artifact_id}.md", None, NOW, NOW, {"labels": ["alpha"], "points": n}, False,
                natural_key(artifact_id), f"{n:064x}",
            )
        )  # fmt: skip
    return rows


def links(rows: list[ArtifactRow]) -> list[LinkRow]:
    """Half of them facts (a parent), half only named (a reference)."""
    dice = random.Random(2)
    made: dict[str, LinkRow] = {}
    while len(made) < LINKS:
        one, other = dice.choice(rows), dice.choice(rows)
        relation = "parent" if len(made) % 2 else "references"
        fact = f"{one.title} belongs under {other.title}" if relation == "parent" else ""
        key = link_key(NAMESPACE, one.artifact_id, other.artifact_id, relation, relation)
        made[key] = LinkRow(
            key, one.artifact_id, other.artifact_id, relation, relation, 10, fact, "backlog", NOW, {}, key * 2
        )
    return list(made.values())


def with_store(store: GraphStore, rows: list[ArtifactRow], edges: list[LinkRow]) -> None:
    assert store.upsert_artifacts(NAMESPACE, rows, now=NOW) == len(rows)
    assert store.link(NAMESPACE, edges) == len(edges)


def in_batches(values: list[tuple[object, ...]]) -> list[list[tuple[object, ...]]]:
    return [values[start : start + BATCH_ROWS] for start in range(0, len(values), BATCH_ROWS)]


def bare_sqlite(path: Path, rows: list[ArtifactRow], edges: list[LinkRow]) -> float:
    """The same columns, unique keys, indexes and full-text tables, filled by ``executemany`` alone; the seconds.

    Neither the schema nor the making of the tuples is counted: the store's schema is not, and its tuples are its work.
    """
    file = sqlite3.connect(path, isolation_level=None)
    file.executescript(
        """PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        CREATE TABLE a (id INTEGER PRIMARY KEY, space, artifact_id TEXT, digest, deleted, kind, kind_mark, type, status,
            provenance, source, sort_key, title, path, uri, created, updated, first_at, at, deleted_at, deleted_clock,
            deleted_note, withheld, metadata, body, UNIQUE (space, artifact_id));
        CREATE INDEX a_order ON a (space, sort_key, artifact_id);
        CREATE TABLE l (id INTEGER PRIMARY KEY, space, key TEXT, digest, invalid_at, src, dst, relation, method, rank,
            source, valid_at, invalid_reason, attributes, fact, UNIQUE (space, key));
        CREATE INDEX l_out ON l (src, relation);
        CREATE INDEX l_in ON l (dst, relation);
        CREATE VIRTUAL TABLE at USING fts5(title, body, marks, content = '',
            tokenize = 'porter unicode61 remove_diacritics 2');
        CREATE VIRTUAL TABLE lt USING fts5(fact, marks, content = '',
            tokenize = 'porter unicode61 remove_diacritics 2');"""
    )
    numbers = {row.artifact_id: number for number, row in enumerate(rows, 1)}
    artifact_values: list[tuple[object, ...]] = [
        (n, 1, r.artifact_id, r.digest, 0, r.kind, "1234567890123456", r.artifact_type, r.status, r.provenance,
         r.source, r.sort_key, r.title, r.source_path, None, NOW, NOW, NOW, NOW, None, None, None, 0, str(r.metadata),
         r.body)
        for n, r in enumerate(rows, 1)
    ]  # fmt: skip
    link_values: list[tuple[object, ...]] = [
        (n, 1, r.key, r.digest, None, numbers[r.source_id], numbers[r.target_id], r.relation, r.method, r.rank,
         r.source, r.valid_at, None, "{}", r.fact)
        for n, r in enumerate(edges, 1)
    ]  # fmt: skip
    seconds = timed(lambda: fill_bare_sqlite(file, artifact_values, link_values))
    file.close()
    return seconds


def fill_bare_sqlite(
    file: sqlite3.Connection, artifact_values: list[tuple[object, ...]], link_values: list[tuple[object, ...]]
) -> None:
    for batch in in_batches(artifact_values):
        file.execute("BEGIN IMMEDIATE")
        file.executemany(f"INSERT INTO a VALUES ({', '.join('?' * 25)})", batch)
        file.executemany(
            "INSERT INTO at (rowid, title, body, marks) VALUES (?, ?, ?, ?)",
            [(row[0], row[12], row[24], f"1 {row[6]}") for row in batch],
        )
        file.execute("COMMIT")
    for batch in in_batches(link_values):
        file.execute("BEGIN IMMEDIATE")
        file.executemany(f"INSERT INTO l VALUES ({', '.join('?' * 15)})", batch)
        file.executemany(
            "INSERT INTO lt (rowid, fact, marks) VALUES (?, ?, ?)", [(2 * r[0], r[14], "1 3") for r in batch if r[14]]
        )
        file.execute("COMMIT")


def timed(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def sqlite_round(rows: list[ArtifactRow], edges: list[LinkRow]) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        bare = bare_sqlite(Path(folder, "bare.sqlite3"), rows, edges)
        store = open_store("sqlite", path=Path(folder, "store.sqlite3"))
        store.prepare()
        ours = timed(lambda: with_store(store, rows, edges))
        store.close()
    return ours, bare


def neo4j_rounds(rows: list[ArtifactRow], edges: list[LinkRow]) -> Callable[[], tuple[float, float]]:
    import neo4j

    url, user = os.environ["REVETLY_TEST_NEO4J_URL"], os.environ.get("REVETLY_TEST_NEO4J_USER", "neo4j")
    password = Path(os.environ["REVETLY_TEST_NEO4J_PASSWORD_FILE"]).read_text().strip()
    driver = neo4j.GraphDatabase.driver(url, auth=(user, password), notifications_min_severity="OFF")
    store = open_store("neo4j", uri=url, user=user, password=password)
    store.prepare()
    nodes = [
        {name: getattr(row, name) for name in row.__dataclass_fields__ if name not in ("metadata",)}
        | {"metadata": str(row.metadata), "first_at": NOW, "at": NOW, "deleted": False}
        for row in rows
    ]
    ties = [
        {
            "s": row.source_id,
            "t": row.target_id,
            "key": row.key,
            "values": {"relation": row.relation, "method": row.method, "rank": row.rank, "source": row.source}
            | {"valid_at": NOW, "attributes": "{}", "digest": row.digest}
            | ({"fact": row.fact} if row.fact else {}),
        }
        for row in edges
    ]
    english = "{indexConfig: {`fulltext.analyzer`: 'english'}}"

    def bare() -> None:
        for start in range(0, len(nodes), BATCH_ROWS):
            driver.execute_query(
                "UNWIND $rows AS r MERGE (b:Bare {group_id: $g, artifact_id: r.artifact_id}) SET b += r",
                g=BARE,
                rows=nodes[start : start + BATCH_ROWS],
            )
        for start in range(0, len(ties), BATCH_ROWS):
            driver.execute_query(
                """UNWIND $rows AS r MATCH (s:Bare {group_id: $g, artifact_id: r.s})
                MATCH (t:Bare {group_id: $g, artifact_id: r.t})
                CREATE (s)-[l:BARE {group_id: $g, key: r.key}]->(t) SET l += r.values""",
                g=BARE,
                rows=ties[start : start + BATCH_ROWS],
            )

    def clear_bare() -> None:
        for index in ("bare_text", "bare_fact", "bare_order", "bare_link"):
            driver.execute_query(f"DROP INDEX {index} IF EXISTS")
        driver.execute_query("DROP CONSTRAINT bare_key IF EXISTS")
        with driver.session() as session:
            session.run("MATCH (b:Bare) CALL (b) { DETACH DELETE b } IN TRANSACTIONS OF 1000 ROWS").consume()

    def prepare_bare() -> None:
        clear_bare()
        for statement in (
            "CREATE CONSTRAINT bare_key FOR (b:Bare) REQUIRE (b.group_id, b.artifact_id) IS UNIQUE",
            "CREATE INDEX bare_order FOR (b:Bare) ON (b.group_id, b.sort_key, b.artifact_id)",
            "CREATE INDEX bare_link FOR ()-[l:BARE]-() ON (l.group_id, l.key)",
            f"CREATE FULLTEXT INDEX bare_text FOR (b:Bare) ON EACH [b.title, b.body] OPTIONS {english}",
            f"CREATE FULLTEXT INDEX bare_fact FOR ()-[l:BARE]-() ON EACH [l.fact] OPTIONS {english}",
            "CALL db.awaitIndexes(300)",
        ):
            driver.execute_query(statement)

    def one_round() -> tuple[float, float]:
        prepare_bare()
        bare_seconds = timed(bare)
        clear_bare()
        store.clear(NAMESPACE)
        ours = timed(lambda: with_store(store, rows, edges))
        store.clear(NAMESPACE)
        return ours, bare_seconds

    return one_round


def report(name: str, rounds: list[tuple[float, float]]) -> bool:
    ratios = [ours / bare for ours, bare in rounds]
    median = statistics.median(ratios)
    seconds = statistics.median(ours for ours, _ in rounds), statistics.median(bare for _, bare in rounds)
    print(
        f"{name}: {median:.2f} times the bare database (target {TARGETS[name]}; rounds "
        f"{', '.join(f'{ratio:.2f}' for ratio in ratios)}; {seconds[0]:.2f} s against {seconds[1]:.2f} s)"
    )
    return median <= TARGETS[name]


def main() -> int:
    rows = artifacts()
    edges = links(rows)
    print(f"{ARTIFACTS} artifacts of {statistics.mean(len(r.body) for r in rows):.0f} characters, {LINKS} links")
    met = report("sqlite", [sqlite_round(rows, edges) for _ in range(ROUNDS)])
    if os.environ.get("REVETLY_TEST_NEO4J_URL"):
        one_round = neo4j_rounds(rows, edges)
        one_round()
        met &= report("neo4j", [one_round() for _ in range(ROUNDS)])
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
