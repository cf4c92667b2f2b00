"""The planted departures of the seeded corpus, and the windows: what the drift and deltas reads must answer exactly."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from graphapi.reads.scope import get_scope

SEEDS = (7, 11, 13, 17, 19)


@pytest.mark.requirement("drift.verdicts-given")
@pytest.mark.parametrize("seed", SEEDS)
def test_drift_answers_the_planted_departures(harbour, reader, seed) -> None:
    corpus, _ = harbour(seed)
    wide = dataclasses.replace(reader, budget=1_000_000)
    answer: dict[str, Any] = get_scope(wide, question="drift")
    keys = ("artifact_id", "record", "criterion", "text", "reason", "decided_by")
    served = {tuple(row[key] for key in keys) for row in answer["departures"]}
    assert served == {dataclasses.astuple(d) for d in corpus.gold.slots.departures}
    departed = {row["artifact_id"] for row in answer["departures"]}
    assert not departed & {row["artifact_id"] for row in answer["clean"]}


@pytest.mark.requirement("deltas.clock-source")
@pytest.mark.parametrize("seed", SEEDS)
def test_deltas_answers_what_was_planted_in_each_window(harbour, reader, seed) -> None:
    corpus, _ = harbour(seed, "small")
    for window in corpus.gold.slots.windows:
        answer = get_scope(reader, question="deltas", since=window.since, until=window.until)
        assert [row["artifact_id"] for row in answer["changes"]] == list(window.ids)
        assert answer["counts"]["created"] == len(window.ids)
