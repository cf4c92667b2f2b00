"""Dates as people write them in frontmatter, read as text and never guessed by YAML (design: project-files)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
         "sep sept september", "oct october", "nov november", "dec december"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

_ISO = re.compile(
    r"(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})"
    r"(?:[T ]+(?P<H>\d{2}):(?P<M>\d{2})(?::(?P<S>\d{2})(?:[.,]\d+)?)?\s*(?P<tz>Z|z|[+-]\d{2}:?\d{2})?)?"
)
_DAY_MONTH = re.compile(r"(?P<d>\d{1,2})(?:st|nd|rd|th)?[-/ ](?P<mon>[A-Za-z]{3,9})\.?,?[-/ ](?P<y>\d{4})")
_MONTH_DAY = re.compile(r"(?P<mon>[A-Za-z]{3,9})\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})")
_DOTTED = re.compile(r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})")


class BadDate(ValueError):
    """The text names no day that exists, or could name more than one."""


def parse_when(text: str) -> datetime:
    """An aware UTC datetime from a date or time as written; a date alone is its midnight, a naive time is UTC.

    Read: ``2026-03-01``, ``2026/03/01``, with ``T09:00:00`` and ``Z`` or ``+01:00``, ``18-Mar-2013``,
    ``18 March 2013``, ``March 18, 2013``, ``18.03.2013``. A form such as ``03/04/2013`` is two days at once and is
    refused. Raises :class:`BadDate`.
    """
    stripped = text.strip()
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY, _DOTTED):
        if found := pattern.fullmatch(stripped):
            return _build(stripped, found.groupdict())
    raise BadDate(f"{stripped!r} is not a date this engine reads; write 2026-03-01 or 2026-03-01T09:00:00Z")


def _build(text: str, parts: dict[str, str | None]) -> datetime:
    month = _MONTHS.get((parts.get("mon") or "").lower()) if "mon" in parts else int(parts["m"] or 0)
    if month is None:
        raise BadDate(f"{text!r} names no month")
    try:
        when = datetime(
            int(parts["y"] or 0), month, int(parts["d"] or 0),
            int(parts.get("H") or 0), int(parts.get("M") or 0), int(parts.get("S") or 0),
            tzinfo=_zone(parts.get("tz")),
        )  # fmt: skip
        return when.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadDate(f"{text!r} is no day of the calendar ({error})") from error


def _zone(text: str | None) -> timezone:
    if not text or text in "Zz":
        return UTC
    sign, minutes = (-1 if text[0] == "-" else 1), int(text[-2:])
    if minutes > 59:
        raise ValueError("an hour has 60 minutes")
    return timezone(sign * timedelta(hours=int(text[1:3]), minutes=minutes))


def as_text(when: datetime | None) -> str | None:
    """RFC 3339 in UTC with a fixed width, so that equal instants are equal text and order is text order."""
    if when is None:
        return None
    # strftime writes the year 47 as two digits on some platforms; isoformat never does.
    return when.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def parse_day(text: str) -> date:
    """A calendar day from any form :func:`parse_when` reads. Raises :class:`BadDate`."""
    return parse_when(text).date()


def stated_since(kind: str, created: datetime | None, updated: datetime | None) -> datetime | None:
    """Since when an artifact of ``kind`` says what it says of others.

    A note says it from the day it was captured: mending its wording later makes it no newer. A work item is edited as
    it is worked on, and what it names it may name since its last edit.
    """
    return (created or updated) if kind in ("doc", "delivery-record") else (updated or created)
