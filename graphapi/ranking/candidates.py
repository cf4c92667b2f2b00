"""What ranking takes and hands back: rows by an opaque key, with what is known of each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from graphapi.ranking.moments import is_later

Key = Hashable

# Notes that bind until something supersedes them: they do not age.
BINDING_TYPES = frozenset({"decision", "constraint", "assumption"})


@dataclass(frozen=True, slots=True)
class Leg:
    """One search's rows, best first. ``method`` is what a row found by it says, ``weight`` its share."""

    method: str
    weight: float
    keys: Sequence[Key]


@dataclass(frozen=True, slots=True)
class Fused:
    """A row of the fused order. ``place`` counts from 1."""

    key: Key
    score: float
    method: str
    place: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A row of the weighed order: its fused score times the six signals."""

    key: Key
    score: float
    method: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the signals and the order rules read of one row; times are RFC 3339 text.

    ``dated`` is what recency measures, ``created`` what decides which of two records is the later one. ``links`` is
    the number of declared links. ``speaks_of_criteria``: see :func:`graphapi.ranking.row_order.speaks_of_criteria`.
    """

    key: Key
    artifact_id: str
    kind: str
    artifact_type: str | None
    provenance: str
    dated: str | None
    created: str | None
    links: int
    superseded: bool
    speaks_of_criteria: bool

    @property
    def is_decision(self) -> bool:
        return self.kind == "doc" and self.artifact_type == "decision"

    @property
    def binds(self) -> bool:
        return self.kind == "doc" and self.artifact_type in BINDING_TYPES

    def is_later_than(self, other: Candidate) -> bool:
        return is_later(self.created, other.created)
