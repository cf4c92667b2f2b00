"""What a branch serves, and what every answer may carry (004 sections 2b and 5)."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class Stamps(TypedDict):
    """What each answer says of its age and reach. An answer over several projects has each one's under its name."""

    project: NotRequired[str]
    projects: NotRequired[list[str]]
    freshness: NotRequired[dict[str, Any]]
    history: NotRequired[dict[str, Any]]
    context_health: NotRequired[dict[str, Any]]
    withheld: NotRequired[dict[str, Any]]


class CompactRow(TypedDict):
    """A backlog row or a branch node. ``kind`` stands where there is no type; the marks only where they apply."""

    artifact_id: str
    project: NotRequired[str]
    title: str
    status: str | None
    artifact_type: NotRequired[str]
    kind: NotRequired[str]
    source_updated_at: str | None
    parent: NotRequired[str]
    superseded_by: NotRequired[str]
    discard_reason: NotRequired[str]
    deleted: NotRequired[bool]
    deleted_at: NotRequired[str]
    deleted_clock: NotRequired[str]
    deleted_note: NotRequired[str]
    provenance: NotRequired[str]
    row_truncated: NotRequired[dict[str, Any]]


class BranchNode(CompactRow):
    """A compact row with its level beneath the root, which is 0, and the node it was reached from as ``parent``."""

    depth: int


class RollupGroup(TypedDict):
    count: int
    ids: list[str]


class Rollup(TypedDict):
    """Each status (``none`` where there is none) and each type (its kind where it has none) with who has it."""

    status: dict[str, RollupGroup]
    type: dict[str, RollupGroup]


class BranchKeys(Stamps):
    """``nodes`` is flat, in the order of the walk, the root first. ``withdrawn`` is a cut with the ``ids`` of what is
    gone; each of ``cycles`` goes from an artifact down to the one that names it as its own child."""

    artifact_id: str
    deleted: NotRequired[bool]
    deleted_at: NotRequired[str]
    deleted_clock: NotRequired[str]
    deleted_note: NotRequired[str]
    depth: NotRequired[int]
    depth_source: NotRequired[str]
    nodes: NotRequired[list[BranchNode]]
    rollup: NotRequired[Rollup]
    rollup_truncated: NotRequired[dict[str, Any]]
    inferred: NotRequired[dict[str, Any]]
    truncated: NotRequired[dict[str, Any]]
    cycles: NotRequired[list[list[str]]]
    cycles_truncated: NotRequired[dict[str, Any]]
    withdrawn: NotRequired[dict[str, Any]]
