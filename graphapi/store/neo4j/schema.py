"""Constraints and indexes of the engine's own labels, and the two full-text indexes each namespace has for itself.

Graphiti's labels (``Entity``, ``Episodic``, ``Community``, ``Saga``) get neither from here. One full-text index a
namespace: Lucene weighs a word by everything its index holds, so in a shared one another project's words would move
this one's scores. An index takes in what carries its properties; those are named for the namespace, in digits.
"""

from __future__ import annotations

from neo4j import ManagedTransaction
from neo4j.exceptions import ClientError

from graphapi.store.namespaces import digits
from graphapi.store.neo4j.server import Server
from graphapi.store.port import BATCH_ROWS

WAIT_SECONDS = 300

# The namespace stands in every key: Statement and Reading keys come from callers and may meet in two namespaces.
STATEMENTS = (
    "CREATE CONSTRAINT rv_artifact IF NOT EXISTS FOR (a:Artifact) REQUIRE (a.group_id, a.artifact_id) IS UNIQUE",
    "CREATE CONSTRAINT rv_statement IF NOT EXISTS FOR (s:Statement) REQUIRE (s.group_id, s.key) IS UNIQUE",
    "CREATE CONSTRAINT rv_reading IF NOT EXISTS FOR (r:Reading) REQUIRE (r.group_id, r.key) IS UNIQUE",
    "CREATE INDEX rv_artifact_order IF NOT EXISTS FOR (a:Artifact) ON (a.group_id, a.sort_key, a.artifact_id)",
    "CREATE INDEX rv_reading_of IF NOT EXISTS FOR (r:Reading) ON (r.group_id, r.artifact_id)",
    "CREATE INDEX rv_link_key IF NOT EXISTS FOR ()-[l:LINK]-() ON (l.group_id, l.key)",
)
OWN_LABELS = {"Artifact": "artifact_id", "Statement": "key", "Reading": "key"}
GRAPHITI_LABELS = ("Entity", "Episodic", "Community", "Saga")

_OPTIONS = "{indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}}"
_EXISTS_ALREADY = (
    "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
    "Neo.ClientError.Schema.IndexAlreadyExists",
)


class Names:
    """What a namespace's full-text indexes and their properties are called. Digits only: safe inside a query."""

    def __init__(self, namespace: str) -> None:
        number = digits(namespace)
        self.text_index = f"rv_text_{number}"
        self.fact_index = f"rv_fact_{number}"
        self.text = f"text_{number}"
        self.fact = f"fact_{number}"
        self.state = f"state_{number}"
        self.kind = f"kind_{number}"


def prepare(server: Server) -> None:
    """Create what is missing and wait until all of it, and nothing of anybody else's, can be used."""
    for statement in STATEMENTS:
        _change_schema(server, statement)
    # One by one: another's index on the same database may never come online, and is none of ours to wait for.
    for statement in STATEMENTS:
        server.read(_wait, f"CALL db.awaitIndex('{statement.split()[2]}', $seconds)")


def create_indexes(server: Server, namespace: str) -> None:
    """Create the namespace's full-text indexes where missing; they take in what is there already."""
    names = Names(namespace)
    _change_schema(
        server,
        f"""CREATE FULLTEXT INDEX {names.text_index} IF NOT EXISTS FOR (a:Artifact)
            ON EACH [a.{names.text}, a.{names.state}, a.{names.kind}] OPTIONS {_OPTIONS}""",
    )
    _change_schema(
        server,
        f"""CREATE FULLTEXT INDEX {names.fact_index} IF NOT EXISTS FOR ()-[r:LINK|STATES]-()
            ON EACH [r.{names.fact}, r.{names.state}, r.{names.kind}] OPTIONS {_OPTIONS}""",
    )
    for index in (names.text_index, names.fact_index):
        server.read(_wait, f"CALL db.awaitIndex('{index}', $seconds)")


def has_indexes(server: Server, namespace: str) -> bool:
    names = Names(namespace)
    wanted = [names.text_index, names.fact_index]

    def ask(tx: ManagedTransaction) -> int:
        found = tx.run("SHOW FULLTEXT INDEXES YIELD name WHERE name IN $names RETURN count(*)", names=wanted)
        return int(found.single(strict=True)[0])

    return server.read(ask) == len(wanted)


def clear(server: Server, namespace: str) -> None:
    """Remove the namespace's nodes, Graphiti's too, then its indexes.

    In that order: a search meanwhile makes a missing index again while there is something to find. By batches of our
    own rather than ``CALL … IN TRANSACTIONS``: there the outer transaction keeps its lock on the schema while an inner
    one asks for it, and when another session's new index stands in line between them neither ever ends.
    """
    # A composite index serves a query only if the query says something of each of its properties.
    queries = [f"MATCH (n:{label}) WHERE n.group_id = $g AND n.{p} IS NOT NULL" for label, p in OWN_LABELS.items()]
    queries += [f"MATCH (n:{label} {{group_id: $g}})" for label in GRAPHITI_LABELS]
    for query in queries:
        while server.write(_delete_some, query, namespace) == BATCH_ROWS:
            pass
    names = Names(namespace)
    for index in (names.text_index, names.fact_index):
        _change_schema(server, f"DROP INDEX {index} IF EXISTS")


def _delete_some(tx: ManagedTransaction, query: str, namespace: str) -> int:
    found = tx.run(f"{query} WITH n LIMIT $size DETACH DELETE n RETURN count(*)", g=namespace, size=BATCH_ROWS)
    return int(found.single(strict=True)[0])


def _change_schema(server: Server, statement: str) -> None:
    try:
        server.write(lambda tx: tx.run(statement).consume())
    except ClientError as exc:
        # IF NOT EXISTS looks before it takes the lock: of two who create at once, one is told that it exists.
        if exc.code not in _EXISTS_ALREADY:
            raise


def _wait(tx: ManagedTransaction, query: str) -> None:
    tx.run(query, seconds=WAIT_SECONDS).consume()
