"""Times on a page: how long ago, with the exact time where the reader points."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graphapi.templatetags.moments import ago, day, moment

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("back", "said"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=60), "1 minute ago"),
        (timedelta(minutes=119), "1 hour ago"),
        (timedelta(hours=47), "1 day ago"),
        (timedelta(days=3), "3 days ago"),
        (timedelta(days=65), "2 months ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(days=-1), "just now"),
    ],
)
def test_a_time_reads_as_the_largest_unit_that_fits(back, said) -> None:
    assert ago(NOW - back, NOW) == said


def test_the_exact_time_is_kept_and_nothing_stays_nothing() -> None:
    shown = moment("2020-01-02T03:04:05Z")
    assert (
        'datetime="2020-01-02T03:04:05Z"' in shown
        and 'title="2020-01-02 03:04:05 UTC, ' in shown
        and "years ago" in shown
    )
    assert moment(None) == moment("") == ""


def test_rows_that_are_compared_show_the_day_and_what_is_no_time_is_shown_as_it_stands() -> None:
    assert ">2020-01-02</time>" in day("2020-01-02T03:04:05Z") and "years ago" in day("2020-01-02T03:04:05Z")
    assert moment("soon") == day("soon") == "soon"
