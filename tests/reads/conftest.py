"""What the tests of the reads share: a reader over the store under test, and several projects on one instance."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.corpus import build, write
from graphapi.ingest.passes import run_pass
from graphapi.models import Project
from graphapi.reads.reader import Reader
from graphapi.store.port import GraphStore
from tests.repo import Repo


@pytest.fixture
def reader(store: GraphStore) -> Reader:
    return Reader(store)


@pytest.fixture
def within_budget(reader: Reader) -> Callable[[int], Reader]:
    """A reader whose answers may be so many bytes."""
    return lambda budget: dataclasses.replace(reader, budget=budget)


@pytest.fixture
def another(db: None, home: Path, tmp_path: Path, store: GraphStore) -> Iterator[Callable[..., tuple[Project, Repo]]]:
    """Declare one more project, on a repository of its own: ``another("engine", imports=[…])``."""
    made: list[str] = []

    def declare(name: str, *, imports: Any = (), default: bool = False) -> tuple[Project, Repo]:
        repo = Repo(tmp_path / f"root-{name}")
        namespace = f"t-{uuid.uuid4().hex}"
        made.append(namespace)
        project = Project.objects.create(name=name, namespace=namespace, root=str(repo.root), is_default=default)
        project.imports.set(imports)
        return project, repo

    yield declare
    for namespace in made:
        store.clear(namespace)


@pytest.fixture
def harbour(db: None, home: Path, tmp_path: Path, namespace: str, store: GraphStore) -> Callable[..., Any]:
    """The seeded corpus as a project that was read once: ``corpus, project = harbour(seed=7)``."""

    def read(seed: int = 7, size: str = "full") -> tuple[Any, Project]:
        corpus = build(seed, size)
        root = tmp_path / "harbourmaster"
        write(corpus, root)
        project = Project.objects.create(name="harbourmaster", namespace=namespace, root=str(root))
        row = run_pass(project, store)
        assert row.state == "green"
        return corpus, project

    return read
