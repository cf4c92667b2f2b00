"""What a read may ask for beside its rows: whole artifacts with the hits, no bodies, counts, the values there are."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from graphapi.store.port import Deleted, Facets, GraphStore
from tests.contract.backends import Backend
from tests.contract.rows import LATER, NOW, artifact, gone, link, plant, statement


def berths(store: GraphStore, namespace: str, number: int) -> list[str]:
    """Artifacts that match ``berth`` alike, and as many that do not match, so that the word weighs."""
    ids = [f"S-{n}" for n in range(number)]
    rows = [artifact(i, title="berth plan", body=f"body of {i[2:].zfill(4)}") for i in ids]
    rows += [artifact(f"F-{n}", title="filler") for n in range(number + 2)]
    # In no order that an index would keep by itself.
    random.Random(3).shuffle(rows)
    store.upsert_artifacts(namespace, rows, now=NOW)
    return ids


def test_a_hit_carries_its_artifact_where_it_is_asked_for(store: GraphStore, namespace: str) -> None:
    ids = berths(store, namespace, 30)
    store.tombstone(namespace, [gone("S-3")])
    for deleted in ("exclude", "include", "only"):
        plain = store.search_artifacts(namespace, "berth", deleted=deleted)  # type: ignore[arg-type]
        whole = store.search_artifacts(namespace, "berth", deleted=deleted, whole=True)  # type: ignore[arg-type]
        assert {hit.artifact for hit in plain} == {None}
        assert [hit.artifact for hit in whole] == store.get(namespace, [hit.artifact_id for hit in plain])
        assert [replace(hit, artifact=None) for hit in whole] == plain
    assert [hit.artifact_id for hit in whole] == ["S-3"] and ids


@pytest.mark.parametrize("limit", [0, 1, 7, 90, 200])
def test_hits_that_tie_are_all_settled_before_whole_ones_are_cut(store: GraphStore, namespace: str, limit: int) -> None:
    ids = berths(store, namespace, 90)
    hits = store.search_artifacts(namespace, "berth", limit=limit, whole=True)
    assert [(hit.artifact.artifact_id, hit.artifact.body) for hit in hits if hit.artifact] == [
        (i, f"body of {i[2:].zfill(4)}") for i in ids[:limit]
    ]


def test_a_search_is_one_query_whole_or_not_and_however_many_matches_tie(
    store: GraphStore, namespace: str, backend: Backend
) -> None:
    ids = berths(store, namespace, 90)
    store.link(namespace, [link(namespace, i, "F-0", fact="a lantern") for i in reversed(ids)])
    with backend.trips(store) as get:
        store.get(namespace, ["S-1"])
    for limit in (1, 20, 50, 90, 200):
        for whole in (False, True):
            with backend.trips(store) as artifacts:
                assert len(store.search_artifacts(namespace, "berth", limit=limit, whole=whole)) == min(limit, 90)
            assert artifacts.count == get.count
        with backend.trips(store) as facts:
            found = store.search_facts(namespace, "lantern", limit=limit)
        assert [hit.source_id for hit in found] == ids[:limit]
        assert facts.count == get.count


def test_a_search_that_finds_nothing_finds_nothing_whole(store: GraphStore, namespace: str) -> None:
    assert store.search_artifacts(namespace, "berth", whole=True) == []
    berths(store, namespace, 3)
    assert store.search_artifacts(namespace, "zeppelin", whole=True) == []
    assert store.search_artifacts(namespace, "the", whole=True) == []
    assert store.search_artifacts(namespace, "berth", kinds=[], whole=True) == []


def test_a_row_asked_for_without_its_body_has_all_the_rest(store: GraphStore, namespace: str) -> None:
    store.upsert_artifacts(namespace, [artifact(i, body="all of it", kind="doc") for i in "AB"], now=NOW)
    store.tombstone(namespace, [gone("B")])
    whole = store.get(namespace, ["B", "A"])
    bare = [replace(row, body="") for row in whole]
    assert {row.body for row in whole} == {"all of it"}
    assert store.get(namespace, ["B", "A"], bodies=False) == bare
    assert store.list_artifacts(namespace, deleted="include", bodies=False) == bare[::-1]
    assert store.list_artifacts(namespace, kinds=["doc"], bodies=False) == bare[1:]


@pytest.mark.parametrize("deleted", ["exclude", "include", "only"])
@pytest.mark.parametrize("kinds", [["pbi"], ["pbi", "doc"], ["pbi", "pbi"], None])
def test_a_listing_read_page_by_page_is_the_listing(
    store: GraphStore, namespace: str, kinds: list[str] | None, deleted: Deleted
) -> None:
    rows = [artifact(f"X-{n}", kind="pbi" if n % 7 == 0 else "doc" if n % 7 == 1 else "commit") for n in range(90)]
    store.upsert_artifacts(namespace, rows, now=NOW)
    store.tombstone(namespace, [gone(f"X-{n}") for n in range(0, 90, 4)])
    expected = [
        row.artifact_id
        for n, row in enumerate(rows)
        if (kinds is None or row.kind in kinds) and deleted in ("include", "only" if n % 4 == 0 else "exclude")
    ]
    found: list[str] = []
    after = None
    while page := store.list_artifacts(namespace, kinds=kinds, deleted=deleted, after=after, limit=4):
        found += [row.artifact_id for row in page]
        after = (page[-1].sort_key, page[-1].artifact_id)
    assert found == expected


@pytest.mark.parametrize(("deleted", "artifacts", "facts"), [("exclude", 59, 58), ("include", 60, 60), ("only", 1, 2)])
def test_matches_are_counted_exactly_however_many_they_are(
    store: GraphStore, namespace: str, deleted: Deleted, artifacts: int, facts: int
) -> None:
    ids = berths(store, namespace, 60)
    rows = [link(namespace, i, "F-0", fact="a lantern") for i in ids[:40]]
    store.link(namespace, [*rows, link(namespace, "F-1", "F-0", fact="other")])
    said = [statement(namespace, i, i, fact="two lanterns") for i in ids[40:]]
    store.put_statements(namespace, said)
    store.retire_links(namespace, [rows[0].key], at=LATER, reason="edited")
    store.tombstone(namespace, [gone(ids[-1])])
    assert store.count_artifacts(namespace, "berth", deleted=deleted) == artifacts
    assert store.count_facts(namespace, "lantern", deleted=deleted) == facts
    assert len(store.search_artifacts(namespace, "berth", deleted=deleted, limit=99)) == artifacts
    assert len(store.search_facts(namespace, "lantern", deleted=deleted, limit=99)) == facts


def test_matches_are_counted_of_the_kinds_asked_for(store: GraphStore, namespace: str) -> None:
    rows = [artifact(f"{kind}-{n}", title="berth", kind=kind) for kind in ("pbi", "doc", "commit") for n in range(3)]
    store.upsert_artifacts(namespace, rows, now=NOW)
    assert store.count_artifacts(namespace, "berth", kinds=["doc"]) == 3
    assert store.count_artifacts(namespace, "berth", kinds=["doc", "pbi"]) == 6
    assert store.count_artifacts(namespace, "berth", kinds=[]) == 0


@pytest.mark.parametrize("query", ["", "the of", "½", "zeppelin", "1", "2", "3"])
def test_a_query_that_finds_nothing_counts_nothing(store: GraphStore, namespace: str, query: str) -> None:
    assert (store.count_artifacts(namespace, query), store.count_facts(namespace, query)) == (0, 0)
    plant(store, namespace, "A", "B")
    store.link(namespace, [link(namespace, "A", "B", fact="berth")])
    assert (store.count_artifacts(namespace, query), store.count_facts(namespace, query)) == (0, 0)
    assert store.search_facts(namespace, query) == []


def test_counting_is_one_query(store: GraphStore, namespace: str, backend: Backend) -> None:
    berths(store, namespace, 60)
    store.link(namespace, [link(namespace, "S-1", "S-2", fact="lantern")])
    with backend.trips(store) as get:
        store.get(namespace, ["S-1"])
    for count in (store.count_artifacts, store.count_facts):
        with backend.trips(store) as trips:
            count(namespace, "berth lantern")
        assert trips.count == get.count


def test_the_values_of_live_artifacts_are_told_sorted_and_none_is_none_of_them(
    store: GraphStore, namespace: str
) -> None:
    assert store.facets(namespace) == Facets()
    rows = [
        artifact("A", kind="pbi", status="ready", artifact_type="story", provenance="source-of-record"),
        artifact("B", kind="pbi", status="Done", artifact_type="épic", provenance="source-of-record"),
        artifact("C", kind="doc", status=None, artifact_type="decision", provenance="human-authored"),
        artifact("D", kind="pbi", status="dropped", artifact_type="spike", provenance="ai-derived"),
        artifact("E", kind="commit", status=None, artifact_type=None, provenance="source-of-record"),
    ]
    store.upsert_artifacts(namespace, rows, now=NOW)
    store.tombstone(namespace, [gone("D")])
    assert store.facets(namespace) == Facets(
        ("Done", "ready"), ("decision", "story", "épic"), ("human-authored", "source-of-record")
    )
    assert store.facets(namespace, kinds=["doc", "commit"]) == Facets(
        (), ("decision",), ("human-authored", "source-of-record")
    )
    assert store.facets(namespace, kinds=["commit"]) == Facets((), (), ("source-of-record",))
    assert store.facets(namespace, kinds=[]) == store.facets(namespace, kinds=["ticket"]) == Facets()
