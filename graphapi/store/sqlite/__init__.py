"""The graph store on SQLite: one file, no server."""

from graphapi.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
