"""Splitting a file at its fences: nothing of it is lost, and the lines are the file's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphapi.domain.frontmatter import BOM, BlockError, read_block, split

# Text built from the pieces that matter to the splitter, so that fences, marks and line ends meet often.
_PIECES = st.lists(
    st.sampled_from(["---", "--- ", "---\t", "\n", "\r\n", "\r", BOM, "a: b", "- x", " ", "\u2028", "\x85", "…", "@c"])
)
_TEXT = st.one_of(st.text(), _PIECES.map("".join), _PIECES.map(lambda parts: "---\n" + "".join(parts)))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", BOM])
def test_a_block_is_found_whatever_ends_the_lines_and_after_a_byte_order_mark(end: str, mark: str) -> None:
    parts = split(mark + end.join(["---", "id: STORY-1", "title: x", "---", "", "Body.", ""]))
    assert parts.block == f"id: STORY-1{end}title: x{end}"
    assert parts.body == f"{end}Body.{end}"
    assert (parts.bom, parts.body_line) == (bool(mark), 5)


@pytest.mark.parametrize(
    "text", ["", "Just words.\n", " ---\nid: x\n---\n", "\n---\nid: x\n---\n", "----\nid: x\n----\n", "--- # x\n---\n"]
)
def test_a_file_that_does_not_open_with_a_fence_has_no_block_and_all_of_it_is_body(text: str) -> None:
    parts = split(text)
    assert (parts.block, parts.body, parts.body_line) == (None, text, 1)


def test_spaces_after_a_fence_are_no_part_of_the_block() -> None:
    assert split("--- \t\nid: x\n---  \nBody").block == "id: x\n"


def test_a_file_that_ends_with_its_closing_fence_has_an_empty_body() -> None:
    assert split("---\nid: x\n---").body == split("---\nid: x\n---\n").body == ""


def test_an_empty_block_is_a_block() -> None:
    parts = split("---\n---\nBody\n")
    assert (parts.block, parts.body, parts.body_line) == ("", "Body\n", 3)


@pytest.mark.parametrize("text", ["---\nid: x\n", "---", "---\r\nid: x\r\n--- x\r\n", "---\nid: x\n ---\n"])
def test_a_block_that_is_never_closed_is_refused_on_the_line_that_opens_it(text: str) -> None:
    with pytest.raises(BlockError) as refused:
        split(text)
    assert (refused.value.code, refused.value.line) == ("block-unclosed", 1)


def test_a_second_block_stays_in_the_body_byte_for_byte() -> None:
    parts = split("---\nid: A\n---\n---\nid: B\n---\nx")
    assert (parts.block, parts.body) == ("id: A\n", "---\nid: B\n---\nx")


@given(_TEXT)
def test_the_parts_of_a_file_make_it_up_again(text: str) -> None:
    try:
        parts = split(text)
    except BlockError as refused:
        assert (refused.code, refused.line) == ("block-unclosed", 1)
        return
    assert (BOM if parts.bom else "") + parts.opening + (parts.block or "") + parts.closing + parts.body == text
    assert (parts.block is None) == (parts.opening == "" == parts.closing)
    before = text[: len(text) - len(parts.body)]
    if before.endswith(("\n", "\r")):
        assert parts.body_line == before.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


@given(st.one_of(_TEXT, st.text(st.sampled_from("@`a:-[]{},#&*!|>'\"%?\n \t0\\\r"))))
def test_reading_any_text_as_a_block_gives_a_map_or_names_what_is_wrong_within_it(text: str) -> None:
    try:
        block = read_block(text)
    except BlockError as refused:
        assert refused.code.startswith("block-") or refused.code in {"tab-indentation", "nul-byte"}
        last = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 2
        assert 1 <= refused.line <= last
        return
    assert all(isinstance(key, str) for key in block.values)
    assert set(block.lines) == set(block.values)
