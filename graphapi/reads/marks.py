"""What a row says of an artifact wherever it is served: the marks it never loses, the compact row (004 section 2b)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graphapi.domain.artifact import SOURCE_OF_RECORD
from graphapi.domain.criteria import fingerprint, read_criteria
from graphapi.domain.links import PARENT, REVISES, SUPERSEDES
from graphapi.reads.budget import CAP, cut
from graphapi.reads.corpus import Corpus, Edge, Group, Key
from graphapi.store.port import StoredArtifact

# Relations a row's marks are read from: asked for whole, since a mark is never a sample.
MARKING = (SUPERSEDES, REVISES, PARENT)
REVISIONS_LISTED = 20
# A value longer than this is left out of a row, whole, and named: one row may not eat an answer.
VALUE_ROOM = 2000
ROW_ROOM = "row-room"


def arriving(groups: Iterable[Group], relation: str) -> list[Edge]:
    """The live links of ``relation`` that others state of this artifact, newest first, then by id."""
    edges = [e for g in groups if g.direction == "in" and g.relation == relation for e in g.edges]
    live = [e for e in edges if e.row.invalid_at is None]
    live.sort(key=lambda e: (e.source.artifact_id, e.source.place))
    live.sort(key=lambda e: e.row.valid_at or "", reverse=True)
    return live


def leaving(groups: Iterable[Group], relation: str) -> list[Edge]:
    """The live links of ``relation`` that this artifact states."""
    edges = [e for g in groups if g.direction == "out" and g.relation == relation for e in g.edges]
    return [e for e in edges if e.row.invalid_at is None]


def superseded_by(groups: Iterable[Group]) -> str | None:
    """The id of the newest live record that a source says took this one's place."""
    successors = arriving(groups, SUPERSEDES)
    return successors[0].source.artifact_id if successors else None


def parent_of(artifact: StoredArtifact, groups: Iterable[Group]) -> str | None:
    """The parent the source records: the linked one, else the id as written, which nothing here answers to."""
    linked = leaving(groups, PARENT)
    if linked:
        return linked[0].target.artifact_id
    written = artifact.metadata.get("parent")
    return written if isinstance(written, str) and written else None


def revisions(artifact: StoredArtifact, groups: Iterable[Group]) -> dict[str, Any]:
    """``revised_by`` of a work item: one entry a revising note, newest first. Nothing where nobody revises it."""
    edges = arriving(groups, REVISES)
    if not edges:
        return {}
    criteria = read_criteria(artifact.body).items
    out: dict[str, Any] = {"revised_by": [_revision(edge, criteria) for edge in edges[:REVISIONS_LISTED]]}
    if len(edges) > REVISIONS_LISTED:
        note = "the newest; the full record's links have all"
        out["revised_by_truncated"] = cut(CAP, len(edges), REVISIONS_LISTED, note)
    return out


def _revision(edge: Edge, criteria: Sequence[str]) -> dict[str, Any]:
    row: dict[str, Any] = {"id": edge.source.artifact_id}
    positions = list(edge.row.attributes.get("criteria") or ())
    if positions:
        row["criteria"] = positions
    if prints := edge.row.attributes.get("criteria_fp"):
        now = [fingerprint(criteria[p - 1]) if p <= len(criteria) else None for p in positions]
        row["criterion_changed"] = now != list(prints)
    return row


def deletion(artifact: StoredArtifact) -> dict[str, Any]:
    """The deletion marks, each where it is known; nothing on a live artifact. A date without a clock is a found one."""
    if not artifact.deleted:
        return {}
    marks: dict[str, Any] = {"deleted": True}
    if artifact.deleted_at:
        marks["deleted_at"] = artifact.deleted_at
        marks["deleted_clock"] = artifact.deleted_clock or "found"
    if artifact.deleted_note:
        marks["deleted_note"] = artifact.deleted_note
    return marks


def marks(artifact: StoredArtifact, groups: Iterable[Group]) -> dict[str, Any]:
    """``superseded_by``, ``discard_reason``, the deletion marks, ``provenance`` unless source-of-record.

    ``withheld`` says why a row has no words: they are held nowhere.
    """
    out: dict[str, Any] = {"withheld": True} if artifact.withheld else {}
    if successor := superseded_by(groups):
        out["superseded_by"] = successor
    reason = artifact.metadata.get("discard_reason")
    if isinstance(reason, str) and reason:
        out["discard_reason"] = reason
    out |= deletion(artifact)
    if artifact.provenance != SOURCE_OF_RECORD:
        out["provenance"] = artifact.provenance
    return out


def compact_row(
    corpus: Corpus, key: Key, artifact: StoredArtifact, groups: Sequence[Group], *, parent: bool
) -> dict[str, Any]:
    """A backlog row (``parent``) or a branch node: the five keys, and each mark where it applies."""
    row: dict[str, Any] = {"artifact_id": key.artifact_id, **corpus.label(key)}
    row |= {"title": artifact.title, "status": artifact.status}
    row |= {"artifact_type": artifact.artifact_type} if artifact.artifact_type else {"kind": artifact.kind}
    row["source_updated_at"] = artifact.source_updated_at
    if parent and (above := parent_of(artifact, groups)):
        row["parent"] = above
    return bounded(row | marks(artifact, groups))


def bounded(row: dict[str, Any]) -> dict[str, Any]:
    """``row`` without texts too long for a row, each named: nothing is cut in the middle."""
    long = [k for k, v in row.items() if isinstance(v, str) and len(v) > VALUE_ROOM]
    if not long:
        return row
    kept = {k: v for k, v in row.items() if k not in long}
    kept["row_truncated"] = cut(ROW_ROOM, len(row), len(kept), "get_artifact on the id serves it", keys=long)
    return kept


def dated(artifact: StoredArtifact) -> str | None:
    """The time an artifact's age is counted from: when it was captured, else when its source last changed it."""
    return artifact.source_created_at if "captured_at" in artifact.metadata else artifact.source_updated_at
