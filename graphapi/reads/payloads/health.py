"""What ``context_health`` serves (004 section 2)."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class SourceRow(TypedDict):
    """How the last reading of a source went, with that reading's counts (``listed``, ``written``, …) beside it."""

    source: str
    last_read_at: str | None
    landed: bool
    complete: bool
    listed: NotRequired[int]
    error: NotRequired[str]
    floor: NotRequired[str]
    gaps: NotRequired[list[str]]
    partial: NotRequired[bool]


class HistoryRow(TypedDict):
    """How far back a source was read; a ``floor`` of null is its beginning."""

    floor: str | None
    declared_floor: str | None
    gaps: list[str]
    partial: bool


class CaptureState(TypedDict):
    """``state``: ``landed``, ``pending``, ``failed`` or ``unknown``. ``landed_by``: a later pass that read the same."""

    handle: str
    state: str
    finished_at: NotRequired[str | None]
    landed_by: NotRequired[str]
    pending_elsewhere: NotRequired[bool]
    runner: NotRequired[str]
    error: NotRequired[str]


class HealthPayload(TypedDict):
    """An answer about one project. One over several has every key but ``projects`` and ``capture`` by project name.

    ``history`` has a row for every source, in place of the floors that other answers carry under that key.
    """

    project: NotRequired[str]
    projects: NotRequired[list[str]]
    capture: NotRequired[CaptureState]
    sources: list[SourceRow]
    sources_truncated: NotRequired[dict[str, Any]]
    corpus_revision: str
    last_pass: dict[str, Any] | None
    watching: bool
    queued: int
    artifacts: dict[str, Any]
    unresolved: dict[str, Any]
    outside_backlog: dict[str, Any]
    history: dict[str, HistoryRow]
    freshness: dict[str, Any]
    context_health: NotRequired[dict[str, Any]]
    withheld: NotRequired[dict[str, Any]]
    values_truncated: NotRequired[dict[str, Any]]
