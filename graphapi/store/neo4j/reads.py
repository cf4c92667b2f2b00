"""What is read from the graph: artifacts, links, statements, readings and how many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from neo4j import ManagedTransaction

from graphapi.store.neo4j.server import Server
from graphapi.store.port import (
    BATCH_ROWS,
    Counts,
    Deleted,
    Facets,
    LinkCount,
    StoredArtifact,
    StoredReading,
    StoredStatement,
)
from graphapi.store.rows import (
    STORED_ARTIFACT,
    STORED_READING,
    STORED_STATEMENT,
    batches,
    facets_of,
    stored_artifact,
)

# Bodies run to megabytes: fewer of them are held at a time.
BODIES_A_PAGE = 200

# By whether bodies are wanted.
_ARTIFACT = {
    bodies: ", ".join("''" if name == "body" and not bodies else f"a.{name}" for name in STORED_ARTIFACT)
    for bodies in (True, False)
}
_STATEMENT = ", ".join(f"s.{name}" for name in STORED_STATEMENT)
_READING = ", ".join(f"x.{name}" for name in STORED_READING)
# Named in the query, and the order asked for by every property of the index, those that are all alike as well: else the
# planner seeks by another and sorts all that it found. It ignores an index that is not there yet.
_IN_ORDER = "group_id, sort_key, artifact_id"
_BY_KIND = "group_id, kind, deleted, sort_key, artifact_id"
_ARTIFACT_STATES = {"exclude": "a.deleted = false", "include": "true", "only": "a.deleted = true"}


def get(tx: ManagedTransaction, namespace: str, ids: Sequence[str], bodies: bool) -> list[StoredArtifact]:
    query = f"""UNWIND range(0, size($ids) - 1) AS place
        MATCH (a:Artifact {{group_id: $g, artifact_id: $ids[place]}})
        RETURN {_ARTIFACT[bodies]} ORDER BY place"""
    return [stored_artifact(row.values()) for row in tx.run(query, g=namespace, ids=list(dict.fromkeys(ids)))]


def list_artifacts(
    tx: ManagedTransaction,
    namespace: str,
    filters: dict[str, Sequence[str] | None],
    deleted: Deleted,
    after: tuple[str, str] | None,
    limit: int,
    bodies: bool,
) -> list[StoredArtifact]:
    """``filters``: the values a property may have, None for any."""
    wanted = {name: list(values) for name, values in filters.items() if values is not None}
    by_kind = len(wanted.get("kind", ())) == 1 and deleted != "include"
    index = _BY_KIND if by_kind else _IN_ORDER
    query = f"""MATCH (a:Artifact) USING INDEX a:Artifact({index})
        WHERE a.group_id = $g AND a.sort_key >= $sort_key AND a.artifact_id IS NOT NULL
            AND (a.sort_key > $sort_key OR a.artifact_id > $id) AND {_ARTIFACT_STATES[deleted]}
            {"".join(_one_of(name, values) for name, values in wanted.items())}
        RETURN {_ARTIFACT[bodies]} ORDER BY {", ".join(f"a.{name}" for name in index.split(", "))} LIMIT $limit"""
    sort_key, artifact_id = after or ("", "")
    found = tx.run(query, g=namespace, sort_key=sort_key, id=artifact_id, filters=wanted, limit=max(limit, 0))
    return [stored_artifact(row.values()) for row in found]


def _one_of(name: str, values: Sequence[str]) -> str:
    # Equality with one value lets an index that begins with the property give the rows in the order of the rest.
    return f" AND a.{name} = $filters.{name}[0]" if len(values) == 1 else f" AND a.{name} IN $filters.{name}"


def statements(tx: ManagedTransaction, namespace: str, note_ids: Sequence[str], retired: bool) -> list[StoredStatement]:
    query = f"""UNWIND $ids AS id MATCH (n:Artifact {{group_id: $g, artifact_id: id}})-[:STATES]->(s:Statement)
        {"" if retired else "WHERE s.retired_at IS NULL"}
        RETURN {_STATEMENT} ORDER BY n.sort_key, n.artifact_id, s.key"""
    found = tx.run(query, g=namespace, ids=list(dict.fromkeys(note_ids)))
    return [StoredStatement(*row.values()) for row in found]


def readings(tx: ManagedTransaction, namespace: str, artifact_ids: Sequence[str]) -> list[StoredReading]:
    query = f"""UNWIND $ids AS id MATCH (x:Reading {{group_id: $g, artifact_id: id}})
        RETURN {_READING} ORDER BY x.artifact_id, x.read_at, x.key"""
    found = tx.run(query, g=namespace, ids=list(dict.fromkeys(artifact_ids)))
    return [StoredReading(*row.values()) for row in found]


def link_counts(tx: ManagedTransaction, namespace: str) -> list[LinkCount]:
    query = """MATCH ()-[l:LINK]->() WHERE l.group_id = $g AND l.key IS NOT NULL AND l.invalid_at IS NULL
        WITH l.relation AS relation, l.method AS method, count(*) AS n
        RETURN relation, method, n ORDER BY n DESC, relation, method"""
    return [LinkCount(*row.values()) for row in tx.run(query, g=namespace)]


def counts(tx: ManagedTransaction, namespace: str) -> Counts:
    live: dict[str, int] = {}
    removed = 0
    query = """MATCH (a:Artifact) WHERE a.group_id = $g AND a.artifact_id IS NOT NULL
        RETURN a.kind AS kind, a.deleted AS deleted, count(*) AS n ORDER BY kind"""
    for kind, deleted, n in (row.values() for row in tx.run(query, g=namespace)):
        if deleted:
            removed += n
        else:
            live[kind] = n
    query = """CALL () { MATCH ()-[l:LINK]->() WHERE l.group_id = $g AND l.key IS NOT NULL
            RETURN count(*) AS links, count(l.invalid_at) AS ended }
        CALL () { MATCH (s:Statement) WHERE s.group_id = $g AND s.key IS NOT NULL
            RETURN count(*) AS statements, count(s.retired_at) AS retired }
        RETURN links - ended, ended, statements - retired, retired"""
    return Counts(live, removed, *tx.run(query, g=namespace).single(strict=True).values())


def facets(tx: ManagedTransaction, namespace: str, kinds: Sequence[str] | None) -> Facets:
    query = f"""MATCH (a:Artifact) WHERE a.group_id = $g AND a.artifact_id IS NOT NULL AND a.deleted = false
            {"" if kinds is None else "AND a.kind IN $kinds"}
        RETURN DISTINCT a.status, a.artifact_type, a.provenance"""
    return facets_of([row.values() for row in tx.run(query, g=namespace, kinds=list(kinds or ()))])


def artifact_digests(server: Server, namespace: str) -> Iterator[tuple[str, str, bool]]:
    query = """MATCH (a:Artifact) WHERE a.group_id = $g AND a.artifact_id > $after
        RETURN a.artifact_id, a.digest, a.deleted ORDER BY a.group_id, a.artifact_id LIMIT $size"""
    return _pages(server, query, namespace, BATCH_ROWS)


def link_digests(server: Server, namespace: str) -> Iterator[tuple[str, str]]:
    query = """MATCH ()-[l:LINK]->() USING INDEX l:LINK(group_id, key)
        WHERE l.group_id = $g AND l.key > $after AND l.invalid_at IS NULL
        RETURN l.key, l.digest ORDER BY l.group_id, l.key LIMIT $size"""
    return _pages(server, query, namespace, BATCH_ROWS)


def bodies(server: Server, namespace: str) -> Iterator[tuple[str, str]]:
    query = """MATCH (a:Artifact) WHERE a.group_id = $g AND a.artifact_id > $after AND NOT a.deleted
        RETURN a.artifact_id, a.body ORDER BY a.group_id, a.artifact_id LIMIT $size"""
    return _pages(server, query, namespace, BODIES_A_PAGE)


def named_bodies(server: Server, namespace: str, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Bodies of the live artifacts among ``ids``, which are read as they are needed."""
    query = """UNWIND $ids AS id MATCH (a:Artifact {group_id: $g, artifact_id: id}) WHERE NOT a.deleted
        RETURN a.artifact_id, a.body"""
    for batch in batches(ids, BODIES_A_PAGE):
        yield from _rows(server, query, g=namespace, ids=batch)


def _pages(server: Server, query: str, namespace: str, size: int) -> Iterator[Any]:
    """Page after page by the first column. No transaction is open while the caller works on what it got."""
    after = ""
    while True:
        page = _rows(server, query, g=namespace, after=after, size=size)
        yield from page
        if len(page) < size:
            return
        after = page[-1][0]


def _rows(server: Server, query: str, **parameters: Any) -> list[Any]:
    return server.read(lambda tx: [tuple(row.values()) for row in tx.run(query, parameters)])
