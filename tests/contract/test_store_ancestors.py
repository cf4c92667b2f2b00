"""The way up the declared hierarchy."""

from __future__ import annotations

import random

from graphapi.domain.artifact import natural_key
from graphapi.store.port import GraphStore
from tests.contract.backends import Backend
from tests.contract.rows import NOW, gone, hang, link, plant


def test_the_way_up_is_walked_breadth_first_in_natural_order_within_a_level(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("S-10", "F-2"), ("S-9", "F-10"), ("F-2", "E-1"), ("F-10", "E-2"), ("E-2", "G-1"))
    hang(store, namespace, ("S-9", "F-9"), ("X", "S-9"))
    assert store.ancestors(namespace, ["S-10", "S-9"]) == [
        ("S-9", "F-9"),
        ("S-9", "F-10"),
        ("S-10", "F-2"),
        ("F-2", "E-1"),
        ("F-10", "E-2"),
        ("E-2", "G-1"),
    ]


def test_an_artifact_asked_for_that_stands_above_another_is_climbed_from_once(
    store: GraphStore, namespace: str
) -> None:
    hang(store, namespace, ("S", "F"), ("F", "E"), ("E", "G"))
    assert store.ancestors(namespace, ["S", "E", "S"]) == [("E", "G"), ("S", "F"), ("F", "E")]


def test_only_live_parent_links_to_live_artifacts_lead_up(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("S", "F"), ("F", "E"), ("S", "GONE"), ("GONE", "G"), ("S", "OLD"), ("OLD", "H"))
    store.link(namespace, [link(namespace, "S", "G", "cites")])
    store.tombstone(namespace, [gone("GONE")])
    store.link(namespace, [link(namespace, "GONE", "G")])
    store.retire_links(namespace, [link(namespace, "S", "OLD").key], at=NOW, reason="edited")
    assert store.ancestors(namespace, ["S"]) == [("S", "F"), ("F", "E")]
    assert store.ancestors(namespace, ["GONE"]) == []


def test_deleted_parents_take_no_room_of_the_live_ones(store: GraphStore, namespace: str) -> None:
    parents = [f"G-{n}" for n in range(20)]
    hang(store, namespace, *(("S", i) for i in parents[:10]), ("S", "M"), *(("S", i) for i in parents[10:]), ("M", "Z"))
    store.tombstone(namespace, [gone(i) for i in parents])
    assert store.ancestors(namespace, ["S"], limit=2) == [("S", "M"), ("M", "Z")]


def test_nothing_asked_for_and_ids_that_are_not_there_lead_nowhere(
    store: GraphStore, namespace: str, other_namespace: str
) -> None:
    assert store.ancestors(namespace, ["S"]) == []
    hang(store, namespace, ("S", "F"))
    hang(store, other_namespace, ("F", "E"))
    assert store.ancestors(namespace, []) == []
    assert store.ancestors(namespace, ["MISSING", "F"]) == []
    assert store.ancestors(namespace, ["MISSING", "S"]) == [("S", "F")]


def test_two_methods_of_one_parent_are_one_step(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("S", "F"))
    store.link(namespace, [link(namespace, "S", "F", "parent", method="epic-link")])
    assert store.ancestors(namespace, ["S"]) == [("S", "F")]


def test_a_cycle_is_walked_once(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("A", "B"), ("B", "C"), ("C", "A"), ("A", "A"), ("X", "A"))
    assert store.ancestors(namespace, ["B"]) == [("B", "C"), ("C", "A"), ("A", "A"), ("A", "B")]
    assert store.ancestors(namespace, ["X"])[-1] == ("C", "A")


def test_diamonds_upon_diamonds_are_walked_link_by_link_and_not_way_by_way(store: GraphStore, namespace: str) -> None:
    floors = 30
    pairs = [(f"N-{f}-{a}", f"N-{f + 1}-{b}") for f in range(floors) for a in range(3) for b in range(3)]
    hang(store, namespace, *pairs)
    found = store.ancestors(namespace, ["N-0-0"], limit=1000)
    assert len(found) == len(set(found)) == 3 + 9 * (floors - 1)


def test_the_limit_keeps_the_nearest_and_the_way_up_is_one_query_whatever_its_height(
    store: GraphStore, namespace: str, backend: Backend
) -> None:
    hang(store, namespace, *((f"N-{n}", f"N-{n + 1}") for n in range(400)))
    with backend.trips(store) as one:
        store.get(namespace, ["N-0"])
    with backend.trips(store) as climbed:
        found = store.ancestors(namespace, ["N-0"])
    assert found == [(f"N-{n}", f"N-{n + 1}") for n in range(200)]
    assert climbed.count == one.count
    assert store.ancestors(namespace, ["N-0", "N-200"], limit=3) == [
        ("N-0", "N-1"),
        ("N-200", "N-201"),
        ("N-1", "N-2"),
    ]
    assert len(store.ancestors(namespace, ["N-0"], limit=999)) == 400
    assert store.ancestors(namespace, ["N-0"], limit=0) == []


def test_the_limit_cuts_inside_a_level_by_natural_order(store: GraphStore, namespace: str) -> None:
    ids = [f"S-{n}" for n in range(1, 41)]
    plant(store, namespace, *reversed(ids))
    hang(store, namespace, *((i, f"F-{i}") for i in reversed(ids)), *((f"F-{i}", f"E-{i}") for i in reversed(ids)))
    found = store.ancestors(namespace, list(reversed(ids)), limit=45)
    assert found == [(i, f"F-{i}") for i in ids] + [(f"F-{i}", f"E-{i}") for i in ids[:5]]


def test_both_stores_climb_as_a_plain_walk_level_by_level_does(store: GraphStore, namespace: str) -> None:
    dice = random.Random(11)
    ids = [f"N-{n}" for n in range(40)]
    pairs = sorted({(dice.choice(ids), dice.choice(ids)) for _ in range(70)})
    plant(store, namespace, *ids)
    hang(store, namespace, *pairs)
    for limit in (1, 7, 20, 200):
        for _ in range(5):
            asked = dice.sample(ids, 3)
            assert store.ancestors(namespace, asked, limit=limit) == plainly(pairs, asked)[:limit]


def plainly(pairs: list[tuple[str, str]], asked: list[str]) -> list[tuple[str, str]]:
    level, seen, found = set(asked), set(asked), []
    while level:
        met = sorted((p for p in pairs if p[0] in level), key=lambda p: (natural_key(p[0]), natural_key(p[1])))
        found += met
        level = {parent for _, parent in met} - seen
        seen |= level
    return found
