"""`revetly watch`, as a process beside the files it follows."""

from __future__ import annotations

import json
import signal

import pytest

from tests.repo import LITE, Repo
from tests.services.conftest import until

pytestmark = pytest.mark.services


@pytest.fixture
def watched(instance, tmp_path):
    repo = Repo(tmp_path / "product", LITE + '[backlog]\npath = "backlog"\n')
    repo.item("STORY-001")
    repo.commit()
    instance.revetly("init", str(repo.root))
    process = instance.start("manage.py", "revetly", "watch")
    until(lambda: "watching" in instance.logs(), 30, instance.logs)
    return repo, process


def status(instance) -> dict:
    return json.loads(instance.revetly("status", "--json"))


def title(instance, artifact_id: str) -> str:
    done = instance.run("manage.py", "revetly", "inspect", artifact_id, "--json", check=False)
    return json.loads(done).get("title", "")


def test_watch_reads_again_what_changes_and_what_is_committed(instance, watched) -> None:
    repo, process = watched
    assert status(instance)["watching"] is True
    repo.item("STORY-001", title="Said anew")
    until(lambda: title(instance, "STORY-001") == "Said anew", 30, instance.logs)
    repo.item("STORY-002", title="Another")
    until(lambda: title(instance, "STORY-002") == "Another", 30, instance.logs)
    (repo.root / "backlog/STORY-002.md").unlink()
    until(lambda: status(instance)["artifacts"]["deleted"] == 1, 30, instance.logs)
    repo.commit("Say it", "2026-03-04")
    record = until(
        lambda: (r := json.loads(instance.revetly("inspect", "STORY-001", "--json")))["source_updated_at"] and r,
        30,
        instance.logs,
    )
    assert record["source_updated_at"] == "2026-03-04T00:00:00Z", "a commit dates what an edit could not"
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    assert status(instance)["watching"] is False


def test_a_second_watch_on_one_project_is_refused(instance, watched) -> None:
    said = instance.start("manage.py", "revetly", "watch")
    assert said.wait(30) == 1
    assert "is watched already" in instance.logs()


def test_a_broken_declaration_is_said_and_the_watch_goes_on(instance, watched) -> None:
    repo, _ = watched
    good = (repo.root / "revetly.toml").read_bytes()
    repo.write("revetly.toml", "[backlog\n")
    until(lambda: "failed" in instance.logs(), 30, instance.logs)
    repo.write("revetly.toml", good)
    repo.item("STORY-003", title="After it")
    until(lambda: title(instance, "STORY-003") == "After it", 30, instance.logs)
