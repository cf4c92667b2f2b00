"""Fitting an answer to its bytes: whole rows, in order, and told."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphapi.reads.budget import Fields, Map, Rows, Words, cut, fit, listed_within, size, tell


def answer_of(rows: int = 10, width: int = 50) -> dict[str, Any]:
    return {"rows": [{"n": n, "text": "é" * width} for n in range(rows)], "freshness": {"oldest_read_at": None}}


@pytest.mark.requirement("budget.default")
def test_bytes_are_those_of_compact_json_in_utf_8() -> None:
    value = {"title": "søknad ✓", "n": [1, 2]}
    assert size(value) == len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def test_an_answer_that_fits_is_left_as_it_is() -> None:
    answer = answer_of()
    before = copy.deepcopy(answer)
    assert fit(answer, size(answer), [Rows(answer["rows"], answer, "truncated")]) == before


@pytest.mark.requirement("budget.whole-rows")
@pytest.mark.requirement("budget.cut-keys")
def test_rows_go_whole_from_the_end_and_the_report_counts_them() -> None:
    answer = answer_of()
    whole = copy.deepcopy(answer["rows"])
    fit(answer, 600, [Rows(answer["rows"], answer, "truncated")])
    assert 0 < len(answer["rows"]) < 10
    assert answer["rows"] == whole[: len(answer["rows"])]
    report = answer["truncated"]
    assert (report["reason"], report["whole"], report["listed"]) == ("read-budget", 10, len(answer["rows"]))
    assert report["note"] and size(answer) <= 600


def test_what_is_cut_from_the_front_are_the_oldest() -> None:
    answer = answer_of()
    fit(answer, 600, [Rows(answer["rows"], answer, "cut", from_front=True)])
    assert answer["rows"][-1]["n"] == 9 and answer["rows"][0]["n"] > 0


def test_a_later_shelf_is_whole_until_the_one_before_it_is_empty() -> None:
    answer = {"first": ["x" * 40] * 5, "second": ["y" * 40] * 5}
    for budget in range(60, 480, 7):
        tried = copy.deepcopy(answer)
        fit(tried, budget, [Rows(tried["first"], tried, "a"), Rows(tried["second"], tried, "b")])
        assert len(tried.get("second", ())) == 5 or not tried.get("first")


@pytest.mark.requirement("cap.both-reasons")
def test_two_reasons_for_one_shelf_are_named_each_with_its_count() -> None:
    holder: dict[str, Any] = {}
    tell(holder, "truncated_facts", "inferred-cap", 30, 20, "inferred='all' reads them")
    tell(holder, "truncated_facts", "read-budget", 8, 12, "narrow")
    assert holder["truncated_facts"] == {
        "reason": "inferred-cap", "whole": 50, "listed": 12, "note": "inferred='all' reads them",
        "reasons": {"inferred-cap": 30, "read-budget": 8},
    }  # fmt: skip


def test_telling_the_same_reason_twice_adds_up_and_nothing_is_told_of_nothing() -> None:
    holder: dict[str, Any] = {}
    tell(holder, "truncated", "read-budget", 0, 5, "narrow")
    assert holder == {}
    tell(holder, "truncated", "read-budget", 2, 8, "narrow")
    tell(holder, "truncated", "read-budget", 3, 5, "narrow")
    assert holder["truncated"] == cut("read-budget", 10, 5, "narrow")


@pytest.mark.requirement("artifact.brief-body-cut")
def test_a_body_is_cut_to_its_head_and_the_report_says_how_much_there_is() -> None:
    body = "Ærlig talt, " * 400
    answer: dict[str, Any] = {"artifact_id": "STORY-001", "body": body}
    fit(answer, 1000, [Words(answer, "body", "body_truncated")])
    assert body.startswith(answer["body"]) and 700 < len(answer["body"]) < len(body)
    assert answer["body_truncated"]["whole"] == len(body)
    assert answer["body_truncated"]["listed"] == len(answer["body"])
    assert size(answer) <= 1000


def test_a_map_of_links_gives_way_id_by_id_and_whole_values_by_size() -> None:
    answer: dict[str, Any] = {"links": {"cites": ["A-1", "A-2"], "parent": ["E-1"]}, "meta": {"a": "x" * 500, "b": "y"}}
    fit(answer, 250, [Fields(answer["meta"], answer, "meta_truncated")])
    assert answer["meta"] == {"b": "y"}
    before = size(answer)
    answer["links"]["cites"] += [f"A-{n}" for n in range(3, 40)]
    fit(answer, before + 150, [Map(answer["links"], answer, "links_truncated")])
    assert list(answer["links"]) == ["cites"] and answer["links"]["cites"][:2] == ["A-1", "A-2"]
    assert answer["links_truncated"]["whole"] == 40


@pytest.mark.requirement("budget.never-silent")
def test_what_no_shelf_can_give_back_is_left_out_whole_and_named() -> None:
    answer = {"artifact_id": "X-1", "title": "t" * 9000, "status": "done", "freshness": {"oldest_read_at": None}}
    fit(answer, 4096, [])
    assert "title" not in answer and answer["status"] == "done" and answer["artifact_id"] == "X-1"
    assert answer["values_truncated"]["keys"] == ["title"]


def test_a_share_of_the_budget_is_counted_in_whole_rows() -> None:
    rows = ["abc"] * 10
    assert listed_within(rows, size(rows)) == 10
    assert listed_within(rows, size(rows) - 2) == 9
    assert listed_within(rows, 3) == 0


texts = st.text(max_size=80)


@pytest.mark.requirement("budget.not-mid-value")
@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(texts, max_size=40), facts=st.lists(texts, max_size=20), body=st.text(max_size=3000),
    links=st.dictionaries(st.sampled_from(["cites", "parent", "x"]), st.lists(texts, min_size=1, max_size=9)),
    budget=st.integers(500, 4000),
)  # fmt: skip
def test_no_answer_exceeds_its_budget_and_nothing_goes_missing_untold(rows, facts, body, links, budget) -> None:
    answer = {"rows": list(rows), "facts": list(facts), "links": {k: list(v) for k, v in links.items()}, "body": body}
    shelves = [
        Rows(answer["facts"], answer, "facts_truncated"), Rows(answer["rows"], answer, "truncated"),
        Map(answer["links"], answer, "links_truncated"), Words(answer, "body", "body_truncated"),
    ]  # fmt: skip
    fit(answer, budget, shelves)
    assert size(answer) <= budget
    for key, report, whole in (("rows", "truncated", rows), ("facts", "facts_truncated", facts)):
        assert answer[key] == whole[: len(answer[key])]
        assert answer.get(report, {"whole": len(answer[key])})["whole"] == len(whole)
        assert (report in answer) == (len(answer[key]) < len(whole))
    assert body.startswith(answer["body"]) and ("body_truncated" in answer) == (answer["body"] != body)
    served = sum(map(len, answer["links"].values()))
    assert ("links_truncated" in answer) == (served < sum(map(len, links.values())))


def test_stamps_give_way_last_of_all_and_are_named_too() -> None:
    history = {"floors": {f"commits/r{n}": "2026-01-01" for n in range(400)}}
    answer: dict[str, Any] = {
        "artifact_id": "X-1",
        "title": "t",
        "freshness": {"oldest_read_at": None},
        "history": history,
    }
    fit(answer, 4096, [])
    assert size(answer) <= 4096 and answer["artifact_id"] == "X-1" and "freshness" in answer
    assert set(answer["values_truncated"]["keys"]) == {"title", "history"}
