"""A pass reads what changed and nothing else, and leaves a row that says how it went."""

from __future__ import annotations

import pytest

from graphapi.connectors.backlog import BacklogConnector
from graphapi.connectors.base import ConnectorError
from graphapi.connectors.working_tree import WorkingTree
from graphapi.domain.refusals import PassRunning
from graphapi.ingest.passes import run_pass
from graphapi.models import IngestPass, SourceState
from graphapi.reads.health import context_health
from graphapi.reads.reader import Reader
from graphapi.store.locks import project_lock
from graphapi.store.port import StoreUnavailable
from tests.repo import ALL

requirement = pytest.mark.requirement


class Writes:
    """Notes what a pass writes to the graph and the bodies it reads back, and lets every call through."""

    def __init__(self, store) -> None:
        self.store, self.calls = store, []

    def __getattr__(self, name):
        value = getattr(self.store, name)
        if name in (
            "upsert_artifacts",
            "link",
            "retire_links",
            "tombstone",
            "put_statements",
            "put_readings",
            "bodies",
        ):

            def counted(*args, **kwargs):
                self.calls.append(name)
                return value(*args, **kwargs)

            return counted
        return value


@pytest.fixture
def some(repo):
    repo.item("EPIC-001", type="epic", title="Arrivals by night")
    for number in range(1, 6):
        repo.item(f"STORY-00{number}", "About arrivals by night.", parent="EPIC-001")
    repo.commit()
    return repo


def test_a_pass_over_an_unchanged_project_reads_no_file_and_writes_nothing(
    some, ingest, project, store, monkeypatch
) -> None:
    ingest()
    read = []
    real = WorkingTree.content
    monkeypatch.setattr(WorkingTree, "content", lambda self, file: read.append(file.path) or real(self, file))
    watched = Writes(store)
    row = run_pass(project, watched)
    assert (read, watched.calls) == ([], [])
    assert (row.state, row.counts["unchanged"], row.counts["written"]) == ("green", 6, 0)


def test_a_changed_file_is_read_alone(some, ingest, project, store, monkeypatch) -> None:
    ingest()
    some.item("STORY-003", "New words.", parent="EPIC-001")
    some.commit()
    read = []
    real = WorkingTree.content
    monkeypatch.setattr(WorkingTree, "content", lambda self, file: read.append(file.path) or real(self, file))
    row = ingest()
    assert read == ["backlog/STORY-003.md"]
    assert row.counts["written"] == 1


def test_a_commit_that_changes_no_content_moves_the_date_alone(some, ingest, graph) -> None:
    ingest()
    path = some.root / "backlog/STORY-001.md"
    text = path.read_text()
    path.write_text(text + "more\n")
    some.commit("There", "2026-03-01")
    path.write_text(text)
    some.commit("And back", "2026-03-02")
    ingest()
    assert graph.get("STORY-001").source_updated_at == "2026-03-02T00:00:00Z"


def test_a_graph_that_lost_an_artifact_or_a_link_gets_it_back(some, ingest, graph, store) -> None:
    ingest()
    whole, edges = graph.ids(), graph.edges()
    store.clear(graph.ns)
    row = ingest()
    assert (graph.ids(), graph.edges()) == (whole, edges)
    assert row.counts["written"] == 6


def test_changed_declarations_are_applied_to_files_that_did_not_change(some, ingest, graph) -> None:
    ingest()
    assert "arrivals" in graph.get("STORY-001").body
    some.write("revetly.toml", ALL + '[extraction]\nwithhold = ["backlog/STORY-001.md"]\n')
    some.commit()
    ingest()
    held = graph.get("STORY-001")
    assert (held.withheld, held.title, held.body) == (True, "", "")


@requirement("projects.own-declarations")
def test_each_project_is_read_by_the_file_at_its_own_root(some, ingest, graph, home, tmp_path, store) -> None:
    from graphapi.models import Project
    from tests.repo import Repo

    other = Repo(tmp_path / "other", ALL + '[extraction]\nwithhold = ["backlog/**"]\n')
    other.item("STORY-001", "About arrivals by night.")
    other.commit()
    second = Project.objects.create(name="other", namespace=f"{graph.ns}-b", root=str(other.root))
    try:
        ingest()
        run_pass(second, store)
        assert "arrivals" in graph.get("STORY-001").body
        (held,) = store.get(second.namespace, ["STORY-001"])
        assert (held.withheld, held.body) == (True, "")
    finally:
        store.clear(second.namespace)


@requirement("freshness.last-read-recorded")
def test_a_source_says_when_it_was_last_read_also_when_nothing_changed(some, ingest, project) -> None:
    ingest()
    first = dict(project.sources.exclude(source="tree").values_list("source", "last_read_at"))
    assert set(first) == {"backlog", "notes", "deliveries", "documents"}
    ingest()
    second = dict(project.sources.exclude(source="tree").values_list("source", "last_read_at"))
    assert all(second[source] > first[source] for source in first)


@requirement("freshness.failed-pass-recorded")
def test_a_connector_fault_fails_the_pass_and_its_source_and_lets_the_others_be_read(
    some, ingest, project, monkeypatch, store
) -> None:
    some.item("CONV-001", folder="conversations")
    some.commit()

    def broken(self, known, memory):
        raise ConnectorError("the disk went away", permanent=False)

    monkeypatch.setattr(BacklogConnector, "read", broken)
    row = ingest()
    assert row.state == "failed" and "the disk went away" in row.error
    states = {s.source: s for s in project.sources.all()}
    assert (states["backlog"].failed, states["backlog"].error) == (True, "the disk went away")
    assert not states["notes"].failed
    assert project.ledger.filter(artifact_id="CONV-001").exists()
    health = context_health(Reader(store))
    assert health["last_pass"]["state"] == "failed"
    assert {s["source"]: s["landed"] for s in health["sources"]}["backlog"] is False
    monkeypatch.undo()
    assert ingest().state == "green"
    assert not SourceState.objects.get(project=project, source="backlog").failed


def test_a_store_that_is_down_fails_the_pass_by_name(some, project, store) -> None:
    class Down:
        def __getattr__(self, name):
            def call(*args, **kwargs):
                raise StoreUnavailable("the graph store does not answer at nowhere")

            return call

    def failed() -> list[bool]:
        return list(project.sources.exclude(source="tree").values_list("failed", flat=True))

    assert run_pass(project, store).state == "green"
    assert failed() == [False] * 4
    row = run_pass(project, Down())
    assert (row.state, row.error) == ("failed", "the graph store does not answer at nowhere")
    assert failed() == [True] * 4, "what went unread is on record, source by source"
    assert run_pass(project, store).state == "green"
    assert failed() == [False] * 4


def test_a_declaration_that_does_not_add_up_fails_the_pass_naming_file_key_and_fix(some, ingest) -> None:
    some.write("revetly.toml", ALL + "[ranking]\nhalf_live = 3\n")
    row = ingest()
    assert row.state == "failed"
    assert "revetly.toml" in row.error and "ranking.half_live" in row.error


def test_an_interrupted_pass_is_on_record_as_failed(some, ingest, project, monkeypatch) -> None:
    def stopped(self, known, memory):
        raise KeyboardInterrupt

    monkeypatch.setattr(BacklogConnector, "read", stopped)
    with pytest.raises(KeyboardInterrupt):
        ingest()
    row = project.passes.get()
    assert (row.state, row.error) == ("failed", "KeyboardInterrupt stopped it")
    assert row.finished_at is not None


def test_two_passes_on_one_project_do_not_run_at_once(some, ingest, project, store) -> None:
    with project_lock(project), pytest.raises(PassRunning) as refused:
        run_pass(project, store)
    assert project.name in refused.value.detail
    assert not IngestPass.objects.filter(project=project).exists()


def test_a_pass_is_a_row_with_counts_seconds_and_findings_by_artifact(some, ingest, project) -> None:
    some.write("backlog/STORY-009.md", "---\nid: STORY-009\nstatus: nearly\ntitle: x\n---\nBody.\n")
    some.commit()
    row = ingest()
    row.refresh_from_db()
    assert row.state == "amber" and row.seconds > 0 and row.started_at and row.finished_at
    assert row.counts["listed"] == row.counts["written"] == 7
    (finding,) = row.findings
    assert (finding["artifact_id"], finding["path"], finding["line"]) == ("STORY-009", "backlog/STORY-009.md", 3)
    again = ingest()
    assert again.findings == [finding], "an unread file's finding stays on record"


def test_history_steps_of_a_review_log_are_kept_in_order(repo, ingest, project) -> None:
    repo.write(
        "backlog/STORY-001.md",
        "---\nid: STORY-001\ntitle: One\nreview_log:\n- {at: 2026-01-02, action: approved, by: {sub: ada}}\n"
        "- {at: 2026-01-05T09:00:00Z, action: amended, by: {sub: bo}, reason: wording}\n---\n\nWords.\n",
    )
    repo.commit()
    ingest()
    steps = list(project.history.values_list("position", "action", "by__sub", "detail"))
    assert steps == [(1, "approved", "ada", {}), (2, "amended", "bo", {"reason": "wording"})]
    repo.item("STORY-001")
    repo.commit()
    ingest()
    assert not project.history.exists()
