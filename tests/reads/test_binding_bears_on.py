"""Which member a statement is credited to, and which others are named beside it (004 section 5, bears_on)."""

from __future__ import annotations

import dataclasses
import random

import pytest

from graphapi.domain.artifact import natural_key
from graphapi.reads.binding import binding
from graphapi.store.port import ArtifactRow, LinkRow
from tests.reads.binding_answers import decision, ids, row, states, tree
from tests.reads.model import Inferred

requirement = pytest.mark.requirement


@requirement("bears.one-member")
def test_a_statement_that_three_members_reach_is_one_row_credited_to_one_of_them(
    repo, ingest, project, store, reader
) -> None:
    tree(repo, EPIC_000=["CONV-001"], STORY_000=["CONV-001"], STORY_001=["CONV-001"])
    repo.item("CONV-001", "Never on a Sunday.", folder="conversations")
    repo.commit()
    ingest()
    states(store, project, "CONV-001", "Never on a Sunday.")
    full = dataclasses.replace(reader, inferences=Inferred())
    answer = binding(full, artifact_id="EPIC-000")
    assert row(answer, "CONV-001")["bears_on"] == "EPIC-000"


@requirement("bears.nearest")
def test_the_member_fewest_steps_from_the_root_gets_the_credit(repo, ingest, reader) -> None:
    tree(repo, FEAT_000=["DEC-000"], STORY_000=["DEC-000"])
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    assert row(binding(reader, artifact_id="EPIC-000"), "DEC-000")["bears_on"] == "FEAT-000"
    assert row(binding(reader, artifact_id="STORY-000"), "DEC-000")["bears_on"] == "STORY-000"


@requirement("bears.tie-lower-id")
def test_at_one_distance_the_lower_id_gets_the_credit_whatever_came_first(repo, ingest, reader) -> None:
    repo.item("FEAT-000")
    decision(repo, "DEC-000")
    repo.item("STORY-010", parent="FEAT-000", cited_sources=["DEC-000"])
    repo.commit()
    ingest()
    repo.item("STORY-002", parent="FEAT-000", cited_sources=["DEC-000"])
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="FEAT-000")
    assert row(answer, "DEC-000")["bears_on"] == "STORY-002"
    assert row(answer, "DEC-000")["also_bears_on"] == ["STORY-010"]


@requirement("bears.distance-both-ways")
def test_a_step_up_is_as_far_as_a_step_down(repo, ingest, reader) -> None:
    tree(repo, EPIC_000=["DEC-000"], STORY_000=["DEC-000"])
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="FEAT-000")
    assert row(answer, "DEC-000")["bears_on"] == "EPIC-000"
    assert row(answer, "DEC-000")["also_bears_on"] == ["STORY-000"]


@requirement("bears.also", "bears.also-order")
def test_members_with_a_link_of_their_own_are_named_nearest_first_then_by_id(repo, ingest, reader) -> None:
    tree(repo, EPIC_000=["DEC-000"], STORY_000=["DEC-000"], STORY_001=["DEC-000"])
    repo.item("STORY-010", parent="EPIC-000", cited_sources=["DEC-000"])
    repo.item("STORY-009", parent="EPIC-000", cited_sources=["DEC-000"])
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    found = row(binding(reader, artifact_id="EPIC-000"), "DEC-000")
    assert found["bears_on"] == "EPIC-000"
    assert found["also_bears_on"] == ["STORY-009", "STORY-010", "STORY-000", "STORY-001"]


@requirement("bears.also-one-edge")
def test_two_members_over_one_link_are_one_reach_and_each_scope_of_its_own_has_the_credit(
    repo, ingest, project, store, reader
) -> None:
    tree(repo, STORY_000=["CONV-001"], STORY_001=["CONV-001"])
    repo.item("CONV-001", "Never on a Sunday. See DEC-000.", folder="conversations")
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    states(store, project, "CONV-001", "Never on a Sunday.")
    full = dataclasses.replace(reader, inferences=Inferred())
    whole = binding(full, artifact_id="FEAT-000")
    for note in ("CONV-001", "DEC-000"):
        assert row(whole, note)["bears_on"] == "STORY-000"
        assert "also_bears_on" not in row(whole, note)
        assert row(binding(full, artifact_id="STORY-001"), note)["bears_on"] == "STORY-001"


@requirement("bears.member-not-document")
def test_what_a_member_states_itself_is_its_own_and_never_the_parents(repo, ingest, project, store, reader) -> None:
    tree(repo)
    repo.item("STORY-001", "Never on a Sunday. It needs STORY-000.", parent="FEAT-000", cited_sources=["EPIC-000"])
    repo.commit()
    ingest()
    states(store, project, "STORY-001", "Never on a Sunday.", shelf="Constraint")
    full = dataclasses.replace(reader, inferences=Inferred())
    answer = binding(full, artifact_id="EPIC-000")
    assert row(answer, "STORY-001")["bears_on"] == "STORY-001"
    assert "also_bears_on" not in row(answer, "STORY-001")
    assert row(answer, "STORY-001")["method"] == "states"


@requirement("bears.member-not-document")
def test_a_note_within_the_scope_states_for_itself_though_a_nearer_member_cites_it(
    repo, ingest, project, store, reader
) -> None:
    tree(repo, EPIC_000=["CONV-001"])
    repo.item("CONV-001", "Never on a Sunday.", folder="conversations", parent="STORY-001")
    repo.commit()
    ingest()
    states(store, project, "CONV-001", "Never on a Sunday.")
    full = dataclasses.replace(reader, inferences=Inferred())
    assert row(binding(full, artifact_id="EPIC-000"), "CONV-001")["bears_on"] == "CONV-001"


@requirement("bears.several-state-it")
def test_of_several_members_that_state_one_thing_the_nearest_is_credited_and_the_deepest_named(
    repo, ingest, reader
) -> None:
    tree(repo, FEAT_000=["DEC-000"], STORY_000=["DEC-000"])
    repo.item("TASK-000", parent="STORY-000", cited_sources=["DEC-000"])
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    found = row(binding(reader, artifact_id="EPIC-000"), "DEC-000")
    assert (found["bears_on"], found["also_bears_on"]) == ("FEAT-000", ["STORY-000", "TASK-000"])


@requirement("bears.stable")
def test_the_order_in_which_rows_were_written_changes_no_credit(project, namespace, store, reader) -> None:
    stories = [f"STORY-{n:03}" for n in range(12)]
    links = [_link(s, "EPIC-000", "parent") for s in stories]
    links += [_link(s, f"DEC-{n}", "cites") for k, s in enumerate(stories) for n in range(4) if (k + n) % 3]
    answers = []
    for seed in range(3):
        store.clear(namespace)
        rows = [_artifact("EPIC-000", "pbi"), *(_artifact(s, "pbi") for s in stories)]
        rows += [_artifact(f"DEC-{n}", "doc", "decision") for n in range(4)]
        random.Random(seed).shuffle(rows)
        random.Random(seed).shuffle(links)
        store.upsert_artifacts(namespace, rows, now="2026-01-01T00:00:00Z")
        store.link(namespace, links)
        answers.append(_credits(binding(reader, artifact_id="EPIC-000")))
        assert answers[-1] == _credits(binding(reader, artifact_id="EPIC-000"))
    assert answers[0] == answers[1] == answers[2]
    assert len(answers[0]) == 4


def _credits(answer):
    return [(r["artifact_id"], r["bears_on"], r.get("also_bears_on")) for r in answer["statements"]]


def _artifact(artifact_id: str, kind: str, artifact_type: str | None = None, **more: object) -> ArtifactRow:
    values = {
        "artifact_id": artifact_id, "kind": kind, "artifact_type": artifact_type, "title": f"Title {artifact_id}",
        "body": "", "status": None, "provenance": "source-of-record", "source": "notes", "source_path": None,
        "source_uri": None, "source_created_at": None, "source_updated_at": None, "metadata": {}, "withheld": False,
        "sort_key": natural_key(artifact_id), "digest": artifact_id,
    }  # fmt: skip
    return ArtifactRow(**{**values, **more})


def _link(source: str, target: str, method: str) -> LinkRow:
    return LinkRow(f"{source}>{target}", source, target, method, method, 70, "", "notes", None, {}, source)


def test_a_row_names_at_most_twenty_others_and_says_so(repo, ingest, reader) -> None:
    repo.item("EPIC-000", cited_sources=["DEC-000"])
    for number in range(25):
        repo.item(f"STORY-{number:03}", parent="EPIC-000", cited_sources=["DEC-000"])
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    found = row(binding(reader, artifact_id="EPIC-000"), "DEC-000")
    assert len(found["also_bears_on"]) == 20
    assert found["also_bears_on_truncated"]["whole"] == 25
    assert ids(binding(reader, artifact_id="EPIC-000")) == ["DEC-000"]
