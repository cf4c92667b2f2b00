"""An edit that nobody has committed yet is on record once, and the commit that brings it takes its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphapi.connectors.base import ConnectorError
from graphapi.connectors.file_dates import Dating
from graphapi.ingest import revisions
from graphapi.models import IngestPass, Project
from tests.ingest.test_revisions import WORDS, kept, learned, whole
from tests.repo import Repo

Ingest = Callable[..., IngestPass]


@pytest.fixture
def read(repo: Repo, ingest: Ingest) -> Repo:
    repo.item("STORY-1", WORDS)
    repo.item("STORY-2", WORDS)
    repo.commit("Add", "2026-02-01")
    ingest()
    return repo


def test_an_edit_that_was_read_is_a_row_without_time_and_commit_until_its_commit_is_read(
    read: Repo, ingest: Ingest, project: Project
) -> None:
    read.item("STORY-1", WORDS + "More.")
    ingest()
    row = project.revisions.get()
    entry = project.ledger.get(artifact_id="STORY-1")
    assert (row.artifact_id, row.at, row.commit, row.subject, row.by) == ("STORY-1", None, "", "", "")
    assert row.content_hash == entry.content_hash
    read.commit("Say more", "2026-02-02")
    ingest()
    assert kept(project, "STORY-1") == [("2026-02-02", "Say more")]
    assert learned(project, "STORY-1") == {"Say more": row.learned_at}, "the change was learned of before its commit"


def test_a_further_edit_takes_the_place_of_the_one_before_and_is_learned_of_anew(
    read: Repo, ingest: Ingest, project: Project
) -> None:
    read.item("STORY-1", WORDS + "More.")
    ingest()
    first = project.revisions.get()
    read.item("STORY-1", WORDS + "More, and otherwise.")
    ingest()
    second = project.revisions.get()
    assert second.content_hash != first.content_hash
    assert second.learned_at > first.learned_at
    read.item("STORY-1", WORDS + "Not what was read.")
    read.commit("Something else", "2026-02-02")
    row = ingest()
    assert kept(project, "STORY-1") == [("2026-02-02", "Something else")]
    assert row.started_at is not None
    assert learned(project, "STORY-1")["Something else"] >= row.started_at


def test_of_two_commits_the_one_whose_content_stands_takes_the_edits_place(
    read: Repo, ingest: Ingest, project: Project
) -> None:
    read.item("STORY-1", WORDS + "Other words.")
    read.commit("Other words", "2026-02-02")
    read.item("STORY-1", WORDS + "More.")
    ingest()
    edit = project.revisions.get(commit="")
    read.git("stash", "-q")
    read.item("STORY-1", WORDS + "In between.")
    read.commit("In between", "2026-02-03")
    read.git("checkout", "-q", "stash@{0}", "--", "backlog/STORY-1.md")
    read.commit("Say more", "2026-02-04")
    ingest()
    times = learned(project, "STORY-1")
    assert times["Say more"] == edit.learned_at < times["In between"]


def test_an_edit_that_was_undone_leaves_no_row(read: Repo, ingest: Ingest, project: Project) -> None:
    read.item("STORY-1", WORDS + "More.")
    ingest()
    read.git("checkout", "-q", "--", "backlog/STORY-1.md")
    ingest()
    assert not project.revisions.exists()


def test_a_file_that_nobody_committed_is_new_and_not_revised(read: Repo, ingest: Ingest, project: Project) -> None:
    read.item("STORY-3")
    ingest()
    read.item("STORY-3", "More.")
    ingest()
    assert not project.revisions.exists()
    read.commit("Add it", "2026-02-02")
    ingest()
    assert not project.revisions.exists()


def test_an_edit_that_cannot_be_read_was_not_learned_of(read: Repo, ingest: Ingest, project: Project) -> None:
    read.write("backlog/STORY-1.md", "---\nid: [\n---\n")
    ingest()
    assert not project.revisions.exists()
    read.item("STORY-1", WORDS + "More.")
    ingest()
    before = project.revisions.get()
    read.write("backlog/STORY-1.md", "---\nid: [\n---\n")
    ingest()
    assert project.revisions.get() == before, "what was read last still stands"
    read.commit("Break it", "2026-02-02")
    row = ingest()
    assert row.started_at is not None
    assert learned(project, "STORY-1")["Break it"] >= row.started_at


def test_a_file_that_comes_back_unreadable_keeps_its_whole_log(read: Repo, ingest: Ingest, project: Project) -> None:
    broken = "---\nid: [\n---\n"
    read.item("STORY-1", WORDS + "More.")
    read.commit("Say more", "2026-02-02")
    ingest()
    read.write("backlog/STORY-1.md", broken)
    read.commit("Break it", "2026-02-03")
    ingest()
    (read.root / "backlog/STORY-1.md").unlink()
    read.commit("Remove it", "2026-02-04")
    read.write("backlog/STORY-1.md", broken)
    read.commit("Bring it back", "2026-02-05")
    ingest()
    assert [subject for _, subject in kept(project, "STORY-1")] == ["Say more", "Break it", "Bring it back"]


def test_a_pass_over_a_part_keeps_the_log_of_that_part(read: Repo, ingest: Ingest, project: Project) -> None:
    for number in (1, 2):
        read.item(f"STORY-{number}", WORDS + "More.")
    read.commit("Say more", "2026-02-02")
    ingest(row=IngestPass(project=project, artifacts=["STORY-1"]))
    assert (len(kept(project, "STORY-1")), len(kept(project, "STORY-2"))) == (1, 0)
    before = whole(project)
    ingest()
    assert (len(kept(project, "STORY-1")), len(kept(project, "STORY-2"))) == (1, 1)
    assert whole(project)[:1] == before


def test_an_id_that_moves_to_another_file_has_that_files_log(read: Repo, ingest: Ingest, project: Project) -> None:
    read.item("STORY-1", WORDS + "More.")
    read.commit("Say more", "2026-02-02")
    ingest()
    (read.root / "backlog/STORY-1.md").unlink()
    read.write("backlog/other.md", "---\nid: STORY-1\n---\nQuite another thing.\n")
    read.commit("Begin again", "2026-02-03")
    ingest()
    assert kept(project, "STORY-1") == []
    read.write("backlog/other.md", "---\nid: STORY-9\n---\nQuite another thing.\n")
    read.commit("Number it anew", "2026-02-04")
    ingest()
    assert kept(project, "STORY-9") == [("2026-02-04", "Number it anew")]


def test_a_pass_that_dies_while_it_keeps_revisions_and_runs_again_ends_as_one_that_does_not(
    read: Repo, ingest: Ingest, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisions, "_BATCH", 1)
    read.item("STORY-1", WORDS + "More.")
    ingest()
    edit = project.revisions.get()
    read.item("STORY-2", WORDS + "More.")
    read.commit("Say more", "2026-02-02")
    read.item("STORY-2", WORDS + "Twice.")
    read.commit("Say it twice", "2026-02-03")
    written: list[Any] = []
    real = revisions._Differences.write

    def dies(differences: Any) -> None:
        if written:
            raise KeyboardInterrupt
        written.append(differences)
        real(differences)

    monkeypatch.setattr(revisions._Differences, "write", dies)
    with pytest.raises(KeyboardInterrupt):
        ingest()
    assert (len(kept(project, "STORY-1")), len(kept(project, "STORY-2"))) == (1, 0)
    half = whole(project)
    monkeypatch.setattr(revisions._Differences, "write", real)
    ingest()
    assert whole(project)[:1] == half, "what was written stays, with when it was learned of"
    assert learned(project, "STORY-1") == {"Say more": edit.learned_at}
    assert kept(project, "STORY-2") == [("2026-02-02", "Say more"), ("2026-02-03", "Say it twice")]


def test_a_log_that_git_cannot_give_fails_the_pass_and_the_next_one_catches_up(
    read: Repo, ingest: Ingest, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(*_: Any) -> None:
        raise ConnectorError("the disk went away", permanent=True)

    read.item("STORY-1", WORDS + "More.")
    read.commit("Say more", "2026-02-02")
    monkeypatch.setattr(Dating, "changes", torn)
    row = ingest()
    assert (row.state, "the disk went away" in row.error) == ("failed", True)
    monkeypatch.undo()
    assert ingest().state == "green"
    assert kept(project, "STORY-1") == [("2026-02-02", "Say more")]
