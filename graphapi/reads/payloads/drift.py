"""What ``get_scope(question='drift')`` answers (004 section 2b)."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class DriftRow(TypedDict):
    """One item. ``record`` is the newest delivery record of it that the answer is about; ``record_deleted`` where that
    record is withdrawn, ``deleted`` and its clock where the item is."""

    artifact_id: str
    project: NotRequired[str]
    title: str
    status: NotRequired[str | None]
    record: NotRequired[str]
    delivered_at: NotRequired[str]
    delivered_at_from: NotRequired[str]
    """``git``: the record states no time, so this is when git first had it."""
    record_deleted: NotRequired[bool]
    deleted: NotRequired[bool]
    deleted_at: NotRequired[str]
    deleted_clock: NotRequired[str]
    deleted_note: NotRequired[str]


class DepartureRow(DriftRow):
    """One departed verdict, as whoever shipped gave it."""

    criterion: NotRequired[Any]
    """The 1-based position, or what the record has in its place."""
    criterion_declared: NotRequired[bool]
    """Only when false: the item declares no criterion at that position."""
    text: NotRequired[Any]
    """The wording quoted at delivery; never the item's present one."""
    verdict: str
    reason: NotRequired[Any]
    decided_by: NotRequired[Any]
    held_later: NotRequired[str]
    """The record that later ruled the same criterion held."""


class CleanRow(DriftRow):
    criteria: int
    """How many criteria the item declares; every one is ruled and none stands departed."""


class UnruledRow(DriftRow):
    """Delivered, with declared criteria that no record rules; ``criteria`` are their 1-based positions. ``withheld``:
    the words of the item or of a record of it are, so that what it declares or what was ruled cannot be read."""

    criteria: list[int]
    withheld: NotRequired[bool]


class NoCriteriaRow(DriftRow):
    """Delivered against no declared criteria. ``shipped`` is the record's own note of what did."""

    shipped: NotRequired[str]
    criteria_unparsed: NotRequired[bool]


class DoneRow(DriftRow):
    """Done with no record. ``done_at`` is the flip its own review log states, in the window where one was given."""

    done_at: NotRequired[str]


class Drift(TypedDict):
    """Keys beside the stamps. ``scope`` is ``{"artifact_id", "members", …}`` or ``{"whole": true}``; ``window`` and
    ``undated`` only where a window was asked for; a list that was cut has ``truncated_<list>`` beside it."""

    project: NotRequired[str]
    projects: NotRequired[list[str]]
    scope: dict[str, Any]
    window: NotRequired[dict[str, str | None]]
    provenance: dict[str, bool]
    counts: dict[str, int]
    departures: list[DepartureRow]
    done_without_record: list[DoneRow]
    unruled: list[UnruledRow]
    no_criteria_declared: list[NoCriteriaRow]
    clean: list[CleanRow]
    undated: NotRequired[dict[str, int]]
    truncated_departures: NotRequired[dict[str, Any]]
    truncated_done_without_record: NotRequired[dict[str, Any]]
    truncated_unruled: NotRequired[dict[str, Any]]
    truncated_no_criteria_declared: NotRequired[dict[str, Any]]
    truncated_clean: NotRequired[dict[str, Any]]
