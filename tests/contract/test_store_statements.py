from __future__ import annotations

from dataclasses import asdict

import pytest

from graphapi.store.port import STATEMENT_RANK, Counts, GraphStore, ReadingRow, StoredReading
from tests.contract.rows import LATER, NOW, gone, plant, reading, statement


@pytest.mark.parametrize("kind", ["Decision", "Assumption", "Constraint"])
def test_a_statement_comes_back_with_every_field_it_was_written_with(
    store: GraphStore, namespace: str, kind: str
) -> None:
    plant(store, namespace, "N-1")
    row = statement(namespace, "N-1", "berths wait — at most “12” h", type=kind, passage="  exact \n text ")
    assert store.put_statements(namespace, [row]) == 1
    (found,) = store.statements(namespace, ["N-1"])
    assert {name: value for name, value in asdict(found).items() if name in asdict(row)} == asdict(row)
    assert (found.retired_at, found.retired_reason) == (None, None)


def test_a_statement_without_optional_values_comes_back_without_them(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "N-1")
    store.put_statements(namespace, [statement(namespace, "N-1", "x", qualifier=None, stated_at=None, episode=None)])
    (found,) = store.statements(namespace, ["N-1"])
    assert (found.qualifier, found.stated_at, found.episode) == (None, None, None)


def test_a_statement_of_a_note_that_is_not_there_is_not_written(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "N-1")
    rows = [statement(namespace, "MISSING", "lost"), statement(namespace, "N-1", "kept")]
    assert store.put_statements(namespace, rows) == 1
    assert store.search_facts(namespace, "lost") == []
    assert store.counts(namespace) == Counts({"pbi": 1}, statements=1)
    assert store.get(namespace, ["MISSING"]) == []
    plant(store, namespace, "MISSING")
    assert store.search_facts(namespace, "lost", deleted="include") == []


def test_writing_a_statement_twice_leaves_one_with_the_later_fields(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "N-1")
    store.put_statements(namespace, [statement(namespace, "N-1", "x", type="Decision", fact="former")])
    store.put_statements(namespace, [statement(namespace, "N-1", "x", type="Constraint", fact="latter")])
    assert [(row.type, row.fact) for row in store.statements(namespace, ["N-1"])] == [("Constraint", "latter")]
    assert store.search_facts(namespace, "former") == []
    assert [hit.method for hit in store.search_facts(namespace, "latter")] == ["Constraint"]


def test_retiring_statements_keeps_them_readable_and_keeps_the_first_end(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "N-1")
    row = statement(namespace, "N-1", "x")
    store.put_statements(namespace, [row])
    assert store.retire_statements(namespace, [row.key, "unknown"], at=NOW, reason="revised") == 1
    assert store.retire_statements(namespace, [row.key], at=LATER, reason="later") == 0
    assert store.statements(namespace, ["N-1"]) == []
    (found,) = store.statements(namespace, ["N-1"], retired=True)
    assert (found.retired_at, found.retired_reason, found.type, found.passage) == (
        NOW,
        "revised",
        row.type,
        row.passage,
    )
    assert store.counts(namespace) == Counts({"pbi": 1}, retired_statements=1)


def test_writing_a_retired_statement_makes_it_live_again(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "N-1")
    row = statement(namespace, "N-1", "mooring")
    store.put_statements(namespace, [row])
    store.retire_statements(namespace, [row.key], at=NOW, reason="revised")
    assert store.put_statements(namespace, [row]) == 1
    (found,) = store.statements(namespace, ["N-1"])
    assert (found.retired_at, found.retired_reason) == (None, None)
    assert [(hit.key, hit.invalid_at) for hit in store.search_facts(namespace, "mooring")] == [(row.key, None)]


def test_statements_come_by_note_in_natural_order_then_key(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "N-10", "N-9", "N-8")
    rows = [statement(namespace, note, name) for note in ("N-10", "N-9") for name in ("p", "q", "r")]
    store.put_statements(namespace, [*rows, statement(namespace, "N-8", "not asked for")])
    found = store.statements(namespace, ["N-10", "N-9", "N-9", "MISSING"])
    expected = sorted(rows[3:], key=lambda row: row.key) + sorted(rows[:3], key=lambda row: row.key)
    assert [row.key for row in found] == [row.key for row in expected]


def test_a_statement_found_by_its_fact_says_where_it_stands(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "N-1")
    row = statement(namespace, "N-1", "pilots board at the outer buoy", type="Assumption")
    store.put_statements(namespace, [row])
    (hit,) = store.search_facts(namespace, "buoy")
    assert (hit.kind, hit.key, hit.fact, hit.source_id, hit.target_id) == (
        "statement",
        row.key,
        row.fact,
        "N-1",
        row.key,
    )
    assert (hit.relation, hit.method, hit.rank, hit.invalid_at) == ("states", "Assumption", STATEMENT_RANK, None)


def test_statements_are_no_links(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "N-1")
    store.put_statements(namespace, [statement(namespace, "N-1", "x")])
    assert store.neighbours(namespace, ["N-1"], deleted="include") == []
    assert store.link_counts(namespace) == []
    assert list(store.link_digests(namespace)) == []


def test_readings_come_back_by_artifact_then_time_then_key(store: GraphStore, namespace: str) -> None:
    rows = [reading("k3", "B"), reading("k2", "A", LATER), reading("k5", "A", NOW), reading("k4", "A", NOW)]
    assert store.put_readings(namespace, [*rows, reading("k1", "C")]) == 5
    found = store.readings(namespace, ["B", "A", "A", "MISSING"])
    assert [row.key for row in found] == ["k4", "k5", "k2", "k3"]
    assert found[0] == StoredReading("k4", "A", "hash-of-k4", NOW)


def test_a_reading_needs_no_artifact_and_counts_once_a_key(store: GraphStore, namespace: str) -> None:
    assert store.put_readings(namespace, [reading("k", "A", NOW), reading("k", "A", LATER)]) == 1
    store.put_readings(namespace, [ReadingRow("k", "A", "another hash", LATER)])
    assert store.readings(namespace, ["A"]) == [StoredReading("k", "A", "another hash", LATER)]


def test_retired_readings_stay_and_keep_the_first_end_until_written_again(store: GraphStore, namespace: str) -> None:
    store.put_readings(namespace, [reading("k", "A")])
    assert store.retire_readings(namespace, ["k", "unknown"], at=NOW, reason="revised") == 1
    assert store.retire_readings(namespace, ["k"], at=LATER, reason="later") == 0
    (found,) = store.readings(namespace, ["A"])
    assert (found.retired_at, found.retired_reason) == (NOW, "revised")
    store.put_readings(namespace, [reading("k", "A")])
    assert [row.retired_at for row in store.readings(namespace, ["A"])] == [None]


def test_the_same_keys_in_two_namespaces_are_two_statements_and_two_readings(
    store: GraphStore, namespace: str, other_namespace: str
) -> None:
    row = statement(namespace, "N-1", "one key")
    for name in (namespace, other_namespace):
        plant(store, name, "N-1")
        store.put_statements(name, [row])
        store.put_readings(name, [reading("k", "N-1")])
    store.tombstone(namespace, [gone("N-1")])
    assert store.statements(namespace, ["N-1"]) == []
    assert [found.key for found in store.statements(other_namespace, ["N-1"])] == [row.key]
    assert [found.retired_at for found in store.readings(other_namespace, ["N-1"])] == [None]
    assert store.retire_statements(namespace, [row.key], at=LATER, reason="x") == 0
