"""Patterns declared after the words came in: what was kept is taken back, from rows and from files."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphapi.ingest import residue
from graphapi.models import TREE, IngestPass, Project
from graphapi.store.port import StoreUnavailable
from tests.contract.backends import Backend
from tests.everywhere import texts
from tests.repo import ALL, Repo

Ingest = Callable[..., IngestPass]
WITHHOLD = '[extraction]\nwithhold = ["conversations/private/**"]\n'
NOTE = "conversations/private/CONV-1.md"
SECRET = "hemmeligord"


@pytest.fixture
def told(repo: Repo, ingest: Ingest) -> Repo:
    """A project that has read a note's words, and links of it and to it, before anything was withheld."""
    log = "[{at: 2026-01-01, action: noted, reason: " + SECRET + "}]"
    repo.item(
        "CONV-1", f"Words: {SECRET}, and DEC-1.", folder="conversations/private", title=f"{SECRET} plan", status=SECRET,
        owner=SECRET, review_log=log, supersedes=["CONV-2"],
    )  # fmt: skip
    repo.item("CONV-2", "Another.", folder="conversations")
    repo.item("DEC-1", "x", folder="decisions", title="A decision", supersedes=["CONV-1"])
    repo.commit()
    ingest()
    return repo


def withhold(repo: Repo) -> None:
    repo.write("revetly.toml", ALL + WITHHOLD)
    repo.commit("withhold")


def places(project: Project, graph: Any, backend: Backend) -> list[str]:
    return [place for place, text in texts(project, graph.store, backend) if SECRET in text.casefold()]


def emptied(repo: Repo) -> None:
    repo.write(NOTE, "")


def broken(repo: Repo) -> None:
    repo.write(NOTE, "---\nid: [CONV-1\n---\n")


def removed(repo: Repo) -> None:
    (repo.root / NOTE).unlink()


@pytest.mark.requirement("withheld.never-sent")
@pytest.mark.parametrize("change", [emptied, broken, removed, lambda repo: None])
@pytest.mark.parametrize("passed", [True, False], ids=["read-between", "at-once"])
def test_what_can_be_read_no_more_is_taken_back_as_well(
    told: Repo, ingest: Ingest, graph: Any, project: Project, backend: Backend, change: Callable[[Repo], None],
    passed: bool,
) -> None:  # fmt: skip
    assert places(project, graph, backend)
    change(told)
    told.commit()
    if passed:
        ingest()
    before = graph.get("CONV-1")
    withhold(told)
    row = ingest()
    assert row.state in ("green", "amber"), row.error
    assert places(project, graph, backend) == []
    node, entry = graph.get("CONV-1"), project.ledger.get(artifact_id="CONV-1")
    assert (node.kind, node.title, node.body, dict(node.metadata), node.status) == ("doc", "", "", {}, None)
    assert (node.withheld, entry.withheld, entry.title, entry.findings, entry.mentions) == (True, True, "", [], [])
    assert graph.store.search_artifacts(graph.ns, SECRET, deleted="include") == []
    assert graph.store.search_facts(graph.ns, SECRET, deleted="include") == []
    if node.deleted and passed:
        old = (before.deleted_at, before.deleted_clock, before.deleted_note)
        assert (node.deleted_at, node.deleted_clock, node.deleted_note) == old
    links = {(link.source_id, link.target_id): link for link in graph.links("CONV-1", deleted="include")}
    assert links["DEC-1", "CONV-1"].fact == "A decision (DEC-1) supersedes CONV-1"
    assert links["CONV-1", "CONV-2"].fact == "CONV-1 supersedes Title of CONV-2 (CONV-2)"
    assert (links["CONV-1", "CONV-2"].invalid_at is not None) is node.deleted
    # The body's own reference is no link any more, or one that ended; either way its words are gone.
    assert [r for r in entry.references if r[1] == "explicit-ref"] == []


def test_a_link_that_had_ended_keeps_its_end_and_loses_the_title(
    told: Repo, ingest: Ingest, graph: Any, project: Project, backend: Backend
) -> None:
    told.item("DEC-1", "x", folder="decisions", title="A decision")
    told.commit()
    ingest()
    (before,) = [link for link in graph.links("DEC-1", deleted="include") if link.target_id == "CONV-1"]
    assert before.invalid_at
    assert SECRET in before.fact
    withhold(told)
    ingest()
    (after,) = [link for link in graph.links("DEC-1", deleted="include") if link.target_id == "CONV-1"]
    assert (after.invalid_at, after.invalid_reason) == (before.invalid_at, before.invalid_reason)
    assert places(project, graph, backend) == []


def test_the_records_of_earlier_passes_lose_what_they_quote_and_keep_the_rest(
    told: Repo, ingest: Ingest, project: Project
) -> None:
    row = project.passes.latest("id")
    kept = {"code": "id-case", "severity": "warning", "message": "ids differ", "artifact_id": "DEC-1"}
    row.findings = [
        kept,
        {"code": "x", "severity": "note", "message": "status", "artifact_id": "CONV-1"},
        {"code": "x", "severity": "note", "message": f"the title “{SECRET}  Plan” is shared", "artifact_id": "DEC-1"},
        {"code": "x", "severity": "error", "message": "no block", "path": "conversations/private/never.md"},
    ]
    row.error = f"{SECRET} plan stopped it"
    row.save()
    withhold(told)
    ingest()
    row.refresh_from_db()
    assert row.findings == [kept]
    assert row.error
    assert SECRET not in row.error


def test_a_node_the_ledger_never_heard_of_is_taken_back_too(
    told: Repo, ingest: Ingest, graph: Any, project: Project, backend: Backend
) -> None:
    # As a pass leaves it that died between the graph and the ledger.
    project.ledger.filter(artifact_id="CONV-1").delete()
    project.history.all().delete()
    removed(told)
    withhold(told)
    ingest()
    assert (graph.get("CONV-1").title, graph.get("CONV-1").withheld) == ("", True)
    assert places(project, graph, backend) == []


def test_a_file_that_could_not_be_scrubbed_stays_owed(
    told: Repo, ingest: Ingest, graph: Any, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(namespace: str) -> None:
        raise StoreUnavailable("it is held")

    with monkeypatch.context() as patched:
        patched.setattr(graph.store, "scrub", down)
        withhold(told)
        row = ingest()
    assert (row.state, row.error) == ("failed", "it is held")
    assert residue.is_owed(project)
    scrubbed: list[str] = []
    monkeypatch.setattr(graph.store, "scrub", scrubbed.append)
    ingest()
    assert scrubbed == [graph.ns]
    assert "declared" in project.sources.get(source=TREE).cursor


def _run(home: Path, module: str, *arguments: str) -> None:
    environment = {**os.environ, "REVETLY_HOME": str(home), "DJANGO_SETTINGS_MODULE": "revetly_site.settings"}
    environment.pop("REVETLY_DATABASE_URL", None)
    done = subprocess.run([sys.executable, "-m", module, *arguments], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.requirement("withheld.never-sent")
def test_no_file_of_an_instance_holds_the_words_while_another_has_them_open(tmp_path: Path) -> None:
    repo, home = Repo(tmp_path / "product"), tmp_path / "home"
    for n in range(40):
        repo.item(f"CONV-{n}", f"{SECRET} " * (n * 20), folder="conversations/private", title=f"{SECRET} plan {n}")
        repo.item(f"STORY-{n}", "Plain words.", related=[f"CONV-{n}"])
    repo.commit()
    _run(home, "django", "migrate", "--verbosity", "0")
    _run(home, "revetly_site", "init", str(repo.root))
    _run(home, "revetly_site", "ingest")
    names = ("graph.sqlite3", "revetly.sqlite3")
    assert all(SECRET.encode() in (home / name).read_bytes() for name in names)
    others = [sqlite3.connect(home / name) for name in names]
    for other in others:
        other.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    (repo.root / "conversations/private/CONV-3.md").unlink()
    repo.write("conversations/private/CONV-4.md", "")
    withhold(repo)
    _run(home, "revetly_site", "ingest")
    files = [file for name in names for file in home.glob(name + "*")]
    assert len(files) > 2
    held = [f.name for f in files if SECRET[:7].encode() in subprocess.run(["cat", f], capture_output=True).stdout]
    for other in others:
        other.close()
    assert held == []
