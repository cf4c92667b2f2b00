"""The backends the conformance suite runs on, and what a test may ask of one beside the port."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from graphapi.store.factory import open_store
from graphapi.store.port import GraphStore

NEO4J_URL = "REVETLY_TEST_NEO4J_URL"


@dataclass
class Trips:
    """How many queries a block of code sent."""

    count: int = 0


@dataclass(frozen=True)
class Backend:
    """One kind of store with a place of its own. ``open`` may be called again, for a second process or thread."""

    name: str
    path: Path

    def open(self) -> GraphStore:
        if self.name == "sqlite":
            return open_store("sqlite", path=self.path)
        password = Path(os.environ["REVETLY_TEST_NEO4J_PASSWORD_FILE"]).read_text().strip()
        user = os.environ.get("REVETLY_TEST_NEO4J_USER", "neo4j")
        return open_store("neo4j", uri=os.environ[NEO4J_URL], user=user, password=password)

    @contextmanager
    def trips(self, store: GraphStore) -> Iterator[Trips]:
        """Counts the queries that ``store`` sends from this thread meanwhile."""
        watch = _sqlite_trips if self.name == "sqlite" else _neo4j_trips
        with watch(store) as trips:
            yield trips


def backend_names() -> list[str]:
    """SQLite always. Neo4j where the services lane names one: a server that is not there then fails, never skips."""
    return ["sqlite", "neo4j"] if os.environ.get(NEO4J_URL) else ["sqlite"]


@contextmanager
def _sqlite_trips(store: GraphStore) -> Iterator[Trips]:
    trips = Trips()
    connection: sqlite3.Connection = store._connections.current()  # type: ignore[attr-defined]

    def seen(statement: str) -> None:
        trips.count += statement.lstrip().startswith(("SELECT", "WITH"))

    connection.set_trace_callback(seen)
    try:
        yield trips
    finally:
        connection.set_trace_callback(None)


@contextmanager
def _neo4j_trips(store: GraphStore) -> Iterator[Trips]:
    import neo4j

    trips = Trips()
    thread = threading.get_ident()
    originals = {kind: kind.run for kind in (neo4j.Session, neo4j.ManagedTransaction)}

    def counting(kind: type) -> object:
        def run(self: object, *args: object, **kwargs: object) -> object:
            trips.count += threading.get_ident() == thread
            return originals[kind](self, *args, **kwargs)

        return run

    for kind in originals:
        kind.run = counting(kind)
    try:
        yield trips
    finally:
        for kind, run in originals.items():
            kind.run = run
