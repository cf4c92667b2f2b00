"""Ids: what may be one, and which stand whole in prose."""

from __future__ import annotations

import pytest

from graphapi.domain.artifact import natural_key
from graphapi.domain.ids import MAX_LENGTH, family_of, id_problem, id_tokens, is_ticket


@pytest.mark.parametrize(
    "artifact_id", ["STORY-1", "story-1", "docs/api.md", "code@0123456789ab", "søknad-1", "7", "x" * 200]
)
def test_an_id_is_any_text_without_space_comma_or_control_character(artifact_id: str) -> None:
    assert id_problem(artifact_id) is None


@pytest.mark.parametrize(
    ("artifact_id", "word"),
    [("", "empty"), ("STORY 1", "space"), ("STORY-1,STORY-2", "comma"), ("STORY\t1", "space"), ("a\u00a0b", "space"),
     ("a\x00b", "control"), ("a\x7fb", "control"), ("a\nb", "space"), ("x" * (MAX_LENGTH + 1), "200")],
)  # fmt: skip
def test_any_other_text_is_refused_with_the_reason(artifact_id: str, word: str) -> None:
    assert word in (id_problem(artifact_id) or "")


@pytest.mark.parametrize(
    ("artifact_id", "family"),
    [
        ("EPIC-007", "EPIC"),
        ("A-B-12", "A-B"),
        ("søknad-1", "søknad"),
        ("EPIC", None),
        ("docs/a.md", None),
        ("-1", None),
    ],
)
def test_a_family_is_what_stands_before_the_last_number(artifact_id: str, family: str | None) -> None:
    assert family_of(artifact_id) == family


def test_an_id_is_not_found_inside_a_longer_one() -> None:
    found = id_tokens("STORY-1020, XSTORY-102, STORY-102-b, STORY-102a, PRE-STORY-102 and STORY-102_1")
    assert "STORY-102" not in found
    assert "STORY-1020" in found


@pytest.mark.parametrize(
    "text",
    ["See STORY-102.", "(STORY-102)", "STORY-102's", "“STORY-102”", "**STORY-102**", "_STORY-102_", "__STORY-102__",
     "`STORY-102`", "STORY-102,DEC-1", "STORY-102/DEC-1", "[x](STORY-102)", "#STORY-102", "STORY-102:", "STORY-102…",
     "[STORY-102](../backlog/berths.md)", "../backlog/STORY-102.md", "https://x.example/b/STORY-102?a=1",
     "~~STORY-102~~", "| STORY-102 |", "STORY-102—and", "日本 STORY-102", "STORY-102\u00a0x"],
)  # fmt: skip
def test_an_id_is_found_wherever_it_stands_whole(text: str) -> None:
    assert "STORY-102" in id_tokens(text)


def test_paths_and_commits_are_found_whole() -> None:
    found = id_tokens("See docs/api.md, `src/møte_rom.md` and code@0123456789ab (my.repo@0123456789ab).")
    assert {"docs/api.md", "src/møte_rom.md", "code@0123456789ab", "my.repo@0123456789ab"} <= set(found)


def test_ids_in_other_scripts_are_found() -> None:
    assert {"SØKNAD-12", "ТЗ-7"} <= set(id_tokens("Se SØKNAD-12 og ТЗ-7."))


def test_each_is_given_once_in_order_of_appearance() -> None:
    assert id_tokens("DEC-2 then DEC-1 then DEC-2") == ["DEC-2", "DEC-1"]


def test_plain_words_and_numbers_are_no_candidates() -> None:
    assert id_tokens("Plain words, 42 of them! Ünïcode – and a dash - alone.") == []


def test_only_a_token_of_a_known_family_is_worth_naming() -> None:
    assert is_ticket("EPIC-9", {"EPIC"})
    assert not is_ticket("UTF-8", {"EPIC"})
    assert not is_ticket("docs/a.md", {"EPIC"})


def test_a_long_run_of_dashes_and_dots_is_searched_in_little_time() -> None:
    for piece in ("a-", "a.", "a/", "-1", "a-1", "_", "a@"):
        id_tokens("x" + piece * 200_000)


def test_ids_sort_as_people_count() -> None:
    ids = ["STORY-10", "STORY-9", "story-1", "EPIC-2", "STORY-9a", "docs/a.md"]
    assert sorted(ids, key=natural_key) == ["docs/a.md", "EPIC-2", "story-1", "STORY-9", "STORY-9a", "STORY-10"]
