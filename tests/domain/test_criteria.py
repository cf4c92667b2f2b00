"""Acceptance criteria as a body states them (004 section 2b)."""

from __future__ import annotations

import hashlib

import pytest

from graphapi.domain.criteria import fingerprint, read_criteria


def under(text: str) -> list[str]:
    """The criteria of a body that is a heading and ``text``."""
    return list(read_criteria(f"Intro.\n\n## Acceptance criteria\n{text}").items)


@pytest.mark.requirement("criteria.under-heading")
def test_only_the_list_under_the_heading_holds_criteria() -> None:
    body = (
        "- before\n\n## Goals\n- a goal\n\n## Acceptance criteria\n\n- one\n\nSome prose.\n\n- two\n\n"
        "### By night\n- three\n\n## Notes\n- a note\n\n# Other\n- other\n"
    )
    assert read_criteria(body).items == ("one", "two", "three")


@pytest.mark.requirement("criteria.under-heading")
@pytest.mark.parametrize("end", ["## Notes", "# Notes", "##\tNotes", "   ## Notes ##"])
def test_a_heading_of_the_same_level_or_above_ends_the_section(end: str) -> None:
    assert under(f"- one\n{end}\n- two\n") == ["one"]


@pytest.mark.requirement("criteria.under-heading")
@pytest.mark.parametrize("other", ["### Notes", "#### Notes", "##Notes", "\\## Notes", "    ## Notes", "####### Notes"])
def test_a_deeper_heading_or_none_at_all_does_not_end_the_section(other: str) -> None:
    assert under(f"- one\n\n{other}\n\n- two\n") == ["one", "two"]


@pytest.mark.requirement("criteria.heading-forms")
@pytest.mark.parametrize(
    "heading",
    ["## Acceptance criteria", "## Acceptance Criteria", "## ACCEPTANCE CRITERIA", "##  acceptance criteria  ",
     "##\tAcceptance criteria", "  ## Acceptance criteria", "## Acceptance criteria ##"],
)  # fmt: skip
def test_the_heading_counts_whatever_its_capitals(heading: str) -> None:
    assert read_criteria(f"{heading}\n- one\n").items == ("one",)


@pytest.mark.requirement("criteria.heading-forms")
@pytest.mark.parametrize(
    "heading",
    ["### Acceptance criteria", "# Acceptance criteria", "##Acceptance criteria", "Acceptance criteria",
     "## Acceptance criteria of old", "**Acceptance criteria**", "> ## Acceptance criteria",
     "    ## Acceptance criteria"],
)  # fmt: skip
def test_another_heading_is_not_the_heading(heading: str) -> None:
    found = read_criteria(f"{heading}\n- one\n")
    assert (found.items, found.sections, found.unparsed) == ((), (), False)


@pytest.mark.requirement("criteria.heading-forms")
@pytest.mark.parametrize(
    ("opens", "closes"), [("```", "```"), ("```md", "```"), ("~~~", "~~~"), ("````", "`````"), ("  ```", " ```")]
)
def test_a_heading_inside_a_code_fence_is_none(opens: str, closes: str) -> None:
    body = f"{opens}\n## Acceptance criteria\n- no\n{closes}\n\n## Acceptance criteria\n- yes\n"
    assert read_criteria(body).items == ("yes",)


@pytest.mark.requirement("criteria.heading-forms")
def test_a_fence_is_closed_by_its_own_kind_alone() -> None:
    body = "````\n```\n~~~\n## Acceptance criteria\n- no\n```` md\n- no\n````\n## Acceptance criteria\n- yes\n"
    assert read_criteria(body).items == ("yes",)


@pytest.mark.requirement("criteria.heading-forms")
def test_code_within_a_sentence_opens_no_fence() -> None:
    assert read_criteria("```x``` is code.\n\n## Acceptance criteria\n- yes\n").items == ("yes",)


def test_a_list_inside_a_code_fence_of_the_section_holds_no_criteria() -> None:
    assert under("- one\n\n```\n- no\n## Notes\n```\n- two\n") == ["one", "two"]


@pytest.mark.requirement("criteria.bullets")
def test_a_line_that_starts_with_a_dash_or_a_star_and_a_space_is_a_criterion() -> None:
    assert under("- a\n* b\n") == ["a", "b"]


@pytest.mark.requirement("criteria.ordered")
def test_a_line_that_starts_with_any_number_and_a_dot_or_bracket_is_a_criterion() -> None:
    assert under("1. a\n7) b\n120. c\n0) d\n12345678901234567890. e\n") == ["a", "b", "c", "d", "e"]


@pytest.mark.requirement("criteria.marker-needs-space")
@pytest.mark.parametrize(
    "line", ["-x", "*x", "1.x", "1)x", "+ x", "plain prose", "1 x", "(1) x", "a. x", "- ", "-", "1."]
)
def test_other_line_starts_are_no_markers(line: str) -> None:
    found = read_criteria(f"## Acceptance criteria\n{line}\n")
    assert (found.items, found.unparsed) == ((), True)


@pytest.mark.requirement("criteria.marker-needs-space")
@pytest.mark.parametrize("rule", ["---", "***", "* * *", "- - -", "_____"])
def test_a_rule_across_the_page_is_no_criterion_and_no_part_of_one(rule: str) -> None:
    assert under(f"- a\n{rule}\n- b\n") == ["a", "b"]


@pytest.mark.requirement("criteria.marker-stripped")
def test_a_criterion_is_served_without_its_marker() -> None:
    assert under("3) The page prints\n-   The page scrolls  \n1.\tTabs too\n") == [
        "The page prints", "The page scrolls", "Tabs too",
    ]  # fmt: skip
    assert under("- - twice\n") == ["- twice"]


@pytest.mark.requirement("criteria.wrapped")
def test_a_wrapped_criterion_is_one_with_its_lines_rejoined() -> None:
    assert under("- first, on\n  two lines\n- second\n") == ["first, on two lines", "second"]
    assert under("1. first,\non three\n      lines\n2. second\n") == ["first, on three lines", "second"]


@pytest.mark.requirement("criteria.wrapped")
@pytest.mark.parametrize("stop", ["", "> quoted", "### Aside", "| a | b |", "+ plus"])
def test_what_begins_something_else_is_no_wrapped_line(stop: str) -> None:
    assert under(f"- first\n{stop}\nnot it\n- second\n") == ["first", "second"]


@pytest.mark.requirement("criteria.nested")
@pytest.mark.parametrize(
    "nested", ["\t* nested", "  - nested", "   1. nested", "    - nested", "  + nested", "  - nested\n    - deeper"]
)
def test_an_indented_list_line_begins_no_criterion_and_is_no_part_of_one(nested: str) -> None:
    assert under(f"* a\n{nested}\n- b\n") == ["a", "b"]


@pytest.mark.requirement("criteria.nested")
def test_a_list_that_is_indented_as_a_whole_keeps_its_outer_items() -> None:
    assert under("  - a\n  - b\n    - nested\n  - c\n") == ["a", "b", "c"]
    assert under(" - a\n- b\n  - c\n") == ["a", "b", "c"]


@pytest.mark.requirement("criteria.task-box-kept")
def test_a_task_box_stays_as_the_beginning_of_the_text() -> None:
    assert under("- [ ] second\n* [x] done\n1. [X] too\n") == ["[ ] second", "[x] done", "[X] too"]


@pytest.mark.requirement("criteria.positions")
def test_criteria_keep_the_order_of_the_body_over_every_section() -> None:
    body = "## Acceptance criteria\n- c\n- a\n\n## Notes\n- x\n\n## Acceptance criteria\n9. b\n1. c\n"
    assert read_criteria(body).items == ("c", "a", "b", "c")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_any_kind_end_lines(end: str) -> None:
    body = end.join(["## Acceptance criteria", "", "- one,", "  wrapped", "- two", "", "## Notes", "- x"])
    found = read_criteria(body)
    assert found.items == ("one, wrapped", "two")
    assert (found.sections[0].heading, found.sections[0].end, found.sections[0].lines) == (0, 6, (2, 3, 4))


def test_a_heading_that_yields_no_criterion_is_told_from_no_heading() -> None:
    assert read_criteria("## Acceptance criteria\n\nIt works.\n").unparsed
    assert read_criteria("## Acceptance criteria").unparsed
    assert not read_criteria("It works.\n").unparsed
    assert not read_criteria("").unparsed


def test_a_fingerprint_is_of_the_words_alone() -> None:
    expected = hashlib.sha1(b"the page prints", usedforsecurity=False).hexdigest()[:8]
    assert fingerprint("The page prints") == fingerprint("  THE\tpage\n prints ") == expected
    assert fingerprint("The page print") != expected
    assert fingerprint("Straße") == fingerprint("STRASSE")


def test_a_huge_body_is_read_in_little_time() -> None:
    body = "## Acceptance criteria\n" + "- x\n  y\n\t- z\n" * 200_000 + "`" * 100_000
    assert len(read_criteria(body).items) == 200_000
