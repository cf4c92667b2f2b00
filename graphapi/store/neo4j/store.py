"""The graph store in a Neo4j database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from neo4j import ManagedTransaction
from neo4j.exceptions import ClientError

from graphapi.store.namespaces import check_namespace
from graphapi.store.neo4j import links, reads, schema, search, writes
from graphapi.store.neo4j.server import Server
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
    Tombstone,
)
from graphapi.store.rows import batches, last_of_each

T = TypeVar("T")
R = TypeVar("R")
Write = Callable[[ManagedTransaction, str, list[T]], int]


class Neo4jStore:
    """A :class:`~graphapi.store.port.GraphStore` in one Neo4j database; a namespace is a ``group_id`` in it."""

    def __init__(self, uri: str, user: str, password: str, database: str = "neo4j") -> None:
        self._server = Server(uri, user, password, database)
        # Namespaces whose full-text indexes this process has seen. One that another process drops is made again by
        # the next search: an index is worked out from the properties and loses nothing.
        self._indexed: set[str] = set()

    # -- life ---------------------------------------------------------------------------------------------------
    def prepare(self) -> None:
        schema.prepare(self._server)

    def ping(self) -> str:
        def ask(tx: ManagedTransaction) -> str:
            found = tx.run("CALL dbms.components() YIELD versions RETURN versions[0]")
            return str(found.single(strict=True)[0])

        return f"Neo4j {self._server.read(ask)}"

    def close(self) -> None:
        self._server.close()

    # -- writes -------------------------------------------------------------------------------------------------
    def upsert_artifacts(self, namespace: str, rows: Sequence[ArtifactRow], *, now: str) -> int:
        return self._write(
            namespace,
            last_of_each(rows, lambda row: row.artifact_id),
            lambda tx, name, batch: writes.upsert_artifacts(tx, name, batch, now),
        )

    def tombstone(self, namespace: str, rows: Sequence[Tombstone]) -> int:
        return self._write(
            namespace,
            last_of_each(rows, lambda row: row.artifact_id),
            writes.tombstone,
        )

    def link(self, namespace: str, rows: Sequence[LinkRow]) -> int:
        return self._write(namespace, last_of_each(rows, lambda row: row.key), writes.put_links)

    def retire_links(self, namespace: str, keys: Sequence[str], *, at: str, reason: str) -> int:
        return self._retire(namespace, "links", keys, at, reason)

    def put_statements(self, namespace: str, rows: Sequence[StatementRow]) -> int:
        return self._write(
            namespace,
            last_of_each(rows, lambda row: row.key),
            writes.put_statements,
        )

    def retire_statements(self, namespace: str, keys: Sequence[str], *, at: str, reason: str) -> int:
        return self._retire(namespace, "statements", keys, at, reason)

    def put_readings(self, namespace: str, rows: Sequence[ReadingRow]) -> int:
        return self._write(
            namespace,
            last_of_each(rows, lambda row: row.key),
            writes.put_readings,
        )

    def retire_readings(self, namespace: str, keys: Sequence[str], *, at: str, reason: str) -> int:
        return self._retire(namespace, "readings", keys, at, reason)

    def clear(self, namespace: str) -> None:
        schema.clear(self._server, check_namespace(namespace))
        self._indexed.discard(namespace)

    def scrub(self, namespace: str) -> None:
        """Nothing: freed records and transaction logs are the server's own to reuse and to rotate
        (``db.tx_log.rotation.retention_policy``), and no query reaches them."""
        check_namespace(namespace)

    # -- what a pass reads to write differences only ------------------------------------------------------------
    def artifact_digests(self, namespace: str) -> Iterator[tuple[str, str, bool]]:
        return reads.artifact_digests(self._server, check_namespace(namespace))

    def link_digests(self, namespace: str) -> Iterator[tuple[str, str]]:
        return reads.link_digests(self._server, check_namespace(namespace))

    def bodies(self, namespace: str, ids: Iterable[str] | None = None) -> Iterator[tuple[str, str]]:
        check_namespace(namespace)
        if ids is None:
            return reads.bodies(self._server, namespace)
        return reads.named_bodies(self._server, namespace, ids)

    # -- reads --------------------------------------------------------------------------------------------------
    def get(self, namespace: str, ids: Sequence[str], *, bodies: bool = True) -> list[StoredArtifact]:
        return self._ask(namespace, lambda tx: reads.get(tx, namespace, ids, bodies))

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
        return self._ask(namespace, lambda tx: links.neighbours(tx, namespace, ids, direction, filters, deleted, limit))

    def around(
        self,
        namespace: str,
        ids: Sequence[str],
        *,
        deleted: Deleted = "exclude",
        each: int = 3,
        whole: Collection[str] = (),
    ) -> list[LinkGroup]:
        return self._ask(namespace, lambda tx: links.around(tx, namespace, ids, deleted, each, whole))

    def ancestors(self, namespace: str, ids: Sequence[str], *, limit: int = 200) -> list[tuple[str, str]]:
        return self._ask(namespace, lambda tx: links.ancestors(tx, namespace, ids, limit))

    def branch(self, namespace: str, root_id: str, *, depth: int | None = None, limit: int = 2000) -> Branch:
        return self._read(namespace, lambda tx: links.branch(tx, namespace, root_id, depth, limit))

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
        return self._ask(
            namespace, lambda tx: reads.list_artifacts(tx, namespace, filters, deleted, after, limit, bodies)
        )

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
        return self._search(
            namespace, [], lambda tx: search.search_artifacts(tx, namespace, query, limit, kinds, deleted, whole)
        )

    def count_artifacts(
        self, namespace: str, query: str, *, kinds: Sequence[str] | None = None, deleted: Deleted = "exclude"
    ) -> int:
        return self._search(namespace, 0, lambda tx: search.count_artifacts(tx, namespace, query, kinds, deleted))

    def search_facts(
        self,
        namespace: str,
        query: str,
        *,
        limit: int = 20,
        kind: FactKind | None = None,
        deleted: Deleted = "exclude",
    ) -> list[FactHit]:
        return self._search(namespace, [], lambda tx: search.search_facts(tx, namespace, query, limit, kind, deleted))

    def count_facts(self, namespace: str, query: str, *, deleted: Deleted = "exclude") -> int:
        return self._search(namespace, 0, lambda tx: search.count_facts(tx, namespace, query, deleted))

    def statements(self, namespace: str, note_ids: Sequence[str], *, retired: bool = False) -> list[StoredStatement]:
        return self._ask(namespace, lambda tx: reads.statements(tx, namespace, note_ids, retired))

    def readings(self, namespace: str, artifact_ids: Sequence[str]) -> list[StoredReading]:
        return self._ask(namespace, lambda tx: reads.readings(tx, namespace, artifact_ids))

    def link_counts(self, namespace: str) -> list[LinkCount]:
        return self._ask(namespace, lambda tx: reads.link_counts(tx, namespace))

    def counts(self, namespace: str) -> Counts:
        return self._read(namespace, lambda tx: reads.counts(tx, namespace))

    def facets(self, namespace: str, *, kinds: Sequence[str] | None = None) -> Facets:
        return self._ask(namespace, lambda tx: reads.facets(tx, namespace, kinds))

    # -- how every call reaches the server ----------------------------------------------------------------------
    def _read(self, namespace: str, read: Callable[[ManagedTransaction], R]) -> R:
        """``read`` in one transaction, so that its queries see one moment."""
        check_namespace(namespace)
        return self._server.read(read)

    def _ask(self, namespace: str, read: Callable[[ManagedTransaction], R]) -> R:
        """As ``_read``, for a single query."""
        check_namespace(namespace)
        return self._server.ask(read)

    def _search(self, namespace: str, absent: R, find: Callable[[ManagedTransaction], R]) -> R:
        """As ``_read``; a missing index is made where there is something to find, and else nothing is found."""
        try:
            return self._ask(namespace, find)
        except ClientError:
            if schema.has_indexes(self._server, namespace):
                raise
        if not self.list_artifacts(namespace, deleted="include", limit=1, bodies=False):
            return absent
        schema.create_indexes(self._server, namespace)
        return self._server.read(find)

    def _write(self, namespace: str, rows: Sequence[T], write: Write[T]) -> int:
        """As ``_change``, for rows that may be the namespace's first."""
        if check_namespace(namespace) not in self._indexed and rows:
            schema.create_indexes(self._server, namespace)
            self._indexed.add(namespace)
        return self._change(namespace, rows, write)

    def _change(self, namespace: str, rows: Iterable[T], write: Write[T]) -> int:
        check_namespace(namespace)
        return sum(self._server.write(write, namespace, batch) for batch in batches(rows))

    def _retire(self, namespace: str, table: str, keys: Sequence[str], at: str, reason: str) -> int:
        return self._change(
            namespace,
            dict.fromkeys(keys),
            lambda tx, name, batch: writes.retire(tx, name, table, batch, at, reason),
        )
