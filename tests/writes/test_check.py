"""`revetly check`: what it names, and that it changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from graphapi.cli.project import check
from graphapi.domain.artifact import Finding
from graphapi.ingest.checkup import project_check
from graphapi.models import IngestPass, Project
from graphapi.reads.artifact import get_artifact
from graphapi.reads.reader import Reader
from tests.repo import Repo

Ingest = Callable[..., IngestPass]
DOUBLED = "## Acceptance criteria\n\n- old\n\n## Acceptance criteria\n\n- new\n"


def found(project: Project, code: str) -> list[Finding]:
    return [f for f in project_check(project).findings if f.code == code]


@pytest.fixture
def revising(repo: Repo, project: Project) -> Callable[[str], list[Finding]]:
    """What check names in a note whose revises is this YAML, beside an item of three criteria."""

    def run(revises: str) -> list[Finding]:
        repo.item("STORY-1", "## Acceptance criteria\n- a\n- b\n- c\n")
        repo.write("decisions/DEC-1.md", f"---\nid: DEC-1\ntitle: A note\nrevises:\n{revises}---\n\nWords.\n")
        repo.commit()
        return list(project_check(project).findings)

    return run


@pytest.mark.requirement("criteria-list.check-names-doubled")
def test_check_names_a_story_that_carries_its_list_twice_and_leaves_the_file(repo: Repo, project: Project) -> None:
    file = repo.item("STORY-1", DOUBLED)
    repo.commit()
    before = file.read_bytes()
    result = CliRunner().invoke(check, ["--project", project.name])
    assert result.exit_code == 1
    assert "backlog/STORY-1.md:10  criteria-twice" in result.output
    assert file.read_bytes() == before
    assert repo.git("status", "--porcelain") == ""


@pytest.mark.requirement("revises-write.fingerprint-optional")
def test_an_entry_backfilled_by_hand_without_fingerprints_is_linked_and_not_named(
    revising: Any, repo: Repo, ingest: Ingest, graph: Any
) -> None:
    assert revising("- {id: STORY-1, criteria: [1]}\n") == []
    ingest()
    (link,) = [link for link in graph.links("DEC-1") if link.method == "revises"]
    assert (link.target_id, dict(link.attributes)) == ("STORY-1", {"criteria": [1]})


@pytest.mark.requirement("revises-write.check-no-id")
@pytest.mark.parametrize("entry", ["- criteria: [1]\n", "- {id: , criteria: [1]}\n", "- ''\n", "-\n", "- [STORY-1]\n"])
def test_an_entry_without_an_id_is_named_with_the_note_and_the_entry(revising: Any, entry: str) -> None:
    (finding,) = revising("- STORY-1\n" + entry)
    assert (finding.code, finding.path, finding.line) == ("revises-no-id", "decisions/DEC-1.md", 4)
    assert "entry 2" in finding.message


@pytest.mark.requirement("revises-write.check-position")
@pytest.mark.parametrize("position", ["0", "-1", "1.5", "two", "'1 '", "01", "+1", "[1]", "~", "\u0661"])
def test_a_position_that_is_no_whole_number_from_one_is_named(revising: Any, position: str) -> None:
    (finding,) = revising(f"- {{id: STORY-1, criteria: [1, {position}]}}\n")
    assert (finding.code, finding.path) == ("revises-position", "decisions/DEC-1.md")
    assert "STORY-1" in finding.message


@pytest.mark.requirement("revises-write.check-position")
def test_each_bad_position_is_named_once_and_a_good_one_not_at_all(revising: Any) -> None:
    findings = revising("- {id: STORY-1, criteria: [0, -1, 1.5, 'two', 1]}\n")
    assert [f.code for f in findings] == ["revises-position"] * 4
    assert revising("- {id: STORY-1, criteria: [1]}\n") == []


@pytest.mark.requirement("revises-write.check-fingerprint-length")
@pytest.mark.parametrize(
    ("criteria", "prints"),
    [
        ("[1, 3]", "[a1b2c3d4]"),
        ("[1]", "[a1b2c3d4, 0f1e2d3c]"),
        ("[]", "[a1b2c3d4]"),
        ("[1]", "[xyz]"),
        ("[1]", "a: b"),
    ],
)
def test_fingerprints_that_do_not_match_the_positions_are_named(revising: Any, criteria: str, prints: str) -> None:
    value = prints if prints.startswith("[") else "{" + prints + "}"
    (finding,) = revising(f"- {{id: STORY-1, criteria: {criteria}, criteria_fp: {value}}}\n")
    assert (finding.code, finding.path) == ("revises-fingerprints", "decisions/DEC-1.md")


def test_fingerprints_that_match_stay_text_and_are_not_named(revising: Any, ingest: Ingest, graph: Any) -> None:
    assert revising("- {id: STORY-1, criteria: [1, 3], criteria_fp: [01234567, 0f1e2d3c]}\n") == []
    ingest()
    (link,) = [link for link in graph.links("DEC-1") if link.method == "revises"]
    assert dict(link.attributes) == {"criteria": [1, 3], "criteria_fp": ["01234567", "0f1e2d3c"]}


@pytest.mark.requirement("criteria.positions")
def test_positions_name_list_items_from_one(revising: Any, ingest: Ingest, graph: Any) -> None:
    assert revising("- {id: STORY-1, criteria: [1, 3]}\n") == []
    (beyond,) = revising("- {id: STORY-1, criteria: [1, 4]}\n")
    assert (beyond.code, "criterion 4 of STORY-1, which has 3" in beyond.message) == ("revises-beyond", True)


@pytest.mark.requirement("revises-write.check-unknown-id")
def test_a_revised_id_that_context_does_not_hold_is_named(revising: Any, ingest: Ingest) -> None:
    (finding,) = revising("- STORY-1\n- {id: STORY-9, criteria: [1]}\n- story-1\n")[:1]
    assert (finding.code, finding.path, finding.line) == ("revises-unknown", "decisions/DEC-1.md", 4)
    named = [f.message.split(",")[0] for f in revising("- STORY-9\n- story-1\n")]
    assert named == ["revises STORY-9", "revises story-1"]


def test_self_links_and_ids_that_differ_in_case_are_named_with_their_lines(repo: Repo, project: Project) -> None:
    repo.write("backlog/a.md", "---\nid: STORY-1\nparent: STORY-1\n---\n")
    repo.write("backlog/b.md", "---\nid: story-1\ntitle: x\nedges:\n- {to: story-1, relation: blocks}\n---\n")
    repo.commit()
    findings = {(f.code, f.path, f.line) for f in project_check(project).findings}
    assert findings == {
        ("self-link", "backlog/a.md", 3), ("self-link", "backlog/b.md", 4), ("id-case", "backlog/a.md", 2),
    }  # fmt: skip


def test_a_clean_project_passes_and_check_prints_json(repo: Repo, project: Project) -> None:
    repo.item("STORY-1", "## Acceptance criteria\n- a\n")
    repo.commit()
    result = CliRunner().invoke(check, ["--project", project.name, "--json"])
    assert result.exit_code == 0
    assert json.loads(result.output) == {"project": "product", "read": 1, "findings": [], "repaired": []}


@pytest.mark.requirement("criteria.ingest-counts")
def test_a_pass_counts_the_work_items_whose_heading_yielded_no_criterion_per_connector(
    repo: Repo, ingest: Ingest, project: Project
) -> None:
    repo.item("STORY-1", "## Acceptance criteria\n\nIt works.\n")
    repo.item("STORY-2", "## Acceptance criteria\n- a\n")
    repo.item("STORY-3", "No heading.")
    repo.item("DEC-1", "## Acceptance criteria\n\nNone.\n", folder="decisions")
    repo.commit()
    assert ingest().counts["criteria_unparsed"] == {"backlog": 1}
    assert project.sources.get(source="backlog").counts["criteria_unparsed"] == 1
    assert ingest().counts["criteria_unparsed"] == {"backlog": 1}
    repo.item("STORY-1", "## Acceptance criteria\n- It works.\n")
    repo.commit()
    assert ingest().counts["criteria_unparsed"] == {}


@pytest.mark.requirement("supersedes.from-frontmatter-alone")
def test_a_note_written_by_hand_marks_the_one_it_supersedes_after_one_pass(
    repo: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    repo.item("DEC-1", "The old way.", folder="decisions")
    repo.item("DEC-2", "This supersedes DEC-3 and replaces it whole.", folder="decisions", supersedes=["DEC-1"])
    repo.item("DEC-3", "Another.", folder="decisions")
    repo.commit()
    ingest()
    assert get_artifact(Reader(graph.store), artifact_id="DEC-1")["superseded_by"] == "DEC-2"
    assert "superseded_by" not in get_artifact(Reader(graph.store), artifact_id="DEC-3")


@pytest.mark.requirement("capture-health.pass-related")
def test_related_makes_an_edge_only_where_the_id_is_a_backlog_items(
    repo: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    repo.item("STORY-1")
    repo.item("DEC-2", folder="decisions")
    repo.item("DEC-1", folder="decisions", related=["STORY-1", "DEC-2", "STORY-404"])
    repo.commit()
    ingest()
    assert graph.edges() == {("DEC-1", "references", "STORY-1")}
    assert set(project.unresolved.values_list("target", "reason")) == {
        ("DEC-2", "not-minted"),
        ("STORY-404", "unknown"),
    }


@pytest.mark.requirement("capture-health.pass-unresolved")
def test_a_cited_or_superseded_id_no_source_lists_makes_no_node_and_is_counted(
    repo: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    repo.item("DEC-1", folder="decisions", cited_sources=["CONV-404"], supersedes=["DEC-404"], related=["STORY-404"])
    repo.commit()
    row = ingest()
    assert (graph.ids(), graph.links("DEC-1")) == ({"DEC-1"}, [])
    assert row.counts["unresolved"] == {"unknown": 3}
    repo.item("CONV-404", folder="conversations")
    repo.commit()
    assert ingest().counts["unresolved"] == {"unknown": 2}
    assert graph.edges() == {("DEC-1", "cites", "CONV-404")}


@pytest.mark.requirement("revises-write.edge-stated")
def test_each_entry_is_an_edge_that_carries_its_positions_and_fingerprints(
    revising: Any, ingest: Ingest, graph: Any, project: Project
) -> None:
    revising("- {id: STORY-1, criteria: [1, 3], criteria_fp: [a1b2c3d4, 0f1e2d3c]}\n")
    ingest()
    assert get_artifact(Reader(graph.store), artifact_id="DEC-1")["declared_links"] == {"revises": ["STORY-1"]}
    (link,) = graph.links("DEC-1")
    assert (link.source_id, link.target_id, link.method) == ("DEC-1", "STORY-1", "revises")
    assert dict(link.attributes) == {"criteria": [1, 3], "criteria_fp": ["a1b2c3d4", "0f1e2d3c"]}


@pytest.mark.requirement("revises-write.edge-reasserted")
def test_an_edge_that_went_missing_or_whose_positions_changed_is_right_after_the_next_pass(
    revising: Any, ingest: Ingest, graph: Any
) -> None:
    revising("- {id: STORY-1, criteria: [1]}\n")
    ingest()
    (link,) = graph.links("DEC-1")
    graph.store.retire_links(graph.ns, [link.key], at="2026-01-01T00:00:00Z", reason="lost")
    assert graph.links("DEC-1") == []
    row = ingest()
    assert (row.counts["written"], [dict(x.attributes) for x in graph.links("DEC-1")]) == (0, [{"criteria": [1]}])
    revising("- {id: STORY-1, criteria: [2, 3]}\n")
    ingest()
    assert [dict(x.attributes) for x in graph.links("DEC-1")] == [{"criteria": [2, 3]}]
    revising("- {id: STORY-9}\n")
    ingest()
    assert graph.links("DEC-1") == []
