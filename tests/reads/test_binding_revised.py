"""A scope's mark of what decision notes declare they revise, and the lever that serves such notes (004 section 2b)."""

from __future__ import annotations

import dataclasses

import pytest

from graphapi.domain.criteria import fingerprint
from graphapi.ranking import binding_order, retrieval
from graphapi.reads import binding_bound
from graphapi.reads.binding import binding
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.marks import MARKING, revisions
from tests.reads.binding_answers import decision, ids, row, states
from tests.reads.model import Inferred

requirement = pytest.mark.requirement
CRITERIA = "## Acceptance criteria\n\n- Pay before ropes.\n- Keep the receipt."


def _revising(repo, artifact_id: str, target: str, *, position: int = 1, was: str = "", more: str = "") -> None:
    prints = f"\n  criteria_fp: [{fingerprint(was)}]" if was else ""
    repo.write(
        f"decisions/{artifact_id}.md",
        f"---\nid: {artifact_id}\ntitle: Revision {artifact_id}\n{more}revises:\n- id: {target}\n"
        f"  criteria: [{position}]{prints}\n---\n\nWe decided so.\n",
    )


@requirement("binding.scope-revised", "binding.scope-revised-nearest", "binding.scope-revised-equal")
def test_each_revised_member_is_marked_nearest_first_as_its_own_record_marks_it(
    repo, ingest, project, store, reader
) -> None:
    repo.item("EPIC-000")
    repo.item("STORY-001", CRITERIA, parent="EPIC-000")
    _revising(repo, "DEC-000", "EPIC-000")
    _revising(repo, "DEC-001", "STORY-001", was="Pay before ropes.", more="captured_at: 2026-02-01\n")
    repo.commit("first", "2026-02-01")
    _revising(repo, "DEC-002", "STORY-001", position=2, was="Keep it.", more="captured_at: 2026-03-01\n")
    repo.commit("second", "2026-03-01")
    ingest()
    scope = binding(reader, artifact_id="STORY-001")["scope"]
    assert scope["revised"] == [
        {
            "artifact_id": "STORY-001",
            "revised_by": [
                {"id": "DEC-002", "criteria": [2], "criterion_changed": True},
                {"id": "DEC-001", "criteria": [1], "criterion_changed": False},
            ],
        },
        {"artifact_id": "EPIC-000", "revised_by": [{"id": "DEC-000", "criteria": [1]}]},
    ]
    corpus, key = Corpus(store, [project], several=False), Key(0, "STORY-001")
    record = revisions(corpus.get([key])[key], corpus.around([key], whole=MARKING)[key])
    assert scope["revised"][0]["revised_by"] == record["revised_by"]


@requirement("binding.scope-revised")
def test_the_mark_is_made_for_a_topic_too(repo, ingest, reader) -> None:
    repo.item("STORY-001", "Berths by phone.")
    _revising(repo, "DEC-000", "STORY-001")
    repo.commit()
    ingest()
    scope = binding(reader, topic="berths phone")["scope"]
    assert [r["artifact_id"] for r in scope["revised"]] == ["STORY-001"]


@requirement("binding.scope-revised-withdrawn", "binding.scope-revised-absent")
def test_a_declaration_that_is_taken_back_marks_nothing(repo, ingest, reader) -> None:
    repo.item("STORY-001", CRITERIA)
    _revising(repo, "DEC-000", "STORY-001")
    repo.commit()
    ingest()
    assert "revised" in binding(reader, artifact_id="STORY-001")["scope"]
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    assert "revised" not in binding(reader, artifact_id="STORY-001")["scope"]


@requirement("revises.scope-mark-lever")
def test_the_lever_of_searchs_rows_governs_the_scopes_mark(repo, ingest, reader, monkeypatch) -> None:
    repo.item("STORY-001", CRITERIA)
    _revising(repo, "DEC-000", "STORY-001")
    repo.commit()
    ingest()
    monkeypatch.setattr(retrieval, "REVISED_BY_MARK", False)
    assert "revised" not in binding(reader, artifact_id="STORY-001")["scope"]


def test_more_revised_members_than_are_listed_are_told(repo, ingest, reader, monkeypatch) -> None:
    monkeypatch.setattr(binding_bound, "REVISED_LISTED", 2)
    repo.item("EPIC-000")
    for number in range(4):
        repo.item(f"STORY-00{number}", parent="EPIC-000")
        _revising(repo, f"DEC-00{number}", f"STORY-00{number}")
    repo.commit()
    ingest()
    scope = binding(reader, artifact_id="EPIC-000")["scope"]
    assert [r["artifact_id"] for r in scope["revised"]] == ["STORY-000", "STORY-001"]
    assert (scope["revised_truncated"]["whole"], scope["revised_truncated"]["listed"]) == (4, 2)


@requirement("revises.serving-off", "revises.serving-off-no-step")
def test_what_a_revision_alone_reaches_is_no_statement_nor_a_step(repo, ingest, project, store, reader) -> None:
    repo.item("STORY-001", CRITERIA)
    _revising(repo, "DEC-000", "STORY-001", more="cited_sources: [DEC-001]\n")
    decision(repo, "DEC-001")
    repo.commit()
    ingest()
    states(store, project, "DEC-000", "We decided so.")
    full = dataclasses.replace(reader, inferences=Inferred())
    answer = binding(full, artifact_id="STORY-001")
    assert answer["statements"] == []
    assert answer["scope"]["revised"][0]["revised_by"][0]["id"] == "DEC-000"


@requirement("revises.serving-off-other-way")
@pytest.mark.parametrize("serving", [False, True])
def test_a_revising_note_that_is_cited_too_is_one_row(repo, ingest, reader, monkeypatch, serving) -> None:
    monkeypatch.setattr(binding_order, "BINDING_SERVES_REVISING", serving)
    repo.item("STORY-001", CRITERIA, cited_sources=["DEC-000"])
    _revising(repo, "DEC-000", "STORY-001")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert ids(answer) == ["DEC-000"]
    if not serving:
        assert row(answer, "DEC-000")["method"] == "cites"


@requirement("revises.serving-on", "revises.serving-on-rank")
def test_switched_on_a_revising_note_is_stated_between_supersedes_and_cites_by_distance_then_newest(
    repo, ingest, project, store, reader, monkeypatch
) -> None:
    monkeypatch.setattr(binding_order, "BINDING_SERVES_REVISING", True)
    repo.item("EPIC-000")
    repo.item("STORY-001", CRITERIA, parent="EPIC-000", cited_sources=["DEC-005"], supersedes=["DEC-006"])
    _revising(repo, "DEC-000", "EPIC-000", more="captured_at: 2026-09-01\n")
    _revising(repo, "DEC-001", "STORY-001", more="captured_at: 2026-02-01\n")
    _revising(repo, "DEC-002", "STORY-001", more="captured_at: 2026-03-01\n")
    decision(repo, "DEC-005", captured_at="2026-10-01")
    decision(repo, "DEC-006", captured_at="2026-01-01")
    decision(repo, "DEC-007", supersedes=["STORY-001"], captured_at="2025-01-01")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    served = [(r["artifact_id"], r["method"]) for r in answer["statements"]]
    assert served == [
        ("DEC-007", "supersedes"),
        ("DEC-002", "revises"),
        ("DEC-001", "revises"),
        ("DEC-000", "revises"),
        ("DEC-005", "cites"),
        ("DEC-006", "supersedes"),
    ]
    assert answer["deterministic_statements"] == 6


@requirement("revises.serving-on-caps")
def test_switched_on_revising_notes_stay_within_the_caps(repo, ingest, reader, monkeypatch) -> None:
    monkeypatch.setattr(binding_order, "BINDING_SERVES_REVISING", True)
    monkeypatch.setattr(binding_order, "STATEMENT_CAP", 4)
    repo.item("STORY-001", CRITERIA)
    for number in range(7):
        _revising(repo, f"DEC-00{number}", "STORY-001")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert len(answer["statements"]) == 4
    assert (answer["truncated"]["reason"], answer["truncated"]["whole"]) == ("cap", 7)
