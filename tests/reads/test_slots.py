"""The read slots of the seeded corpus, exact for every seed through the functions that every surface calls (000)."""

from __future__ import annotations

from typing import Any

import pytest

from evals.corpus import withdraw
from graphapi.ingest.passes import run_pass
from graphapi.reads.artifact import get_artifact
from graphapi.reads.authoring import get_authoring_context
from graphapi.reads.backlog import list_backlog
from graphapi.reads.reader import Reader
from graphapi.reads.scope import get_scope
from graphapi.reads.search import search_context

SEEDS = [7, 11, 13, 17, 19]


@pytest.fixture(params=SEEDS)
def planted(request: pytest.FixtureRequest, harbour: Any) -> tuple[Any, Any]:
    return harbour(request.param)


def test_every_read_slot_is_exact(planted, reader: Reader) -> None:
    corpus, _ = planted
    slots = corpus.gold.slots
    for branch in slots.branches:
        nodes = get_artifact(reader, artifact_id=branch.epic, depth="declared")["nodes"]
        found = {(n["artifact_id"], n["depth"]) for n in nodes if n["depth"]}
        assert found == {(d.id, d.depth) for d in branch.descendants}
        children = [n["artifact_id"] for n in nodes if n["depth"] == 1]
        assert children == list(branch.children)
    departures = get_scope(reader, question="drift")["departures"]
    assert {
        (d["artifact_id"], d["record"], d["criterion"], d["text"], d["reason"], d["decided_by"]) for d in departures
    } == {(d.story, d.record, d.criterion, d.text, d.reason, d.decided_by) for d in slots.departures}
    for window in slots.windows:
        answer = get_scope(
            reader, question="deltas", since=window.since, until=window.until, clock="source", limit=1000
        )
        assert [c["artifact_id"] for c in answer["changes"]] == list(window.ids)
    for pair in slots.current_truth:
        old, new = (get_artifact(reader, artifact_id=i) for i in (pair.superseded, pair.successor))
        assert old["superseded_by"] == pair.successor and "superseded_by" not in new
        rows = {r["artifact_id"]: r for r in list_backlog(reader, limit=200)["items"]}
        assert rows[pair.superseded]["superseded_by"] == pair.successor


def test_the_withdrawn_note_is_served_by_no_default_read(planted, reader: Reader, store) -> None:
    corpus, project = planted
    withdraw(corpus, project.root_path)
    run_pass(project, store)
    (gone,) = corpus.gold.withdrawn
    for question in corpus.gold.questions:
        if question.is_search:
            answers = [search_context(reader, query=question.text, limit=50)]
        else:
            answers = [get_authoring_context(reader, intent=question.text)]
        if question.topic:
            answers.append(get_scope(reader, question="binding", topic=question.topic, limit=200))
        for answer in answers:
            assert gone not in str(answer)
    marked = get_artifact(reader, artifact_id=gone)
    assert (marked["deleted"], marked["deleted_clock"]) == (True, "source-declared")
    assert any(
        r["artifact_id"] == gone for r in search_context(reader, query=marked["title"], deleted="include")["artifacts"]
    )
