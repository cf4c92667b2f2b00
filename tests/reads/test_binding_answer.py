"""The answer as a whole: its rows, its verdict that is none, its budget, and what it costs the store."""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphapi.reads.binding import binding
from graphapi.reads.binding_rows import PASSAGE_ROOM, passage_of
from tests.reads.binding_answers import decision, ids, row, states, tree
from tests.reads.model import Inferred

requirement = pytest.mark.requirement


def size(answer) -> int:
    return len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())


@requirement("binding.statement-row", "catalogue.get-scope-questions")
def test_a_note_row_has_its_decision_and_where_it_comes_from(repo, ingest, reader) -> None:
    repo.item("STORY-001", cited_sources=["DEC-000"])
    decision(
        repo, "DEC-000", "Some context.\n\n## Decision\n\nBerths are\nbooked by phone.\n\n## Why\n\nIt rings.",
        title="By phone", captured_at="2026-02-02", provenance="mirror",
    )  # fmt: skip
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert answer["statements"] == [
        {
            "artifact_id": "DEC-000",
            "title": "By phone",
            "artifact_type": "decision",
            "passage": "Berths are booked by phone.",
            "method": "cites",
            "stated_at": "2026-02-02T00:00:00Z",
            "provenance": "mirror",
            "source_path": "decisions/DEC-000.md",
            "source_uri": "decisions/DEC-000.md",
            "bears_on": "STORY-001",
        }
    ]
    assert answer["deterministic_statements"] == 1
    assert answer["freshness"]["oldest_read_at"]


@pytest.mark.parametrize(
    ("body", "passage"),
    [
        ("", ""),
        ("# Heading\n\nSo it is.", "So it is."),
        ("## Decision\n\n## Why\n\nBecause.", "Because."),
        ("First.\n\n## DECISION ##\n\nSecond.", "Second."),
        ("a" * 600, "a" * (PASSAGE_ROOM - 1) + "…"),
        ("word " * 99 + "12345", "word " * 99 + "12345"),
        ("word " * 200, "word " * 99 + "word…"),
    ],
)
def test_a_passage_is_the_decision_itself_cut_on_a_word(body, passage) -> None:
    assert passage_of(body) == passage


@requirement("binding.empty-says-gathered")
def test_an_empty_answer_says_that_nothing_was_gathered(repo, ingest, reader) -> None:
    repo.item("STORY-001")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert answer["statements"] == [] and answer["deterministic_statements"] == 0
    assert "gathered" in answer["note"]
    assert not re.search(r"nothing binds|unbound|not bound|free", json.dumps(answer))


@requirement("binding.no-judgement")
def test_no_answer_says_whether_anything_conflicts(harbour, reader) -> None:
    corpus, _ = harbour()
    asked = [
        {"artifact_id": corpus.gold.slots.binding[0].story},
        {"topic": "card numbers"},
        {"path": "harbour/tiles.py"},
    ]
    for scope in asked:
        answer = binding(reader, **scope)
        said = {k: v for k, v in answer.items() if k != "statements"}
        assert not re.search(r"conflict|contradict|consistent|compatible|violat|complian", json.dumps(said))
        keys = {key for statement in answer["statements"] for key in statement}
        assert not keys & {"conflicts", "contradicts", "verdict", "consistent"}


def test_a_text_too_long_for_a_row_is_left_out_whole_and_named(repo, ingest, reader) -> None:
    repo.item("STORY-001", cited_sources=["DEC-000"])
    decision(repo, "DEC-000", title="T" * 3000)
    repo.commit()
    ingest()
    found = row(binding(reader, artifact_id="STORY-001"), "DEC-000")
    assert "title" not in found and found["row_truncated"]["keys"] == ["title"]


@pytest.fixture
def large(repo, ingest, project, store, reader):
    """An epic over many stories, decisions of several lengths, revised members, and as many prose statements."""
    repo.item("EPIC-000", "Berths at night.", title="The épic ⚓")
    for number in range(24):
        repo.item(
            f"STORY-{number:03}", "Berths at night.", parent="EPIC-000", title=f"Störy {number} of berths",
            cited_sources=[f"DEC-{n:03}" for n in range(number, number + 3)] + [f"CONV-{number % 4:03}"],
        )  # fmt: skip
    for number in range(26):
        decision(
            repo,
            f"DEC-{number:03}",
            "Berths 🛥 at night: " + "so it is " * (number * 3),
            revises=[f"STORY-{number % 20:03}"],
        )
    for number in range(4):
        repo.item(f"CONV-{number:03}", "They talked.", folder="conversations")
    repo.commit()
    ingest()
    for number in range(40):
        states(store, project, f"CONV-{number % 4:03}", f"statement {number} " + "at night " * number)
    return dataclasses.replace(reader, inferences=Inferred())


@requirement("budget.every-read", "budget.whole-rows", "budget.not-mid-value", "budget.never-silent",
             "budget.stated-survives", "budget.cut-weakest-tail", "budget.cut-keys")  # fmt: skip
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(4096, 30_000), st.sampled_from(["artifact_id=EPIC-000", "topic=berths at night"]))
def test_at_any_budget_the_answer_fits_serves_a_prefix_and_tells_the_rest(large, budget, asked) -> None:
    key, value = asked.split("=")
    scope = {key: value, "limit": 200}
    whole = binding(dataclasses.replace(large, budget=1 << 22), **scope)
    assert not [k for k in whole if "truncated" in k]
    answer = binding(dataclasses.replace(large, budget=budget), **scope)
    assert size(answer) <= budget
    served = answer["statements"]
    assert served == whole["statements"][: len(served)]
    assert answer["deterministic_statements"] == sum(not r.get("inferred") for r in served)
    for holder, list_key, cut_key in (
        (answer, "statements", "truncated"),
        (answer["scope"], "matched", "matched_truncated"),
        (answer["scope"], "revised", "revised_truncated"),
    ):
        full = (whole if holder is answer else whole["scope"]).get(list_key, [])
        listed = holder.get(list_key, [])
        assert listed == full[: len(listed)]
        if len(listed) < len(full):
            report = holder[cut_key]
            assert (report["reason"], report["whole"], report["listed"]) == ("read-budget", len(full), len(listed))
            assert report["note"]
        else:
            assert cut_key not in holder


@requirement("budget.cut-scope-reachable", "budget.cut-artifact-reachable", "budget.setting")
def test_what_a_cut_left_out_is_served_by_narrower_scopes_and_by_a_larger_budget(large) -> None:
    whole = binding(dataclasses.replace(large, budget=1 << 22), artifact_id="EPIC-000", limit=200)
    cut = binding(dataclasses.replace(large, budget=8192), artifact_id="EPIC-000", limit=200)
    missing = {(r["artifact_id"], r["passage"]) for r in whole["statements"][len(cut["statements"]) :]}
    assert missing
    small = dataclasses.replace(large, budget=16384)
    found = {
        (r["artifact_id"], r["passage"])
        for number in range(24)
        for r in binding(small, artifact_id=f"STORY-{number:03}", depth=0, limit=200)["statements"]
    }
    assert missing <= found
    assert len(binding(small, artifact_id="EPIC-000", limit=200)["statements"]) > len(cut["statements"])


@requirement("paging.scope-limit")
def test_a_limit_bounds_the_statements_and_reports_what_it_took(large) -> None:
    answer = binding(dataclasses.replace(large, budget=1 << 22), artifact_id="EPIC-000", limit=7)
    assert len(answer["statements"]) == 7
    assert (answer["truncated"]["reason"], answer["truncated"]["whole"]) == ("limit", 66)


class Counting:
    """A store that counts what it is asked."""

    def __init__(self, store) -> None:
        self._store, self.calls = store, Counter()

    def __getattr__(self, name):
        method = getattr(self._store, name)

        def counted(*arguments, **options):
            self.calls[name] += 1
            return method(*arguments, **options)

        return counted


@pytest.mark.parametrize("root", ["EPIC-000", "FEAT-000", "STORY-000"])
def test_an_artifact_scope_costs_at_most_eight_round_trips_whatever_is_in_it(
    repo, ingest, project, store, reader, root
) -> None:
    tree(repo, EPIC_000=["DEC-000"], FEAT_000=["CONV-001", "DEC-001"], STORY_000=["CONV-000", "DEC-002"])
    for number in range(2):
        repo.item(
            f"CONV-00{number}", folder="conversations", cited_sources=["DEC-003", "DEC-004"], same_as=["CONV-009"]
        )
    repo.item("CONV-009", folder="conversations", cited_sources=["DEC-005"])
    for number in range(6):
        decision(repo, f"DEC-00{number}")
    repo.commit()
    ingest()
    states(store, project, "CONV-001", "a statement", episode="e")
    for model in (None, Inferred()):
        counting = Counting(store)
        answer = binding(dataclasses.replace(reader, store=counting, inferences=model), artifact_id=root)
        assert {"DEC-003", "DEC-005"} <= set(ids(answer))
        # The branch is one call; on a server three levels of it are two round trips, a leaf's is one.
        assert sum(counting.calls.values()) + (root == "EPIC-000") <= (8 if model is None else 10), counting.calls


def test_a_topic_asks_the_store_as_often_for_many_rows_as_for_few(large) -> None:
    counts = []
    for limit in (1, 200):
        counting = Counting(large.store)
        binding(dataclasses.replace(large, store=counting, inferences=None), topic="berths at night", limit=limit)
        counts.append(sum(counting.calls.values()))
    assert counts[0] == counts[1] <= 8
