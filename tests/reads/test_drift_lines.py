"""What the lines of a drift answer say: verdicts as given, wording as quoted, nothing settled that nobody settled."""

from __future__ import annotations

from typing import Any

import pytest

from graphapi.reads.scope import get_scope
from tests.reads.deliveries import delivery, departed, held, ids, story

LISTS = ("departures", "done_without_record", "unruled", "no_criteria_declared", "clean")


def drift(reader: Any, **arguments: Any) -> dict[str, Any]:
    return get_scope(reader, question="drift", **arguments)


@pytest.mark.requirement("drift.verdicts-given", "drift.provenance", "catalogue.get-scope-questions")
def test_a_departure_is_served_as_whoever_shipped_gave_it(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "first", "second")
    delivery(repo, "DEL-001", "STORY-001", held(1), departed(2, text="as quoted", reason="too dear"))
    repo.commit("ship")
    ingest()
    answer = drift(reader)
    assert answer["provenance"] == {"inferred": False}
    assert answer["departures"] == [{
        "artifact_id": "STORY-001", "title": "Title of STORY-001", "status": "done", "record": "DEL-001",
        "delivered_at": "2026-02-01T09:00:00Z", "criterion": 2, "text": "as quoted", "verdict": "departed",
        "reason": "too dear", "decided_by": "ada",
    }]  # fmt: skip
    assert answer["counts"]["departures"] == answer["counts"]["delivered"] == 1


@pytest.mark.requirement("drift.criteria-quoted")
def test_a_criterion_reworded_after_delivery_reads_as_it_was_quoted(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "the first wording")
    delivery(repo, "DEL-001", "STORY-001", departed(1, text="the first wording"))
    repo.commit("ship")
    ingest()
    story(repo, "STORY-001", "another wording")
    repo.commit("reword")
    ingest()
    assert [row["text"] for row in drift(reader)["departures"]] == ["the first wording"]


@pytest.mark.requirement("drift.record-link")
def test_a_record_that_only_names_a_story_counts_for_nothing(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "first")
    story(repo, "STORY-002", "first")
    delivery(repo, "DEL-001", "STORY-002", departed(1), notes="not STORY-001", body="This helps STORY-001 as well.")
    repo.commit("ship")
    ingest()
    answer = drift(reader)
    assert ids(answer["departures"]) == ["STORY-002"]
    assert ids(answer["done_without_record"]) == ["STORY-001"]


@pytest.mark.requirement("drift.clean")
def test_clean_is_every_declared_criterion_ruled_and_held(repo, project, ingest, reader) -> None:
    for n, verdicts in enumerate(([held(1), held(2), held(3)], [held(1), held(2)], [held(1), held(2), departed(3)]), 1):
        story(repo, f"STORY-00{n}", "a", "b", "c")
        delivery(repo, f"DEL-00{n}", f"STORY-00{n}", *verdicts)
    repo.commit("ship")
    ingest()
    answer = drift(reader)
    assert ids(answer["clean"]) == ["STORY-001"]
    assert answer["clean"][0]["criteria"] == 3
    assert [(r["artifact_id"], r["record"], r["criteria"]) for r in answer["unruled"]] == [
        ("STORY-002", "DEL-002", [3])
    ]
    assert ids(answer["departures"]) == ["STORY-003"]


@pytest.mark.requirement("drift.done-without-record")
def test_a_done_item_without_a_record_is_listed_with_no_cause(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "a", review_log="[{at: 2026-01-05, action: done}]")
    story(repo, "STORY-002", "a", status="ready")
    repo.commit("flip")
    ingest()
    answer = drift(reader)
    assert answer["done_without_record"] == [
        {"artifact_id": "STORY-001", "title": "Title of STORY-001", "status": "done", "done_at": "2026-01-05T00:00:00Z"}
    ]
    assert all(not answer[name] for name in LISTS if name != "done_without_record")


@pytest.mark.requirement("drift.no-criteria", "drift.no-criteria-departures")
def test_a_delivery_against_no_declared_criteria_rules_nothing(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001")
    delivery(repo, "DEL-001", "STORY-001", held(1), departed(2), notes="what went out")
    repo.commit("ship")
    ingest()
    answer = drift(reader)
    row = answer["no_criteria_declared"][0]
    assert (row["artifact_id"], row["record"], row["shipped"]) == ("STORY-001", "DEL-001", "what went out")
    assert answer["clean"] == answer["unruled"] == []
    assert [(r["criterion"], r["criterion_declared"]) for r in answer["departures"]] == [(2, False)]


def test_a_criteria_heading_that_yields_none_says_so(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "## Acceptance criteria\n\nIn one paragraph.", type="story", status="done")
    delivery(repo, "DEL-001", "STORY-001", held(1))
    repo.commit("ship")
    ingest()
    assert drift(reader)["no_criteria_declared"][0]["criteria_unparsed"] is True


def test_a_later_record_settles_a_criterion_and_the_departure_stays_on_record(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "a", "b")
    delivery(repo, "DEL-002", "STORY-001", held(1), departed(2), at="2026-02-01")
    delivery(repo, "DEL-001", "STORY-001", held(2), at="2026-03-01")
    story(repo, "STORY-002", "a")
    delivery(repo, "DEL-003", "STORY-002", held(1), at="2026-02-01")
    delivery(repo, "DEL-004", "STORY-002", departed(1), at="2026-03-01")
    repo.commit("ship")
    ingest()
    answer = drift(reader)
    assert ids(answer["clean"]) == ["STORY-001"]
    assert [(r["record"], r.get("held_later")) for r in answer["departures"]] == [
        ("DEL-002", "DEL-001"),
        ("DEL-004", None),
    ]


def test_two_records_that_rule_half_each_make_a_clean_item(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "a", "b")
    delivery(repo, "DEL-001", "STORY-001", held(1))
    delivery(repo, "DEL-002", "STORY-001", held(2), at="2026-03-01")
    repo.commit("ship")
    ingest()
    answer = drift(reader)
    assert ids(answer["clean"]) == ["STORY-001"]
    assert answer["counts"]["delivered"] == 1


@pytest.mark.parametrize("odd", [held(1) | {"verdict": "mostly"}, held(1) | {"criterion": "the first"}])
def test_a_verdict_of_another_word_or_without_a_position_rules_nothing(repo, project, ingest, reader, odd) -> None:
    story(repo, "STORY-001", "a")
    delivery(repo, "DEL-001", "STORY-001", odd)
    repo.commit("ship")
    ingest()
    answer = drift(reader)
    assert answer["clean"] == answer["departures"] == []
    assert answer["unruled"][0]["criteria"] == [1]


def test_a_record_that_says_both_of_one_criterion_is_not_clean(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "a")
    delivery(repo, "DEL-001", "STORY-001", departed(1), held(1))
    delivery(repo, "DEL-002", "STORY-001", departed(1), held(1), at="2026-03-01")
    repo.commit("ship")
    ingest()
    answer = drift(reader)
    assert answer["clean"] == []
    assert [row["record"] for row in answer["departures"]] == ["DEL-001", "DEL-002"]
    assert not any("held_later" in row for row in answer["departures"])


def test_a_departure_from_no_position_is_no_declared_criterion(repo, project, ingest, reader) -> None:
    story(repo, "STORY-001", "a")
    delivery(repo, "DEL-001", "STORY-001", held(1), departed("the colour"))
    repo.commit("ship")
    ingest()
    answer = drift(reader)
    assert answer["clean"] == []
    assert [(r["criterion"], r["criterion_declared"]) for r in answer["departures"]] == [("the colour", False)]


def test_what_a_withheld_story_declares_is_not_judged(repo, project, ingest, reader) -> None:
    config = (repo.root / "revetly.toml").read_text() + '[extraction]\nwithhold = ["backlog/STORY-001.md"]\n'
    repo.write("revetly.toml", config)
    story(repo, "STORY-001", "a")
    delivery(repo, "DEL-001", "STORY-001", held(1))
    repo.commit("ship")
    ingest()
    answer = drift(reader)
    assert answer["clean"] == []
    assert [(r["artifact_id"], r["criteria"], r["withheld"]) for r in answer["unruled"]] == [("STORY-001", [], True)]


CRITERIA = "\n## Acceptance criteria\n\n"


@pytest.mark.requirement("drift.clean")
@pytest.mark.requirement("drift.verdicts-given")
def test_a_verdict_is_on_the_criterion_it_quotes_wherever_that_stands_now(repo, ingest, reader) -> None:
    repo.item("STORY-1", f"{CRITERIA}- two\n- one\n", status="done")
    first = "[{criterion: 1, text: one, verdict: held}, {criterion: 2, text: two, verdict: departed, reason: r}]"
    repo.item("DEL-1", folder="deliveries", delivers=["STORY-1"], delivered_at="2026-01-10", verdicts=first)
    later = "[{criterion: 2, text: one, verdict: held}]"
    repo.item("DEL-2", folder="deliveries", delivers=["STORY-1"], delivered_at="2026-01-20", verdicts=later)
    repo.commit()
    ingest()
    drift = get_scope(reader, question="drift")
    assert drift["clean"] == []
    (departure,) = drift["departures"]
    assert (departure["text"], "held_later" in departure) == ("two", False)


@pytest.mark.requirement("drift.criteria-quoted")
def test_a_verdict_on_a_criterion_that_is_gone_rules_none_that_is_left(repo, ingest, reader) -> None:
    repo.item("STORY-1", f"{CRITERIA}- new\n- two\n", status="done")
    verdicts = "[{criterion: 1, text: two, verdict: held}, {criterion: 2, text: gone, verdict: held}]"
    repo.item("DEL-1", folder="deliveries", delivers=["STORY-1"], delivered_at="2026-01-10", verdicts=verdicts)
    repo.item("STORY-2", f"{CRITERIA}- reworded since\n", status="done")
    verdicts = "[{criterion: 1, text: as it was, verdict: held}]"
    repo.item("DEL-2", folder="deliveries", delivers=["STORY-2"], delivered_at="2026-01-10", verdicts=verdicts)
    repo.commit()
    ingest()
    drift = get_scope(reader, question="drift")
    assert [(row["artifact_id"], row["criteria"]) for row in drift["unruled"]] == [("STORY-1", [1])]
    assert [row["artifact_id"] for row in drift["clean"]] == ["STORY-2"]
