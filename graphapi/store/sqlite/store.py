"""The graph store in a SQLite file of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from graphapi.store.namespaces import check_namespace
from graphapi.store.port import (
    ArtifactHit,
    ArtifactRow,
    Branch,
    Counts,
    Deleted,
    Direction,
    Facets,
    FactHit,
    FactKind,
    LinkCount,
    LinkGroup,
    LinkRow,
    ReadingRow,
    StatementRow,
    StoredArtifact,
    StoredLink,
    StoredReading,
    StoredStatement,
    StoreUnavailable,
    Tombstone,
)
from graphapi.store.rows import batches, last_of_each
from graphapi.store.sqlite import links, reads, schema, search, streams, writes
from graphapi.store.sqlite.connections import Connections
from graphapi.store.sqlite.index import forget_terms

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")


class SqliteStore:
    """A :class:`~graphapi.store.port.GraphStore` in the file ``path``, for several threads and processes at once."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._connections = Connections(str(path))

    # -- life ---------------------------------------------------------------------------------------------------
    def prepare(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as exc:
            raise StoreUnavailable(
                f"The graph file {self._path}: its folder cannot be made; check its rights."
            ) from exc
        with self._connections.faults():
            self._connections.current().execute("PRAGMA journal_mode = WAL")
        with self._connections.write() as cursor:
            known = schema.prepare(cursor)
        if not known:
            raise StoreUnavailable(
                f"The graph file {self._path}: another version of Revetly made it; remove it and ingest again."
            )

    def ping(self) -> str:
        with self._connections.read() as cursor:
            (version,) = cursor.execute("SELECT sqlite_version()").fetchone()
        return f"SQLite {version}"

    def close(self) -> None:
        self._connections.close()

    # -- writes -------------------------------------------------------------------------------------------------
    def upsert_artifacts(self, namespace: str, rows: Sequence[ArtifactRow], *, now: str) -> int:
        return self._write(
            namespace,
            last_of_each(rows, lambda row: row.artifact_id),
            lambda cursor, space, batch: writes.upsert_artifacts(cursor, space, batch, now),
        )

    def tombstone(self, namespace: str, rows: Sequence[Tombstone]) -> int:
        return self._change(namespace, last_of_each(rows, lambda row: row.artifact_id), writes.tombstone)

    def link(self, namespace: str, rows: Sequence[LinkRow]) -> int:
        return self._write(namespace, last_of_each(rows, lambda row: row.key), writes.put_links)

    def retire_links(self, namespace: str, keys: Sequence[str], *, at: str, reason: str) -> int:
        return self._retire(namespace, "links", keys, at, reason)

    def put_statements(self, namespace: str, rows: Sequence[StatementRow]) -> int:
        return self._write(namespace, last_of_each(rows, lambda row: row.key), writes.put_statements)

    def retire_statements(self, namespace: str, keys: Sequence[str], *, at: str, reason: str) -> int:
        return self._retire(namespace, "statements", keys, at, reason)

    def put_readings(self, namespace: str, rows: Sequence[ReadingRow]) -> int:
        return self._write(namespace, last_of_each(rows, lambda row: row.key), writes.put_readings)

    def retire_readings(self, namespace: str, keys: Sequence[str], *, at: str, reason: str) -> int:
        return self._retire(namespace, "readings", keys, at, reason)

    def clear(self, namespace: str) -> None:
        check_namespace(namespace)
        with self._connections.write() as cursor:
            schema.clear_space(cursor, namespace)

    def scrub(self, namespace: str) -> None:
        check_namespace(namespace)
        with self._connections.write() as cursor:
            if (space := schema.find_space(cursor, namespace)) is not None:
                forget_terms(cursor, space)
        self._connections.rebuild()

    # -- what a pass reads to write differences only ------------------------------------------------------------
    def artifact_digests(self, namespace: str) -> Iterator[tuple[str, str, bool]]:
        return streams.artifact_digests(self._connections, check_namespace(namespace))

    def link_digests(self, namespace: str) -> Iterator[tuple[str, str]]:
        return streams.link_digests(self._connections, check_namespace(namespace))

    def bodies(self, namespace: str, ids: Iterable[str] | None = None) -> Iterator[tuple[str, str]]:
        check_namespace(namespace)
        if ids is None:
            return streams.bodies(self._connections, namespace)
        return streams.named_bodies(self._connections, namespace, ids)

    # -- reads --------------------------------------------------------------------------------------------------
    def get(self, namespace: str, ids: Sequence[str], *, bodies: bool = True) -> list[StoredArtifact]:
        return self._read(namespace, [], reads.get, ids, bodies)

    def neighbours(
        self,
        namespace: str,
        ids: Sequence[str],
        *,
        direction: Direction = "both",
        relations: Sequence[str] | None = None,
        methods: Sequence[str] | None = None,
        deleted: Deleted = "exclude",
        limit: int = 1000,
    ) -> list[StoredLink]:
        filters = {"relation": relations, "method": methods}
        return self._read(namespace, [], links.neighbours, ids, direction, filters, deleted, limit)

    def around(
        self,
        namespace: str,
        ids: Sequence[str],
        *,
        deleted: Deleted = "exclude",
        each: int = 3,
        whole: Collection[str] = (),
    ) -> list[LinkGroup]:
        return self._read(namespace, [], links.around, ids, deleted, each, whole)

    def ancestors(self, namespace: str, ids: Sequence[str], *, limit: int = 200) -> list[tuple[str, str]]:
        return self._read(namespace, [], links.ancestors, ids, limit)

    def branch(self, namespace: str, root_id: str, *, depth: int | None = None, limit: int = 2000) -> Branch:
        return self._read(namespace, Branch(()), links.branch, root_id, depth, limit)

    def list_artifacts(
        self,
        namespace: str,
        *,
        kinds: Sequence[str] | None = None,
        types: Sequence[str] | None = None,
        statuses: Sequence[str] | None = None,
        provenances: Sequence[str] | None = None,
        deleted: Deleted = "exclude",
        after: tuple[str, str] | None = None,
        limit: int = 50,
        bodies: bool = True,
    ) -> list[StoredArtifact]:
        filters = {"kind": kinds, "artifact_type": types, "status": statuses, "provenance": provenances}
        return self._read(namespace, [], reads.list_artifacts, filters, deleted, after, limit, bodies)

    def search_artifacts(
        self,
        namespace: str,
        query: str,
        *,
        limit: int = 20,
        kinds: Sequence[str] | None = None,
        deleted: Deleted = "exclude",
        whole: bool = False,
    ) -> list[ArtifactHit]:
        return self._read(namespace, [], search.search_artifacts, query, limit, kinds, deleted, whole)

    def count_artifacts(
        self, namespace: str, query: str, *, kinds: Sequence[str] | None = None, deleted: Deleted = "exclude"
    ) -> int:
        return self._read(namespace, 0, search.count_artifacts, query, kinds, deleted)

    def search_facts(
        self,
        namespace: str,
        query: str,
        *,
        limit: int = 20,
        kind: FactKind | None = None,
        deleted: Deleted = "exclude",
    ) -> list[FactHit]:
        return self._read(namespace, [], search.search_facts, query, limit, kind, deleted)

    def count_facts(self, namespace: str, query: str, *, deleted: Deleted = "exclude") -> int:
        return self._read(namespace, 0, search.count_facts, query, deleted)

    def statements(self, namespace: str, note_ids: Sequence[str], *, retired: bool = False) -> list[StoredStatement]:
        return self._read(namespace, [], reads.statements, note_ids, retired)

    def readings(self, namespace: str, artifact_ids: Sequence[str]) -> list[StoredReading]:
        return self._read(namespace, [], reads.readings, artifact_ids)

    def link_counts(self, namespace: str) -> list[LinkCount]:
        return self._read(namespace, [], reads.link_counts)

    def counts(self, namespace: str) -> Counts:
        return self._read(namespace, Counts(), reads.counts)

    def facets(self, namespace: str, *, kinds: Sequence[str] | None = None) -> Facets:
        return self._read(namespace, Facets(), reads.facets, kinds)

    # -- how every call reaches the file ------------------------------------------------------------------------
    def _read(
        self,
        namespace: str,
        absent: R,
        read: Callable[Concatenate[sqlite3.Cursor, int, P], R],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        """What ``read`` answers of the namespace, ``absent`` while nothing was written to it."""
        check_namespace(namespace)
        with self._connections.read() as cursor:
            space = schema.find_space(cursor, namespace)
            return absent if space is None else read(cursor, space, *args, **kwargs)

    def _write(self, namespace: str, rows: Iterable[T], write: Callable[[sqlite3.Cursor, int, list[T]], int]) -> int:
        check_namespace(namespace)
        written = 0
        for batch in batches(rows):
            with self._connections.write() as cursor:
                written += write(cursor, schema.make_space(cursor, namespace), batch)
        return written

    def _change(self, namespace: str, rows: Iterable[T], write: Callable[[sqlite3.Cursor, int, list[T]], int]) -> int:
        """As ``_write``, for what only touches rows that are there: an unknown namespace stays unknown."""
        check_namespace(namespace)
        changed = 0
        for batch in batches(rows):
            with self._connections.write() as cursor:
                space = schema.find_space(cursor, namespace)
                changed += 0 if space is None else write(cursor, space, batch)
        return changed

    def _retire(self, namespace: str, table: str, keys: Sequence[str], at: str, reason: str) -> int:
        return self._change(
            namespace,
            dict.fromkeys(keys),
            lambda cursor, space, batch: writes.retire(cursor, space, table, batch, at, reason),
        )
