"""Rows for the ranking tests: a story or a note in one call, with what the signals read of it."""

from __future__ import annotations

from typing import Any

from graphapi.ranking.retrieval import KEYWORD, Candidate, Fused, Leg

TYPES = {
    "STORY": ("pbi", "story"),
    "DEC": ("doc", "decision"),
    "CONV": ("doc", "conversation"),
    "code": ("commit", None),
}


def row(key: str, created: str | None = None, **changed: Any) -> Candidate:
    """A live source-of-record row without links; its kind follows from its id's family."""
    kind, artifact_type = TYPES.get(key.split("-")[0].split("@")[0], ("doc", "reference"))
    fields: dict[str, Any] = {
        "key": key, "artifact_id": key, "kind": kind, "artifact_type": artifact_type, "provenance": "source-of-record",
        "dated": created, "created": created, "links": 0, "superseded": False, "speaks_of_criteria": False,
    }  # fmt: skip
    return Candidate(**(fields | changed))


def table(*rows: Candidate) -> dict[Any, Candidate]:
    return {candidate.key: candidate for candidate in rows}


def level(*rows: Candidate) -> list[Fused]:
    """These rows, all with the fused score 1."""
    return [Fused(candidate.key, 1.0, KEYWORD, place) for place, candidate in enumerate(rows, start=1)]


def leg(*keys: str, weight: float = 1.0, method: str = KEYWORD) -> Leg:
    return Leg(method, weight, keys)
