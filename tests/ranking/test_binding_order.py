"""In what order what binds a scope is served, whom it is credited to, and which matches of a topic count."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphapi.ranking import binding_order
from graphapi.ranking.binding_order import Claim, Reach, TopicHit, credit, keep_ancestors, method_rank, topic_matches


def claim(key: str, **changed: Any) -> Claim:
    fields: dict[str, Any] = {
        "key": key, "inferred": False, "superseded": False, "topic_words": 0, "method": "cites", "place": "own",
        "distance": 0, "stated_at": "2026-01-01", "artifact_id": key,
    }  # fmt: skip
    return Claim(**(fields | changed))


def ordered(*claims: Claim, by_topic: bool = False) -> list[Any]:
    """The keys in order, from whatever order they come in."""
    shuffled = random.Random(7).sample(claims, len(claims))
    answers = [[c.key for c in binding_order.order(given, by_topic=by_topic)] for given in (claims, shuffled)]
    assert answers[0] == answers[1]
    return answers[0]


@pytest.mark.requirement("binding.tiers", "stated.statements")
def test_what_was_stated_stands_before_what_was_inferred_whatever_else_holds() -> None:
    inferred = claim("A", inferred=True, topic_words=9, stated_at="2026-09-09")
    stated = claim("Z", superseded=True, method="unheard-of", place="above", stated_at=None)
    assert ordered(inferred, stated, by_topic=True) == ["Z", "A"]


@pytest.mark.requirement("binding.superseded-after-live")
def test_a_superseded_statement_stands_behind_every_live_one_of_its_tier() -> None:
    old = claim("DEC-0", superseded=True, topic_words=5, stated_at="2026-09-09")
    live = claim("DEC-1", method="title-mention", place="above", stated_at=None)
    assert ordered(old, live, claim("X", inferred=True), by_topic=True) == ["DEC-1", "DEC-0", "X"]


@pytest.mark.requirement("binding.order-topic-words")
def test_under_a_topic_more_of_its_words_go_before_a_stronger_claim() -> None:
    both = claim("B", topic_words=2, method="title-mention")
    one = claim("A", topic_words=1, method="supersedes")
    assert ordered(both, one, by_topic=True) == ["B", "A"]
    assert ordered(both, one, by_topic=False) == ["A", "B"]


@pytest.mark.requirement("binding.order-method")
def test_the_stronger_claim_by_method_goes_first() -> None:
    methods = ["supersedes", "revises", "cites", "topic-match", "title-mention", "states", "unheard-of"]
    claims = [claim(m, method=m, stated_at=f"2026-01-0{n}", artifact_id="A") for n, m in enumerate(methods, start=1)]
    assert ordered(*claims) == methods
    assert ordered(*claims, by_topic=True) == methods


@pytest.mark.requirement("binding.order-where")
def test_among_equal_claims_the_scopes_own_go_first_then_beneath_then_above() -> None:
    assert ordered(
        claim("A", place="above", stated_at="2026-03-03"),
        claim("B", place="beneath", stated_at="2026-02-02"),
        claim("C", place="own", distance=9),
    ) == ["C", "B", "A"]


@pytest.mark.requirement("binding.order-newest")
def test_among_equal_claims_of_one_place_the_newest_goes_first_and_the_undated_last() -> None:
    claims = (claim("A", stated_at=None), claim("B", stated_at="2026-01-01T10:00:00+02:00"),
              claim("C", stated_at="2026-01-01T09:00:00Z"), claim("D", stated_at="2026-01-01"))  # fmt: skip
    assert ordered(*claims) == ["C", "B", "D", "A"]


def test_statements_alike_in_all_else_go_by_natural_id_and_then_by_key() -> None:
    two_of_one_note = claim("b", artifact_id="DEC-1"), claim("a", artifact_id="DEC-1")
    assert ordered(claim("DEC-10"), claim("DEC-9"), *two_of_one_note) == ["a", "b", "DEC-9", "DEC-10"]


@pytest.mark.requirement("binding.explicit-ref-beside-cites")
def test_a_note_that_names_a_member_and_a_note_the_member_cites_go_by_date_alone() -> None:
    assert method_rank("explicit-ref") == method_rank("cites")
    cited, naming = claim("A", method="cites", stated_at="2026-01-01"), claim("B", method="explicit-ref")
    march = claim("B", method="explicit-ref", stated_at="2026-03-01")
    assert ordered(cited, march) == ["B", "A"]
    assert ordered(claim("A", method="cites", stated_at="2026-03-01"), naming) == ["A", "B"]


@pytest.mark.requirement("revises.serving-on-rank")
def test_revising_notes_rank_between_supersedes_and_cites_by_distance_and_then_newest() -> None:
    assert ordered(
        claim("cited", method="cites", stated_at="2026-09-09"),
        claim("far", method="revises", place="own", distance=2, stated_at="2026-08-08"),
        claim("near-old", method="revises", place="above", distance=1, stated_at="2026-01-01"),
        claim("near-new", method="revises", place="above", distance=1, stated_at="2026-02-02"),
        claim("over", method="supersedes", place="above", stated_at=None),
    ) == ["over", "near-new", "near-old", "far", "cited"]


def test_revising_notes_are_no_statements_unless_that_is_switched_on() -> None:
    assert binding_order.BINDING_SERVES_REVISING is False


@pytest.mark.requirement("binding.ancestor-few", "binding.ancestors-summarised")
def test_an_ancestor_keeps_its_first_few_and_the_rest_are_counted() -> None:
    above = [claim(f"E-{n}", place="above", ancestor="EPIC-0") for n in range(20)]
    other = [claim(f"F-{n}", place="above", ancestor="FEAT-0") for n in range(5)]
    own = [claim(f"O-{n}") for n in range(9)]
    kept, lost = keep_ancestors([*own, *above, *other])
    assert kept == [*own, *above[:5], *other]
    assert lost == {"EPIC-0": 15}
    assert keep_ancestors(own) == (own, {})


@pytest.mark.requirement("bears.one-member", "bears.nearest", "bears.also")
def test_a_statement_bears_on_the_nearest_member_and_names_the_others() -> None:
    reaches = [Reach("s", "STORY-001", 2, "e1"), Reach("f", "FEAT-000", 1, "e2"), Reach("s", "STORY-001", 2, "e3")]
    assert credit(reaches) == ("f", ["s"])


@pytest.mark.requirement("bears.tie-lower-id", "bears.distance-both-ways")
def test_between_members_equally_near_the_lower_id_gets_the_credit() -> None:
    reaches = [Reach("b", "STORY-10", 1, "e1"), Reach("a", "STORY-9", 1, "e2")]
    assert credit(reaches) == credit(reaches[::-1]) == ("a", ["b"])
    up_and_down = [Reach("child", "STORY-1", 1, "e1"), Reach("parent", "EPIC-0", 1, "e2")]
    assert credit(up_and_down) == ("parent", ["child"])


@pytest.mark.requirement("bears.also-one-edge")
def test_one_edge_is_one_reach_however_many_members_came_over_it() -> None:
    assert credit([Reach("a", "STORY-1", 1, "e"), Reach("b", "STORY-2", 1, "e")]) == ("a", [])
    shared = [Reach("a", "S-1", 0, "e1"), Reach("b", "S-2", 1, "e2"), Reach("c", "S-3", 2, "e2")]
    assert credit(shared) == ("a", ["b"])


@pytest.mark.requirement("bears.also-order", "bears.stable")
@given(st.permutations([("d", "S-4", 3), ("b", "S-10", 1), ("a", "S-2", 1), ("c", "S-1", 2), ("root", "S-99", 0)]))
def test_the_others_come_nearest_first_then_by_id_whatever_order_the_rows_were_read_in(
    rows: list[tuple[str, str, int]],
) -> None:
    reaches = [Reach(key, artifact, distance, f"edge of {key}") for key, artifact, distance in rows]
    assert credit(reaches) == ("root", ["a", "b", "c", "d"])


def test_a_statement_nothing_reached_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no member"):
        credit([])


@pytest.mark.requirement("topic.word-share")
def test_a_short_note_with_all_words_goes_before_a_long_one_that_scores_more_on_fewer() -> None:
    hits = [TopicHit("repeats one word", 9.0, 1), TopicHit("long", 4.0, 3), TopicHit("brief", 5.0, 3)]
    kept, _ = topic_matches(hits, 3)
    assert [hit.key for hit in kept] == ["brief", "long"]
    two, _ = topic_matches([TopicHit("two of three", 5.0, 2), TopicHit("three of three", 4.0, 3)], 3)
    assert [hit.key for hit in two] == ["three of three", "two of three"]


@pytest.mark.requirement("topic.reach", "topic.weaker-matches")
def test_a_match_is_kept_with_most_words_of_the_best_one_and_a_score_in_reach_of_it() -> None:
    best = TopicHit("best", 10.0, 4)
    assert topic_matches([TopicHit("one word", 9.0, 1), best], 4) == ([best], 1)
    assert topic_matches([best, TopicHit("half", 10.0, 2)], 4) == ([best], 1)
    three = TopicHit("three", 10.0, 3)
    assert topic_matches([best, three], 4) == ([best, three], 0)
    edge, under = TopicHit("edge", 3.5, 4), TopicHit("under", 3.49, 4)
    assert topic_matches([under, edge, best], 4) == ([best, edge], 1)


@pytest.mark.requirement("topic.weaker-matches")
def test_matches_that_carry_no_word_are_all_weaker() -> None:
    assert topic_matches([], 3) == ([], 0)
    assert topic_matches([TopicHit("a", 3.0, 0), TopicHit("b", 2.0, 0)], 0) == ([], 2)
