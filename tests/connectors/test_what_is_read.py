"""Which files a pass reads: the working tree as it stands, and nothing through a link or of another repository."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphapi.models import IngestPass, Project
from tests.connectors.findings import named
from tests.repo import ALL, LITE, Repo

Ingest = Callable[..., IngestPass]


def test_untracked_files_are_read_and_ignored_ones_are_not(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.write(".gitignore", "*.draft.md\nbacklog/out/\n")
    repo.item("STORY-1")
    repo.commit()
    repo.item("STORY-2")
    repo.item("STORY-3", folder="backlog/out")
    (repo.root / "backlog/STORY-4.draft.md").write_text("---\nid: STORY-4\n---\n")
    row = ingest()
    assert (graph.ids(), row.state) == ({"STORY-1", "STORY-2"}, "green")


def test_a_tracked_file_is_read_though_a_later_rule_ignores_its_name(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    repo.commit()
    repo.write(".gitignore", "backlog/\n")
    repo.commit()
    ingest()
    assert graph.ids() == {"STORY-1"}


def test_the_instances_own_folder_is_never_listed(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.write("revetly.toml", LITE + '[connectors.documents]\npaths = [".", ".revetly"]\n')
    repo.item("DOC-1", folder="docs")
    repo.item("DOC-2", folder=".revetly/records")
    repo.commit()
    repo.write(".revetly/new.md", "# x\n")
    ingest()
    assert graph.ids() == {"DOC-1"}


def test_the_longest_declared_folder_claims_a_file_and_it_is_read_once(
    repo: Repo, ingest: Ingest, project: Project
) -> None:
    text = LITE + '[backlog]\npath = "docs/items"\n[connectors.notes]\npaths = ["docs/decisions"]\n'
    repo.write("revetly.toml", text + '[connectors.documents]\npaths = ["docs", "docs/decisions/x.md", "README.md"]\n')
    for name, folder in (("STORY-1", "docs/items"), ("DEC-1", "docs/decisions"), ("D-1", "docs"), ("D-2", "docs/more")):
        repo.item(name, folder=folder)
    repo.write("README.md", "# Read me\n")
    repo.write("docsx/D-3.md", "# Not of docs\n")
    repo.commit()
    ingest()
    assert dict(project.ledger.values_list("artifact_id", "source")) == {
        "STORY-1": "backlog", "DEC-1": "notes", "D-1": "documents", "D-2": "documents", "README.md": "documents",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "artifact_id"),
    [
        ("a b.md", "docs/a%20b.md"),
        ("a,b.md", "docs/a%2Cb.md"),
        ("line\nend.md", "docs/line%0Aend.md"),
        ("tab\there.md", "docs/tab%09here.md"),
        ("no\u00a0break.md", "docs/no%C2%A0break.md"),
        ("quo\"te's.md", "docs/quo\"te's.md"),
        ("back\\slash.md", "docs/back\\slash.md"),
        ("søknad 日本.md", "docs/søknad%20日本.md"),
        ("-dash.md", "docs/-dash.md"),
        ("[x]*?.md", "docs/[x]*?.md"),
        (":(top)x.md", "docs/:(top)x.md"),
        ("UPPER.MD", "docs/UPPER.MD"),
        ("$(touch x).md", "docs/$(touch%20x).md"),
    ],
)
@pytest.mark.parametrize("tracked", [True, False])
def test_a_file_is_read_whatever_its_name_holds(
    repo: Repo, ingest: Ingest, graph: Any, name: str, artifact_id: str, tracked: bool
) -> None:
    repo.commit()
    repo.write(f"docs/{name}", "# A title\n")
    if tracked:
        repo.commit()
    assert ingest().state == "green"
    assert graph.ids() == {artifact_id}
    assert graph.get(artifact_id).source_path == f"docs/{name}"
    assert ingest().counts["written"] == 0


def test_a_path_too_long_for_an_id_is_named_and_the_rest_read(repo: Repo, ingest: Ingest, graph: Any) -> None:
    long = "docs/" + "/".join(["deep" * 10] * 5) + "/x.md"
    repo.write(long, "# x\n")
    repo.item("DOC-1", folder="docs")
    repo.commit()
    row = ingest()
    assert (row.state, named(row), graph.ids()) == ("amber", {("bad-id", long)}, {"DOC-1"})


def test_a_name_that_is_not_utf8_is_named_and_skipped(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    (repo.root / "backlog").mkdir(exist_ok=True)
    with open(os.path.join(os.fsencode(repo.root), b"backlog/caf\xe9.md"), "wb") as file:
        file.write(b"---\nid: STORY-2\n---\n")
    repo.commit()
    row = ingest()
    assert (row.state, named(row), graph.ids()) == ("amber", {("name-not-utf8", "backlog/caf\\xe9.md")}, {"STORY-1"})


def test_a_link_out_of_the_root_is_named_and_not_followed(
    repo: Repo, ingest: Ingest, graph: Any, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("---\nid: STORY-9\n---\nOutside.\n")
    repo.item("STORY-1")
    (repo.root / "backlog/file.md").symlink_to(outside / "secret.md")
    (repo.root / "docs/folder").symlink_to(outside)
    (repo.root / "docs/dots").symlink_to("../../outside", target_is_directory=True)
    repo.commit()
    (repo.root / "docs/untracked.md").symlink_to("../../outside/secret.md")
    row = ingest()
    assert row.state == "amber"
    assert named(row) == {
        ("symlink-outside", path) for path in ("backlog/file.md", "docs/folder", "docs/dots", "docs/untracked.md")
    }  # fmt: skip
    assert graph.ids() == {"STORY-1"}


def test_a_declared_folder_that_is_a_link_out_is_named(repo: Repo, ingest: Ingest, graph: Any, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# Outside\n")
    repo.write("revetly.toml", LITE + '[connectors.documents]\npaths = ["linked"]\n')
    (repo.root / "linked").symlink_to(outside)
    repo.commit()
    row = ingest()
    assert (named(row), graph.ids()) == ({("symlink-outside", "linked")}, set())


def test_a_link_inside_the_root_is_noted_and_its_file_read_once(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    (repo.root / "backlog/again.md").symlink_to("STORY-1.md")
    (repo.root / "docs/items").symlink_to("../backlog")
    (repo.root / "docs/logo.png").symlink_to("../backlog/STORY-1.md")
    (repo.root / "docs/dangling.md").symlink_to("nowhere.md")
    repo.commit()
    row = ingest()
    assert row.state == "green"
    assert named(row) == {
        ("symlink", "backlog/again.md"), ("symlink", "docs/items"), ("symlink", "docs/dangling.md"),
    }  # fmt: skip
    assert graph.ids() == {"STORY-1"}


def test_links_in_a_circle_are_named_and_end(repo: Repo, ingest: Ingest, graph: Any) -> None:
    (repo.root / "docs/a.md").symlink_to("b.md")
    (repo.root / "docs/b.md").symlink_to("a.md")
    (repo.root / "docs/self").symlink_to(".")
    repo.item("STORY-1")
    repo.commit()
    row = ingest()
    assert (row.error, graph.ids()) == ("", {"STORY-1"})
    assert {"docs/a.md", "docs/b.md", "docs/self"} == {path for _, path in named(row)}


def test_a_submodule_is_noted_and_its_files_are_not_read(
    repo: Repo, ingest: Ingest, graph: Any, tmp_path: Path
) -> None:
    other = Repo(tmp_path / "other", config=None)
    other.write("note.md", "# Of the other\n")
    other.commit()
    repo.item("STORY-1")
    repo.git("submodule", "add", "-q", str(other.root), "docs/other")
    repo.commit()
    (repo.root / "docs/other/note.md").write_text("# Changed there\n")
    row = ingest()
    assert (row.state, named(row), graph.ids()) == ("green", {("submodule", "docs/other")}, {"STORY-1"})


def test_a_repository_within_the_tree_is_noted_and_its_files_are_not_read(
    repo: Repo, ingest: Ingest, graph: Any
) -> None:
    repo.item("STORY-1")
    repo.commit()
    inner = Repo(repo.root / "docs/inner", config=None)
    inner.write("note.md", "# Of the inner one\n")
    inner.commit()
    row = ingest()
    assert (row.state, named(row), graph.ids()) == ("green", {("nested-repository", "docs/inner/")}, {"STORY-1"})


def test_a_root_that_is_a_folder_of_a_bigger_repository_reads_its_own_files_alone(
    tmp_path: Path, ingest: Ingest, project: Project, graph: Any
) -> None:
    big = Repo(tmp_path / "big", config=None)
    big.item("STORY-8", folder="backlog")
    big.item("STORY-9", folder="other/backlog")
    big.write("teams/ø 1/product/revetly.toml", ALL)
    base = "teams/ø 1/product"
    big.item("STORY-1", folder=f"{base}/backlog")
    big.write(f"{base}/docs/gone.md", "# Gone\n")
    when = big.commit(when="2026-02-03") and "2026-02-03T00:00:00Z"
    project.root = str(big.root / base)
    project.save()
    ingest()
    assert graph.ids() == {"STORY-1", "docs/gone.md"}
    assert graph.get("STORY-1").source_created_at == when
    assert graph.get("STORY-1").source_path == "backlog/STORY-1.md"
    big.item("STORY-2", folder=f"{base}/backlog")
    (big.root / base / "docs/gone.md").unlink()
    gone = big.commit(when="2026-02-05")
    big.item("STORY-1", "Edited.", folder=f"{base}/backlog")
    ingest()
    assert graph.ids() == {"STORY-1", "STORY-2"}
    assert graph.get("STORY-1").source_updated_at is None
    deleted = graph.get("docs/gone.md")
    assert (deleted.deleted_clock, deleted.deleted_at, deleted.deleted_note) == (
        "source-declared", "2026-02-05T00:00:00Z", gone,
    )  # fmt: skip


def test_a_declared_folder_that_is_not_there_is_named(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1")
    repo.git("rm", "-rq", "deliveries")
    repo.commit()
    row = ingest()
    assert (row.state, named(row), graph.ids()) == ("amber", {("folder-missing", "deliveries")}, {"STORY-1"})


def test_a_root_that_is_no_working_tree_fails_the_pass_and_keeps_what_was_read(
    repo: Repo, ingest: Ingest, graph: Any, tmp_path: Path
) -> None:
    repo.item("STORY-1")
    repo.commit()
    ingest()
    (repo.root / ".git").rename(tmp_path / "elsewhere")
    row = ingest()
    assert (row.state, graph.ids()) == ("failed", {"STORY-1"})
    assert "not a git" in row.error
    (tmp_path / "elsewhere").rename(repo.root / ".git")
    assert ingest().state == "green"


def test_a_repository_without_commits_is_read_and_its_files_have_no_dates(
    tmp_path: Path, ingest: Ingest, project: Project, graph: Any
) -> None:
    fresh = Repo(tmp_path / "fresh", config=None)
    fresh.write("revetly.toml", LITE + "[backlog]\n[connectors.commits]\nrepositories = ['.']\n")
    fresh.item("STORY-1")
    project.root = str(fresh.root)
    project.save()
    row = ingest()
    assert (row.state, graph.ids()) == ("green", {"STORY-1"})
    assert (graph.get("STORY-1").source_created_at, graph.get("STORY-1").source_updated_at) == (None, None)
    fresh.commit(when="2026-04-01")
    ingest()
    assert graph.get("STORY-1").source_created_at == "2026-04-01T00:00:00Z"


@pytest.mark.parametrize("resolved", ["kept", "gone"])
def test_paths_in_conflict_are_read_as_they_stand_on_disk(
    repo: Repo, ingest: Ingest, graph: Any, resolved: str
) -> None:
    repo.item("STORY-1", "base")
    repo.commit()
    repo.git("checkout", "-qb", "side")
    repo.item("STORY-1", "side")
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.item("STORY-1", "main")
    repo.commit()
    ingest()
    merge = ["git", "-c", "user.name=A", "-c", "user.email=a@b", "merge", "-q", "side"]
    assert subprocess.run(merge, cwd=repo.root, capture_output=True).returncode != 0
    if resolved == "gone":
        (repo.root / "backlog/STORY-1.md").unlink()
        row = ingest()
        assert (row.state, named(row)) == ("amber", {("unreadable", "backlog/STORY-1.md")})
        assert "main" in graph.get("STORY-1").body
    else:
        ingest()
        assert "<<<<<<<" in graph.get("STORY-1").body
        assert graph.get("STORY-1").source_updated_at is None


def test_no_process_is_started_for_a_file(repo: Repo, ingest: Ingest, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    started = subprocess.Popen.__init__

    def counting(self: Any, *args: Any, **kwargs: Any) -> None:
        counts[-1] += 1
        started(self, *args, **kwargs)

    for number in range(60):
        repo.item(f"STORY-{number}")
    repo.commit()
    ingest()
    monkeypatch.setattr(subprocess.Popen, "__init__", counting)
    for how_many in (3, 300):
        for number in range(how_many):
            repo.item(f"STORY-{number}", f"edited {how_many}")
        counts.append(0)
        ingest()
    assert counts[0] == counts[1]
    assert counts[1] < 25
