"""Opens the graph store that the settings name."""

from __future__ import annotations

from pathlib import Path

from graphapi.store.port import GraphStore
from graphapi.store.sqlite import SqliteStore

KINDS = ("sqlite", "neo4j")


def open_store(
    kind: str,
    *,
    path: str | Path | None = None,
    uri: str | None = None,
    user: str | None = None,
    password: str | None = None,
    database: str | None = None,
) -> GraphStore:
    """The store of ``kind``: ``sqlite`` needs ``path``; ``neo4j`` needs ``uri``, ``user`` and ``password``.

    Nothing is reached yet. ``ValueError`` names an unknown kind or what is missing.
    """
    if kind == "sqlite":
        if not path:
            raise ValueError("a sqlite graph store needs a path")
        return SqliteStore(path)
    if kind == "neo4j":
        if not uri or not user or not password:
            raise ValueError("a neo4j graph store needs a uri, a user and a password")
        # The driver takes seconds to import, and an instance on SQLite never needs it.
        from graphapi.store.neo4j import Neo4jStore

        return Neo4jStore(uri, user, password, database=database or "neo4j")
    raise ValueError(f"no graph store of kind {kind!r}; there are {' and '.join(KINDS)}")
