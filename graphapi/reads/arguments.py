"""Arguments that several reads take, checked once: each refusal names the argument, the value and what would do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from graphapi.domain.artifact import KINDS
from graphapi.domain.dates import BadDate, as_text, parse_when
from graphapi.domain.refusals import BadArguments
from graphapi.store.port import Deleted

LONGEST_QUERY = 4000


def deleted_state(deleted: str | None) -> Deleted:
    """Absent excludes deleted work, ``include`` reads it beside the live, ``only`` reads it alone."""
    if deleted is None:
        return "exclude"
    if deleted == "include":
        return "include"
    if deleted == "only":
        return "only"
    raise BadArguments(f"deleted={deleted!r} is neither 'include' nor 'only'", fix="leave it out, or give one of them")


def widens(inferred: str | None) -> bool:
    """Whether the whole inferred half was asked for."""
    if inferred not in (None, "all"):
        raise BadArguments(f"inferred={inferred!r} is no value of it", fix="leave it out, or give inferred='all'")
    return inferred == "all"


def within(name: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadArguments(
            f"{name}={value!r} is outside {low} to {high}", fix=f"give a whole number from {low} to {high}"
        )
    return value


def words_of(name: str, value: Any) -> str:
    """A text argument with something in it, of a length that is a question rather than a document."""
    if not isinstance(value, str) or not value.strip():
        raise BadArguments(f"{name} is empty", fix="say in words what to look for")
    if len(value) > LONGEST_QUERY:
        raise BadArguments(f"{name} is {len(value)} characters long", fix=f"ask in {LONGEST_QUERY} characters or fewer")
    return value.strip()


def kinds_of(kind: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """Kinds to search among; None for all of them."""
    if kind is None:
        return None
    wanted = (kind,) if isinstance(kind, str) else tuple(kind)
    if strange := [k for k in wanted if k not in KINDS]:
        raise BadArguments(
            f"kind={', '.join(map(repr, strange))} is no kind of artifact", fix=f"name any of: {', '.join(KINDS)}"
        )
    return wanted


def moment(name: str, value: str | None) -> str | None:
    """An end of a window as the stores write times; a date alone is its midnight in UTC."""
    if value is None:
        return None
    try:
        return as_text(parse_when(value))
    except BadDate as error:
        raise BadArguments(f"{name}: {error}", fix="write 2026-03-01 or 2026-03-01T09:00:00Z") from None


def window(since: str | None, until: str | None) -> tuple[str | None, str | None]:
    """A half-open window: ``since`` belongs to it, ``until`` does not. Either end may be open."""
    begin, end = moment("since", since), moment("until", until)
    if begin is not None and end is not None and begin >= end:
        raise BadArguments(f"since={since!r} is not before until={until!r}", fix="give a window that holds some time")
    return begin, end


Clock = Literal["source", "ingest"]


def clock_of(clock: str | None) -> Clock:
    if clock in (None, "source"):
        return "source"
    if clock == "ingest":
        return "ingest"
    raise BadArguments(
        f"clock={clock!r} is neither 'source' nor 'ingest'", fix="name the clock to measure the window on"
    )


def now_text() -> str:
    return as_text(datetime.now(UTC)) or ""
