"""Several legs made one order, by rank alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphapi.ranking import retrieval
from graphapi.ranking.retrieval import FEEDBACK, KEYWORD, RECIPE_ARTIFACT, Leg, fuse
from tests.ranking.rows import leg

KEYS = [f"K-{n:02}" for n in range(30)]
LEGS = st.lists(
    st.builds(Leg, st.sampled_from([KEYWORD, FEEDBACK, RECIPE_ARTIFACT]), st.sampled_from([1.0, 0.5]),
              st.lists(st.sampled_from(KEYS), unique=True, max_size=20)),
    max_size=5,
)  # fmt: skip


@pytest.mark.requirement("ranking.fusion-contribution")
def test_a_leg_gives_a_row_one_over_ten_and_its_rank() -> None:
    assert [row.score for row in fuse([leg("A", "B", "C")])] == [1 / 11, 1 / 12, 1 / 13]
    assert [row.place for row in fuse([leg("A", "B", "C")])] == [1, 2, 3]


@pytest.mark.requirement("ranking.fusion-better-leg")
def test_a_row_on_two_legs_stands_at_the_better_place_and_gets_no_sum() -> None:
    fused = {row.key: row.score for row in fuse([leg("X", "Y", "A"), leg("A", "Z")])}
    assert fused["A"] == 1 / 11 == fused["X"]


@pytest.mark.requirement("ranking.recipe-half")
def test_the_recipes_first_row_stands_between_the_eleventh_and_the_thirteenth_of_the_keyword_leg() -> None:
    keyword = leg(*KEYS[:14])
    fused = fuse([keyword, leg("R", weight=retrieval.RECIPE_WEIGHT, method=RECIPE_ARTIFACT)])
    scores = {row.key: row.score for row in fused}
    assert scores["R"] == 0.5 / 11
    assert scores[KEYS[10]] > scores["R"] > scores[KEYS[12]]


@pytest.mark.requirement("method.feedback-half", "method.feedback-below")
def test_the_feedback_legs_first_row_stands_below_the_twelfth_of_the_keyword_leg() -> None:
    fused = fuse([leg(*KEYS[:14]), leg("F", weight=retrieval.FEEDBACK_WEIGHT, method=FEEDBACK)])
    assert [row.key for row in fused] == [*KEYS[:12], "F", *KEYS[12:14]]
    assert next(row for row in fused if row.key == "F").score == 0.5 / 11


@pytest.mark.requirement("method.keyword", "method.feedback")
def test_a_row_says_the_first_leg_that_reached_it_whatever_leg_scored_it() -> None:
    fused = fuse([leg(*KEYS[:20]), leg(KEYS[19], "F", weight=0.5, method=FEEDBACK)])
    found = {row.key: row for row in fused}
    assert found[KEYS[19]].score == 0.5 / 11
    assert found[KEYS[19]].method == "keyword (english stemming)"
    assert found["F"].method == "keyword (english stemming, feedback terms)"


def test_equal_places_go_to_the_earlier_leg() -> None:
    assert [row.key for row in fuse([leg("A1", "A2"), leg("B1", "B2")])] == ["A1", "B1", "A2", "B2"]


def test_the_offset_is_read_when_the_legs_are_fused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "FUSION_OFFSET", 60)
    assert fuse([leg("A")])[0].score == 1 / 61


def test_no_leg_and_empty_legs_fuse_to_nothing() -> None:
    assert fuse([]) == fuse([leg(), leg()]) == []


@pytest.mark.requirement("ranking.fusion-better-leg", "ranking.fusion-contribution")
@given(LEGS)
def test_every_row_is_there_once_at_the_best_of_its_contributions(legs: list[Leg]) -> None:
    fused = fuse(legs)
    keys = [row.key for row in fused]
    assert sorted(keys) == sorted({key for one in legs for key in one.keys})
    for row in fused:
        given_by = [one.weight / (11 + list(one.keys).index(row.key)) for one in legs if row.key in one.keys]
        assert row.score == max(given_by)
        assert row.method == next(one.method for one in legs if row.key in one.keys)
    assert [row.score for row in fused] == sorted((row.score for row in fused), reverse=True)
