from __future__ import annotations

from dataclasses import asdict

import pytest

from graphapi.store.port import ArtifactRow, Counts, GraphStore
from tests.contract.backends import Backend
from tests.contract.rows import LATER, NOW, artifact, gone, hang, link, plant, reading, statement


def test_an_artifact_comes_back_with_every_field_it_was_written_with(store: GraphStore, namespace: str) -> None:
    row = artifact(
        "STORY-1", title="Berth “allocation” — naïve 配船", body="line one\r\n\r\n\tline two\n", withheld=True
    )
    assert store.upsert_artifacts(namespace, [row], now=NOW) == 1
    (found,) = store.get(namespace, ["STORY-1"])
    assert {name: value for name, value in asdict(found).items() if name in asdict(row)} == asdict(row)
    assert (found.first_ingested_at, found.ingested_at, found.deleted) == (NOW, NOW, False)
    assert found.deleted_at is found.deleted_clock is found.deleted_note is None


def test_fields_without_a_value_come_back_as_none(store: GraphStore, namespace: str) -> None:
    optional = ("artifact_type", "status", "source_path", "source_uri", "source_created_at", "source_updated_at")
    store.upsert_artifacts(namespace, [artifact("D-1", metadata={}, **dict.fromkeys(optional))], now=NOW)
    (found,) = store.get(namespace, ["D-1"])
    assert [getattr(found, name) for name in optional] == [None] * len(optional)
    assert found.metadata == {}


def test_a_field_that_lost_its_value_is_not_kept_from_before(store: GraphStore, namespace: str) -> None:
    store.upsert_artifacts(namespace, [artifact("S-1", status="ready", metadata={"a": 1})], now=NOW)
    store.upsert_artifacts(namespace, [artifact("S-1", status=None, metadata={"b": 2})], now=LATER)
    (found,) = store.get(namespace, ["S-1"])
    assert (found.status, found.metadata) == (None, {"b": 2})


def test_writing_the_same_rows_twice_leaves_what_writing_them_once_leaves(store: GraphStore, namespace: str) -> None:
    rows = [artifact(f"S-{n}", title=f"quay number {n}", body="crane") for n in range(5)]
    assert store.upsert_artifacts(namespace, rows, now=NOW) == 5
    once = store.get(namespace, [row.artifact_id for row in rows]), store.search_artifacts(namespace, "crane quay")
    assert store.upsert_artifacts(namespace, rows, now=LATER) == 5
    twice = store.get(namespace, [row.artifact_id for row in rows]), store.search_artifacts(namespace, "crane quay")
    assert [hit.artifact_id for hit in twice[1]] == [hit.artifact_id for hit in once[1]]
    assert twice[0] == once[0]
    assert store.counts(namespace) == Counts({"pbi": 5})


def test_ingested_at_moves_with_the_digest_and_the_first_time_stays(store: GraphStore, namespace: str) -> None:
    store.upsert_artifacts(namespace, [artifact("S-1", title="old")], now=NOW)
    store.upsert_artifacts(namespace, [artifact("S-1", title="new")], now=LATER)
    (found,) = store.get(namespace, ["S-1"])
    assert (found.title, found.first_ingested_at, found.ingested_at) == ("new", NOW, LATER)


def test_a_row_that_comes_twice_in_one_call_counts_once_as_it_came_last(store: GraphStore, namespace: str) -> None:
    assert store.upsert_artifacts(namespace, [artifact("S-1", "first"), artifact("S-1", "second")], now=NOW) == 1
    assert [found.title for found in store.get(namespace, ["S-1"])] == ["second"]
    assert store.search_artifacts(namespace, "first") == []


def test_artifacts_come_in_the_order_asked_each_once_and_unknown_ones_not_at_all(
    store: GraphStore, namespace: str
) -> None:
    plant(store, namespace, "A", "B", "C")
    found = store.get(namespace, ["C", "missing", "A", "C"])
    assert [row.artifact_id for row in found] == ["C", "A"]


def test_getting_many_artifacts_takes_as_many_queries_as_getting_one(
    store: GraphStore, namespace: str, backend: Backend
) -> None:
    ids = [f"S-{n}" for n in range(40)]
    plant(store, namespace, *ids)
    with backend.trips(store) as one:
        store.get(namespace, ids[:1])
    with backend.trips(store) as many:
        assert len(store.get(namespace, ids)) == 40
    assert many.count == one.count > 0


def test_ids_differ_by_case(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "story-1", "STORY-1")
    assert [row.artifact_id for row in store.get(namespace, ["STORY-1"])] == ["STORY-1"]
    assert store.counts(namespace).artifacts == {"pbi": 2}


@pytest.mark.parametrize("odd", ["docs/a b'c\"d.md", "src/x|y\\z", "né🚢", "%_*?", "{id}", "$now"])
def test_an_id_of_any_characters_is_found_again(store: GraphStore, namespace: str, odd: str) -> None:
    plant(store, namespace, odd, "plain")
    assert [row.artifact_id for row in store.get(namespace, [odd])] == [odd]


def test_a_tombstone_keeps_title_body_and_metadata(store: GraphStore, namespace: str) -> None:
    row = artifact("S-1", title="Kept title", body="kept body")
    store.upsert_artifacts(namespace, [row], now=NOW)
    assert store.tombstone(namespace, [gone("S-1")]) == 1
    (found,) = store.get(namespace, ["S-1"])
    assert (found.title, found.body, found.metadata) == (row.title, row.body, row.metadata)
    assert (found.deleted, found.deleted_at, found.deleted_clock) == (True, LATER, "source-declared")
    assert (found.deleted_note, found.digest) == ("c0ffee", row.digest)


def test_a_second_tombstone_brings_the_new_date_and_clock(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "S-1")
    store.tombstone(namespace, [gone("S-1", at=NOW, clock="found", note=None)])
    assert store.tombstone(namespace, [gone("S-1", at=LATER, clock="source-declared", note="abc")]) == 1
    (found,) = store.get(namespace, ["S-1"])
    assert (found.deleted_at, found.deleted_clock, found.deleted_note) == (LATER, "source-declared", "abc")


def test_a_tombstone_of_an_unknown_artifact_marks_nothing(store: GraphStore, namespace: str) -> None:
    assert store.tombstone(namespace, [gone("S-1")]) == 0
    plant(store, namespace, "S-2")
    assert store.tombstone(namespace, [gone("S-1"), gone("S-2")]) == 1
    assert store.get(namespace, ["S-1"]) == []


def test_a_tombstone_ends_what_the_artifact_states_and_not_what_others_state_of_it(
    store: GraphStore, namespace: str
) -> None:
    hang(store, namespace, ("S-1", "E-1"), ("T-1", "S-1"))
    store.put_statements(namespace, [statement(namespace, "S-1", "slots are an hour long")])
    store.put_readings(namespace, [reading("r1", "S-1"), reading("r2", "T-1")])
    store.tombstone(namespace, [gone("S-1", at=LATER)])
    ended = {
        (row.source_id, row.target_id): (row.invalid_at, row.invalid_reason)
        for row in store.neighbours(namespace, ["S-1"], deleted="include")
    }
    assert ended == {("S-1", "E-1"): (LATER, "source-withdrawn"), ("T-1", "S-1"): (None, None)}
    assert store.statements(namespace, ["S-1"]) == []
    (stated,) = store.statements(namespace, ["S-1"], retired=True)
    assert (stated.retired_at, stated.retired_reason) == (LATER, "withdrawn")
    read = {row.key: (row.retired_at, row.retired_reason) for row in store.readings(namespace, ["S-1", "T-1"])}
    assert read == {"r1": (LATER, "withdrawn"), "r2": (None, None)}


def test_a_tombstone_leaves_the_ends_that_links_and_statements_already_have(store: GraphStore, namespace: str) -> None:
    hang(store, namespace, ("S-1", "E-1"))
    row = statement(namespace, "S-1", "slots are an hour long")
    store.put_statements(namespace, [row])
    store.put_readings(namespace, [reading("r1", "S-1")])
    store.retire_links(namespace, [link(namespace, "S-1", "E-1").key], at=NOW, reason="revised")
    store.retire_statements(namespace, [row.key], at=NOW, reason="revised")
    store.retire_readings(namespace, ["r1"], at=NOW, reason="revised")
    store.tombstone(namespace, [gone("S-1", at=LATER)])
    (ended,) = store.neighbours(namespace, ["S-1"], deleted="only")
    (stated,) = store.statements(namespace, ["S-1"], retired=True)
    (read,) = store.readings(namespace, ["S-1"])
    assert (ended.invalid_at, ended.invalid_reason) == (NOW, "revised")
    assert {(stated.retired_at, stated.retired_reason), (read.retired_at, read.retired_reason)} == {(NOW, "revised")}


def test_writing_a_tombstoned_artifact_makes_it_live_again(store: GraphStore, namespace: str) -> None:
    row = artifact("S-1", title="quayside")
    store.upsert_artifacts(namespace, [row], now=NOW)
    store.tombstone(namespace, [gone("S-1")])
    assert store.upsert_artifacts(namespace, [row], now=LATER) == 1
    (found,) = store.get(namespace, ["S-1"])
    assert (found.deleted, found.deleted_at, found.deleted_clock, found.deleted_note) == (False, None, None, None)
    assert (found.first_ingested_at, found.ingested_at) == (NOW, NOW)
    assert [hit.artifact_id for hit in store.search_artifacts(namespace, "quayside")] == ["S-1"]
    assert store.search_artifacts(namespace, "quayside", deleted="only") == []


def test_listings_stand_in_natural_order_and_go_on_after_the_last_one(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "S-10", "S-9", "S-100", "E-2", "s-1", "S-1")
    first = store.list_artifacts(namespace, limit=4)
    assert [row.artifact_id for row in first] == ["E-2", "S-1", "s-1", "S-9"]
    rest = store.list_artifacts(namespace, after=(first[-1].sort_key, first[-1].artifact_id))
    assert [row.artifact_id for row in rest] == ["S-10", "S-100"]


def test_a_listing_goes_on_between_two_ids_of_one_sort_key(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "s-1", "S-1", "S-01")
    assert [row.artifact_id for row in store.list_artifacts(namespace)] == ["S-01", "S-1", "s-1"]
    after = store.list_artifacts(namespace, after=("s-000000000001", "S-1"))
    assert [row.artifact_id for row in after] == ["s-1"]


def test_ids_outside_the_basic_plane_sort_as_their_code_points_do(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "🚢", "ﾟ", "z")
    assert [row.artifact_id for row in store.list_artifacts(namespace)] == ["z", "ﾟ", "🚢"]


FILTERED = [
    artifact("A", kind="pbi", artifact_type="story", status="ready", provenance="source-of-record"),
    artifact("B", kind="doc", artifact_type="decision", status=None, provenance="human-authored"),
    artifact("C", kind="pbi", artifact_type="epic", status="done", provenance="ai-derived"),
    artifact("D", kind="commit", artifact_type=None, status=None, provenance="source-of-record"),
]


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({"kinds": ["pbi"]}, "AC"),
        ({"kinds": ["doc", "commit"]}, "BD"),
        ({"types": ["epic", "decision"]}, "BC"),
        ({"statuses": ["done"]}, "C"),
        ({"provenances": ["source-of-record"]}, "AD"),
        ({"kinds": ["pbi"], "statuses": ["ready", "done"], "provenances": ["ai-derived"]}, "C"),
        ({"kinds": []}, ""),
        ({"statuses": []}, ""),
        ({}, "ABCD"),
    ],
)
def test_a_listing_holds_what_every_filter_lets_through(
    store: GraphStore, namespace: str, filters: dict[str, list[str]], ids: str
) -> None:
    store.upsert_artifacts(namespace, FILTERED, now=NOW)
    assert [row.artifact_id for row in store.list_artifacts(namespace, **filters)] == list(ids)  # type: ignore[arg-type]


def test_a_listing_leaves_out_adds_or_holds_only_what_was_deleted(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "A", "B", "C")
    store.tombstone(namespace, [gone("B")])
    listed = {
        deleted: [row.artifact_id for row in store.list_artifacts(namespace, deleted=deleted)]
        for deleted in ("exclude", "include", "only")
    }
    assert listed == {"exclude": ["A", "C"], "include": ["A", "B", "C"], "only": ["B"]}


def test_a_listing_carries_bodies(store: GraphStore, namespace: str) -> None:
    store.upsert_artifacts(namespace, [artifact("A", body="all of it")], now=NOW)
    assert [row.body for row in store.list_artifacts(namespace)] == ["all of it"]


def test_a_body_of_two_megabytes_is_kept_and_found(store: GraphStore, namespace: str) -> None:
    body = ("harbour master's log, page after page. " * 55_000)[:2_000_000] + " zanzibar"
    store.upsert_artifacts(namespace, [artifact("BIG", body=body), artifact("SMALL", body="zeppelin")], now=NOW)
    assert store.get(namespace, ["BIG"])[0].body == body
    assert [hit.artifact_id for hit in store.search_artifacts(namespace, "zanzibar")] == ["BIG"]
    row: ArtifactRow = artifact("BIG", body="short now")
    store.upsert_artifacts(namespace, [row], now=LATER)
    assert store.search_artifacts(namespace, "zanzibar") == []


def test_more_rows_than_a_batch_are_all_written_and_all_ended(store: GraphStore, namespace: str) -> None:
    ids = [f"S-{n}" for n in range(1200)]
    assert store.upsert_artifacts(namespace, [artifact(i, title=i, body="berth") for i in ids], now=NOW) == 1200
    rows = [link(namespace, i, "S-0") for i in ids[1:]]
    assert store.link(namespace, rows) == 1199
    assert store.put_statements(namespace, [statement(namespace, i, f"rule {i}") for i in ids]) == 1200
    assert store.put_readings(namespace, [reading(f"r-{i}", i) for i in ids]) == 1200
    assert store.retire_links(namespace, [row.key for row in rows], at=LATER, reason="edited") == 1199
    assert store.tombstone(namespace, [gone(i) for i in ids]) == 1200
    assert store.counts(namespace) == Counts({}, 1200, 0, 1199, 0, 1200)
    assert {row.retired_reason for row in store.readings(namespace, ids)} == {"withdrawn"}
