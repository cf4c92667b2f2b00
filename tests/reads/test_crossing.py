"""Links from one project's artifact to another's, met where the reader reaches both."""

from __future__ import annotations

from typing import Any

import pytest

from graphapi.ingest.passes import run_pass
from graphapi.models import Project
from graphapi.reads.corpus import Corpus, Key
from graphapi.store.port import GraphStore
from tests.repo import Repo


@pytest.fixture
def two(another: Any, store: GraphStore) -> tuple[Project, Project, Repo, Repo]:
    """``shared`` holds a decision and a story under the other project's epic; ``own`` cites the decision."""
    shared, shared_repo = another("shared")
    own, own_repo = another("own", imports=[shared], default=True)
    shared_repo.item("DEC-900", "We keep no card numbers.", folder="decisions")
    shared_repo.item("STORY-900", "Uses it.", parent="EPIC-001")
    shared_repo.commit("shared", "2026-02-01")
    own_repo.item("EPIC-001", "The epic.")
    own_repo.item("STORY-001", "Do it, as DEC-900 says.", parent="EPIC-001", cited_sources=["DEC-900"])
    own_repo.item("STORY-002", "Related to one there.", related=["STORY-900", "DEC-900"])
    own_repo.commit("own", "2026-02-02")
    for project in (shared, own):
        assert run_pass(project, store).state != "failed"
    return own, shared, own_repo, shared_repo


def edges(corpus: Corpus, *keys: Key) -> set[tuple[Key, str, str, Key]]:
    return {(e.source, e.row.relation, e.row.method, e.target) for e in corpus.neighbours(keys)}


def test_what_names_another_projects_artifact_is_linked_to_it_both_ways(two, store) -> None:
    corpus = Corpus(store, two[:2], several=True)
    cites = (Key(0, "STORY-001"), "cites", "cites", Key(1, "DEC-900"))
    assert cites in edges(corpus, Key(0, "STORY-001"))
    assert cites in edges(corpus, Key(1, "DEC-900"))
    around = corpus.around([Key(1, "DEC-900")])[Key(1, "DEC-900")]
    assert [(g.direction, g.method, g.count) for g in around if g.method == "cites"] == [("in", "cites", 1)]


def test_related_makes_a_link_only_to_a_work_item_there_too(two, store) -> None:
    corpus = Corpus(store, two[:2], several=True)
    found = edges(corpus, Key(0, "STORY-002"))
    assert (Key(0, "STORY-002"), "references", "explicit-ref", Key(1, "STORY-900")) in found
    assert all(target != Key(1, "DEC-900") for _, _, _, target in found)


def test_a_project_that_is_not_reached_is_not_linked_to(two, store) -> None:
    assert all(
        key.place == 0 for e in edges(Corpus(store, two[:1], several=True), Key(0, "STORY-001")) for key in (e[0], e[3])
    )


def test_a_branch_and_the_way_up_cross_over(two, store) -> None:
    corpus = Corpus(store, two[:2], several=True)
    branch, keys = corpus.branch(Key(0, "EPIC-001"))
    assert [keys[n.artifact_id] for n in branch.nodes] == [Key(0, "EPIC-001"), Key(0, "STORY-001"), Key(1, "STORY-900")]
    assert corpus.ancestors([Key(1, "STORY-900")]) == [(Key(1, "STORY-900"), Key(0, "EPIC-001"))]


def test_an_artifact_that_is_gone_is_no_end_of_a_crossing_link(two, store) -> None:
    own, shared, _, shared_repo = two
    (shared_repo.root / "decisions/DEC-900.md").unlink()
    shared_repo.commit("gone", "2026-02-05")
    run_pass(shared, store)
    corpus = Corpus(store, [own, shared], several=True)
    assert all(e[3] != Key(1, "DEC-900") for e in edges(corpus, Key(0, "STORY-001")))


def test_one_id_in_two_projects_is_two_artifacts_and_ones_own_comes_first(two, store) -> None:
    own, shared, own_repo, _ = two
    own_repo.item("DEC-900", "Our own of that number.", folder="decisions")
    own_repo.commit("twin", "2026-02-06")
    run_pass(own, store)
    corpus = Corpus(store, [own, shared], several=True)
    found = corpus.locate("DEC-900")
    assert found is not None and found[0] == Key(0, "DEC-900") and "Our own" in found[1].body
    assert len(corpus.get([Key(0, "DEC-900"), Key(1, "DEC-900")])) == 2
    assert (Key(0, "STORY-001"), "cites", "cites", Key(0, "DEC-900")) in edges(corpus, Key(0, "STORY-001"))


def test_a_note_says_what_it_says_from_the_day_it_was_captured(project, repo, ingest, graph) -> None:
    repo.item("STORY-001", "It.", type="story")
    repo.item("DEC-001", "First.", folder="decisions", captured_at="2026-01-05", revises=["STORY-001"])
    repo.item("DEC-002", "Then.", folder="decisions", captured_at="2026-02-05", revises=["STORY-001"])
    repo.commit("two decisions", "2026-02-06")
    repo.item("DEC-001", "First, spelled better.", folder="decisions", captured_at="2026-01-05", revises=["STORY-001"])
    repo.commit("spelling", "2026-03-01")
    ingest()
    said = {link.source_id: link.valid_at for link in graph.links("STORY-001")}
    assert said == {"DEC-001": "2026-01-05T00:00:00Z", "DEC-002": "2026-02-05T00:00:00Z"}
