"""The artifact's own words: the passage around what matched, and the summary."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphapi.ranking.passages import CUT, PASSAGE_CHARACTERS, passage, summary
from graphapi.ranking.words import carried, stem, stems

FILLER = "lorem ipsum dolor sit amet consectetur " * 30
_SAID = ["berth", "Booked", "mooring", "fee", "lorem", "é", "naïve", "a", "\n\n", "-", "cafés", "Document:"]
_ODD = ["(id: DEC-1)", "x" * 50, "STORY-001", "…", "🙂", "\nDocument: Quay (id: A)\n"]
WORDS = st.sampled_from(_SAID + _ODD)


def served(body: str, query: str, width: int = 320) -> str:
    found = passage(body, stems(query), width=width)
    assert found is not None
    return found


@pytest.mark.requirement("passages.window")
def test_the_window_is_where_most_distinct_words_of_the_query_stand() -> None:
    body = f"A berth, a berth, a berth. {FILLER} The mooring fee of a berth. {FILLER}"
    text = served(body, "berth mooring fee")
    assert "The mooring fee of a berth." in text
    assert text.startswith(CUT) and text.endswith(CUT)
    assert len(text.strip(CUT)) <= 320


@pytest.mark.requirement("passages.window")
def test_among_equal_windows_more_hits_win_and_then_the_earlier_one() -> None:
    body = f"berth one {FILLER} berth two berth {FILLER} berth three berth {FILLER}"
    assert "berth two berth" in served(body, "berth")
    assert "berth one" in served(f"berth one {FILLER} berth two {FILLER}", "berth")


@pytest.mark.requirement("passages.stopwords")
def test_common_words_of_the_query_choose_no_window() -> None:
    body = f"{'why is the on is the on why is the ' * 9}{FILLER}A page bound to loopback.{FILLER}"
    assert "page bound to loopback" in served(body, "why is the page on loopback")


@pytest.mark.requirement("passages.stopwords")
def test_one_telling_word_outdoes_any_number_of_common_ones() -> None:
    body = f"What should we do about it when they would? {FILLER} The page. {FILLER}"
    assert "The page." in served(body, "what should we do when they would page about it")


def test_a_query_of_common_words_alone_still_finds_its_window() -> None:
    assert "should" in served(FILLER + "what should come" + FILLER, "what should")
    assert "should" in served(FILLER + "what should come" + FILLER, "what should zeppelin")


@pytest.mark.requirement("passages.stem")
@pytest.mark.parametrize("written", ["booked", "booking", "Booking", "BOOKS", "bookings"])
def test_the_window_is_found_by_stem(written: str) -> None:
    assert written in served(f"{FILLER}they {written} it {FILLER}", "bookings")


@pytest.mark.parametrize("written", ["cafés", "cafe\u0301", "CAFÉ", "Café", "cafe"])
def test_the_window_is_found_accents_aside(written: str) -> None:
    assert written in served(f"{FILLER}in the {written} there {FILLER} ≠", "cafe")
    assert passage(f"the é{written}", stems("cafe")) is None
    assert passage(f"the e\u0301{written}", stems("cafe")) is None


@pytest.mark.requirement("passages.no-envelope")
def test_an_envelope_line_is_never_in_a_passage_nor_beneath_a_window() -> None:
    envelope = "Document: The zeppelin berth (id: DEC-007)"
    body = f"{envelope}\nThe berth is free.\n{envelope}\r\nThe mooring fee.\n  {envelope}  \n"
    assert passage(body, stems("zeppelin")) is None
    assert served(body, "berth zeppelin") == f"The berth is free.{CUT}"
    assert served(body, "mooring fee zeppelin") == f"{CUT}The mooring fee."
    assert served(body, "berth mooring fee") == f"{CUT}The mooring fee."


def test_a_line_that_only_begins_like_an_envelope_is_prose() -> None:
    assert served("Document: what the berth costs", "berth") == "Document: what the berth costs"


@pytest.mark.requirement("passages.verbatim")
def test_a_passage_keeps_the_line_breaks_and_marks_of_its_body() -> None:
    body = "## Berths\n\n- the *mooring*  fee\n- a\tberth\n"
    assert served(body, "mooring") == body.strip()


def test_a_body_without_a_word_of_the_query_has_no_passage() -> None:
    assert passage(FILLER, stems("berth")) is None
    assert passage("", stems("berth")) is None
    assert passage("berth", set()) is None
    assert passage("subberth berthing-", {"berth"}) == "subberth berthing-"
    assert passage("xberth", {"berth"}) is None


def test_a_token_longer_than_the_window_is_cut_at_the_words_of_it() -> None:
    body = "/".join(["segment"] * 60 + ["berth"] + ["segment"] * 60)
    assert served(body, "berth", width=60) == f"{CUT}berth{CUT}"
    assert passage("berth" + "s" * 400, {stem("berth" + "s" * 400)}) is None


def test_a_word_that_no_window_holds_counts_for_none() -> None:
    long = "berth" + "s" * 400
    body = f"mooring fee {FILLER} {long} fee fee fee"
    assert "mooring" in served(body, f"{long} mooring fee")


@pytest.mark.requirement("passages.verbatim", "passages.no-envelope", "passages.window")
@given(st.lists(WORDS, max_size=80).map(" ".join), st.integers(12, 90))
def test_any_passage_is_a_stretch_of_its_body_in_whole_words_with_a_query_word_in_it(body: str, width: int) -> None:
    query = stems("booking berths mooring cafe")
    text = passage(body, query, width=width)
    prose = re.sub(r"(?m)^[ \t]*Document:.*\(id:.*\)[ \t]*$", "", body)
    if text is None:
        assert not carried(prose, query)
        return
    places = [(before, after) for before in (0, 1) for after in (0, 1)
              if (inner := text[before : len(text) - after]) and inner in body and len(inner) <= width]  # fmt: skip
    assert places
    assert carried(text, query)
    assert not re.search(r"(?m)^[ \t]*Document:.*\(id:.*\)[ \t]*$", text)
    assert set(text.strip(CUT).split()) - {""} <= {part for w in body.split() for part in (w, w.strip(CUT))}


@pytest.mark.requirement("passages.window")
@given(st.lists(st.sampled_from(["berth", "fee", "mooring", "x", "yy", "zzz"]), min_size=1, max_size=40))
def test_no_other_window_has_more_distinct_words_of_the_query(said: list[str]) -> None:
    body, query, width = " ".join(said), {"berth", "fee", "moor"}, 24
    text = passage(body, query, width=width)
    starts = [m.start() for m in re.finditer(r"\S+", body)]
    ends = [m.end() for m in re.finditer(r"\S+", body)]
    best = max(len(carried(body[s:e], query)) for s in starts for e in ends if 0 < e - s <= width)
    assert len(carried(text or "", query)) == best


@pytest.mark.parametrize(
    "body",
    ["berth fee " * 100_000, "x" * 1_000_000, "Document: (id: " * 60_000, "Document: (id: x)\nberth " * 40_000,
     "é" + "beta " * 200_000, "b\u0301" * 500_000, " " * 1_000_000, "berth" * 200_000, "\n" * 1_000_000 + "berth"],
)  # fmt: skip
def test_a_passage_of_a_million_characters_takes_no_second(body: str) -> None:
    start = time.perf_counter()
    passage(body, stems("berth fee mooring"))
    summary("A title", body)
    assert time.perf_counter() - start < 1


def test_a_body_longer_than_what_is_scanned_is_read_to_there_and_marked_as_cut() -> None:
    filler = "x " * (PASSAGE_CHARACTERS // 2)
    assert passage(filler + "berth", {"berth"}) is None
    assert served("berth " + filler, "berth", width=5) == f"berth{CUT}"
    assert served(filler[:-40] + "berth " * 10, "berth", width=400).endswith(f"berth berth{CUT}")


@pytest.mark.requirement("search.summary")
def test_a_summary_is_the_title_and_then_how_the_body_begins() -> None:
    assert summary("Berth map", "\n\n# The map\n\n- one   berth\tmore\n") == "Berth map\n# The map - one berth more"
    assert summary("Berth map", " \n ") == summary("Berth map", "") == "Berth map"


@pytest.mark.requirement("search.summary", "search.summary-cut")
def test_a_body_of_exactly_280_characters_is_whole_and_unmarked() -> None:
    body = ("word " * 56).strip() + "s"
    assert len(body) == 280
    assert summary("T", body) == f"T\n{body}"
    assert summary("T", body + "!") == f"T\n{('word ' * 55).strip()}{CUT}"


@pytest.mark.requirement("search.summary-cut")
def test_a_summary_splits_no_word() -> None:
    assert summary("T", "w" * 60 + (" " + "w" * 60) * 9) == f"T\n{' '.join(['w' * 60] * 4)}{CUT}"
    assert summary("T", "w" * 281) == f"T\n{CUT}"


@pytest.mark.requirement("search.summary-cut", "search.summary-stable")
@given(st.text(max_size=20), st.lists(WORDS, max_size=90).map(" ".join))
def test_a_summary_is_a_beginning_of_the_body_and_marked_exactly_where_cut(title: str, body: str) -> None:
    prose = " ".join(body.split())
    text = summary(title, body)
    assert text == summary(title, body)
    if len(prose) <= 280:
        assert text == (f"{title}\n{prose}" if prose else title)
        return
    served_words = text.removeprefix(f"{title}\n").removesuffix(CUT)
    assert text.endswith(CUT) and prose.startswith(served_words + " ") and len(served_words) <= 280
    assert len(served_words) + 1 + len(prose[len(served_words) + 1 :].split(" ")[0]) > 280
