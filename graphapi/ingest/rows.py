"""From what a source states to the rows of graph and ledger, and the digest that tells whether they differ."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphapi.domain.artifact import Reference, SourceArtifact, natural_key
from graphapi.domain.dates import as_text
from graphapi.domain.ids import id_tokens
from graphapi.domain.links import EXPLICIT_REF, REFERENCES
from graphapi.models import LedgerEntry, Project
from graphapi.store.port import ArtifactRow, StoredArtifact
from graphapi.store.rows import ARTIFACT

# Raised when what is derived from a file or its change log changes, so that the next pass reads everything again.
READING_VERSION = 2

Compact = list[Any]


def all_references(artifact: SourceArtifact) -> list[Compact]:
    """Declared references, then the ids its body names, each as ``[relation, method, target, attributes?]``."""
    named = [Reference(REFERENCES, EXPLICIT_REF, token) for token in id_tokens(artifact.body)]
    out: list[Compact] = []
    for reference in (*artifact.references, *named):
        if reference.target == artifact.artifact_id and reference.method == EXPLICIT_REF:
            continue
        row: Compact = [reference.relation, reference.method, reference.target]
        out.append([*row, dict(reference.attributes)] if reference.attributes else row)
    return out


def artifact_row(artifact: SourceArtifact, source: str, references: list[Compact]) -> ArtifactRow:
    """The graph's row. Its digest covers the references as well: an unchanged digest leaves nothing to be done."""
    row = ArtifactRow(
        artifact_id=artifact.artifact_id,
        kind=artifact.kind,
        artifact_type=artifact.artifact_type,
        title=artifact.title,
        body=artifact.body,
        status=artifact.status,
        provenance=artifact.provenance,
        source=source,
        source_path=artifact.source_path,
        source_uri=artifact.source_uri,
        source_created_at=as_text(artifact.source_created_at),
        source_updated_at=as_text(artifact.source_updated_at),
        metadata=artifact.metadata,
        withheld=artifact.withheld,
        sort_key=natural_key(artifact.artifact_id),
        digest="",
    )
    beside = (
        references, [f.as_json() for f in artifact.findings],
        [(str(h.at), h.action, h.by, h.detail) for h in artifact.history],
    )  # fmt: skip
    return replace(row, digest=_digest(row, *beside))


def blank_row(stored: StoredArtifact, references: list[Compact]) -> ArtifactRow:
    """The row of an artifact that is withheld: its words gone, the digest as reading it withheld gives."""
    row = ArtifactRow(**{name: getattr(stored, name) for name in ARTIFACT})
    row = replace(row, title="", body="", status=None, metadata={}, withheld=True)
    return replace(row, digest=_digest(row, references, [], []))


def _digest(row: ArtifactRow, references: list[Compact], findings: list[Any], history: list[Any]) -> str:
    parts = (
        row.source, row.kind, row.artifact_type, row.title, row.status, row.provenance, row.source_path,
        row.source_uri, row.source_created_at, row.source_updated_at, row.withheld, row.metadata, references, findings,
        history,
    )  # fmt: skip
    digest = hashlib.blake2b(digest_size=16)
    digest.update(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    digest.update(row.body.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def ledger_entry(
    project: Project, artifact: SourceArtifact, row: ArtifactRow, references: list[Compact], now: datetime
) -> LedgerEntry:
    return LedgerEntry(
        project=project,
        artifact_id=artifact.artifact_id,
        source=row.source,
        kind=artifact.kind,
        artifact_type=artifact.artifact_type,
        title=artifact.title,
        path=artifact.source_path,
        version=artifact.version,
        content_hash=artifact.content_hash,
        digest=row.digest,
        source_created_at=artifact.source_created_at,
        source_updated_at=artifact.source_updated_at,
        first_ingested_at=now,
        ingested_at=now,
        deleted_at=None,
        deleted_clock="",
        deleted_note="",
        deleted_learned_at=None,
        withheld=artifact.withheld,
        criteria_unparsed=bool(artifact.metadata.get("criteria_unparsed")),
        references=references,
        mentions=[],
        findings=[f.as_json() for f in artifact.findings],
        body_scanned=False,
        title_offered=False,
    )


def digest_of(values: Mapping[str, Any]) -> str:
    """A digest of plain data, whatever the order of its keys."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
