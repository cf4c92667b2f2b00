"""What git cannot tell of a file: a shallow clone's cut, and a HEAD that leads nowhere (004 section 2b)."""

from __future__ import annotations

import pytest

from graphapi.reads.behind import NOBODY_NAMED, SHALLOW
from graphapi.reads.binding import binding
from tests.reads.test_binding_path import stories, touch
from tests.repo import ALL, Repo

requirement = pytest.mark.requirement


@pytest.fixture
def app(repo):
    repo.write(".gitignore", "code/\n")
    repo.write("revetly.toml", f'{ALL}[connectors.commits]\nrepositories = {{ app = "code/app" }}\n')
    for number in range(1, 3):
        repo.item(f"STORY-00{number}")
    repo.commit()
    return Repo(repo.root / "code/app", config=None)


def cloned(app: Repo, depth: int) -> Repo:
    """``app`` again, in the same place, as a clone of so many commits."""
    whole = app.root.with_name("whole")
    app.root.rename(whole)
    app.root.mkdir()
    app.git("clone", "-q", "--depth", str(depth), f"file://{whole}", ".")
    return app


@requirement("path.weight-first", "path.repos")
def test_the_commit_a_shallow_clone_was_cut_at_is_no_touch_and_its_date_is_told(app, ingest, reader) -> None:
    app.write("src/berths.py", "one\n")
    app.commit("bring it in", "2026-02-01")
    app.write("other.py", "x\n")
    app.commit("STORY-001: about another file", "2026-02-02")
    touch(app, "STORY-002: more", when="2026-02-03")
    cloned(app, 2)
    ingest()
    answer = binding(reader, path="src/berths.py")
    assert stories(answer) == ["STORY-002"] and "the first commit" in answer["behind"][0]["why"]
    assert answer["path"]["repos"] == [
        {"repository": "app", "file": "src/berths.py", "first": "2026-02-03T00:00:00Z", "last": "2026-02-03T00:00:00Z",
         "cut_at": "2026-02-02T00:00:00Z"}
    ]  # fmt: skip


@requirement("path.no-history")
def test_a_file_that_only_the_cut_of_a_shallow_clone_has_says_that_the_clone_is_shallow(app, ingest, reader) -> None:
    touch(app, "STORY-001: begin", when="2026-02-01")
    app.write("other.py", "x\n")
    app.commit("STORY-002: about another file", "2026-02-02")
    cloned(app, 1)
    ingest()
    answer = binding(reader, path="src/berths.py")
    assert answer["behind"] == [] and "shallow" in answer["path"]["reason"]
    [held] = answer["path"]["repos"]
    assert (held["first"], held["last"], held["cut_at"]) == (None, None, "2026-02-02T00:00:00Z")
    touch(app, "nobody's", when="2026-02-03")
    answer = binding(reader, path="src/berths.py")
    assert answer["path"]["reason"] == f"{NOBODY_NAMED}; {SHALLOW}"


def test_a_shallow_clone_that_reaches_the_first_commit_cuts_nothing(app, ingest, reader) -> None:
    touch(app, "STORY-001: begin")
    touch(app, "STORY-002: more")
    cloned(app, 2)
    assert (app.root / ".git/shallow").exists()
    ingest()
    answer = binding(reader, path="src/berths.py")
    assert stories(answer) == ["STORY-001", "STORY-002"] and "cut_at" not in answer["path"]["repos"][0]


@requirement("path.no-history")
@pytest.mark.parametrize("broken", ["no object", "no sha", "no branch"])
def test_a_repository_with_a_broken_head_is_listed_as_unread(app, ingest, reader, broken) -> None:
    touch(app, "STORY-001: begin")
    ingest()
    if broken == "no branch":
        app.write(".git/HEAD", "ref: refs/heads/nowhere\n")
    else:
        app.write(".git/refs/heads/main", "1" * 40 + "\n" if broken == "no object" else "junk\n")
    answer = binding(reader, path="src/berths.py")
    assert answer["behind"] == [] and answer["path"]["repos"] == []
    [unread] = answer["path"]["unread"]
    assert unread["repository"] == "app" and unread["why"]
