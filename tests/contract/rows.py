"""Rows for the store's tests, every field filled so that a field a backend loses is seen."""

from __future__ import annotations

import hashlib
import json
import uuid
from typing import Any

from graphapi.domain.artifact import natural_key
from graphapi.domain.links import METHOD_RANK, link_key
from graphapi.store.port import ArtifactRow, GraphStore, LinkRow, ReadingRow, StatementRow, Tombstone

NOW = "2026-01-31T09:00:00Z"
LATER = "2026-02-28T10:30:00Z"


def _digest(values: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True, default=str).encode()).hexdigest()


def artifact(artifact_id: str, title: str = "", body: str = "", **changes: Any) -> ArtifactRow:
    values: dict[str, Any] = {
        "artifact_id": artifact_id,
        "kind": "pbi",
        "artifact_type": "story",
        "title": title,
        "body": body,
        "status": "ready",
        "provenance": "source-of-record",
        "source": "backlog",
        "source_path": f"backlog/{artifact_id}.md",
        "source_uri": f"https://tracker.example/{artifact_id}",
        "source_created_at": "2025-11-01T08:00:00Z",
        "source_updated_at": "2025-12-01T08:00:00Z",
        "metadata": {"labels": ["alpha", "é"], "points": 3, "nested": {"deep": None}},
        "withheld": False,
        "sort_key": natural_key(artifact_id),
    } | changes
    return ArtifactRow(**values, digest=_digest(values))


def link(namespace: str, source_id: str, target_id: str, relation: str = "parent", **changes: Any) -> LinkRow:
    method = changes.pop("method", relation)
    values: dict[str, Any] = {
        "source_id": source_id,
        "target_id": target_id,
        "relation": relation,
        "method": method,
        "rank": METHOD_RANK.get(method, 60),
        "fact": f"{source_id} {relation} {target_id}",
        "source": "backlog",
        "valid_at": "2025-12-01T08:00:00Z",
        "attributes": {"criteria": [1, 2]},
    } | changes
    return LinkRow(key=link_key(namespace, source_id, target_id, relation, method), **values, digest=_digest(values))


def statement(namespace: str, note_id: str, name: str, **changes: Any) -> StatementRow:
    values: dict[str, Any] = {
        "note_id": note_id,
        "type": "Decision",
        "name": name,
        "passage": f"We settled it: {name}",
        "qualifier": "for now",
        "fact": f"{note_id} states: {name}",
        "stated_at": "2025-12-05T08:00:00Z",
        "episode": "episode-1",
    } | changes
    return StatementRow(key=str(uuid.uuid5(uuid.NAMESPACE_OID, f"{namespace}|{note_id}|{name}")), **values)


def reading(key: str, artifact_id: str, read_at: str = NOW) -> ReadingRow:
    return ReadingRow(key, artifact_id, f"hash-of-{key}", read_at)


def gone(artifact_id: str, at: str = LATER, clock: str = "source-declared", note: str | None = "c0ffee") -> Tombstone:
    return Tombstone(artifact_id, at, clock, note)


def plant(store: GraphStore, namespace: str, *ids: str) -> None:
    """Artifacts by these ids, titled by their id, without a body."""
    store.upsert_artifacts(namespace, [artifact(i, title=i) for i in ids], now=NOW)


def hang(store: GraphStore, namespace: str, *pairs: tuple[str, str]) -> None:
    """Artifacts and ``parent`` links for (child, parent) pairs."""
    plant(store, namespace, *dict.fromkeys(i for pair in pairs for i in pair))
    store.link(namespace, [link(namespace, child, parent) for child, parent in pairs])
