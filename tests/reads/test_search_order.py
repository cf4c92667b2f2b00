"""The order rules of a search, and what a declared revision does to a row and does not (004 section 5, Ranking)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from graphapi.ranking import retrieval
from graphapi.reads.inferences import InferredEdge
from graphapi.reads.search import search_context
from tests.reads.model import Inferred

requirement = pytest.mark.requirement

FAINT = "One quay among a great many other words that are of no use to anybody who asks here."


@pytest.fixture
def order(reader) -> Callable[..., list[str]]:
    def ask(query: str = "quay", shelf: str = "artifacts", **asked: Any) -> list[str]:
        return [row["artifact_id"] for row in search_context(reader, query=query, **asked)[shelf]]

    return ask


@pytest.fixture
def decisions(repo, ingest) -> Callable[..., None]:
    """An earlier decision ranks first, a document next, a later decision with ``words`` last."""

    def write(words: str = "", **keys: Any) -> None:
        repo.item("DEC-000", "quay quay quay quay", title="Quay quay", folder="decisions", captured_at="2026-01-01")
        repo.item("CONV-001", "quay quay", title="Talk of it", folder="conversations", captured_at="2026-03-01")
        repo.item("DEC-001", f"{FAINT} {words}", title="Later", folder="decisions",
                  **{"captured_at": "2026-02-01", **keys})  # fmt: skip
        repo.commit()
        ingest()

    return write


OLD, X, NEW = "DEC-000", "CONV-001", "DEC-001"


def test_unlinked_decisions_stand_as_they_ranked(decisions, order) -> None:
    decisions()
    assert order() == [OLD, X, NEW]


@requirement("order.decision-newer-ahead", "order.decision-boundary", "order.decision-no-field")
def test_a_later_decision_that_names_an_earlier_one_is_read_before_it(decisions, order, reader) -> None:
    decisions("It bears on DEC-000.")
    answer = search_context(reader, query="quay")
    assert [row["artifact_id"] for row in answer["artifacts"]] == [NEW, OLD, X]
    assert [row["artifact_id"] for row in answer["passages"]] == [OLD, X, NEW]
    moved = answer["artifacts"][0]
    assert moved["links"]["references"] == [OLD]
    assert set(moved) == set(answer["artifacts"][1])


@requirement("order.decision-newer-ahead")
def test_a_later_decision_that_supersedes_an_earlier_one_is_read_before_it(decisions, order) -> None:
    decisions(supersedes=["DEC-000"])
    assert order().index(NEW) < order().index(OLD)


@requirement("order.decision-dated")
@pytest.mark.parametrize("dated", ["2026-01-01", "2025-06-01"])
def test_a_note_that_is_not_the_later_one_moves_nothing(decisions, order, dated) -> None:
    decisions("It bears on DEC-000.", captured_at=dated)
    assert order() == [OLD, X, NEW]


@requirement("order.decision-already-above")
def test_a_later_note_that_already_stands_above_stays_where_it_is(repo, ingest, order) -> None:
    repo.item(NEW, "quay quay quay quay DEC-000", title="Quay", folder="decisions", captured_at="2026-02-01")
    repo.item(X, "quay quay", title="Talk of it", folder="conversations", captured_at="2026-03-01")
    repo.item(OLD, FAINT, title="Earlier", folder="decisions", captured_at="2026-01-01")
    repo.commit()
    ingest()
    assert order() == [NEW, X, OLD]


@requirement("order.decision-notes-only")
def test_a_conversation_that_names_a_decision_stays_where_it_ranked(repo, ingest, decisions, order) -> None:
    decisions()
    repo.item(X, "quay quay DEC-000", title="Talk of it", folder="conversations", captured_at="2026-03-01")
    repo.commit()
    ingest()
    assert order() == [OLD, X, NEW]


@requirement("order.decision-both-gathered")
def test_a_note_that_the_question_did_not_gather_is_not_fetched(repo, ingest, decisions, order) -> None:
    decisions()
    repo.item(NEW, "Of DEC-000.", title="Later", folder="decisions", captured_at="2026-02-01")
    repo.commit()
    ingest()
    assert order() == [OLD, X]


@requirement("order.decision-before-cut")
def test_the_move_comes_before_the_cut(decisions, order) -> None:
    decisions("It bears on DEC-000.")
    assert order(limit=2) == [NEW, OLD]


@requirement("search.id-query-newer-first")
def test_a_search_for_a_decision_s_id_serves_a_later_one_above_it(decisions, order) -> None:
    decisions("It bears on DEC-000.")
    found = order("DEC-000")
    assert found.index(NEW) == found.index(OLD) - 1


@requirement("order.decision-inferred")
def test_an_inferred_edge_moves_nothing(decisions, reader) -> None:
    decisions()
    model = Inferred(read=[InferredEdge("k", NEW, OLD, "RELATES", "DEC-001 changes DEC-000")])
    answer = search_context(dataclasses.replace(reader, inferences=model), query="quay")
    assert [row["artifact_id"] for row in answer["artifacts"]] == [OLD, X, NEW]


@pytest.fixture
def story(repo, ingest) -> Callable[..., None]:
    """A story that ranks first, a document in between, and a decision with ``words`` that ranks last."""

    def write(words: str = "", body: str = FAINT, **keys: Any) -> None:
        repo.item("STORY-001", "quay quay quay quay\n\n## Acceptance criteria\n\n- one\n- two", title="Quay quay")
        repo.commit("story", "2026-01-01")
        repo.item("CONV-001", "quay quay", title="Talk of it", folder="conversations", captured_at="2026-01-01")
        repo.item("DEC-001", f"{body} {words}", title="Later", folder="decisions",
                  **{"captured_at": "2026-01-02", **keys})  # fmt: skip
        repo.commit("note", "2026-01-02")
        ingest()

    return write


STORY, NOTE = "STORY-001", "DEC-001"


@requirement("order.criteria-note", "order.criteria-words", "order.criteria-sink")
@pytest.mark.parametrize(
    "words", ["AC5 of STORY-001", "ACs 3, STORY-001", "a criterion of STORY-001", "STORY-001 acceptance"]
)
def test_a_story_sinks_beneath_a_later_decision_about_its_criteria(story, order, words) -> None:
    story(words)
    assert order() == [X, NOTE, STORY]


@requirement("order.criteria-no-move", "order.criteria-words")
@pytest.mark.parametrize("words", ["STORY-001 alone", "ACME and STORY-001", "accept STORY-001", "AC5 of no story"])
def test_a_decision_that_speaks_of_no_criteria_moves_no_story(story, order, words) -> None:
    story(words)
    assert order() == [STORY, X, NOTE]


@requirement("order.criteria-no-move")
def test_a_decision_older_than_the_story_moves_nothing(story, order) -> None:
    story("AC5 of STORY-001", captured_at="2025-12-01")
    assert order() == [STORY, X, NOTE]


@requirement("order.criteria-inside-cut")
def test_a_story_never_sinks_for_a_note_past_the_limit(story, order) -> None:
    story("AC5 of STORY-001")
    assert order(limit=2) == [STORY, X]
    assert order(limit=3) == [X, NOTE, STORY]


@requirement("revises.criterion-words-constant")
def test_the_rule_of_criteria_can_be_switched_off(story, order, monkeypatch) -> None:
    story("AC5 of STORY-001")
    monkeypatch.setattr(retrieval, "CRITERION_WORDS_RULE", False)
    assert order() == [STORY, X, NOTE]


@requirement("revises.moves-nothing", "revises.mark-rows", "revises.mark-constant")
def test_a_declared_revision_marks_the_story_and_moves_nothing(story, order, reader, monkeypatch) -> None:
    story(revises=["STORY-001"])
    answer = search_context(reader, query="quay")
    for shelf in ("artifacts", "passages"):
        assert [row["artifact_id"] for row in answer[shelf]] == [STORY, X, NOTE]
        marked = {row["artifact_id"]: row["revised_by"] for row in answer[shelf] if "revised_by" in row}
        assert marked == {STORY: [{"id": NOTE}]}
    monkeypatch.setattr(retrieval, "REVISED_BY_MARK", False)
    assert "revised_by" not in str(search_context(reader, query="quay"))


@requirement("revises.mark-not-gathered", "revises.mark-entries")
def test_the_mark_lists_notes_newest_first_whether_or_not_they_were_found(repo, story, ingest, reader) -> None:
    story(body="Nothing.")
    for n, when in ((2, "2026-02-01"), (3, "2026-03-01")):
        repo.write(
            f"decisions/DEC-00{n}.md",
            f"---\nid: DEC-00{n}\ntitle: Unfound {n}\ncaptured_at: {when}\n"
            f"revises:\n- id: STORY-001\n  criteria: [{n - 1}]\n---\n\nNothing.\n",
        )
        repo.commit("revise", when)
    ingest()
    row = search_context(reader, query="quay quay", limit=1)["artifacts"][0]
    assert row["artifact_id"] == STORY
    assert row["revised_by"] == [{"id": "DEC-003", "criteria": [2]}, {"id": "DEC-002", "criteria": [1]}]


@requirement("revises.order-constant")
def test_the_declared_revision_sinks_the_story_where_its_constant_is_on(story, order, monkeypatch) -> None:
    story(revises=["STORY-001"])
    assert retrieval.REVISES_ORDER is False
    monkeypatch.setattr(retrieval, "REVISES_ORDER", True)
    assert order() == [X, NOTE, STORY]


@requirement("revises.pull-on", "revises.pull-max")
def test_a_revising_note_is_pulled_above_its_story_where_the_constant_is_on(story, reader, monkeypatch) -> None:
    story(body="Nothing.", revises=["STORY-001"])
    rows = {"query": "quay"}
    assert [row["artifact_id"] for row in search_context(reader, **rows)["artifacts"]] == [STORY, X]
    monkeypatch.setattr(retrieval, "PULL_REVISING", True)
    pulled = search_context(reader, **rows)["artifacts"]
    assert [row["artifact_id"] for row in pulled] == [NOTE, STORY, X]
    assert pulled[0]["method"] == "revises"
    assert [row["artifact_id"] for row in search_context(reader, **rows, limit=2)["artifacts"]] == [NOTE, STORY]
    monkeypatch.setattr(retrieval, "PULL_REVISING_TOP", 0)
    assert [row["artifact_id"] for row in search_context(reader, **rows)["artifacts"]] == [STORY, X]
    monkeypatch.setattr(retrieval, "PULL_REVISING_TOP", 3)
    monkeypatch.setattr(retrieval, "PULL_REVISING_MAX", 0)
    assert [row["artifact_id"] for row in search_context(reader, **rows)["artifacts"]] == [STORY, X]


@pytest.mark.requirement("search.id-query-ranked")
@pytest.mark.requirement("ranking.exact-id-family")
def test_an_id_finds_the_artifact_itself_though_its_own_words_do_not_hold_it(repo, ingest, reader) -> None:
    repo.item("STORY-001", "The berth map.", title="Berth map")
    for n in range(12):
        repo.item(
            f"CONV-{n:03}", f"Much about STORY-001 and STORY-001, {n}.", folder="conversations", title=f"Talk {n}"
        )
    repo.item("DEC-001", "So it is.", folder="decisions", title="A rule")
    repo.commit()
    ingest()
    for query in ("STORY-001", "story-001", "what of STORY-001 now"):
        found = search_context(reader, query=query, limit=5)["artifacts"]
        assert found[0]["artifact_id"] == "STORY-001", query
        assert found[0]["method"] == "keyword (english stemming)" and len(found) == 5
    assert search_context(reader, query="DEC-001")["artifacts"][0]["artifact_id"] == "DEC-001"
    assert search_context(reader, query="STORY-001", kind="doc", limit=5)["artifacts"][0]["artifact_id"] != "STORY-001"
    assert all(r["artifact_id"] != "STORY-9" for r in search_context(reader, query="STORY-9")["artifacts"])
