"""What ``get_scope(question='deltas')`` answers (004 section 2b)."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class ChangeRow(TypedDict):
    """One change. ``at`` is on ``clock``; a ``revised`` row that is one commit has that commit and, as ``edit_date``,
    the time the source's own log gives it, which is on the source clock whichever was asked for. A ``deleted`` row,
    and any row of an artifact that is gone, carries the deletion marks."""

    artifact_id: str
    project: NotRequired[str]
    title: str
    kind: str
    artifact_type: NotRequired[str]
    change: Literal["created", "revised", "deleted"]
    at: str
    clock: Literal["source", "ingest"]
    edit_date: NotRequired[str]
    edit_clock: NotRequired[Literal["source"]]
    commit: NotRequired[str]
    withheld: NotRequired[bool]
    deleted: NotRequired[bool]
    deleted_at: NotRequired[str]
    deleted_clock: NotRequired[str]
    deleted_note: NotRequired[str]


class Undated(TypedDict):
    """Changes that the clock asked for cannot place: an artifact whose source declares no time, an edit nobody
    committed, a deletion its source did not date. They are in no window."""

    count: int
    listed: list[dict[str, Any]]
    truncated: NotRequired[dict[str, Any]]


class Deltas(TypedDict):
    """Keys beside the stamps. ``scope`` is ``{"artifact_id", "members", "linked", …}`` or ``{"whole": true}``;
    ``counts`` are of the whole window, whatever was cut from ``changes``, which go oldest first.
    ``external_references`` counts the distinct ids that sources in the scope name and that were never ingested."""

    project: NotRequired[str]
    projects: NotRequired[list[str]]
    scope: dict[str, Any]
    clock: Literal["source", "ingest"]
    window: dict[str, str | None]
    provenance: dict[str, bool]
    edits: dict[str, bool]
    links: dict[str, bool]
    counts: dict[str, int]
    changes: list[ChangeRow]
    undated: Undated
    external_references: dict[str, int]
    truncated_changed: NotRequired[dict[str, Any]]
