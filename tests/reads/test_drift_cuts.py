"""What a drift answer leaves out for a limit or for its budget is told, and can be reached."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphapi.reads.budget import size
from graphapi.reads.scope import get_scope
from tests.reads.deliveries import delivery, departed, held, ids, story

LISTS = ("departures", "done_without_record", "unruled", "no_criteria_declared", "clean")


def drift(reader: Any, **arguments: Any) -> dict[str, Any]:
    return get_scope(reader, question="drift", **arguments)


@pytest.fixture
def many(repo, project, ingest) -> None:
    """Twelve items on every list, with texts of several alphabets."""
    for n in range(12):
        story(repo, f"STORY-1{n:02}", "a", title=f"Кран и причал {n} " + "ж" * 40)
        delivery(repo, f"DEL-1{n:02}", f"STORY-1{n:02}", departed(1, text="水" * 60), at=f"2026-02-{n + 1:02}")
        story(repo, f"STORY-2{n:02}", "a")
        story(repo, f"STORY-3{n:02}", "a", "b")
        delivery(repo, f"DEL-3{n:02}", f"STORY-3{n:02}", held(1))
        story(repo, f"STORY-4{n:02}")
        delivery(repo, f"DEL-4{n:02}", f"STORY-4{n:02}", notes="What shipped. " * 8)
        story(repo, f"STORY-5{n:02}", "a")
        delivery(repo, f"DEL-5{n:02}", f"STORY-5{n:02}", held(1))
    repo.commit("ship")
    assert ingest().state == "green"


@pytest.mark.requirement("paging.scope-limit", "budget.cut-keys")
def test_a_limit_bounds_every_list_and_says_how_much_it_kept_out(many, reader) -> None:
    answer = drift(reader, limit=5)
    for name in LISTS:
        assert len(answer[name]) == 5
        told = answer[f"truncated_{name}"]
        assert (told["reason"], told["whole"], told["listed"]) == ("limit", 12, 5)
        assert told["note"]
    assert {answer["counts"][name] for name in LISTS} == {12}
    assert not [key for key in drift(reader) if key.startswith("truncated")]


@pytest.mark.requirement(
    "budget.report-keys", "budget.never-silent", "budget.whole-rows", "budget.cut-weakest-tail", "budget.every-read",
    "budget.not-mid-value",
)  # fmt: skip
def test_at_any_budget_whole_rows_are_served_and_the_rest_is_told(many, reader) -> None:
    whole = drift(reader)

    @settings(max_examples=25, deadline=None)
    @given(st.integers(4096, 40_000))
    def holds(budget: int) -> None:
        answer = drift(dataclasses.replace(reader, budget=budget))
        assert size(json.loads(json.dumps(answer))) <= budget
        for name in LISTS:
            told = answer.get(f"truncated_{name}")
            served = answer[name]
            assert served == whole[name][: len(served)]
            assert (told is None) == (len(served) == 12)
            if told:
                assert (told["whole"], told["listed"]) == (12, len(served))
        # A list is untouched while one that gives way before it still has a row.
        given_way = [len(answer[name]) for name in reversed(LISTS)]
        for first, then in zip(given_way, given_way[1:], strict=False):
            assert first == 0 or then == 12

    holds()


@pytest.mark.requirement("budget.cut-scope-reachable")
def test_windows_and_branches_read_what_a_cut_drift_left_out(many, reader) -> None:
    small = dataclasses.replace(reader, budget=4096)
    assert "truncated_departures" in drift(small)
    seen: list[str] = []
    for day in range(1, 13):
        part = drift(small, since=f"2026-02-{day:02}", until=f"2026-02-{day + 1:02}")
        assert "truncated_departures" not in part
        seen += ids(part["departures"])
    assert seen == ids(drift(reader)["departures"])
    assert ids(drift(small, artifact_id="STORY-511")["clean"]) == ["STORY-511"]
