"""Times as the stores hold them, made comparable."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

_DAY = 86_400.0


@lru_cache(maxsize=8192)
def instant(text: str | None) -> float | None:
    """Seconds since 1970 of an RFC 3339 time or a date; None for no text and for text that names no time.

    A date is its midnight and a time without a zone is UTC, as :func:`graphapi.domain.dates.parse_when` has it.
    """
    if not text:
        return None
    try:
        when = datetime.fromisoformat(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def days_between(older: float, newer: float) -> float:
    return (newer - older) / _DAY


def newest_first(text: str | None) -> float:
    """A sort key under which later times stand first and what has none stands last."""
    at = instant(text)
    return float("inf") if at is None else -at


def is_later(text: str | None, other: str | None) -> bool:
    """Whether ``text`` is strictly the later time; never where either is missing."""
    at, before = instant(text), instant(other)
    return at is not None and before is not None and at > before
