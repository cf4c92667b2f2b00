"""A later decision is read before what it changes: the moves that come after the scores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphapi.ranking import retrieval
from graphapi.ranking.retrieval import order_criteria, order_decisions, pull_revising, speaks_of_criteria
from tests.ranking.rows import row, table

OLD, X, NEW = row("DEC-000", "2026-01-01"), row("REF-1", "2026-02-01"), row("DEC-001", "2026-03-01")
STORY = row("STORY-1", "2026-01-01")
NOTE = row("DEC-002", "2026-02-01", speaks_of_criteria=True)
ROWS = table(OLD, X, NEW, STORY, NOTE, row("REF-2"), row("STORY-2", "2026-01-01"))
NAMED = {"DEC-001": {"DEC-000"}, "DEC-002": {"STORY-1"}}


@pytest.mark.requirement("order.decision-newer-ahead")
def test_a_later_decision_goes_directly_above_the_earlier_one_it_names() -> None:
    assert order_decisions(["DEC-000", "REF-1", "DEC-001"], ROWS, NAMED) == ["DEC-001", "DEC-000", "REF-1"]


@pytest.mark.requirement("search.id-query-newer-first")
def test_an_exact_hit_for_the_earlier_decisions_id_is_no_exception() -> None:
    assert order_decisions(["DEC-000", "DEC-001", "REF-1"], ROWS, NAMED) == ["DEC-001", "DEC-000", "REF-1"]


@pytest.mark.requirement("order.decision-dated")
@pytest.mark.parametrize("created", ["2026-01-01", "2026-01-01T00:00:00Z", "2025-12-31", None, "spring"])
def test_a_note_that_is_not_later_moves_nothing(created: str | None) -> None:
    rows = ROWS | table(row("DEC-001", created, dated="2026-09-01"))
    assert order_decisions(["DEC-000", "REF-1", "DEC-001"], rows, NAMED) == ["DEC-000", "REF-1", "DEC-001"]


@pytest.mark.requirement("order.decision-dated")
def test_an_earlier_note_without_a_date_is_not_passed() -> None:
    rows = ROWS | table(row("DEC-000"))
    assert order_decisions(["DEC-000", "DEC-001"], rows, NAMED) == ["DEC-000", "DEC-001"]


@pytest.mark.requirement("order.decision-both-gathered")
def test_a_note_that_was_not_gathered_is_not_brought_in() -> None:
    assert order_decisions(["DEC-000", "REF-1"], ROWS, NAMED) == ["DEC-000", "REF-1"]
    assert order_decisions(["REF-1", "DEC-001"], ROWS, NAMED) == ["REF-1", "DEC-001"]


@pytest.mark.requirement("order.decision-already-above")
def test_a_note_already_above_stays_where_it_ranked() -> None:
    assert order_decisions(["DEC-001", "REF-1", "DEC-000"], ROWS, NAMED) == ["DEC-001", "REF-1", "DEC-000"]


@pytest.mark.requirement("order.decision-notes-only")
@pytest.mark.parametrize("key", ["CONV-9", "REF-9", "STORY-9"])
def test_only_a_decision_note_moves_and_only_above_a_decision_note(key: str) -> None:
    rows = ROWS | table(row(key, "2026-05-01"), row("DEC-9", "2026-06-01"))
    assert order_decisions(["DEC-000", key], rows, {key: {"DEC-000"}}) == ["DEC-000", key]
    assert order_decisions([key, "DEC-9"], rows, {"DEC-9": {key}}) == [key, "DEC-9"]


@pytest.mark.requirement("order.decision-before-cut")
def test_the_move_is_over_the_whole_order_so_that_the_cut_comes_after() -> None:
    rows = ROWS | table(row("A-1"), row("B-1"))
    assert order_decisions(["A-1", "DEC-000", "B-1", "DEC-001"], rows, NAMED)[:3] == ["A-1", "DEC-001", "DEC-000"]


@pytest.mark.requirement("order.decision-newer-ahead")
@given(st.permutations(["DEC-1", "DEC-2", "DEC-3", "DEC-4", "REF-1", "STORY-1"]),
       st.dictionaries(st.sampled_from(["DEC-1", "DEC-2", "DEC-3", "DEC-4"]),
                       st.sets(st.sampled_from(["DEC-1", "DEC-2", "DEC-3", "DEC-4", "STORY-1"]))))  # fmt: skip
def test_whatever_names_whatever_each_later_decision_ends_above_what_it_names(
    keys: list[str], named: dict[str, set[str]]
) -> None:
    rows = table(*(row(f"DEC-{n}", f"2026-01-0{n}") for n in range(1, 5)), row("REF-1"), row("STORY-1", "2020-01-01"))
    order = order_decisions(keys, rows, named)
    assert sorted(order) == sorted(keys)
    for note, olds in named.items():
        for old in olds:
            if old < note and old.startswith("DEC"):
                assert order.index(note) < order.index(old)


@pytest.mark.parametrize(
    "keys", [["DEC-1", "DEC-2", "DEC-3"], ["DEC-1", "DEC-3", "DEC-2"], ["DEC-2", "DEC-1", "DEC-3"]]
)
def test_a_chain_ends_newest_first(keys: list[str]) -> None:
    rows = table(*(row(f"DEC-{n}", f"2026-01-0{n}") for n in (1, 2, 3)))
    assert order_decisions(keys, rows, {"DEC-3": {"DEC-2"}, "DEC-2": {"DEC-1"}}) == ["DEC-3", "DEC-2", "DEC-1"]


@pytest.mark.requirement("order.criteria-note", "order.criteria-sink")
def test_the_story_sinks_to_beneath_the_note_and_the_rows_between_rise() -> None:
    keys = ["STORY-1", "REF-1", "REF-2", "DEC-002"]
    assert order_criteria(keys, ROWS, NAMED, 10, {}) == ["REF-1", "REF-2", "DEC-002", "STORY-1"]


@pytest.mark.requirement("order.criteria-note")
def test_a_note_that_was_not_gathered_or_stands_above_sinks_no_story() -> None:
    assert order_criteria(["STORY-1", "REF-1"], ROWS, NAMED, 10, {}) == ["STORY-1", "REF-1"]
    assert order_criteria(["DEC-002", "REF-1", "STORY-1"], ROWS, NAMED, 10, {}) == ["DEC-002", "REF-1", "STORY-1"]


@pytest.mark.requirement("order.criteria-words")
@pytest.mark.parametrize(
    "text",
    [
        "changes AC5.",
        "ACs 3 and 4",
        "AC 5",
        "the last criterion",
        "Its CRITERIA",
        "acceptance",
        "ac5",
        "acceptance_criteria",
    ],
)
def test_these_words_speak_of_criteria(text: str) -> None:
    assert speaks_of_criteria(text)


@pytest.mark.requirement("order.criteria-words")
@pytest.mark.parametrize(
    "text", ["ACME", "accept", "accepted", "criteriology", "AC", "ACs", "MAC5", "AC-DC", "ac5x", "acceptances", ""]
)
def test_these_words_do_not_speak_of_criteria(text: str) -> None:
    assert not speaks_of_criteria(text)


@pytest.mark.requirement("order.criteria-no-move")
@pytest.mark.parametrize(
    "note",
    [row("DEC-002", "2026-02-01"), row("DEC-002", "2025-02-01", speaks_of_criteria=True),
     row("DEC-002", "2026-01-01", speaks_of_criteria=True), row("DEC-002", None, speaks_of_criteria=True),
     row("DEC-002", "2026-02-01", speaks_of_criteria=True, artifact_type="conversation")],
)  # fmt: skip
def test_a_note_without_the_words_or_not_later_or_no_decision_sinks_no_story(note: retrieval.Candidate) -> None:
    assert order_criteria(["STORY-1", "DEC-002"], ROWS | table(note), NAMED, 10, {}) == ["STORY-1", "DEC-002"]


@pytest.mark.requirement("order.criteria-inside-cut")
def test_a_story_never_sinks_for_a_note_past_the_cut() -> None:
    keys = ["STORY-1", "REF-1", "REF-2", "DEC-002"]
    assert order_criteria(keys, ROWS, NAMED, 3, {})[:3] == ["STORY-1", "REF-1", "REF-2"]
    assert order_criteria(keys, ROWS, NAMED, 4, {})[:4] == ["REF-1", "REF-2", "DEC-002", "STORY-1"]
    assert order_criteria(keys, ROWS, NAMED, 0, {}) == keys


def test_a_story_sinks_to_beneath_the_lowest_of_its_notes_inside_the_cut() -> None:
    rows = ROWS | table(
        row("DEC-003", "2026-04-01", speaks_of_criteria=True), row("DEC-004", "2026-05-01", speaks_of_criteria=True)
    )
    named = {note: {"STORY-1"} for note in ("DEC-002", "DEC-003", "DEC-004")}
    keys = ["STORY-1", "DEC-002", "REF-1", "DEC-003", "DEC-004"]
    assert order_criteria(keys, rows, named, 4, {}) == ["DEC-002", "REF-1", "DEC-003", "STORY-1", "DEC-004"]


def test_two_stories_under_one_note_keep_their_order() -> None:
    named = {"DEC-002": {"STORY-1", "STORY-2"}}
    assert order_criteria(["STORY-2", "STORY-1", "DEC-002"], ROWS, named, 9, {}) == ["DEC-002", "STORY-2", "STORY-1"]


@pytest.mark.requirement("order.criteria-inside-cut")
@given(
    st.permutations(["STORY-1", "STORY-2", "DEC-1", "DEC-2", "DEC-3", "REF-1"]),
    st.integers(0, 7),
    st.dictionaries(st.sampled_from(["DEC-1", "DEC-2", "DEC-3"]), st.sets(st.sampled_from(["STORY-1", "STORY-2"]))),
)
def test_sinking_a_story_changes_no_row_of_the_cut_for_another(
    keys: list[str], limit: int, named: dict[str, set[str]]
) -> None:
    notes = [row(f"DEC-{n}", f"2026-02-0{n}", speaks_of_criteria=True) for n in (1, 2, 3)]
    rows = table(*notes, row("STORY-1", "2026-01-01"), row("STORY-2", "2026-01-01"), row("REF-1"))
    order = order_criteria(keys, rows, named, limit, {})
    assert order[limit:] == keys[limit:]
    assert sorted(order[:limit]) == sorted(keys[:limit])
    for note, stories in named.items():
        for story in stories & set(order[:limit]):
            assert note not in order[:limit] or order.index(note) < order.index(story)


@pytest.mark.requirement("revises.moves-nothing")
def test_a_declared_revision_moves_no_row() -> None:
    assert order_criteria(["STORY-1", "REF-1", "DEC-001"], ROWS, {}, 9, {"DEC-001": {"STORY-1"}}) == [
        "STORY-1", "REF-1", "DEC-001",
    ]  # fmt: skip


@pytest.mark.requirement("revises.order-constant")
def test_with_the_order_on_a_declared_revision_sinks_the_story_without_the_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert retrieval.REVISES_ORDER is False
    monkeypatch.setattr(retrieval, "REVISES_ORDER", True)
    revises = {"DEC-001": {"STORY-1"}}
    assert order_criteria(["STORY-1", "REF-1", "DEC-001"], ROWS, {}, 9, revises) == ["REF-1", "DEC-001", "STORY-1"]
    older = ROWS | table(row("DEC-001", "2025-01-01"))
    assert order_criteria(["STORY-1", "DEC-001"], older, {}, 9, revises) == ["STORY-1", "DEC-001"]


@pytest.mark.requirement("revises.criterion-words-constant")
def test_with_the_words_rule_off_a_note_that_changes_criteria_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert retrieval.CRITERION_WORDS_RULE is True
    monkeypatch.setattr(retrieval, "CRITERION_WORDS_RULE", False)
    assert order_criteria(["STORY-1", "DEC-002"], ROWS, NAMED, 9, {}) == ["STORY-1", "DEC-002"]
    monkeypatch.setattr(retrieval, "REVISES_ORDER", True)
    assert order_criteria(["STORY-1", "DEC-002"], ROWS, NAMED, 9, {}) == ["STORY-1", "DEC-002"]


def test_a_revision_marks_rows_by_default() -> None:
    assert retrieval.REVISED_BY_MARK is True


@pytest.mark.requirement("revises.pull-on")
def test_a_revising_note_is_pulled_only_where_that_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    keys, newest = ["A", "STORY-1", "B", "STORY-2"], {"STORY-1": "DEC-8", "STORY-2": "DEC-9"}
    assert pull_revising(keys, 9, newest) == (keys, [])
    monkeypatch.setattr(retrieval, "PULL_REVISING", True)
    assert (retrieval.PULL_REVISING_TOP, retrieval.PULL_REVISING_MAX, retrieval.PULLED) == (3, 2, "revises")
    assert pull_revising(keys, 9, newest) == (["A", "DEC-8", "STORY-1", "B", "STORY-2"], ["DEC-8"])
    assert pull_revising(["STORY-1", "DEC-8"], 9, newest) == (["STORY-1", "DEC-8"], [])


@pytest.mark.requirement("revises.pull-max")
def test_no_more_notes_are_pulled_than_the_constant_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "PULL_REVISING", True)
    newest = {"S1": "N1", "S2": "N2", "S3": "N3"}
    assert pull_revising(["S1", "S2", "S3"], 9, newest) == (["N1", "S1", "N2", "S2", "S3"], ["N1", "N2"])
    assert pull_revising(["S1", "S2"], 9, {"S1": "N", "S2": "N"}) == (["N", "S1", "S2"], ["N"])


def test_a_pulled_note_pushes_its_own_story_out_of_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "PULL_REVISING", True)
    assert pull_revising(["A", "STORY-1"], 2, {"STORY-1": "N"}) == (["A", "STORY-1"], [])
    assert pull_revising(["STORY-1", "A"], 2, {"STORY-1": "N"}) == (["N", "STORY-1"], ["N"])
