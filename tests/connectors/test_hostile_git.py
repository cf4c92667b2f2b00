"""A repository's own configuration may name programs. Reading it runs none of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphapi.connectors.working_tree import WorkingTree
from graphapi.domain.project_config import read_config
from graphapi.ingest.checkup import project_check
from graphapi.models import IngestPass, Project
from tests.repo import LITE, Repo

Ingest = Callable[..., IngestPass]


@pytest.fixture
def program(tmp_path: Path) -> tuple[str, Path]:
    """A program that leaves a mark where it runs, and the mark."""
    mark = tmp_path / "it-ran"
    file = tmp_path / "program"
    file.write_text(f"#!/bin/sh\necho ran >> {mark}\n")
    file.chmod(0o755)
    return str(file), mark


@pytest.mark.parametrize(
    "key",
    ["core.fsmonitor", "core.hooksPath", "diff.external", "core.pager", "core.editor", "core.sshCommand", "gpg.program",
     "core.gitProxy", "credential.helper", "diff.evil.textconv", "diff.evil.command", "filter.evil.clean",
     "filter.evil.process", "filter.evil.smudge", "core.alternateRefsCommand", "uploadpack.packObjectsHook",
     "alias.log", "alias.status", "filter.a=b.clean"],
)  # fmt: skip
def test_reading_a_repository_runs_no_program_its_configuration_names(
    repo: Repo, ingest: Ingest, graph: Any, project: Project, program: tuple[str, Path], key: str
) -> None:
    path, mark = program
    repo.write("revetly.toml", LITE + "[backlog]\n[connectors.commits]\nrepositories = ['.']\n")
    repo.item("STORY-1")
    repo.item("STORY-2")
    repo.commit()
    _sign(repo)
    repo.write(".gitattributes", "*.md filter=evil diff=evil\nbacklog/STORY-2.md filter=a=b\n")
    (repo.root / "backlog/STORY-1.md").write_text("---\nid: STORY-1\n---\nEdited.\n")
    (repo.root / "backlog/STORY-2.md").touch()
    for hook in ("post-index-change", "pre-commit", "fsmonitor-watchman", "reference-transaction"):
        (repo.root / ".git/hooks").mkdir(exist_ok=True)
        (repo.root / ".git/hooks" / hook).write_text(Path(path).read_text())
        (repo.root / ".git/hooks" / hook).chmod(0o755)
    value = str(Path(path).parent) if key == "core.hooksPath" else f"!{path}" if key.startswith("alias") else path
    repo.git("config", key, value)
    repo.git("config", "log.showSignature", "true")
    if key.startswith("filter"):
        repo.git("config", key.rpartition(".")[0] + ".required", "true")
    assert ingest().error == ""
    project_check(project)
    assert graph.get("STORY-1").body == "Edited.\n"
    assert not mark.exists()


def test_a_filter_of_an_included_configuration_does_not_run_either(
    repo: Repo, ingest: Ingest, program: tuple[str, Path], tmp_path: Path
) -> None:
    path, mark = program
    repo.item("STORY-1")
    repo.commit()
    (tmp_path / "more.config").write_text(f'[filter "evil"]\n\tclean = {path}\n')
    repo.git("config", "include.path", str(tmp_path / "more.config"))
    repo.write(".gitattributes", "*.md filter=evil\n")
    repo.write("backlog/STORY-1.md", (repo.root / "backlog/STORY-1.md").read_bytes() + b"x")
    assert ingest().error == ""
    assert not mark.exists()


def test_a_submodules_own_configuration_is_not_obeyed(
    repo: Repo, ingest: Ingest, program: tuple[str, Path], tmp_path: Path
) -> None:
    path, mark = program
    other = Repo(tmp_path / "other", config=None)
    other.write("a.md", "x")
    other.commit()
    repo.git("submodule", "add", "-q", str(other.root), "docs/other")
    repo.item("STORY-1")
    repo.commit()
    inner = repo.root / "docs/other"
    repo.git("-C", str(inner), "config", "core.fsmonitor", path)
    repo.git("-C", str(inner), "config", "filter.evil.clean", path)
    (inner / ".gitattributes").write_text("*.md filter=evil\n")
    (inner / "a.md").write_text("y")
    assert ingest().error == ""
    assert not mark.exists()


def test_a_clone_that_lacks_an_object_asks_nobody_for_it(
    repo: Repo, ingest: Ingest, project: Project, program: tuple[str, Path], tmp_path: Path
) -> None:
    path, mark = program
    repo.item("STORY-1")
    repo.commit()
    repo.item("STORY-1", "Edited.")
    repo.commit()
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    # Without its older folders, which file a commit touched cannot be told from what is here.
    repo.git("clone", "-q", "--filter=tree:0", f"file://{repo.root}", str(clone))
    repo.git("-C", str(clone), "config", "remote.origin.uploadpack", path)
    project.root = str(clone)
    project.save()
    row = ingest()
    assert not mark.exists()
    assert row.state == "failed"
    assert {f["code"] for f in row.findings} == {"source-failed"}
    assert "change log" not in row.error, "said once, by the source"


def test_variables_of_the_callers_git_do_not_lead_to_another_repository(
    repo: Repo, ingest: Ingest, graph: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = Repo(tmp_path / "other")
    other.item("STORY-9")
    other.commit()
    repo.item("STORY-1")
    repo.commit()
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git/index"))
    monkeypatch.setenv("GIT_PAGER", "false")
    monkeypatch.setenv("GIT_TRACE", "1")
    ingest()
    assert graph.ids() == {"STORY-1"}


def test_reading_takes_no_lock_that_a_persons_git_would_meet(repo: Repo, project: Project, settings: Any) -> None:
    repo.item("STORY-1")
    repo.commit()
    (repo.root / "backlog/STORY-1.md").touch()
    (repo.root / ".git/index.lock").write_text("a person's git is at work")
    index = (repo.root / ".git/index").read_bytes()
    tree = WorkingTree(repo.root, read_config(repo.root), {}, since=None, max_bytes=1024)
    assert "backlog/STORY-1.md" in {f.path for f in tree.files}
    assert (repo.root / ".git/index").read_bytes() == index


def test_a_credential_in_the_remotes_address_is_in_no_artifact(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.git("remote", "add", "origin", "https://ada:s3cret@git.example.com/team/product.git")
    repo.item("STORY-1")
    repo.commit()
    ingest()
    assert graph.get("STORY-1").source_uri == "https://git.example.com/team/product/blob/HEAD/backlog/STORY-1.md"


def _sign(repo: Repo) -> None:
    """Make the newest commit one with a signature, so that git has something to ask its signing program about."""
    head, _, message = repo.git("cat-file", "commit", "HEAD").partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aGVsbG8=\n -----END PGP SIGNATURE-----"
    file = repo.root / ".git/signed"
    file.write_text(f"{head}\n{signature}\n\n{message}")
    repo.git("update-ref", "HEAD", repo.git("hash-object", "-t", "commit", "-w", str(file)).strip())
