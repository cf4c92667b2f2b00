"""One bad file: named with its line, skipped or read by a rule, and nothing else lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphapi.models import IngestPass, Project
from tests.connectors.findings import named, places
from tests.repo import Repo

Ingest = Callable[..., IngestPass]
GOOD = "STORY-900"


@pytest.fixture
def beside(repo: Repo, ingest: Ingest, graph: Any) -> Callable[[str, bytes], IngestPass]:
    """Write one file beside a good one, run a pass, and see that the good one was read and the pass did not fail."""

    def run(path: str, content: bytes) -> IngestPass:
        repo.item(GOOD)
        repo.write(path, content)
        repo.commit()
        row = ingest()
        assert row.error == ""
        assert GOOD in graph.ids()
        return row

    return run


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"---\nid: STORY-1\n---\nBody\n\nwith \0 in it\n", "nul-byte", 6),
        (b'---\nid: STORY-1\ntitle: "a\\0b"\n---\n', "nul-byte", 3),
        (b"---\r\nid: STORY-1\r\n---\r\ncaf\xe9\r\n", "not-utf8", 4),
        (b"\xff\xfe-\x00-\x00-\x00\n\x00", "nul-byte", 1),
        (b"---\nid: STORY-1\n", "block-unclosed", 1),
        (b"---\nid: STORY-1\ntitle: a: b\n---\n", "block-broken", 3),
        (b"---\n- id\n---\n", "block-not-a-map", 2),
        (b"---\nid: STORY-1\na:\n\t- b\n---\n", "tab-indentation", 4),
        (b"---\na: &a [x]\n" + b"b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" * 1 + b"c: [" + b"*b," * 9000 + b"]\n---\n",
         "block-too-large", 4),
        (b"---\nx: " + b"y" * 300 * 1024 + b"\n---\n", "block-too-large", 1),
        (b"---\nx: " + b"[" * 5000 + b"\n---\n", "block-too-deep", 2),
        (b"---\nid: STORY 1\n---\n", "bad-id", 2),
        (b"---\ntitle: x\nid: STORY-1,STORY-2\n---\n", "bad-id", 3),
        (b"---\nid: " + b"S" * 201 + b"\n---\n", "bad-id", 2),
        (b"No block at all.\n", "no-block", 1),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_named_with_its_line_and_skipped(
    beside: Any, graph: Any, content: bytes, code: str, line: int
) -> None:
    row = beside("backlog/bad.md", content)
    assert row.state == "amber"
    assert places(row) == {(code, "backlog/bad.md", line)}
    assert [f["severity"] for f in row.findings] == ["error"]
    assert graph.ids() == {GOOD}


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"  \r\n\n\t"])
def test_an_empty_file_is_named_and_skipped(beside: Any, graph: Any, content: bytes) -> None:
    row = beside("backlog/empty.md", content)
    assert (row.state, places(row)) == ("amber", {("empty-file", "backlog/empty.md", 1)})
    assert graph.ids() == {GOOD}


def test_a_file_over_the_limit_is_named_with_its_size_and_skipped(beside: Any, graph: Any) -> None:
    row = beside("backlog/huge.md", b"---\nid: STORY-1\n---\n" + b"x" * 20 * 1024 * 1024)
    (finding,) = row.findings
    assert (row.state, finding["code"], finding["path"]) == ("amber", "file-too-large", "backlog/huge.md")
    assert "20.0 MiB" in finding["message"]
    assert "REVETLY_MAX_FILE_MIB" in finding["fix"]
    assert graph.ids() == {GOOD}


def test_a_file_under_a_raised_limit_is_read_whole(beside: Any, graph: Any, settings: Any) -> None:
    settings.MAX_FILE_MIB = 32
    body = (b"word " * 200_000 + b"x" * 1024 * 1024) * 6
    beside("docs/huge.md", b"---\nid: HUGE\n---\n" + body)
    assert len(graph.get("HUGE").body) == len(body)


@pytest.mark.parametrize("name", ["README.md", "readme.md", "index.md", "TEMPLATE.md", "template.story.md"])
def test_a_folders_own_explanation_is_no_work_item_and_is_not_named(beside: Any, graph: Any, name: str) -> None:
    row = beside(f"backlog/{name}", b"# About this folder\n")
    assert (row.state, row.findings, graph.ids()) == ("green", [], {GOOD})


def test_a_work_item_without_an_id_is_read_under_its_path_and_named(beside: Any, graph: Any) -> None:
    row = beside("backlog/idea.md", b"---\ntitle: An idea\n---\n")
    assert (row.state, places(row)) == ("amber", {("no-id", "backlog/idea.md", 1)})
    assert graph.get("backlog/idea.md").title == "An idea"


def test_values_that_are_not_what_their_key_takes_are_named_and_set_aside(beside: Any, graph: Any) -> None:
    row = beside(
        "backlog/odd.md",
        b"---\nid: STORY-1\ntitle: [a, b]\nstatus: {a: b}\ntype: " + b"t" * 65 + b"\nparent: [EPIC-1]\nedges:\n- x\n"
        b"- {to: STORY-900}\n- {to: STORY-900, relation: " + b"r" * 101 + b"}\n- {to: STORY-900, relation: blocks}\n"
        b"cited_sources: [{a: b}, STORY-900]\nreview_log: words\n---\n# Odd one\n",
    )
    assert places(row) == {
        ("bad-value", "backlog/odd.md", line) for line in (3, 4, 5, 6, 7, 12, 13)
    }  # fmt: skip
    story = graph.get("STORY-1")
    assert (story.title, story.status, story.artifact_type) == ("Odd one", None, "story")
    assert graph.methods("STORY-1") == {("STORY-1", "edges", GOOD), ("STORY-1", "cites", GOOD)}


def test_what_is_wrong_with_a_key_is_said_once(beside: Any) -> None:
    row = beside("backlog/odd.md", b"---\nid: [a]\ntype: [b]\n---\n")
    assert sorted(f["code"] for f in row.findings) == ["bad-value", "bad-value", "no-id"]


@pytest.mark.parametrize("criterion", ["\u00b2", "0", "-1", "1.5", "two", "''", "[1]", "9999999"])
def test_a_verdict_on_no_position_is_kept_as_written_and_named(beside: Any, graph: Any, criterion: str) -> None:
    content = f"---\nid: DEL-1\ndelivers: STORY-900\nverdicts:\n- {{criterion: {criterion}, verdict: held}}\n---\n"
    row = beside("deliveries/DEL-1.md", content.encode())
    assert places(row) == {("verdict-criterion", "deliveries/DEL-1.md", 4)}
    assert len(graph.get("DEL-1").metadata["verdicts"]) == 1


def test_a_record_that_delivers_nothing_is_named_and_read(beside: Any, graph: Any) -> None:
    row = beside("deliveries/DEL-1.md", b"---\nid: DEL-1\n---\n")
    assert places(row) == {("delivers-nothing", "deliveries/DEL-1.md", 1)}
    assert graph.get("DEL-1").kind == "delivery-record"


def test_an_entry_of_the_log_with_a_bad_time_is_kept_without_one(beside: Any, project: Project) -> None:
    row = beside(
        "backlog/S.md",
        b"---\nid: STORY-1\nreview_log:\n- {at: 2024-02-30, action: approved, by: Ada, review_id: r1}\n"
        b"- {at: 2026-01-02, action: amended, by: {sub: bo, name: Bo}}\n---\n",
    )
    assert places(row) == {("bad-date", "backlog/S.md", 3)}
    steps = project.history.filter(artifact_id="STORY-1").order_by("position")
    assert [(s.at is None, s.action, s.by, s.detail) for s in steps] == [
        (True, "approved", {"sub": "Ada"}, {"review_id": "r1"}),
        (False, "amended", {"sub": "bo", "name": "Bo"}, {}),
    ]


def test_a_second_block_is_named_on_its_own_line_and_rules_around_words_are_not_one(beside: Any) -> None:
    row = beside("backlog/S.md", b"---\nid: STORY-1\n---\n\n\r\n---\nid: STORY-2\n---\n")
    assert places(row) == {("second-block", "backlog/S.md", 6)}
    assert beside("backlog/S.md", b"---\nid: STORY-1\n---\n\n---\nJust words\n---\n").findings == []


def test_line_ends_of_a_project_may_be_crlf_throughout(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.write("revetly.toml", (repo.root / "revetly.toml").read_bytes().replace(b"\n", b"\r\n"))
    repo.write("backlog/E.md", b"---\r\nid: EPIC-1\r\n---\r\n")
    repo.write("backlog/S.md", b"---\r\nid: STORY-1\r\nparent: EPIC-1\r\nowner: @ada\r\n---\r\n\r\nSee EPIC-1.\r\n")
    repo.commit()
    row = ingest()
    assert graph.edges() == {("STORY-1", "parent", "EPIC-1"), ("STORY-1", "references", "EPIC-1")}
    assert places(row) == {("repaired-value", "backlog/S.md", 4)}


def test_an_old_mac_file_is_read_line_by_line(beside: Any, graph: Any) -> None:
    beside("backlog/S.md", b"---\rid: STORY-1\rparent: STORY-900\r---\rBody\r")
    assert graph.edges("STORY-1") == {("STORY-1", "parent", GOOD)}


@pytest.mark.parametrize(
    ("then", "code"),
    [(b"---\nid: STORY-1\n", "block-unclosed"), (b"", "empty-file"), (b"\xff", "not-utf8"), (b"words", "no-block"),
     (b"---\nid: a b\n---\n", "bad-id"), (b"x" * 11 * 1024 * 1024, "file-too-large")],
)  # fmt: skip
def test_a_file_that_can_no_longer_be_read_keeps_what_was_read_before(
    repo: Repo, ingest: Ingest, graph: Any, then: bytes, code: str
) -> None:
    repo.item("STORY-1", "What it said.")
    repo.commit()
    ingest()
    repo.write("backlog/STORY-1.md", then)
    repo.commit()
    row = ingest()
    assert (row.state, named(row)) == ("amber", {(code, "backlog/STORY-1.md")})
    assert (graph.get("STORY-1").deleted, "What it said." in graph.get("STORY-1").body) == (False, True)
    repo.item("STORY-1", "Mended.")
    repo.commit()
    assert ingest().state == "green"
    assert "Mended." in graph.get("STORY-1").body


def test_a_file_the_disk_refuses_is_named_and_keeps_what_was_read_before(
    repo: Repo, ingest: Ingest, graph: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.item("STORY-1", "What it said.")
    repo.item("STORY-2")
    repo.commit()
    ingest()
    repo.item("STORY-1", "Changed.")
    opened = os.open

    def refusing(path: Any, *args: Any, **kwargs: Any) -> int:
        if Path(os.fsdecode(path)).name == "STORY-1.md":
            raise PermissionError(13, "Permission denied")
        return opened(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", refusing)
    row = ingest()
    (finding,) = row.findings
    assert (finding["code"], finding["path"]) == ("unreadable", "backlog/STORY-1.md")
    assert "Permission denied" in finding["message"]
    assert "What it said." in graph.get("STORY-1").body
    assert graph.ids() == {"STORY-1", "STORY-2"}


def test_a_pipe_in_a_files_place_is_not_waited_on(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.item("STORY-1", "What it said.")
    repo.item("STORY-2")
    repo.commit()
    ingest()
    (repo.root / "backlog/STORY-1.md").unlink()
    os.mkfifo(repo.root / "backlog/STORY-1.md")
    row = ingest()
    assert (row.error, named(row)) == ("", {("not-a-file", "backlog/STORY-1.md")})
    assert graph.ids() == {"STORY-1", "STORY-2"}
    assert "What it said." in graph.get("STORY-1").body


def test_a_folder_in_a_files_place_takes_the_file_away_and_loses_nothing_else(
    repo: Repo, ingest: Ingest, graph: Any
) -> None:
    repo.item("STORY-1")
    repo.item("STORY-2")
    repo.commit()
    ingest()
    (repo.root / "backlog/STORY-1.md").unlink()
    repo.item("STORY-3", folder="backlog/STORY-1.md")
    row = ingest()
    assert (row.error, graph.ids()) == ("", {"STORY-2", "STORY-3"})
    assert graph.get("STORY-1").deleted_clock == "found"
