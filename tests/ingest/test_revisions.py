"""What is kept of each file's own change log: a row a commit after the first, and when each was learned of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from graphapi.ingest import revisions
from graphapi.models import IngestPass, Project, Revision
from graphapi.vendors.git import GitRepository
from tests.repo import LITE, Repo

Ingest = Callable[..., IngestPass]
WORDS = "Words enough to be known again.\n" * 6


def kept(project: Project, artifact_id: str) -> list[tuple[str, str]]:
    """(day, subject) of each revision, oldest first; the day of an uncommitted edit is blank."""
    rows = project.revisions.filter(artifact_id=artifact_id)
    return [(str(row.at.date()) if row.at else "", row.subject) for row in rows]


def learned(project: Project, artifact_id: str) -> dict[str, Any]:
    return dict(project.revisions.filter(artifact_id=artifact_id).values_list("subject", "learned_at"))


def whole(project: Project) -> list[tuple[Any, ...]]:
    return sorted(project.revisions.order_by().values_list())


@pytest.fixture
def edited(repo: Repo) -> Repo:
    """A story that was changed twice after it was added, and another that never was."""
    repo.item("STORY-1", WORDS)
    repo.item("STORY-2", WORDS)
    repo.commit("Add both", "2026-02-01")
    repo.item("STORY-1", WORDS + "Once.")
    repo.commit("Say more\n\nAt length, and not kept.", "2026-02-02")
    repo.item("STORY-1", WORDS + "Twice.")
    repo.commit("Say it better", "2026-02-03")
    return repo


def test_each_commit_after_the_first_is_a_row_with_its_time_author_and_first_line(
    edited: Repo, ingest: Ingest, project: Project
) -> None:
    row = ingest()
    assert kept(project, "STORY-1") == [("2026-02-02", "Say more"), ("2026-02-03", "Say it better")]
    assert kept(project, "STORY-2") == []
    last = project.revisions.get(subject="Say it better")
    assert (last.commit, last.by, last.content_hash) == (edited.git("rev-parse", "HEAD").strip(), "Ada", "")
    assert row.started_at is not None and row.finished_at is not None
    assert row.started_at <= last.learned_at <= row.finished_at


def test_commit_artifacts_have_no_revisions(repo: Repo, ingest: Ingest, project: Project) -> None:
    repo.write("revetly.toml", LITE + "[backlog]\n[connectors.commits]\nrepositories = ['.']\n")
    repo.item("STORY-1")
    repo.commit()
    repo.item("STORY-1", "More.")
    repo.commit()
    ingest()
    assert set(project.revisions.values_list("artifact_id", flat=True)) == {"STORY-1"}


def test_two_commits_between_passes_are_two_rows_learned_of_then_and_older_ones_stay(
    edited: Repo, ingest: Ingest, project: Project
) -> None:
    ingest()
    before = whole(project)
    edited.item("STORY-1", "Three.")
    edited.commit("Third", "2026-02-04")
    edited.item("STORY-1", "Four.")
    edited.commit("Fourth", "2026-02-05")
    row = ingest()
    assert kept(project, "STORY-1")[2:] == [("2026-02-04", "Third"), ("2026-02-05", "Fourth")]
    assert whole(project)[:2] == before
    assert row.started_at is not None
    assert all(learned(project, "STORY-1")[subject] >= row.started_at for subject in ("Third", "Fourth"))


@pytest.mark.parametrize("between", [True, False], ids=["read-between", "at-once"])
def test_a_renamed_file_keeps_its_log_and_the_rename_is_part_of_it(
    edited: Repo, ingest: Ingest, project: Project, between: bool
) -> None:
    if between:
        ingest()
    first = learned(project, "STORY-1")
    (edited.root / "backlog/done").mkdir()
    edited.git("mv", "backlog/STORY-1.md", "backlog/done/one.md")
    edited.commit("Move it", "2026-03-01")
    ingest()
    assert kept(project, "STORY-1") == [
        ("2026-02-02", "Say more"), ("2026-02-03", "Say it better"), ("2026-03-01", "Move it"),
    ]  # fmt: skip
    assert {k: v for k, v in learned(project, "STORY-1").items() if k in first} == first


@pytest.mark.parametrize("between", [True, False], ids=["read-between", "at-once"])
def test_a_renamed_document_that_is_known_by_its_path_brings_its_log_along(
    repo: Repo, ingest: Ingest, project: Project, between: bool
) -> None:
    repo.write("docs/a.md", WORDS)
    repo.commit("Add", "2026-02-01")
    repo.write("docs/a.md", WORDS + "More.\n")
    repo.commit("More", "2026-02-02")
    if between:
        ingest()
    repo.git("mv", "docs/a.md", "docs/b.md")
    repo.commit("Move", "2026-02-03")
    ingest()
    assert kept(project, "docs/b.md") == [("2026-02-02", "More"), ("2026-02-03", "Move")]
    assert kept(project, "docs/a.md") == ([("2026-02-02", "More")] if between else [])


def test_a_merge_that_only_joins_counts_for_nothing_and_one_that_changes_a_file_once(
    edited: Repo, ingest: Ingest, project: Project
) -> None:
    ingest()
    edited.git("checkout", "-qb", "side")
    edited.item("STORY-1", WORDS + "On the side.")
    edited.commit("On the side", "2026-03-01")
    edited.git("checkout", "-q", "main")
    edited.item("STORY-2", WORDS + "On main.")
    edited.commit("On main", "2026-03-02")
    edited.git("merge", "-q", "--no-ff", "-m", "Join", "side", date="@1772600000 +0000")
    ingest()
    assert kept(project, "STORY-1")[2:] == [("2026-03-01", "On the side")]
    assert kept(project, "STORY-2") == [("2026-03-02", "On main")]
    edited.git("checkout", "-qb", "other", "HEAD~1")
    edited.item("STORY-2", WORDS + "Elsewhere.")
    edited.commit("Elsewhere", "2026-03-08")
    edited.git("checkout", "-q", "main")
    edited.git("merge", "-q", "--no-ff", "--no-commit", "other")
    edited.item("STORY-2", WORDS + "Neither side's.")
    edited.commit("Join anew", "2026-03-09")
    ingest()
    assert kept(project, "STORY-2")[1:] == [("2026-03-08", "Elsewhere"), ("2026-03-09", "Join anew")]


def test_of_a_history_that_was_rewritten_the_new_commits_stand_and_the_old_ones_go(
    edited: Repo, ingest: Ingest, project: Project
) -> None:
    edited.item("STORY-2", "Gone by then.")
    edited.commit("Last words", "2026-02-04")
    (edited.root / "backlog/STORY-2.md").unlink()
    edited.commit("Remove the other", "2026-02-05")
    edited.git("revert", "-n", "HEAD")
    edited.commit("Bring it back", "2026-02-06")
    ingest()
    assert len(kept(project, "STORY-2")) == 2
    first = learned(project, "STORY-1")
    edited.git("reset", "-q", "--hard", "HEAD~4")
    (edited.root / "backlog/STORY-2.md").unlink()
    edited.item("STORY-1", WORDS + "Better still.")
    edited.commit("Say it otherwise", "2026-02-07")
    ingest()
    assert kept(project, "STORY-1") == [("2026-02-02", "Say more"), ("2026-02-07", "Say it otherwise")]
    assert learned(project, "STORY-1")["Say more"] == first["Say more"]
    assert kept(project, "STORY-2") == [], "it is gone, and so are the commits that had changed it"


def test_a_history_that_was_rewritten_to_the_same_files_and_dates_is_kept_by_its_new_commits(
    edited: Repo, ingest: Ingest, project: Project
) -> None:
    ingest()
    old = set(project.revisions.values_list("commit", flat=True))
    edited.git("filter-branch", "-f", "--msg-filter", "sed s/Say/Tell/", "HEAD")
    row = ingest()
    assert row.counts["written"] == 0
    assert kept(project, "STORY-1") == [("2026-02-02", "Tell more"), ("2026-02-03", "Tell it better")]
    assert old.isdisjoint(project.revisions.values_list("commit", flat=True))


@pytest.mark.parametrize("passes", [{"gone", "back"}, {"back"}, set()], ids=["each", "not-when-gone", "at-once"])
def test_a_file_that_comes_back_after_its_removal_was_revised_and_its_removal_is_no_revision(
    edited: Repo, ingest: Ingest, project: Project, passes: set[str]
) -> None:
    if passes:
        ingest()
    first = learned(project, "STORY-1")
    text = (edited.root / "backlog/STORY-1.md").read_text()
    (edited.root / "backlog/STORY-1.md").unlink()
    edited.commit("Remove", "2026-03-01")
    if "gone" in passes:
        ingest()
        assert len(kept(project, "STORY-1")) == 2, "what is gone keeps what was learned of it"
    edited.write("backlog/STORY-1.md", text)
    if "back" in passes:
        ingest()
        assert len(kept(project, "STORY-1")) == 2, "nobody has committed it yet"
    edited.commit("Bring back", "2026-03-02")
    ingest()
    assert kept(project, "STORY-1")[2:] == [("2026-03-02", "Bring back")]
    assert len(kept(project, "STORY-1")) == 3
    assert {k: v for k, v in learned(project, "STORY-1").items() if k in first} == first


def test_a_subject_of_any_bytes_and_any_length_is_kept_as_far_as_there_is_room(
    edited: Repo, ingest: Ingest, project: Project
) -> None:
    edited.git("config", "i18n.logOutputEncoding", "ISO-8859-1")
    edited.item("STORY-1", "More.")
    edited.commit("Café", "2026-03-01")
    edited.item("STORY-1", "Still more.")
    edited.git("add", "-A")
    person = b"A" * 300 + b" <a@example.com> 1775000000 +0000\n"
    raw = f"tree {edited.git('write-tree')}parent {edited.git('rev-parse', 'HEAD')}".encode()
    file = edited.root.parent / "commit"
    file.write_bytes(raw + b"author " + person + b"committer " + person + b"\nNa\xefve " + b"x" * 700 + b"\n")
    edited.git("reset", "-q", "--hard", edited.git("hash-object", "-t", "commit", "-w", str(file)).strip())
    ingest()
    cafe, row = project.revisions.order_by("at")[2:]
    assert cafe.subject == "Café"
    assert row.subject.startswith("Na\ufffdve x")
    assert (len(row.subject), len(row.by)) == (500, 255)


def test_an_empty_message_is_a_revision_without_a_subject(edited: Repo, ingest: Ingest, project: Project) -> None:
    edited.item("STORY-1", "More.")
    edited.git("commit", "-qa", "--allow-empty-message", "-m", "", date="@1775000000 +0000")
    ingest()
    assert (project.revisions.latest("at").subject, project.revisions.count()) == ("", 3)


def test_commits_below_the_cut_of_a_shallow_clone_are_no_revisions(
    edited: Repo, ingest: Ingest, project: Project, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    edited.git("clone", "-q", "--depth", "2", f"file://{edited.root}", str(clone))
    project.root = str(clone)
    project.save()
    ingest()
    assert kept(project, "STORY-1") == [("2026-02-03", "Say it better")]
    edited.git("-C", str(clone), "fetch", "-q", "--unshallow")
    ingest()
    assert kept(project, "STORY-1") == [("2026-02-02", "Say more"), ("2026-02-03", "Say it better")]


def test_an_unchanged_pass_reads_no_log_and_writes_no_revision(
    edited: Repo, ingest: Ingest, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited.item("STORY-2", "Not committed.")
    ingest()
    before, asked = whole(project), []
    real = GitRepository.fields
    monkeypatch.setattr(GitRepository, "fields", lambda self, *a: asked.append(a[0]) or real(self, *a))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        ingest()
    table = Revision._meta.db_table
    said = [q["sql"] for q in queries.captured_queries if table in q["sql"]]
    assert said and all(sql.startswith("SELECT") for sql in said)
    assert (whole(project), "log" in asked) == (before, False)


def test_revisions_of_many_files_are_written_by_batches(
    repo: Repo, ingest: Ingest, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        repo.item(f"STORY-{number}")
    repo.commit()
    for number in range(40):
        repo.item(f"STORY-{number}", "More.")
    repo.commit()

    def count() -> int:
        project.revisions.all().delete()
        project.sources.all().delete()
        with CaptureQueriesContext(connection) as queries:
            ingest()
        assert project.revisions.count() == 40
        return sum(Revision._meta.db_table in q["sql"] for q in queries.captured_queries)

    few = count()
    monkeypatch.setattr(revisions, "_BATCH", 10)
    assert few <= 5 < count()
