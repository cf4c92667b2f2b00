"""The six signals a fused score is multiplied by."""

from __future__ import annotations

import math

import pytest

from graphapi.ranking import retrieval
from graphapi.ranking.retrieval import Candidate, query_ids, weigh
from tests.ranking.rows import level, row, table

NEW, OLD = "2026-07-01T00:00:00Z", "2026-01-02T00:00:00Z"  # 180 days apart


def scores(
    *rows: Candidate, query: str = "", families: tuple[str, ...] = ("STORY",), **more: object
) -> dict[str, float]:
    weighed = weigh(level(*rows), table(*rows), query_ids=query_ids(query, families), **more)  # type: ignore[arg-type]
    return {str(scored.key): scored.score for scored in weighed}


@pytest.mark.requirement("ranking.defaults")
def test_the_signals_and_their_defaults_are_these_six_in_this_order() -> None:
    assert list(retrieval.SIGNALS) == [
        ("exact-id", 4.0), ("recency", 180), ("provenance", 1.0), ("link-count", 0.1), ("kind", 0.6),
        ("superseded", 0.5),
    ]  # fmt: skip


@pytest.mark.requirement("ranking.multiplied")
def test_a_score_is_the_fused_score_times_all_six() -> None:
    fresh = row("REF-1", NEW)
    commit = row("code@1", OLD, superseded=True, provenance="mirror", links=3, artifact_id="STORY-001")
    found = scores(fresh, commit, query="story-001")
    assert found["REF-1"] == 1.0
    assert found["code@1"] == pytest.approx(4.0 * 0.5 * 0.8 * (1 + 0.1 * math.log(4)) * 0.6 * 0.5)


@pytest.mark.requirement("ranking.exact-id", "ranking.exact-id-family")
def test_a_whole_id_of_a_family_in_the_query_is_weighed_by_four() -> None:
    rows = row("STORY-001"), row("STORY-0011"), row("STORY-002")
    assert scores(*rows, query="story-001 berth") == {"STORY-001": 4.0, "STORY-0011": 1.0, "STORY-002": 1.0}


@pytest.mark.requirement("ranking.exact-id")
@pytest.mark.parametrize("query", ["STORY-1020", "XSTORY-102", "STORY-102-3", "STORY 102", "STORY-10"])
def test_an_id_inside_a_longer_one_weighs_nothing(query: str) -> None:
    assert scores(row("STORY-102"), query=query) == {"STORY-102": 1.0}


@pytest.mark.requirement("ranking.exact-id-not-notes")
def test_a_notes_id_in_the_query_weighs_nothing() -> None:
    assert scores(row("DEC-000"), row("CONV-1"), query="DEC-000 CONV-1 DEL-1") == {"DEC-000": 1.0, "CONV-1": 1.0}


def test_ids_in_a_query_are_read_without_case_and_beside_punctuation() -> None:
    assert query_ids("is Story-7, (BUG-3) or EPIC-1?", ["STORY", "bug"]) == {"story-7", "bug-3"}
    assert query_ids("STORY-7", []) == frozenset()


@pytest.mark.requirement("ranking.recency")
def test_a_row_180_days_older_has_half_the_weight() -> None:
    assert scores(row("REF-1", NEW), row("REF-2", OLD)) == {"REF-1": 1.0, "REF-2": 0.5}


@pytest.mark.requirement("ranking.recency")
def test_age_is_measured_from_the_freshest_row_of_the_answer_and_not_from_today() -> None:
    assert scores(row("REF-1", "1999-07-01"), row("REF-2", "1999-01-02")) == {"REF-1": 1.0, "REF-2": 0.5}
    assert scores(row("REF-2", OLD)) == {"REF-2": 1.0}


@pytest.mark.requirement("ranking.recency-declared")
def test_a_declared_half_life_stands_in_for_the_default() -> None:
    rows = row("REF-1", "2026-07-31"), row("REF-2", "2026-07-01")
    assert scores(*rows, half_life_days=30) == {"REF-1": 1.0, "REF-2": 0.5}


@pytest.mark.parametrize("dated", [None, "", "someday"])
def test_a_row_without_a_date_is_neither_favoured_nor_held_back(dated: str | None) -> None:
    assert scores(row("REF-1", NEW), row("REF-2", dated))["REF-2"] == 1.0


@pytest.mark.requirement("ranking.recency-binding-notes")
@pytest.mark.parametrize("kind", ["decision", "constraint", "assumption"])
def test_a_binding_note_is_as_fresh_as_the_freshest_row(kind: str) -> None:
    old = row("DEC-1", "2021-07-01", artifact_type=kind)
    assert scores(row("REF-1", NEW), old) == {"REF-1": 1.0, "DEC-1": 1.0}


@pytest.mark.requirement("ranking.recency-binding-notes")
def test_another_note_and_a_work_item_called_decision_do_age() -> None:
    found = scores(row("REF-1", NEW), row("CONV-1", OLD), row("STORY-1", OLD, artifact_type="decision"))
    assert found["CONV-1"] == found["STORY-1"] == 0.5


@pytest.mark.requirement("ranking.provenance")
def test_a_source_of_record_outweighs_a_mirror() -> None:
    rows = (
        row("REF-1", provenance="mirror"),
        row("REF-2"),
        row("REF-3", provenance="ai-derived"),
        row("REF-4", provenance="?"),
    )
    assert scores(*rows) == {"REF-2": 1.0, "REF-1": 0.8, "REF-3": 0.8, "REF-4": 0.8}


@pytest.mark.requirement("ranking.provenance-table")
def test_a_declared_table_turned_round_lets_the_mirror_lead() -> None:
    rows = row("REF-1"), row("REF-2", provenance="mirror"), row("REF-3", provenance="ai-derived")
    found = scores(*rows, provenance={"source-of-record": 0.5, "mirror": 1.0})
    assert list(found.items()) == [("REF-2", 1.0), ("REF-3", 0.8), ("REF-1", 0.5)]


@pytest.mark.requirement("ranking.link-count")
def test_links_lift_a_row_and_less_so_as_they_grow_many() -> None:
    found = scores(*(row(f"REF-{n}", links=n) for n in (0, 5, 100, 105)))
    zero, five, hundred, more = (found[f"REF-{n}"] for n in (0, 5, 100, 105))
    assert zero == 1.0 < five < hundred < more
    assert five - zero > more - hundred
    assert five == pytest.approx(1 + 0.1 * math.log(6))


@pytest.mark.requirement("ranking.kind-commit")
def test_a_commit_counts_for_six_tenths_of_a_note() -> None:
    assert scores(row("code@1"), row("DEC-1")) == {"DEC-1": 1.0, "code@1": 0.6}


@pytest.mark.requirement("ranking.superseded")
def test_a_superseded_row_has_half_its_weight_and_stays() -> None:
    assert scores(row("DEC-1", superseded=True), row("DEC-2")) == {"DEC-2": 1.0, "DEC-1": 0.5}


def test_equal_scores_keep_the_fused_order_and_the_method_goes_along() -> None:
    rows = [row(f"REF-{n}") for n in (3, 1, 2)]
    weighed = weigh(level(*rows), table(*rows), query_ids=())
    assert [scored.key for scored in weighed] == ["REF-3", "REF-1", "REF-2"]
    assert {scored.method for scored in weighed} == {retrieval.KEYWORD}


def test_a_row_nothing_is_known_of_keeps_its_fused_score() -> None:
    rows = row("DEC-1", superseded=True), row("GONE-1")
    weighed = weigh(level(*rows), table(rows[0]), query_ids=())
    assert [(scored.key, scored.score) for scored in weighed] == [("GONE-1", 1.0), ("DEC-1", 0.5)]


def test_the_weights_are_read_when_rows_are_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    off = dict(retrieval.SIGNALS) | {"exact-id": 1.0, "kind": 1.0, "superseded": 1.0, "link-count": 0, "provenance": 0}
    monkeypatch.setattr(retrieval, "SIGNALS", tuple(off.items()))
    plain = row("code@1", superseded=True, links=9, provenance="mirror", artifact_id="STORY-1")
    assert scores(plain, query="STORY-1") == {"code@1": 1.0}
