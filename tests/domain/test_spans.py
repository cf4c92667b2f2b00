"""Days that were and were not read."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphapi.domain.spans import Span, joined, windows, without

DAY = timedelta(days=1)
_DAYS = st.dates(date(2026, 1, 1), date(2026, 3, 1))
_SPANS = st.builds(lambda a, b: Span(min(a, b), max(a, b)), _DAYS, _DAYS)


def days(spans: list[Span]) -> set[date]:
    return {s.start + n * DAY for s in spans for n in range((s.end - s.start).days + 1)}


def test_a_span_is_text_and_reads_back() -> None:
    span = Span(date(2026, 1, 1), date(2026, 1, 31))
    assert str(span) == "2026-01-01/2026-01-31"
    assert Span.parse(str(span)) == span


def test_days_that_touch_are_one_span() -> None:
    a, b = Span(date(2026, 1, 1), date(2026, 1, 3)), Span(date(2026, 1, 4), date(2026, 1, 5))
    assert joined([b, a]) == [Span(date(2026, 1, 1), date(2026, 1, 5))]


def test_a_span_that_ends_before_it_begins_is_none() -> None:
    assert joined([Span(date(2026, 1, 2), date(2026, 1, 1))]) == []


@given(st.lists(_SPANS, max_size=6))
def test_joining_keeps_every_day_and_leaves_the_fewest_spans(spans: list[Span]) -> None:
    out = joined(spans)
    assert days(out) == days(spans)
    assert all(a.end + DAY < b.start for a, b in zip(out, out[1:], strict=False))


@given(st.lists(_SPANS, max_size=6), _SPANS)
def test_what_was_read_is_no_longer_unread_and_nothing_else_is(spans: list[Span], read: Span) -> None:
    assert days(without(spans, read)) == days(spans) - days([read])


@given(_SPANS, st.integers(1, 40))
def test_windows_cover_a_span_once_the_newest_first(span: Span, size: int) -> None:
    out = windows(span, size)
    assert days(out) == days([span])
    assert all((w.end - w.start).days < size for w in out)
    assert all(later.start == earlier.end + DAY for later, earlier in zip(out, out[1:], strict=False))
