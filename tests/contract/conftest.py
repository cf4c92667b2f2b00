"""What only the stores' conformance suite needs."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from graphapi.store.port import GraphStore
from tests.contract.backends import backend_names

# It speaks to the server itself, so there is nothing in it to run on SQLite.
collect_ignore = [] if "neo4j" in backend_names() else ["test_store_neo4j_server.py"]


@pytest.fixture
def other_namespace(store: GraphStore) -> Iterator[str]:
    """A second namespace, for tests of what must not leak between two."""
    name = f"o-{uuid.uuid4().hex}"
    yield name
    store.clear(name)
