"""Runs every test that asks for ``store`` on each backend there is."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from graphapi.store.port import GraphStore
from tests.contract.backends import Backend, backend_names

# It speaks to the server itself, so there is nothing in it to run on SQLite.
collect_ignore = [] if "neo4j" in backend_names() else ["test_store_neo4j_server.py"]


def _params() -> list[object]:
    return [pytest.param(n, marks=[pytest.mark.services] if n == "neo4j" else []) for n in backend_names()]


@pytest.fixture(scope="session", params=_params())
def backend(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Backend:
    return Backend(request.param, tmp_path_factory.mktemp("graph") / "graph.sqlite3")


@pytest.fixture(scope="session")
def store(backend: Backend) -> Iterator[GraphStore]:
    opened = backend.open()
    try:
        opened.prepare()
        yield opened
    finally:
        opened.close()


@pytest.fixture
def namespace(store: GraphStore) -> Iterator[str]:
    """A namespace of this test's own, empty before and after."""
    name = f"t-{uuid.uuid4().hex}"
    yield name
    store.clear(name)


@pytest.fixture
def other_namespace(store: GraphStore) -> Iterator[str]:
    name = f"o-{uuid.uuid4().hex}"
    yield name
    store.clear(name)
