"""What a deltas answer is about, and what it leaves out for a limit or for its budget (004 section 2b, deltas)."""

from __future__ import annotations

import dataclasses
import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphapi.domain.dates import as_text, parse_when
from graphapi.domain.refusals import BadArguments, UnknownArtifact
from graphapi.ingest.passes import run_pass
from graphapi.reads.budget import size
from graphapi.reads.scope import get_scope
from tests.reads.deliveries import ids


def deltas(reader: Any, **arguments: Any) -> dict[str, Any]:
    return get_scope(reader, question="deltas", **arguments)


def test_a_rooted_deltas_is_about_the_branch_and_what_is_tied_to_it(repo, project, ingest, reader) -> None:
    repo.item("EPIC-001", type="epic")
    repo.item("STORY-001", type="story", parent="EPIC-001", cited_sources=["STORY-002"])
    repo.item("STORY-002", type="story")
    repo.item("DEC-001", "About STORY-001.", folder="decisions")
    repo.item("DEC-002", "About STORY-002.", folder="decisions")
    repo.write("deliveries/DEL-001.md", "---\nid: DEL-001\ndelivers: STORY-001\n---\n")
    repo.commit("plan", "2026-02-01")
    ingest()
    answer = deltas(reader, artifact_id="EPIC-001")
    assert ids(answer["changes"]) == ["DEC-001", "DEL-001", "EPIC-001", "STORY-001"]
    assert answer["scope"] == {"artifact_id": "EPIC-001", "members": 2, "linked": 2}
    assert ids(deltas(reader, artifact_id="EPIC-001", depth=0)["changes"]) == ["EPIC-001"]
    whole = deltas(reader)
    assert len(whole["changes"]) == 6
    assert whole["scope"] == {"whole": True}


def test_a_deleted_child_and_a_deleted_note_are_changes_of_their_branch(repo, project, ingest, reader) -> None:
    repo.item("EPIC-001", type="epic")
    repo.item("STORY-001", type="story", parent="EPIC-001")
    repo.item("DEC-001", "About EPIC-001.", folder="decisions")
    repo.commit("plan", "2026-02-01")
    ingest()
    (repo.root / "backlog/STORY-001.md").unlink()
    (repo.root / "decisions/DEC-001.md").unlink()
    repo.commit("drop", "2026-02-10")
    ingest()
    answer = deltas(reader, artifact_id="EPIC-001", since="2026-02-02")
    assert [(r["artifact_id"], r["change"]) for r in answer["changes"]] == [
        ("DEC-001", "deleted"), ("STORY-001", "deleted"),
    ]  # fmt: skip
    assert answer["scope"] == {"artifact_id": "EPIC-001", "members": 1, "withdrawn_members": 1, "linked": 1}


@pytest.mark.requirement("projects.rooted-scope-reaches-imports", "projects.whole-scope-own-only")
def test_a_rooted_deltas_reaches_imports_and_a_whole_one_does_not(another, store, reader) -> None:
    engine, theirs = another("engine")
    product, ours = another("product", imports=[engine], default=True)
    ours.item("EPIC-001", type="epic", cited_sources=["STORY-900", "STORY-404"])
    ours.commit("ours", "2026-02-01")
    theirs.item("STORY-900", type="story", parent="EPIC-001")
    theirs.item("DEC-900", "On STORY-900.", folder="decisions")
    theirs.commit("theirs", "2026-02-02")
    for each in (engine, product):
        assert run_pass(each, store).state == "green"
    rooted = deltas(reader, artifact_id="EPIC-001")
    assert [(r["artifact_id"], r["project"]) for r in rooted["changes"]] == [
        ("EPIC-001", "product"), ("DEC-900", "engine"), ("STORY-900", "engine"),
    ]  # fmt: skip
    # An id that an imported project holds was ingested: it is no external one for who may read that project.
    assert rooted["external_references"] == {"count": 1}
    assert ids(deltas(reader)["changes"]) == ["EPIC-001"]
    assert deltas(reader)["counts"]["created"] == 1
    assert deltas(reader)["project"] == "product"
    both = deltas(reader, projects=["product", "engine"])
    assert ids(both["changes"]) == ["EPIC-001", "DEC-900", "STORY-900"]
    assert both["projects"] == ["product", "engine"]


@pytest.mark.requirement("projects.one-project-no-key", "catalogue.get-scope-questions")
def test_one_project_has_no_project_key_and_odd_arguments_are_refused(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", type="story")
    repo.commit("plan", "2026-02-01")
    ingest()
    assert '"project' not in json.dumps(deltas(reader))
    for argument in ({"topic": "x"}, {"path": "x"}, {"clock": "wall"}, {"since": "2026-02-02", "until": "2026-02-01"}):
        with pytest.raises(BadArguments) as refused:
            deltas(reader, **argument)
        assert next(iter(argument)) in refused.value.detail
    with pytest.raises(UnknownArtifact):
        deltas(reader, artifact_id="STORY-404")


@pytest.fixture
def eventful(repo, project, ingest) -> None:
    """A hundred and twenty changes, an hour apart, ten at a time, with titles of several alphabets."""
    for hour in range(12):
        for n in range(10):
            repo.item(f"STORY-{90 - hour}{n}", type="story", title=f"Причал {hour} " + "水" * (hour % 7 * 10))
        repo.commit("more", as_text(parse_when("2026-02-01") + timedelta(hours=hour)))
    for n in range(30):
        repo.item(f"DOC-{n:03}", folder="docs", title="Undated " + "ü" * 60)
    assert ingest().state == "green"


@pytest.mark.requirement("paging.scope-limit", "budget.cut-keys", "budget.report-keys")
def test_a_limit_keeps_the_oldest_and_says_how_much_it_kept_out(eventful, reader) -> None:
    whole = deltas(reader)
    answer = deltas(reader, limit=15)
    assert len(answer["changes"]) == 15
    assert answer["changes"][:10] == whole["changes"][:10]
    assert {row["at"] for row in answer["changes"][10:]} == {whole["changes"][10]["at"]}
    told = answer["truncated_changed"]
    assert (told["reason"], told["whole"], told["listed"]) == ("limit", 120, 15)
    assert answer["counts"]["created"] == 120
    assert "truncated_changed" not in whole
    assert (whole["undated"]["count"], len(whole["undated"]["listed"])) == (30, 20)
    assert whole["undated"]["truncated"]["whole"] == 30


@pytest.mark.requirement("paging.scope-limit")
def test_a_limit_keeps_the_oldest_of_every_kind_of_change(repo, project, ingest, reader) -> None:
    repo.item("STORY-002", "one", type="story")
    repo.commit("plan", "2026-02-01")
    repo.item("STORY-002", "two", type="story")
    repo.commit("sharpen", "2026-02-10")
    repo.item("STORY-001", "one", type="story")
    repo.commit("plan", "2026-02-20")
    ingest()
    answer = deltas(reader, limit=2)
    assert [(r["artifact_id"], r["change"]) for r in answer["changes"]] == [
        ("STORY-002", "created"), ("STORY-002", "revised"),
    ]  # fmt: skip
    assert answer["counts"] == {"created": 2, "revised": 1, "deleted": 0}


@pytest.mark.requirement(
    "budget.never-silent", "budget.whole-rows", "budget.cut-weakest-tail", "budget.every-read", "budget.not-mid-value",
    "budget.report-keys",
)  # fmt: skip
def test_at_any_budget_whole_rows_are_served_oldest_first_and_the_rest_is_told(eventful, reader) -> None:
    whole = deltas(dataclasses.replace(reader, budget=100_000))

    @settings(max_examples=25, deadline=None)
    @given(st.integers(4096, 40_000))
    def holds(budget: int) -> None:
        answer = deltas(dataclasses.replace(reader, budget=budget))
        assert size(json.loads(json.dumps(answer))) <= budget
        served, undated = answer["changes"], answer["undated"]
        assert served == whole["changes"][: len(served)]
        assert undated["listed"] == whole["undated"]["listed"][: len(undated["listed"])]
        assert undated["truncated"]["whole"] == undated["count"] == 30
        assert undated["truncated"]["listed"] == len(undated["listed"])
        told = answer.get("truncated_changed")
        assert (told is None) == (len(served) == 120)
        if told:
            assert (told["reason"], told["whole"], told["listed"]) == ("read-budget", 120, len(served))
            assert undated["listed"] == []

    holds()


@pytest.mark.requirement("budget.cut-scope-reachable")
def test_halving_the_window_of_a_cut_deltas_serves_every_change(eventful, reader) -> None:
    small = dataclasses.replace(reader, budget=5000)

    def read(since: Any, until: Any) -> list[str]:
        answer = deltas(small, since=as_text(since), until=as_text(until))
        if "truncated_changed" not in answer:
            return ids(answer["changes"])
        middle = since + (until - since) / 2
        return read(since, middle) + read(middle, until)

    every = read(parse_when("2026-02-01"), parse_when("2026-02-04"))
    assert every == ids(deltas(reader)["changes"])
    assert len(every) == 120


def test_the_work_of_a_deltas_read_does_not_grow_with_its_rows(
    eventful, reader, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(20):
        deltas(reader)
