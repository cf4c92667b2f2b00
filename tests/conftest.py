"""What the whole suite shares: a store on each backend, a project on a fresh repository, a pass over it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphapi.ingest.passes import run_pass
from graphapi.models import IngestPass, Project
from graphapi.store import instance
from graphapi.store.port import GraphStore, StoredLink
from tests.contract.backends import Backend, backend_names
from tests.repo import Repo

pytest_plugins = ["tests.requirements_page"]


def _params() -> list[object]:
    return [pytest.param(n, marks=[pytest.mark.services] if n == "neo4j" else []) for n in backend_names()]


@pytest.fixture(scope="session", params=_params())
def backend(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Backend:
    return Backend(request.param, tmp_path_factory.mktemp("graph") / "graph.sqlite3")


@pytest.fixture(scope="session")
def store(backend: Backend) -> Iterator[GraphStore]:
    """A store on each backend there is: SQLite always, Neo4j in the services lane."""
    opened = backend.open()
    opened.prepare()
    yield opened
    opened.close()


@pytest.fixture
def namespace(store: GraphStore) -> Iterator[str]:
    """A namespace of this test's own, empty before and after."""
    name = f"t-{uuid.uuid4().hex}"
    yield name
    store.clear(name)


@pytest.fixture
def home(tmp_path: Path, settings: Any) -> Path:
    """An instance home of this test's own: locks and databases beside nobody else's."""
    settings.HOME = tmp_path / "home"
    settings.GRAPH_PATH = settings.HOME / "graph.sqlite3"
    settings.HOME.mkdir()
    return settings.HOME


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "product")


@pytest.fixture
def project(db: None, home: Path, repo: Repo, namespace: str) -> Project:
    """A project on ``repo``, in a namespace of its own."""
    return Project.objects.create(name="product", namespace=namespace, root=str(repo.root))


@pytest.fixture
def ingest(project: Project, store: GraphStore) -> Callable[..., IngestPass]:
    """Run a pass over ``project`` and give its row."""
    return lambda **options: run_pass(project, store, **options)


class Graph:
    """Short questions about one project's graph."""

    def __init__(self, project: Project, store: GraphStore) -> None:
        self.project, self.store, self.ns = project, store, project.namespace

    def ids(self) -> set[str]:
        return {i for i, _, deleted in self.store.artifact_digests(self.ns) if not deleted}

    def get(self, artifact_id: str) -> Any:
        return next(iter(self.store.get(self.ns, [artifact_id])), None)

    def links(self, *ids: str, deleted: Any = "exclude") -> list[StoredLink]:
        return self.store.neighbours(self.ns, list(ids) or sorted(self.ids()), deleted=deleted, limit=10000)

    def edges(self, *ids: str) -> set[tuple[str, str, str]]:
        """(source, relation, target) of live links."""
        return {(link.source_id, link.relation, link.target_id) for link in self.links(*ids)}

    def methods(self, *ids: str) -> set[tuple[str, str, str]]:
        """(source, method, target) of live links."""
        return {(link.source_id, link.method, link.target_id) for link in self.links(*ids)}


@pytest.fixture
def graph(project: Project, store: GraphStore) -> Graph:
    return Graph(project, store)


@pytest.fixture
def instance_is(store: GraphStore, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GraphStore]:
    """Commands, pages and tasks of this test use ``store``."""
    import os

    monkeypatch.setattr(instance, "_open", {os.getpid(): store})
    yield store


def codes(row: IngestPass) -> list[str]:
    return [finding["code"] for finding in row.findings]
