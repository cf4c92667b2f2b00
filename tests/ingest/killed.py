"""A process of its own that kills passes: `python -m tests.ingest.killed WORKDIR POINTS SEED`.

It runs one clean pass over the repository at WORKDIR/product, then for each of POINTS points it forks a child that runs
a pass with a counter on every function call of the engine and sends itself SIGKILL at a random count, runs the pass
again, and compares what the graph and the ledger then hold with the clean run. Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import uuid
from pathlib import Path
from typing import Any

import django


def main(work: Path, points: int, seed: int) -> dict[str, Any]:
    os.environ["REVETLY_HOME"] = str(work / "template")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "revetly_site.settings")
    django.setup()
    from django.core.management import call_command
    from django.db import connections

    call_command("migrate", verbosity=0, interactive=False)
    connections.close_all()
    clean = _run(work, "clean", None)
    assert clean["killed"] is False, clean
    draw, results = random.Random(seed), []
    for number in range(points):
        at = draw.randrange(1, clean["calls"])
        name = f"point{number}"
        killed = _run(work, name, at)
        again = _run(work, name, None)
        results.append({"at": at, "killed": killed["killed"], "same": again.get("dump") == clean["dump"],
                        "state": again.get("state"), "buried": again.get("buried")})  # fmt: skip
    return {"calls": clean["calls"], "artifacts": len(clean["dump"]["artifacts"]), "links": len(clean["dump"]["links"]),
            "revisions": len(clean["dump"]["revisions"]),
            "edits": sum(row[1] == "" for row in clean["dump"]["revisions"]), "points": results}  # fmt: skip


def _run(work: Path, name: str, kill_at: int | None) -> dict[str, Any]:
    """One pass in a forked child, in the home called ``name``; what it saw, or that it was killed."""
    home = work / name
    if not home.exists():
        shutil.copytree(work / "template", home)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            answer = _child(home, work / "product", kill_at)
        except BaseException as error:  # noqa: BLE001 - a child may not return into its parent's code
            answer = {"killed": False, "error": repr(error)}
        with os.fdopen(write, "w") as pipe:
            json.dump(answer, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return {"killed": os.WTERMSIG(status) == signal.SIGKILL}
    return json.loads(text)


def _child(home: Path, root: Path, kill_at: int | None) -> dict[str, Any]:
    from django.conf import settings
    from django.db import connections

    settings.HOME, settings.GRAPH_PATH = home, home / "graph.sqlite3"
    connections.databases["default"]["NAME"] = str(home / "revetly.sqlite3")
    connections["default"].settings_dict["NAME"] = str(home / "revetly.sqlite3")
    from graphapi.ingest.passes import DIED, run_pass
    from graphapi.models import Project
    from tests.contract.backends import Backend

    namespace = home / "namespace"
    if not namespace.exists():
        namespace.write_text(f"k-{uuid.uuid4().hex}")
        Project.objects.create(name="product", namespace=namespace.read_text(), root=str(root))
    project = Project.objects.get()
    store = Backend(os.environ.get("KILLED_BACKEND", "sqlite"), settings.GRAPH_PATH).open()
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        if event == "call" and "/graphapi/" in frame.f_code.co_filename:
            calls += 1
            if calls == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)
    row = run_pass(project, store)
    sys.setprofile(None)
    buried = project.passes.filter(error=DIED).count()
    dump = _dump(project, store)
    if kill_at is None:
        store.clear(project.namespace)
    return {"killed": False, "calls": calls, "state": str(row.state), "buried": buried, "dump": dump}


def _dump(project: Any, store: Any) -> dict[str, Any]:
    """Everything that must be equal: the whole graph, the ledger and the sources, but for when each was ingested."""
    ids = sorted(i for i, _, _ in store.artifact_digests(project.namespace))
    artifacts = [
        [
            a.artifact_id, a.digest, a.title, a.body, a.status, a.source, a.deleted,
            a.source_created_at, a.source_updated_at,
        ]
        for a in store.get(project.namespace, ids)
    ]  # fmt: skip
    links = [
        [link.source_id, link.relation, link.method, link.target_id, link.fact, link.valid_at, dict(link.attributes)]
        for link in store.neighbours(project.namespace, ids, deleted="include", limit=100_000)
    ]
    ledger = project.ledger.order_by("artifact_id").values_list(
        "artifact_id", "digest", "version", "references", "mentions", "body_scanned", "title_offered"
    )
    unresolved = project.unresolved.order_by("artifact_id", "relation", "target").values_list(
        "artifact_id", "relation", "target", "reason"
    )
    revisions = project.revisions.order_by("artifact_id", "commit").values_list(
        "artifact_id", "commit", "at", "subject", "by", "content_hash"
    )
    states = project.sources.order_by("source").values_list("source", "complete", "failed", "cursor", "floor")
    whole = {
        "artifacts": artifacts,
        "links": sorted(links, key=repr),
        "ledger": list(ledger),
        "unresolved": list(unresolved),
        "revisions": list(revisions),
        "states": list(states),
    }
    return json.loads(json.dumps(whole, default=str))


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
