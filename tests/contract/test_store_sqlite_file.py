"""What only a file can do: be missing, be foreign, be held by another, grow connections."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from graphapi.store.factory import open_store
from graphapi.store.port import StoreUnavailable
from graphapi.store.sqlite import SqliteStore, connections
from tests.contract.rows import artifact, hang, plant


def test_a_file_that_was_never_prepared_is_named_with_what_to_do(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "graph.sqlite3")
    with pytest.raises(StoreUnavailable, match=r"graph\.sqlite3.*prepare"):
        store.counts("demo")
    store.close()


def test_prepare_makes_the_folders_above_the_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a" / "b" / "graph.sqlite3")
    store.prepare()
    plant(store, "demo", "S-1")
    store.close()


def test_a_folder_that_cannot_be_made_is_a_store_that_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = SqliteStore(tmp_path / "file" / "graph.sqlite3")
    with pytest.raises(StoreUnavailable) as raised:
        store.prepare()
    assert isinstance(raised.value.__cause__, OSError)


def test_a_file_that_is_no_database_is_a_store_that_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "graph.sqlite3"
    path.write_bytes(b"not a database at all, only some text " * 100)
    store = SqliteStore(path)
    with pytest.raises(StoreUnavailable) as raised:
        store.prepare()
    assert isinstance(raised.value.__cause__, sqlite3.DatabaseError)
    store.close()


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "graph.sqlite3"
    foreign = sqlite3.connect(path)
    foreign.execute("PRAGMA user_version = 99")
    foreign.close()
    store = SqliteStore(path)
    with pytest.raises(StoreUnavailable, match="version"):
        store.prepare()
    store.close()


def test_a_file_held_for_too_long_is_a_store_that_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.05)
    store = SqliteStore(tmp_path / "graph.sqlite3")
    store.prepare()
    holder = sqlite3.connect(tmp_path / "graph.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="another process"):
        plant(store, "demo", "S-1")
    assert store.counts("demo").artifacts == {}
    holder.execute("ROLLBACK")
    holder.close()
    plant(store, "demo", "S-1")
    store.close()


def test_a_batch_that_fails_leaves_nothing_of_itself(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "graph.sqlite3")
    store.prepare()
    plant(store, "demo", "S-1")
    with pytest.raises(sqlite3.IntegrityError):
        store.upsert_artifacts(
            "demo", [artifact("S-2", title="ghost"), artifact("S-1", title="ghost", status=None, source=None)], now=""
        )
    assert [row.artifact_id for row in store.list_artifacts("demo")] == ["S-1"]
    assert store.search_artifacts("demo", "ghost") == []
    assert len(store.search_artifacts("demo", "S")) == 1
    store.close()


def test_the_full_text_tables_hold_together_after_every_kind_of_change(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "graph.sqlite3")
    store.prepare()
    for _ in range(3):
        hang(store, "demo", *((f"S-{n}", "E-1") for n in range(40)))
        for title in ("one crane", "two cranes — naïve", ""):
            store.upsert_artifacts("demo", [artifact(f"S-{n}", title=title) for n in range(0, 40, 3)], now="n")
    store.close()
    file = sqlite3.connect(tmp_path / "graph.sqlite3")
    for (table,) in file.execute("SELECT name FROM sqlite_schema WHERE sql LIKE '%fts5%'").fetchall():
        file.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
    file.close()


def test_a_forked_child_opens_a_connection_of_its_own(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "graph.sqlite3")
    store.prepare()
    mine = store._connections.current()
    child = os.fork()
    if child == 0:
        os._exit(0 if store._connections.current() is not mine else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert store._connections.current() is mine
    store.close()


def test_connections_of_ended_threads_are_closed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "graph.sqlite3")
    store.prepare()
    for _ in range(20):
        thread = threading.Thread(target=store.counts, args=("demo",))
        thread.start()
        thread.join()
    assert len(store._connections._held) <= 2
    store.close()


def test_a_cleared_namespace_leaves_no_table_behind(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "graph.sqlite3")
    store.prepare()
    file = sqlite3.connect(tmp_path / "graph.sqlite3")
    before = file.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    hang(store, "demo", ("A", "B"))
    store.clear("demo")
    assert file.execute("SELECT count(*) FROM sqlite_schema").fetchone() == before
    file.close()
    store.close()


@pytest.mark.parametrize(
    ("kind", "needs"), [("sqlite", "path"), ("neo4j", "uri"), ("postgres", "no graph store of kind 'postgres'")]
)
def test_the_factory_names_what_it_lacks(kind: str, needs: str) -> None:
    with pytest.raises(ValueError, match=needs):
        open_store(kind)


def test_a_store_on_sqlite_never_imports_the_neo4j_driver(tmp_path: Path) -> None:
    script = """
import sys
from graphapi.store.factory import open_store
store = open_store("sqlite", path=sys.argv[1])
store.prepare()
store.close()
assert not {"neo4j", "django"} & set(sys.modules), "a heavy import crept in"
"""
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "graph.sqlite3")], check=True, timeout=60)


def test_a_file_that_lacks_an_index_gains_it_and_keeps_its_rows(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "graph.sqlite3")
    store.prepare()
    plant(store, "demo", "S-1")
    file = sqlite3.connect(tmp_path / "graph.sqlite3")
    file.execute("DROP INDEX artifacts_of_kind")
    assert [row.artifact_id for row in store.list_artifacts("demo", kinds=["pbi"])] == ["S-1"]
    store.prepare()
    assert file.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'artifacts_of_kind'").fetchone() == (1,)
    assert [row.artifact_id for row in store.list_artifacts("demo", kinds=["pbi"])] == ["S-1"]
    file.close()
    store.close()


def test_no_read_of_some_artifacts_goes_through_all_of_them(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "graph.sqlite3")
    store.prepare()
    hang(store, "demo", ("A", "B"), ("B", "C"))
    asked: list[str] = []
    file = store._connections.current()
    file.set_trace_callback(asked.append)
    store.list_artifacts("demo", kinds=["pbi"])
    store.list_artifacts("demo", kinds=["pbi"], after=("a", "A"))
    store.list_artifacts("demo", after=("a", "A"))
    store.around("demo", ["A", "B"], whole=["parent"])
    store.ancestors("demo", ["A"])
    store.neighbours("demo", ["A"], relations=["parent"], methods=["parent"])
    file.set_trace_callback(None)
    plans = [
        [row[3] for row in file.execute(f"EXPLAIN QUERY PLAN {statement}")]
        for statement in asked
        if "artifacts" in statement
    ]
    assert len(plans) == 6
    assert [step for plan in plans for step in plan if re.match(r"SCAN (a|s|t|l|links|artifacts)\b", step)] == []
    assert plans[0] == ["SEARCH a USING INDEX artifacts_of_kind (space=? AND kind=? AND deleted=?)"]
    assert plans[1] == [
        "SEARCH a USING INDEX artifacts_of_kind (space=? AND kind=? AND deleted=? AND (sort_key,artifact_id)>(?,?))"
    ]
    assert not any("TEMP B-TREE" in step for step in plans[2])
    store.close()
