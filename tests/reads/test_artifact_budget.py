"""An artifact's answer within its budget: what gives way first, and that all of it is told (004 section 5)."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphapi.reads.artifact import get_artifact
from graphapi.reads.budget import size
from graphapi.reads.inferences import InferredEdge
from graphapi.reads.reader import Reader
from tests.reads.model import Inferred

requirement = pytest.mark.requirement
LONG = "Lange Wörter über Häfen "


@pytest.fixture
def rich(repo, ingest, reader):
    """A story with a lot of each: links of both kinds, history, change notes, metadata, criteria, a body."""
    log = "".join(f"- {{at: 2026-01-{n:02}, action: a{n}, reason: {LONG * 3}}}\n" for n in range(1, 31))
    criteria = "## Acceptance criteria\n\n" + "".join(f"- Criterion {n} {LONG}\n" for n in range(20))
    for n in range(40):
        repo.item(f"CONV-{n}", folder="conversations", title=f"{LONG} {n}")
    for n in range(12):
        block = f"id: STORY-1\ntitle: One\nowner: ada\nnotes_of_ours: {LONG * 10}\nsize: 3\n"
        cited = ", ".join(f"CONV-{c}" for c in range(40))
        body = f"{criteria}\n{LONG * 60} Version {n}\n"
        repo.write("backlog/STORY-1.md", f"---\n{block}cited_sources: [{cited}]\nreview_log:\n{log}---\n\n{body}")
        repo.commit(f"Change {n}: {LONG}", f"2026-02-{n + 1:02}")
    repo.item("DEC-1", folder="decisions", revises=["STORY-1"])
    repo.commit()
    ingest()
    edges = [InferredEdge(f"k{n}", "STORY-1", f"CONV-{n}", "about", f"{LONG} {n}") for n in range(20)]
    return dataclasses.replace(reader, inferences=Inferred(read=edges, paragraphs={"STORY-1": LONG}), budget=10**6)


def full(reader: Reader, budget: int = 10**6):
    return get_artifact(dataclasses.replace(reader, budget=budget), artifact_id="STORY-1", history_after="")


def brief(reader: Reader, budget: int = 10**6):
    return get_artifact(dataclasses.replace(reader, budget=budget), artifact_id="STORY-1")


def left(answer) -> dict[str, int]:
    """How much of each collection is there, in the order in which they give way."""
    stated = answer["deterministic_links"]
    return {
        "inferred links": len(answer["links"]) - stated,
        "history page": len(answer["history_entries"]),
        "change notes": len(answer["source_change_notes"]),
        "declared links": stated,
        "own words": len(answer["body"]) + len(answer["acceptance_criteria"]),
    }


@requirement("budget.artifact-order")
@requirement("budget.stated-survives")
def test_each_collection_is_whole_until_the_one_before_it_is_gone(rich) -> None:
    whole = left(full(rich))
    assert min(whole.values()) > 10
    touched: set[str] = set()
    for budget in range(size(full(rich)) + 100, 3000, -400):
        now = left(full(rich, budget))
        names = list(whole)
        for at, name in enumerate(names):
            if now[name] < whole[name]:
                touched.add(name)
                assert all(now[before] == 0 for before in names[:at]), (budget, now)
    assert touched == set(whole), "every collection was cut on the way down"


@requirement("budget.artifact-notes")
def test_of_the_change_notes_the_oldest_are_cut(rich) -> None:
    whole = full(rich)["source_change_notes"]
    for budget in range(size(full(rich)), 3000, -200):
        cut = full(rich, budget)
        if 0 < len(cut["source_change_notes"]) < len(whole):
            break
    assert cut["source_change_notes"] == whole[: len(cut["source_change_notes"])]
    assert cut["source_change_notes"][0]["subject"].startswith("Change 11")
    report = cut["source_change_notes_truncated"]
    assert (report["whole"], report["listed"]) == (len(whole), len(cut["source_change_notes"]))


_LISTS = {
    "links": "links_truncated",
    "history_entries": "history_entries_truncated",
    "source_change_notes": "source_change_notes_truncated",
    "acceptance_criteria": "acceptance_criteria_truncated",
}


@requirement("budget.every-read")
@requirement("budget.whole-rows")
@requirement("budget.not-mid-value")
@requirement("budget.never-silent")
@requirement("budget.report-keys")
@requirement("budget.cut-keys")
def test_at_any_budget_the_record_fits_and_all_that_is_missing_is_told(rich) -> None:
    whole = full(rich)
    assert not [key for key in whole if "truncated" in key]

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(4096, 30_000))
    def holds(budget: int) -> None:
        cut = full(rich, budget)
        assert size(cut) <= budget
        for key, report in _LISTS.items():
            assert cut[key] == whole[key][: len(cut[key])]
            told = cut.get(report, {"whole": len(whole[key]), "listed": len(whole[key])})
            assert (told["whole"], told["listed"]) == (len(whole[key]), len(cut[key])), key
        assert whole["body"].startswith(cut["body"])
        assert (cut["body"] == whole["body"]) == ("body_truncated" not in cut)
        gone = whole["metadata"].keys() - cut["metadata"].keys()
        assert len(gone) == cut.get("metadata_truncated", {"whole": 0, "listed": 0})["whole"] - (
            len(cut["metadata"]) if gone else 0
        )
        for key in ("title", "revised_by", "history_total", "freshness", "status"):
            assert cut[key] == whole[key]
        for key, report in cut.items():
            if "truncated" in key:
                assert {"reason", "whole", "listed", "note"} <= report.keys()
                assert report["listed"] < report["whole"]

    holds()


@requirement("budget.every-read")
@requirement("budget.never-silent")
@requirement("artifact.brief-body-cut")
def test_at_any_budget_the_brief_fits_and_keeps_its_marks(rich) -> None:
    whole = brief(rich)

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(1500, 8000))
    def holds(budget: int) -> None:
        cut = brief(rich, budget)
        assert size(cut) <= budget
        assert whole["body"].startswith(cut["body"])
        listed = sum(map(len, cut["declared_links"].values()))
        told = cut.get("declared_links_truncated", {"whole": 40, "listed": 40})
        assert (told["whole"], told["listed"]) == (40, listed)
        assert cut["revised_by"] == whole["revised_by"]
        assert cut["full_record"] == whole["full_record"]

    holds()


@requirement("budget.setting")
def test_the_setting_raises_the_budget(repo, ingest, instance_is, settings) -> None:
    from graphapi.reads.reader import instance_reader

    repo.item("STORY-1", LONG * 4000)
    repo.commit()
    ingest()
    settings.READ_BUDGET = 8192
    small = get_artifact(instance_reader(), artifact_id="STORY-1")
    settings.READ_BUDGET = 16384
    large = get_artifact(instance_reader(), artifact_id="STORY-1")
    assert 4096 < size(small) <= 8192 < size(large) <= 16384
    assert len(large["body"]) > len(small["body"])


@requirement("budget.cut-artifact-reachable")
def test_a_title_too_long_for_a_row_is_served_whole_by_its_id(repo, ingest, reader) -> None:
    from graphapi.reads.backlog import list_backlog

    repo.item("STORY-1", title="w" * 3000)
    repo.commit()
    ingest()
    (row,) = list_backlog(reader)["items"]
    assert "title" not in row
    assert (row["row_truncated"]["reason"], row["row_truncated"]["keys"]) == ("row-room", ["title"])
    assert get_artifact(reader, artifact_id="STORY-1")["title"] == "w" * 3000
