"""Titles that stand in bodies (004 section 5, Title mentions), on each store."""

from __future__ import annotations

import pytest

from graphapi.reads.link_audit import link_audit
from tests.repo import ALL

requirement = pytest.mark.requirement
MENTION = ("CONV-001", "title-mention", "STORY-001")


def _talk(repo, body: str) -> None:
    repo.item("CONV-001", body, folder="conversations")


@pytest.fixture
def titled(repo):
    repo.item("STORY-001", title="Berth map")
    return repo


@requirement("mentions.title", "mentions.no-cost")
def test_a_title_that_stands_whole_in_a_body_links_the_two(titled, ingest, graph) -> None:
    _talk(titled, "We saw the Berth map page.")
    titled.commit()
    ingest()
    assert graph.methods() == {MENTION}


@pytest.mark.parametrize("body", ["THE BERTH MAP!", "the berth\n  map", "(berth map)", "“Berth  map”, he said"])
def test_case_and_spacing_are_set_aside(titled, ingest, graph, body) -> None:
    _talk(titled, body)
    titled.commit()
    ingest()
    assert graph.methods() == {MENTION}


@requirement("mentions.whole")
@pytest.mark.parametrize("body", ["Berth mapping", "the map", "berth", "rebirth map", "Berth maps", "a berth, a map"])
def test_part_of_a_title_or_a_longer_word_is_no_mention(titled, ingest, graph, body) -> None:
    _talk(titled, body)
    titled.commit()
    ingest()
    assert graph.methods() == set()


@requirement("mentions.alias")
def test_a_declared_spelling_of_a_title_links_the_same_way(titled, ingest, graph) -> None:
    titled.write("revetly.toml", ALL + '[extraction.aliases]\n"berth map" = ["pier plan", "harbour chart"]\n')
    _talk(titled, "Look at the Pier plan.")
    titled.commit()
    ingest()
    assert graph.methods() == {MENTION}


def test_an_alias_declared_later_reaches_bodies_that_did_not_change(titled, ingest, graph) -> None:
    _talk(titled, "Look at the pier plan.")
    titled.commit()
    ingest()
    assert graph.methods() == set()
    titled.write("revetly.toml", ALL + '[extraction.aliases]\n"berth map" = ["pier plan"]\n')
    titled.commit()
    ingest()
    assert graph.methods() == {MENTION}


@requirement("mentions.id-stands-alone")
def test_where_the_body_names_the_id_the_reference_stands_alone(titled, ingest, graph) -> None:
    _talk(titled, "The berth map.")
    titled.commit()
    ingest()
    assert graph.methods() == {MENTION}
    _talk(titled, "The berth map, STORY-001.")
    titled.commit()
    ingest()
    assert graph.methods() == {("CONV-001", "explicit-ref", "STORY-001")}


@requirement("mentions.no-node")
def test_a_title_or_alias_of_nothing_ingested_makes_no_node(titled, ingest, graph) -> None:
    titled.write("revetly.toml", ALL + '[extraction.aliases]\n"crane plan" = ["lifting chart"]\n')
    _talk(titled, "The crane plan and the lifting chart.")
    titled.commit()
    ingest()
    assert graph.ids() == {"STORY-001", "CONV-001"}
    assert graph.methods() == set()


@requirement("mentions.not-self")
def test_a_body_that_repeats_its_own_title_does_not_mention_itself(repo, ingest, graph) -> None:
    repo.item("STORY-001", "The Berth map shows berths.", title="Berth map")
    repo.commit()
    ingest()
    assert graph.links() == []


@requirement("mentions.audit", "mentions.method")
def test_the_audit_counts_mentions_under_their_own_method(titled, ingest, graph, project, store) -> None:
    titled.item("STORY-002", "As in CONV-001.")
    _talk(titled, "The berth map.")
    titled.commit()
    ingest()
    counted = {row["method"]: row["count"] for row in link_audit(project, store)["methods"]}
    assert counted == {"title-mention": 1, "explicit-ref": 1}


def test_a_title_two_artifacts_carry_links_neither_and_is_named(titled, ingest, graph) -> None:
    titled.item("STORY-002", title="Berth Map")
    _talk(titled, "The berth map.")
    titled.commit()
    row = ingest()
    assert graph.methods() == set()
    (finding,) = [f for f in row.findings if f["code"] == "title-shared"]
    assert "STORY-001" in finding["message"] and "STORY-002" in finding["message"]
    assert row.state == "green"


def test_a_title_that_comes_later_reaches_bodies_that_did_not_change(repo, ingest, graph) -> None:
    _talk(repo, "The tide table is wrong.")
    repo.commit()
    ingest()
    repo.item("STORY-001", title="Tide table")
    repo.commit()
    row = ingest()
    assert row.counts["written"] == 1
    assert graph.methods() == {MENTION}
    repo.item("STORY-001", title="Ebb table")
    repo.commit()
    ingest()
    assert graph.methods() == set()


@pytest.mark.parametrize(
    ("title", "links"), [("Berth", False), ("Harbourmaste", True), ("Harbourmast", False), ("A b", True)]
)
def test_a_title_is_looked_for_from_two_words_or_twelve_characters(repo, ingest, graph, title, links) -> None:
    repo.item("STORY-001", title=title)
    _talk(repo, f"About {title} again.")
    repo.commit()
    ingest()
    assert bool(graph.links()) is links


def test_a_title_that_comes_later_takes_nothing_from_what_was_found_before(titled, ingest, graph) -> None:
    _talk(titled, "The berth map and the tide table.")
    titled.commit()
    ingest()
    assert graph.methods() == {MENTION}
    titled.item("STORY-002", title="Tide table")
    titled.commit()
    ingest()
    assert graph.methods() == {MENTION, ("CONV-001", "title-mention", "STORY-002")}


def test_a_deleted_artifacts_title_and_a_commits_subject_are_not_looked_for(repo, ingest, graph) -> None:
    repo.write("revetly.toml", ALL + '[connectors.commits]\nrepositories = { code = "." }\n')
    repo.item("STORY-001", title="Berth map")
    _talk(repo, "The berth map, and paint the quay.")
    repo.commit("Paint the quay")
    ingest()
    assert MENTION in graph.methods()
    (repo.root / "backlog/STORY-001.md").unlink()
    repo.commit("Take it away")
    ingest()
    assert {m for m in graph.methods() if m[0] == "CONV-001"} == set()
