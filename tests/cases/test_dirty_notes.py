"""Inputs that real teams have: each row of the cases' table, through a real pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from graphapi.domain.criteria import read_criteria
from graphapi.domain.dates import as_text
from graphapi.ingest.checkup import project_check
from graphapi.models import IngestPass, Project
from graphapi.reads.artifact import get_artifact
from graphapi.reads.health import context_health
from graphapi.reads.reader import Reader
from tests.cases.conftest import CASES, COMMITTED
from tests.repo import Repo

Ingest = Callable[..., IngestPass]

# (file, code, line) of everything a pass over the notes says; the message is the business of each case.
NAMED = {
    ("backlog/EPIC-100.md", "parent-cycle", 6),
    ("backlog/STORY-101-at-sign.md", "repaired-value", 6),
    ("backlog/STORY-104-second-block.md", "second-block", 7),
    ("backlog/STORY-105-list.md", "block-not-a-map", 2),
    ("backlog/STORY-107-case.md", "unknown-status", 5),
    ("backlog/STORY-108-empty.md", "empty-file", 1),
    ("backlog/STORY-109-tabs.md", "tab-indentation", 5),
    ("backlog/STORY-110-duplicate-key.md", "duplicate-key", 5),
    ("backlog/archive/STORY-106-b.md", "duplicate-id", 2),
    ("decisions/DEC-102.md", "revises-position", 6),
    ("decisions/DEC-103.md", "bad-date", 4),
    ("deliveries/DEL-101.md", "unknown-verdict", 7),
}
READ = {
    "EPIC-100", "STORY-101", "STORY-102", "STORY-103", "STORY-104", "STORY-106", "story-107", "STORY-110", "STORY-111",
    "CONV-101", "CONV-102", "CONV-103", "DEC-101", "DEC-102", "DEC-103", "DEL-101",
}  # fmt: skip


def of(row: IngestPass, path: str) -> list[dict[str, Any]]:
    return [f for f in row.findings if f.get("path") == path]


def unresolved(project: Project, artifact_id: str) -> set[tuple[str, str, str]]:
    rows = project.unresolved.filter(artifact_id=artifact_id)
    return set(rows.values_list("relation", "target", "reason"))


def test_the_pass_ends_amber_names_each_finding_with_file_and_line_and_reads_the_rest(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    row = ingest()
    assert (row.state, row.error) == ("amber", "")
    assert {(f["path"], f["code"], f["line"]) for f in row.findings} == NAMED
    assert graph.ids() == READ
    assert row.counts["listed"] == row.counts["written"] == len(READ)
    health = context_health(Reader(graph.store))
    assert (health["last_pass"]["state"], health["artifacts"]["withheld"]) == ("amber", 1)


def test_a_second_pass_says_the_same_and_changes_nothing(dirty: Repo, ingest: Ingest, graph: Any) -> None:
    first = ingest()
    before = graph.methods()
    second = ingest()
    assert second.state == "amber"
    assert {(f["path"], f["code"], f["line"]) for f in second.findings} == NAMED
    assert (second.counts["written"], second.counts["links_written"], second.counts["links_retired"]) == (0, 0, 0)
    assert (second.counts["unresolved"], graph.methods()) == (first.counts["unresolved"], before)


def test_the_copies_are_the_handed_bytes() -> None:
    assert (CASES / "backlog/STORY-102-crlf.md").read_bytes().count(b"\r\n") == 14
    assert (CASES / "backlog/STORY-103-bom.md").read_bytes().startswith(b"\xef\xbb\xbf---\n")
    assert b"\n\t- to: STORY-101" in (CASES / "backlog/STORY-109-tabs.md").read_bytes()
    assert (CASES / "backlog/STORY-108-empty.md").read_bytes() == b""


def test_a_value_that_begins_with_an_at_sign_is_read_as_text_and_reported(
    dirty: Repo, ingest: Ingest, graph: Any
) -> None:
    row = ingest()
    story = graph.get("STORY-101")
    assert (story.metadata["owner"], story.status) == ("@pilot-desk", "ready")
    assert read_criteria(story.body).items == ("[ ] The pilot is shown", '[x] An unknown pilot reads "unknown"')
    assert [f["code"] for f in of(row, "backlog/STORY-101-at-sign.md")] == ["repaired-value"]


def test_a_crlf_file_is_read_whole_with_both_ordered_markers(dirty: Repo, ingest: Ingest, graph: Any) -> None:
    row = ingest()
    story = graph.get("STORY-102")
    assert (story.title, story.status) == ("Tide table prints on one page", "draft")
    assert story.body.startswith("\r\nOne page, A4.\r\n")
    assert read_criteria(story.body).items == ("Fits A4", "Fits Letter")
    assert of(row, "backlog/STORY-102-crlf.md") == []


def test_a_byte_order_mark_before_the_block_is_read_past(dirty: Repo, ingest: Ingest, graph: Any) -> None:
    ingest()
    story = graph.get("STORY-103")
    assert (story.title, story.body) == ("Harbour dues in kroner", "\nDues show in the local currency.\n")


def test_of_two_blocks_the_first_counts_and_the_second_is_body(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    ingest()
    story = graph.get("STORY-104")
    assert (story.title, story.status) == ("Night berthing", "ready")
    assert story.body.startswith("---\nid: STORY-104\ntitle: Night berthing (old)\n")
    named = [f for f in project_check(project).findings if f.code == "second-block"]
    assert [(f.path, f.line) for f in named] == [("backlog/STORY-104-second-block.md", 7)]


def test_a_block_that_is_a_list_is_named_and_skipped(dirty: Repo, ingest: Ingest, graph: Any) -> None:
    row = ingest()
    assert graph.get("STORY-105") is None
    assert graph.get("backlog/STORY-105-list.md") is None
    assert [f["severity"] for f in of(row, "backlog/STORY-105-list.md")] == ["error"]


def test_of_two_files_with_one_id_the_shallower_is_served_and_both_are_named(
    dirty: Repo, ingest: Ingest, graph: Any
) -> None:
    row = ingest()
    (finding,) = of(row, "backlog/archive/STORY-106-b.md")
    assert graph.get("STORY-106").title == "First file with this id"
    assert "backlog/STORY-106-a.md" in finding["message"]
    assert "shallow folders first" in finding["message"]


def test_the_other_file_of_one_id_is_served_once_the_first_is_gone(dirty: Repo, ingest: Ingest, graph: Any) -> None:
    ingest()
    (dirty.root / "backlog/STORY-106-a.md").unlink()
    dirty.commit()
    row = ingest()
    story = graph.get("STORY-106")
    assert (story.title, story.deleted, story.source_path) == (
        "Second file with this id", False, "backlog/archive/STORY-106-b.md",
    )  # fmt: skip
    assert "duplicate-id" not in {f["code"] for f in row.findings}


@pytest.mark.requirement("capture-health.pass-unresolved")
def test_an_id_is_served_as_written_and_what_resolves_to_nothing_is_counted_and_never_minted(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    row = ingest()
    story = graph.get("story-107")
    assert (story.status, story.artifact_type, graph.get("STORY-107")) == ("imlpemented", "story", None)
    (finding,) = of(row, "backlog/STORY-107-case.md")
    assert "imlpemented" in finding["message"]
    assert unresolved(project, "story-107") == {
        ("parent", "epic-100", "unknown"), ("cites", "conv-999", "unknown"), ("cites", "task-12", "unknown"),
        ("references", "story-106", "unknown"), ("references", "STORY-1020", "unknown"),
    }  # fmt: skip
    assert not {"epic-100", "conv-999", "task-12", "STORY-1020"} & {
        i for i, _, _ in graph.store.artifact_digests(graph.ns)
    }
    assert graph.methods("story-107") == {
        ("story-107", "cites", "CONV-101"), ("story-107", "explicit-ref", "STORY-102"),
    }  # fmt: skip


def test_a_parent_cycle_is_named_and_a_branch_through_it_ends(dirty: Repo, ingest: Ingest, graph: Any) -> None:
    row = ingest()
    branch = graph.store.branch(graph.ns, "EPIC-100")
    assert branch.cycles
    assert {node.artifact_id for node in branch.nodes} == {"EPIC-100", "STORY-101", "STORY-102"}
    (finding,) = of(row, "backlog/EPIC-100.md")
    assert "EPIC-100 → STORY-101 → EPIC-100" in finding["message"]


def test_an_empty_file_is_named_and_skipped(dirty: Repo, ingest: Ingest, graph: Any) -> None:
    row = ingest()
    assert [f["code"] for f in of(row, "backlog/STORY-108-empty.md")] == ["empty-file"]
    assert graph.get("STORY-108") is None


def test_tab_indentation_is_named_with_its_line_and_the_file_skipped(dirty: Repo, ingest: Ingest, graph: Any) -> None:
    row = ingest()
    assert [(f["code"], f["line"]) for f in of(row, "backlog/STORY-109-tabs.md")] == [("tab-indentation", 5)]
    assert graph.get("STORY-109") is None


def test_of_a_key_given_twice_the_last_counts_and_is_named(dirty: Repo, ingest: Ingest, graph: Any) -> None:
    row = ingest()
    assert graph.get("STORY-110").status == "done"
    (finding,) = of(row, "backlog/STORY-110-duplicate-key.md")
    assert "the last counts" in finding["message"]


def test_criteria_are_those_of_the_heading_and_not_of_the_code_block(dirty: Repo, ingest: Ingest, graph: Any) -> None:
    ingest()
    assert read_criteria(graph.get("STORY-111").body).items == ("first, on two lines", "[ ] second", "third")


def test_a_supersession_stated_once_as_text_is_one_edge_and_nothing_is_read_from_a_sentence(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    ingest()
    assert {e for e in graph.edges() if e[1] == "supersedes"} == {("DEC-102", "supersedes", "DEC-101")}
    record = get_artifact(Reader(graph.store), artifact_id="DEC-101")
    assert record["superseded_by"] == "DEC-102"
    assert record["status"] == "superseded by [DEC-102](DEC-102.md)"
    assert as_text(project.ledger.get(artifact_id="DEC-101").source_created_at) == "2013-03-18T00:00:00Z"
    assert "superseded_by" not in get_artifact(Reader(graph.store), artifact_id="DEC-103")
    assert unresolved(project, "DEC-101") == {("references", "DEC-100", "unknown")}


def test_sound_entries_of_revises_are_linked_and_malformed_ones_named(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    row = ingest()
    revisions = {link.target_id: dict(link.attributes) for link in graph.links("DEC-102") if link.method == "revises"}
    assert revisions == {"STORY-101": {}, "STORY-111": {"criteria": [1, 3]}, "STORY-102": {}}
    messages = " ".join(f["message"] for f in of(row, "decisions/DEC-102.md"))
    assert "'0'" in messages
    assert "'two'" in messages
    assert unresolved(project, "DEC-102") == {("revises", "STORY-999", "unknown")}
    check = [f for f in project_check(project).findings if f.code == "revises-unknown"]
    assert [(f.path, f.line, "STORY-999" in f.message) for f in check] == [("decisions/DEC-102.md", 6, True)]


def test_a_day_that_does_not_exist_is_named_and_gits_date_used(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    row = ingest()
    (finding,) = of(row, "decisions/DEC-103.md")
    assert "2024-02-30" in finding["message"]
    assert graph.get("DEC-103").source_created_at == COMMITTED


def test_a_name_outside_ascii_and_its_words_are_whole_in_every_door(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project, instance_is: Any, settings: Any
) -> None:
    from click.testing import CliRunner

    from graphapi.cli.record import inspect

    ingest()
    note = graph.get("CONV-102")
    title, body = "Søknad om plass 🛥️", "\nNavn med ø, å og 日本語.\n"
    assert (note.title, note.body, note.source_path) == (title, body, "conversations/CONV-102-søknad.md")
    settings.BOUND = "127.0.0.1:8000"
    page = Client().get(f"/context/{project.name}/a/CONV-102").content.decode()
    shown = CliRunner().invoke(inspect, ["CONV-102", "--project", project.name]).output
    as_json = CliRunner().invoke(inspect, ["CONV-102", "--project", project.name, "--json"]).output
    for door in (page, shown, as_json):
        assert title in door
        assert "Navn med ø, å og 日本語." in door
        assert "conversations/CONV-102-søknad.md" in door
    assert [hit.artifact_id for hit in graph.store.search_artifacts(graph.ns, "søknad")][:1] == ["CONV-102"]


def test_a_delivery_record_is_read_whole_and_what_is_odd_in_it_named(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    row = ingest()
    record = graph.get("DEL-101")
    assert [(v["criterion"], v["verdict"]) for v in record.metadata["verdicts"]] == [
        (1, "held"), (2, "departed"), (9, "held"), (3, "maybe"),
    ]  # fmt: skip
    assert record.metadata["verdicts"][1]["decided_by"] == "harbour master"
    assert record.source_created_at == "2026-03-05T00:00:00Z"
    assert graph.edges("DEL-101") == {("DEL-101", "delivers", "STORY-111")}
    assert unresolved(project, "DEL-101") == {
        ("implemented_by", "deadbeef", "unknown-commit"), ("implemented_by", "0" * 40, "unknown-commit"),
    }  # fmt: skip
    assert ["'maybe'" in f["message"] for f in of(row, "deliveries/DEL-101.md")] == [True]
    check = {(f.code, f.line) for f in project_check(project).findings if f.path == "deliveries/DEL-101.md"}
    assert check == {("unknown-commit", 6), ("unknown-verdict", 7), ("verdict-beyond", 7)}
