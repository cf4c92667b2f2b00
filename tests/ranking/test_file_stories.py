"""Which stories and decisions are behind a file."""

from __future__ import annotations

import time
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphapi.ranking.file_stories import NoteBehind, Touch, names_file, rank_notes, rank_stories

PATH = "src/app/billing.py"
FIRST = "OTHER-1"


def touch(day: int, subject: str = "", body: str = "", delivered: str = "") -> Touch:
    ids = [frozenset(text.split()) for text in (subject, body, delivered)]
    return Touch(f"sha{day}", f"2026-01-{day:02}T00:00:00Z", *ids)


def weights(*touches: Touch) -> dict[str, float]:
    """The weights after a commit that brings the file in for another story."""
    return {s.artifact_id: s.weight for s in rank_stories([touch(1, FIRST), *touches]) if s.artifact_id != FIRST}


@pytest.mark.requirement("path.weight-subject")
def test_a_subject_that_names_the_story_adds_one() -> None:
    assert weights(touch(2, "S-1 S-2"), touch(3, "S-1")) == {"S-1": 2.0, "S-2": 1.0}


@pytest.mark.requirement("path.weight-body")
def test_a_body_alone_adds_a_half_and_nothing_beside_the_subject() -> None:
    assert weights(touch(2, "S-1", "S-1 S-2")) == {"S-1": 1.0, "S-2": 0.5}


@pytest.mark.requirement("path.weight-delivery")
def test_a_commit_that_delivered_the_story_adds_one_more() -> None:
    assert weights(touch(2, "S-1", "S-2", "S-1 S-2 S-3")) == {"S-1": 2.0, "S-2": 1.5, "S-3": 1.0}


@pytest.mark.requirement("path.weight-first", "path.weight-sum")
def test_the_story_of_the_first_commit_that_names_any_gets_three_more() -> None:
    found = rank_stories(
        [touch(1, delivered="S-9"), touch(2, "S-1"), touch(3, "S-2"), touch(4, "S-2"), touch(5, "S-2")]
    )
    assert [(s.artifact_id, s.weight) for s in found] == [("S-1", 4.0), ("S-2", 3.0), ("S-9", 1.0)]
    in_body = rank_stories([touch(1), touch(2, "S-2", "S-1"), touch(3, "S-1")])
    assert {s.artifact_id: s.weight for s in in_body} == {"S-2": 4.0, "S-1": 4.5}


@pytest.mark.requirement("path.tie-recent")
def test_equal_weights_go_to_the_more_recent_commit_and_then_to_the_lower_id() -> None:
    found = rank_stories([touch(1, FIRST), touch(2, "S-1"), touch(4, "S-10 S-9"), touch(3, "S-2")])
    assert [s.artifact_id for s in found] == [FIRST, "S-9", "S-10", "S-2", "S-1"]


@pytest.mark.requirement("path.story-commits")
def test_a_story_says_how_many_commits_name_or_deliver_it_and_when_the_last_did() -> None:
    found = rank_stories([touch(1, "S-1"), touch(9, "S-1", "S-1", "S-1"), touch(5, delivered="S-1"), touch(20)])
    assert [(s.commits, s.last) for s in found] == [(3, "2026-01-09T00:00:00Z")]


def test_no_commit_and_commits_that_name_nothing_have_no_story() -> None:
    assert rank_stories([]) == rank_stories([touch(1)]) == []


@given(st.lists(st.tuples(*[st.sets(st.sampled_from(["S-1", "S-2", "S-3"]))] * 3), max_size=9))
def test_weights_add_up_over_any_history(history: list[tuple[Iterable[str], ...]]) -> None:
    touches = [Touch(str(n), f"2026-01-0{n}", *map(frozenset, ids)) for n, ids in enumerate(history, start=1)]
    first = next((t for t in touches if t.subject_ids or t.body_ids), None)
    for story in rank_stories(touches):
        of = story.artifact_id
        expected = sum(
            (1 if of in t.subject_ids else 0.5 * (of in t.body_ids)) + (of in t.delivered_ids) for t in touches
        )
        assert story.weight == expected + 3 * (first is not None and of in first.subject_ids | first.body_ids)


def note(
    artifact_id: str, linked: Iterable[int], *, names: bool = False, created: str | None = "2026-01-01"
) -> NoteBehind:
    return NoteBehind(artifact_id, names, frozenset(linked), created)


@pytest.mark.requirement("path.decisions-name-file")
def test_a_note_that_names_the_file_goes_before_one_tied_to_every_story() -> None:
    assert [n.artifact_id for n in rank_notes([note("A", range(5)), note("B", [4], names=True)])] == ["B", "A"]


@pytest.mark.requirement("path.decisions-order")
def test_notes_alike_go_by_how_many_stories_then_by_their_rank_then_newest() -> None:
    expected = [
        note("D-1", [3, 4]), note("D-2", [0]), note("D-7", [1], created="2026-03-01"), note("D-4", [1]),
        note("D-3", [1], created=None), note("D-10", [1], created=None),
    ]  # fmt: skip
    assert rank_notes(expected[::-1]) == rank_notes(expected) == expected


@pytest.mark.requirement("path.decisions-name-file")
@pytest.mark.parametrize(
    "text",
    ["src/app/billing.py", "see `billing.py`.", "(billing.py:42)", "app/billing.py", "./src/app/billing.py",
     "acme/src/app/billing.py#L3", "billing.total", "`billing.total()` rounds", "app.billing.total",
     "src.app.billing.Total", "billing.py's owner", "edit billing.py, please", "https://x.example/src/app/billing.py"],
)  # fmt: skip
def test_a_text_names_a_file_by_its_path_its_name_or_an_attribute(text: str) -> None:
    assert names_file(text, PATH)


@pytest.mark.requirement("path.decisions-name-file")
@pytest.mark.parametrize(
    "text",
    ["", "billing", "about billing. Then more", "rebilling.py", "billing.pyc", "other/billing.py", "src/billing.py",
     "billing.md", "billing.json", "rebilling.total", "e-billing.total", "shop.billing.total", "lib/billing.total",
     "billing.7", "src/app/", "BILLING.py"],
)  # fmt: skip
def test_a_text_with_another_file_or_part_of_a_name_does_not_name_it(text: str) -> None:
    assert not names_file(text, PATH)


def test_a_file_at_the_root_is_named_by_its_name_alone() -> None:
    assert names_file("see README.md", "README.md")
    assert not names_file("see docs/README.md", "README.md")
    assert names_file("the Makefile has it", "Makefile")
    assert not names_file("anything.at all", "")
    assert not names_file("anything.at all", ".env")


@pytest.mark.parametrize("text", ["a" * 1_000_000, "./" * 500_000, "billing." * 120_000, "/billing.py" * 90_000])
def test_a_hostile_text_is_read_at_once(text: str) -> None:
    start = time.perf_counter()
    names_file(text, PATH)
    assert time.perf_counter() - start < 1
