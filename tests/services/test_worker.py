"""Passes through a real worker, on Redis and on the filesystem broker of a machine without it."""

from __future__ import annotations

import json
import os
import signal

import pytest

from tests.repo import LITE, Repo
from tests.services.conftest import Instance, until

pytestmark = pytest.mark.services
BACKLOG = LITE + '[backlog]\npath = "backlog"\n'
both = pytest.mark.parametrize("instance", ["redis", "filesystem"], indirect=True)

DISPATCH = (
    "from graphapi.tasks import pass_dispatch; from graphapi.models import Project;"
    "print(pass_dispatch(project=Project.objects.get()).handle)"
)


def passes(instance: Instance) -> list[dict]:
    return json.loads(
        instance.shell(
            "import json; from graphapi.models import IngestPass;"
            "print(json.dumps(list(IngestPass.objects.order_by('id').values('handle', 'state', 'error', 'counts'))))"
        )
    )


@pytest.fixture
def product(tmp_path):
    repo = Repo(tmp_path / "product", BACKLOG)
    for number in range(1, 6):
        repo.item(f"STORY-{number:03}")
    repo.commit()
    return repo


@both
def test_a_dispatched_pass_is_run_by_the_worker(instance, product) -> None:
    instance.revetly("init", str(product.root))
    instance.worker()
    handle = instance.shell(DISPATCH).strip()
    done = until(lambda: [p for p in passes(instance) if p["state"] == "green"], 40, instance.logs)
    assert [(p["handle"], p["counts"]["written"]) for p in done] == [(handle, 5)]


@both
def test_a_pass_asked_for_before_any_worker_runs_waits_for_one(instance, product) -> None:
    instance.revetly("init", str(product.root))
    instance.run("-c", "from revetly_site.celery import prepare_broker; prepare_broker()")
    instance.shell(DISPATCH)
    assert [p["state"] for p in passes(instance)] == ["queued"]
    instance.worker()
    until(lambda: passes(instance)[0]["state"] == "green", 40, instance.logs)


@both
@pytest.mark.timeout(240)
def test_a_pass_killed_in_the_middle_is_taken_up_again_when_a_worker_starts(instance, product) -> None:
    for number in range(100, 4100):
        product.item(f"STORY-{number}", "Words. " * 40, parent="STORY-001")
    product.commit()
    instance.revetly("init", str(product.root))
    first = instance.worker()
    instance.shell(DISPATCH)
    # In the middle: some of the ledger is written and the pass still runs.
    reading = instance.home / "revetly.sqlite3"

    def half_way() -> bool:
        import sqlite3

        with sqlite3.connect(f"file:{reading}?mode=ro", uri=True, timeout=5) as database:
            return database.execute("SELECT count(*) FROM graphapi_ledgerentry").fetchone()[0] > 0

    until(half_way, 60, instance.logs)
    instance.kill(first)
    assert passes(instance)[0]["state"] == "running"
    report = json.loads(instance.revetly("status", "--json"))
    assert report["last_pass"]["state"] == "failed", "a running row that nobody runs reads as failed"
    instance.worker()
    until(lambda: [p for p in passes(instance) if p["state"] == "green"], 90, instance.logs)
    killed, *later = passes(instance)
    assert (killed["state"], killed["error"]) == ("failed", "the process that ran it died")
    assert later[0]["state"] == "green" and later[0]["counts"]["listed"] == 4005
    assert 0 < later[0]["counts"]["unchanged"] < 4005, "what was read before the end is not read again"
    assert later[0]["counts"]["links"] == {"parent": 4000}


def test_supervise_starts_pages_and_worker_and_starts_again_what_dies(instance, product) -> None:
    import urllib.request

    instance.revetly("init", str(product.root))
    with __import__("socket").socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    supervisor = instance.start("manage.py", "revetly", "supervise", "--port", str(port))

    def page(path: str) -> str:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
                return answer.read().decode()
        except OSError:
            return ""

    assert "product" in until(lambda: page("/"), 60, instance.logs)
    instance.shell(DISPATCH)
    until(lambda: passes(instance)[0]["state"] == "green", 40, instance.logs)
    (web,) = children(supervisor.pid, "uvicorn")
    os.kill(web, signal.SIGKILL)
    until(lambda: children(supervisor.pid, "uvicorn") not in ([], [web]), 30, instance.logs)
    assert until(lambda: page("/healthz"), 30, instance.logs) == '{"status": "alive"}'
    supervisor.terminate()
    assert supervisor.wait(30) == 0
    assert children(supervisor.pid, "") == []
    assert "starting it again" in instance.logs()


def children(parent: int, word: str) -> list[int]:
    """The processes that ``parent`` started whose command line holds ``word``."""
    from pathlib import Path

    out = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
            line = (stat.parent / "cmdline").read_bytes().decode("utf-8", "replace")
        except (OSError, IndexError):
            continue
        if int(fields[1]) == parent and word in line and fields[0] != "Z":
            out.append(int(stat.parent.name))
    return out
