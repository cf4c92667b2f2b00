"""The binding slot of the seeded corpus: what binds each story is what was planted, no more and no less."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from graphapi.models import Project
from graphapi.reads.binding import bind, binding
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.reader import Reader
from graphapi.store.port import StatementRow
from tests.reads.model import Inferred

SEEDS = (7, 11, 13, 17, 19)


def _plant(reader: Reader, project: Project, corpus: Any) -> None:
    """What a model that finds every planted sentence would have written."""
    rows = [
        StatementRow(
            key=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{project.namespace}/{s.note}/{s.passage}")),
            note_id=s.note, type=s.type, name=s.key, passage=s.passage, qualifier=None, fact=s.passage, stated_at=None,
        )
        for s in corpus.gold.statements
    ]  # fmt: skip
    reader.store.put_statements(project.namespace, rows)


@pytest.mark.parametrize("seed", SEEDS)
def test_binding_serves_exactly_the_decisions_and_statements_planted_for_each_story(
    harbour: Callable[..., Any], reader: Reader, seed: int
) -> None:
    corpus, project = harbour(seed=seed)
    _plant(reader, project, corpus)
    full = dataclasses.replace(reader, inferences=Inferred(), budget=1 << 20)
    everything = Corpus(full.store, [project], several=False)
    holding = {s.note for s in corpus.gold.statements}
    by_passage = {s.passage: s.key for s in corpus.gold.statements}
    for slot in corpus.gold.slots.binding:
        answer = binding(full, artifact_id=slot.story, limit=200)
        stated = {r["artifact_id"]: r["bears_on"] for r in answer["statements"] if not r.get("inferred")}
        read = [r for r in answer["statements"] if r.get("inferred")]
        assert stated == {d.id: d.through for d in slot.decisions}, slot.story
        # A note that nothing was planted in serves no row: the walk's own list of what it stepped through has it.
        through = {n.id: n.through for n in slot.notes}
        assert {r["artifact_id"]: r["bears_on"] for r in read} == {i: through[i] for i in through if i in holding}
        stepped = bind(full, everything, [Key(0, slot.story)], cap=200).documents
        assert {key.artifact_id for key in stepped if key.artifact_id.startswith("CONV-")} == set(through)
        assert sorted(by_passage[r["passage"]] for r in read) == sorted(slot.statements)
