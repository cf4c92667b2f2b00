"""What a pass turns into edges, on each store."""

from __future__ import annotations

import pytest

from graphapi.domain.criteria import fingerprint
from graphapi.domain.links import METHOD_RANK
from graphapi.reads.artifact import artifact_record
from tests.conftest import codes

requirement = pytest.mark.requirement


@requirement("capture-health.pass-declared-edges")
def test_every_declared_field_becomes_its_own_relation_and_is_retired_when_its_file_drops_it(
    repo, ingest, graph
) -> None:
    repo.item("EPIC-001", type="epic")
    repo.item("STORY-001")
    repo.item("STORY-002")
    repo.item("CONV-001", folder="conversations", related=["STORY-002"])
    repo.write(
        "backlog/STORY-003.md",
        "---\nid: STORY-003\ntitle: Third of them\nparent: EPIC-001\ncited_sources: [CONV-001]\n"
        "supersedes: [STORY-001]\nsame_as: STORY-002\nedges:\n- {to: STORY-001, relation: blocks}\n---\n\nWords.\n",
    )
    repo.item("DEL-001", folder="deliveries", delivers="STORY-003")
    repo.commit()
    ingest()
    declared = {
        ("STORY-003", "parent", "EPIC-001"),
        ("STORY-003", "cites", "CONV-001"),
        ("STORY-003", "supersedes", "STORY-001"),
        ("STORY-003", "same_as", "STORY-002"),
        ("STORY-003", "blocks", "STORY-001"),
        ("DEL-001", "delivers", "STORY-003"),
        ("CONV-001", "references", "STORY-002"),
    }
    assert graph.edges() == declared
    assert ("STORY-003", "edges", "STORY-001") in graph.methods()

    repo.item("STORY-003", parent="EPIC-001")
    repo.item("CONV-001", folder="conversations")
    repo.commit()
    row = ingest()
    assert graph.edges() == {("STORY-003", "parent", "EPIC-001"), ("DEL-001", "delivers", "STORY-003")}
    assert row.counts["links_retired"] == 5
    retired = [link for link in graph.links(deleted="only") if link.invalid_at]
    assert {link.invalid_reason for link in retired} == {"source-stopped-declaring"}
    assert len(retired) == 5


@requirement("capture-health.pass-anchors")
def test_every_listed_artifact_has_one_node(repo, ingest, graph, project) -> None:
    repo.item("EPIC-001", type="epic")
    repo.item("CONV-001", folder="conversations")
    repo.item("DEL-001", folder="deliveries", delivers="EPIC-001")
    repo.write("docs/how.md", "# How\n\nWords.\n")
    repo.commit()
    row = ingest()
    listed = set(project.ledger.filter(deleted_at=None).values_list("artifact_id", flat=True))
    assert graph.ids() == listed == {"EPIC-001", "CONV-001", "DEL-001", "docs/how.md"}
    assert row.counts["listed"] == 4


def test_an_item_that_cites_an_id_and_names_it_in_its_body_has_two_edges(repo, ingest, graph) -> None:
    repo.item("CONV-001", folder="conversations")
    repo.item("STORY-001", "As said in CONV-001.", cited_sources=["CONV-001"])
    repo.commit()
    ingest()
    assert graph.methods() == {("STORY-001", "cites", "CONV-001"), ("STORY-001", "explicit-ref", "CONV-001")}


@requirement("revises-write.edge-stated")
def test_a_revises_entry_is_an_edge_that_carries_positions_and_fingerprints(repo, ingest, graph) -> None:
    repo.item("STORY-001", "## Acceptance criteria\n\n- one\n- two\n- three")
    repo.item("STORY-002")
    prints = [fingerprint("one"), fingerprint("three")]
    repo.write(
        "decisions/DEC-001.md",
        f"---\nid: DEC-001\ntitle: We changed two\nrevises:\n- STORY-002\n- id: STORY-001\n  criteria: [1, 3]\n"
        f"  criteria_fp: [{', '.join(prints)}]\n---\n\nBecause.\n",
    )
    repo.commit()
    ingest()
    edges = {link.target_id: link for link in graph.links("DEC-001")}
    assert set(edges) == {"STORY-001", "STORY-002"}
    assert {link.method for link in edges.values()} == {"revises"}
    assert dict(edges["STORY-001"].attributes) == {"criteria": [1, 3], "criteria_fp": prints}
    assert dict(edges["STORY-002"].attributes) == {}


@requirement("revises-write.edge-reasserted")
def test_a_revises_edge_that_went_missing_or_changed_is_right_after_the_next_pass(repo, ingest, graph, store) -> None:
    repo.item("STORY-001", "## Acceptance criteria\n\n- one\n- two")
    repo.write("decisions/DEC-001.md", "---\nid: DEC-001\nrevises: [{id: STORY-001, criteria: [1]}]\n---\n\nWhy.\n")
    repo.commit()
    ingest()
    (edge,) = graph.links("DEC-001")
    store.retire_links(graph.ns, [edge.key], at="2026-01-01T00:00:00Z", reason="lost in a test")
    assert graph.links("DEC-001") == []
    row = ingest()
    assert row.counts["written"] == 0
    (back,) = graph.links("DEC-001")
    assert (back.key, back.attributes["criteria"], back.invalid_at) == (edge.key, [1], None)

    repo.write("decisions/DEC-001.md", "---\nid: DEC-001\nrevises: [{id: STORY-001, criteria: [2]}]\n---\n\nWhy.\n")
    repo.commit()
    ingest()
    (moved,) = graph.links("DEC-001")
    assert moved.attributes["criteria"] == [2]


def test_an_id_nothing_answers_to_is_named_and_becomes_a_link_when_its_file_comes(repo, ingest, graph, project) -> None:
    repo.item("STORY-001", "As DEC-007 says.", cited_sources=["CONV-404"])
    repo.item("DEC-001", folder="decisions")
    repo.commit()
    row = ingest()
    assert row.state == "green"
    assert row.counts["unresolved"] == {"unknown": 2}
    named = set(project.unresolved.values_list("artifact_id", "relation", "target", "reason"))
    assert named == {
        ("STORY-001", "cites", "CONV-404", "unknown"),
        ("STORY-001", "references", "DEC-007", "unknown"),
    }
    assert graph.get("CONV-404") is None

    repo.item("CONV-404", folder="conversations")
    repo.commit()
    row = ingest()
    assert row.counts["written"] == 1
    assert ("STORY-001", "cites", "CONV-404") in graph.edges()
    assert list(project.unresolved.values_list("target", flat=True)) == ["DEC-007"]


def test_a_supersession_that_its_note_takes_back_marks_nothing_any_more(repo, ingest, project, store) -> None:
    repo.item("STORY-001")
    repo.item("STORY-002", supersedes="STORY-001")
    repo.commit()
    ingest()
    assert artifact_record(project, store, "STORY-001")["superseded_by"] == "STORY-002"
    repo.item("STORY-002")
    repo.commit()
    ingest()
    assert "superseded_by" not in artifact_record(project, store, "STORY-001")
    (repo.root / "backlog/STORY-001.md").unlink()
    repo.commit()
    ingest()
    assert "superseded_by" not in artifact_record(project, store, "STORY-001")


def test_what_only_looks_like_an_id_in_prose_is_not_counted(repo, ingest, graph) -> None:
    repo.item("STORY-001", "UTF-8, ISO-8601, src/main.py, v1.2, a-b, ada@example.com, HMB-4711.")
    repo.commit()
    assert ingest().counts["unresolved"] == {}
    repo.item("STORY-001", "BUG-12 is of a family this project declares.")
    repo.commit()
    assert ingest().counts["unresolved"] == {"unknown": 1}


def test_self_links_and_duplicates_are_named_and_not_followed(repo, ingest, graph) -> None:
    repo.item("CONV-001", folder="conversations")
    repo.item("STORY-001", supersedes="STORY-001", cited_sources=["CONV-001", "CONV-001"])
    repo.commit()
    row = ingest()
    assert row.state == "amber"
    assert sorted(codes(row)) == ["duplicate-link", "self-link"]
    assert graph.methods() == {("STORY-001", "cites", "CONV-001")}


def test_a_parent_cycle_is_named_and_a_branch_over_it_ends(repo, ingest, graph, store) -> None:
    repo.item("STORY-001", parent="STORY-003")
    repo.item("STORY-002", parent="STORY-001")
    repo.item("STORY-003", parent="STORY-002")
    repo.commit()
    row = ingest()
    (finding,) = [f for f in row.findings if f["code"] == "parent-cycle"]
    assert all(i in finding["message"] for i in ("STORY-001", "STORY-002", "STORY-003"))
    branch = store.branch(graph.ns, "STORY-001")
    assert [node.artifact_id for node in branch.nodes] == ["STORY-001", "STORY-002", "STORY-003"]
    assert branch.cycles == (("STORY-001", "STORY-002", "STORY-003"),)


def test_facts_carry_both_titles_and_follow_a_retitle(repo, ingest, graph, store) -> None:
    repo.item("EPIC-001", type="epic", title="Arrivals at night")
    repo.item("STORY-001", title="Lantern check", parent="EPIC-001")
    repo.commit()
    ingest()
    assert [hit.source_id for hit in store.search_facts(graph.ns, "lantern arrivals")] == ["STORY-001"]
    repo.item("EPIC-001", type="epic", title="Departures at dawn")
    repo.commit()
    ingest()
    assert store.search_facts(graph.ns, "arrivals") == []
    (hit,) = store.search_facts(graph.ns, "departures")
    assert "Lantern check" in hit.fact and "Departures at dawn" in hit.fact


def test_citations_references_and_mentions_are_no_facts(repo, ingest, graph, store) -> None:
    repo.item("CONV-001", folder="conversations", title="Talk about lanterns")
    repo.item("STORY-001", "See CONV-001.", cited_sources=["CONV-001"])
    repo.item("STORY-002", "We had that Talk About Lanterns.")
    repo.commit()
    ingest()
    assert len(graph.links()) == 3
    assert store.search_facts(graph.ns, "lanterns") == []


@requirement("mentions.rank", "mentions.method")
def test_links_of_one_artifact_come_by_the_strength_of_what_stated_them(repo, ingest, graph) -> None:
    repo.item("STORY-001", title="Berth map")
    repo.item("STORY-002", title="Tide table")
    repo.item("CONV-001", "The tide table, and STORY-001.", folder="conversations")
    repo.commit()
    ingest()
    links = graph.links("CONV-001")
    assert [(link.method, link.relation) for link in links] == [
        ("explicit-ref", "references"),
        ("title-mention", "mentions"),
    ]
    assert links[0].rank < links[1].rank < 1000
    assert max(METHOD_RANK.values()) == METHOD_RANK["title-mention"]


def test_a_target_longer_than_any_id_is_kept_as_far_as_an_index_takes_it(repo, ingest, project) -> None:
    """PostgreSQL refuses a row whose indexed text is too long, and the pass would fail with it."""
    repo.item("STORY-001", supersedes=["x" * 5000, "STORY-404"])
    repo.commit()
    ingest()
    before = list(project.unresolved.order_by("target").values_list("id", "target"))
    assert [target for _, target in before] == ["STORY-404", "x" * 500]
    ingest()
    assert list(project.unresolved.order_by("target").values_list("id", "target")) == before
