"""Titles and spellings in prose: whole words, case and spacing aside."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphapi.domain.mentions import PhraseIndex, is_mentionable, normalised, spellings
from graphapi.ingest.linker import Named, Titles


def found(body: str, *titles: str) -> list[str]:
    return PhraseIndex.of(normalised(t) for t in titles).found_in(body)


@pytest.mark.requirement("mentions.whole")
@pytest.mark.parametrize(
    "body",
    ["the Berth map page", "BERTH MAP.", "berth\nmap", "“Berth  map”", "(berth\tmap)", "Berth map",
     "the berth map's edge", "berth\u00a0map", "Berth map berth map", "a berth mapping and a berth map"],
)  # fmt: skip
def test_a_title_is_found_whole_whatever_its_case_and_spacing(body: str) -> None:
    assert found(body, "Berth map") == ["berth map"]


@pytest.mark.requirement("mentions.whole")
@pytest.mark.parametrize(
    "body",
    ["Berth mapping", "map", "berth", "overberth map", "Berth-map", "berth, map", "map berth", "berthmap", "berth_map",
     "Berth  the map", "Berth map2", "Berth mapé"],
)  # fmt: skip
def test_part_of_a_title_or_a_title_inside_a_longer_word_is_no_mention(body: str) -> None:
    assert found(body, "Berth map") == []


@pytest.mark.parametrize(
    ("title", "body", "is_found"),
    [
        ("C++ builds, twice", "about C++ builds, twice.", True),
        ("C++ builds, twice", "about C builds, twice", False),
        ("C++ builds, twice", "about C++ builds twice", False),
        ("(Draft) berth plan", "the (draft) berth plan", True),
        ("Is it open?", "we asked: is it open? Yes", True),
        ("Is it open?", "we asked: is it open, or", False),
        ("Pier/quay rules", "the pier/quay rules", True),
        ("¿Dónde está?", "pregunta ¿dónde está? sí", True),
        ("Straße sperren", "die STRASSE SPERREN", True),
        ("Søknad om plass", "en SØKNAD OM PLASS her", True),
        ("Caf\u00e9 opening", "the cafe\u0301 opening", True),
        ("İstanbul ferry", "the İSTANBUL FERRY", True),
        ("日本 の 港", "これは 日本 の 港 です", True),
    ],
)
def test_punctuation_and_any_script_belong_to_a_title(title: str, body: str, is_found: bool) -> None:
    assert (found(body, title) == [normalised(title)]) is is_found


def test_titles_within_titles_are_each_found_in_order_of_appearance() -> None:
    body = "Tide table, then the berth map page and the berth map"
    assert found(body, "Berth map", "Berth map page", "Tide table") == ["tide table", "berth map", "berth map page"]


@pytest.mark.parametrize(
    ("title", "mentionable"),
    [("Berth map", True), ("Harbourmaster", True), ("Berths", False), ("Map", False), ("", False), ("!!! ???", False),
     ("twelve_chars", True), ("A b", True), ("?", False)],
)  # fmt: skip
def test_a_title_of_two_words_or_twelve_characters_is_looked_for(title: str, mentionable: bool) -> None:
    assert is_mentionable(title) is mentionable


def test_a_title_two_artifacts_carry_stands_for_neither_and_is_kept_apart() -> None:
    artifacts = {
        "A-1": Named("pbi", "Berth map", True),
        "A-2": Named("doc", "berth  MAP", True),
        "A-3": Named("doc", "Tide table", True),
    }
    titles = Titles(artifacts, {})
    assert titles.shared == {"berth map": ["A-1", "A-2"]}
    assert titles.target == {"tide table": "A-3"}


def test_deleted_artifacts_and_commits_lend_no_title() -> None:
    artifacts = {
        "A-1": Named("pbi", "Berth map", False),
        "code@1": Named("commit", "Berth map page", True),
        "A-2": Named("doc", "berth map", True),
    }
    assert Titles(artifacts, {}).target == {"berth map": "A-2"}


@pytest.mark.requirement("mentions.alias")
def test_an_alias_stands_for_the_title_it_is_declared_for_and_no_other() -> None:
    artifacts = {"A-1": Named("pbi", "Berth map", True), "A-2": Named("doc", "Quay", True)}
    titles = Titles(artifacts, {"berth MAP": ["Mooring  chart", "slip"], "Quay": ["pier"], "Nothing": ["ghost"]})
    assert titles.target == {"berth map": "A-1", "mooring chart": "A-1", "slip": "A-1", "pier": "A-2"}


def test_an_alias_never_takes_a_title_away() -> None:
    artifacts = {"A-1": Named("pbi", "Berth map", True), "A-2": Named("doc", "Tide table", True)}
    assert Titles(artifacts, {"Berth map": ["tide table", " "]}).target == {"berth map": "A-1", "tide table": "A-2"}


def test_spellings_are_of_titles_in_use_alone() -> None:
    assert spellings({"Berth Map": ["plan", ""], "Other": ["x"]}, {"berth map": "berth map"}) == {"plan": "berth map"}


@given(st.text(), st.lists(st.text(), max_size=4))
def test_what_is_found_stands_in_the_body(body: str, titles: list[str]) -> None:
    for phrase in found(body, *titles):
        assert phrase in normalised(body)


def test_many_titles_and_a_long_body_take_little_time() -> None:
    index = PhraseIndex.of(f"the story number {n}" for n in range(5000))
    began = time.monotonic()
    assert index.found_in("the story " * 50_000 + "the story number 7") == ["the story number 7"]
    assert time.monotonic() - began < 5
