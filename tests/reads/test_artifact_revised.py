"""The notes that revise a work item, on the item itself (004 section 2b; section 2, revises)."""

from __future__ import annotations

import pytest

from graphapi.domain.criteria import fingerprint
from graphapi.reads.artifact import get_artifact
from graphapi.reads.marks import REVISIONS_LISTED

requirement = pytest.mark.requirement
CRITERIA = "## Acceptance criteria\n\n- The page  prints\n- It is fast\n- It is blue\n"


def revised(reader, artifact_id="STORY-001"):
    return get_artifact(reader, artifact_id=artifact_id).get("revised_by")


def note(repo, artifact_id: str, *entries: str, captured: str | None = None) -> None:
    repo.item(artifact_id, folder="decisions", revises=list(entries), captured_at=captured)


@pytest.fixture
def story(repo):
    repo.item("STORY-001", CRITERIA)
    repo.item("STORY-002", CRITERIA)


@requirement("artifact.revised-by")
@requirement("artifact.revised-by-entry")
def test_each_revising_note_is_one_entry_newest_first(story, repo, ingest, reader) -> None:
    note(repo, "DEC-001", "STORY-001")
    repo.commit("january", "2026-01-10")
    note(repo, "DEC-002", "{id: STORY-001, criteria: [1, 3]}")
    repo.commit("march", "2026-03-10")
    ingest()
    assert revised(reader) == [{"id": "DEC-002", "criteria": [1, 3]}, {"id": "DEC-001"}]
    assert revised(reader, "STORY-002") is None
    assert revised(reader, "DEC-001") is None


@requirement("artifact.revised-by-edges")
def test_prose_alone_revises_nothing(story, repo, ingest, reader) -> None:
    repo.item("DEC-001", "STORY-001's AC1 changes, revises STORY-001.", folder="decisions")
    repo.commit()
    ingest()
    assert revised(reader) is None


@requirement("artifact.criterion-changed")
@requirement("artifact.criterion-unchanged")
def test_a_fingerprinted_criterion_that_reads_differently_now_is_marked(story, repo, ingest, reader) -> None:
    prints = f"{fingerprint('The page prints')}, {fingerprint('It is fast')}"
    note(repo, "DEC-001", f"{{id: STORY-001, criteria: [1, 2], criteria_fp: [{prints}]}}")
    repo.commit()
    ingest()
    assert revised(reader) == [{"id": "DEC-001", "criteria": [1, 2], "criterion_changed": False}]
    repo.item("STORY-001", CRITERIA.replace("The page  prints", "the PAGE prints"))
    repo.commit()
    ingest()
    assert revised(reader)[0]["criterion_changed"] is False, "spaces and capitals alone change nothing"
    repo.item("STORY-001", CRITERIA.replace("It is fast", "It is slow"))
    repo.commit()
    ingest()
    assert revised(reader)[0]["criterion_changed"] is True


@requirement("artifact.criterion-changed")
def test_a_criterion_whose_position_is_gone_has_changed(story, repo, ingest, reader) -> None:
    note(repo, "DEC-001", f"{{id: STORY-001, criteria: [3], criteria_fp: [{fingerprint('It is blue')}]}}")
    repo.commit()
    ingest()
    assert revised(reader)[0]["criterion_changed"] is False
    repo.item("STORY-001", CRITERIA.replace("- It is blue\n", ""))
    repo.commit()
    ingest()
    assert revised(reader)[0]["criterion_changed"] is True


@requirement("artifact.criterion-no-fingerprint")
@requirement("revises-write.no-fingerprint-no-changed-mark")
def test_without_a_fingerprint_positions_are_served_and_nothing_is_said_of_a_change(
    story, repo, ingest, reader
) -> None:
    note(repo, "DEC-001", "{id: STORY-001, criteria: [1]}")
    note(repo, "DEC-002", "STORY-001")
    repo.commit()
    repo.item("STORY-001", CRITERIA.replace("The page  prints", "Another thing"))
    repo.commit()
    ingest()
    entries = {entry["id"]: entry for entry in revised(reader)}
    assert entries == {"DEC-001": {"id": "DEC-001", "criteria": [1]}, "DEC-002": {"id": "DEC-002"}}


@requirement("revises-write.edge-retired")
def test_a_note_that_stops_declaring_it_revises_nothing_afterwards(story, repo, ingest, reader) -> None:
    note(repo, "DEC-001", "STORY-001", "STORY-002")
    repo.commit()
    ingest()
    assert revised(reader) == revised(reader, "STORY-002") == [{"id": "DEC-001"}]
    note(repo, "DEC-001", "STORY-002")
    repo.commit()
    ingest()
    assert revised(reader) is None
    assert revised(reader, "STORY-002") == [{"id": "DEC-001"}]


def test_a_deleted_note_revises_nothing(story, repo, ingest, reader) -> None:
    note(repo, "DEC-001", "STORY-001")
    repo.commit()
    ingest()
    (repo.root / "decisions/DEC-001.md").unlink()
    repo.commit()
    ingest()
    assert revised(reader) is None


def test_more_revisions_than_an_answer_lists_are_told(story, repo, ingest, reader) -> None:
    for number in range(REVISIONS_LISTED + 3):
        note(repo, f"DEC-{number:03}", "STORY-001")
    repo.commit()
    ingest()
    brief = get_artifact(reader, artifact_id="STORY-001")
    assert len(brief["revised_by"]) == REVISIONS_LISTED
    cut = brief["revised_by_truncated"]
    assert (cut["reason"], cut["whole"], cut["listed"]) == ("cap", REVISIONS_LISTED + 3, REVISIONS_LISTED)
    links = get_artifact(reader, artifact_id="STORY-001", history_after="")["links"]
    assert len([row for row in links if row["relation"] == "revises"]) == REVISIONS_LISTED + 3
