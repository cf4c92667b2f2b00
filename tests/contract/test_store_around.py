"""What stands around artifacts: groups of links, exact in number and bounded in rows."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Sequence

import pytest

from graphapi.domain.artifact import natural_key
from graphapi.store.port import WHOLE_LINKS, Deleted, GraphStore, LinkGroup, StoredLink
from tests.contract.backends import Backend
from tests.contract.rows import LATER, NOW, gone, hang, link, plant


def shape(groups: Sequence[LinkGroup]) -> list[tuple[str, str, str, str, int]]:
    return [(g.artifact_id, g.direction, g.relation, g.method, g.count) for g in groups]


def far(group: LinkGroup) -> list[str]:
    return [row.target_id if group.direction == "out" else row.source_id for row in group.links]


def test_links_are_grouped_by_direction_relation_and_method(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "A", "B", "C", "D")
    rows = [
        link(namespace, "B", "A"),
        link(namespace, "B", "C", "references", method="explicit-ref"),
        link(namespace, "B", "D", "references", method="explicit-ref"),
        link(namespace, "B", "D", "references", method="cites"),
        link(namespace, "C", "B"),
        link(namespace, "D", "B", "delivers"),
    ]
    store.link(namespace, rows)
    groups = store.around(namespace, ["B", "A"])
    assert shape(groups) == [
        ("B", "out", "parent", "parent", 1),
        ("B", "out", "references", "cites", 1),
        ("B", "out", "references", "explicit-ref", 2),
        ("B", "in", "parent", "parent", 1),
        ("B", "in", "delivers", "delivers", 1),
        ("A", "in", "parent", "parent", 1),
    ]
    assert [far(group) for group in groups] == [["A"], ["D"], ["C", "D"], ["C"], ["D"], ["B"]]
    assert list(groups[0].links) == store.neighbours(namespace, ["B"], direction="out", relations=["parent"])


def test_the_group_with_the_strongest_link_stands_first(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "A", "B", "C")
    ranks = {("B", "zeal"): 1, ("C", "zeal"): 900, ("B", "calm"): 20, ("C", "calm"): 20, ("B", "able"): 20}
    store.link(namespace, [link(namespace, "A", i, relation, rank=rank) for (i, relation), rank in ranks.items()])
    assert [group.relation for group in store.around(namespace, ["A"])] == ["zeal", "able", "calm"]


def test_a_group_holds_the_first_links_by_the_far_ends_natural_order_and_counts_them_all(
    store: GraphStore, namespace: str
) -> None:
    hang(store, namespace, *((f"S-{n}", "E-1") for n in range(1, 31)))
    for each in (0, 1, 3, 30, 99):
        (group,) = store.around(namespace, ["E-1"], each=each)
        assert (group.count, far(group)) == (30, [f"S-{n}" for n in range(1, 31)][:each])
    assert store.around(namespace, ["E-1"], each=-1) == store.around(namespace, ["E-1"], each=0)


def test_links_between_those_asked_for_stand_first_and_take_no_room_of_the_others(
    store: GraphStore, namespace: str
) -> None:
    hang(store, namespace, *((f"S-{n}", "E-1") for n in range(1, 31)))
    groups = store.around(namespace, ["E-1", "S-30", "S-20", "S-29"], each=2)
    assert (groups[0].count, far(groups[0])) == (30, ["S-20", "S-29", "S-30", "S-1", "S-2"])
    assert [group.artifact_id for group in groups] == ["E-1", "S-30", "S-20", "S-29"]
    assert [far(group) for group in store.around(namespace, ["S-30", "E-1"], each=0)] == [["E-1"], ["S-30"]]


def test_a_relation_asked_for_whole_comes_whole_and_the_others_do_not(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, *((f"S-{n}", "E-1") for n in range(1, 13)))
    store.link(namespace, [link(namespace, f"S-{n}", "E-1", "cites") for n in range(1, 13)])
    groups = store.around(namespace, ["E-1"], whole=["parent"], each=1)
    assert [(group.relation, len(group.links)) for group in groups] == [("parent", 12), ("cites", 1)]


@pytest.mark.parametrize("whole", [(), ["parent"]])
def test_a_hub_is_counted_exactly_and_fills_no_answer(
    store: GraphStore, namespace: str, whole: Collection[str]
) -> None:
    hang(store, namespace, *((f"S-{n}", "HUB") for n in range(3000)))
    (group,) = store.around(namespace, ["HUB"], whole=whole)
    kept = WHOLE_LINKS if whole else 3
    assert (group.count, far(group)) == (3000, [f"S-{n}" for n in range(kept)])
    near = store.around(namespace, ["HUB", *(f"S-{n}" for n in range(2500, 3000))], whole=whole)
    assert len(near[0].links) == 500 + kept
    assert len(near) == 501


@pytest.mark.parametrize(
    ("deleted", "expected"),
    [
        ("exclude", {"in": ["A"]}),
        ("include", {"in": ["A", "B", "C"], "out": ["D"]}),
        ("only", {"in": ["B", "C"], "out": ["D"]}),
    ],
)
def test_groups_leave_out_add_or_hold_only_what_ended_or_has_a_deleted_end(
    store: GraphStore, namespace: str, deleted: Deleted, expected: dict[str, list[str]]
) -> None:
    hang(store, namespace, ("A", "R"), ("B", "R"), ("C", "R"), ("R", "D"))
    store.retire_links(namespace, [link(namespace, "B", "R").key], at=NOW, reason="edited")
    store.tombstone(namespace, [gone("C", at=LATER), gone("D")])
    groups = store.around(namespace, ["R"], deleted=deleted)
    assert {group.direction: far(group) for group in groups} == expected
    assert {group.direction: group.count for group in groups} == {way: len(ids) for way, ids in expected.items()}
    ended = [(row.invalid_at, row.invalid_reason) for group in groups for row in group.links if row.source_id == "C"]
    assert ended == ([] if deleted == "exclude" else [(LATER, "source-withdrawn")])


def test_a_deleted_artifact_asked_for_has_no_live_links(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("A", "R"))
    store.tombstone(namespace, [gone("R")])
    assert store.around(namespace, ["R", "A"]) == []
    assert len(store.around(namespace, ["R", "A"], deleted="only")) == 2


def test_nothing_asked_for_and_ids_that_are_not_there_have_no_groups(
    store: GraphStore, namespace: str, other_namespace: str
) -> None:
    assert store.around(namespace, ["A"]) == []
    hang(store, namespace, ("A", "R"))
    hang(store, other_namespace, ("ELSEWHERE", "R"))
    assert store.around(namespace, []) == []
    assert store.around(namespace, ["MISSING", "ELSEWHERE"]) == []
    assert [group.artifact_id for group in store.around(namespace, ["MISSING", "R", "A", "R"])] == ["R", "A"]


def test_a_link_to_itself_counts_once_as_one_that_goes_out(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("A", "A"), ("B", "A"))
    assert shape(store.around(namespace, ["A"])) == [
        ("A", "out", "parent", "parent", 1),
        ("A", "in", "parent", "parent", 1),
    ]


def test_what_stands_around_many_is_one_query(store: GraphStore, namespace: str, backend: Backend) -> None:
    ids = [f"S-{n}" for n in range(60)]
    hang(store, namespace, *((i, "E-1") for i in ids))
    with backend.trips(store) as one:
        store.get(namespace, ["E-1"])
    with backend.trips(store) as many:
        assert len(store.around(namespace, ["E-1", *ids], whole=["parent"])) == 61
    assert many.count == one.count


def test_both_stores_answer_as_a_plain_reading_of_all_links_does(store: GraphStore, namespace: str) -> None:
    dice = random.Random(7)
    ids = [f"{letter}-{n}" for n in range(12) for letter in ("s", "S", "né")]
    plant(store, namespace, *ids)
    pairs = [(*dice.sample(ids, 2), dice.choice(["parent", "cites", "délivre"])) for _ in range(400)]
    rows = [
        link(namespace, a, b, relation, method=dice.choice(["x", "y"]), rank=dice.randint(1, 3))
        for a, b, relation in pairs
    ]
    store.link(namespace, rows)
    store.retire_links(namespace, [row.key for row in rows[::9]], at=LATER, reason="edited")
    store.tombstone(namespace, [gone(i) for i in ids[::11]])
    for deleted in ("exclude", "include", "only"):
        links = store.neighbours(namespace, ids, deleted=deleted, limit=9999)  # type: ignore[arg-type]
        for _ in range(6):
            asked = dice.sample(ids, 8)
            answer = store.around(namespace, asked, deleted=deleted, each=2, whole=["cites"])  # type: ignore[arg-type]
            assert answer == plainly(links, asked, 2, {"cites": WHOLE_LINKS})


def plainly(links: list[StoredLink], asked: list[str], each: int, whole: dict[str, int]) -> list[LinkGroup]:
    """What ``around`` promises, by the shortest way there is."""
    groups: dict[tuple[int, bool, str, str], list[tuple[bool, str, str, str, StoredLink]]] = defaultdict(list)
    for place, here in enumerate(asked):
        for row in links:
            for inward, (near, end) in enumerate([(row.source_id, row.target_id), (row.target_id, row.source_id)]):
                if near == here:
                    kin = (place, bool(inward), row.relation, row.method)
                    groups[kin].append((end not in asked, natural_key(end), end, row.key, row))
    answer = []
    for (place, inward, relation, method), rows in groups.items():
        rows.sort(key=lambda row: row[:4])
        room = sum(not row[0] for row in rows) + whole.get(relation, each)
        kept = tuple(row[4] for row in rows[:room])
        group = LinkGroup(asked[place], "in" if inward else "out", relation, method, len(rows), kept)
        answer.append(((place, inward, min(row[4].rank for row in rows), relation, method), group))
    return [group for _, group in sorted(answer, key=lambda pair: pair[0])]
