from __future__ import annotations

from dataclasses import asdict

import pytest

from graphapi.store.port import Counts, Direction, GraphStore, LinkCount
from tests.contract.backends import Backend
from tests.contract.rows import LATER, NOW, artifact, gone, hang, link, plant


def ends(store: GraphStore, namespace: str, ids: list[str], **options: object) -> list[tuple[str, str]]:
    return [(row.source_id, row.target_id) for row in store.neighbours(namespace, ids, **options)]  # type: ignore[arg-type]


def test_a_link_comes_back_with_every_field_it_was_written_with(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "S-1", "E-1")
    row = link(namespace, "S-1", "E-1", valid_at=None, attributes={"criteria": [1], "é": None}, fact="S “hängt” an E")
    assert store.link(namespace, [row]) == 1
    (found,) = store.neighbours(namespace, ["S-1"])
    assert {name: value for name, value in asdict(found).items() if name in asdict(row)} == asdict(row)
    assert (found.invalid_at, found.invalid_reason) == (None, None)


def test_writing_a_link_twice_leaves_one_link_with_the_later_fields(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "S-1", "E-1")
    store.link(namespace, [link(namespace, "S-1", "E-1", fact="the old wording")])
    assert store.link(namespace, [link(namespace, "S-1", "E-1", fact="the new phrasing", rank=7)]) == 1
    (found,) = store.neighbours(namespace, ["S-1"])
    assert (found.fact, found.rank) == ("the new phrasing", 7)
    assert store.counts(namespace).links == 1
    assert store.search_facts(namespace, "wording") == []
    assert len(store.search_facts(namespace, "phrasing")) == 1


def test_a_link_that_comes_twice_in_one_call_counts_once(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "S-1", "E-1")
    rows = [link(namespace, "S-1", "E-1", fact="first"), link(namespace, "S-1", "E-1", fact="second")]
    assert store.link(namespace, rows) == 1
    assert [row.fact for row in store.neighbours(namespace, ["S-1"])] == ["second"]


def test_a_link_to_or_from_an_artifact_that_is_not_there_is_not_written_and_mints_nothing(
    store: GraphStore, namespace: str, other_namespace: str
) -> None:
    plant(store, namespace, "S-1")
    plant(store, other_namespace, "ELSEWHERE")
    rows = [
        link(namespace, "S-1", "MISSING"),
        link(namespace, "MISSING", "S-1"),
        link(namespace, "S-1", "ELSEWHERE"),
        link(namespace, "S-1", "S-1", "references", method="explicit-ref"),
    ]
    assert store.link(namespace, rows) == 1
    assert ends(store, namespace, ["S-1", "MISSING", "ELSEWHERE"], deleted="include") == [("S-1", "S-1")]
    assert store.get(namespace, ["MISSING", "ELSEWHERE"]) == []
    plant(store, namespace, "MISSING", "ELSEWHERE")
    assert store.search_facts(namespace, "parent", deleted="include") == []
    store.tombstone(namespace, [gone("MISSING"), gone("ELSEWHERE")])
    assert store.counts(namespace) == Counts({"pbi": 1}, deleted=2, links=1)


def test_a_link_to_a_deleted_artifact_is_written(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "S-1", "E-1")
    store.tombstone(namespace, [gone("E-1")])
    assert store.link(namespace, [link(namespace, "S-1", "E-1")]) == 1
    assert ends(store, namespace, ["S-1"]) == []
    assert ends(store, namespace, ["S-1"], deleted="only") == [("S-1", "E-1")]


def test_retiring_ends_live_links_once_and_keeps_the_first_end(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("S-1", "E-1"), ("S-2", "E-1"))
    one, two = (link(namespace, i, "E-1").key for i in ("S-1", "S-2"))
    assert store.retire_links(namespace, [one, one, "no such key"], at=NOW, reason="edited") == 1
    assert store.retire_links(namespace, [one, two], at=LATER, reason="later") == 1
    found = {
        row.key: (row.invalid_at, row.invalid_reason) for row in store.neighbours(namespace, ["E-1"], deleted="only")
    }
    assert found == {one: (NOW, "edited"), two: (LATER, "later")}
    ended = {hit.key: hit.invalid_at for hit in store.search_facts(namespace, "parent", deleted="only")}
    assert ended == {one: NOW, two: LATER}


def test_writing_a_retired_link_makes_it_live_again(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("S-1", "E-1"))
    row = link(namespace, "S-1", "E-1")
    store.retire_links(namespace, [row.key], at=NOW, reason="edited")
    assert store.search_facts(namespace, row.fact) == []
    assert store.link(namespace, [row]) == 1
    (found,) = store.neighbours(namespace, ["S-1"])
    assert (found.invalid_at, found.invalid_reason) == (None, None)
    assert [(hit.key, hit.invalid_at) for hit in store.search_facts(namespace, row.fact)] == [(row.key, None)]


def test_a_restored_artifact_has_its_links_again_only_when_they_are_written_again(
    store: GraphStore, namespace: str
) -> None:
    hang(store, namespace, ("S-1", "E-1"))
    store.tombstone(namespace, [gone("S-1")])
    plant(store, namespace, "S-1")
    assert ends(store, namespace, ["S-1"]) == []
    store.link(namespace, [link(namespace, "S-1", "E-1")])
    assert ends(store, namespace, ["S-1"]) == [("S-1", "E-1")]


@pytest.mark.parametrize(
    ("direction", "expected"),
    [("out", [("B", "A")]), ("in", [("C", "B"), ("D", "B")]), ("both", [("B", "A"), ("C", "B"), ("D", "B")])],
)
def test_neighbours_go_out_in_or_both_ways(
    store: GraphStore, namespace: str, direction: Direction, expected: list[tuple[str, str]]
) -> None:
    hang(store, namespace, ("B", "A"), ("C", "B"), ("D", "B"), ("D", "C"))
    assert ends(store, namespace, ["B"], direction=direction) == expected


def test_a_link_between_two_artifacts_asked_for_and_a_link_to_itself_come_once(
    store: GraphStore, namespace: str
) -> None:
    hang(store, namespace, ("B", "A"), ("A", "A"))
    assert ends(store, namespace, ["A", "B", "A"]) == [("A", "A"), ("B", "A")]
    assert ends(store, namespace, ["A", "A"], direction="in") == [("A", "A"), ("B", "A")]


def test_neighbours_are_ordered_by_rank_then_natural_ids_then_key(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "S-10", "S-9", "E-1", "E-2")
    rows = [
        link(namespace, "S-10", "E-1"),
        link(namespace, "S-9", "E-2"),
        link(namespace, "S-9", "E-1"),
        link(namespace, "S-10", "E-2", "cites"),
        link(namespace, "E-2", "E-1", "delivers"),
        link(namespace, "S-9", "E-1", "child-of", rank=10),
    ]
    store.link(namespace, rows)
    found = store.neighbours(namespace, ["S-10", "S-9", "E-2"])
    twins = sorted([rows[2].key, rows[5].key])
    assert [row.key for row in found] == [*twins, rows[1].key, rows[0].key, rows[4].key, rows[3].key]


def test_links_of_one_source_stand_in_the_natural_order_of_their_targets(store: GraphStore, namespace: str) -> None:
    ids = [f"E-{n}" for n in range(1, 13)]
    hang(store, namespace, *(("S-1", i) for i in reversed(ids)))
    assert [target for _, target in ends(store, namespace, ["S-1"])] == ids


def test_neighbours_hold_only_the_relations_asked_for(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "A", "B")
    store.link(namespace, [link(namespace, "A", "B", relation) for relation in ("parent", "cites", "delivers")])
    found = store.neighbours(namespace, ["A"], relations=["cites", "parent"])
    assert [row.relation for row in found] == ["parent", "cites"]
    assert store.neighbours(namespace, ["A"], relations=[]) == []


def test_neighbours_hold_only_the_methods_asked_for(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "A", "B")
    kinds = [("references", "cites"), ("references", "explicit-ref"), ("revises", "cites")]
    store.link(namespace, [link(namespace, "A", "B", relation, method=method) for relation, method in kinds])

    def found(**filters: list[str]) -> list[tuple[str, str]]:
        return sorted((row.relation, row.method) for row in store.neighbours(namespace, ["A"], **filters))  # type: ignore[arg-type]

    assert found(methods=["cites"]) == [kinds[0], kinds[2]]
    assert found(methods=["cites", "explicit-ref"]) == kinds
    assert found(methods=["cites"], relations=["references", "parent"]) == [kinds[0]]
    assert found(methods=[]) == found(methods=["parent"]) == []


def test_a_hubs_neighbours_are_the_first_of_all_it_has(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, *((f"S-{n}", "HUB") for n in range(3000)))
    found = ends(store, namespace, ["HUB", "S-7"], limit=5)
    assert found == [(f"S-{n}", "HUB") for n in range(5)]


def test_neighbours_leave_out_add_or_hold_only_what_ended_or_has_a_deleted_end(
    store: GraphStore, namespace: str
) -> None:
    hang(store, namespace, ("A", "R"), ("B", "R"), ("C", "R"), ("R", "D"))
    store.retire_links(namespace, [link(namespace, "B", "R").key], at=NOW, reason="edited")
    store.tombstone(namespace, [gone("C"), gone("D")])
    assert ends(store, namespace, ["R"]) == [("A", "R")]
    assert ends(store, namespace, ["R"], deleted="include") == [("A", "R"), ("B", "R"), ("C", "R"), ("R", "D")]
    assert ends(store, namespace, ["R"], deleted="only") == [("B", "R"), ("C", "R"), ("R", "D")]


def test_the_limit_keeps_the_first_links_that_the_filters_let_through(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, *((f"S-{n}", "E-1") for n in range(1, 31)))
    store.tombstone(namespace, [gone(f"S-{n}") for n in range(1, 21)])
    assert ends(store, namespace, ["E-1"], limit=2) == [("S-21", "E-1"), ("S-22", "E-1")]


def test_neighbours_of_many_take_as_many_queries_as_those_of_one(
    store: GraphStore, namespace: str, backend: Backend
) -> None:
    ids = [f"S-{n}" for n in range(30)]
    hang(store, namespace, *((i, "E-1") for i in ids))
    with backend.trips(store) as one:
        store.neighbours(namespace, ["E-1"])
    with backend.trips(store) as many:
        assert len(store.neighbours(namespace, ids)) == 30
    assert many.count == one.count > 0


def test_link_counts_are_of_live_links_most_first_then_by_name(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "A", "B", "C")
    rows = [
        link(namespace, "A", "B", "references", method="explicit-ref"),
        link(namespace, "A", "C", "references", method="explicit-ref"),
        link(namespace, "A", "B", "references", method="cites"),
        link(namespace, "A", "B", "parent"),
        link(namespace, "A", "B", "delivers"),
    ]
    store.link(namespace, rows)
    store.retire_links(namespace, [rows[4].key], at=NOW, reason="edited")
    assert store.link_counts(namespace) == [
        LinkCount("references", "explicit-ref", 2),
        LinkCount("parent", "parent", 1),
        LinkCount("references", "cites", 1),
    ]


def test_counts_tell_live_from_ended(store: GraphStore, namespace: str) -> None:
    rows = [artifact("A"), artifact("B"), artifact("N", kind="doc"), artifact("X", kind="doc")]
    store.upsert_artifacts(namespace, rows, now=NOW)
    store.link(namespace, [link(namespace, "A", "B"), link(namespace, "B", "N"), link(namespace, "X", "A")])
    store.retire_links(namespace, [link(namespace, "A", "B").key], at=NOW, reason="edited")
    store.tombstone(namespace, [gone("X")])
    assert store.counts(namespace) == Counts({"doc": 1, "pbi": 2}, deleted=1, links=1, retired_links=2)
