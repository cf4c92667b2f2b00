"""The brief of an artifact: its own words and declared links, and how much more there is (004 section 2b)."""

from __future__ import annotations

import pytest

from graphapi.reads.artifact import get_artifact
from tests.contract.rows import link

requirement = pytest.mark.requirement
CRITERIA = "## Acceptance criteria\n\n- The page  prints\n* [ ] It wraps\n  over two lines\n2) Third\n"
BODY = "Words with trailing spaces  \n\n| a | b |\n|---|---|\n| 1 | ü 🚢 |\n\n```py\nx = 1\n```\n\n" + CRITERIA


@pytest.fixture
def story(repo, ingest):
    repo.item("FEAT-000")
    repo.item("CONV-001", folder="conversations")
    repo.item("CONV-002", folder="conversations")
    repo.item(
        "STORY-001", BODY, parent="FEAT-000", status="ready", owner="ada", cited_sources=["CONV-002", "CONV-001"],
        labels=["print", "ui"], points=3,
    )  # fmt: skip
    repo.commit("first", "2026-02-01")
    ingest()


@requirement("artifact.brief-default")
@requirement("artifact.brief-fields")
@requirement("artifact.full-record-counts")
def test_an_id_alone_gives_the_brief_and_its_keys_in_their_order(story, reader) -> None:
    brief = get_artifact(reader, artifact_id="STORY-001")
    assert list(brief) == [
        "artifact_id", "title", "kind", "artifact_type", "status", "owner", "provenance", "source_uri", "source_path",
        "source_updated_at", "parent", "body", "acceptance_criteria", "declared_links", "full_record", "freshness",
    ]  # fmt: skip
    served = {key: brief[key] for key in ("title", "kind", "artifact_type", "status", "owner", "provenance", "parent")}
    assert served == {
        "title": "Title of STORY-001", "kind": "pbi", "artifact_type": "story", "status": "ready", "owner": "ada",
        "provenance": "source-of-record", "parent": "FEAT-000",
    }  # fmt: skip
    assert brief["source_updated_at"] == "2026-02-01T00:00:00Z"
    assert brief["full_record"] == {
        "inferred_links": {"absent": True, "reason": "lite"}, "history_entries": 0, "change_notes": 0,
        "metadata_keys": 2, "inferred_summary": False,
    }  # fmt: skip


@requirement("artifact.brief-body")
@requirement("artifact.brief-criteria")
def test_the_body_and_the_criteria_are_served_as_their_source_writes_them(story, reader, repo, ingest) -> None:
    brief = get_artifact(reader, artifact_id="STORY-001")
    text = (repo.root / "backlog/STORY-001.md").read_text()
    assert brief["body"] == text.split("\n---\n", 1)[1]
    assert brief["acceptance_criteria"] == ["The page  prints", "[ ] It wraps over two lines", "Third"]
    assert get_artifact(reader, artifact_id="FEAT-000")["acceptance_criteria"] == []


@requirement("criteria.unparsed")
@requirement("criteria.unparsed-absent")
def test_a_criteria_heading_that_yields_none_is_marked_on_a_work_item_alone(repo, ingest, reader) -> None:
    heading = "## Acceptance criteria\n\nIt works."
    repo.item("STORY-001", heading)
    repo.item("STORY-002", "No heading")
    repo.item("STORY-003", heading + "\n\n- One\n")
    repo.item("DOC-1", heading, folder="docs")
    repo.commit()
    ingest()
    marked = get_artifact(reader, artifact_id="STORY-001")
    assert (marked["acceptance_criteria"], marked["criteria_unparsed"]) == ([], True)
    for other in ("STORY-002", "STORY-003", "DOC-1"):
        assert "criteria_unparsed" not in get_artifact(reader, artifact_id=other)


@requirement("artifact.brief-open-questions")
def test_open_questions_are_served_where_there_are_any(story, repo, ingest, reader) -> None:
    assert "open_questions" not in get_artifact(reader, artifact_id="STORY-001")
    repo.item("STORY-002", open_questions=["Who pays", "When"])
    repo.item("STORY-003", open_questions="One alone")
    repo.commit()
    ingest()
    assert get_artifact(reader, artifact_id="STORY-002")["open_questions"] == ["Who pays", "When"]
    assert get_artifact(reader, artifact_id="STORY-003")["open_questions"] == ["One alone"]


@requirement("artifact.brief-declared-links")
def test_declared_links_map_each_relation_to_the_ids_it_leads_to(story, reader) -> None:
    brief = get_artifact(reader, artifact_id="STORY-001")
    assert brief["declared_links"] == {"cites": ["CONV-001", "CONV-002"], "parent": ["FEAT-000"]}
    assert get_artifact(reader, artifact_id="CONV-001")["declared_links"] == {}, "what others say of it is not its own"


@requirement("artifact.brief-revises-link")
@requirement("artifact.by-id-one-record")
def test_a_note_that_revises_a_story_lists_it_and_never_stands_in_for_what_it_revises(story, repo, ingest, reader):
    repo.item("DEC-000", "The old ruling.", folder="decisions")
    repo.item("DEC-001", "The new ruling on DEC-000.", folder="decisions", revises=["STORY-001"], supersedes="DEC-000")
    repo.commit()
    ingest()
    assert get_artifact(reader, artifact_id="DEC-001")["declared_links"]["revises"] == ["STORY-001"]
    old = get_artifact(reader, artifact_id="DEC-000")
    assert (old["artifact_id"], old["title"], old["body"].strip()) == ("DEC-000", "Title of DEC-000", "The old ruling.")
    assert old["superseded_by"] == "DEC-001"


@requirement("catalogue.get-artifact-modes")
@requirement("artifact.full-history-after")
@requirement("artifact.full-own-words")
def test_the_arguments_choose_between_brief_full_record_and_branch(story, reader) -> None:
    brief = get_artifact(reader, artifact_id="STORY-001")
    full = get_artifact(reader, artifact_id="STORY-001", history_after="")
    branch = get_artifact(reader, artifact_id="STORY-001", depth=0)
    assert {"links", "history_entries", "metadata", "source_change_notes"} <= full.keys()
    assert not {"full_record", "declared_links"} & full.keys()
    assert not {"links", "history_entries", "history_total", "metadata", "inferred_summary", "nodes"} & brief.keys()
    assert "nodes" in branch
    assert "body" not in branch
    rest = {key: value for key, value in brief.items() if key not in ("full_record", "declared_links")}
    assert {key: full[key] for key in rest} == rest


@requirement("artifact.full-metadata")
def test_the_full_record_has_what_else_the_source_records_and_nothing_twice(story, reader) -> None:
    full = get_artifact(reader, artifact_id="STORY-001", history_after="")
    assert full["metadata"] == {"labels": ["print", "ui"], "points": "3"}


@requirement("artifact.source-uri-relative")
@requirement("artifact.source-path")
def test_without_a_remote_the_address_is_the_path_from_the_root(story, reader, repo) -> None:
    brief = get_artifact(reader, artifact_id="STORY-001")
    assert (brief["source_uri"], brief["source_path"]) == ("backlog/STORY-001.md", "backlog/STORY-001.md")


@requirement("artifact.source-uri-web")
@requirement("artifact.source-path")
def test_with_a_remote_the_address_is_on_the_web_and_the_path_stays(repo, ingest, reader) -> None:
    repo.git("remote", "add", "origin", "git@github.com:acme/app.git")
    repo.item("STORY-001")
    repo.commit()
    ingest()
    brief = get_artifact(reader, artifact_id="STORY-001")
    assert brief["source_uri"].startswith("https://github.com/acme/app/")
    assert brief["source_uri"].endswith("/backlog/STORY-001.md")
    assert brief["source_path"] == "backlog/STORY-001.md"


@requirement("artifact.brief-marks")
@requirement("artifact.brief-body-cut")
@requirement("budget.default")
def test_a_huge_body_is_cut_to_its_head_and_no_mark_is_lost(repo, ingest, reader, project, store) -> None:
    repo.item("STORY-001", "ü" * 150_000, discard_reason="bought instead", status="discarded")
    repo.item("STORY-002", supersedes="STORY-001")
    repo.item("DEC-001", folder="decisions", revises=["STORY-001"])
    repo.commit()
    ingest()
    brief = get_artifact(reader, artifact_id="STORY-001")
    whole = (repo.root / "backlog/STORY-001.md").read_text().split("\n---\n", 1)[1]
    assert whole.startswith(brief["body"])
    cut = brief["body_truncated"]
    assert (cut["reason"], cut["whole"], cut["listed"]) == ("read-budget", len(whole), len(brief["body"]))
    assert 10_000 < len(brief["body"]) < len(whole)
    assert (brief["superseded_by"], brief["discard_reason"]) == ("STORY-002", "bought instead")
    assert brief["revised_by"] == [{"id": "DEC-001"}]
    assert brief["acceptance_criteria"] == []
    (repo.root / "backlog/STORY-001.md").unlink()
    repo.commit("drop it", "2026-05-01")
    ingest()
    gone = get_artifact(reader, artifact_id="STORY-001")
    assert (gone["deleted"], gone["deleted_clock"]) == (True, "source-declared")
    assert "body_truncated" in gone
    assert "body_truncated" not in get_artifact(reader, artifact_id="STORY-002")


@requirement("artifact.full-record-agrees")
@requirement("artifact.full-change-notes")
@requirement("artifact.full-metadata")
def test_every_count_of_a_brief_is_what_the_full_record_serves(harbour, reader) -> None:
    corpus, project = harbour()
    checked = 0
    for artifact_id in project.ledger.values_list("artifact_id", flat=True):
        counts = get_artifact(reader, artifact_id=artifact_id).get("full_record")
        full = get_artifact(reader, artifact_id=artifact_id, history_after="")
        assert counts["history_entries"] == full["history_total"]
        assert counts["change_notes"] == len(full["source_change_notes"])
        assert counts["metadata_keys"] == len(full["metadata"])
        assert counts["inferred_links"] == full["inferred_links"]
        checked += 1
    assert checked > 50


def test_a_brief_is_three_round_trips_whatever_stands_around_it(repo, ingest, reader, store, namespace, project):
    repo.item("STORY-001", parent="EPIC-1")
    repo.item("EPIC-1")
    for n in range(30):
        repo.item(f"DEC-{n}", "Says STORY-001.", folder="decisions")
    repo.commit()
    ingest()
    calls: list[str] = []

    class Counted:
        def __getattr__(self, name):
            calls.append(name)
            return getattr(store, name)

    from graphapi.reads.reader import Reader

    get_artifact(Reader(Counted()), artifact_id="STORY-001")
    assert len(calls) <= 3, calls


def test_more_links_than_are_read_are_counted_whole(repo, ingest, reader, store, namespace, monkeypatch) -> None:
    repo.item("STORY-001")
    for n in range(5):
        repo.item(f"CONV-{n}", folder="conversations")
    repo.commit()
    ingest()
    store.link(namespace, [link(namespace, "STORY-001", f"CONV-{n}", "cites") for n in range(5)])
    monkeypatch.setattr("graphapi.reads.brief.LINKS_READ", 3)
    monkeypatch.setattr("graphapi.reads.full_record.LINKS_READ", 3)
    brief = get_artifact(reader, artifact_id="STORY-001")
    assert brief["declared_links"] == {"cites": ["CONV-0", "CONV-1", "CONV-2"]}
    cut = brief["declared_links_truncated"]
    assert (cut["reason"], cut["whole"], cut["listed"]) == ("cap", 5, 3)
    full = get_artifact(reader, artifact_id="STORY-001", history_after="")["links_truncated"]
    assert (full["reason"], full["whole"], full["listed"]) == ("cap", 5, 3)
