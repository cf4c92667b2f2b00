from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable

import pytest

from graphapi.store.port import Branch, Counts, GraphStore, StoreUnavailable
from tests.contract.backends import Backend
from tests.contract.rows import LATER, NOW, artifact, gone, hang, link, plant, reading, statement


def test_ping_names_the_store_and_its_version(store: GraphStore, backend: Backend) -> None:
    name, version = store.ping().split()
    assert name.lower() == backend.name
    assert version[0].isdigit()


def test_preparing_again_keeps_what_is_there(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "S-1")
    store.prepare()
    assert len(store.search_artifacts(namespace, "S")) == 1


def test_several_may_prepare_at_once(backend: Backend) -> None:
    failures: list[BaseException] = []
    start = threading.Barrier(4)

    def work() -> None:
        opened = backend.open()
        start.wait()
        try:
            opened.prepare()
        except BaseException as exc:
            failures.append(exc)
        finally:
            opened.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_scrubbing_leaves_no_word_that_was_written_over_and_every_row(
    store: GraphStore, backend: Backend, namespace: str
) -> None:
    hang(store, namespace, *((f"S-{n}", "E-1") for n in range(60)))
    old = [artifact(f"S-{n}", title=f"oldword {n}", body="oldword " * 40 * n) for n in range(60)]
    store.upsert_artifacts(namespace, old, now=NOW)
    store.upsert_artifacts(namespace, [artifact(f"S-{n}", title=f"newword {n}") for n in range(60)], now=LATER)
    other = backend.open()
    counted = other.counts(namespace)
    store.scrub(namespace)
    store.scrub(f"{namespace}-unknown"[:64])
    assert other.counts(namespace) == counted
    assert len(store.search_artifacts(namespace, "newword", limit=100)) == 60
    assert store.search_artifacts(namespace, "oldword") == []
    if backend.name == "sqlite":
        for file in backend.path.parent.glob(backend.path.name + "*"):
            assert b"oldword" not in subprocess.run(["cat", file], capture_output=True).stdout, file
    other.close()


def test_a_closed_store_is_not_used_again(backend: Backend) -> None:
    opened = backend.open()
    opened.ping()
    opened.close()
    opened.close()
    with pytest.raises(StoreUnavailable):
        opened.ping()


def test_a_namespace_nothing_was_written_to_answers_empty(store: GraphStore, namespace: str) -> None:
    assert store.get(namespace, ["A"]) == []
    assert store.neighbours(namespace, ["A"]) == []
    assert store.branch(namespace, "A") == Branch(())
    assert store.list_artifacts(namespace) == []
    assert store.search_artifacts(namespace, "a word") == []
    assert store.search_facts(namespace, "a word") == []
    assert store.statements(namespace, ["A"], retired=True) == []
    assert store.readings(namespace, ["A"]) == []
    assert store.link_counts(namespace) == []
    assert store.counts(namespace) == Counts()
    assert [*store.artifact_digests(namespace), *store.link_digests(namespace), *store.bodies(namespace)] == []
    assert list(store.bodies(namespace, ["A"])) == []


def test_ending_things_in_a_namespace_nothing_was_written_to_ends_nothing(store: GraphStore, namespace: str) -> None:
    assert store.tombstone(namespace, [gone("A")]) == 0
    assert store.retire_links(namespace, ["k"], at=NOW, reason="x") == 0
    assert store.retire_statements(namespace, ["k"], at=NOW, reason="x") == 0
    assert store.retire_readings(namespace, ["k"], at=NOW, reason="x") == 0
    store.clear(namespace)


def test_writing_no_rows_writes_nothing(store: GraphStore, namespace: str) -> None:
    assert store.upsert_artifacts(namespace, [], now=NOW) == 0
    assert store.link(namespace, []) == 0
    assert store.put_statements(namespace, []) == 0
    assert store.put_readings(namespace, []) == 0
    assert store.counts(namespace) == Counts()


def test_clearing_a_namespace_leaves_every_other_as_it_was(
    store: GraphStore, namespace: str, other_namespace: str
) -> None:
    for name in (namespace, other_namespace):
        hang(store, name, ("S-1", "E-1"))
        store.put_statements(name, [statement(name, "S-1", "lantern")])
        store.put_readings(name, [reading("r", "S-1")])
    store.clear(namespace)
    assert store.counts(namespace) == Counts()
    assert store.readings(namespace, ["S-1"]) == []
    assert store.search_artifacts(namespace, "S") == store.search_facts(namespace, "lantern") == []
    assert store.counts(other_namespace) == Counts({"pbi": 2}, links=1, statements=1)
    assert len(store.readings(other_namespace, ["S-1"])) == 1
    assert len(store.search_artifacts(other_namespace, "S")) == 1
    assert len(store.search_facts(other_namespace, "lantern")) == 1


def test_a_cleared_namespace_may_be_filled_again(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("S-1", "E-1"))
    store.clear(namespace)
    hang(store, namespace, ("S-2", "E-1"))
    assert [hit.artifact_id for hit in store.search_artifacts(namespace, "S")] == ["S-2"]
    assert [hit.source_id for hit in store.search_facts(namespace, "parent")] == ["S-2"]
    assert store.get(namespace, ["S-2"])[0].first_ingested_at == NOW


def test_nothing_from_before_a_clear_comes_back_with_the_same_ids(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("S-1", "E-1"))
    store.put_statements(namespace, [statement(namespace, "S-1", "lantern")])
    store.clear(namespace)
    plant(store, namespace, "S-1", "E-1")
    assert store.search_facts(namespace, "parent lantern", deleted="include") == []
    assert store.neighbours(namespace, ["S-1"], deleted="include") == []
    assert store.statements(namespace, ["S-1"], retired=True) == []


def test_the_same_ids_and_keys_live_side_by_side_in_two_namespaces(
    store: GraphStore, namespace: str, other_namespace: str
) -> None:
    row = link(namespace, "S-1", "E-1")
    for name, title in ((namespace, "here"), (other_namespace, "there")):
        store.upsert_artifacts(name, [artifact("S-1", title=title), artifact("E-1")], now=NOW)
        assert store.link(name, [row]) == 1
    store.tombstone(namespace, [gone("E-1")])
    store.retire_links(namespace, [row.key], at=LATER, reason="x")
    assert store.get(other_namespace, ["S-1"])[0].title == "there"
    assert [found.key for found in store.neighbours(other_namespace, ["E-1"])] == [row.key]
    assert store.neighbours(namespace, ["S-1"]) == []


def test_namespaces_differ_by_case(store: GraphStore) -> None:
    names = ("t-Case-Test", "t-case-test")
    try:
        for name in names:
            store.clear(name)
            plant(store, name, name[2:6] + "-1")
        assert [[row.artifact_id for row in store.list_artifacts(name)] for name in names] == [["Case-1"], ["case-1"]]
        store.clear(names[0])
        assert len(store.search_artifacts(names[1], "case")) == 1
    finally:
        for name in names:
            store.clear(name)


CALLS: list[Callable[[GraphStore, str], object]] = [
    lambda store, name: store.upsert_artifacts(name, [artifact("A")], now=NOW),
    lambda store, name: store.tombstone(name, [gone("A")]),
    lambda store, name: store.link(name, []),
    lambda store, name: store.retire_links(name, ["k"], at=NOW, reason="x"),
    lambda store, name: store.put_statements(name, []),
    lambda store, name: store.retire_statements(name, ["k"], at=NOW, reason="x"),
    lambda store, name: store.put_readings(name, []),
    lambda store, name: store.retire_readings(name, ["k"], at=NOW, reason="x"),
    lambda store, name: store.clear(name),
    lambda store, name: store.scrub(name),
    lambda store, name: store.artifact_digests(name),
    lambda store, name: store.link_digests(name),
    lambda store, name: store.bodies(name),
    lambda store, name: store.get(name, ["A"]),
    lambda store, name: store.neighbours(name, ["A"]),
    lambda store, name: store.branch(name, "A"),
    lambda store, name: store.list_artifacts(name),
    lambda store, name: store.search_artifacts(name, "a word"),
    lambda store, name: store.search_facts(name, "a word"),
    lambda store, name: store.statements(name, ["A"]),
    lambda store, name: store.readings(name, ["A"]),
    lambda store, name: store.link_counts(name),
    lambda store, name: store.counts(name),
]


@pytest.mark.parametrize("call", CALLS, ids=[call.__code__.co_names[0] for call in CALLS])
@pytest.mark.parametrize("name", ["", "a b", "a\n", "a.b", "x" * 65, "n'; DROP TABLE links; --"])
def test_every_call_refuses_what_is_no_namespace(
    store: GraphStore, call: Callable[[GraphStore, str], object], name: str
) -> None:
    with pytest.raises(ValueError, match="namespace"):
        call(store, name)
