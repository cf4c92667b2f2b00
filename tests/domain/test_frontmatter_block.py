"""Reading a block: every scalar stays text, what is odd is seen with its line, and nothing can exhaust the process."""

from __future__ import annotations

import json
import time

import pytest

from graphapi.domain.frontmatter import Block, BlockError, read_block


def refused(block: str) -> tuple[str, int]:
    with pytest.raises(BlockError) as caught:
        read_block(block)
    return caught.value.code, caught.value.line


def test_scalars_stay_the_text_they_are_written_as() -> None:
    block = read_block(
        "sha: 01234567\ndate: 2026-01-01\ntime: 2026-03-01T09:00:00\nyes: yes\noff: Off\nfloat: 1.50\nhex: 0x10\n"
        "octal: 0o7\nexp: 1e3\nsexagesimal: 190:20:30\ninf: .inf\nunderscored: 1_000\ntrue: true\n"
    )
    assert block.values == {
        "sha": "01234567", "date": "2026-01-01", "time": "2026-03-01T09:00:00", "yes": "yes", "off": "Off",
        "float": "1.50", "hex": "0x10", "octal": "0o7", "exp": "1e3", "sexagesimal": "190:20:30", "inf": ".inf",
        "underscored": "1_000", "true": "true",
    }  # fmt: skip


def test_an_empty_value_a_tilde_and_null_are_nothing_and_quoted_ones_are_text() -> None:
    block = read_block('a:\nb: ~\nc: null\nd: "null"\ne: \'~\'\nf: ""\ng: Null\nh: [null, "null", ]\n')
    assert block.values == {
        "a": None, "b": None, "c": None, "d": "null", "e": "~", "f": "", "g": "Null", "h": [None, "null"],
    }  # fmt: skip


def test_a_key_called_null_is_a_key() -> None:
    assert read_block("null: x\n").values == {"null": "x"}


@pytest.mark.parametrize("block", ["", "\n\n", "# a remark\n", "~\n"])
def test_a_block_that_says_nothing_is_an_empty_map(block: str) -> None:
    assert read_block(block) == Block()


def test_lists_and_maps_nest_as_written_and_keys_know_their_lines() -> None:
    block = read_block("id: A\nedges:\n- {to: B, relation: blocks}\nclaim:\n  by: Ada\n  at: 2026-01-01\nlast: x\n")
    assert block.values["edges"] == [{"to": "B", "relation": "blocks"}]
    assert block.values["claim"] == {"by": "Ada", "at": "2026-01-01"}
    assert block.lines == {"id": 2, "edges": 3, "claim": 5, "last": 8}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_key_given_twice_is_seen_with_its_line_and_the_last_counts(end: str) -> None:
    block = read_block(end.join(["status: ready", "title: x", "status: done", "claim: {by: a, by: b}", ""]))
    assert (block.values["status"], block.values["claim"]) == ("done", {"by": "b"})
    assert block.twice == [("status", 4), ("by", 5)]
    assert block.lines["status"] == 2


def test_separators_that_no_editor_takes_for_a_line_end_do_not_shift_the_lines() -> None:
    block = read_block('title: "a\u2028b\u2029c\x85d"\nstatus: x\nstatus: y\n')
    assert block.twice == [("status", 4)]


@pytest.mark.parametrize(
    ("block", "code", "line"),
    [
        ("- id\n- STORY-1\n", "block-not-a-map", 2),
        ("just words\n", "block-not-a-map", 2),
        ("id: A\nedges:\n\t- to: B\n\t  relation: x\n", "tab-indentation", 4),
        ("id: A\r\nedges:\r\n  - a\r\n\t- b\r\n", "tab-indentation", 5),
        ("id: A\redges:\r\t- a\r", "tab-indentation", 4),
        ("id: A\ntitle: a: b\n", "block-broken", 3),
        ("id: A\ntitle: 'open\n", "block-broken", 4),
        ("id: [A\ntitle: x\n", "block-broken", 3),
        ("id: A\nsee: *STORY\n", "block-broken", 3),
        ("id: A\n? [x, y]\n: z\n", "block-broken", 3),
        ("id: A\n--- {id: B}\n", "block-broken", 3),
        ("id: A\nbell: '\x07'\n", "block-broken", 3),
        ("é: ééé\nbell: '\x07'\n", "block-broken", 3),
        ('id: A\ntitle: "a\\0b"\n', "nul-byte", 3),
        ('id: A\ntitle: "\\ud800"\n', "block-broken", 3),
        ("id: A\ntitle: \ud800\n", "block-broken", 3),
        ("a: &x [*x]\n", "block-broken", 2),
    ],
)
def test_what_cannot_be_read_is_named_with_the_line_of_the_file(block: str, code: str, line: int) -> None:
    assert refused(block) == (code, line)


def test_a_tab_inside_a_text_is_not_blamed_for_a_fault_before_it() -> None:
    assert refused("title: a: b\nnotes: |\n  x\n  \ty\n\tz\n") == ("block-broken", 2)


def test_a_broken_block_is_not_quoted_since_it_may_be_withheld() -> None:
    for block in ("title: *secret-words\n", "title: 'secret-words\n", "a: !secret-words! x\n", "a: b: secret-words\n"):
        with pytest.raises(BlockError) as caught:
            read_block(block)
        assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("owner: @pilot-desk\n", "@pilot-desk"),
        ("owner: `code`\n", "`code`"),
        ("owner: @pilot-desk  \n", "@pilot-desk"),
        ("owner: @pilot # who\n", "@pilot"),
        ("owner: @a, and 'b'\n", "@a, and 'b'"),
        ("owner: @pilot#1\n", "@pilot#1"),
        ("'owner': @pilot\n", "@pilot"),
        ("owner:\n  @pilot\n", "@pilot"),
        ("owner: [@ada, `b`, c]\n", ["@ada", "`b`", "c"]),
        ("owner: [a, @b]  # who\n", ["a", "@b"]),
        ("owner:\n- @ada\n- b\n- `c`\n", ["@ada", "b", "`c`"]),
        ("owner: [\n  a,\n  @b,\n  @c ]\n", ["a", "@b", "@c"]),
        ("owner: {by: @ada, at: x}\n", {"by": "@ada", "at": "x"}),
        ("owner:\n- {by: @ada}\n", [{"by": "@ada"}]),
        ("owner:\n  by: @ada\n", {"by": "@ada"}),
        ("owner: @ada: x\n", "@ada: x"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_plain_value_that_begins_with_a_reserved_character_is_read_as_text(
    written: str, value: object, end: str
) -> None:
    block = read_block(("id: A\n" + written + "last: x\n").replace("\n", end))
    assert (block.values["owner"], block.values["last"]) == (value, "x")
    assert block.repaired


def test_each_repair_is_reported_on_its_line() -> None:
    block = read_block("id: A\nowner: @ada\nlabels: [@x,\n  `y`]\n")
    assert block.repaired == [3, 4, 5]


def test_the_repair_leaves_a_literal_text_as_it_is() -> None:
    block = read_block("notes: |\n  @ada said\n  owner: @bob\nowner: @cy\n")
    assert block.values == {"notes": "@ada said\nowner: @bob\n", "owner": "@cy"}
    assert block.repaired == [5]


def test_a_hundred_repairs_are_made_and_no_more() -> None:
    assert len(read_block("a:\n" + "- @x\n" * 100).repaired) == 100
    assert refused("a:\n" + "- @x\n" * 101)[0] == "block-broken"


def test_keys_may_be_in_any_script_and_tags_are_set_aside() -> None:
    block = read_block("søknad: ja\n日本: 語\nobject: !!python/object/apply:os.system [ls]\nint: !!int x\n")
    assert block.values == {"søknad": "ja", "日本": "語", "object": ["ls"], "int": "x"}


def test_an_anchor_is_read_and_a_merge_key_is_a_key_like_any_other() -> None:
    block = read_block("base: &b {owner: Ada}\nother: *b\nlast:\n  <<: *b\n")
    assert block.values["other"] == {"owner": "Ada"}
    assert block.values["last"] == {"<<": {"owner": "Ada"}}


def bomb_of_lists() -> str:
    return 'a: &a ["lol","lol"]\n' + "".join(
        f"{n}: &{n} [{','.join(['*' + p] * 9)}]\n" for p, n in zip("abcdefgh", "bcdefghi", strict=True)
    )


@pytest.mark.parametrize(
    ("block", "code"),
    [
        (bomb_of_lists(), "block-too-large"),
        (f"a: &a {'x' * 150_000}\nb: [{','.join(['*a'] * 15_000)}]\n", "block-too-large"),
        (f"a: &a [{'x' * 150_000}]\nb: [{','.join(['*a'] * 8_000)}]\n", "block-too-large"),
        (f"a: {'x' * 300 * 1024}\n", "block-too-large"),
        ("a: [" + "1," * 25_000 + "]\n", "block-too-large"),
        ("a: " + "[" * 100_000 + "\n", "block-too-deep"),
        ("a: " + "{a: " * 50_000 + "\n", "block-too-deep"),
        ("- " * 100_000 + "x\n", "block-too-deep"),
        ("? " * 100_000 + "x\n", "block-broken"),
    ],
)  # fmt: skip
def test_a_bomb_is_refused_by_name_and_soon(block: str, code: str) -> None:
    began = time.monotonic()
    assert refused(block)[0] == code
    assert time.monotonic() - began < 5


def test_what_a_block_may_unfold_to_is_bounded() -> None:
    block = read_block(f"a: &a {'x' * 10_000}\nb: [{','.join(['*a'] * 90)}]\n")
    assert len(json.dumps(block.values)) < 2 * 1024 * 1024
