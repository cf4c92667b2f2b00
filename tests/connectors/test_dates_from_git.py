"""Source time and removals, from git: one reading of history, renames followed, nothing dated that nobody committed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.corpus import build, withdraw, write
from graphapi.models import IngestPass, Project
from tests.connectors.findings import named
from tests.repo import LITE, Repo

Ingest = Callable[..., IngestPass]


def dates(graph: Any, artifact_id: str) -> tuple[str | None, str | None]:
    artifact = graph.get(artifact_id)
    return artifact.source_created_at, artifact.source_updated_at


def death(graph: Any, artifact_id: str) -> tuple[str, str, str | None]:
    artifact = graph.get(artifact_id)
    assert artifact.deleted
    return artifact.deleted_clock, artifact.deleted_at, artifact.deleted_note


def test_a_file_is_dated_by_the_commits_that_added_and_last_touched_it(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    repo.item("STORY-2")
    repo.commit(when="2026-02-02")
    repo.item("STORY-1", "Edited.")
    repo.commit(when="2026-02-03T04:05:06Z")
    ingest()
    assert dates(graph, "STORY-1") == ("2026-02-01T00:00:00Z", "2026-02-03T04:05:06Z")
    assert dates(graph, "STORY-2") == ("2026-02-02T00:00:00Z", "2026-02-02T00:00:00Z")


def test_dates_read_in_steps_are_those_read_at_once(repo: Repo, ingest: Ingest, graph: Any, project: Project) -> None:
    repo.item("STORY-1")
    repo.commit(when="2026-01-31")
    repo.item("STORY-2")
    repo.write("docs/a.md", "# A\n" * 20)
    repo.commit(when="2026-02-01")
    ingest()
    repo.item("STORY-2", "Edited.")
    repo.git("mv", "docs/a.md", "docs/b.md")
    repo.commit(when="2026-02-02")
    repo.git("mv", "docs/b.md", "docs/c.md")
    repo.item("STORY-3")
    repo.git("rm", "-q", "backlog/STORY-1.md")
    repo.commit(when="2026-02-03")
    repo.git("mv", "backlog/STORY-2.md", "backlog/STORY-1.md")
    repo.commit(when="2026-02-04")
    ingest()
    ids = ("STORY-2", "STORY-3", "docs/c.md")
    stepped = {i: dates(graph, i) for i in ids}
    project.sources.all().delete()
    project.ledger.all().delete()
    ingest()
    assert {i: dates(graph, i) for i in ids} == stepped
    assert stepped["docs/c.md"] == ("2026-02-01T00:00:00Z", "2026-02-03T00:00:00Z")
    assert stepped["STORY-2"] == ("2026-02-01T00:00:00Z", "2026-02-04T00:00:00Z")


def test_an_uncommitted_edit_has_no_source_time_and_keeps_when_it_was_created(
    repo: Repo, ingest: Ingest, graph: Any
) -> None:
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    ingest()
    repo.item("STORY-1", "Edited.")
    repo.item("STORY-2")
    ingest()
    assert dates(graph, "STORY-1") == ("2026-02-01T00:00:00Z", None)
    assert dates(graph, "STORY-2") == (None, None)
    repo.git("checkout", "-q", "--", "backlog/STORY-1.md")
    ingest()
    assert dates(graph, "STORY-1") == ("2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z")
    repo.commit(when="2026-02-09")
    ingest()
    assert dates(graph, "STORY-2") == ("2026-02-09T00:00:00Z", "2026-02-09T00:00:00Z")


def test_a_staged_edit_is_no_commit(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    repo.item("STORY-1", "Staged.")
    repo.git("add", "-A")
    ingest()
    assert "Staged." in graph.get("STORY-1").body
    assert dates(graph, "STORY-1") == ("2026-02-01T00:00:00Z", None)


def test_a_file_of_a_merged_branch_keeps_its_own_date(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.git("checkout", "-qb", "side")
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    repo.git("checkout", "-q", "main")
    repo.item("STORY-2")
    repo.commit(when="2026-02-02")
    repo.git("merge", "-q", "--no-ff", "side", date="@1800000000 +0000")
    ingest()
    assert dates(graph, "STORY-1")[0] == "2026-02-01T00:00:00Z"


def test_a_renamed_file_with_an_id_of_its_own_keeps_when_it_was_created(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1", "Words enough to be known again.\n" * 5)
    repo.commit(when="2026-02-01")
    ingest()
    (repo.root / "backlog/done").mkdir()
    repo.git("mv", "backlog/STORY-1.md", "backlog/done/renamed.md")
    repo.commit(when="2026-03-01")
    row = ingest()
    story = graph.get("STORY-1")
    assert (row.counts["deleted"], story.deleted, story.source_path) == (0, False, "backlog/done/renamed.md")
    assert dates(graph, "STORY-1") == ("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")


@pytest.mark.requirement("deleted.source-declared")
def test_a_renamed_file_known_by_its_path_is_a_removal_dated_by_that_commit(
    repo: Repo, ingest: Ingest, graph: Any
) -> None:
    repo.write("docs/old.md", "# Words enough to be known again\n" * 5)
    repo.commit(when="2026-02-01")
    ingest()
    repo.git("mv", "docs/old.md", "docs/new.md")
    sha = repo.commit(when="2026-03-01")
    ingest()
    assert death(graph, "docs/old.md") == ("source-declared", "2026-03-01T00:00:00Z", sha)
    assert dates(graph, "docs/new.md") == ("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")


@pytest.mark.requirement("deleted.source-declared")
def test_a_removal_is_dated_by_the_commit_that_made_it_which_is_named(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1", "What it said.", parent="EPIC-1")
    repo.item("EPIC-1")
    repo.commit(when="2026-02-01")
    ingest()
    (repo.root / "backlog/STORY-1.md").unlink()
    sha = repo.commit(when="2026-02-20T10:00:00Z")
    repo.item("EPIC-1", "Later.")
    repo.commit(when="2026-02-25")
    row = ingest()
    assert (row.state, row.counts["deleted"]) == ("green", 1)
    assert death(graph, "STORY-1") == ("source-declared", "2026-02-20T10:00:00Z", sha)
    assert "What it said." in graph.get("STORY-1").body


@pytest.mark.requirement("deleted.source-declared")
def test_a_removal_long_past_is_dated_by_its_own_commit_and_not_by_an_earlier_one(
    repo: Repo, ingest: Ingest, graph: Any
) -> None:
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    (repo.root / "backlog/STORY-1.md").unlink()
    repo.commit(when="2026-02-02")
    repo.item("STORY-1")
    repo.commit(when="2026-02-03")
    ingest()
    (repo.root / "backlog/STORY-1.md").unlink()
    sha = repo.commit(when="2026-02-04")
    ingest()
    assert death(graph, "STORY-1") == ("source-declared", "2026-02-04T00:00:00Z", sha)


@pytest.mark.requirement("deleted.source-declared")
def test_a_removal_that_a_later_edit_on_a_branch_lost_to_is_still_dated(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    ingest()
    repo.git("checkout", "-qb", "side")
    repo.item("STORY-1", "Edited after it was removed elsewhere.")
    repo.commit(when="2026-02-10")
    repo.git("checkout", "-q", "main")
    (repo.root / "backlog/STORY-1.md").unlink()
    sha = repo.commit(when="2026-02-05")
    repo.git("merge", "-q", "-s", "ours", "side", date="@1800000000 +0000")
    ingest()
    assert death(graph, "STORY-1") == ("source-declared", "2026-02-05T00:00:00Z", sha)


@pytest.mark.requirement("deleted.source-declared")
def test_a_removal_that_a_merge_alone_made_is_dated_by_the_merge(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    ingest()
    repo.git("checkout", "-qb", "side")
    repo.item("STORY-2")
    repo.commit(when="2026-02-02")
    repo.git("checkout", "-q", "main")
    repo.item("STORY-3")
    repo.commit(when="2026-02-03")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "side")
    (repo.root / "backlog/STORY-1.md").unlink()
    sha = repo.commit(when="2026-02-04")
    ingest()
    assert death(graph, "STORY-1") == ("source-declared", "2026-02-04T00:00:00Z", sha)


@pytest.mark.requirement("deleted.found")
def test_an_uncommitted_removal_is_found_once_and_dated_anew_only_when_it_is_committed(
    repo: Repo, ingest: Ingest, graph: Any
) -> None:
    repo.item("STORY-1")
    repo.item("STORY-2")
    repo.commit(when="2026-02-01")
    ingest()
    (repo.root / "backlog/STORY-1.md").unlink()
    row = ingest()
    clock, at, note = death(graph, "STORY-1")
    assert row.started_at is not None
    assert (clock, note, row.counts["deleted"]) == ("found", None, 1)
    assert at >= row.started_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    repo.git("add", "-A")  # staged is not committed
    assert ingest().counts["deleted"] == 0
    assert death(graph, "STORY-1") == (clock, at, note)
    sha = repo.commit(when="2026-02-20")
    ingest()
    assert death(graph, "STORY-1") == ("source-declared", "2026-02-20T00:00:00Z", sha)
    repo.item("STORY-2", "x")
    repo.commit(when="2026-02-22")
    ingest()
    assert death(graph, "STORY-1") == ("source-declared", "2026-02-20T00:00:00Z", sha)


@pytest.mark.requirement("deleted.found")
def test_a_removal_nobody_committed_is_found_though_the_file_was_once_removed_before(
    repo: Repo, ingest: Ingest, graph: Any
) -> None:
    repo.item("STORY-1")
    repo.item("STORY-2")
    repo.commit(when="2026-02-01")
    ingest()
    for number in (1, 2):
        (repo.root / f"backlog/STORY-{number}.md").unlink()
    repo.commit(when="2026-02-02")
    repo.item("STORY-1")
    repo.item("STORY-2")
    repo.commit(when="2026-02-03")
    (repo.root / "backlog/STORY-1.md").unlink()
    repo.write("backlog/STORY-2.md", "---\nid: STORY-3\n---\n")
    ingest()
    assert (death(graph, "STORY-1")[0], death(graph, "STORY-2")[0]) == ("found", "found")


@pytest.mark.requirement("deleted.found")
def test_an_id_that_its_file_no_longer_gives_is_found_gone(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    ingest()
    repo.write("backlog/STORY-1.md", "---\nid: STORY-2\n---\n")
    repo.commit(when="2026-02-02")
    ingest()
    assert (graph.ids(), death(graph, "STORY-1")[0]) == ({"STORY-2"}, "found")


def test_a_file_deleted_and_restored_lives_again_and_keeps_when_it_was_created(
    repo: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    repo.item("STORY-1", "What it said.")
    repo.item("STORY-2", parent="STORY-1")
    repo.commit(when="2026-02-01")
    ingest()
    (repo.root / "backlog/STORY-1.md").unlink()
    repo.commit(when="2026-02-02")
    ingest()
    assert graph.get("STORY-1").deleted
    repo.item("STORY-1", "What it said.")
    repo.commit(when="2026-02-03")
    assert ingest().state == "green"
    story = graph.get("STORY-1")
    assert (story.deleted, story.deleted_at) == (False, None)
    assert dates(graph, "STORY-1") == ("2026-02-01T00:00:00Z", "2026-02-03T00:00:00Z")
    assert ("STORY-2", "parent", "STORY-1") in graph.edges()
    assert project.ledger.get(artifact_id="STORY-1").deleted_at is None


def test_history_that_was_rewritten_is_read_anew(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    base = repo.commit(when="2026-02-01")
    repo.item("STORY-2")
    repo.item("STORY-1", "Edited.")
    repo.commit(when="2026-02-02")
    ingest()
    repo.git("reset", "-q", "--hard", base)
    repo.item("STORY-3")
    repo.item("STORY-1", "Edited.")
    repo.commit(when="2026-02-05")
    assert ingest().error == ""
    assert graph.ids() == {"STORY-1", "STORY-3"}
    assert dates(graph, "STORY-1") == ("2026-02-01T00:00:00Z", "2026-02-05T00:00:00Z")
    assert death(graph, "STORY-2")[0] == "found"


def test_a_commit_the_last_pass_read_up_to_may_be_gone_altogether(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    base = repo.commit(when="2026-02-01")
    repo.item("STORY-2")
    repo.commit(when="2026-02-02")
    ingest()
    repo.git("reset", "-q", "--hard", base)
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    assert ingest().error == ""
    assert graph.ids() == {"STORY-1"}


def test_a_shallow_clone_is_read_with_the_dates_it_has_and_its_floor_recorded(
    repo: Repo, ingest: Ingest, graph: Any, project: Project, tmp_path: Path
) -> None:
    repo.write("revetly.toml", LITE + "[backlog]\n[connectors.commits]\nrepositories = ['.']\n")
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    repo.item("STORY-2")
    repo.commit(when="2026-02-10")
    repo.item("STORY-3")
    repo.commit(when="2026-02-20")
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.root}", str(clone))
    project.root = str(clone)
    project.save()
    row = ingest()
    assert row.error == ""
    assert {"STORY-1", "STORY-2", "STORY-3"} <= graph.ids()
    assert dates(graph, "STORY-1") == (None, None)
    assert dates(graph, "STORY-2") == (None, None)
    assert dates(graph, "STORY-3") == ("2026-02-20T00:00:00Z", "2026-02-20T00:00:00Z")
    floors = {s.source: str(s.floor) for s in project.sources.exclude(floor=None)}
    assert floors == {"backlog": "2026-02-10", "commits/root": "2026-02-10"}
    kept = (clone / "backlog/STORY-3.md").read_bytes()
    (clone / "backlog/STORY-3.md").write_bytes(kept + b"Edited.")
    ingest()
    (clone / "backlog/STORY-3.md").write_bytes(kept)
    ingest()
    assert dates(graph, "STORY-3") == ("2026-02-20T00:00:00Z", "2026-02-20T00:00:00Z")
    Repo.git(repo, "-C", str(clone), "fetch", "-q", "--unshallow")
    ingest()
    assert dates(graph, "STORY-1") == ("2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z")
    assert project.sources.get(source="backlog").floor is None


def test_a_partial_clone_is_read_without_fetching_what_it_lacks(
    repo: Repo, ingest: Ingest, graph: Any, project: Project, tmp_path: Path
) -> None:
    repo.item("STORY-1", "Words.\n" * 30)
    repo.commit(when="2026-02-01")
    repo.git("mv", "backlog/STORY-1.md", "backlog/S1.md")
    repo.write("backlog/S1.md", (repo.root / "backlog/S1.md").read_text() + "More.\n")
    repo.commit(when="2026-02-02")
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.root}", str(clone))
    repo.root.rename(tmp_path / "unreachable")
    project.root = str(clone)
    project.save()
    row = ingest()
    assert (row.error, graph.ids()) == ("", {"STORY-1"})
    assert dates(graph, "STORY-1")[1] == "2026-02-02T00:00:00Z"


@pytest.mark.parametrize(
    ("what", "word"), [("missing", "does not exist"), ("folder", "not a git"), ("file", "does not exist")]
)
def test_a_repository_that_is_not_there_is_named_with_a_fix_and_the_other_sources_are_read(
    repo: Repo, ingest: Ingest, graph: Any, project: Project, tmp_path: Path, what: str, word: str
) -> None:
    elsewhere = tmp_path / "code"
    if what == "folder":
        elsewhere.mkdir()
    elif what == "file":
        elsewhere.write_text("x")
    repo.write("revetly.toml", LITE + '[backlog]\n[connectors.commits]\nrepositories = { app = "../code" }\n')
    repo.item("STORY-1")
    repo.commit()
    row = ingest()
    assert (row.state, graph.ids()) == ("amber", {"STORY-1"})
    assert named(row) == {("source-failed", "commits/app")}
    assert word in row.findings[0]["message"]
    state = project.sources.get(source="commits/app")
    assert (state.failed, state.complete) == (True, False)
    assert state.error


def test_commits_of_a_rewritten_history_go_and_the_new_ones_come(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.write("revetly.toml", LITE + "[connectors.commits]\nrepositories = ['.']\n")
    base = repo.commit(when="2026-02-01")
    old = repo.commit("An old one", when="2026-02-02")
    ingest()
    repo.git("reset", "-q", "--hard", base)
    new = repo.commit("A new one", when="2026-02-03")
    ingest()
    assert f"root@{new[:12]}" in graph.ids()
    assert graph.get(f"root@{old[:12]}").deleted_clock == "found"


@pytest.mark.requirement("corpus.git-dates")
def test_the_file_connectors_read_the_planted_date_of_every_file_of_the_corpus(
    tmp_path: Path, ingest: Ingest, project: Project, graph: Any
) -> None:
    corpus = build(7, "full")
    write(corpus, tmp_path / "corpus")
    project.root = str(tmp_path / "corpus")
    project.save()
    assert ingest().state == "green"
    planted = {f.path: f.date.astimezone().timestamp() for f in corpus.files}
    rows = project.ledger.exclude(path=None).values_list("path", "source_created_at")
    read = {path: created.timestamp() for path, created in rows}
    assert len(read) == 54
    assert read == {path: planted[path] for path in read}


@pytest.mark.requirement("corpus.withdrawal-commit")
def test_the_withdrawal_of_the_corpus_is_a_removal_declared_by_its_source_at_the_planted_date(
    tmp_path: Path, ingest: Ingest, project: Project, graph: Any
) -> None:
    corpus = build(7, "full")
    root = tmp_path / "corpus"
    write(corpus, root)
    project.root = str(root)
    project.save()
    ingest()
    before = graph.ids()
    withdraw(corpus, root)
    ingest()
    (gone,) = before - graph.ids()
    log = Repo.git(_at(root), "log", "-1", "--format=%H %ct").split()
    clock, at, note = death(graph, gone)
    entry = project.ledger.get(artifact_id=gone)
    assert (clock, note) == ("source-declared", log[0])
    assert entry.deleted_at is not None
    assert int(entry.deleted_at.timestamp()) == int(log[1])
    assert at == entry.deleted_at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _at(root: Path) -> Repo:
    """A repository that is there already, for a question to its git."""
    found = Repo.__new__(Repo)
    found.root = root
    return found
