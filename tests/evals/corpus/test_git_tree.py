"""The corpus on disk: its repositories, its commits and dates, and the withdrawal."""

from __future__ import annotations

import subprocess
import tomllib
from datetime import datetime
from pathlib import Path

import pytest

from evals.corpus import build, withdraw, write
from evals.corpus.gitids import commit_id, tree_id
from evals.corpus.material import CREW

from .tree import SEEDS, run_git

every_seed = pytest.mark.parametrize("seed", SEEDS)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "harbourmaster"


@pytest.mark.requirement("corpus.git-dates")
@pytest.mark.parametrize("size", ["full", "small"])
@every_seed
def test_each_artifact_file_is_added_by_a_commit_of_its_own_at_its_planted_date(
    seed: int, size: str, root: Path
) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    write(corpus, root)
    log = run_git(root, "log", "--reverse", "--format=%x00%aI|%cI|%an|%ae|%cn|%ce", "--name-status")
    commits = [block.split("\n", 1) for block in log.split("\0")[1:]]
    assert len(commits) == 1 + len(corpus.artifacts)
    assert commits[0][1].split() == ["A", ".gitignore", "A", "revetly.toml"]
    for (head, names), file in zip(commits[1:], corpus.artifacts, strict=True):
        authored, committed, *people = head.split("|")
        assert names.split() == ["A", file.path]
        assert datetime.fromisoformat(authored) == datetime.fromisoformat(committed) == file.date
        assert people == [file.author.name, file.author.email] * 2
        assert file.author.email.endswith("@example.com")


@pytest.mark.requirement("corpus.git-dates")
@every_seed
def test_the_working_tree_is_the_files_and_is_clean(seed: int, root: Path) -> None:
    corpus = build(seed, "full")
    write(corpus, root)
    assert run_git(root, "status", "--porcelain") == ""
    assert run_git(root, "branch", "--show-current") == "main\n"
    assert {file.path: (root / file.path).read_bytes() for file in corpus.files} == {
        f.path: f.data for f in corpus.files
    }
    assert sorted(run_git(root, "ls-files").split()) == sorted(file.path for file in corpus.files)


@pytest.mark.requirement("corpus.code-repository")
@every_seed
def test_code_is_a_repository_of_four_commits_that_the_settings_declare_and_git_ignores(seed: int, root: Path) -> None:
    corpus = build(seed, "full")
    write(corpus, root)
    code = root / "code"
    assert run_git(code, "rev-list", "--count", "HEAD") == "4\n"
    assert run_git(code, "rev-parse", "--show-toplevel").strip() == str(code.resolve())
    assert run_git(code, "status", "--porcelain") == ""
    declared = tomllib.loads((root / "revetly.toml").read_text())["connectors"]["commits"]
    assert declared["repositories"] == ["code"]
    assert declared["since"] < run_git(code, "log", "--reverse", "--format=%cI").split()[0]
    assert run_git(root, "check-ignore", "code/README.md") == "code/README.md\n"


@pytest.mark.requirement("corpus.code-repository", "questions.why")
@every_seed
def test_the_commit_ids_of_the_gold_are_those_that_git_gave(seed: int, root: Path) -> None:
    corpus = build(seed, "full")
    write(corpus, root)
    rows = run_git(root / "code", "log", "--reverse", "--format=%H|%cI|%s").splitlines()
    assert [row.split("|")[0] for row in rows] == [commit.sha for commit in corpus.commits]
    assert [f"code@{row[:12]}" for row in rows] == [artifact.id for artifact in corpus.gold.commits]
    assert [row.split("|")[2] for row in rows] == [artifact.title for artifact in corpus.gold.commits]
    for row, commit in zip(rows, corpus.commits, strict=True):
        assert datetime.fromisoformat(row.split("|")[1]) == commit.date
        assert commit.change.path in run_git(root / "code", "show", "--format=", "--name-only", commit.sha).split()


@pytest.mark.requirement("corpus.code-repository")
def test_an_id_worked_out_is_git_s_own_where_names_sort_awkwardly(root: Path) -> None:
    files = (("a.b", "1"), ("a/x", "2"), ("a0", "3"), ("a/b/c", "ü\n"), ("b", ""))
    for path, text in files:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    run_git(root, "init", "--quiet")
    run_git(root, "add", ".")
    tree = run_git(root, "write-tree").strip()
    assert tree_id(files) == tree
    moment = build(7, "small").files[0].date
    who = f"{CREW[0].name} <{CREW[0].email}> {int(moment.timestamp())} +0000"
    content = f"tree {tree}\nauthor {who}\ncommitter {who}\n\nSay so\n"
    told = subprocess.run(
        ["git", "hash-object", "-t", "commit", "--stdin"],
        cwd=root,
        input=content.encode(),
        capture_output=True,
        check=True,
    )
    assert commit_id(tree, None, CREW[0], moment, "Say so\n") == told.stdout.decode().strip()


@pytest.mark.requirement("corpus.code-repository")
def test_every_commit_after_the_first_changes_the_one_file_it_is_about(root: Path) -> None:
    corpus = build(7, "full")
    write(corpus, root)
    for commit in corpus.commits[1:]:
        named = run_git(root / "code", "show", "--format=", "--name-status", commit.sha).split()
        assert named == ["M", commit.change.path]


@pytest.mark.requirement("corpus.small")
def test_a_small_tree_has_no_code_folder_and_cannot_be_withdrawn_from(root: Path) -> None:
    corpus = build(7, "small")
    write(corpus, root)
    assert not (root / "code").exists()
    head = run_git(root, "rev-parse", "HEAD")
    with pytest.raises(ValueError, match="small"):
        withdraw(corpus, root)
    assert run_git(root, "rev-parse", "HEAD") == head


@pytest.mark.requirement("corpus.withdrawal-commit")
@every_seed
def test_the_withdrawal_is_one_dated_commit_that_deletes_one_file(seed: int, root: Path) -> None:
    corpus = build(seed, "full")
    write(corpus, root)
    before = run_git(root, "rev-parse", "HEAD").strip()
    withdraw(corpus, root)
    gone = corpus.withdrawal
    assert gone is not None
    assert run_git(root, "rev-parse", "HEAD^").strip() == before
    assert run_git(root, "log", "-1", "--format=", "--name-status").split() == ["D", gone.path]
    dates = run_git(root, "log", "-1", "--format=%aI|%cI").strip().split("|")
    assert [datetime.fromisoformat(date) for date in dates] == [gone.date, gone.date]
    assert gone.date > max([file.date for file in corpus.files] + [commit.date for commit in corpus.commits])
    assert not (root / gone.path).exists()
    assert run_git(root, "status", "--porcelain") == ""
    assert run_git(root / "code", "rev-list", "--count", "HEAD") == "4\n"


@pytest.mark.requirement("corpus.withdrawal-commit")
def test_the_withdrawal_leaves_what_else_is_changed_or_staged_as_it_was(root: Path) -> None:
    corpus = build(7, "full")
    write(corpus, root)
    edited, staged = root / corpus.artifacts[0].path, root / corpus.artifacts[1].path
    edited.write_text("edited")
    staged.write_text("staged")
    run_git(root, "add", corpus.artifacts[1].path)
    withdraw(corpus, root)
    assert run_git(root, "log", "-1", "--format=", "--name-status").split() == ["D", corpus.withdrawal.path]  # type: ignore[union-attr]
    assert (edited.read_text(), staged.read_text()) == ("edited", "staged")
    status = run_git(root, "status", "--porcelain").splitlines()
    assert sorted(status) == sorted([f" M {corpus.artifacts[0].path}", f"M  {corpus.artifacts[1].path}"])


def test_a_folder_that_holds_anything_is_refused_and_left_alone(root: Path) -> None:
    root.mkdir()
    (root / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="not an empty folder"):
        write(build(7, "small"), root)
    assert [file.name for file in root.iterdir()] == ["mine.txt"]


def test_the_settings_declare_a_project_without_providers(root: Path) -> None:
    write(build(7, "full"), root)
    declared = tomllib.loads((root / "revetly.toml").read_text())
    assert declared["llm"] == declared["embedding"] == {"provider": "none"}
    assert declared["backlog"] == {
        "path": "backlog",
        "families": ["EPIC", "FEAT", "STORY"],
        "parents": {"feature": ["epic"], "story": ["feature", "epic"]},
    }
    assert declared["connectors"]["notes"] == {"paths": ["conversations", "decisions"]}
    assert declared["connectors"]["deliveries"] == {"paths": ["deliveries"]}


def test_a_git_that_fails_is_named_with_what_it_said(root: Path) -> None:
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    with pytest.raises(RuntimeError, match=r"git rm failed in .*did not match"):
        withdraw(build(7, "full"), root)
