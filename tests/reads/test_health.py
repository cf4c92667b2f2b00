"""``context_health``: source by source, the corpus revision, and what a capture came to (004 sections 2 and 5)."""

from __future__ import annotations

import dataclasses
import os
import platform
from datetime import UTC, date, datetime

import pytest

from graphapi.domain.refusals import UnknownProject
from graphapi.ingest.queue import pass_request, queue_drain
from graphapi.models import IngestPass, UnresolvedReference
from graphapi.reads.budget import size
from graphapi.reads.health import context_health
from graphapi.store.locks import project_lock
from graphapi.store.port import StoreUnavailable
from tests.repo import ALL

requirement = pytest.mark.requirement
State = IngestPass.State


def sources(reader):
    return {row["source"]: row for row in context_health(reader)["sources"]}


@pytest.fixture
def broken(repo):
    """The backlog reads well; the declared repository of commits is none."""
    repo.write("revetly.toml", ALL + '[connectors.commits]\nrepositories = ["nowhere"]\n')
    repo.item("STORY-1", "Names STORY-7.", parent="EPIC-9")
    repo.commit()


@requirement("catalogue.health-per-source")
def test_each_source_has_a_row_that_says_whether_its_last_reading_landed(broken, ingest, reader) -> None:
    ingest()
    rows = sources(reader)
    assert (rows["backlog"]["landed"], rows["backlog"]["complete"], rows["backlog"]["listed"]) == (True, True, 1)
    assert "error" not in rows["backlog"]
    failed = rows["commits/nowhere"]
    assert (failed["landed"], failed["complete"], failed["last_read_at"]) == (False, False, None)
    assert failed["error"]


def test_the_payload_has_its_keys_and_none_of_a_project_where_there_is_one(repo, ingest, reader) -> None:
    repo.item("STORY-1", "Names STORY-7.", parent="EPIC-9")
    repo.commit()
    row = ingest()
    health = context_health(reader)
    assert list(health) == [
        "sources", "corpus_revision", "last_pass", "watching", "queued", "artifacts", "unresolved", "outside_backlog",
        "history", "freshness",
    ]  # fmt: skip
    assert (health["last_pass"]["handle"], health["last_pass"]["state"]) == (row.handle, "green")
    assert health["artifacts"] == {"live": 1, "by_kind": {"pbi": 1}, "deleted": 0, "withheld": 0}
    assert health["unresolved"]["count"] == 2
    assert {u["target"] for u in health["unresolved"]["listed"]} == {"STORY-7", "EPIC-9"}
    assert (health["watching"], health["queued"]) == (False, 0)


def test_before_the_first_pass_there_is_no_last_one_and_no_source(project, reader) -> None:
    health = context_health(reader)
    assert (health["last_pass"], health["sources"], health["history"]) == (None, [], {})
    assert health["freshness"]["oldest_read_at"] is None


@requirement("catalogue.health-corpus-revision")
def test_the_revision_moves_with_artifacts_and_links_and_with_nothing_else(repo, ingest, reader) -> None:
    def now() -> str:
        return context_health(reader)["corpus_revision"]

    seen = [now()]

    def moved(what: str) -> None:
        ingest()
        assert now() not in seen, what
        seen.append(now())
        ingest()
        assert now() == now() == seen[-1], f"nothing found after {what}"

    repo.item("STORY-1", "One")
    repo.item("DEC-1", "About a harbour crane.", folder="decisions")
    repo.commit()
    moved("the first artifacts")
    repo.item("STORY-1", "Two")
    repo.commit()
    moved("a changed artifact")
    repo.item("STORY-2", title="a harbour crane")
    repo.commit()
    moved("a new title that links an old body")
    (repo.root / "backlog/STORY-2.md").unlink()
    moved("a removal that was found")
    repo.commit("drop it")
    moved("a removal that a commit dates")
    repo.item("STORY-2", title="a harbour crane")
    repo.commit()
    moved("an artifact that is back")


@requirement("catalogue.health-corpus-revision")
def test_a_removal_that_changes_its_clock_moves_the_revision_whatever_others_are_later(repo, ingest, reader, project):
    repo.item("STORY-1")
    repo.item("STORY-2")
    repo.commit()
    ingest()
    for n in (1, 2):
        (repo.root / f"backlog/STORY-{n}.md").unlink()
        ingest()
    before = context_health(reader)["corpus_revision"]
    project.ledger.filter(artifact_id="STORY-1").update(deleted_clock="source-declared")
    assert context_health(reader)["corpus_revision"] != before


@requirement("catalogue.health-corpus-revision")
def test_links_that_a_dead_pass_left_unwritten_move_the_revision_when_they_come(repo, ingest, reader, store, graph):
    repo.item("EPIC-1")
    repo.item("STORY-1", parent="EPIC-1")
    repo.commit()
    ingest()
    store.retire_links(graph.ns, [link.key for link in graph.links()], at="2026-01-01T00:00:00Z", reason="lost")
    before = context_health(reader)["corpus_revision"]
    ingest()
    assert graph.edges() == {("STORY-1", "parent", "EPIC-1")}
    assert context_health(reader)["corpus_revision"] != before


@requirement("history.health-rows")
@requirement("history.partial")
def test_history_has_every_sources_row_in_full(broken, ingest, reader, project) -> None:
    ingest()
    floor = {"floor": date(2025, 3, 1), "gaps": ["2025-04-01/2025-04-30"], "partial": True}
    project.sources.filter(source="commits/nowhere").update(**floor)
    health = context_health(reader)
    assert health["history"]["commits/nowhere"] == {
        "floor": "2025-03-01", "declared_floor": None, "gaps": ["2025-04-01/2025-04-30"], "partial": True,
    }  # fmt: skip
    assert health["history"]["backlog"] == {"floor": None, "declared_floor": None, "gaps": [], "partial": False}
    assert health["history"].keys() == {row["source"] for row in health["sources"]}


def test_a_pass_whose_process_died_reads_as_failed(repo, ingest, reader, project) -> None:
    repo.item("STORY-1")
    repo.commit()
    ingest()
    IngestPass.objects.create(project=project, state=State.RUNNING, started_at=datetime.now(UTC))
    health = context_health(reader)
    assert health["last_pass"]["state"] == "failed"
    assert [row["landed"] for row in health["sources"]] == [False] * len(health["sources"])
    assert health["context_health"]["last_pass"] == "failed"


def capture(reader, handle):
    return context_health(reader, capture=handle)["capture"]


@requirement("catalogue.health-per-source")
def test_a_capture_is_pending_until_its_pass_ends_and_then_landed(repo, ingest, reader, project, store) -> None:
    repo.item("STORY-1")
    repo.commit()
    handle = pass_request(project=project, artifacts=["backlog/STORY-1.md"]).handle
    assert capture(reader, handle) == {"handle": handle, "state": "pending"}
    assert context_health(reader)["queued"] == 1
    queue_drain(project, store)
    landed = capture(reader, handle)
    assert landed["state"] == "landed", landed
    assert landed["finished_at"]
    assert "capture" not in context_health(reader)


def test_a_handle_nobody_filed_is_unknown(repo, ingest, reader) -> None:
    ingest()
    assert capture(reader, "PASS-none") == {"handle": "PASS-none", "state": "unknown"}


def test_a_capture_run_by_another_process_says_who_runs_it_and_by_this_one_does_not(repo, reader, project) -> None:
    row = IngestPass.objects.create(project=project, state=State.RUNNING, started_at=datetime.now(UTC))
    for runner, elsewhere in (("quay pid 7", True), (f"{platform.node()} pid {os.getpid()}", False)):
        IngestPass.objects.filter(pk=row.pk).update(runner=runner)
        with project_lock(project):
            state = capture(reader, row.handle)
        assert state["state"] == "pending"
        assert state.get("pending_elsewhere", False) is elsewhere
        assert ("runner" in state) is elsewhere
    assert capture(reader, row.handle)["state"] == "failed", "nobody holds the lock: the process is gone"


def test_a_failed_capture_says_why_and_a_later_pass_that_read_as_much_lands_it(repo, ingest, reader, project) -> None:
    row = IngestPass.objects.create(project=project, state=State.FAILED, artifacts=["STORY-1"], error="no disk")
    assert capture(reader, row.handle) == {"handle": row.handle, "state": "failed", "error": "no disk"}
    now = datetime.now(UTC)
    other = IngestPass.objects.create(
        project=project, state=State.GREEN, artifacts=["STORY-2"], started_at=now, finished_at=now
    )
    assert capture(reader, row.handle)["state"] == "failed"
    IngestPass.objects.filter(pk=other.pk).update(artifacts=["STORY-1", "STORY-2"])
    assert (capture(reader, row.handle)["state"], capture(reader, row.handle)["landed_by"]) == ("landed", other.handle)
    IngestPass.objects.filter(pk=other.pk).update(artifacts=["STORY-2"])
    repo.item("STORY-1")
    repo.commit()
    whole = ingest()
    assert capture(reader, row.handle)["landed_by"] == whole.handle


def test_health_answers_while_the_graph_is_down(repo, ingest, reader) -> None:
    repo.item("STORY-1")
    repo.commit()
    ingest()

    class Down:
        def __getattr__(self, name):
            raise StoreUnavailable("down")

    assert context_health(dataclasses.replace(reader, store=Down()))["artifacts"]["live"] == 1


@requirement("budget.every-read")
@requirement("budget.never-silent")
@requirement("budget.cut-keys")
def test_health_fits_its_budget_and_tells_what_went(repo, ingest, within_budget, project) -> None:
    for n in range(80):
        repo.item(f"STORY-{n}", status=f"odd{n} " + "wort " * 20)
    repo.commit()
    ingest()
    UnresolvedReference.objects.bulk_create(
        UnresolvedReference(
            project=project, artifact_id="STORY-1", relation="cites", target=f"CONV-{n} äöü", reason="unknown"
        )
        for n in range(300)
    )
    whole = context_health(within_budget(10**6))
    assert (len(whole["unresolved"]["listed"]), whole["unresolved"]["truncated"]["whole"]) == (50, 300)
    assert (whole["last_pass"]["findings_truncated"]["reason"], whole["last_pass"]["findings_truncated"]["listed"]) == (
        "cap", 50,
    )  # fmt: skip
    for budget in (16_384, 8192, 4096):
        health = context_health(within_budget(budget))
        assert size(health) <= budget
        listed = health["unresolved"]["listed"]
        assert listed == whole["unresolved"]["listed"][: len(listed)]
        assert health["unresolved"]["truncated"]["listed"] == len(listed)
        assert health["unresolved"]["truncated"]["whole"] == health["unresolved"]["count"] == 300
        found = health["last_pass"]["findings"]
        assert health["last_pass"]["findings_truncated"]["listed"] == len(found)
        assert health["last_pass"]["findings_truncated"]["whole"] == whole["last_pass"]["findings_truncated"]["whole"]
        assert health["sources"] == whole["sources"]


def test_without_a_project_health_is_refused(db, home, reader) -> None:
    with pytest.raises(UnknownProject):
        context_health(reader)
