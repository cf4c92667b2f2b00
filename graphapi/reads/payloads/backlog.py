"""What ``list_backlog`` serves (004 section 2b, compact rows; section 5, paging)."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from graphapi.reads.payloads.branch import CompactRow, Stamps


class OutsideRow(TypedDict):
    """``kind`` is the source's own word; ``why`` is ``untyped``, or ``unmapped`` with the ``native_type``."""

    artifact_id: str
    title: str
    kind: str
    why: str
    native_type: NotRequired[str]
    labels: NotRequired[list[str]]


class OutsideBlock(TypedDict):
    count: int
    items: list[OutsideRow]


class BacklogPayload(Stamps):
    """``items`` in natural order of their ids; ``next_cursor`` where there are more. ``outside_backlog`` is keyed by
    project where several are named, and its cut counts them together."""

    items: list[CompactRow]
    next_cursor: NotRequired[str]
    truncated: NotRequired[dict[str, Any]]
    outside_backlog: OutsideBlock | dict[str, OutsideBlock]
    outside_backlog_truncated: NotRequired[dict[str, Any]]
    values_truncated: NotRequired[dict[str, Any]]
