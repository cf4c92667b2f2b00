"""What an artifact, a branch, the backlog and the health say of their age and reach (004 section 5)."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime

import pytest

from graphapi.connectors.commits import CommitsConnector
from graphapi.models import IngestPass
from graphapi.reads.artifact import get_artifact
from graphapi.reads.backlog import list_backlog
from graphapi.reads.health import context_health
from graphapi.store.locks import lock_path, watch_mark

requirement = pytest.mark.requirement
NINE = datetime(2026, 2, 1, 9, tzinfo=UTC)
ELEVEN = datetime(2026, 2, 1, 11, tzinfo=UTC)


@pytest.fixture
def story(repo, ingest):
    repo.item("STORY-1")
    repo.commit("all", "2026-02-01")
    ingest()


def answers(reader, **asked):
    """One answer of each of these reads."""
    yield from (
        get_artifact(reader, artifact_id="STORY-1", **how, **asked) for how in ({}, {"history_after": ""}, {"depth": 1})
    )
    yield list_backlog(reader, **asked)
    yield list_backlog(reader, status="parked", **asked)
    yield context_health(reader, **asked)


@requirement("freshness.on-every-read")
@requirement("freshness.oldest-source")
def test_every_answer_says_when_its_oldest_source_was_read(story, project, reader) -> None:
    project.sources.update(last_read_at=ELEVEN)
    project.sources.filter(source="backlog").update(last_read_at=NINE)
    for answer in answers(reader):
        assert answer["freshness"] == {"oldest_read_at": "2026-02-01T09:00:00Z", "watching": False}
    project.sources.filter(source="notes").update(last_read_at=None)
    for answer in answers(reader):
        assert answer["freshness"]["oldest_read_at"] is None, "a source that was never read is the oldest"


@requirement("freshness.not-a-warning")
def test_an_old_answer_has_the_keys_of_a_fresh_one(story, project, reader) -> None:
    fresh = [(answer.keys(), answer["freshness"].keys()) for answer in answers(reader)]
    project.sources.update(last_read_at=datetime(2020, 1, 1, tzinfo=UTC))
    assert [(answer.keys(), answer["freshness"].keys()) for answer in answers(reader)] == fresh


_HOLD = """
import sys, time, filelock
lock = filelock.FileLock(sys.argv[1])
lock.acquire()
print("held", flush=True)
time.sleep(60)
"""


@requirement("freshness.watch")
def test_watching_is_true_while_another_process_follows_the_project_and_false_once_it_is_killed(story, project, reader):
    path = lock_path(project).with_suffix(".watch")
    process = subprocess.Popen([sys.executable, "-c", _HOLD, str(path)], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert all(answer["freshness"]["watching"] is True for answer in answers(reader))
        assert context_health(reader)["watching"] is True
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert all(answer["freshness"]["watching"] is False for answer in answers(reader))
    with watch_mark(project):
        assert context_health(reader)["freshness"]["watching"] is True


@requirement("freshness.health-key-after-failure")
@requirement("freshness.health-key-absent")
def test_after_a_failed_pass_the_old_rows_come_with_the_key_until_a_pass_lands(story, repo, ingest, project, reader):
    assert all("context_health" not in answer for answer in answers(reader))
    config = (repo.root / "revetly.toml").read_text()
    repo.item("STORY-2")
    repo.write("revetly.toml", "not toml")
    assert ingest().state == IngestPass.State.FAILED
    repo.write("revetly.toml", config)
    for answer in answers(reader):
        health = answer["context_health"]
        assert health["last_pass"] == "failed"
        assert "before that pass" in health["serves"]
    assert [row["artifact_id"] for row in list_backlog(reader)["items"]] == ["STORY-1"]
    ingest()
    assert all("context_health" not in answer for answer in answers(reader))
    assert len(list_backlog(reader)["items"]) == 2


def short(answer):
    """The floors of an answer; health has rows in their place."""
    return answer["history"] if "floors" in answer.get("history", {}) else None


@requirement("history.present-with-floor")
@requirement("history.every-read")
@requirement("history.floors")
@requirement("history.gaps")
@requirement("history.partial")
@requirement("history.only-when-true")
def test_a_floor_is_on_every_answer_and_gaps_and_partial_only_where_there_are_any(story, project, reader) -> None:
    assert not any(short(answer) for answer in answers(reader))
    project.sources.filter(source="backlog").update(floor=date(2025, 1, 1))
    found = [short(answer) for answer in answers(reader)]
    assert found == [{"floors": {"backlog": "2025-01-01"}}] * 5 + [None]
    project.sources.filter(source="backlog").update(gaps=["2026-08-01/2026-08-30"], partial=True)
    assert short(list_backlog(reader, status="parked")) == {
        "floors": {"backlog": "2025-01-01"}, "gaps": {"backlog": ["2026-08-01/2026-08-30"]}, "partial": ["backlog"],
    }  # fmt: skip


@requirement("history.no-unasked-reach")
@requirement("lite.no-vendor")
def test_no_answer_reads_a_source(story, project, reader, repo, monkeypatch) -> None:
    project.sources.filter(source="backlog").update(floor=date(2026, 1, 1))

    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("a read called a connector")

    monkeypatch.setattr(CommitsConnector, "read", refuse)
    monkeypatch.setattr("graphapi.connectors.working_tree.WorkingTree.__init__", refuse)
    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert len(list(answers(reader))) == 6


@requirement("freshness.own-sources-only")
@requirement("freshness.default-project")
@requirement("freshness.spanning-by-name")
@requirement("history.own-project-only")
def test_stamps_are_of_the_project_named_and_of_each_under_its_name_where_several_are(story, another, project, reader):
    asking, _ = another("asking", imports=[project], default=True)
    asking.sources.create(source="backlog", last_read_at=ELEVEN)
    project.sources.update(last_read_at=NINE, floor=date(2025, 1, 1))
    IngestPass.objects.create(project=project, state=IngestPass.State.FAILED, started_at=NINE, finished_at=NINE)
    for answer in (*answers(reader), *answers(reader, project="asking")):
        assert answer["freshness"]["oldest_read_at"] == "2026-02-01T11:00:00Z"
        assert "context_health" not in answer
        assert not short(answer)
    for answer in answers(reader, project="product"):
        assert answer["freshness"]["oldest_read_at"] == "2026-02-01T09:00:00Z"
        assert answer["context_health"]["last_pass"] == "failed"
    for answer in answers(reader, projects=["asking", "product"]):
        assert answer["freshness"].keys() == {"asking", "product"}
        assert answer["context_health"].keys() == {"product"}
        assert answer["history"]["product"]
    backlog = list_backlog(reader, projects=["asking", "product"])
    assert backlog["history"] == {
        "product": {
            "floors": dict.fromkeys(sorted(f.source for f in project.sources.exclude(source="tree")), "2025-01-01")
        }
    }
