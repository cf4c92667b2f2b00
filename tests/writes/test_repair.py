"""`revetly check --repair`: one list is kept, the last; every other line and every other file stays as it is."""

from __future__ import annotations

import difflib
import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from graphapi.cli.project import check
from graphapi.domain.criteria import read_criteria
from graphapi.domain.frontmatter import BOM, BlockError, read_block, split
from graphapi.ingest.checkup import project_check
from graphapi.models import Project
from graphapi.writes import source_file
from graphapi.writes.repair import folded_text, items_repair
from tests.repo import Repo

WHEN = datetime(2026, 3, 1, 9, tzinfo=UTC)
BY = {"sub": "ada@example.com", "name": "Ada", "email": "ada@example.com"}
ENTRY = {
    "at": "2026-03-01T09:00:00Z",
    "action": "amended",
    "by": BY,
    "reason": "one list of acceptance criteria kept, the last",
}
HEAD = "---\nid: STORY-1   # the id\ntitle: 'Berths'\nlabels: [a,   b]\n---\n"
BODY = (
    "\nIntro.\n\n## Acceptance criteria\n\nProse of the first.\n\n- old one,\n  wrapped\n\t- nested\n- same\n\n"
    "## Notes\n\n- a note\n\n"
    "## Acceptance criteria\n\n- new one\n- same\n\nThe end.   \n"
)  # fmt: skip
PATH = "backlog/STORY-1.md"


@pytest.fixture
def doubled(repo: Repo) -> Repo:
    repo.git("config", "user.name", "Ada")
    repo.git("config", "user.email", "ada@example.com")
    repo.write(PATH, HEAD + BODY)
    repo.commit()
    return repo


def fold(text: str) -> str:
    return folded_text(text, when=WHEN, by=BY)


def repair(project: Project) -> Any:
    (done,) = items_repair(project, [PATH])
    return done


def logged(text: str) -> Any:
    block = split(text).block
    assert block is not None
    return read_block(block).values["review_log"]


@pytest.mark.requirement("criteria-list.repair-keeps-last")
def test_the_last_list_is_kept_and_a_second_check_is_clean(doubled: Repo, project: Project) -> None:
    result = CliRunner().invoke(check, ["--repair", "--project", project.name])
    assert result.exit_code == 0
    text = (doubled.root / PATH).read_text()
    assert read_criteria(split(text).body).items == ("new one", "same")
    assert "old one" not in text
    assert project_check(project).findings == ()
    assert CliRunner().invoke(check, ["--project", project.name]).exit_code == 0


@pytest.mark.requirement("criteria-list.repair-moves-nothing-else")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", BOM])
def test_only_the_first_list_goes_and_only_the_log_comes(end: str, mark: str) -> None:
    before = mark + (HEAD + BODY).replace("\n", end)
    after = fold(before)
    assert after.startswith(mark + "---" + end)
    assert after.count(end) * len(end) == len("".join(c for c in after if c in "\r\n"))
    diff = list(difflib.ndiff(before.split(end), after.split(end)))
    assert [x[2:] for x in diff if x.startswith("- ") and x[2:]] == [
        "## Acceptance criteria", "- old one,", "  wrapped", "\t- nested", "- same",
    ]  # fmt: skip
    added = [line[2:] for line in diff if line.startswith("+ ")]
    assert added[:2] == ["review_log:", "- at: '2026-03-01T09:00:00Z'"]
    assert all(line.startswith(("review_log:", "- ", "  ")) for line in added)
    assert "Prose of the first." in after


@pytest.mark.requirement("criteria-list.repair-logged")
@pytest.mark.parametrize(
    ("log", "held"),
    [
        ("", 0),
        ("review_log:\n", 0),
        ("review_log: []  # none yet\n", 0),
        ("review_log:\n- {at: 2026-01-01, action: approved}\n", 1),
        ("review_log:\n- at: 2026-01-01\n  action: approved\n  reason: |\n    # not a remark\n    words\n", 1),
        ("review_log: # the log\n\n  - at: 2026-01-01\n    action: approved\n\n  # about status\n", 1),
        ("review_log:\n    -   at: 2026-01-01\n        action: approved\n", 1),
        ("review_log: [{at: 2026-01-01, action: approved}]  # one line\n", 1),
        ("review_log: [\n  {at: 2026-01-01, action: approved},\n  {at: 2026-01-02, action: noted},\n]\n", 2),
        ('"review_log":\n- {at: 2026-01-01, by: {name: "a]b"}}\n', 1),
    ],
)
@pytest.mark.parametrize("after", ["", "status: ready\nowner: @ada  # who\n", "# the end\n"])
def test_the_repair_is_one_amended_entry_at_the_end_of_the_log_whatever_its_style(
    log: str, held: int, after: str
) -> None:
    text = f"---\nid: STORY-1\n{log}{after}---\n{BODY}"
    folded = fold(text)
    entries = logged(folded)
    assert (len(entries), entries[-1]) == (held + 1, ENTRY)
    if held:
        assert entries[:-1] == logged(text)
    for line in after.splitlines():
        assert line in folded.splitlines()
    assert fold(folded) == folded


@pytest.mark.requirement("criteria-list.repair-logged")
def test_a_clean_story_gains_no_entry() -> None:
    text = "---\nid: STORY-1\n---\n## Acceptance criteria\n- a\n"
    assert fold(text) == text
    assert fold("No block.\n" + BODY) == "No block.\n" + BODY


def test_an_empty_block_takes_the_log_between_its_fences() -> None:
    assert logged(fold("---\n---\n" + BODY)) == [ENTRY]


@pytest.mark.parametrize(
    "block",
    ["review_log: words\n", "review_log: {a: b}\n", "review_log: null\n", "review_log: []\nreview_log: []\n",
     "{id: STORY-1}\n", "review_log: *x\n", "id: &x\n  - a\nreview_log: *x\n", "id: 'open\n"],
)  # fmt: skip
def test_a_log_no_entry_can_be_added_to_is_refused(block: str) -> None:
    with pytest.raises(BlockError):
        fold(f"---\n{block}---\n{BODY}")


def test_a_name_of_any_shape_is_written_as_one_value() -> None:
    by = {"sub": 'a: "b" #c', "name": "Ø\u2028\x85'"}
    assert logged(folded_text(HEAD + BODY, when=WHEN, by=by))[0]["by"] == by


def test_the_repair_is_one_commit_of_that_file_by_gits_user(doubled: Repo, project: Project) -> None:
    before = doubled.git("rev-parse", "HEAD").strip()
    done = repair(project)
    assert doubled.git("rev-parse", "HEAD~1").strip() == before
    assert done.commit == doubled.git("rev-parse", "HEAD").strip()
    assert doubled.git("log", "-1", "--format=%an <%ae>").strip() == "Ada <ada@example.com>"
    assert doubled.git("show", "--name-only", "--format=").split() == [PATH]
    assert logged((doubled.root / PATH).read_text())[0]["by"]["sub"] == "ada@example.com"


def test_a_second_repair_changes_nothing(doubled: Repo, project: Project) -> None:
    repair(project)
    head = doubled.git("rev-parse", "HEAD")
    assert (repair(project).commit, doubled.git("rev-parse", "HEAD")) == (None, head)


def test_other_files_dirty_or_staged_stay_as_they_are_and_are_not_committed(doubled: Repo, project: Project) -> None:
    doubled.write("docs/tracked.md", "one")
    doubled.commit()
    doubled.write("docs/tracked.md", "two")
    doubled.write("docs/staged.md", "new")
    doubled.git("add", "docs/staged.md")
    doubled.write("docs/untracked.md", "x")
    before = doubled.git("status", "--porcelain")
    assert repair(project).commit
    assert doubled.git("status", "--porcelain") == before
    assert doubled.git("show", "--name-only", "--format=").split() == [PATH]


@pytest.mark.parametrize("staged", [False, True])
def test_a_file_with_changes_of_its_own_is_refused_by_name_and_left(
    doubled: Repo, project: Project, staged: bool
) -> None:
    doubled.write(PATH, HEAD + BODY + "Mine.\n")
    if staged:
        doubled.git("add", "-A")
    done = repair(project)
    assert (done.commit, done.left.code) == (None, "not-repaired")
    assert PATH in done.left.message
    assert (doubled.root / PATH).read_text() == HEAD + BODY + "Mine.\n"


def _merging(repo: Repo) -> None:
    repo.git("checkout", "-qb", "side")
    repo.write("docs/x.md", "x")
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("docs/y.md", "y")
    repo.commit()
    repo.git("merge", "-q", "--no-commit", "--no-ff", "side")


def _rebasing(repo: Repo) -> None:
    (repo.root / ".git/rebase-merge").mkdir()


def _picking(repo: Repo) -> None:
    repo.write(".git/CHERRY_PICK_HEAD", repo.git("rev-parse", "HEAD"))


def _detached(repo: Repo) -> None:
    repo.git("checkout", "-q", "--detach")


def _nobody(repo: Repo) -> None:
    repo.git("config", "--unset", "user.email")
    repo.git("config", "--unset", "user.name")
    repo.git("config", "user.useConfigOnly", "true")


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (_merging, "merge"),
        (_rebasing, "rebase"),
        (_picking, "cherry-pick"),
        (_detached, "no branch"),
        (_nobody, "no user"),
    ],
)
def test_a_tree_that_cannot_take_a_commit_is_refused_before_anything_is_written(
    doubled: Repo, project: Project, state: Callable[[Repo], None], word: str
) -> None:
    state(doubled)
    head, status = doubled.git("rev-parse", "HEAD"), doubled.git("status", "--porcelain")
    done = repair(project)
    assert done.commit is None
    assert word in done.left.message
    assert (doubled.root / PATH).read_text() == HEAD + BODY
    assert (doubled.git("rev-parse", "HEAD"), doubled.git("status", "--porcelain")) == (head, status)


def test_no_hook_of_the_repository_runs_and_none_can_stop_the_commit(
    doubled: Repo, project: Project, tmp_path: Path
) -> None:
    for hook in ("pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "reference-transaction"):
        file = doubled.write(f".git/hooks/{hook}", f"#!/bin/sh\necho ran >> {tmp_path}/ran\nexit 1\n")
        file.chmod(0o755)
    assert repair(project).commit
    assert not (tmp_path / "ran").exists()


def test_a_write_that_is_killed_leaves_the_old_file_whole_and_nothing_beside_it(
    doubled: Repo, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        repair(project)
    assert (doubled.root / PATH).read_text() == HEAD + BODY
    assert doubled.git("status", "--porcelain") == ""


def test_a_commit_git_will_not_make_takes_the_change_back(doubled: Repo, project: Project) -> None:
    doubled.write(".git/index.lock", "somebody else's git")
    done = repair(project)
    assert (done.commit, done.left.code) == (None, "not-repaired")
    (doubled.root / ".git/index.lock").unlink()
    assert (doubled.root / PATH).read_text() == HEAD + BODY
    assert doubled.git("status", "--porcelain") == ""
    assert repair(project).commit


def test_a_second_writer_waits_and_is_then_told_who_holds_the_lock(
    doubled: Repo, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphapi.domain.refusals import LockHeld

    monkeypatch.setattr(source_file, "WAIT_SECONDS", 0.3)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with source_file.root_lock(project):
            held.set()
            done.wait(20)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(20)
    try:
        with pytest.raises(LockHeld, match=f"process {os.getpid()} is writing to product"):
            items_repair(project, [PATH])
    finally:
        done.set()
        thread.join()
    assert repair(project).commit


def test_a_mode_of_the_file_is_kept(doubled: Repo, project: Project) -> None:
    (doubled.root / PATH).chmod(0o755)
    doubled.commit()
    assert repair(project).commit
    assert (doubled.root / PATH).stat().st_mode & 0o777 == 0o755


def test_files_with_names_git_takes_for_patterns_are_repaired_alone(doubled: Repo, project: Project) -> None:
    odd = "backlog/[S]* 1 ø.md"
    doubled.write(odd, "---\nid: STORY-2\n---\n" + BODY)
    doubled.write("backlog/S 1 ø.md", "---\nid: STORY-3\n---\n" + BODY)
    doubled.commit()
    (done,) = items_repair(project, [odd])
    assert done.commit
    assert doubled.git("show", "--name-only", "--format=", "-z").strip("\0\n") == odd
