"""What an answer says of itself, in words: nothing it cut or never read goes unsaid."""

from __future__ import annotations

from graphapi.caveats import caveats

AGE = {"oldest_read_at": "2026-01-02T00:00:00Z", "watching": False}


def kinds(answer: dict) -> list[str]:
    return [caveat.kind for caveat in caveats(answer)]


def test_a_failed_pass_is_said_first_and_the_age_last() -> None:
    answer = {
        "freshness": AGE,
        "history": {
            "floors": {"commits/a": "2025-01-01"},
            "gaps": {"commits/a": ["2025-02-01/2025-03-01"]},
            "partial": ["b"],
        },
        "withheld": {"count": 2, "artifacts": ["A", "B"], "why": "declared"},
        "context_health": {
            "last_pass": "failed",
            "handle": "PASS-1",
            "at": "2026-01-01T00:00:00Z",
            "serves": "the one before",
        },
        "ranking": {"applied": False},
        "invalidated": {"count": 3},
    }
    said = caveats(answer)
    assert [c.kind for c in said] == ["failed", "order", "ended", "withheld", "floor", "age"]
    assert "PASS-1" in said[0].says and said[0].at == "2026-01-01T00:00:00Z"
    assert "3 facts" in said[2].says and "A, B" in said[3].says
    assert (
        "commits/a to 2025-01-01" in said[4].says
        and "2025-02-01/2025-03-01" in said[4].says
        and "b with" in said[4].says
    )


def test_every_cut_is_said_wherever_it_stands_with_its_reason_and_what_to_do() -> None:
    cut = {"reason": "read-budget", "whole": 9, "listed": 2, "note": "narrow it"}
    said = caveats(
        {
            "truncated": cut,
            "binding": {"scope": {"matched_truncated": {**cut, "reasons": {"cap": 1, "read-budget": 6}}}},
        }
    )
    assert [c.says for c in said] == [
        "rows: 2 of 9 listed (an answer may be only so large); narrow it",
        "matched of scope: 2 of 9 listed (as many as are read at once, an answer may be only so large); narrow it",
    ]


def test_an_absent_half_is_no_empty_one() -> None:
    assert kinds({"concepts": {"absent": True, "reason": "lite"}, "facts": []}) == ["absent"]
    assert kinds({"concepts": []}) == []
    gone = {"absent": True, "reason": "lite"}
    (said,) = caveats({"concepts": gone, "inferred_facts": gone, "gathered_from": {"entity_types_present": gone}})
    assert said.says == "concepts, inferred facts, statements in prose: not here, since this project declares no model"


def test_an_answer_over_several_projects_says_whose_each_is() -> None:
    answer = {"projects": ["a", "b"], "freshness": {"a": AGE, "b": {**AGE, "oldest_read_at": None}},
              "history": {"b": {"floors": {"commits/b": "2025-01-01"}}}}  # fmt: skip
    assert [(c.kind, c.project) for c in caveats(answer)] == [("floor", "b"), ("age", "a"), ("age", "b")]


def test_what_is_only_ever_true_is_not_said_when_it_is_not() -> None:
    assert kinds({"freshness": AGE, "artifacts": []}) == ["age"]
