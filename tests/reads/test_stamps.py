"""What every answer says of its own age: freshness, history, context_health, withheld."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from graphapi.access.caller import ANYBODY
from graphapi.models import TREE, IngestPass, LedgerEntry, Project, SourceState
from graphapi.reads.reach import reach_of
from graphapi.reads.stamps import stamps
from graphapi.store.locks import project_lock, watch_mark

NINE, ELEVEN = datetime(2026, 3, 1, 9, tzinfo=UTC), datetime(2026, 3, 1, 11, tzinfo=UTC)


@pytest.fixture
def own(db: None, home: Any) -> Project:
    return Project.objects.create(name="own", namespace="own", root="/own")


def source(project: Project, name: str, **values: Any) -> SourceState:
    return SourceState.objects.create(project=project, source=name, **({"last_read_at": NINE} | values))


def ended(project: Project, state: str, **values: Any) -> IngestPass:
    return IngestPass.objects.create(project=project, state=state, started_at=NINE, finished_at=ELEVEN, **values)


def stamped(**named: Any) -> dict[str, Any]:
    return stamps(reach_of(ANYBODY, **named))


@pytest.mark.requirement("freshness.oldest-source")
def test_freshness_is_the_earliest_of_the_sources_last_reads(own: Project) -> None:
    source(own, "notes", last_read_at=ELEVEN)
    source(own, "backlog", last_read_at=NINE)
    source(own, TREE, last_read_at=datetime(2020, 1, 1, tzinfo=UTC))
    assert stamped()["freshness"] == {"oldest_read_at": "2026-03-01T09:00:00Z", "watching": False}


def test_a_source_that_was_never_read_leaves_no_time_to_give(own: Project) -> None:
    source(own, "notes", last_read_at=ELEVEN)
    source(own, "backlog", last_read_at=None, failed=True)
    assert stamped()["freshness"]["oldest_read_at"] is None


@pytest.mark.requirement("freshness.watch")
def test_freshness_says_whether_watch_runs(own: Project) -> None:
    with watch_mark(own):
        assert stamped()["freshness"]["watching"] is True
    assert stamped()["freshness"]["watching"] is False


@pytest.mark.requirement("freshness.not-a-warning")
def test_an_old_read_and_a_fresh_one_have_the_same_keys(own: Project) -> None:
    state = source(own, "notes", last_read_at=datetime.now(UTC))
    fresh = stamped()
    state.last_read_at = datetime(2020, 1, 1, tzinfo=UTC)
    state.save()
    old = stamped()
    assert set(fresh) == set(old) == {"freshness"}
    assert set(fresh["freshness"]) == set(old["freshness"]) == {"oldest_read_at", "watching"}


@pytest.mark.requirement("history.present-with-floor")
@pytest.mark.requirement("history.floors")
@pytest.mark.requirement("history.only-when-true")
def test_history_is_there_where_a_source_has_a_floor_and_holds_what_is_true(own: Project) -> None:
    source(own, "notes")
    assert "history" not in stamped()
    source(own, "commits/acme-app", floor=date(2026, 7, 6))
    assert stamped()["history"] == {"floors": {"commits/acme-app": "2026-07-06"}}


@pytest.mark.requirement("history.gaps")
@pytest.mark.requirement("history.partial")
def test_history_names_gaps_and_unfinished_backfills(own: Project) -> None:
    source(own, "commits/acme-app", floor=date(2026, 7, 6), gaps=["2026-08-01/2026-08-30"])
    source(own, "todoist", floor=date(2025, 1, 1), partial=True)
    assert stamped()["history"] == {
        "floors": {"commits/acme-app": "2026-07-06", "todoist": "2025-01-01"},
        "gaps": {"commits/acme-app": ["2026-08-01/2026-08-30"]},
        "partial": ["todoist"],
    }


@pytest.mark.requirement("freshness.health-key-after-failure")
@pytest.mark.requirement("freshness.health-key-absent")
def test_context_health_is_there_after_a_failed_pass_and_goes_when_one_lands(own: Project) -> None:
    ended(own, "green")
    assert "context_health" not in stamped()
    failed = ended(own, "failed", error="the disk is full")
    health = stamped()["context_health"]
    assert (health["last_pass"], health["handle"]) == ("failed", failed.handle)
    assert "before that pass" in health["serves"]
    ended(own, "amber")
    assert "context_health" not in stamped()


def test_a_pass_whose_process_died_counts_as_failed_and_one_that_runs_does_not(own: Project) -> None:
    ended(own, "green")
    IngestPass.objects.create(project=own, state="running", started_at=ELEVEN)
    with project_lock(own):
        assert "context_health" not in stamped()
    assert stamped()["context_health"]["last_pass"] == "failed"


def test_while_a_pass_runs_the_failure_before_it_is_still_what_is_served(own: Project) -> None:
    failed = ended(own, "failed")
    IngestPass.objects.create(project=own, state="running", started_at=ELEVEN)
    IngestPass.objects.create(project=own, state="queued")
    with project_lock(own):
        assert stamped()["context_health"]["handle"] == failed.handle


@pytest.mark.requirement("freshness.own-sources-only")
@pytest.mark.requirement("history.own-project-only")
def test_an_imports_age_floors_and_failures_are_its_own(own: Project) -> None:
    other = Project.objects.create(name="other", namespace="other", root="/other")
    own.imports.add(other)
    source(own, "notes", last_read_at=ELEVEN)
    source(other, "notes", last_read_at=datetime(2025, 1, 1, tzinfo=UTC), floor=date(2024, 1, 1))
    ended(other, "failed")
    assert stamped(project="own") == {"freshness": {"oldest_read_at": "2026-03-01T11:00:00Z", "watching": False}}


@pytest.mark.requirement("freshness.spanning-by-name")
def test_a_spanning_read_stamps_each_project_under_its_name(own: Project) -> None:
    other = Project.objects.create(name="other", namespace="other", root="/other")
    source(own, "notes", floor=date(2026, 1, 1))
    source(other, "notes", last_read_at=ELEVEN)
    ended(other, "failed")
    found = stamped(projects=["own", "other"])
    assert found["freshness"]["own"]["oldest_read_at"] == "2026-03-01T09:00:00Z"
    assert found["freshness"]["other"]["oldest_read_at"] == "2026-03-01T11:00:00Z"
    assert found["history"] == {"own": {"floors": {"notes": "2026-01-01"}}}
    assert list(found["context_health"]) == ["other"]


@pytest.mark.requirement("freshness.default-project")
def test_naming_none_stamps_the_default_project(own: Project) -> None:
    other = Project.objects.create(name="other", namespace="other", root="/other")
    source(own, "notes", last_read_at=NINE)
    source(other, "notes", last_read_at=ELEVEN)
    assert stamped()["freshness"]["oldest_read_at"] == "2026-03-01T09:00:00Z"


def withhold(project: Project, count: int) -> None:
    for n in range(count):
        LedgerEntry.objects.create(
            project=project, artifact_id=f"CONV-{n:03}", source="notes", kind="doc", version="", content_hash="",
            digest="", withheld=True, first_ingested_at=NINE, ingested_at=NINE,
        )  # fmt: skip


@pytest.mark.requirement("withheld.reported")
@pytest.mark.requirement("withheld.absent-when-none")
def test_withheld_artifacts_are_reported_with_the_reason_and_not_where_there_are_none(own: Project) -> None:
    assert "withheld" not in stamped()
    withhold(own, 2)
    found = stamped()["withheld"]
    assert (found["count"], found["artifacts"]) == (2, ["CONV-000", "CONV-001"])
    assert "never to be read by a model" in found["why"]


def test_many_withheld_artifacts_are_counted_whole_and_the_list_says_that_it_is_cut(own: Project) -> None:
    withhold(own, 14)
    found = stamped()["withheld"]
    assert (found["count"], len(found["artifacts"])) == (14, 10)
    assert (found["truncated"]["whole"], found["truncated"]["listed"]) == (14, 10)


def test_stamps_cost_a_fixed_number_of_queries(own: Project, django_assert_max_num_queries) -> None:
    for n in range(12):
        source(own, f"commits/r{n}", floor=date(2026, 1, 1))
    ended(own, "failed")
    withhold(own, 3)
    reach = reach_of(ANYBODY)
    with django_assert_max_num_queries(4):
        stamps(reach)
