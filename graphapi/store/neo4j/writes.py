"""What changes the graph. Each function is one batch, in the transaction it is given, and bears to be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from operator import attrgetter
from typing import Any

from neo4j import ManagedTransaction

from graphapi.store.neo4j.schema import MARK, STATE, TEXT, Names
from graphapi.store.port import (
    SOURCE_WITHDRAWN,
    STATEMENT_RANK,
    TITLE_WEIGHT,
    WITHDRAWN,
    ArtifactRow,
    FactKind,
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
SET a += r, a:$($label), a.deleted = false, a.deleted_at = null, a.deleted_clock = null, a.deleted_note = null
RETURN count(a)"""
_LINKS = """UNWIND $rows AS r
MATCH (s:Artifact {group_id: $g, artifact_id: r.source_id})
MATCH (t:Artifact {group_id: $g, artifact_id: r.target_id})
MERGE (s)-[l:LINK {group_id: $g, key: r.key}]->(t)
SET l += r.values, l.invalid_at = null, l.invalid_reason = null
RETURN collect(l.key)"""
_STATEMENTS = """UNWIND $rows AS r
MATCH (n:Artifact {group_id: $g, artifact_id: r.note_id})
MERGE (s:Statement {group_id: $g, key: r.key})
REMOVE s:Decision:Assumption:Constraint
SET s:$(r.type), s += r, s.retired_at = null, s.retired_reason = null
MERGE (n)-[e:STATES {group_id: $g, key: r.key}]->(s)
SET e.fact = r.fact, e.stated_at = r.stated_at
RETURN collect(s.key)"""
_READINGS = """UNWIND $rows AS r
MERGE (x:Reading {group_id: $g, key: r.key})
SET x += r, x.retired_at = null, x.retired_reason = null
RETURN count(x)"""
_FACTS = """UNWIND $rows AS r
MERGE (f:Fact {group_id: $g, kind: r.kind, key: r.key})
SET f += r, f:$($label), f.invalid_at = null
RETURN count(f)"""
_NO_FACTS = """UNWIND $keys AS key
MATCH (f:Fact {group_id: $g, kind: $kind, key: key}) DELETE f
RETURN count(f)"""
_TOMBSTONE = f"""UNWIND $rows AS r
MATCH (a:Artifact {{group_id: $g, artifact_id: r.artifact_id}})
SET a += r, a.deleted = true, a.{STATE} = $ended
WITH a, r
CALL (a, r) {{
    MATCH (a)-[l:LINK]->() WHERE l.invalid_at IS NULL
    SET l.invalid_at = r.deleted_at, l.invalid_reason = $link_reason
}}
CALL (a, r) {{
    MATCH (a)-[:STATES]->(s:Statement) WHERE s.retired_at IS NULL
    SET s.retired_at = r.deleted_at, s.retired_reason = $reason
}}
CALL (r) {{
    MATCH (f:Fact {{group_id: $g, source_id: r.artifact_id}}) WHERE f.invalid_at IS NULL
    SET f.invalid_at = r.deleted_at, f.{STATE} = $ended
}}
CALL (r) {{
    MATCH (x:Reading {{group_id: $g, artifact_id: r.artifact_id}}) WHERE x.retired_at IS NULL
    SET x.retired_at = r.deleted_at, x.retired_reason = $reason
}}
RETURN count(a)"""
_RETIRE = {
    "links": """UNWIND $keys AS key
        MATCH ()-[l:LINK {group_id: $g, key: key}]->() USING INDEX l:LINK(group_id, key)
        WHERE l.invalid_at IS NULL SET l.invalid_at = $at, l.invalid_reason = $reason
        RETURN count(l)""",
    "statements": """UNWIND $keys AS key
        MATCH (s:Statement {group_id: $g, key: key})
        WHERE s.retired_at IS NULL SET s.retired_at = $at, s.retired_reason = $reason
        RETURN count(s)""",
    "readings": """UNWIND $keys AS key
        MATCH (x:Reading {group_id: $g, key: key})
        WHERE x.retired_at IS NULL SET x.retired_at = $at, x.retired_reason = $reason
        RETURN count(x)""",
}
_RETIRE_FACTS = f"""UNWIND $keys AS key
MATCH (f:Fact {{group_id: $g, kind: $kind, key: key}})
WHERE f.invalid_at IS NULL SET f.invalid_at = $at, f.{STATE} = $ended
RETURN count(f)"""
_FACT_KINDS: dict[str, FactKind] = {"links": "link", "statements": "statement"}


def upsert_artifacts(tx: ManagedTransaction, namespace: str, rows: Sequence[ArtifactRow], now: str) -> int:
    return _count(
        tx, _UPSERT, g=namespace, now=now, label=Names(namespace).text_label, rows=[_artifact(row) for row in rows]
    )


def tombstone(tx: ManagedTransaction, namespace: str, rows: Sequence[Tombstone]) -> int:
    return _count(
        tx,
        _TOMBSTONE,
        g=namespace,
        rows=[asdict(row) for row in rows],
        ended=ENDED,
        link_reason=SOURCE_WITHDRAWN,
        reason=WITHDRAWN,
    )


def put_links(tx: ManagedTransaction, namespace: str, rows: Sequence[LinkRow]) -> int:
    written = set(_one(tx, _LINKS, g=namespace, rows=[_link(row) for row in rows]))
    facts = [
        _fact("link", r.key, r.fact, r.source_id, r.target_id, r.relation, r.method, r.rank)
        for r in rows
        if r.key in written
    ]
    _put_facts(tx, namespace, "link", facts)
    return len(written)


def put_statements(tx: ManagedTransaction, namespace: str, rows: Sequence[StatementRow]) -> int:
    values = [{name: getattr(row, name) for name in STATEMENT} for row in rows]
    written = set(_one(tx, _STATEMENTS, g=namespace, rows=values))
    facts = [
        _fact("statement", r.key, r.fact, r.note_id, r.key, "states", r.type, STATEMENT_RANK)
        for r in rows
        if r.key in written
    ]
    _put_facts(tx, namespace, "statement", facts)
    return len(written)


def put_readings(tx: ManagedTransaction, namespace: str, rows: Sequence[ReadingRow]) -> int:
    return _count(tx, _READINGS, g=namespace, rows=[asdict(row) for row in rows])


def retire(tx: ManagedTransaction, namespace: str, what: str, keys: Sequence[str], at: str, reason: str) -> int:
    """End the live ``links``, ``statements`` or ``readings`` that ``keys`` name; how many there were."""
    retired = _count(tx, _RETIRE[what], g=namespace, keys=list(keys), at=at, reason=reason)
    if kind := _FACT_KINDS.get(what):
        _count(tx, _RETIRE_FACTS, g=namespace, kind=kind, keys=list(keys), at=at, ended=ENDED)
    return retired


def _artifact(row: ArtifactRow) -> dict[str, Any]:
    values = dict(zip(ARTIFACT, _artifact_values(row), strict=True))
    values["metadata"] = json_text(row.metadata)
    # One property holds title and body, the title as often as it weighs: two would be scored apart and added up,
    # which lets a word's second field count as much as its first. This is the sum SQLite's bm25() makes of columns.
    values[TEXT] = f"{' '.join([plain(row.title)] * round(TITLE_WEIGHT))} {plain(row.body)}"
    values[STATE] = LIVE
    values[MARK] = kind_mark(row.kind)
    return values


def _link(row: LinkRow) -> dict[str, Any]:
    values = dict(zip(_LINK, _link_values(row), strict=True))
    values["attributes"] = json_text(row.attributes)
    return {"source_id": row.source_id, "target_id": row.target_id, "key": row.key, "values": values}


def _fact(
    kind: FactKind, key: str, fact: str, source_id: str, target_id: str, relation: str, method: str, rank: int
) -> dict[str, Any]:
    """The fact's node, as a search answers it: beside the link or the statement, so that a hit needs no second look."""
    return {
        "kind": kind, "key": key, "fact": fact, "source_id": source_id, "target_id": target_id, "relation": relation,
        "method": method, "rank": rank, TEXT: plain(fact), STATE: LIVE,
        MARK: LINK_MARK if kind == "link" else STATEMENT_MARK,
    }  # fmt: skip


def _put_facts(tx: ManagedTransaction, namespace: str, kind: FactKind, facts: Sequence[dict[str, Any]]) -> None:
    """Write the facts there are; a row that states none has no node, since any node in the index lends weight."""
    blank = [fact["key"] for fact in facts if not fact[TEXT]]
    if blank:
        _count(tx, _NO_FACTS, g=namespace, kind=kind, keys=blank)
    stated = [fact for fact in facts if fact[TEXT]]
    if stated:
        _count(tx, _FACTS, g=namespace, label=Names(namespace).fact_label, rows=stated)


def _count(tx: ManagedTransaction, query: str, **parameters: Any) -> int:
    return int(_one(tx, query, **parameters))


def _one(tx: ManagedTransaction, query: str, **parameters: Any) -> Any:
    return tx.run(query, parameters).single(strict=True)[0]
