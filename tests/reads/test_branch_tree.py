"""The branch beneath an artifact: which artifacts, how deep, and how it can be smaller than the graph (004 2b)."""

from __future__ import annotations

import dataclasses

import pytest

from graphapi.reads.artifact import get_artifact
from graphapi.reads.branch import declared_levels
from tests.contract.rows import artifact, link
from tests.repo import ALL

requirement = pytest.mark.requirement


@pytest.fixture
def tree(repo, ingest):
    repo.item("EPIC-1")
    repo.item("FEAT-1", parent="EPIC-1", status="in-progress")
    repo.item("FEAT-2", parent="EPIC-1", status="ready")
    repo.item("STORY-1", parent="FEAT-1", status="done")
    repo.item("STORY-2", "Like Title of STORY-1.", parent="FEAT-1", status="done")
    repo.item("STORY-10", parent="FEAT-1", status="ready")
    repo.item("TASK-1", parent="STORY-1")
    repo.commit("all", "2026-02-01")
    ingest()


def branch(reader, root="EPIC-1", depth=9, **asked):
    return get_artifact(reader, artifact_id=root, depth=depth, **asked)


def ids(answer):
    return [node["artifact_id"] for node in answer["nodes"]]


@requirement("branch.depth-number")
@requirement("branch.depth-source")
def test_a_number_walks_that_many_levels_and_none_gives_the_root_alone(tree, reader) -> None:
    assert ids(branch(reader, depth=0)) == ["EPIC-1"]
    assert ids(branch(reader, depth=1)) == ["EPIC-1", "FEAT-1", "FEAT-2"]
    two = branch(reader, depth=2)
    assert ids(two) == ["EPIC-1", "FEAT-1", "FEAT-2", "STORY-1", "STORY-2", "STORY-10"]
    assert [(n["depth"], n.get("parent")) for n in two["nodes"]] == [
        (0, None), (1, "EPIC-1"), (1, "EPIC-1"), (2, "FEAT-1"), (2, "FEAT-1"), (2, "FEAT-1"),
    ]  # fmt: skip
    assert (two["artifact_id"], two["depth"], two["depth_source"]) == ("EPIC-1", 2, "argument")
    assert not {"truncated", "cycles", "withdrawn", "rollup_truncated"} & two.keys()


@requirement("branch.depth-declared")
@requirement("branch.depth-source")
def test_declared_walks_as_many_levels_as_the_file_declares_beneath_the_roots_type(tree, reader) -> None:
    from_epic = branch(reader, depth="declared")
    assert (from_epic["depth"], from_epic["depth_source"]) == (2, "[backlog.parents]")
    assert "TASK-1" not in ids(from_epic)
    assert ids(branch(reader, "FEAT-1", "declared")) == ["FEAT-1", "STORY-1", "STORY-2", "STORY-10"]
    assert ids(branch(reader, "STORY-1", "declared")) == ["STORY-1"]


@requirement("branch.depth-declared")
def test_what_the_file_declares_is_what_counts(tree, repo, ingest, reader) -> None:
    parents = '[backlog]\npath = "backlog"\nparents = {feature = ["epic"], story = ["feature"], task = ["story"]}\n'
    repo.write("revetly.toml", ALL.replace('[backlog]\npath = "backlog"\n', parents))
    repo.commit()
    ingest()
    assert ids(branch(reader, depth="declared"))[-1] == "TASK-1"


@requirement("branch.depth-declared")
@pytest.mark.parametrize(
    ("parents", "root", "levels"),
    [
        ({"story": ["epic", "feature"], "feature": ["epic"]}, "epic", 2),
        ({"Story": ["Epic"]}, "epic", 1),
        ({"story": ["epic"]}, "story", 0),
        ({}, "epic", 0),
        ({"a": ["b"], "b": ["a"]}, "a", 2),
        ({f"t{n}": [f"t{m}" for m in range(n)] for n in range(1, 40)}, "t0", 39),
    ],
)
def test_the_longest_declared_chain_is_the_depth_and_a_circle_ends(parents, root, levels) -> None:
    assert declared_levels(parents, root) == levels


@requirement("branch.node-keys")
@requirement("branch.node-kind")
@requirement("backlog.row-no-names")
def test_a_node_is_a_compact_row_and_has_its_kind_where_it_has_no_type(tree, repo, ingest, reader, store, namespace):
    repo.item("NOTE-1", folder="docs")
    repo.commit("note", "2026-02-02")
    ingest()
    store.link(namespace, [link(namespace, "NOTE-1", "FEAT-2")])
    (root, node) = branch(reader, "FEAT-2")["nodes"]
    assert root == {
        "artifact_id": "FEAT-2", "title": "Title of FEAT-2", "status": "ready", "artifact_type": "feature",
        "source_updated_at": "2026-02-01T00:00:00Z", "depth": 0,
    }  # fmt: skip
    assert node == {
        "artifact_id": "NOTE-1", "title": "Title of NOTE-1", "status": None, "kind": "doc",
        "source_updated_at": "2026-02-02T00:00:00Z", "depth": 1, "parent": "FEAT-2",
    }  # fmt: skip


@requirement("backlog.row-marks")
@requirement("branch.node-keys")
def test_nodes_carry_the_marks_that_apply(tree, repo, ingest, reader) -> None:
    repo.item("STORY-1", parent="FEAT-1", status="discarded", discard_reason="bought", provenance="ai-derived")
    repo.item("STORY-3", supersedes="STORY-1")
    repo.commit()
    ingest()
    nodes = {node["artifact_id"]: node for node in branch(reader)["nodes"]}
    marks = {"superseded_by": "STORY-3", "discard_reason": "bought", "provenance": "ai-derived"}
    assert {key: nodes["STORY-1"][key] for key in marks} == marks
    assert not set(marks) & nodes["STORY-2"].keys()


@requirement("branch.declared-only")
def test_mentions_and_references_shape_no_tree(tree, reader) -> None:
    assert ids(branch(reader, "STORY-1")) == ["STORY-1", "TASK-1"]
    assert ids(branch(reader, "STORY-2")) == ["STORY-2"]


@requirement("branch.rollup")
def test_the_rollup_counts_the_walk_by_status_and_type_with_the_ids(tree, reader) -> None:
    rollup = branch(reader)["rollup"]
    assert rollup["status"]["done"] == {"count": 2, "ids": ["STORY-1", "STORY-2"]}
    assert rollup["type"]["story"] == {"count": 3, "ids": ["STORY-1", "STORY-2", "STORY-10"]}
    assert rollup["status"]["none"]["ids"] == ["EPIC-1", "TASK-1"]
    for groups in rollup.values():
        assert all(group["count"] == len(group["ids"]) for group in groups.values())
        assert sum(group["count"] for group in groups.values()) == 7


@requirement("branch.cycles")
def test_a_circle_of_parents_ends_and_is_named(repo, ingest, reader) -> None:
    repo.item("FEAT-A", parent="FEAT-B")
    repo.item("FEAT-B", parent="FEAT-A")
    repo.commit()
    ingest()
    answer = branch(reader, "FEAT-A")
    assert ids(answer) == ["FEAT-A", "FEAT-B"]
    assert answer["cycles"] == [["FEAT-A", "FEAT-B"]]


def test_more_circles_than_are_named_are_counted(store, namespace, project, reader, home) -> None:
    store.upsert_artifacts(
        namespace, [artifact("E"), *(artifact(f"S-{n}") for n in range(13))], now="2026-01-01T00:00:00Z"
    )
    up = [link(namespace, f"S-{n}", "E") for n in range(13)]
    store.link(namespace, [*up, *(link(namespace, "E", f"S-{n}") for n in range(13))])
    (project.root_path / "revetly.toml").write_text(ALL)
    answer = branch(reader, "E", 3)
    assert len(answer["cycles"]) == 10
    cut = answer["cycles_truncated"]
    assert (cut["reason"], cut["whole"], cut["listed"]) == ("cap", 13, 10)


@pytest.fixture
def withdrawn(tree, repo, ingest):
    (repo.root / "backlog/FEAT-1.md").unlink()
    repo.commit("drop the feature", "2026-03-01")
    ingest()


@requirement("branch.withdrawn")
@requirement("budget.cut-keys")
def test_a_withdrawn_artifact_takes_all_beneath_it_along_and_is_named(withdrawn, reader) -> None:
    answer = branch(reader)
    assert ids(answer) == ["EPIC-1", "FEAT-2"]
    gone = answer["withdrawn"]
    assert gone["ids"] == ["FEAT-1"]
    assert (gone["reason"], gone["whole"], gone["listed"]) == ("withdrawn", 1, 1)
    assert gone["note"]


@requirement("deleted.include")
@requirement("deleted.only")
@requirement("deleted.marks")
def test_a_branch_with_deleted_work_is_walked_through_it_marked(withdrawn, reader) -> None:
    answer = branch(reader, deleted="include")
    assert ids(answer) == ["EPIC-1", "FEAT-1", "FEAT-2", "STORY-1", "STORY-2", "STORY-10", "TASK-1"]
    marked = {node["artifact_id"]: node for node in answer["nodes"] if node.get("deleted")}
    assert list(marked) == ["FEAT-1"]
    assert marked["FEAT-1"]["deleted_at"] == "2026-03-01T00:00:00Z"
    assert marked["FEAT-1"]["deleted_clock"] == "source-declared"
    only = branch(reader, deleted="only")
    assert ids(only) == ["FEAT-1"]
    assert only["rollup"]["type"] == {"feature": {"count": 1, "ids": ["FEAT-1"]}}


@requirement("deleted.by-id")
def test_a_deleted_root_is_marked_and_has_its_branch_on_request(withdrawn, reader) -> None:
    answer = branch(reader, "FEAT-1")
    assert (answer["deleted"], answer["deleted_clock"], answer["nodes"]) == (True, "source-declared", [])
    assert answer["withdrawn"]["ids"] == ["FEAT-1"]
    assert ids(branch(reader, "FEAT-1", deleted="include"))[:2] == ["FEAT-1", "STORY-1"]


@requirement("branch.declared-only")
def test_a_parent_that_is_no_longer_stated_is_left_even_where_deleted_work_is_asked_for(tree, repo, ingest, reader):
    repo.item("STORY-1", parent="FEAT-2", status="done")
    repo.commit()
    ingest()
    nodes = {n["artifact_id"]: n.get("parent") for n in branch(reader, deleted="include")["nodes"]}
    assert nodes["STORY-1"] == "FEAT-2"
    assert len(nodes) == 7


def test_a_branch_is_few_round_trips_however_wide(tree, reader, store) -> None:
    calls: list[str] = []

    class Counted:
        def __getattr__(self, name):
            calls.append(name)
            return getattr(store, name)

    branch(dataclasses.replace(reader, store=Counted()))
    assert sorted(calls) == ["around", "branch", "get", "get"]
