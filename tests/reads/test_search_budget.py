"""The byte budget of a search: what gives way, in which order, and that nothing goes without a word."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphapi.reads.budget import fit, size
from graphapi.reads.corpus import Corpus
from graphapi.reads.inferences import Concept, InferredEdge
from graphapi.reads.reader import Reader
from graphapi.reads.search import search_context, shelves_of
from graphapi.reads.search_shelves import Sentences, shelves_in_cut_order
from tests.contract.rows import statement
from tests.reads.model import Inferred

requirement = pytest.mark.requirement

PARAGRAPH = (
    "Über den Kai ist in vielen und größeren Worten gesprochen worden. "
    "Danach ist über ihn in noch mehr und noch größeren Worten geschrieben worden. Third said. Fourth said."
)
MODEL = Inferred(
    named=[Concept(f"Begriff {n}", PARAGRAPH) for n in range(7)],
    read=[InferredEdge(f"k{n}", "STORY-001", "STORY-002", "R", f"Fact {n}: it closes — at dusk") for n in range(14)],
    paragraphs={f"STORY-{n:03d}": PARAGRAPH for n in range(30)},
)  # fmt: skip


@pytest.fixture
def wide(repo, ingest, store, project, reader) -> Any:
    """More of everything than 32 KB hold, in letters of several bytes."""
    repo.item("EPIC-001", "Der Kai.", title="Kai " + "größer " * 20, type="epic")
    repo.item("CONV-001", "Of the quay.", title="Talk", folder="conversations")
    for n in range(30):
        body = f"The quay {n} — " + "breite Mole, größere Boje. " * (n * 3)
        repo.item(f"STORY-{n:03d}", body, title=f"Mole {n} " + "日本 " * (n % 9 * 4), parent="EPIC-001",
                  cited_sources=["CONV-001"])  # fmt: skip
        repo.item(f"DEL-{n:03d}", "Done.", title=f"Quay {n} shipped", folder="deliveries", delivers=f"STORY-{n:03d}")
    repo.commit()
    ingest()
    store.put_statements(project.namespace, [statement(project.namespace, "CONV-001", f"quay {n}") for n in range(6)])
    return dataclasses.replace(reader, inferences=MODEL)


def ask(reader: Reader, budget: int) -> Any:
    return search_context(dataclasses.replace(reader, budget=budget), query="quay", limit=50)


@requirement("budget.every-read", "budget.whole-rows", "budget.not-mid-value", "budget.never-silent",
             "budget.cut-weakest-tail", "cap.stated-never-cut", "cap.cut-order", "budget.stated-survives")  # fmt: skip
def test_at_any_budget_an_answer_fits_holds_whole_rows_and_tells_what_is_missing(wide) -> None:
    whole = ask(wide, 10**9)
    assert size(whole) > 40_000

    # One search a budget would take the test's time; what is cut out of one and the same answer is what is shown.
    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.integers(4096, size(whole)))
    def holds(budget: int) -> None:
        cut = copy.deepcopy(whole)
        cut = fit(cut, budget, shelves_in_cut_order(cut))
        assert size(cut) <= budget
        check(cut, whole)

    holds()
    for budget in (4096, 12_000, 24_000):
        again = copy.deepcopy(whole)
        assert ask(wide, budget) == fit(again, budget, shelves_in_cut_order(again))


def check(cut: Any, whole: Any) -> None:
    declared = cut["deterministic_facts"]
    stated = {**{name: cut[name] for name in ("artifacts", "passages")}, "facts": cut["facts"][:declared]}
    full = {**{name: whole[name] for name in ("artifacts", "passages")},
            "facts": whole["facts"][: whole["deterministic_facts"]]}  # fmt: skip
    bare = [{k: v for k, v in row.items() if not k.startswith("inferred_summary")} for row in full["artifacts"]]
    inferred_left = len(cut["concepts"]) + len(cut["facts"]) - declared
    inferred_left += sum("inferred_summary" in row for row in cut["artifacts"])
    for name, rows in stated.items():
        for row, same in zip(rows, full[name], strict=False):
            assert row in (same, bare[rows.index(row)] if name == "artifacts" else same)
        missing = len(full[name]) - len(rows)
        assert not missing or not inferred_left
        report = cut.get({"artifacts": "truncated", "passages": "passages_truncated", "facts": "facts_truncated"}[name])
        assert (report is not None and report.get("reasons", {}).get("read-budget", missing) == missing) or not missing
    tail, full_tail = cut["facts"][declared:], whole["facts"][whole["deterministic_facts"] :]
    assert tail == full_tail[: len(tail)]
    assert len(full_tail) == len(tail) or cut["truncated_facts"]["listed"] == len(tail)
    assert [row["name"] for row in cut["concepts"]] == [row["name"] for row in whole["concepts"]][
        : len(cut["concepts"])
    ]
    for row, same in zip(cut["concepts"], whole["concepts"], strict=False):
        assert same["summary"].startswith(row["summary"]) and row["summary"].endswith(".")
        assert row["summary"] == same["summary"] or row["summary_sentences_total"] == 4
    if cut["artifacts"] != whole["artifacts"] and len(cut["artifacts"]) < len(whole["artifacts"]):
        assert not cut["passages"] and not cut["facts"]
    if declared < whole["deterministic_facts"]:
        assert not cut["passages"]


@requirement("cap.cut-order")
def test_shelves_give_way_one_after_the_other(wide) -> None:
    whole = ask(wide, 10**9)
    first: dict[str, int] = {}
    top = size(whole)
    for budget in (*range(top, top - 5000, -60), *range(top - 5000, 3000, -800)):
        cut = copy.deepcopy(whole)
        cut = fit(cut, budget, shelves_in_cut_order(cut))
        shrunk = {
            "tail": len(cut["facts"]) - cut["deterministic_facts"]
            < len(whole["facts"]) - whole["deterministic_facts"],
            "concepts": len(cut["concepts"]) < len(whole["concepts"]),
            "sentences": any(a != b for a, b in zip(cut["concepts"], whole["concepts"], strict=False)),
            "summaries": "truncated_inferred_summaries" in cut,
            "passages": len(cut["passages"]) < len(whole["passages"]),
            "facts": cut["deterministic_facts"] < whole["deterministic_facts"],
            "artifacts": len(cut["artifacts"]) < len(whole["artifacts"]),
        }  # fmt: skip
        for name, yes in shrunk.items():
            if yes:
                first.setdefault(name, budget)
    assert list(first) == ["tail", "concepts", "sentences", "summaries", "passages", "facts", "artifacts"]


@requirement("budget.default", "budget.cut-keys")
def test_the_default_is_32_kb_and_every_cut_has_one_shape(wide) -> None:
    answer = search_context(wide, query="quay", limit=50)
    assert wide.budget == 32_768 >= size(answer) > 28_000
    cuts = {key: answer[key] for key in answer if "truncated" in key}
    assert {"truncated_facts", "truncated_concepts", "passages_truncated"} <= set(cuts)
    for told in cuts.values():
        assert told["reason"] and told["whole"] > told["listed"] >= 0 and len(told["note"].split()) <= 12


@requirement("cap.both-reasons")
def test_a_shelf_that_cap_and_budget_both_cut_names_both(wide) -> None:
    told = search_context(wide, query="quay", limit=50)["truncated_concepts"]
    assert told["reason"] == "inferred-cap"
    assert told["reasons"]["inferred-cap"] == 2 and told["reasons"]["read-budget"] > 0
    assert told["whole"] - told["listed"] == sum(told["reasons"].values())


@requirement("budget.setting")
def test_a_larger_budget_holds_more(wide) -> None:
    small, large = ask(wide, 16_384), ask(wide, 32_768)
    assert len(large["artifacts"]) + len(large["passages"]) > len(small["artifacts"]) + len(small["passages"])


@requirement("budget.cut-artifact-reachable")
def test_whatever_a_cut_took_is_served_by_its_id(wide, graph) -> None:
    whole, small = ask(wide, 10**9), ask(wide, 8_192)
    left_out = {row["artifact_id"] for row in whole["artifacts"]} - {row["artifact_id"] for row in small["artifacts"]}
    assert left_out and all(graph.get(i) is not None for i in left_out)


@requirement("budget.report-keys")
def test_a_lite_answer_is_cut_the_same_way(wide) -> None:
    lite = dataclasses.replace(wide, inferences=None)
    answer = ask(lite, 4096)
    assert size(answer) <= 4096
    assert answer["concepts"] == {"absent": True, "reason": "lite"}
    assert answer["artifacts"] and answer["passages"] == []
    assert {"truncated", "passages_truncated", "facts_truncated", "truncated_facts"} <= set(answer)


def test_an_answer_that_nothing_was_cut_from_carries_no_cut(repo, ingest, reader) -> None:
    repo.item("STORY-001", "The quay.", title="Quay")
    repo.commit()
    ingest()
    assert not any("truncated" in key for key in search_context(reader, query="quay"))


def test_the_shelves_of_a_search_can_be_served_inside_another_answer(wide) -> None:
    reach = wide.reach()
    inner, shelves = shelves_of(wide, reach, Corpus(wide.store, reach.all, several=False), "mole", limit=20)
    assert "freshness" not in inner
    # Past what any shelf before the passages could give back.
    budget = size({"backlog": [], "related": inner | {"facts": [], "concepts": []}}) - 200
    outer = fit({"backlog": [], "related": inner}, budget, shelves)
    assert size(outer) <= budget and outer["related"]["passages_truncated"]["reason"] == "read-budget"


def test_a_title_too_long_for_a_row_is_left_out_whole_and_named(repo, ingest, reader) -> None:
    repo.item("STORY-001", "The quay.", title="Quay " + "x" * 3000)
    repo.commit()
    ingest()
    row = search_context(reader, query="quay")["artifacts"][0]
    assert "title" not in row and row["artifact_id"] == "STORY-001"
    assert row["row_truncated"]["keys"] == ["title", "summary"]


def test_a_paragraph_that_the_budget_shortened_says_how_long_it_was(wide) -> None:
    whole = search_context(dataclasses.replace(wide, budget=10**9), query="quay", limit=50, inferred="all")
    assert not any("summary_sentences_total" in row for row in whole["concepts"])
    (sentences,) = [s for s in shelves_in_cut_order(cast(Any, whole)) if isinstance(s, Sentences)]
    assert sentences.give(30)
    assert whole["concepts"][-1]["summary_sentences_total"] == 4
    assert PARAGRAPH.startswith(whole["concepts"][-1]["summary"]) and whole["concepts"][-1]["summary"] != PARAGRAPH
