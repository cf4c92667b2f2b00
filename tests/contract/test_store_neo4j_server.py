"""What only a server can do: be away, refuse, hold another engine's nodes. Collected where a server is named."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from graphapi.store.neo4j import Neo4jStore, reads, server, writes
from graphapi.store.neo4j.schema import Names, has_indexes
from graphapi.store.port import StoreUnavailable
from tests.contract.backends import NEO4J_URL
from tests.contract.rows import NOW, artifact, hang, link, plant, statement

pytestmark = pytest.mark.services

URL = os.environ[NEO4J_URL]
PASSWORD = Path(os.environ["REVETLY_TEST_NEO4J_PASSWORD_FILE"]).read_text().strip()
USER = os.environ.get("REVETLY_TEST_NEO4J_USER", "neo4j")


@pytest.fixture
def store() -> Iterator[Neo4jStore]:
    opened = Neo4jStore(URL, USER, PASSWORD)
    opened.prepare()
    yield opened
    opened.close()


@pytest.fixture
def driver() -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(URL, auth=(USER, PASSWORD)) as opened:
        yield opened


@pytest.fixture
def namespace(store: Neo4jStore) -> Iterator[str]:
    name = f"t-{uuid.uuid4().hex}"
    yield name
    store.clear(name)


def test_a_refused_password_is_a_store_that_is_unavailable_and_is_not_told() -> None:
    store = Neo4jStore(URL, USER, "not-the-pass-word")
    with pytest.raises(StoreUnavailable, match="password") as raised:
        store.ping()
    store.close()
    assert isinstance(raised.value.__cause__, neo4j.exceptions.AuthError)
    assert "not-the-pass-word" not in f"{raised.value}{raised.value.__cause__}"


def test_a_server_that_is_away_is_named_without_what_its_address_may_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "RETRY_SECONDS", 0.1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    store = Neo4jStore(f"bolt://127.0.0.1:{port}", "neo4j", "s3cret")
    with pytest.raises(StoreUnavailable, match=f"127.0.0.1:{port}") as raised:
        store.counts("demo")
    store.close()
    assert isinstance(raised.value.__cause__, neo4j.exceptions.ServiceUnavailable)
    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize("uri", ["ftp://neo4j:s3cret@127.0.0.1:1", "bolt://neo4j:s3cret@127.0.0.1:1", "nonsense"])
def test_an_address_that_is_none_is_a_store_that_is_unavailable(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "RETRY_SECONDS", 0.1)
    store = Neo4jStore(uri, "neo4j", "s3cret")
    with pytest.raises(StoreUnavailable) as raised:
        store.ping()
    store.close()
    assert "s3cret" not in str(raised.value)


def test_a_database_that_is_not_there_is_a_store_that_is_unavailable() -> None:
    store = Neo4jStore(URL, USER, PASSWORD, database="nowhere")
    with pytest.raises(StoreUnavailable, match="database"):
        store.ping()
    store.close()


def test_no_driver_is_made_before_the_first_call() -> None:
    store = Neo4jStore(URL, USER, PASSWORD)
    assert store._server._driver is None
    store.close()


def test_a_forked_child_makes_a_driver_of_its_own(store: Neo4jStore) -> None:
    mine = store._server._open()
    child = os.fork()
    if child == 0:
        os._exit(0 if store._server._open() is not mine else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert store._server._open() is mine


def test_clearing_removes_the_concepts_of_the_namespace_too_and_no_others(
    store: Neo4jStore, namespace: str, driver: neo4j.Driver
) -> None:
    other = f"{namespace}-other"[:64]
    plant(store, namespace, "S-1")
    for group in (namespace, other):
        driver.execute_query(
            """CREATE (e:Episodic {group_id: $g})-[:MENTIONS]->(n:Entity {group_id: $g})
                -[:RELATES_TO {group_id: $g}]->(:Entity:Anchor {group_id: $g})
            CREATE (:Community {group_id: $g}), (:Saga {group_id: $g})""",
            g=group,
        )
    driver.execute_query(
        "MATCH (a:Artifact {group_id: $g}), (n:Anchor {group_id: $g}) CREATE (a)-[:FACE]->(n)", g=namespace
    )
    count = "MATCH (n {group_id: $g}) RETURN count(n) AS n"
    store.clear(namespace)
    assert driver.execute_query(count, g=namespace).records[0]["n"] == 0
    assert driver.execute_query(count, g=other).records[0]["n"] == 5
    store.clear(other)
    assert driver.execute_query(count, g=other).records[0]["n"] == 0


def test_a_cleared_namespace_leaves_no_index_behind(store: Neo4jStore, namespace: str) -> None:
    hang(store, namespace, ("A", "B"))
    assert has_indexes(store._server, namespace)
    store.clear(namespace)
    assert store.search_artifacts(namespace, "A") == []
    assert not has_indexes(store._server, namespace)


def test_an_index_that_went_missing_is_made_again_by_a_search(
    store: Neo4jStore, namespace: str, driver: neo4j.Driver
) -> None:
    hang(store, namespace, ("S-1", "E-1"))
    for index in (Names(namespace).text_index, Names(namespace).fact_index):
        driver.execute_query(f"DROP INDEX {index}")
    assert [hit.artifact_id for hit in store.search_artifacts(namespace, "S")] == ["S-1"]
    assert [hit.source_id for hit in store.search_facts(namespace, "parent")] == ["S-1"]


def test_only_what_states_a_fact_is_in_the_fact_index(store: Neo4jStore, namespace: str, driver: neo4j.Driver) -> None:
    plant(store, namespace, "A", "B")
    store.link(namespace, [link(namespace, "A", "B", "cites", fact=" "), link(namespace, "A", "B", fact="x")])
    store.link(namespace, [link(namespace, "A", "B", "mentions", fact="once")])
    store.link(namespace, [link(namespace, "A", "B", "mentions", fact="")])
    store.put_statements(namespace, [statement(namespace, "A", "y")])
    found = driver.execute_query(f"MATCH (f:{Names(namespace).fact_label}) RETURN f.relation AS r, f.group_id AS g")
    assert sorted((row["r"], row["g"]) for row in found.records) == [("parent", namespace), ("states", namespace)]


def test_the_full_text_indexes_of_a_namespace_lock_no_label_that_others_share(
    store: Neo4jStore, namespace: str, driver: neo4j.Driver
) -> None:
    hang(store, namespace, ("A", "B"))
    found = driver.execute_query(
        "SHOW FULLTEXT INDEXES YIELD labelsOrTypes, name WHERE name IN $n RETURN labelsOrTypes AS labels",
        n=[Names(namespace).text_index, Names(namespace).fact_index],
    )
    assert sorted(row["labels"][0].split("_")[0] for row in found.records) == ["Facts", "Text"]


def test_a_statement_carries_its_type_as_its_label_and_keeps_it_when_retired(
    store: Neo4jStore, namespace: str, driver: neo4j.Driver
) -> None:
    plant(store, namespace, "N")
    store.put_statements(namespace, [statement(namespace, "N", "x", type="Decision")])
    row = statement(namespace, "N", "x", type="Constraint")
    store.put_statements(namespace, [row])
    store.retire_statements(namespace, [row.key], at=NOW, reason="revised")
    found = driver.execute_query("MATCH (s:Statement {group_id: $g}) RETURN labels(s) AS labels", g=namespace)
    assert [sorted(record["labels"]) for record in found.records] == [["Constraint", "Statement"]]


def test_looking_links_up_by_key_and_listing_artifacts_use_their_indexes(
    store: Neo4jStore, namespace: str, driver: neo4j.Driver
) -> None:
    store.upsert_artifacts(namespace, [artifact("A")], now=NOW)
    query = writes._RETIRE["links"]
    plan = driver.execute_query(f"EXPLAIN {query}", g=namespace, keys=["k"], at=NOW, reason="x")
    assert "RelationshipIndexSeek" in str(plan.summary.plan)
    seen: list[str] = []

    class Tx:
        def run(self, query: str, **parameters: object) -> list[object]:
            seen.append(str(driver.execute_query(f"EXPLAIN {query}", parameters).summary.plan))
            return []

    for kinds in (None, ["pbi"]):
        reads.list_artifacts(Tx(), namespace, {"kind": kinds}, "exclude", ("a", "b"), 10, False)  # type: ignore[arg-type]
    assert all("NodeIndexSeek" in plan and "Sort@" not in plan and "Top@" not in plan for plan in seen)
    assert ["(group_id, kind, deleted, sort_key, artifact_id)" in plan for plan in seen] == [False, True]
