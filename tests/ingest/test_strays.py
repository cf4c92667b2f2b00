"""Rows the graph holds and nobody's ledger does, shared titles, and passes over some artifacts, on each store."""

from __future__ import annotations

import pytest

from graphapi.ingest import ledger
from graphapi.ingest.passes import run_pass
from graphapi.ingest.preview import pass_preview
from graphapi.models import IngestPass, Project
from tests.repo import ALL


def test_what_a_dead_pass_left_in_the_graph_is_closed_out_when_its_file_is_gone(
    repo, ingest, graph, store, monkeypatch
) -> None:
    repo.item("STORY-001")
    repo.item("STORY-002", "Words about lanterns.")
    repo.commit()

    def dies(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger, "record", dies)
    with pytest.raises(KeyboardInterrupt):
        ingest()
    monkeypatch.undo()
    assert graph.ids() == {"STORY-001", "STORY-002"}
    (repo.root / "backlog/STORY-002.md").unlink()
    repo.commit()
    row = ingest()
    assert (row.state, row.counts["deleted"]) == ("green", 1)
    assert graph.ids() == {"STORY-001"}
    assert store.search_artifacts(graph.ns, "lanterns") == []


def test_a_namespace_that_is_declared_anew_keeps_nothing_its_sources_lack(repo, ingest, graph, project, store) -> None:
    repo.item("STORY-001")
    repo.item("STORY-002")
    repo.commit()
    ingest()
    root, namespace = project.root, project.namespace
    Project.objects.filter(pk=project.pk).delete()
    (repo.root / "backlog/STORY-002.md").unlink()
    repo.commit()
    again = Project.objects.create(name="again", namespace=namespace, root=root)
    assert run_pass(again, store).state == "green"
    assert graph.ids() == {"STORY-001"}


def test_a_source_that_failed_keeps_what_the_graph_holds_of_it(repo, ingest, graph, monkeypatch) -> None:
    from graphapi.connectors.backlog import BacklogConnector
    from graphapi.connectors.base import ConnectorError

    repo.item("STORY-001")
    repo.commit()
    ingest()

    def broken(self, known, memory):
        raise ConnectorError("gone", permanent=False)

    monkeypatch.setattr(BacklogConnector, "read", broken)
    assert ingest().state == "failed"
    assert graph.ids() == {"STORY-001"}


@pytest.mark.parametrize("how", ["deleted", "retitled"])
def test_a_shared_title_that_becomes_one_artifacts_own_links_bodies_that_did_not_change(
    repo, ingest, graph, how
) -> None:
    repo.item("STORY-001", title="Harbour map")
    repo.item("STORY-002", title="Harbour map")
    repo.item("CONV-001", "See the harbour map.", folder="conversations")
    repo.commit()
    ingest()
    assert graph.methods() == set()
    if how == "deleted":
        (repo.root / "backlog/STORY-002.md").unlink()
    else:
        repo.item("STORY-002", title="Another map")
    repo.commit()
    ingest()
    assert graph.methods() == {("CONV-001", "title-mention", "STORY-001")}


def test_the_file_that_loses_a_duplicate_id_does_not_win_it_by_being_read_alone(repo, ingest, graph, project) -> None:
    repo.write("docs/a.md", "---\nid: DOC-1\ntitle: The served one\n---\n\nWords.\n")
    repo.write("docs/deep/b.md", "---\nid: DOC-1\ntitle: The other one\n---\n\nWords.\n")
    repo.commit()
    ingest()
    row = ingest(row=IngestPass(project=project, artifacts=["docs/deep/b.md"]))
    assert graph.get("DOC-1").title == "The served one"
    assert [f["code"] for f in row.findings] == ["duplicate-id"]


def test_a_pass_over_an_artifact_nobody_knows_is_refused_by_its_name(repo, ingest, project) -> None:
    repo.item("STORY-001")
    repo.commit()
    row = ingest(row=IngestPass(project=project, artifacts=["TYPO-1"]))
    assert row.state == "failed" and row.error.startswith("TYPO-1: neither an id on record")


@pytest.mark.parametrize("pattern", ["Docs/**", "dosc/**", "docs/none.md"])
def test_a_withhold_pattern_that_keeps_nothing_back_is_named(repo, ingest, pattern) -> None:
    repo.write("docs/how.md", "# How\n\nWords.\n")
    repo.write("revetly.toml", ALL + f'[extraction]\nwithhold = ["docs/how.md", "{pattern}"]\n')
    repo.commit()
    row = ingest()
    (finding,) = row.findings
    assert (row.state, finding["code"], finding["path"]) == ("amber", "withhold-idle", "revetly.toml")
    assert pattern in finding["message"]


def test_a_dry_run_counts_what_a_pass_would_write(repo, ingest, project, store, graph) -> None:
    repo.write("docs/a.md", "---\nid: DOC-1\ntitle: One\n---\n\nWords.\n")
    repo.write("docs/deep/b.md", "---\nid: DOC-1\ntitle: Two\n---\n\nWords.\n")
    repo.item("STORY-001")
    repo.commit()
    assert pass_preview(project, store)["changed"] == 2
    assert graph.ids() == set()
    ingest()
    assert pass_preview(project, store)["changed"] == 0, "the losing file of a duplicate id is written by no pass"
    store.clear(graph.ns)
    assert pass_preview(project, store)["changed"] == 2, "what the graph has lost is read again"
    assert ingest().counts["written"] == 2
