"""Passes asked for, taken up, and taken up again after a worker died."""

from __future__ import annotations

import pytest

from graphapi import tasks
from graphapi.ingest.queue import pass_request, queue_drain, queue_sweep
from graphapi.models import DIED, IngestPass
from graphapi.reads.health import context_health
from graphapi.reads.reader import Reader
from graphapi.store.locks import project_lock


@pytest.fixture
def some(repo, project):
    repo.item("STORY-001")
    repo.commit()
    return project


def test_a_task_runs_what_its_project_has_queued_oldest_first(some, instance_is) -> None:
    first, second = pass_request(project=some), pass_request(project=some)
    assert tasks.ingest_project(some.pk) == [first.handle, second.handle]
    assert set(some.passes.values_list("state", flat=True)) == {"green"}


def test_a_task_over_some_artifacts_reads_those_alone(some, instance_is, repo, graph) -> None:
    tasks.ingest_artifacts(some.pk, ["backlog/STORY-001.md"])
    assert graph.ids() == {"STORY-001"}
    repo.item("STORY-002")
    tasks.ingest_artifacts(some.pk, ["STORY-001"])
    assert graph.ids() == {"STORY-001"}


def test_a_task_for_a_project_that_is_gone_does_nothing(db, instance_is) -> None:
    assert tasks.ingest_project(404) == []
    assert tasks.ingest_artifacts(404, ["x"]) == []


def test_a_worker_is_woken_once_the_row_is_committed_and_not_before(
    some, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    woken = []
    monkeypatch.setattr(tasks.ingest_project, "delay", woken.append)
    with django_capture_on_commit_callbacks(execute=True):
        row = tasks.pass_dispatch(project=some)
        assert woken == []
    assert woken == [some.pk] and row.state == "queued"


def test_a_pass_asked_for_while_another_runs_waits_in_its_row(some, store) -> None:
    row = pass_request(project=some)
    with project_lock(some):
        assert queue_drain(some, store) == []
        row.refresh_from_db()
        assert row.state == "queued"
    assert [r.handle for r in queue_drain(some, store)] == [row.handle]


def test_a_running_row_whose_lock_is_free_reads_as_failed(some, store) -> None:
    from django.utils import timezone

    IngestPass.objects.create(project=some, state="running", started_at=timezone.now())
    last = context_health(Reader(store))["last_pass"]
    assert (last["state"], last["error"]) == ("failed", DIED)
    with project_lock(some):
        assert context_health(Reader(store))["last_pass"]["state"] == "running"


def test_a_starting_worker_takes_up_what_a_dead_one_left(some, store, monkeypatch) -> None:
    dead = IngestPass.objects.create(project=some, state="running", artifacts=["STORY-001"])
    queued = pass_request(project=some)
    woken = []
    assert queue_sweep(woken.append) == 2
    dead.refresh_from_db()
    assert (dead.state, dead.error) == ("failed", DIED)
    assert {row.pk for row in woken} == set(some.passes.filter(state="queued").values_list("pk", flat=True))
    assert queued.pk in {row.pk for row in woken}
    again = some.passes.filter(state="queued").exclude(pk=queued.pk).get()
    assert again.artifacts == ["STORY-001"]


def test_a_starting_worker_leaves_a_pass_that_runs_alone(some) -> None:
    running = IngestPass.objects.create(project=some, state="running")
    with project_lock(some):
        assert queue_sweep(lambda row: None) == 0
    running.refresh_from_db()
    assert running.state == "running"
