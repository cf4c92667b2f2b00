from __future__ import annotations

from collections.abc import Iterator

from graphapi.store.port import GraphStore
from tests.contract.rows import LATER, NOW, artifact, gone, hang, link, plant


def test_artifact_digests_name_every_artifact_with_its_state(store: GraphStore, namespace: str) -> None:
    rows = [artifact("A", title="a"), artifact("B", title="b")]
    store.upsert_artifacts(namespace, rows, now=NOW)
    store.tombstone(namespace, [gone("B")])
    assert sorted(store.artifact_digests(namespace)) == [("A", rows[0].digest, False), ("B", rows[1].digest, True)]


def test_link_digests_name_live_links_only(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("A", "E"), ("B", "E"), ("C", "E"))
    store.retire_links(namespace, [link(namespace, "A", "E").key], at=LATER, reason="edited")
    store.tombstone(namespace, [gone("B")])
    row = link(namespace, "C", "E")
    assert list(store.link_digests(namespace)) == [(row.key, row.digest)]


def test_streams_run_past_a_batch(store: GraphStore, namespace: str) -> None:
    ids = [f"S-{n}" for n in range(2150)]
    store.upsert_artifacts(namespace, [artifact(i, body=f"body of {i}") for i in ids], now=NOW)
    store.link(namespace, [link(namespace, i, ids[0]) for i in ids[1:]])
    assert {i for i, _, _ in store.artifact_digests(namespace)} == set(ids)
    assert len(list(store.link_digests(namespace))) == 2149
    assert dict(store.bodies(namespace)) == {i: f"body of {i}" for i in ids}


def test_bodies_are_those_of_live_artifacts_all_or_the_ones_named(store: GraphStore, namespace: str) -> None:
    store.upsert_artifacts(namespace, [artifact(i, body=i.lower()) for i in "ABC"], now=NOW)
    store.tombstone(namespace, [gone("B")])
    assert dict(store.bodies(namespace)) == {"A": "a", "C": "c"}
    assert dict(store.bodies(namespace, ["C", "B", "MISSING"])) == {"C": "c"}
    assert list(store.bodies(namespace, [])) == []


def test_named_bodies_are_read_as_the_names_are_given(store: GraphStore, namespace: str) -> None:
    ids = [f"S-{n}" for n in range(3000)]
    plant(store, namespace, *ids)
    given: list[str] = []

    def names() -> Iterator[str]:
        for name in ids:
            given.append(name)
            yield name

    stream = store.bodies(namespace, names())
    next(stream)
    assert len(given) <= 1000
    assert len(list(stream)) == 2999


def test_a_caller_may_write_while_it_reads_a_stream(store: GraphStore, namespace: str) -> None:
    ids = [f"S-{n}" for n in range(1500)]
    store.upsert_artifacts(namespace, [artifact(i, body="old") for i in ids], now=NOW)
    seen = 0
    for number, (artifact_id, _) in enumerate(store.bodies(namespace)):
        seen += 1
        if number % 500 == 0:
            store.upsert_artifacts(namespace, [artifact(artifact_id, body="new")], now=LATER)
    assert seen == 1500
    assert sum(body == "new" for _, body in store.bodies(namespace)) == 3


def test_a_stream_left_halfway_holds_nothing_up(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, *(f"S-{n}" for n in range(1500)))
    left = store.artifact_digests(namespace)
    next(left)
    plant(store, namespace, "LATE")
    store.clear(namespace)
    assert list(store.artifact_digests(namespace)) == []
