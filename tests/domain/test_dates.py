"""Dates as people write them, and those that are none."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphapi.domain.dates import BadDate, as_text, parse_day, parse_when


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-01", "2026-03-01T00:00:00Z"),
        ("2026/3/1", "2026-03-01T00:00:00Z"),
        (" 2026-03-01 ", "2026-03-01T00:00:00Z"),
        ("2026-03-01T09:00:00", "2026-03-01T09:00:00Z"),
        ("2026-03-01 09:00", "2026-03-01T09:00:00Z"),
        ("2026-03-01T09:00:00Z", "2026-03-01T09:00:00Z"),
        ("2026-03-01t09:00:00z".upper(), "2026-03-01T09:00:00Z"),
        ("2026-03-01T09:00:00+01:00", "2026-03-01T08:00:00Z"),
        ("2026-03-01 09:00:00 -0530", "2026-03-01T14:30:00Z"),
        ("2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00Z"),
        ("2026-03-01T09:00:00.123456Z", "2026-03-01T09:00:00Z"),
        ("18-Mar-2013", "2013-03-18T00:00:00Z"),
        ("18 March 2013", "2013-03-18T00:00:00Z"),
        ("1st Sept. 2013", "2013-09-01T00:00:00Z"),
        ("March 18, 2013", "2013-03-18T00:00:00Z"),
        ("Mar 18 2013", "2013-03-18T00:00:00Z"),
        ("18.03.2013", "2013-03-18T00:00:00Z"),
        ("18. 3. 2013", "2013-03-18T00:00:00Z"),
        ("2024-02-29", "2024-02-29T00:00:00Z"),
        ("0001-01-01", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ],
)
def test_a_date_is_read_in_the_forms_people_write(text: str, expected: str) -> None:
    assert as_text(parse_when(text)) == expected
    assert parse_when(text).tzinfo is UTC


@pytest.mark.parametrize(
    "text",
    ["2024-02-30", "2023-02-29", "2026-13-01", "2026-00-10", "31-Apr-2013", "0000-01-01", "2026-03-01T24:00:00",
     "2026-03-01T09:60:00Z", "2026-03-01T09:00:00+25:00", "2026-03-01T09:00:00+01:75", "18-Foo-2013", "32.01.2013"],
)  # fmt: skip
def test_a_day_no_calendar_holds_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadDate, match=text.replace("+", r"\+")):
        parse_when(text)


@pytest.mark.parametrize(
    "text",
    ["03/04/2013", "3-4-2013", "03/04/13", "2026-03", "2026", "", "yesterday", "2026-03-01T9", "20260301",
     "2026-03-01T09:00:00 CET", "2026-03-01 and more", "12026-03-01", "1772352000"],
)  # fmt: skip
def test_a_form_that_is_two_days_or_none_is_refused_with_the_form_to_write(text: str) -> None:
    with pytest.raises(BadDate, match="2026-03-01"):
        parse_when(text)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"])
def test_an_instant_beyond_the_calendar_is_refused(text: str) -> None:
    with pytest.raises(BadDate):
        parse_when(text)


@given(st.datetimes(timezones=st.just(UTC)))
def test_the_text_of_a_time_has_one_width_sorts_as_time_and_reads_back(when: datetime) -> None:
    text = as_text(when)
    assert text is not None
    assert len(text) == 20
    assert parse_when(text) == when.replace(microsecond=0)


def test_a_day_is_read_in_any_of_the_forms() -> None:
    assert parse_day("18-Mar-2013") == date(2013, 3, 18)


@given(st.text(st.sampled_from("0123456789-/.:TZ+ MarAprilst,"), max_size=30))
def test_any_text_is_a_date_or_refused(text: str) -> None:
    try:
        parse_when(text)
    except BadDate:
        return
