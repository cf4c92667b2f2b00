"""What a read costs over one raw indexed query: ``python -m benchmarks.reads [--size 1000 ...] [--graph sqlite]``.

On a generated project of each size, every figure of a search is a ratio within one run: the median of `search_context`
over many queries against the median of the smallest program's top-20 full-text query for the same words, in turns.
`get_artifact`, `list_backlog` and binding on an artifact are held to their own time at the smallest size:
they may not grow. Round trips are counted at the driver (on Neo4j) or at the store (on SQLite). Python's own share is a
search's time less what the store took. Exits with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import environment

QUERIES, ROUNDS = 25, 3
SEARCH_RATIO, SEARCH_SMALL_RATIO, SEARCH_SMALL_MS = 12.0, 20.0, 10.0
RATIO_GROWTH, READ_GROWTH = 1.25, 1.5
TRIPS = {"search_context": 8, "get_artifact": 3, "binding": 8}
PYTHON_MS = 8.0


def begin(home: Path, graph: str) -> None:
    for name in [n for n in os.environ if n.startswith("REVETLY_") and not n.startswith("REVETLY_TEST_")]:
        del os.environ[name]
    os.environ |= {"REVETLY_HOME": str(home), "DJANGO_SETTINGS_MODULE": "revetly_site.settings", "REVETLY_GRAPH": graph}
    if graph == "neo4j":
        os.environ["REVETLY_NEO4J_URL"] = os.environ["REVETLY_TEST_NEO4J_URL"]
        os.environ["REVETLY_NEO4J_PASSWORD_FILE"] = os.environ["REVETLY_TEST_NEO4J_PASSWORD_FILE"]
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


class Counted:
    """A store that counts its calls and the time they take."""

    def __init__(self, store: Any) -> None:
        self.store, self.calls, self.seconds = store, 0, 0.0

    def __getattr__(self, name: str) -> Any:
        call = getattr(self.store, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            began = time.perf_counter()
            try:
                return call(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - began

        return counted


@contextmanager
def driver_trips(graph: str) -> Iterator[list[str]]:
    """The queries sent to Neo4j within the block; on SQLite nothing is sent, and the store's calls count."""
    sent: list[str] = []
    if graph != "neo4j":
        yield sent
        return
    from neo4j import ManagedTransaction, Session

    plain = {kind: kind.run for kind in (Session, ManagedTransaction)}

    def counting(kind: Any) -> Callable[..., Any]:
        def run(self: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
            sent.append(str(query))
            return plain[kind](self, query, *args, **kwargs)

        return run

    for kind in plain:
        kind.run = counting(kind)
    try:
        yield sent
    finally:
        for kind, run in plain.items():
            kind.run = run


def raw_search(graph: str, namespace: str) -> Callable[[str], object]:
    """One indexed top-20 query of the same words, by the driver alone."""
    if graph == "sqlite":
        from django.conf import settings

        from graphapi.store.sqlite.schema import artifact_text

        file = sqlite3.connect(settings.GRAPH_PATH)
        space = file.execute("SELECT id FROM namespaces WHERE name = ?", (namespace,)).fetchone()[0]
        table = artifact_text(space)
        statement = f"""SELECT a.artifact_id, a.title FROM (SELECT rowid AS n, bm25({table}, 3.0, 1.0, 0.0) AS s
            FROM {table} WHERE {table} MATCH ? ORDER BY s LIMIT 20) AS f CROSS JOIN artifacts AS a ON a.id = f.n"""
        return lambda query: file.execute(statement, (" OR ".join(f'"{w}"' for w in query.split()),)).fetchall()
    from graphapi.store.neo4j.schema import TEXT, Names

    driver = environment.neo4j_driver()
    index = Names(namespace).text_index

    def ask(query: str) -> object:
        words = " ".join(f'"{w}"' for w in query.split())
        with driver.session() as session:
            return session.run(
                "CALL db.index.fulltext.queryNodes($i, $q, {limit: 20}) YIELD node, score "
                "RETURN node.artifact_id, node.title",
                i=index, q=f"{TEXT}:({words})",
            ).values()  # fmt: skip

    return ask


def timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def measure(size: int, graph: str) -> dict[str, Any]:
    from benchmarks.generated import Words, fill
    from graphapi.reads.artifact import get_artifact
    from graphapi.reads.backlog import list_backlog
    from graphapi.reads.reader import Reader
    from graphapi.reads.scope import get_scope
    from graphapi.reads.search import search_context
    from graphapi.store.instance import instance_store

    project = declare(size)
    store = Counted(instance_store())
    store.store.prepare()
    store.store.clear(project.namespace)
    began = time.perf_counter()
    ids = fill(project, store.store, size)
    print(f"\n{graph}, {size:,} artifacts, written in {time.perf_counter() - began:.0f} s")
    reader = Reader(store)
    words = Words(7)
    queries = [words.query() for _ in range(QUERIES)]
    story = ids["story"][len(ids["story"]) // 2]
    reads: dict[str, Callable[[], object]] = {
        "search_context": lambda: search_context(reader, query=queries[0]),
        "get_artifact": lambda: get_artifact(reader, artifact_id=story),
        "list_backlog": lambda: list_backlog(reader),
        "binding": lambda: get_scope(reader, question="binding", artifact_id=story),
    }
    out: dict[str, Any] = {"size": size, "trips": {name: trips(read, store, graph) for name, read in reads.items()}}
    out |= searched(lambda q: search_context(reader, query=q), raw_search(graph, project.namespace), queries, store)
    for name in ("get_artifact", "list_backlog", "binding"):
        out[name] = statistics.median(timed(reads[name]) for _ in range(QUERIES * 2))
    out["profile"] = profile(lambda: [search_context(reader, query=q) for q in queries])
    store.store.clear(project.namespace)
    return out


def declare(size: int) -> Any:
    """The one project of the instance, with its root and no file in it but the declarations."""
    from graphapi.models import Project

    root = Path(os.environ["REVETLY_HOME"]) / f"root-{size}"
    root.mkdir(parents=True)
    (root / "revetly.toml").write_text('[llm]\nprovider = "none"\n[embedding]\nprovider = "none"\n[backlog]\n')
    Project.objects.all().delete()
    return Project.objects.create(name=f"bench-{size}", namespace=f"bench-reads-{size}", root=str(root))


def searched(
    search: Callable[[str], object], raw: Callable[[str], object], queries: list[str], store: Counted
) -> dict[str, float]:
    """Medians of the raw query, of the search, and of what of the search is not the store's, asked in turns."""
    floors, ours, python = [], [], []
    for number in range(ROUNDS + 1):
        for query in queries:
            floor = timed(lambda q=query: raw(q))
            store.seconds = 0.0
            took = timed(lambda q=query: search(q))
            if number:  # the first round warms both
                floors.append(floor)
                ours.append(took)
                python.append(took - store.seconds)
    return {"raw": statistics.median(floors), "search": statistics.median(ours), "python": statistics.median(python)}


def trips(read: Callable[[], object], store: Counted, graph: str) -> int:
    read()
    store.calls = 0
    with driver_trips(graph) as sent:
        read()
    return len(sent) if graph == "neo4j" else store.calls


def profile(work: Callable[[], object]) -> list[str]:
    """The functions of the product that a search spends most of its own time in, as shares of the whole."""
    profiler = cProfile.Profile()
    profiler.runcall(work)
    stats = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    whole = sum(own for _, _, own, _, _ in stats.values())
    rows = sorted(((own, place, name) for (place, _, name), (_, _, own, _, _) in stats.items()), reverse=True)[:8]
    return [f"{own / whole:5.1%}  {Path(place).name}:{name}" for own, place, name in rows]


def report(rows: list[dict[str, Any]], graph: str) -> list[str]:
    missed: list[str] = []
    for row in rows:
        print(f"\n{graph} {row['size']:,}: raw {row['raw'] * 1e3:.2f} ms, search {row['search'] * 1e3:.2f} ms, of it "
              f"Python {row['python'] * 1e3:.2f} ms; round trips {row['trips']}")  # fmt: skip
        missed += of_search(row, graph)
        for name, most in TRIPS.items():
            missed += judged(f"{graph} round trips of {name}", row["trips"][name], most)
        for name in ("get_artifact", "list_backlog", "binding"):
            print(f"  {name}: {row[name] * 1e3:.2f} ms")
            if row is not rows[0]:
                what = f"{graph} {name} over its time at {rows[0]['size']:,}"
                missed += judged(what, row[name] / rows[0][name], READ_GROWTH)
    large = [r["search"] / r["raw"] for r in rows if r["size"] >= 10_000]
    if len(large) > 1:
        missed += judged(f"{graph} growth of the search ratio", large[-1] / large[0], RATIO_GROWTH)
    return missed


def of_search(row: dict[str, Any], graph: str) -> list[str]:
    size, ratio = row["size"], row["search"] / row["raw"]
    if size > 1000:
        missed = judged(f"{graph} search over raw at {size:,}", ratio, SEARCH_RATIO)
    else:
        print(f"  search over raw: {ratio:.1f} (at most {SEARCH_SMALL_RATIO:g}, or {SEARCH_SMALL_MS:g} ms)")
        within = ratio <= SEARCH_SMALL_RATIO or row["search"] * 1e3 <= SEARCH_SMALL_MS
        missed = [] if within else [f"{graph} search at {size:,}: {ratio:.1f} times raw, and over {SEARCH_SMALL_MS} ms"]
    if size == 10_000:
        missed += judged(f"{graph} Python's share of a search, ms", row["python"] * 1e3, PYTHON_MS)
        print("   ", "\n    ".join(row["profile"]))
    return missed


def judged(what: str, figure: float, target: float) -> list[str]:
    good = figure <= target
    print(f"  {what}: {figure:.2f} (at most {target:g}){'' if good else '  MISSED'}")
    return [] if good else [f"{what}: {figure:.2f} > {target:g}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument(
        "--graph", choices=["sqlite", "neo4j"], default="sqlite", help="one a run: settings are a process's"
    )
    options = parser.parse_args()
    if not environment.load() and options.graph == "neo4j":
        raise SystemExit("no Neo4j: run make services-up first")
    home = Path(tempfile.mkdtemp(prefix="revetly-bench-reads-"))
    try:
        begin(home, options.graph)
        if options.graph == "neo4j":
            environment.warm_up_neo4j()
        missed = report([measure(size, options.graph) for size in sorted(options.size)], options.graph)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    for line in missed:
        print("missed:", line)
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
