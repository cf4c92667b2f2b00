"""Items that no type map covers: on no backlog, counted and named beside it (004 section 2b)."""

from __future__ import annotations

import dataclasses
import socket
from datetime import UTC, datetime

import pytest

from graphapi.models import LedgerEntry
from graphapi.reads.backlog import list_backlog
from graphapi.reads.budget import size
from graphapi.reads.health import context_health
from tests.contract.rows import artifact

requirement = pytest.mark.requirement
NOW = datetime(2026, 2, 1, tzinfo=UTC)


@pytest.fixture
def put(store):
    """Put items into a project's store and ledger, as the pass of a tracker would: ``put(project, id, **fields)``."""

    def plant(project, *ids: str, kind="issue", title="Something", **metadata):
        rows = [artifact(i, title, kind=kind, artifact_type=None, source="github", metadata=metadata) for i in ids]
        store.upsert_artifacts(project.namespace, rows, now="2026-02-01T00:00:00Z")
        LedgerEntry.objects.filter(project=project, artifact_id__in=ids).delete()
        LedgerEntry.objects.bulk_create(
            LedgerEntry(
                project=project, artifact_id=i, source="github", kind=kind, title=title, version="", content_hash="",
                digest="", first_ingested_at=NOW, ingested_at=NOW,
            )
            for i in ids
        )  # fmt: skip

    return plant


@pytest.fixture
def story(repo, ingest):
    repo.item("STORY-1", status="ready")
    repo.commit()
    ingest()


@requirement("outside.not-on-backlog")
@requirement("outside.block-keys")
@requirement("outside.row-keys")
def test_what_has_no_mapped_type_is_beside_the_backlog_with_the_cause(story, put, project, reader) -> None:
    put(project, "app#12", title="No type at all")
    put(project, "app#9", kind="User Need", native_type="User Need", labels=["later", "ui"])
    answer = list_backlog(reader)
    assert [row["artifact_id"] for row in answer["items"]] == ["STORY-1"]
    assert answer["outside_backlog"] == {
        "count": 2,
        "items": [
            {
                "artifact_id": "app#9", "title": "Something", "kind": "User Need", "why": "unmapped",
                "native_type": "User Need", "labels": ["later", "ui"],
            },
            {"artifact_id": "app#12", "title": "No type at all", "kind": "issue", "why": "untyped"},
        ],
    }  # fmt: skip
    assert "outside_backlog_truncated" not in answer


@requirement("outside.any-filter")
def test_it_is_the_same_whatever_was_filtered_for(story, put, project, reader) -> None:
    put(project, "app#1", "app#2")
    blocks = [
        list_backlog(reader, **asked)["outside_backlog"]
        for asked in ({}, {"status": "done"}, {"pbi_type": "bug"}, {"limit": 1}, {"deleted": "only"})
    ]
    assert blocks[0]["count"] == 2
    assert all(block == blocks[0] for block in blocks)


@requirement("outside.by-project")
def test_over_several_projects_it_stands_under_each_ones_name(story, put, project, another, reader) -> None:
    other, _ = another("engine")
    put(project, "app#1")
    put(other, "eng#1", "eng#2")
    blocks = list_backlog(reader, projects=["product", "engine"])["outside_backlog"]
    assert {name: block["count"] for name, block in blocks.items()} == {"product": 1, "engine": 2}
    assert [row["artifact_id"] for row in blocks["engine"]["items"]] == ["eng#1", "eng#2"]
    assert list_backlog(reader, project="engine")["outside_backlog"]["count"] == 2


@requirement("outside.quarter-budget")
@requirement("outside.cut-count-whole")
def test_its_rows_take_a_quarter_of_the_budget_and_the_backlog_the_rest(put, project, reader, store, namespace) -> None:
    put(project, *(f"app#{n}" for n in range(2000)), title="An item nobody typed")
    stories = [artifact(f"STORY-{n}", "Ein Titel über Häfen und Kräne " * 8) for n in range(200)]
    store.upsert_artifacts(namespace, stories, now="2026-02-01T00:00:00Z")
    answer = list_backlog(reader, limit=200)
    block = answer["outside_backlog"]
    assert block["count"] == 2000
    assert 7000 < size(block["items"]) <= 32_768 // 4
    cut = answer["outside_backlog_truncated"]
    assert (cut["reason"], cut["whole"], cut["listed"]) == ("read-budget", 2000, len(block["items"]))
    assert "truncated" in answer
    assert 31_000 < size(answer) <= 32_768


@requirement("outside.cut-count-whole")
@requirement("budget.never-silent")
def test_where_even_a_row_has_no_room_the_items_give_way_and_the_count_stays(story, put, project, another, reader):
    put(project, *(f"app#{n}" for n in range(30)))
    other, _ = another("engine")
    put(other, *(f"eng#{n}" for n in range(30)))
    answer = list_backlog(dataclasses.replace(reader, budget=1100), projects=["product", "engine"])
    assert size(answer) <= 1100
    listed = sum(len(block["items"]) for block in answer["outside_backlog"].values())
    cut = answer["outside_backlog_truncated"]
    assert (cut["whole"], cut["listed"]) == (60, listed)


@requirement("outside.from-store")
def test_it_is_read_from_what_was_stored_and_no_tracker_is_asked(story, put, project, reader, monkeypatch) -> None:
    put(project, "app#1")
    before = list_backlog(reader)["outside_backlog"]

    def refuse(*_: object) -> None:
        raise AssertionError("a read opened a connection")

    if "sqlite" in type(reader.store).__name__.lower():
        monkeypatch.setattr(socket.socket, "connect", refuse)
    assert list_backlog(reader)["outside_backlog"] == before


@requirement("outside.no-map-empty")
def test_a_repository_alone_has_an_empty_block(story, reader) -> None:
    assert list_backlog(reader)["outside_backlog"] == {"count": 0, "items": []}
    assert context_health(reader)["outside_backlog"] == {"count": 0}


@requirement("outside.health")
@requirement("outside.not-on-backlog")
def test_health_has_the_same_number_and_the_fix_before_and_after_an_item_is_typed(story, put, project, reader) -> None:
    put(project, "app#1", "app#2")
    health = context_health(reader)["outside_backlog"]
    assert health["count"] == list_backlog(reader)["outside_backlog"]["count"] == 2
    assert "[connectors.*.types]" in health["fix"]
    assert "label" in health["fix"]
    put(project, "app#1", kind="pbi")
    assert context_health(reader)["outside_backlog"]["count"] == 1
    answer = list_backlog(reader)
    assert answer["outside_backlog"]["count"] == 1
    assert [row["artifact_id"] for row in answer["items"]] == ["app#1", "STORY-1"]


def test_a_deleted_item_is_no_longer_outside(story, put, project, reader, store) -> None:
    put(project, "app#1")
    LedgerEntry.objects.filter(project=project, artifact_id="app#1").update(deleted_at=NOW)
    assert list_backlog(reader)["outside_backlog"]["count"] == 0
