"""One call, three questions, each with arguments of its own (004 section 2)."""

from __future__ import annotations

import pytest

from graphapi.domain.refusals import BadArguments
from graphapi.reads.binding import binding
from graphapi.reads.deltas import deltas
from graphapi.reads.drift import drift
from graphapi.reads.scope import get_scope


@pytest.mark.requirement("catalogue.get-scope-questions")
def test_each_question_answers_its_own_payload(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "mooring", type="story", cited_sources=["DEC-001"])
    repo.item("DEC-001", folder="decisions")
    repo.commit("plan", "2026-02-01")
    ingest()
    root = {"artifact_id": "STORY-001", "depth": 1, "limit": 5, "deleted": "include"}
    for question, read, own in (
        ("drift", drift, "departures"), ("deltas", deltas, "changes"), ("binding", binding, "statements"),
    ):  # fmt: skip
        answer = get_scope(reader, question=question, **root)
        assert answer == read(reader, **root)
        assert own in answer
    assert get_scope(reader, question="binding", topic="mooring")["scope"]["topic"] == "mooring"
    assert get_scope(reader, question="binding", path="a.py")["behind"] == []


@pytest.mark.requirement("catalogue.get-scope-questions")
def test_another_question_is_refused_naming_the_three(repo, project, reader) -> None:
    with pytest.raises(BadArguments) as refused:
        get_scope(reader, question="burndown")
    for word in ("'drift'", "'deltas'", "'binding'"):
        assert word in refused.value.detail
        assert word in refused.value.fix


@pytest.mark.requirement("catalogue.get-scope-questions")
@pytest.mark.parametrize(
    ("question", "argument"),
    [
        ("drift", {"topic": "x"}), ("drift", {"path": "x"}), ("drift", {"clock": "source"}),
        ("deltas", {"topic": "x"}), ("deltas", {"path": "x"}),
        ("binding", {"since": "2026-01-01", "topic": "x"}), ("binding", {"until": "2026-01-01", "topic": "x"}),
        ("binding", {"clock": "ingest", "topic": "x"}),
    ],
)  # fmt: skip
def test_an_argument_of_another_question_is_refused_by_name(repo, project, ingest, reader, question, argument) -> None:
    with pytest.raises(BadArguments) as refused:
        get_scope(reader, question=question, **argument)
    assert f"takes no {next(iter(argument))}" in refused.value.detail
    assert "artifact_id" in refused.value.fix


@pytest.mark.parametrize("question", ["drift", "deltas"])
@pytest.mark.parametrize("argument", [{"depth": 1}, {"depth": -1, "artifact_id": "STORY-001"}])
def test_a_depth_that_bounds_no_branch_is_refused(repo, project, ingest, reader, question, argument) -> None:
    with pytest.raises(BadArguments) as refused:
        get_scope(reader, question=question, **argument)
    assert "depth" in refused.value.detail
