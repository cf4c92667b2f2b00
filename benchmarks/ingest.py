"""What a whole pass costs over the bare database: `python -m benchmarks.ingest [--size 10000 ...]`.

The floor is the smallest script that writes the same artifact and link rows with the same index, on the same store, in
the same run. The pass is run in a process of its own; its start-up, measured as a pass over an empty project, is left
out. Prints: the first pass over the floor, the pass over an unchanged project over the first, peak memory, and how much
more the pass grows than the floor from the smaller size to the larger. Exits with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import environment
from benchmarks.floor import bare_insert
from benchmarks.product import write_product

ROOT = Path(__file__).resolve().parent.parent
FIRST = {"sqlite": 8.0, "neo4j": 3.0}
GROWTH, PEAK_MIB = 1.25, 600.0
CHILD = """
import json, resource, sys, time
from django.core.management import call_command
import django; django.setup()
call_command("migrate", verbosity=0)
from graphapi.ingest.passes import run_pass
from graphapi.store.instance import instance_store
from graphapi.models import Project
from pathlib import Path
root = sys.argv[1]
project, _ = Project.objects.get_or_create(name="bench", namespace=sys.argv[2], root=root)
began = time.perf_counter()
row = run_pass(project, instance_store())
seconds = time.perf_counter() - began
print(json.dumps({"seconds": seconds, "state": str(row.state), "error": row.error, "counts": row.counts,
                  "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def run_pass(home: Path, root: Path, namespace: str, graph: str) -> dict:
    given = {k: v for k, v in os.environ.items() if not k.startswith("REVETLY_") or k.startswith("REVETLY_TEST_")}
    given |= {
        "REVETLY_HOME": str(home),
        "DJANGO_SETTINGS_MODULE": "revetly_site.settings",
        "REVETLY_GRAPH": graph,
    }
    if graph == "neo4j":
        given |= {
            "REVETLY_NEO4J_URL": os.environ["REVETLY_TEST_NEO4J_URL"],
            "REVETLY_NEO4J_PASSWORD_FILE": os.environ["REVETLY_TEST_NEO4J_PASSWORD_FILE"],
        }
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(root), namespace], cwd=ROOT, env=given, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stderr)
    answer: dict = json.loads(done.stdout.splitlines()[-1])
    if answer["state"] == "failed":
        raise SystemExit(f"the pass failed: {answer['error']}")
    return answer


def measure(size: int, graph: str, work: Path) -> dict:
    root, empty = work / f"product-{size}", work / f"empty-{size}-{graph}"
    if not root.exists():
        write_product(root, size)
    write_product(empty, 0)
    if graph == "neo4j":
        environment.warm_up_neo4j()
    home, namespace = work / f"home-{size}-{graph}", f"bench-{size}"
    start = run_pass(work / f"home-empty-{size}-{graph}", empty, f"bench-empty-{size}", graph)["seconds"]
    first = run_pass(home, root, namespace, graph)
    again = run_pass(home, root, namespace, graph)
    assert first["counts"]["written"] == size and again["counts"]["written"] == 0
    assert again["counts"]["links_written"] == 0
    floor = bare_insert(home, namespace, graph, work)
    return {
        "size": size, "links": sum(first["counts"]["links"].values()), "floor": floor, "start": start,
        "first": first["seconds"] - start, "again": again["seconds"] - start,
        "peak": max(first["peak_mib"], again["peak_mib"]),
    }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--graph", nargs="+", choices=["sqlite", "neo4j"], help="both, where the services are up")
    options = parser.parse_args()
    there = environment.load()
    graphs = options.graph or (["sqlite", "neo4j"] if there else ["sqlite"])
    missed = []
    with tempfile.TemporaryDirectory(prefix="revetly-bench-") as folder:
        for graph in graphs:
            # On Neo4j the smaller size alone: the larger one's time is the server's.
            sizes = sorted(options.size) if graph == "sqlite" else sorted(options.size)[:1]
            rows = [measure(size, graph, Path(folder)) for size in sizes]
            for row in rows:
                missed += report(row, graph)
            if len(rows) > 1:
                growth = (rows[-1]["first"] / rows[0]["first"]) / (rows[-1]["floor"] / rows[0]["floor"])
                missed += judged(f"{graph} growth of the pass over the floor's", growth, GROWTH)
    for line in missed:
        print("missed:", line)
    return bool(missed)


def report(row: dict, graph: str) -> list[str]:
    print(f"\n{graph}, {row['size']:,} artifacts, {row['links']:,} links: floor {row['floor']:.2f} s, "
          f"first {row['first']:.2f} s, unchanged {row['again']:.2f} s, start-up {row['start']:.2f} s")  # fmt: skip
    missed = []
    if graph in FIRST:
        missed += judged("first pass over the floor", row["first"] / row["floor"], FIRST[graph])
    missed += judged(
        "unchanged pass over a tenth of the first or a second", row["again"] / max(1.0, row["first"] / 10), 1.0
    )
    missed += judged("peak memory, MiB", row["peak"], PEAK_MIB)
    return missed


def judged(what: str, figure: float, target: float) -> list[str]:
    good = figure <= target
    print(f"  {what}: {figure:.2f} (at most {target:g}){'' if good else '  MISSED'}")
    return [] if good else [f"{what}: {figure:.2f} > {target:g}"]


if __name__ == "__main__":
    sys.exit(main())
