"""Dates do not depend on when passes ran: read in steps, they are those of one clean reading of the same tree."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from graphapi.ingest.passes import run_pass
from graphapi.models import IngestPass, Project
from graphapi.store.port import GraphStore
from graphapi.vendors.git import GitRepository
from tests.conftest import Graph
from tests.repo import Repo

Ingest = Callable[..., IngestPass]
Dates = dict[str, tuple[str | None, str | None]]
WORDS = "Words enough to be known again.\n" * 6


def _dates(graph: Graph) -> Dates:
    found = {i: graph.get(i) for i in graph.ids()}
    return {i: (a.source_created_at, a.source_updated_at) for i, a in found.items()}


@pytest.fixture
def clean(project: Project, store: GraphStore) -> Iterator[Callable[[], Dates]]:
    """The dates of one reading, by a project that has read nothing before."""
    spaces: list[str] = []

    def read() -> Dates:
        name = f"t-{uuid.uuid4().hex}"
        spaces.append(name)
        other = Project.objects.create(name=name, namespace=name, root=project.root)
        assert run_pass(other, store).error == ""
        return _dates(Graph(other, store))

    yield read
    for name in spaces:
        store.clear(name)


def _note(repo: Repo, path: str, artifact_id: str, body: str = WORDS) -> None:
    repo.write(path, f"---\nid: {artifact_id}\n---\n\n{artifact_id * 9}\n{body}")


def _day(text: str) -> str:
    return f"{text}T00:00:00Z"


def test_a_file_at_a_path_that_another_was_moved_from_is_dated_by_its_own_commit(
    repo: Repo, ingest: Ingest, graph: Graph, clean: Callable[[], Dates]
) -> None:
    _note(repo, "docs/a.md", "A-1")
    repo.commit(when="2026-02-01")
    ingest()
    repo.git("mv", "docs/a.md", "docs/b.md")
    repo.commit(when="2026-03-01")
    repo.write("docs/a.md", "---\nid: B-1\n---\nQuite another thing.\n")
    repo.commit(when="2026-03-02")
    ingest()
    assert _dates(graph)["B-1"] == (_day("2026-03-02"), _day("2026-03-02"))
    assert _dates(graph) == clean()


def test_a_file_that_was_removed_before_the_first_pass_keeps_when_it_was_added(
    repo: Repo, ingest: Ingest, graph: Graph, clean: Callable[[], Dates]
) -> None:
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    (repo.root / "backlog/STORY-1.md").unlink()
    repo.item("STORY-2")
    repo.commit(when="2026-03-01")
    ingest()
    repo.item("STORY-1")
    repo.commit(when="2026-04-01")
    ingest()
    assert _dates(graph)["STORY-1"] == (_day("2026-02-01"), _day("2026-04-01"))
    assert _dates(graph) == clean()


def test_a_file_that_could_not_be_read_has_its_date_once_it_is_mended_and_not_yet_committed(
    repo: Repo, ingest: Ingest, graph: Graph, clean: Callable[[], Dates]
) -> None:
    repo.write("backlog/STORY-1.md", "---\nid: [\n---\n")
    repo.commit(when="2026-02-01")
    ingest()
    assert "STORY-1" not in graph.ids()
    repo.item("STORY-1")
    ingest()
    assert _dates(graph)["STORY-1"] == (_day("2026-02-01"), None)
    assert _dates(graph) == clean()


def test_a_path_that_was_restored_by_hand_and_never_committed_has_no_date(
    repo: Repo, ingest: Ingest, graph: Graph, clean: Callable[[], Dates]
) -> None:
    repo.item("STORY-1")
    repo.commit(when="2026-02-01")
    ingest()
    (repo.root / "backlog/STORY-1.md").unlink()
    repo.commit(when="2026-03-01")
    ingest()
    repo.item("STORY-1")
    ingest()
    assert _dates(graph) == clean() == {"STORY-1": (None, None)}


def test_a_file_that_took_the_path_of_another_while_it_could_not_be_read_is_dated_by_its_own_commit(
    repo: Repo, ingest: Ingest, graph: Graph, clean: Callable[[], Dates]
) -> None:
    repo.write("docs/a.md", "# One\n" + WORDS)
    repo.commit(when="2026-02-01")
    ingest()
    repo.git("mv", "docs/a.md", "docs/b.md")
    repo.commit(when="2026-03-01")
    repo.write("docs/a.md", "---\nid: [\n---\n")
    repo.commit(when="2026-03-02")
    ingest()
    repo.write("docs/a.md", "Mended.\n")
    repo.commit(when="2026-03-03")
    ingest()
    assert _dates(graph)["docs/a.md"] == (_day("2026-03-02"), _day("2026-03-03"))
    assert _dates(graph) == clean()


def test_a_pass_over_a_part_leaves_the_dates_of_the_rest_as_they_are(
    repo: Repo, ingest: Ingest, graph: Graph, project: Project, clean: Callable[[], Dates]
) -> None:
    _note(repo, "docs/a.md", "A-1")
    repo.commit(when="2026-02-01")
    ingest()
    repo.git("mv", "docs/a.md", "docs/b.md")
    repo.commit(when="2026-03-01")
    repo.write("docs/a.md", "---\nid: B-1\n---\nQuite another thing.\n")
    repo.commit(when="2026-03-02")
    ingest(row=IngestPass(project=project, artifacts=["docs/a.md"]))
    ingest()
    assert _dates(graph) == clean()


def test_a_new_file_costs_one_more_question_and_an_unchanged_pass_reads_no_history(
    repo: Repo, ingest: Ingest, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []
    for name in ("run", "_stream"):
        plain = getattr(GitRepository, name)

        def spied(self: Any, *arguments: str, _plain: Any = plain, **options: Any) -> Any:
            asked.append(arguments)
            return _plain(self, *arguments, **options)

        monkeypatch.setattr(GitRepository, name, spied)
    repo.item("STORY-1")
    repo.commit()
    ingest()
    for number in range(2, 12):
        repo.item(f"STORY-{number}")
    repo.commit()
    asked.clear()
    ingest()
    assert len([a for a in asked if a[0] == "log"]) == 2
    asked.clear()
    ingest()
    assert [a for a in asked if a[0] == "log"] == []


class Walk:
    """A seeded sequence of what people do to a few files."""

    paths = ("docs/a.md", "docs/b.md", "docs/c.md", "docs/d.md", "docs/e.md")

    def __init__(self, repo: Repo, seed: int) -> None:
        self.repo, self.random, self.made = repo, random.Random(seed), 0  # noqa: S311
        self.steps: list[str] = []

    def standing(self) -> list[str]:
        return [p for p in self.paths if (self.repo.root / p).exists()]

    def step(self) -> str:
        here = self.standing()
        free = [p for p in self.paths if p not in here]
        kinds = ["commit"] * 4 + ["pass"] * 3 + (["add"] * 2 if free else [])
        if here:
            kinds += ["edit", "delete", "break"] + (["rename", "reuse"] * 2 if free else [])
        kinds += ["restore"] if free else []
        kind = self.random.choice(kinds)
        self.steps.append(kind)
        path = self.random.choice(here) if here else ""
        to = self.random.choice(free) if free else ""
        self.act(kind, path, to)
        return kind

    def act(self, kind: str, path: str, to: str) -> None:
        root = self.repo.root
        if kind == "commit":
            self.repo.clock += 86400
            self.repo.commit()
        elif kind == "add":
            self.add(to)
        elif kind == "edit":
            (root / path).write_text((root / path).read_text() + f"Edit {len(self.steps)}.\n")
        elif kind == "break":
            (root / path).write_text("---\nid: [\n---\n")
        elif kind == "delete":
            (root / path).unlink()
        elif kind == "restore":
            past = self.repo.git("log", "--format=%H", "--diff-filter=AMR", "-1", "--", to).strip()
            if past:
                self.repo.write(to, self.repo.git("show", f"{past}:{to}"))
        elif kind in ("rename", "reuse"):
            (root / path).rename(root / to)
            if kind == "reuse":
                self.act("commit", "", "")
                self.add(path)

    def add(self, path: str) -> None:
        self.made += 1
        own = f"{self.random.random()} of {self.made}\n" * 8
        if self.random.random() < 0.5:
            self.repo.write(path, f"---\nid: X-{self.made}\n---\n\n{own}")
        else:
            self.repo.write(path, own)


@pytest.mark.parametrize("seed", range(12))
def test_dates_of_any_sequence_are_those_of_a_clean_reading(
    repo: Repo, ingest: Ingest, graph: Graph, clean: Callable[[], Dates], seed: int
) -> None:
    walk = Walk(repo, seed)
    for path in walk.paths[:2]:
        walk.add(path)
    repo.commit()
    ingest()
    for _ in range(12):
        if walk.step() == "pass":
            assert ingest().error == ""
    for path in walk.standing():
        # What cannot be read keeps what was read before, and a clean reading has nothing to keep.
        if (repo.root / path).read_text().startswith("---\nid: ["):
            walk.add(path)
    ingest()
    assert _dates(graph) == clean(), walk.steps
