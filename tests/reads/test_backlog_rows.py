"""The rows of the backlog and the filters that choose them (004 sections 2 and 2b)."""

from __future__ import annotations

import shutil

import pytest

from graphapi.domain.refusals import BadArguments
from graphapi.reads.artifact import get_artifact
from graphapi.reads.backlog import list_backlog

requirement = pytest.mark.requirement


@pytest.fixture
def backlog(repo, ingest):
    repo.item("EPIC-1")
    repo.item("FEAT-1", parent="EPIC-1", status="in-progress")
    repo.item("STORY-9", parent="FEAT-1", status="done", owner="ada", area_path="Harbour\\Quay")
    repo.item("STORY-10", parent="FEAT-1", status="ready", provenance="ai-derived")
    repo.item("BUG-1", parent="FEAT-7", status="done")
    repo.item("CONV-1", folder="conversations")
    repo.commit("all", "2026-02-01")
    ingest()


def ids(answer):
    return [row["artifact_id"] for row in answer["items"]]


def row(reader, artifact_id, **asked):
    return next(r for r in list_backlog(reader, **asked)["items"] if r["artifact_id"] == artifact_id)


@requirement("backlog.row-keys")
@requirement("backlog.row-parent")
@requirement("backlog.row-no-names")
@requirement("backlog.row-no-metadata")
@requirement("backlog.row-provenance")
def test_a_row_has_five_keys_and_its_parent_and_nothing_else_a_source_records(backlog, reader) -> None:
    assert row(reader, "STORY-9") == {
        "artifact_id": "STORY-9", "title": "Title of STORY-9", "status": "done", "artifact_type": "story",
        "source_updated_at": "2026-02-01T00:00:00Z", "parent": "FEAT-1",
    }  # fmt: skip
    assert "parent" not in row(reader, "EPIC-1")
    assert row(reader, "BUG-1")["parent"] == "FEAT-7", "as its source writes it, though nothing here answers to it"
    assert row(reader, "STORY-10")["provenance"] == "ai-derived"
    record = get_artifact(reader, artifact_id="STORY-9", history_after="")
    assert (record["owner"], record["metadata"]) == ("ada", {"area_path": "Harbour\\Quay"})


@requirement("backlog.row-no-names")
@requirement("backlog.row-marks")
@requirement("backlog.row-project")
@requirement("projects.one-project-no-key")
def test_no_row_of_the_seeded_corpus_has_a_name_a_native_id_or_a_project(harbour, reader) -> None:
    corpus, _ = harbour()
    listed = list_backlog(reader, limit=200, deleted="include")
    known = {"artifact_id", "title", "status", "artifact_type", "source_updated_at", "parent", "superseded_by",
             "discard_reason", "deleted", "deleted_at", "deleted_clock", "deleted_note", "provenance"}  # fmt: skip
    assert listed["items"]
    assert all(row.keys() <= known for row in listed["items"])
    assert not {"project", "projects"} & listed.keys()
    for found in listed["items"]:
        branch = get_artifact(reader, artifact_id=found["artifact_id"], depth=0, deleted="include")
        assert all(node.keys() <= known | {"depth"} for node in branch["nodes"])


@requirement("backlog.row-marks")
def test_a_row_says_what_took_its_place_and_why_it_was_discarded(backlog, repo, ingest, reader) -> None:
    repo.item("STORY-9", status="discarded", discard_reason="bought instead")
    repo.item("STORY-11", supersedes="STORY-9")
    repo.item("STORY-12", supersedes="STORY-9")
    repo.commit("later", "2026-03-01")
    ingest()
    marked = row(reader, "STORY-9")
    assert (marked["superseded_by"], marked["discard_reason"]) == ("STORY-11", "bought instead")
    assert not {"superseded_by", "discard_reason"} & row(reader, "STORY-10").keys()


@requirement("catalogue.list-backlog-filters")
def test_filters_choose_alone_and_together(backlog, reader) -> None:
    assert ids(list_backlog(reader)) == ["BUG-1", "EPIC-1", "FEAT-1", "STORY-9", "STORY-10"]
    assert ids(list_backlog(reader, status="done")) == ["BUG-1", "STORY-9"]
    assert ids(list_backlog(reader, status=["done", "ready"])) == ["BUG-1", "STORY-9", "STORY-10"]
    assert ids(list_backlog(reader, provenance=["ai-derived"])) == ["STORY-10"]
    assert ids(list_backlog(reader, pbi_type="Story")) == ["STORY-9", "STORY-10"]
    assert ids(list_backlog(reader, pbi_type=["story", "bug"], status="done", provenance="source-of-record")) == [
        "BUG-1", "STORY-9",
    ]  # fmt: skip
    assert ids(list_backlog(reader, pbi_type="story", provenance="ai-derived", status="done")) == []
    assert ids(list_backlog(reader, status=[])) == []


@requirement("catalogue.list-backlog-filters")
def test_a_status_may_be_one_of_the_six_or_one_that_an_item_has(backlog, repo, ingest, reader) -> None:
    assert ids(list_backlog(reader, status="parked")) == []
    repo.item("STORY-11", status="blocked")
    repo.commit()
    ingest()
    assert ids(list_backlog(reader, status="blocked")) == ["STORY-11"]
    with pytest.raises(BadArguments, match="finished") as refused:
        list_backlog(reader, status=["done", "finished"])
    for word in ("draft", "ready", "in-progress", "done", "parked", "discarded", "blocked"):
        assert word in refused.value.fix


@requirement("deleted.out-of-backlog")
@requirement("backlog.row-deletion-marks")
@requirement("deleted.include")
@requirement("deleted.only")
@requirement("deleted.marks")
@requirement("deleted.clock-beside-date")
def test_deleted_work_is_out_unless_asked_for_and_then_marked(backlog, repo, ingest, reader) -> None:
    (repo.root / "backlog/STORY-9.md").unlink()
    sha = repo.commit("drop it", "2026-03-01")
    ingest()
    assert "STORY-9" not in ids(list_backlog(reader))
    everything = list_backlog(reader, deleted="include")["items"]
    assert len(everything) == 5
    marks = ("deleted", "deleted_at", "deleted_clock", "deleted_note")
    assert [r["artifact_id"] for r in everything if set(marks) & r.keys()] == ["STORY-9"]
    gone = row(reader, "STORY-9", deleted="include")
    assert (gone["deleted"], gone["deleted_at"], gone["deleted_clock"]) == (
        True,
        "2026-03-01T00:00:00Z",
        "source-declared",
    )
    assert sha[:7] in gone["deleted_note"]
    assert gone["parent"] == "FEAT-1", "what its source said of it stands"
    assert ids(list_backlog(reader, deleted="only")) == ["STORY-9"]
    assert ids(list_backlog(reader, deleted="only", status="done")) == ["STORY-9"]
    assert ids(list_backlog(reader, deleted="only", status="ready")) == []


@requirement("deleted.other-values-refused")
def test_another_value_of_deleted_is_refused(backlog, reader) -> None:
    with pytest.raises(BadArguments, match="deleted='yes'"):
        list_backlog(reader, deleted="yes")


@requirement("deleted.what-and-when")
def test_what_was_deleted_and_when_is_answered_without_the_repository(backlog, repo, ingest, reader) -> None:
    (repo.root / "backlog/STORY-9.md").unlink()
    repo.commit("drop it", "2026-03-01")
    (repo.root / "backlog/BUG-1.md").unlink()
    ingest()
    shutil.rmtree(repo.root / ".git")
    when = {
        r["artifact_id"]: (r["deleted_clock"], r["deleted_at"]) for r in list_backlog(reader, deleted="only")["items"]
    }
    assert when["STORY-9"] == ("source-declared", "2026-03-01T00:00:00Z")
    assert when["BUG-1"][0] == "found"
    assert when["BUG-1"][1]


@requirement("freshness.on-every-read")
def test_an_empty_backlog_is_a_list_of_nothing_with_its_age(repo, ingest, reader) -> None:
    ingest()
    answer = list_backlog(reader)
    assert (answer["items"], answer["outside_backlog"]) == ([], {"count": 0, "items": []})
    assert answer["freshness"]["oldest_read_at"]


@pytest.mark.parametrize("limit", [0, 201, -1, True, "50", 10_000])
def test_a_limit_out_of_its_range_is_refused(backlog, reader, limit) -> None:
    with pytest.raises(BadArguments, match="limit="):
        list_backlog(reader, limit=limit)


@pytest.mark.requirement("withheld.reported")
def test_a_withheld_items_row_says_why_it_has_no_words(repo, project, ingest, reader) -> None:
    config = (repo.root / "revetly.toml").read_text()
    repo.write("revetly.toml", config + '[extraction]\nwithhold = ["backlog/STORY-2.md"]\n')
    repo.item("STORY-1", "Seen.")
    repo.item("STORY-2", "Not to be seen.", parent="STORY-1")
    repo.commit()
    ingest()
    rows = {row["artifact_id"]: row for row in list_backlog(reader)["items"]}
    assert rows["STORY-2"]["withheld"] is True and "withheld" not in rows["STORY-1"]
    nodes = {n["artifact_id"]: n for n in get_artifact(reader, artifact_id="STORY-1", depth=1)["nodes"]}
    assert nodes["STORY-2"]["withheld"] is True and "withheld" not in nodes["STORY-1"]
