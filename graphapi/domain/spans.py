"""Days a source was and was not read over: floors, gaps, and the windows of a backfill (004 section 5, history)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Days from ``start`` to ``end``, both included."""

    start: date
    end: date

    def __str__(self) -> str:
        return f"{self.start.isoformat()}/{self.end.isoformat()}"

    @classmethod
    def parse(cls, text: str) -> Span:
        start, _, end = text.partition("/")
        return cls(date.fromisoformat(start), date.fromisoformat(end))


def joined(spans: Iterable[Span]) -> list[Span]:
    """The same days in the fewest spans, oldest first."""
    out: list[Span] = []
    for span in sorted(s for s in spans if s.start <= s.end):
        if out and span.start <= out[-1].end + ONE_DAY:
            out[-1] = Span(out[-1].start, max(out[-1].end, span.end))
        else:
            out.append(span)
    return out


def without(spans: Iterable[Span], read: Span) -> list[Span]:
    """What is left of ``spans`` once ``read`` has been read."""
    out: list[Span] = []
    for span in joined(spans):
        if read.end < span.start or read.start > span.end:
            out.append(span)
            continue
        if span.start < read.start:
            out.append(Span(span.start, read.start - ONE_DAY))
        if span.end > read.end:
            out.append(Span(read.end + ONE_DAY, span.end))
    return out


def windows(span: Span, days: int) -> list[Span]:
    """``span`` in windows of at most ``days`` days, the newest first: a backfill reads towards the past."""
    out: list[Span] = []
    end = span.end
    while end >= span.start:
        start = max(span.start, end - (days - 1) * ONE_DAY)
        out.append(Span(start, end))
        end = start - ONE_DAY
    return out
