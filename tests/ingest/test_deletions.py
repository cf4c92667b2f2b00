"""What a source no longer holds (004 section 5, deleted), on each store."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module

import pytest
from django.apps import apps

from graphapi.connectors.backlog import BacklogConnector
from graphapi.connectors.base import ConnectorError
from graphapi.models import LedgerEntry
from tests.repo import ALL

requirement = pytest.mark.requirement


@pytest.fixture
def two_items(repo, ingest):
    repo.item("STORY-001", "Words.", title="One of two", status="ready")
    repo.item("STORY-002", "See STORY-001.", parent="STORY-001")
    repo.commit()
    ingest()
    return repo


@requirement("deleted.complete-read-only")
def test_a_read_that_stops_half_way_records_nothing_as_deleted(two_items, ingest, graph, project, monkeypatch) -> None:
    (two_items.root / "backlog/STORY-001.md").unlink()
    two_items.commit()
    real = BacklogConnector.read

    def half(self, known, memory):
        reading = real(self, known, memory)

        def items():
            yield from ()
            raise ConnectorError("the line went dead", permanent=False)

        reading.items = items()
        return reading

    monkeypatch.setattr(BacklogConnector, "read", half)
    row = ingest()
    assert row.state == "failed"
    assert graph.ids() == {"STORY-001", "STORY-002"}
    assert not project.ledger.exclude(deleted_at=None).exists()
    monkeypatch.undo()
    ingest()
    assert graph.ids() == {"STORY-002"}
    assert graph.get("STORY-001").deleted_clock == "source-declared", "the commit is not forgotten meanwhile"


@requirement("deleted.complete-read-only")
def test_a_pass_over_some_artifacts_records_nothing_as_deleted(two_items, ingest, graph, project) -> None:
    from graphapi.models import IngestPass

    (two_items.root / "backlog/STORY-001.md").unlink()
    two_items.item("STORY-002", "New words.")
    two_items.commit()
    row = ingest(row=IngestPass(project=project, artifacts=["STORY-002"]))
    assert (row.counts["written"], row.counts["deleted"]) == (1, 0)
    assert graph.ids() == {"STORY-001", "STORY-002"}
    assert "New words." in graph.get("STORY-002").body
    ingest()
    assert graph.ids() == {"STORY-002"}
    assert graph.get("STORY-001").deleted_clock == "source-declared", "nor by a pass over some artifacts"


@requirement("deleted.complete-read-only")
def test_a_repository_that_is_missing_for_a_while_loses_no_commit(repo, ingest, graph) -> None:
    from tests.repo import Repo

    code = Repo(repo.root / "code", None)
    code.write("a", "1")
    code.commit("First words")
    repo.write(".gitignore", "/code/\n")
    repo.write("revetly.toml", ALL + '[connectors.commits]\nrepositories = ["code"]\n')
    repo.commit()
    ingest()
    held = graph.ids()
    assert len(held) == 1
    (repo.root / "code").rename(repo.root.parent / "aside")
    row = ingest()
    assert row.state == "amber"
    assert [f["code"] for f in row.findings] == ["source-failed"]
    assert graph.ids() == held


@requirement("deleted.not-erased")
def test_a_deletion_keeps_title_body_metadata_and_links(two_items, ingest, graph) -> None:
    before = graph.get("STORY-001")
    out = graph.links("STORY-002")
    (two_items.root / "backlog/STORY-001.md").unlink()
    (two_items.root / "backlog/STORY-002.md").unlink()
    two_items.commit()
    ingest()
    gone = graph.get("STORY-001")
    assert gone.deleted
    assert (gone.title, gone.body, gone.status, gone.metadata) == (
        before.title,
        before.body,
        before.status,
        before.metadata,
    )
    assert {link.key for link in graph.links("STORY-002", deleted="only")} == {link.key for link in out}


@requirement("deleted.source-declared")
def test_a_committed_removal_is_dated_by_its_commit_and_names_it(two_items, ingest, graph, project) -> None:
    (two_items.root / "backlog/STORY-001.md").unlink()
    sha = two_items.commit("Take it away", "2026-02-03T10:00:00Z")
    two_items.commit("Later, something else", "2026-02-20")
    ingest()
    gone = graph.get("STORY-001")
    assert (gone.deleted_at, gone.deleted_clock, gone.deleted_note) == ("2026-02-03T10:00:00Z", "source-declared", sha)
    entry = project.ledger.get(artifact_id="STORY-001")
    assert (entry.deleted_at, entry.deleted_clock) == (datetime(2026, 2, 3, 10, tzinfo=UTC), "source-declared")


@requirement("deleted.found")
def test_an_uncommitted_removal_is_found_keeps_its_time_and_moves_once_when_committed(two_items, ingest, graph) -> None:
    before = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    (two_items.root / "backlog/STORY-001.md").unlink()
    ingest()
    first = graph.get("STORY-001")
    assert first.deleted_clock == "found" and first.deleted_at >= before
    ingest()
    assert graph.get("STORY-001") == first
    two_items.commit("Take it away", "2026-02-03T10:00:00Z")
    ingest()
    assert (graph.get("STORY-001").deleted_at, graph.get("STORY-001").deleted_clock) == (
        "2026-02-03T10:00:00Z",
        "source-declared",
    )
    settled = graph.get("STORY-001")
    ingest()
    assert graph.get("STORY-001") == settled


def test_a_restored_file_is_live_again_with_the_date_it_was_first_added(two_items, ingest, graph) -> None:
    created = graph.get("STORY-001").source_created_at
    text = (two_items.root / "backlog/STORY-001.md").read_bytes()
    (two_items.root / "backlog/STORY-001.md").unlink()
    two_items.commit()
    ingest()
    two_items.write("backlog/STORY-001.md", text)
    two_items.commit("Bring it back", "2026-05-05")
    ingest()
    back = graph.get("STORY-001")
    assert (back.deleted, back.deleted_at, back.source_created_at) == (False, None, created)
    assert back.source_updated_at == "2026-05-05T00:00:00Z"
    assert ("STORY-002", "parent", "STORY-001") in graph.edges()


def test_links_into_a_deleted_artifact_stay_as_their_own_source_states_them(two_items, ingest, graph) -> None:
    (two_items.root / "backlog/STORY-001.md").unlink()
    two_items.commit()
    row = ingest()
    kept = [link for link in graph.links("STORY-002", deleted="include") if link.invalid_at is None]
    assert {(link.relation, link.target_id) for link in kept} == {("parent", "STORY-001"), ("references", "STORY-001")}
    assert row.counts["unresolved"] == {}


def test_a_source_that_is_no_longer_declared_is_closed_out(repo, ingest, graph, project) -> None:
    repo.item("STORY-001")
    repo.write("docs/how.md", "# How\n")
    repo.commit()
    ingest()
    repo.write("revetly.toml", ALL.replace('[connectors.documents]\npaths = ["docs"]\n', ""))
    repo.commit()
    ingest()
    assert graph.ids() == {"STORY-001"}
    assert graph.get("docs/how.md").deleted_clock == "found"
    assert not project.sources.filter(source="documents").exists()


def test_when_a_removal_was_learned_of_is_kept_on_either_clock_until_the_artifact_is_back(
    two_items, ingest, project
) -> None:
    def learned():
        return project.ledger.get(artifact_id="STORY-001").deleted_learned_at

    assert learned() is None
    text = (two_items.root / "backlog/STORY-001.md").read_text()
    (two_items.root / "backlog/STORY-001.md").unlink()
    row = ingest()
    found = learned()
    assert row.started_at <= found <= row.finished_at
    assert found == project.ledger.get(artifact_id="STORY-001").deleted_at
    two_items.commit(when="2026-02-20")
    ingest()
    entry = project.ledger.get(artifact_id="STORY-001")
    assert (entry.deleted_clock, str(entry.deleted_at.date())) == ("source-declared", "2026-02-20")
    assert entry.deleted_learned_at == found, "a date that comes later is no news of it"
    two_items.write("backlog/STORY-001.md", text)
    two_items.commit()
    ingest()
    assert learned() is None
    (two_items.root / "backlog/STORY-001.md").unlink()
    two_items.commit(when="2026-02-22")
    row = ingest()
    assert row.started_at <= learned() <= row.finished_at


def test_removals_on_record_from_before_were_learned_of_when_they_were_found_or_it_is_unknown(project) -> None:
    """The step that an upgrade takes over the ledger of an earlier release."""
    now = datetime(2026, 3, 1, tzinfo=UTC)
    for artifact_id, clock, at in (("A-1", "found", now), ("A-2", "source-declared", now), ("A-3", "", None)):
        LedgerEntry.objects.create(
            project=project, artifact_id=artifact_id, source="backlog", kind="pbi", version="", content_hash="",
            digest="", first_ingested_at=now, ingested_at=now, deleted_at=at, deleted_clock=clock,
        )  # fmt: skip
    import_module("graphapi.migrations.0002_revisions").learned_when_found(apps, None)
    learned = dict(project.ledger.values_list("artifact_id", "deleted_learned_at"))
    assert learned == {"A-1": now, "A-2": None, "A-3": None}
