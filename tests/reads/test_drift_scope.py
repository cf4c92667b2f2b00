"""What a drift answer is about: the declared branch or a project's own work, a window, deleted work where asked."""

from __future__ import annotations

from typing import Any

import pytest

from graphapi.domain.refusals import BadArguments, UnknownArtifact
from graphapi.ingest.passes import run_pass
from graphapi.models import LedgerEntry
from graphapi.reads.scope import get_scope
from tests.reads.deliveries import delivery, departed, held, ids, story
from tests.reads.model import Inferred


def drift(reader: Any, **arguments: Any) -> dict[str, Any]:
    return get_scope(reader, question="drift", **arguments)


@pytest.mark.requirement("drift.hierarchy")
def test_a_rooted_drift_counts_the_declared_branch_alone(repo, project, ingest, reader) -> None:
    repo.item("EPIC-001", "Names STORY-003.", type="epic", status="ready")
    repo.item("FEAT-001", type="feature", status="ready", parent="EPIC-001")
    story(repo, "STORY-001", "a", parent="FEAT-001")
    story(repo, "STORY-002", "a")
    story(repo, "STORY-003", "a", cited_sources=["EPIC-001"])
    for n in (1, 2, 3):
        delivery(repo, f"DEL-00{n}", f"STORY-00{n}", departed(1))
    repo.commit("ship")
    ingest()
    answer = drift(reader, artifact_id="EPIC-001")
    assert ids(answer["departures"]) == ["STORY-001"]
    assert answer["scope"] == {"artifact_id": "EPIC-001", "members": 3}
    assert ids(drift(reader)["departures"]) == ["STORY-001", "STORY-002", "STORY-003"]
    assert drift(reader)["scope"] == {"whole": True}
    assert drift(reader, artifact_id="EPIC-001", depth=1)["departures"] == []
    assert drift(reader, artifact_id="EPIC-001", depth=1)["scope"] == {
        "artifact_id": "EPIC-001", "depth": 1, "members": 2,
    }  # fmt: skip


def test_an_unknown_root_is_refused(repo, project, ingest, reader) -> None:
    ingest()
    with pytest.raises(UnknownArtifact):
        drift(reader, artifact_id="STORY-404")


@pytest.mark.requirement("drift.window-delivery")
def test_a_delivery_counts_by_the_time_its_record_states(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "a")
    story(repo, "STORY-002", "a")
    delivery(repo, "DEL-001", "STORY-001", departed(1), at="2026-02-10T12:00:00Z")
    repo.commit("late", "2026-04-01")
    delivery(repo, "DEL-002", "STORY-002", departed(1), at="2026-05-20")
    repo.commit("early", "2026-02-11")
    ingest()
    answer = drift(reader, since="2026-02-01", until="2026-03-01")
    assert ids(answer["departures"]) == ["STORY-001"]
    assert answer["window"] == {"since": "2026-02-01T00:00:00Z", "until": "2026-03-01T00:00:00Z"}
    # Half open: the first moment is in the window, the last is not.
    assert ids(drift(reader, since="2026-02-10T12:00:00Z")["departures"]) == ["STORY-001", "STORY-002"]
    assert drift(reader, until="2026-02-10T12:00:00Z")["departures"] == []
    assert ids(drift(reader, artifact_id="STORY-001", since="2026-02-01")["departures"]) == ["STORY-001"]
    assert drift(reader, artifact_id="STORY-001", since="2026-03-01")["departures"] == []


def test_a_record_that_states_no_time_is_dated_by_git_and_says_so(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "a")
    delivery(repo, "DEL-001", "STORY-001", held(1), at=None)
    repo.commit("ship", "2026-02-11T10:00:00Z")
    ingest()
    row = drift(reader, since="2026-02-01", until="2026-03-01")["clean"][0]
    assert (row["delivered_at"], row["delivered_at_from"]) == ("2026-02-11T10:00:00Z", "git")


def test_an_item_is_judged_by_what_was_delivered_before_its_window_closed(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "a", "b")
    delivery(repo, "DEL-001", "STORY-001", held(1), at="2026-02-01")
    delivery(repo, "DEL-002", "STORY-001", held(2), at="2026-03-01")
    repo.commit("ship")
    ingest()
    assert ids(drift(reader, until="2026-02-15")["unruled"]) == ["STORY-001"]
    assert ids(drift(reader, since="2026-02-15")["clean"]) == ["STORY-001"]


@pytest.mark.requirement("drift.window-done")
@pytest.mark.parametrize(
    "step", ["action: done", "action: shipped", "action: status, to: done", "action: 'status:done'"]
)
def test_a_done_item_counts_by_the_flip_in_its_own_review_log(repo, project, ingest, reader, step) -> None:
    log = "[{at: 2026-02-10, action: approved}, {at: 2026-02-12T08:00:00Z, %s}]"
    story(repo, "STORY-001", "a", review_log=log % step)
    story(repo, "STORY-002", "a", review_log=log % "action: status, to: parked")
    story(repo, "STORY-003", "a")
    repo.commit("flip", "2026-06-01")
    ingest()
    answer = drift(reader, since="2026-02-12", until="2026-02-13")
    assert ids(answer["done_without_record"]) == ["STORY-001"]
    assert answer["done_without_record"][0]["done_at"] == "2026-02-12T08:00:00Z"
    # No step of theirs leads to done, so no window can hold them; how many is said.
    assert answer["undated"] == {"done_without_record": 2}
    assert drift(reader, since="2026-02-13")["done_without_record"] == []
    assert drift(reader, until="2026-02-12T08:00:00Z")["done_without_record"] == []
    assert "undated" not in drift(reader)


def test_a_record_outside_the_window_is_a_record_all_the_same(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "a", review_log="[{at: 2026-02-12, action: done}]")
    delivery(repo, "DEL-001", "STORY-001", held(1), at="2026-05-01")
    repo.commit("ship")
    ingest()
    answer = drift(reader, since="2026-02-01", until="2026-03-01")
    assert answer["done_without_record"] == answer["clean"] == []


@pytest.mark.requirement("deleted.include", "deleted.only", "deleted.marks", "deleted.clock-beside-date")
def test_deleted_work_is_out_of_drift_until_asked_for(repo, project, ingest, reader) -> None:
    for n in (1, 2, 3):
        story(repo, f"STORY-00{n}", "a")
        delivery(repo, f"DEL-00{n}", f"STORY-00{n}", departed(1))
    repo.commit("ship")
    ingest()
    (repo.root / "backlog/STORY-002.md").unlink()
    (repo.root / "deliveries/DEL-003.md").unlink()
    repo.commit("withdraw", "2026-06-01")
    ingest()
    answer = drift(reader)
    assert ids(answer["departures"]) == ["STORY-001"]
    assert ids(answer["done_without_record"]) == ["STORY-003"]
    rows = drift(reader, deleted="include")["departures"]
    assert ids(rows) == ["STORY-001", "STORY-002", "STORY-003"]
    assert [row.get("deleted", False) for row in rows] == [False, True, False]
    assert (rows[1]["deleted_at"], rows[1]["deleted_clock"]) == ("2026-06-01T00:00:00Z", "source-declared")
    assert [row.get("record_deleted", False) for row in rows] == [False, False, True]
    assert ids(drift(reader, deleted="only")["departures"]) == ["STORY-002", "STORY-003"]
    assert ids(drift(reader, artifact_id="STORY-002", deleted="only")["departures"]) == ["STORY-002"]
    assert drift(reader, artifact_id="STORY-002")["departures"] == []
    assert drift(reader, artifact_id="STORY-002")["scope"]["deleted"] is True


@pytest.mark.requirement("projects.rooted-scope-reaches-imports", "projects.whole-scope-own-only")
def test_a_rooted_drift_reaches_imports_and_a_whole_one_does_not(another, store, reader) -> None:
    engine, theirs = another("engine")
    product, ours = another("product", imports=[engine], default=True)
    ours.item("EPIC-001", type="epic")
    story(ours, "STORY-001", "a", parent="EPIC-001")
    delivery(ours, "DEL-001", "STORY-001", departed(1))
    ours.commit("ours")
    story(theirs, "STORY-900", "a", parent="EPIC-001")
    delivery(theirs, "DEL-900", "STORY-900", departed(1))
    theirs.commit("theirs")
    for each in (engine, product):
        assert run_pass(each, store).state == "green"
    rooted = drift(reader, artifact_id="EPIC-001")
    assert [(r["artifact_id"], r["project"]) for r in rooted["departures"]] == [
        ("STORY-001", "product"), ("STORY-900", "engine"),
    ]  # fmt: skip
    assert (rooted["project"], rooted["scope"]["members"]) == ("product", 3)
    assert ids(drift(reader)["departures"]) == ["STORY-001"]
    both = drift(reader, projects=["product", "engine"])
    assert ids(both["departures"]) == ["STORY-001", "STORY-900"]
    assert both["projects"] == ["product", "engine"]
    assert ids(drift(reader, project="engine")["departures"]) == ["STORY-900"]


@pytest.mark.requirement("lite.stated-half")
def test_a_full_instance_serves_the_same_drift(repo, project, ingest, reader, store) -> None:
    story(repo, "STORY-001", "a")
    delivery(repo, "DEL-001", "STORY-001", departed(1))
    repo.commit("ship")
    ingest()
    full = type(reader)(store, inferences=Inferred())
    assert drift(full) == drift(reader)


@pytest.mark.parametrize("wrong", [{"deleted": "yes"}, {"limit": 0}, {"limit": 1001}, {"since": "03/04/2026"}])
@pytest.mark.requirement("deleted.other-values-refused")
def test_a_value_that_an_argument_does_not_take_is_refused(repo, project, ingest, reader, wrong) -> None:
    with pytest.raises(BadArguments) as refused:
        drift(reader, **wrong)
    assert next(iter(wrong)) in refused.value.detail


def test_records_that_nothing_dates_are_counted_beside_a_window(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "a")
    delivery(repo, "DEL-001", "STORY-001", held(1))
    repo.commit("ship")
    delivery(repo, "DEL-002", "STORY-001", departed(1), at=None)
    ingest()
    assert LedgerEntry.objects.get(artifact_id="DEL-002").source_created_at is None
    assert drift(reader, since="2026-01-01")["undated"] == {"deliveries": 1}
    assert drift(reader, since="2026-01-01", artifact_id="STORY-001")["undated"] == {"deliveries": 1}
    assert ids(drift(reader)["departures"]) == ["STORY-001"]
