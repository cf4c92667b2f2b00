"""How a drafting bundle gives way: related, the backlog, the statements, then their names (004 section 2b)."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphapi.reads.authoring import get_authoring_context
from graphapi.reads.budget import size
from tests.reads.binding_answers import decision, states
from tests.reads.deliveries import ids
from tests.reads.model import Inferred

WHOLE = 400_000


def bundle(reader: Any, budget: int = WHOLE, **arguments: Any) -> dict[str, Any]:
    answer = get_authoring_context(dataclasses.replace(reader, budget=budget), intent="mooring fee", **arguments)
    assert size(json.loads(json.dumps(answer))) <= budget
    return answer


@pytest.fixture
def rich(repo, project, ingest) -> None:
    """Six stories under a feature, twenty-four decisions on them, talks around; texts of several alphabets."""
    repo.item("FEAT-000", "Harbour.", type="feature")
    for n in range(24):
        decision(repo, f"DEC-{n:03}", f"## Decision\nRule {n}. " + "水門" * 30, captured_at=f"2026-01-{28 - n:02}")
    for n in range(6):
        criteria = "".join(f"- Причал {n} номер {c}\n" for c in range(6))
        body = f"The mooring fee. {'é' * 200}\n\n## Acceptance criteria\n\n{criteria}"
        repo.item(f"STORY-00{n}", body, type="story", parent="FEAT-000",
                  cited_sources=[f"DEC-{c:03}" for c in range(n * 4, n * 4 + 4)])  # fmt: skip
        repo.item(f"CONV-00{n}", "A talk of the mooring fee. " + "ü" * 200, folder="conversations")
    decision(repo, "DEC-900", "Changes much.", revises="[STORY-000, STORY-005, FEAT-000]")
    repo.commit("plan", "2026-02-01")
    assert ingest().state == "green"


@pytest.mark.requirement(
    "budget.every-read", "budget.whole-rows", "budget.never-silent", "budget.cut-weakest-tail", "budget.not-mid-value",
    "authoring.binding-never-empty", "authoring.binding-before-tail", "authoring.truncated-ids",
    "authoring.truncated-ids-more",
)  # fmt: skip
def test_at_any_budget_the_bundle_gives_way_in_its_order_and_tells(rich, reader) -> None:
    whole = bundle(reader)
    stories, statements = len(whole["backlog"]), ids(whole["binding"]["statements"])
    assert (stories, len(statements)) == (5, 20)

    @settings(max_examples=20, deadline=None)
    @given(st.integers(4096, 26_000))
    def holds(budget: int) -> None:
        answer = bundle(reader, budget)
        backlog, binding, related = answer["backlog"], answer["binding"], answer["related"]
        assert backlog == whole["backlog"][: len(backlog)]
        assert binding["statements"] == whole["binding"]["statements"][: len(binding["statements"])]
        assert binding["statements"]
        assert binding["deterministic_statements"] == len(binding["statements"])
        assert ("pointers" in binding) == (len(binding["statements"]) > 15)
        for shelf, report in (("artifacts", "truncated"), ("passages", "passages_truncated")):
            kept, all_of_it = related[shelf], whole["related"][shelf]
            assert kept == all_of_it[: len(kept)]
            assert (report in related) == (len(kept) < len(all_of_it))
        if len(backlog) < stories:
            assert related["artifacts"] == related["passages"] == []
            told = answer["backlog_truncated"]
            assert (told["whole"], told["listed"]) == (stories, len(backlog))
        gone = statements[len(binding["statements"]) :]
        named = binding.get("truncated_ids", [])
        assert named == list(dict.fromkeys(gone))[: len(named)]
        assert len(named) + binding.get("truncated_ids_more", 0) == len(set(gone))
        if gone:
            # The statements outlive the backlog's tail, and their names outlive all but what nobody can do without.
            assert len(backlog) <= 1
            assert (binding["truncated"]["whole"], binding["truncated"]["listed"]) == (20, 20 - len(gone))
        if "truncated_ids_more" in binding:
            assert backlog == []
            assert "revised" not in binding["scope"]

    holds()


@pytest.mark.requirement("authoring.scope-revised", "budget.never-silent")
def test_a_revision_whose_row_was_cut_is_marked_on_the_scope_again(rich, reader) -> None:
    def revised(answer: dict[str, Any]) -> set[str]:
        """Who is marked, once: on a row or on the scope."""
        rows = [row["artifact_id"] for row in answer["backlog"] if "revised_by" in row]
        scope = ids(answer["binding"]["scope"].get("revised", []))
        assert not set(rows) & set(scope)
        return {*rows, *scope}

    whole = bundle(reader, limit=12)
    assert "STORY-005" in whole["related"]["artifacts_in_backlog"]
    marked = revised(whole)
    assert marked == {"STORY-000", "STORY-005", "FEAT-000"}
    seen = set()
    for budget in range(6000, 24_000, 1000):
        answer = bundle(reader, budget, limit=12)
        assert revised(answer) == marked
        seen.add(len(answer["backlog"]))
        assert not set(answer["related"]["artifacts_in_backlog"]) - set(ids(answer["backlog"]))
    assert {1, len(whole["backlog"])} <= seen


@pytest.mark.requirement("authoring.truncated-ids")
def test_a_note_of_several_cut_statements_is_named_once_at_its_best_rank(repo, project, ingest, reader, store) -> None:
    repo.item("STORY-001", "mooring fee", type="story", cited_sources=["CONV-001", "CONV-002", "DEC-001"])
    decision(repo, "DEC-001", "## Decision\nCards alone.")
    for n, day in ((1, "2026-01-02"), (2, "2026-01-01")):
        sentences = [f"Claim {n}{c} " + "x" * 1500 for c in "abc"]
        repo.item(f"CONV-00{n}", " ".join(sentences), folder="conversations", captured_at=day)
        for sentence in sentences:
            states(store, project, f"CONV-00{n}", sentence)
    repo.commit("plan", "2026-02-01")
    ingest()
    for n in (1, 2):
        for c in "abc":
            states(
                store, project, f"CONV-00{n}", f"Claim {n}{c} " + "x" * 1500, stated_at=f"2026-01-0{3 - n}T00:00:00Z"
            )
    full = dataclasses.replace(reader, inferences=Inferred())
    whole = ids(bundle(full)["binding"]["statements"])
    assert whole == ["DEC-001", *["CONV-001"] * 3, *["CONV-002"] * 3]
    binding = bundle(full, 8000)["binding"]
    gone = whole[len(binding["statements"]) :]
    assert len(gone) > 3
    assert binding["truncated_ids"] == ["CONV-001", "CONV-002"]
    assert binding["deterministic_statements"] == 1


@pytest.mark.requirement("budget.stated-survives")
def test_no_stated_statement_is_cut_while_an_inferred_one_is_served(repo, project, ingest, reader, store) -> None:
    repo.item("STORY-001", "mooring fee", type="story", cited_sources=["CONV-001"])
    repo.item("CONV-001", "Cash is never taken.", folder="conversations")
    for n in range(8):
        decision(repo, f"DEC-00{n}", "## Decision\nThe mooring fee is paid by card. " + "y" * 300)
    repo.commit("plan", "2026-02-01")
    ingest()
    for n in range(8):
        states(store, project, "CONV-001", f"Cash is never taken, {n}. " + "z" * 300)
    full = dataclasses.replace(reader, inferences=Inferred())
    assert bundle(full)["binding"]["deterministic_statements"] == 8
    lengths = set()
    for budget in range(5000, 14_000, 700):
        binding = bundle(full, budget)["binding"]
        lengths.add(len(binding["statements"]))
        assert binding["deterministic_statements"] == min(8, len(binding["statements"]))
        assert all("inferred" not in row for row in binding["statements"][:8])
    assert min(lengths) < 8 < max(lengths)


@pytest.mark.requirement("authoring.truncated-ids-more", "authoring.binding-never-empty", "budget.never-silent")
def test_the_names_of_what_was_cut_are_paid_for_and_go_last(repo, project, ingest, reader) -> None:
    notes = [f"DEC-{'x' * 180}-{n:03}" for n in range(30)]
    for n, note in enumerate(notes):
        decision(repo, note, f"## Decision\nRule {n}.", captured_at=f"2026-01-{30 - n:02}", title=f"Rule {n}")
    repo.item("STORY-001", "mooring fee", type="story", cited_sources=notes)
    repo.commit("plan", "2026-02-01")
    ingest()
    assert len(bundle(reader)["binding"]["statements"]) == 30
    more = set()
    for budget in range(2500, 12_000, 500):
        answer = bundle(reader, budget)
        binding = answer["binding"]
        served, named = ids(binding["statements"]), binding.get("truncated_ids", [])
        assert served == notes[: len(served)]
        assert served
        assert named == notes[len(served) : len(served) + len(named)]
        more.add(binding.get("truncated_ids_more", 0))
        assert len(served) + len(named) + binding.get("truncated_ids_more", 0) == 30
        if binding.get("truncated_ids_more"):
            # Nothing else is left to give way.
            assert len(served) == 1
            assert answer["backlog"] == answer["related"]["artifacts"] == answer["related"]["passages"] == []
    assert 0 in more
    assert max(more) > 10
