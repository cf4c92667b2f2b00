from __future__ import annotations

import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from graphapi.store.port import Counts, GraphStore
from tests.contract.backends import Backend
from tests.contract.rows import LATER, NOW, artifact, gone, hang, link, plant

_WRITER = """
import sys
from pathlib import Path
from tests.contract.backends import Backend
from tests.contract.rows import NOW, artifact, link
name, path, namespace, prefix = sys.argv[1:]
store = Backend(name, Path(path)).open()
store.prepare()
for start in range(0, 300, 100):
    ids = [f"{prefix}-{n}" for n in range(start, start + 100)] + ["SHARED"]
    store.upsert_artifacts(namespace, [artifact(i, title="quay", body=prefix) for i in ids], now=NOW)
    store.link(namespace, [link(namespace, i, "SHARED") for i in ids[:-1]])
store.close()
"""


def test_two_processes_write_one_namespace_at_once(store: GraphStore, namespace: str, backend: Backend) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, backend.name, str(backend.path), namespace, prefix])
        for prefix in ("LEFT", "RIGHT")
    ]
    assert [writer.wait(timeout=90) for writer in writers] == [0, 0]
    assert store.counts(namespace) == Counts({"pbi": 601}, links=600)
    assert len(store.search_artifacts(namespace, "quay", limit=1000)) == 601
    assert len(store.search_facts(namespace, "parent", limit=1000)) == 600


def test_threads_write_and_read_at_once(store: GraphStore, namespace: str) -> None:
    def work(number: int) -> int:
        ids = [f"T{number}-{n}" for n in range(100)]
        plant(store, namespace, *ids, "SHARED")
        store.link(namespace, [link(namespace, i, "SHARED") for i in ids])
        store.tombstone(namespace, [gone(i) for i in ids[:50]])
        return len(store.neighbours(namespace, ids))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [50] * 4
    assert store.counts(namespace) == Counts({"pbi": 201}, deleted=200, links=200, retired_links=200)


def test_two_threads_that_write_the_same_rows_leave_them_once(store: GraphStore, namespace: str) -> None:
    rows = [artifact(f"S-{n}", title="quay") for n in range(200)]
    links = [link(namespace, row.artifact_id, "S-0") for row in rows[1:]]
    start = threading.Barrier(2)

    def work(_: int) -> None:
        start.wait()
        store.upsert_artifacts(namespace, rows, now=NOW)
        store.link(namespace, links)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))
    assert store.counts(namespace) == Counts({"pbi": 200}, links=199)
    assert len(store.search_artifacts(namespace, "quay", limit=500)) == 200


def test_namespaces_are_filled_and_cleared_while_others_are(store: GraphStore, namespace: str) -> None:
    """A first write changes the schema, which waits for open transactions: none of them may wait for it in turn."""

    def work(number: int) -> None:
        name = f"{namespace}-{number}"
        for _ in range(8):
            hang(store, name, *((f"S-{n}", "E-1") for n in range(20)))
            assert len(store.search_artifacts(name, "S", limit=50)) == 20
            assert len(store.search_facts(name, "parent", limit=50)) == 20
            store.clear(name)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert [store.counts(f"{namespace}-{number}") for number in range(4)] == [Counts()] * 4


def test_a_reader_sees_what_another_store_object_wrote(store: GraphStore, namespace: str, backend: Backend) -> None:
    other = backend.open()
    try:
        plant(other, namespace, "S-1")
        assert [row.artifact_id for row in store.get(namespace, ["S-1"])] == ["S-1"]
        plant(store, namespace, "S-2")
        assert len(other.search_artifacts(namespace, "S")) == 2
        other.clear(namespace)
        plant(store, namespace, "S-3")
        assert [hit.artifact_id for hit in store.search_artifacts(namespace, "S")] == ["S-3"]
        assert [hit.artifact_id for hit in other.search_artifacts(namespace, "S")] == ["S-3"]
    finally:
        other.close()


def test_a_store_works_in_a_forked_child_and_goes_on_working_in_its_parent(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("S-1", "E-1"))

    def child() -> None:
        assert len(store.neighbours(namespace, ["E-1"])) == 1
        plant(store, namespace, "CHILD")
        store.close()

    assert _in_a_fork(child) == 0
    plant(store, namespace, "PARENT")
    assert [row.artifact_id for row in store.list_artifacts(namespace)] == ["CHILD", "E-1", "PARENT", "S-1"]


def test_a_write_in_a_forked_child_does_not_end_a_write_of_its_parent(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "S-1")
    assert _in_a_fork(lambda: plant(store, namespace, "S-2")) == 0
    store.upsert_artifacts(namespace, [artifact("S-1", title="after the fork")], now=LATER)
    assert [hit.artifact_id for hit in store.search_artifacts(namespace, "fork")] == ["S-1"]
    assert store.counts(namespace).artifacts == {"pbi": 2}


def _in_a_fork(work: Callable[[], None]) -> int:
    """Runs ``work`` in a child process; its exit status."""
    child = os.fork()
    if child == 0:
        # The child must not return into pytest, whatever happens in it.
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
