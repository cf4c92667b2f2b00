"""What binding gathers from prose: its tier, its marks, and how a lite instance says it is not there."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from graphapi.ranking import binding_order
from graphapi.reads.binding import binding
from graphapi.store.port import ReadingRow
from tests.reads.binding_answers import decision, ids, row, states, tree
from tests.reads.model import Inferred

requirement = pytest.mark.requirement
ABSENT = {"absent": True, "reason": "lite"}


@pytest.fixture
def full(reader):
    return dataclasses.replace(reader, inferences=Inferred())


@pytest.fixture
def talk(repo, ingest, project, store):
    """A story that cites a talk with one statement of each shelf in it, and a decision."""
    repo.item("STORY-001", cited_sources=["CONV-001", "DEC-000"])
    repo.item("CONV-001", "Three things.", folder="conversations")
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    for shelf in ("Decision", "Assumption", "Constraint"):
        states(store, project, "CONV-001", f"a {shelf} of the talk", shelf=shelf)


@requirement("binding.gathered-from")
def test_an_answer_names_the_types_and_shelves_it_gathers_from(talk, reader, full) -> None:
    for asker in (reader, full):
        gathered = binding(asker, artifact_id="STORY-001")["gathered_from"]
        assert gathered["document_types"] == ["assumption", "constraint", "decision"]
        assert gathered["entity_types"] == ["Assumption", "Constraint", "Decision"]


@requirement("binding.entity-types-lite", "lite.inferred-half")
def test_on_a_lite_instance_the_prose_half_reads_absent_held_though_it_is(talk, reader) -> None:
    answer = binding(reader, artifact_id="STORY-001")
    assert answer["inferred_statements"] == ABSENT
    assert answer["gathered_from"]["entity_types_present"] == ABSENT
    assert ids(answer) == ["DEC-000"]
    assert "inferred_retired" not in answer


@requirement("lite.stated-half")
@pytest.mark.parametrize("scope", [{"artifact_id": "STORY-001"}, {"topic": "decided"}, {"path": "src/a.py"}])
def test_a_lite_instance_serves_the_stated_half_a_full_one_serves(talk, reader, full, scope) -> None:
    lite, whole = binding(reader, **scope), binding(full, **scope)
    stated = whole["statements"][: whole["deterministic_statements"]]
    assert lite["statements"] == stated
    assert lite["deterministic_statements"] == whole["deterministic_statements"]
    assert lite["scope"] == whole["scope"]
    assert "inferred_statements" not in whole


def test_the_shelves_present_are_those_reached_and_an_unreached_corpus_says_so(
    talk, repo, ingest, project, store, full
) -> None:
    present = binding(full, artifact_id="STORY-001")["gathered_from"]["entity_types_present"]
    assert present == ["Assumption", "Constraint", "Decision"]
    repo.item("STORY-002")
    repo.commit()
    ingest()
    elsewhere = binding(full, artifact_id="STORY-002")["gathered_from"]
    assert elsewhere["entity_types_present"] == {"absent": True, "reason": "not-reached"}


def test_a_corpus_nothing_was_read_in_has_no_shelf_present(repo, ingest, full) -> None:
    repo.item("STORY-001")
    repo.commit()
    ingest()
    assert binding(full, artifact_id="STORY-001")["gathered_from"]["entity_types_present"] == []


@requirement("binding.statement-row")
def test_a_prose_row_has_its_sentence_its_verbatim_words_and_where_they_stand(
    repo, ingest, project, store, full
) -> None:
    repo.item("STORY-001", cited_sources=["CONV-001"])
    repo.item("CONV-001", "Never on a Sunday.", folder="conversations", title="The talk")
    repo.commit()
    ingest()
    states(store, project, "CONV-001", "Never on a Sunday.", shelf="Constraint", fact="The talk states: no Sundays",
           stated_at="2026-02-02T00:00:00Z")  # fmt: skip
    assert binding(full, artifact_id="STORY-001")["statements"] == [
        {
            "artifact_id": "CONV-001",
            "title": "The talk",
            "shelf": "Constraint",
            "fact": "The talk states: no Sundays",
            "passage": "Never on a Sunday.",
            "method": "states",
            "stated_at": "2026-02-02T00:00:00Z",
            "provenance": "source-of-record",
            "source_path": "conversations/CONV-001.md",
            "source_uri": "conversations/CONV-001.md",
            "bears_on": "STORY-001",
            "inferred": True,
        }
    ]


def test_statements_whose_sources_are_gone_follow_the_live_ones_marked_and_counted(
    repo, ingest, project, store, full
) -> None:
    repo.item("STORY-001", cited_sources=["CONV-001", "CONV-002", "CONV-003"])
    repo.item("CONV-001", folder="conversations")
    repo.item("CONV-002", folder="conversations")
    repo.item("CONV-003", folder="conversations", status="discarded")
    repo.item("CONV-004", folder="conversations", supersedes=["CONV-002"])
    repo.commit()
    ingest()
    late = {"stated_at": "2026-09-09T00:00:00Z"}
    states(store, project, "CONV-001", "read in a version since revised", episode="old", **late)
    states(store, project, "CONV-001", "read in the version of today", episode="new")
    states(store, project, "CONV-002", "of a superseded note", **late)
    states(store, project, "CONV-003", "of a discarded note", **late)
    readings = [ReadingRow(key, "CONV-001", key, "2026-01-01T00:00:00Z") for key in ("old", "new")]
    store.put_readings(project.namespace, readings)
    store.retire_readings(project.namespace, ["old"], at="2026-02-01T00:00:00Z", reason="revised")
    answer = binding(full, artifact_id="STORY-001")
    assert [r["passage"] for r in answer["statements"]][0] == "read in the version of today"
    assert [r.get("sources_retired", False) for r in answer["statements"]] == [False, True, True, True]
    assert answer["inferred_retired"]["count"] == 3
    assert row(answer, "CONV-002")["superseded_by"] == "CONV-004"


@requirement("binding.cut-names-shelves", "binding.narrower-brings-back")
def test_a_cap_that_leaves_no_prose_names_its_shelves_and_a_narrower_scope_brings_it_back(
    repo, ingest, project, store, full, monkeypatch
) -> None:
    monkeypatch.setattr(binding_order, "STATEMENT_CAP", 6)
    tree(repo, FEAT_000=[f"DEC-{n:03}" for n in range(8)], STORY_000=["CONV-001"])
    repo.item("CONV-001", folder="conversations")
    for number in range(8):
        decision(repo, f"DEC-{number:03}")
    repo.commit()
    ingest()
    states(store, project, "CONV-001", "one", shelf="Assumption")
    states(store, project, "CONV-001", "two", shelf="Constraint")
    wide = binding(full, artifact_id="EPIC-000")
    assert wide["truncated"]["cut"] == ["Assumption", "Constraint"]
    assert (wide["truncated"]["whole"], wide["truncated"]["listed"], wide["truncated"]["reason"]) == (10, 6, "cap")
    assert wide["deterministic_statements"] == len(wide["statements"]) == 6
    narrow = binding(full, artifact_id="STORY-000", limit=200)
    assert sorted(r["shelf"] for r in narrow["statements"] if r.get("inferred")) == ["Assumption", "Constraint"]
    assert "truncated" not in narrow


def test_a_limit_is_named_as_the_reason_and_keeps_prose_where_there_is_room(talk, full) -> None:
    answer = binding(full, artifact_id="STORY-001", limit=2)
    assert len(answer["statements"]) == 2
    assert answer["truncated"]["reason"] == "limit" and "cut" not in answer["truncated"]
    assert answer["truncated"]["whole"] == 4


def test_what_was_retired_is_served_with_deleted_work_alone(talk, project, store, full) -> None:
    store.retire_statements(
        project.namespace, ["CONV-001/a Decision of the talk"], at="2026-02-01T00:00:00Z", reason="revised"
    )
    shelves = lambda answer: sorted(r["shelf"] for r in answer["statements"] if r.get("inferred"))  # noqa: E731
    assert shelves(binding(full, artifact_id="STORY-001")) == ["Assumption", "Constraint"]
    assert shelves(binding(full, artifact_id="STORY-001", deleted="include")) == [
        "Assumption",
        "Constraint",
        "Decision",
    ]
    only = binding(full, artifact_id="STORY-001", deleted="only")
    assert shelves(only) == ["Decision"] and only["statements"][0]["sources_retired"] is True


@requirement("lite.words-never-used")
@pytest.mark.parametrize("scope", [{"artifact_id": "STORY-001"}, {"topic": "decided"}, {"path": "src/a.py"}])
def test_nothing_a_lite_answer_serves_is_called_inferred_or_a_concept(talk, reader, scope) -> None:
    answer = binding(reader, **scope)
    assert answer.pop("inferred_statements") == ABSENT
    assert not re.search(r"semantic|vector|inferred|concept", json.dumps(answer), re.IGNORECASE)
