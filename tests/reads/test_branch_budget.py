"""A branch too wide for an answer, and what a model inferred beside one (004 sections 2b and 5)."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphapi.reads.artifact import get_artifact
from graphapi.reads.branch_inferred import SAMPLE
from graphapi.reads.budget import size
from graphapi.reads.inferences import InferredEdge
from tests.contract.rows import artifact, link
from tests.reads.model import Inferred
from tests.repo import ALL

requirement = pytest.mark.requirement


@pytest.fixture
def grow(store, namespace, project, home):
    """``grow(n, title)``: EPIC-1 over n stories, put into the store."""
    (project.root_path / "revetly.toml").write_text(ALL)

    def plant(count: int, title: str = "Ein Titel über Häfen") -> list[str]:
        ids = [f"STORY-{n}" for n in range(1, count + 1)]
        rows = [artifact(i, title, status="done" if n % 3 else "ready") for n, i in enumerate(ids)]
        store.upsert_artifacts(namespace, [artifact("EPIC-1", artifact_type="epic"), *rows], now="2026-01-01T00:00:00Z")
        store.link(namespace, [link(namespace, i, "EPIC-1") for i in ids])
        return ids

    return plant


def branch(reader, depth=3, **asked):
    return get_artifact(reader, artifact_id="EPIC-1", depth=depth, **asked)


@requirement("branch.truncated")
@requirement("budget.whole-rows")
@requirement("budget.default")
def test_a_thousand_children_are_cut_to_whole_nodes_and_the_cut_is_told(grow, reader) -> None:
    grow(1000)
    answer, whole = branch(reader), branch(dataclasses.replace(reader, budget=10**6))
    assert size(answer) <= 32_768
    assert len(whole["nodes"]) == 1001
    assert answer["nodes"] == whole["nodes"][: len(answer["nodes"])]
    assert len(answer["nodes"]) > 100
    cut = answer["truncated"]
    assert (cut["reason"], cut["whole"], cut["listed"]) == ("read-budget", 1001, len(answer["nodes"]))
    assert "truncated" not in whole
    counts = {status: group["count"] for status, group in answer["rollup"]["status"].items()}
    assert counts == {status: group["count"] for status, group in whole["rollup"]["status"].items()}, "counts are whole"


@requirement("branch.truncated")
def test_a_walk_that_its_cap_ended_says_that_the_whole_is_not_known(grow, reader, monkeypatch) -> None:
    grow(30)
    monkeypatch.setattr("graphapi.reads.branch.WALKED", 10)
    for asked in ({}, {"deleted": "include"}):
        answer = branch(reader, **asked)
        assert len(answer["nodes"]) == 10
        cut = answer["truncated"]
        assert (cut["reason"], cut["whole"], cut["listed"], cut["whole_is_floor"]) == ("cap", 11, 10, True)


@requirement("budget.every-read")
@requirement("budget.never-silent")
@requirement("budget.cut-keys")
@requirement("budget.cut-weakest-tail")
def test_at_any_budget_a_branch_fits_and_what_is_missing_is_told(grow, reader) -> None:
    grow(150)
    whole = branch(dataclasses.replace(reader, budget=10**6))

    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(1500, 40_000))
    def holds(budget: int) -> None:
        cut = branch(dataclasses.replace(reader, budget=budget))
        assert size(cut) <= budget
        assert cut["nodes"] == whole["nodes"][: len(cut["nodes"])]
        assert len(cut["nodes"]) >= 1
        told = cut.get("truncated", {"whole": 151, "listed": 151})
        assert (told["whole"], told["listed"]) == (151, len(cut["nodes"]))
        listed = 0
        for name, groups in cut["rollup"].items():
            assert groups.keys() == whole["rollup"][name].keys()
            for value, group in groups.items():
                known = whole["rollup"][name][value]
                assert group["count"] == known["count"]
                assert group["ids"] == known["ids"][: len(group["ids"])]
                listed += len(group["ids"])
        told = cut.get("rollup_truncated", {"whole": 302, "listed": 302})
        assert (told["whole"], told["listed"]) == (302, listed)

    holds()


@requirement("budget.never-silent")
def test_where_nothing_but_the_counts_has_room_they_stay_and_the_ids_are_told(grow, reader) -> None:
    grow(50)
    answer = branch(dataclasses.replace(reader, budget=740))
    assert size(answer) <= 740
    assert len(answer["nodes"]) == 1
    assert "values_truncated" not in answer
    groups = [group for by in answer["rollup"].values() for group in by.values()]
    assert sum(group["count"] for group in groups) == 102
    told = answer["rollup_truncated"]
    assert (told["whole"], told["listed"]) == (102, sum(len(group["ids"]) for group in groups))


@requirement("budget.cut-branch-reachable")
def test_sub_branches_by_their_own_ids_serve_what_a_cut_branch_left_out(store, namespace, grow, within_budget) -> None:
    stories = grow(40)
    for story in stories:
        store.upsert_artifacts(namespace, [artifact(f"TASK-{story}", artifact_type="task")], now="2026-01-01T00:00:00Z")
    store.link(namespace, [link(namespace, f"TASK-{story}", story) for story in stories])
    reader = within_budget(4096)
    cut = branch(reader)
    assert cut["truncated"]["listed"] < cut["truncated"]["whole"] == 81
    found = {"EPIC-1"}
    for story in stories:
        found |= {n["artifact_id"] for n in get_artifact(reader, artifact_id=story, depth=3)["nodes"]}
    assert found == {"EPIC-1", *stories, *(f"TASK-{story}" for story in stories)}


def edge(number: int, source: str, target: str, fact: str = "quite another thing") -> InferredEdge:
    return InferredEdge(f"k{number}", source, target, "relates", fact)


@requirement("branch.inferred-block")
@requirement("branch.inferred-not-in-tree")
@requirement("branch.declared-only")
@requirement("lite.stated-half")
def test_inferred_edges_are_counted_beside_the_tree_and_never_in_it(grow, reader) -> None:
    grow(3)
    edges = [
        edge(1, "STORY-1", "STORY-2", "STORY-1 waits"), edge(2, "STORY-2", "STORY-3", "needs story-3"),
        edge(3, "EPIC-1", "STORY-3", "EIN TITEL ÜBER HÄFEN"), edge(4, "STORY-1", "STORY-3"),
        edge(5, "STORY-2", "EPIC-1"),
    ]  # fmt: skip
    edges.append(edge(6, "STORY-3", "EPIC-1", "a child of EPIC-1 as the parent"))
    lite = branch(reader)
    full = branch(dataclasses.replace(reader, inferences=Inferred(read=edges)))
    assert lite["inferred"] == {"absent": True, "reason": "lite"}
    assert (full["inferred"]["total"], full["inferred"]["unnamed_endpoints"]) == (6, 2)
    assert "total_is_floor" not in full["inferred"]
    assert {**full, "inferred": None} == {**lite, "inferred": None}
    row = next(row for row in full["inferred"]["listed"] if row["endpoints"] == ["STORY-1", "STORY-3"])
    assert row == {
        "fact": "quite another thing", "endpoints": ["STORY-1", "STORY-3"], "relation": "relates", "inferred": True,
        "unnamed_endpoints": True,
    }  # fmt: skip


@requirement("branch.inferred-sample")
def test_the_sample_takes_one_edge_of_each_artifact_in_turn(grow, reader, monkeypatch) -> None:
    grow(3)
    of_one = [edge(n, "STORY-1", f"X-{n}") for n in range(10)]
    edges = [*of_one, edge(20, "STORY-2", "X-1"), edge(21, "STORY-3", "X-1")]
    monkeypatch.setattr("graphapi.reads.branch_inferred.SAMPLE", 3)
    full = dataclasses.replace(reader, inferences=Inferred(read=edges))
    listed = branch(full)["inferred"]["listed"]
    assert [row["endpoints"][0] for row in listed] == ["STORY-1", "STORY-2", "STORY-3"]
    everything = branch(full, inferred="all")["inferred"]
    assert len(everything["listed"]) == everything["total"] == 12


@requirement("branch.total-is-floor")
def test_a_count_that_its_scan_cap_ended_is_a_floor(grow, reader, monkeypatch) -> None:
    grow(2)
    monkeypatch.setattr("graphapi.reads.branch_inferred.SCANNED", 20)
    edges = [edge(n, "STORY-1", f"X-{n}") for n in range(30)]
    block = branch(dataclasses.replace(reader, inferences=Inferred(read=edges)))["inferred"]
    assert (block["total"], block["total_is_floor"], len(block["listed"])) == (20, True, SAMPLE)


@requirement("budget.stated-survives")
def test_the_sample_goes_before_a_node_does(grow, reader) -> None:
    grow(60)
    edges = [edge(n, f"STORY-{n}", "EPIC-1") for n in range(1, 40)]
    full = dataclasses.replace(reader, inferences=Inferred(read=edges))
    for budget in range(20_000, 5000, -500):
        answer = branch(dataclasses.replace(full, budget=budget))
        if "truncated" in answer:
            assert answer["inferred"]["listed"] == []
    assert "truncated" in answer
