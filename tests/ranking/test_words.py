"""The words of queries and prose on one stem, and the words a second query adds."""

from __future__ import annotations

import threading
import time

import pytest

from graphapi.domain import query_words
from graphapi.ranking import words
from graphapi.ranking.words import canonical_terms, carried, feedback_terms, stem, stems, topic_words
from graphapi.store import query as store_query


@pytest.mark.requirement("passages.stem")
def test_a_word_and_its_inflections_have_one_stem() -> None:
    assert stem("bookings") == stem("booked") == stem("Booking") == stem("BOOK")
    assert stem("Cafés") == stem("cafe\u0301s") == stem("cafe")


def test_the_stems_of_a_query_leave_out_the_words_the_index_drops() -> None:
    assert stems("Is the berth on the berths' map?") == {"berth", "map"}
    assert stems("is it to be") == set()


def test_the_store_and_the_ranking_read_one_list_of_words() -> None:
    assert store_query.STOPWORDS is query_words.STOPWORDS
    assert store_query.words is query_words.words


@pytest.mark.requirement("topic.stopwords")
def test_a_topic_of_stopwords_and_short_words_has_no_word() -> None:
    assert topic_words("is it to do") == []
    assert topic_words("Is the AI berth up?") == ["berth"]


def test_a_text_carries_the_query_stems_that_its_words_have() -> None:
    assert carried("He booked two berths.", stems("booking berths zeppelin")) == {"book", "berth"}
    assert carried("booking", frozenset()) == carried("", {"book"}) == frozenset()
    assert carried("Une réservation", {"reserv"}) == {"reserv"}


def test_many_threads_stem_alike() -> None:
    spellings = [f"word{n}ings" for n in range(2_000)]
    stem.cache_clear()
    answers: list[list[str]] = []
    threads = [threading.Thread(target=lambda: answers.append([stem(s) for s in spellings])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [[f"word{n}" for n in range(2_000)]] * 8


@pytest.mark.requirement("method.feedback-query")
def test_feedback_adds_a_word_of_the_best_rows_that_the_query_lacks() -> None:
    found = feedback_terms("mooring fee", [("Mooring fee", "The mooring fees follow the tariff of the port.")])
    assert found == ["follow", "tariff", "port"]


@pytest.mark.requirement("method.feedback-query")
def test_a_word_of_several_rows_leads_and_a_title_counts_twice() -> None:
    documents = [("Notes", "tariff anchor"), ("Quay", "tariff buoy"), ("Other", "tariff")]
    found = feedback_terms("mooring", documents)
    assert found[:2] == ["notes", "tariff"]
    assert feedback_terms("mooring", documents, most=1) == ["notes"]
    assert feedback_terms("mooring", documents, most=0) == []
    assert feedback_terms("mooring", [("", "buoy harbours buoy")]) == ["buoy", "harbours"]


def test_feedback_never_adds_a_common_word_a_number_an_id_or_a_short_word() -> None:
    body = (
        "STORY-001, DEC-12's and acme-app-7 say that they would have it on 2026 or 42; write to ann@quay.example, "
        "code@0123456789ab or 9f2a1c4d7b, see https://quay.example/a and docs/berth-map/plan.md: ok, no go. (STORY-9)"
    )
    assert feedback_terms("x", [("", body)]) == ["write"]


def test_feedback_adds_no_word_whose_stem_the_query_has() -> None:
    assert feedback_terms("book berths", [("Bookings", "booked the berth at dusk")]) == ["dusk"]


def test_feedback_is_the_same_every_time_and_reads_the_beginning_of_a_text_only() -> None:
    documents = [("A", "alpha gamma delta " * 200 + "zeppelin"), ("B", "gamma omega")]
    assert feedback_terms("x", documents) == feedback_terms("x", documents) == ["gamma", "alpha", "delta", "omega"]


@pytest.mark.parametrize("text", ["a" * 1_000_000, "/" * 1_000_000, "a-1" * 300_000, "a@" * 300_000, "-1.a/" * 200_000])
def test_feedback_on_a_hostile_text_ends_at_once(text: str) -> None:
    start = time.perf_counter()
    feedback_terms("x", [(text, text)])
    assert time.perf_counter() - start < 1


@pytest.mark.requirement("method.aliases")
def test_a_typed_spelling_gives_its_canonical_term_and_never_the_other_way() -> None:
    aliases = {"berth": ["mooring", "boat place"]}
    assert canonical_terms("the MOORING fee", aliases) == ["berth"]
    assert canonical_terms("a Boat  place, please", aliases) == ["berth"]
    assert canonical_terms("the berth fee", aliases) == []


@pytest.mark.requirement("method.aliases")
@pytest.mark.parametrize("query", ["moorings", "unmooring", "place boat", "boat", ""])
def test_part_of_a_spelling_or_a_spelling_inside_a_word_gives_nothing(query: str) -> None:
    assert canonical_terms(query, {"berth": ["mooring", "boat place", " "]}) == []


def test_terms_come_in_the_order_of_the_query_each_once() -> None:
    aliases = {"berth": ["mooring", "slip"], "fee": ["charge"], "tariff": ["charge", "tariff"]}
    assert canonical_terms("charge for a slip or mooring", aliases) == ["fee", "tariff", "berth"]
    assert canonical_terms("tariff", aliases) == canonical_terms("charge", {}) == []


def test_every_stem_begins_as_its_word_does() -> None:
    """What the passage search relies on to pass over words."""
    text = "eyed yes skies tying dying abilities relational happy hopping sized buoys quays"
    for word in [*text.split(), *words.COMMON_WORDS]:
        assert stem(word)[0] == word[0]
