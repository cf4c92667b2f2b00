from __future__ import annotations

from graphapi.store.port import Branch, GraphStore
from tests.contract.backends import Backend
from tests.contract.rows import LATER, gone, hang, link, plant


def tree(branch: Branch) -> list[tuple[str, str | None, int]]:
    return [(node.artifact_id, node.parent_id, node.depth) for node in branch.nodes]


def test_a_branch_is_walked_breadth_first_in_natural_order_within_a_level(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("F-10", "E-1"), ("F-9", "E-1"), ("S-2", "F-10"), ("S-30", "F-9"), ("S-4", "F-9"))
    assert tree(store.branch(namespace, "E-1")) == [
        ("E-1", None, 0),
        ("F-9", "E-1", 1),
        ("F-10", "E-1", 1),
        ("S-2", "F-10", 2),
        ("S-4", "F-9", 2),
        ("S-30", "F-9", 2),
    ]


def test_a_branch_holds_what_is_beneath_and_not_what_is_above_or_linked_otherwise(
    store: GraphStore, namespace: str
) -> None:
    hang(store, namespace, ("F-1", "E-1"), ("S-1", "F-1"))
    plant(store, namespace, "D-1")
    store.link(namespace, [link(namespace, "D-1", "F-1", "cites")])
    assert tree(store.branch(namespace, "F-1")) == [("F-1", None, 0), ("S-1", "F-1", 1)]


def test_a_leaf_is_a_branch_of_itself_and_an_absent_root_has_no_nodes(store: GraphStore, namespace: str) -> None:
    assert store.branch(namespace, "S-1") == Branch(())
    plant(store, namespace, "S-1")
    assert tree(store.branch(namespace, "S-1")) == [("S-1", None, 0)]
    assert store.branch(namespace, "S-2") == Branch(())


def test_depth_stops_the_walk_without_calling_it_truncated(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B", "A"), ("C", "B"), ("D", "C"))
    walked = {depth: store.branch(namespace, "A", depth=depth) for depth in (0, 1, 2, 9)}
    assert {depth: len(branch.nodes) for depth, branch in walked.items()} == {0: 1, 1: 2, 2: 3, 9: 4}
    assert not any(branch.truncated for branch in walked.values())


def test_the_limit_keeps_the_first_nodes_and_says_that_there_were_more(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B-2", "A"), ("B-1", "A"), ("C-1", "B-1"))
    cut = store.branch(namespace, "A", limit=2)
    assert (tree(cut), cut.truncated) == ([("A", None, 0), ("B-1", "A", 1)], True)
    between_levels = store.branch(namespace, "A", limit=3)
    assert (len(between_levels.nodes), between_levels.truncated) == (3, True)
    whole = store.branch(namespace, "A", limit=4)
    assert (len(whole.nodes), whole.truncated) == (4, False)


def test_an_artifact_with_two_parents_appears_once_at_its_least_depth(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B", "A"), ("C", "A"), ("D", "C"), ("D", "B"), ("D", "A"), ("E", "D"))
    branch = store.branch(namespace, "A")
    assert tree(branch) == [("A", None, 0), ("B", "A", 1), ("C", "A", 1), ("D", "A", 1), ("E", "D", 2)]
    assert branch.cycles == ()


def test_a_diamond_is_no_cycle(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B", "A"), ("C", "A"), ("D", "C"), ("D", "B"))
    branch = store.branch(namespace, "A")
    assert tree(branch)[-1] == ("D", "B", 2)
    assert branch.cycles == ()


def test_an_artifact_that_is_its_own_parent_is_a_cycle_of_one(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("A", "A"), ("B", "A"))
    branch = store.branch(namespace, "A")
    assert tree(branch) == [("A", None, 0), ("B", "A", 1)]
    assert branch.cycles == (("A",),)


def test_a_link_back_up_is_named_with_the_ids_along_the_cycle(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B", "A"), ("C", "B"), ("D", "C"), ("B", "D"))
    branch = store.branch(namespace, "A")
    assert [node.artifact_id for node in branch.nodes] == ["A", "B", "C", "D"]
    assert branch.cycles == (("B", "C", "D"),)
    assert store.branch(namespace, "C").cycles == (("C", "D", "B"),)


def test_each_link_back_up_is_a_cycle_of_its_own(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B", "A"), ("C", "B"), ("A", "C"), ("B", "C"))
    assert store.branch(namespace, "A").cycles == (("A", "B", "C"), ("B", "C"))


def test_a_cycle_by_way_of_the_second_parent_is_found(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B", "A"), ("C", "A"), ("D", "B"), ("D", "C"), ("C", "D"))
    assert store.branch(namespace, "A").cycles == (("C", "D"),)


def test_two_of_one_level_that_hang_under_each_other_are_a_cycle(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B", "A"), ("C", "A"), ("B", "C"), ("C", "B"))
    assert store.branch(namespace, "A").cycles == (("B", "C"),)


def test_a_deleted_child_is_withdrawn_and_nothing_beneath_it_is_walked(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B-10", "A"), ("B-9", "A"), ("C", "B-9"), ("D", "A"))
    store.tombstone(namespace, [gone("B-10"), gone("B-9")])
    branch = store.branch(namespace, "A")
    assert tree(branch) == [("A", None, 0), ("D", "A", 1)]
    assert branch.withdrawn == ("B-9", "B-10")


def test_a_deleted_root_has_no_nodes_and_is_withdrawn(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B", "A"))
    store.tombstone(namespace, [gone("A")])
    assert store.branch(namespace, "A") == Branch((), withdrawn=("A",))


def test_a_child_moved_away_before_its_deletion_is_not_withdrawn_from_its_old_parent(
    store: GraphStore, namespace: str
) -> None:
    hang(store, namespace, ("B", "A"), ("B", "A2"))
    store.retire_links(namespace, [link(namespace, "B", "A").key], at=LATER, reason="edited")
    assert store.branch(namespace, "A").nodes[1:] == ()
    store.tombstone(namespace, [gone("B")])
    assert store.branch(namespace, "A").withdrawn == ()
    assert store.branch(namespace, "A2").withdrawn == ("B",)


def test_a_restored_child_is_neither_walked_nor_withdrawn_until_its_link_is_written(
    store: GraphStore, namespace: str
) -> None:
    hang(store, namespace, ("B", "A"))
    store.tombstone(namespace, [gone("B")])
    plant(store, namespace, "B")
    between = store.branch(namespace, "A")
    assert (len(between.nodes), between.withdrawn) == (1, ())
    store.link(namespace, [link(namespace, "B", "A")])
    assert [node.artifact_id for node in store.branch(namespace, "A").nodes] == ["A", "B"]


def test_a_level_is_one_query_however_wide(store: GraphStore, namespace: str, backend: Backend) -> None:
    hang(store, namespace, *((f"B-{n}", "A") for n in range(50)), *((f"C-{n}", f"B-{n}") for n in range(50)))
    hang(store, namespace, ("Y", "X"), ("Z", "Y"))
    with backend.trips(store) as wide:
        assert len(store.branch(namespace, "A").nodes) == 101
    with backend.trips(store) as narrow:
        assert len(store.branch(namespace, "X").nodes) == 3
    assert wide.count == narrow.count > 0


def test_a_server_is_asked_once_for_two_levels_and_no_deeper_than_the_walk_goes(
    store: GraphStore, namespace: str, backend: Backend
) -> None:
    hang(store, namespace, *((f"N-{n + 1}", f"N-{n}") for n in range(5)))
    trips = {}
    for depth in (0, 1, 2, 3, 4, 5, None):
        with backend.trips(store) as walk:
            assert len(store.branch(namespace, "N-0", depth=depth).nodes) == (6 if depth is None else depth + 1)
        trips[depth] = walk.count
    if backend.name == "neo4j":
        assert trips == {0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3, None: 3}
    else:
        # The namespace and the root, then a level each; a file has no way to it that could be saved.
        assert trips == {0: 2, 1: 3, 2: 4, 3: 5, 4: 6, 5: 7, None: 8}


def test_a_branch_of_no_depth_still_tells_a_deleted_root_from_an_absent_one(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("B", "A"))
    store.tombstone(namespace, [gone("A")])
    for depth in (0, 1, 2, None):
        assert store.branch(namespace, "A", depth=depth) == Branch((), withdrawn=("A",))
        assert store.branch(namespace, "MISSING", depth=depth) == Branch(())


def test_a_deleted_child_and_a_cycle_are_told_on_every_level(store: GraphStore, namespace: str) -> None:
    chain = [(f"N-{n + 1}", f"N-{n}") for n in range(5)]
    hang(store, namespace, *chain, *((f"X-{n}", f"N-{n}") for n in range(6)), *((f"Y-{n}", f"X-{n}") for n in range(6)))
    store.link(namespace, [link(namespace, f"N-{n}", f"N-{n + 2}") for n in range(4)])
    store.tombstone(namespace, [gone(f"X-{n}") for n in range(6)])
    branch = store.branch(namespace, "N-0")
    assert tree(branch) == [("N-0", None, 0), *((child, parent, n) for n, (child, parent) in enumerate(chain, 1))]
    assert branch.withdrawn == tuple(f"X-{n}" for n in range(6))
    assert branch.cycles == tuple((f"N-{n}", f"N-{n + 1}", f"N-{n + 2}") for n in range(4))


def test_a_chain_deeper_than_any_recursion_is_walked_to_its_end(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, *((f"N-{n + 1}", f"N-{n}") for n in range(400)))
    branch = store.branch(namespace, "N-0")
    assert branch.nodes[-1].depth == 400
    assert not branch.truncated
