"""What changes the graph. Each function is one batch, in the transaction it is given, and bears to be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from operator import attrgetter
from typing import Any

from neo4j import ManagedTransaction

from graphapi.store.neo4j.schema import Names
from graphapi.store.port import (
    SOURCE_WITHDRAWN,
    TITLE_WEIGHT,
    WITHDRAWN,
    ArtifactRow,
    LinkRow,
    ReadingRow,
    StatementRow,
    Tombstone,
)
from graphapi.store.query import ENDED, LINK_MARK, LIVE, STATEMENT_MARK, kind_mark, plain
from graphapi.store.rows import ARTIFACT, LINK, STATEMENT, json_text

_artifact_values = attrgetter(*ARTIFACT)
_LINK = tuple(name for name in LINK if name not in ("source_id", "target_id"))
_link_values = attrgetter(*_LINK)

_UPSERT = """UNWIND $rows AS r
MERGE (a:Artifact {group_id: $g, artifact_id: r.artifact_id})
ON CREATE SET a.first_ingested_at = $now, a.ingested_at = $now
ON MATCH SET a.ingested_at = CASE WHEN a.digest = r.digest THEN a.ingested_at ELSE $now END
SET a += r, a.deleted = false, a.deleted_at = null, a.deleted_clock = null, a.deleted_note = null
RETURN count(a)"""
_LINKS = """UNWIND $rows AS r
MATCH (s:Artifact {group_id: $g, artifact_id: r.source_id})
MATCH (t:Artifact {group_id: $g, artifact_id: r.target_id})
MERGE (s)-[l:LINK {group_id: $g, key: r.key}]->(t)
SET l += r.values, l.invalid_at = null, l.invalid_reason = null
RETURN count(l)"""
_STATEMENTS = """UNWIND $rows AS r
MATCH (n:Artifact {group_id: $g, artifact_id: r.values.note_id})
MERGE (s:Statement {group_id: $g, key: r.values.key})
REMOVE s:Decision:Assumption:Constraint
SET s:$(r.values.type), s += r.values, s.retired_at = null, s.retired_reason = null
MERGE (n)-[e:STATES {group_id: $g, key: r.values.key}]->(s)
SET e += r.edge
RETURN count(s)"""
_READINGS = """UNWIND $rows AS r
MERGE (x:Reading {group_id: $g, key: r.key})
SET x += r, x.retired_at = null, x.retired_reason = null
RETURN count(x)"""
# A link without a fact must not get a state: any property of the index would bring it in.
_TOMBSTONE = """UNWIND $rows AS r
MATCH (a:Artifact {{group_id: $g, artifact_id: r.artifact_id}})
SET a += r, a.deleted = true, a.{state} = $ended
WITH a, r
CALL (a, r) {{
    MATCH (a)-[l:LINK]->() WHERE l.invalid_at IS NULL
    SET l.invalid_at = r.deleted_at, l.invalid_reason = $link_reason,
        l.{state} = CASE WHEN l.{fact} IS NULL THEN null ELSE $ended END
}}
CALL (a, r) {{
    MATCH (a)-[e:STATES]->(s:Statement) WHERE s.retired_at IS NULL
    SET s.retired_at = r.deleted_at, s.retired_reason = $reason,
        e.{state} = CASE WHEN e.{fact} IS NULL THEN null ELSE $ended END
}}
CALL (r) {{
    MATCH (x:Reading {{group_id: $g, artifact_id: r.artifact_id}}) WHERE x.retired_at IS NULL
    SET x.retired_at = r.deleted_at, x.retired_reason = $reason
}}
RETURN count(a)"""
_RETIRE_LINKS = """UNWIND $keys AS key
MATCH ()-[l:LINK {{group_id: $g, key: key}}]->() USING INDEX l:LINK(group_id, key)
WHERE l.invalid_at IS NULL
SET l.invalid_at = $at, l.invalid_reason = $reason,
    l.{state} = CASE WHEN l.{fact} IS NULL THEN null ELSE $ended END
RETURN count(l)"""
_RETIRE_STATEMENTS = """UNWIND $keys AS key
MATCH (s:Statement {{group_id: $g, key: key}})<-[e:STATES]-() WHERE s.retired_at IS NULL
SET s.retired_at = $at, s.retired_reason = $reason,
    e.{state} = CASE WHEN e.{fact} IS NULL THEN null ELSE $ended END
RETURN count(s)"""
_RETIRE_READINGS = """UNWIND $keys AS key
MATCH (x:Reading {{group_id: $g, key: key}}) WHERE x.retired_at IS NULL
SET x.retired_at = $at, x.retired_reason = $reason
RETURN count(x)"""
_RETIRE = {"links": _RETIRE_LINKS, "statements": _RETIRE_STATEMENTS, "readings": _RETIRE_READINGS}


def upsert_artifacts(tx: ManagedTransaction, namespace: str, rows: Sequence[ArtifactRow], now: str) -> int:
    names = Names(namespace)
    return _count(tx, _UPSERT, g=namespace, now=now, rows=[_artifact(names, row) for row in rows])


def tombstone(tx: ManagedTransaction, namespace: str, rows: Sequence[Tombstone]) -> int:
    names = Names(namespace)
    return _count(
        tx,
        _TOMBSTONE.format(state=names.state, fact=names.fact),
        g=namespace,
        rows=[asdict(row) for row in rows],
        ended=ENDED,
        link_reason=SOURCE_WITHDRAWN,
        reason=WITHDRAWN,
    )


def put_links(tx: ManagedTransaction, namespace: str, rows: Sequence[LinkRow]) -> int:
    names = Names(namespace)
    return _count(tx, _LINKS, g=namespace, rows=[_link(names, row) for row in rows])


def put_statements(tx: ManagedTransaction, namespace: str, rows: Sequence[StatementRow]) -> int:
    names = Names(namespace)
    values = [
        {
            "values": {name: getattr(row, name) for name in STATEMENT},
            "edge": _fact(names, row.fact, STATEMENT_MARK),
        }
        for row in rows
    ]
    return _count(tx, _STATEMENTS, g=namespace, rows=values)


def put_readings(tx: ManagedTransaction, namespace: str, rows: Sequence[ReadingRow]) -> int:
    return _count(tx, _READINGS, g=namespace, rows=[asdict(row) for row in rows])


def retire(tx: ManagedTransaction, namespace: str, what: str, keys: Sequence[str], at: str, reason: str) -> int:
    """End the live ``links``, ``statements`` or ``readings`` that ``keys`` name; how many there were."""
    names = Names(namespace)
    query = _RETIRE[what].format(state=names.state, fact=names.fact)
    return _count(tx, query, g=namespace, keys=list(keys), at=at, reason=reason, ended=ENDED)


def _artifact(names: Names, row: ArtifactRow) -> dict[str, Any]:
    values = dict(zip(ARTIFACT, _artifact_values(row), strict=True))
    values["metadata"] = json_text(row.metadata)
    # One property holds title and body, the title as often as it weighs: two would be scored apart and added up,
    # which lets a word's second field count as much as its first. This is the sum SQLite's bm25() makes of columns.
    values[names.text] = f"{' '.join([plain(row.title)] * round(TITLE_WEIGHT))} {plain(row.body)}"
    values[names.state] = LIVE
    values[names.kind] = kind_mark(row.kind)
    return values


def _link(names: Names, row: LinkRow) -> dict[str, Any]:
    values = dict(zip(_LINK, _link_values(row), strict=True))
    values["attributes"] = json_text(row.attributes)
    values |= _fact(names, row.fact, LINK_MARK)
    return {"source_id": row.source_id, "target_id": row.target_id, "key": row.key, "values": values}


def _fact(names: Names, fact: str, mark: str) -> dict[str, str | None]:
    """What the fact index reads; nothing at all where there is no fact, which leaves the relationship out of it."""
    words = plain(fact)
    if not words:
        return {names.fact: None, names.state: None, names.kind: None}
    return {names.fact: words, names.state: LIVE, names.kind: mark}


def _count(tx: ManagedTransaction, query: str, **parameters: Any) -> int:
    return int(tx.run(query, parameters).single(strict=True)[0])
