"""The facts shelf: its bands, what earns a place in it, what is left out and told."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from graphapi.reads import search_inferred
from graphapi.reads.search import search_context
from tests.contract.rows import LATER, link, statement
from tests.reads.model import Inferred

requirement = pytest.mark.requirement


def facts(answer: Any) -> list[tuple[str, ...]]:
    return [tuple(row["endpoints"]) for row in answer["facts"]]


@pytest.fixture
def state(store, project) -> Any:
    """Put statements into the store: a release that reads none still serves those it holds."""

    def put(note_id: str, *names: str, retired: bool = False) -> list[str]:
        rows = [statement(project.namespace, note_id, name) for name in names]
        store.put_statements(project.namespace, rows)
        if retired:
            store.retire_statements(project.namespace, [row.key for row in rows], at=LATER, reason="withdrawn")
        return [row.fact for row in rows]

    return put


@pytest.fixture
def five(repo, ingest) -> None:
    """Five stories in the order in which 'berth' ranks them, each with a parent the word does not match."""
    for n in range(1, 6):
        repo.item(f"EPIC-00{n}", "Nothing of it.", title=f"Pier {n}", type="epic")
        repo.item(f"STORY-00{n}", "berth " * (6 - n) + "x " * n * 3, title=f"Gate {n}", parent=f"EPIC-00{n}")
    repo.item("CONV-001", "Nothing here.", title="Talk one", folder="conversations")
    repo.commit()
    ingest()


def top(answer: Any) -> list[str]:
    return [row["artifact_id"] for row in answer["artifacts"]]


@requirement("facts.unmatched-near-top", "facts.not-near-top", "facts.deterministic-count")
def test_an_unmatched_relation_is_served_for_the_first_three_rows_and_counted_for_the_others(five, reader) -> None:
    answer = search_context(reader, query="berth", kind=["pbi"])
    rows = top(answer)[:5]
    assert sorted(rows) == [f"STORY-00{n}" for n in range(1, 6)]
    assert {ends[0] for ends in facts(answer)} == set(rows[:3])
    assert answer["deterministic_facts"] == 3
    told = answer["facts_truncated"]
    assert (told["reason"], told["whole"], told["listed"]) == ("not-near-top", 5, 3)


def test_nothing_is_counted_as_left_out_where_the_first_three_rows_hold_all_there_is(five, reader) -> None:
    assert "facts_truncated" not in search_context(reader, query="berth", limit=3)


@requirement("facts.matched-anywhere")
def test_a_matched_relation_is_served_though_it_touches_no_leading_row(repo, ingest, five, reader) -> None:
    repo.item("EPIC-100", "Nothing.", title="Berth works", type="epic")
    repo.item("STORY-100", "Nothing.", title="Crane", parent="EPIC-100")
    repo.commit()
    ingest()
    answer = search_context(reader, query="berth", limit=10, kind=["doc"])
    assert answer["artifacts"] == []
    assert ("STORY-100", "EPIC-100") in facts(answer)


@requirement("facts.band-relations", "links.not-facts")
def test_declared_relations_are_facts_and_namings_are_not(repo, ingest, reader) -> None:
    repo.item("EPIC-001", "Berth epic.", title="Berth epic", type="epic")
    repo.item("STORY-001", "Berth.", title="Berth one")
    repo.item("STORY-003", "Berth.", title="Berth three")
    repo.item("CONV-001", "Names Berth one and STORY-003.", title="Berth talk", folder="conversations")
    repo.item("DEC-001", "Berth.", title="Berth decided", folder="decisions", revises=["STORY-001"])
    repo.item("DEL-001", "Berth.", title="Berth shipped", folder="deliveries", delivers="STORY-001")
    repo.write(
        "backlog/STORY-002.md",
        "---\nid: STORY-002\ntitle: Berth two\nparent: EPIC-001\ncited_sources: [CONV-001]\nsupersedes: [STORY-001]\n"
        "same_as: STORY-003\nedges:\n- {to: STORY-001, relation: blocks}\n---\n\nBerth.\n",
    )
    repo.commit()
    ingest()
    answer = search_context(reader, query="berth", limit=50)
    relations = {row["relation"] for row in answer["facts"]}
    assert relations == {"parent", "delivers", "supersedes", "same_as", "revises", "blocks"}
    assert {row["method"] for row in answer["facts"]}.isdisjoint({"cites", "explicit-ref", "title-mention"})


@requirement("facts.bands", "facts.band-statements", "facts.statements-inferred-side", "lite.held-statements")
def test_a_statement_follows_every_relation_however_well_it_matches(five, reader, state) -> None:
    (said,) = state("CONV-001", "berth berth berth")
    answer = search_context(reader, query="berth")
    assert answer["facts"][-1] == {
        "fact": said, "endpoints": ["CONV-001"], "relation": "states", "method": "Decision",
    }  # fmt: skip
    assert said == "CONV-001 states: berth berth berth"
    assert answer["deterministic_facts"] == len(answer["facts"]) - 1


@requirement("facts.order-text")
def test_a_band_is_ordered_by_its_texts_and_a_rank_only_breaks_a_tie(five, reader, store, project) -> None:
    ns = project.namespace
    rows = [
        link(ns, "STORY-001", "STORY-002", "blocks", method="edges", fact="crane crane and nothing else of note"),
        link(ns, "STORY-001", "STORY-003", "parent", fact="crane among many other words that say nothing at all"),
        link(ns, "STORY-004", "STORY-005", "blocks", method="edges", fact="pontoon pontoon"),
        link(ns, "STORY-004", "STORY-002", "same_as", fact="pontoon pontoon"),
    ]
    store.link(ns, rows)
    crane = search_context(reader, query="crane")["facts"]
    assert [row["relation"] for row in crane] == ["blocks", "parent"]
    pontoon = search_context(reader, query="pontoon")["facts"]
    assert [row["relation"] for row in pontoon] == ["same_as", "blocks"]


@requirement("facts.limit", "facts.padding-room")
def test_unmatched_rows_get_what_the_matched_ones_leave(repo, ingest, reader, state, store, project) -> None:
    repo.item("EPIC-001", "quay quay", title="Pier", type="epic")
    for n in range(40):
        repo.item(f"STORY-{n:03d}", "Nothing.", title=f"Gate {n}", parent="EPIC-001")
    repo.item("CONV-001", "Nothing.", title="Talk", folder="conversations")
    repo.commit()
    ingest()
    ns = project.namespace
    store.link(ns, [link(ns, f"STORY-{n:03d}", "CONV-001", "blocks", method="edges", fact="quay wall") for n in (1, 2)])
    state("CONV-001", "the quay is long", "the quay is wide")
    answer = search_context(reader, query="quay", limit=7)
    assert answer["artifacts"][0]["artifact_id"] == "EPIC-001"
    shown = [row["fact"] for row in answer["facts"]]
    assert len(shown) == 7
    assert shown[:2] == ["quay wall"] * 2
    assert all("is part of Pier" in fact for fact in shown[2:5])
    assert {"CONV-001 states: the quay is long", "CONV-001 states: the quay is wide"} == set(shown[5:])
    assert answer["deterministic_facts"] == 5
    assert len(search_context(reader, query="quay", limit=2)["facts"]) == 2
    assert all(row["fact"] == "quay wall" for row in search_context(reader, query="quay", limit=2)["facts"])


@requirement("cap.facts", "cap.names", "cap.truncated", "facts.inferred-room")
def test_the_tail_is_as_long_as_the_cap_says_and_the_cut_is_told(five, reader, state) -> None:
    state("CONV-001", *(f"card number {n} is never kept" for n in range(50)))
    answer = search_context(reader, query="card", limit=40)
    tail = answer["facts"][answer["deterministic_facts"] :]
    assert answer["inferred_cap"] == {"concepts": 5, "facts": 10, "summary_sentences": 2}
    assert len(tail) == answer["inferred_cap"]["facts"] == search_inferred.FACTS
    told = answer["truncated_facts"]
    assert (told["reason"], told["whole"], told["listed"]) == ("inferred-cap", 40, 10)


@requirement("cap.all")
def test_the_cap_can_be_lifted(five, reader, state) -> None:
    state("CONV-001", *(f"card number {n} is never kept" for n in range(50)))
    answer = search_context(reader, query="card", limit=40, inferred="all")
    assert len(answer["facts"]) == 40
    assert "inferred-cap" not in str(answer) and "inferred_cap" not in answer


def test_statements_of_the_leading_rows_fill_the_room_and_those_of_lower_rows_are_counted(repo, ingest, reader, state):
    for n in range(1, 6):
        repo.item(f"CONV-00{n}", "quay " * (7 - n) + "x " * n * 4, title=f"Talk {n}", folder="conversations")
        repo.commit()
    ingest()
    rows = top(search_context(reader, query="quay"))
    state(rows[0], "pay in cash")
    state(rows[4], "pay by card", "pay by post")
    answer = search_context(reader, query="quay")
    assert facts(answer) == [(rows[0],)]
    assert answer["deterministic_facts"] == 0
    assert answer["facts_truncated"]["whole"] - answer["facts_truncated"]["listed"] == 2


@requirement("facts.relation-invalid", "facts.invalidated-out", "facts.invalidated-include")
def test_a_relation_that_was_taken_back_is_out_counted_and_served_marked_on_request(repo, ingest, five, reader) -> None:
    assert "invalidated" not in search_context(reader, query="gate")
    repo.item("STORY-001", "berth " * 5, title="Gate 1")
    repo.commit()
    ingest()
    gone = ("STORY-001", "EPIC-001")
    answer = search_context(reader, query="pier gate 1", limit=50)
    assert gone not in facts(answer)
    assert answer["invalidated"] == {"count": 1}
    wide = search_context(reader, query="pier gate 1", limit=50, deleted="include")
    assert next(row for row in wide["facts"] if tuple(row["endpoints"]) == gone)["invalid_at"]
    assert all("invalid_at" not in row for row in wide["facts"] if tuple(row["endpoints"]) != gone)
    assert "invalidated" not in wide
    only = search_context(reader, query="pier gate 1", limit=50, deleted="only")
    assert facts(only) == [gone] and only["facts"][0]["invalid_at"]


@requirement("facts.statement-retired")
def test_a_retired_statement_is_out_and_comes_back_marked_on_request(five, reader, state) -> None:
    state("CONV-001", "cards are kept", retired=True)
    state("CONV-001", "cards are never kept")
    live = search_context(reader, query="cards kept")
    assert [row["fact"] for row in live["facts"]] == ["CONV-001 states: cards are never kept"]
    assert live["invalidated"] == {"count": 1}
    both = {row["fact"]: row for row in search_context(reader, query="cards kept", deleted="include")["facts"]}
    assert both["CONV-001 states: cards are kept"]["retired_at"] == LATER
    assert "retired_at" not in both["CONV-001 states: cards are never kept"]
    only = search_context(reader, query="cards kept", deleted="only")["facts"]
    assert [row["fact"] for row in only] == ["CONV-001 states: cards are kept"]


@requirement("facts.own-query")
def test_both_bands_are_read_without_a_model_s_help(five, reader, state, monkeypatch) -> None:
    state("CONV-001", "berth is kept")
    model = Inferred()
    full = search_context(dataclasses.replace(reader, inferences=model), query="berth")
    lite = search_context(reader, query="berth")
    assert full["facts"] == lite["facts"] and full["deterministic_facts"] == lite["deterministic_facts"]
