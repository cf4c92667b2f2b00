"""A second namespace, for tests of what must not leak between two."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from graphapi.store.port import GraphStore


@pytest.fixture
def other_namespace(store: GraphStore) -> Iterator[str]:
    name = f"o-{uuid.uuid4().hex}"
    yield name
    store.clear(name)
