"""Opens the graph store that the settings name."""

from __future__ import annotations

from pathlib import Path

from graphapi.store.port import GraphStore
from graphapi.store.sqlite import SqliteStore

KINDS = ("sqlite",)


def open_store(
    kind: str,
    *,
    path: str | Path | None = None,
    uri: str | None = None,
    user: str | None = None,
    password: str | None = None,
    database: str | None = None,
) -> GraphStore:
    """The store of ``kind``: ``sqlite`` needs ``path``.

    Nothing is reached yet. ``ValueError`` names an unknown kind or what is missing.
    """
    if kind == "sqlite":
        if not path:
            raise ValueError("a sqlite graph store needs a path")
        return SqliteStore(path)
    raise ValueError(f"no graph store of kind {kind!r}; there are {' and '.join(KINDS)}")
