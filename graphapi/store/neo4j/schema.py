"""Constraints and indexes of the engine's own labels, and the two full-text indexes each namespace has for itself.

Graphiti's labels (``Entity``, ``Episodic``, ``Community``, ``Saga``) get neither from here. One full-text index a
namespace: Lucene weighs a word by everything its index holds, so in a shared one another project's words would move
this one's scores. Each has a label of its own that no query names, and facts stand on nodes of their own for the same
reason: to make an index locks its label, and the planner asks for the locks of the labels a query names. Were they the
same label, two sessions that plan one query and a third that makes an index could wait for each other without end,
and Neo4j does not notice (seen on 5.26: planner cache, shared lock, upgrade to exclusive).
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
    "CREATE CONSTRAINT rv_fact IF NOT EXISTS FOR (f:Fact) REQUIRE (f.group_id, f.kind, f.key) IS UNIQUE",
    "CREATE INDEX rv_fact_of IF NOT EXISTS FOR (f:Fact) ON (f.group_id, f.source_id)",
    "CREATE INDEX rv_artifact_order IF NOT EXISTS FOR (a:Artifact) ON (a.group_id, a.sort_key, a.artifact_id)",
    "CREATE INDEX rv_artifact_kind IF NOT EXISTS FOR (a:Artifact) "
    "ON (a.group_id, a.kind, a.deleted, a.sort_key, a.artifact_id)",
    "CREATE INDEX rv_reading_of IF NOT EXISTS FOR (r:Reading) ON (r.group_id, r.artifact_id)",
    "CREATE INDEX rv_link_key IF NOT EXISTS FOR ()-[l:LINK]-() ON (l.group_id, l.key)",
)
OWN_LABELS = {"Artifact": "artifact_id", "Statement": "key", "Reading": "key", "Fact": "source_id"}
GRAPHITI_LABELS = ("Entity", "Episodic", "Community", "Saga")

# What the full-text indexes read: the words, whether the row is live, and its kind.
TEXT, STATE, MARK = "search_text", "search_state", "search_mark"

_OPTIONS = "{indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}}"
_EXISTS_ALREADY = (
    "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
    "Neo.ClientError.Schema.IndexAlreadyExists",
)


class Names:
    """What a namespace's full-text indexes and their labels are called. Digits only: safe inside a query."""

    def __init__(self, namespace: str) -> None:
        number = digits(namespace)
        self.text_index = f"rv_text_{number}"
        self.fact_index = f"rv_fact_{number}"
        self.text_label = f"Text_{number}"
        self.fact_label = f"Facts_{number}"


def prepare(server: Server) -> None:
    """Create what is missing and wait until all of it, and nothing of anybody else's, can be used."""
    # Asked first: CREATE takes its lock even where IF NOT EXISTS finds nothing to do.
    there = server.read(_index_names)
    for statement in STATEMENTS:
        if statement.split()[2] not in there:
            _change_schema(server, statement)
    # One by one: another's index on the same database may never come online, and is none of ours to wait for.
    for statement in STATEMENTS:
        server.read(_wait, f"CALL db.awaitIndex('{statement.split()[2]}', $seconds)")


def create_indexes(server: Server, namespace: str) -> None:
    """Create the namespace's full-text indexes where missing; they take in what is there already."""
    names = Names(namespace)
    for index, label in ((names.text_index, names.text_label), (names.fact_index, names.fact_label)):
        _change_schema(
            server,
            f"""CREATE FULLTEXT INDEX {index} IF NOT EXISTS FOR (n:{label})
                ON EACH [n.{TEXT}, n.{STATE}, n.{MARK}] OPTIONS {_OPTIONS}""",
        )
        server.read(_wait, f"CALL db.awaitIndex('{index}', $seconds)")


def has_indexes(server: Server, namespace: str) -> bool:
    names = Names(namespace)
    return {names.text_index, names.fact_index} <= server.read(_index_names)


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


def _index_names(tx: ManagedTransaction) -> set[str]:
    return {row[0] for row in tx.run("SHOW INDEXES YIELD name RETURN name")}


def _wait(tx: ManagedTransaction, query: str) -> None:
    tx.run(query, seconds=WAIT_SECONDS).consume()
