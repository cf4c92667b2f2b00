"""Filters act inside the index: what they leave out takes no room and lends no weight."""

from __future__ import annotations

import pytest

from graphapi.store.port import Deleted, FactKind, GraphStore
from tests.contract.rows import LATER, NOW, artifact, gone, link, plant, statement


def test_three_hundred_deleted_matches_do_not_crowd_out_one_live_match(store: GraphStore, namespace: str) -> None:
    rows = [artifact(f"GONE-{n}", title="harbour dues") for n in range(300)]
    rows += [artifact("LIVE", title="something long about harbour things and so on", body="pad " * 200)]
    rows += [artifact(f"FILL-{n}", title="filler") for n in range(400)]
    store.upsert_artifacts(namespace, rows, now=NOW)
    store.tombstone(namespace, [gone(f"GONE-{n}") for n in range(300)])
    assert [hit.artifact_id for hit in store.search_artifacts(namespace, "harbour", limit=5)] == ["LIVE"]
    assert len(store.search_artifacts(namespace, "harbour", limit=5, deleted="only")) == 5


def test_three_hundred_retired_facts_do_not_crowd_out_one_live_fact(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "E", *(f"S-{n}" for n in range(300)), "LIVE")
    rows = [link(namespace, f"S-{n}", "E", fact="lantern") for n in range(300)]
    store.link(namespace, [*rows, link(namespace, "LIVE", "E", fact="a lantern among so many other words")])
    store.retire_links(namespace, [row.key for row in rows], at=LATER, reason="edited")
    assert [hit.source_id for hit in store.search_facts(namespace, "lantern", limit=5)] == ["LIVE"]


def test_matches_of_other_kinds_do_not_crowd_out_the_kind_asked_for(store: GraphStore, namespace: str) -> None:
    rows = [artifact(f"C-{n}", title="berth", kind="commit") for n in range(300)]
    rows += [artifact("DOC", title="some words about a berth", body="pad " * 100, kind="delivery-record")]
    rows += [artifact("NEAR", title="berth", kind="delivery"), artifact("NEAR-2", title="berth", kind="record")]
    store.upsert_artifacts(namespace, rows, now=NOW)
    hits = store.search_artifacts(namespace, "berth", limit=5, kinds=["delivery-record"])
    assert [hit.artifact_id for hit in hits] == ["DOC"]


def test_several_kinds_may_be_asked_for_and_none_is_none(store: GraphStore, namespace: str) -> None:
    rows = [artifact(kind, title="berth", kind=kind) for kind in ("pbi", "doc", "commit")]
    store.upsert_artifacts(namespace, rows, now=NOW)
    hits = store.search_artifacts(namespace, "berth", kinds=["doc", "pbi"])
    assert [hit.artifact_id for hit in hits] == ["doc", "pbi"]
    assert store.search_artifacts(namespace, "berth", kinds=[]) == []


def test_an_artifact_that_changed_its_kind_is_found_by_the_new_one(store: GraphStore, namespace: str) -> None:
    store.upsert_artifacts(namespace, [artifact("A", title="berth", kind="doc")], now=NOW)
    store.upsert_artifacts(namespace, [artifact("A", title="berth", kind="pbi")], now=LATER)
    assert store.search_artifacts(namespace, "berth", kinds=["doc"]) == []
    assert len(store.search_artifacts(namespace, "berth", kinds=["pbi"])) == 1


@pytest.mark.parametrize(("deleted", "ids"), [("exclude", ["A"]), ("include", ["A", "B"]), ("only", ["B"])])
def test_artifacts_are_found_live_deleted_or_both(
    store: GraphStore, namespace: str, deleted: Deleted, ids: list[str]
) -> None:
    plant(store, namespace, *(f"FILL-{n}" for n in range(4)))
    store.upsert_artifacts(namespace, [artifact(i, title="berth") for i in "AB"], now=NOW)
    store.tombstone(namespace, [gone("B")])
    assert [hit.artifact_id for hit in store.search_artifacts(namespace, "berth", deleted=deleted)] == ids


@pytest.mark.parametrize(("deleted", "names"), [("exclude", ["AE"]), ("include", ["AE", "BE"]), ("only", ["BE"])])
@pytest.mark.parametrize("kind", ["link", "statement", None])
def test_facts_are_found_live_retired_or_both_and_by_kind(
    store: GraphStore, namespace: str, deleted: Deleted, names: list[str], kind: FactKind | None
) -> None:
    plant(store, namespace, "A", "B", "E")
    store.link(namespace, [link(namespace, i, "E", fact="lantern") for i in "AB"])
    stated = [statement(namespace, i, "x", fact="lantern") for i in "AB"]
    store.put_statements(namespace, stated)
    store.retire_links(namespace, [link(namespace, "B", "E").key], at=LATER, reason="edited")
    store.retire_statements(namespace, [stated[1].key], at=LATER, reason="edited")
    hits = store.search_facts(namespace, "lantern", deleted=deleted, kind=kind)
    expected = [
        (which, name[0], None if name[0] == "A" else LATER)
        for which in ("link", "statement")
        for name in names
        if kind in (which, None)
    ]
    assert [(hit.kind, hit.source_id, hit.invalid_at) for hit in hits] == expected


def test_statements_do_not_crowd_out_links_when_links_are_asked_for(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "N", "E")
    store.put_statements(namespace, [statement(namespace, "N", f"{n}", fact="lantern") for n in range(100)])
    store.link(namespace, [link(namespace, "N", "E", fact="one lantern among a good many other words")])
    assert [hit.kind for hit in store.search_facts(namespace, "lantern", kind="link", limit=3)] == ["link"]


def test_a_tombstone_takes_the_facts_its_artifact_states_out_of_the_live_ones(
    store: GraphStore, namespace: str
) -> None:
    plant(store, namespace, "A", "B")
    store.link(namespace, [link(namespace, "A", "B", fact="lantern out"), link(namespace, "B", "A", fact="lantern in")])
    store.put_statements(namespace, [statement(namespace, "A", "x", fact="lantern said")])
    store.tombstone(namespace, [gone("A")])
    assert [hit.fact for hit in store.search_facts(namespace, "lantern")] == ["lantern in"]
    assert {hit.fact for hit in store.search_facts(namespace, "lantern", deleted="only")} == {
        "lantern out",
        "lantern said",
    }


def test_filters_change_what_is_found_and_no_score(store: GraphStore, namespace: str) -> None:
    rows = [artifact(i, title="berth plan", kind="doc") for i in "AB"]
    store.upsert_artifacts(namespace, [*rows, *(artifact(f"F-{n}", title="filler") for n in range(9))], now=NOW)
    store.link(namespace, [link(namespace, i, "F-0", fact="berth plan") for i in "AB"])
    store.link(namespace, [link(namespace, f"F-{n}", "A", fact="other") for n in range(9)])
    plain = {hit.score for hit in store.search_artifacts(namespace, "berth", deleted="include")}
    assert len(plain) == 1
    assert {hit.score for hit in store.search_artifacts(namespace, "berth", kinds=["doc", "pbi"])} == plain
    facts = {hit.score for hit in store.search_facts(namespace, "berth", deleted="include")}
    assert {hit.score for hit in store.search_facts(namespace, "berth", kind="link")} == facts


def test_links_without_a_fact_lend_no_weight_to_those_with_one(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "A", "B", *(f"C-{n}" for n in range(60)))
    store.link(namespace, [link(namespace, "A", "B", fact="berth plan"), link(namespace, "B", "A", fact="other words")])
    store.link(namespace, [link(namespace, f"C-{n}", "A", fact="more words") for n in range(5)])
    alone = store.search_facts(namespace, "berth")
    store.link(namespace, [link(namespace, f"C-{n}", "B", "cites", fact="") for n in range(60)])
    assert store.search_facts(namespace, "berth") == alone


@pytest.mark.parametrize("mark", ["1", "2", "3", "4", "live", "link"])
def test_the_marks_of_the_index_are_no_words_of_a_query(store: GraphStore, namespace: str, mark: str) -> None:
    plant(store, namespace, "A", "B")
    store.link(namespace, [link(namespace, "A", "B", fact="berth")])
    assert store.search_artifacts(namespace, mark, deleted="include") == []
    assert store.search_facts(namespace, mark, deleted="include") == []


def test_nothing_of_another_namespace_is_found(store: GraphStore, namespace: str, other_namespace: str) -> None:
    for name, title in ((namespace, "berth here"), (other_namespace, "berth there")):
        store.upsert_artifacts(name, [artifact("A", title=title), artifact("B", title="pier")], now=NOW)
        store.link(name, [link(name, "A", "B", fact=title)])
    assert [hit.title for hit in store.search_artifacts(namespace, "berth")] == ["berth here"]
    assert [hit.fact for hit in store.search_facts(namespace, "berth")] == ["berth here"]


def test_a_score_is_the_same_whether_or_not_another_namespace_is_full_of_the_word(
    store: GraphStore, namespace: str, other_namespace: str
) -> None:
    rows = [artifact("A", title="berth plan"), *(artifact(f"F-{n}", title="filler words") for n in range(20))]
    store.upsert_artifacts(namespace, rows, now=NOW)
    store.link(namespace, [link(namespace, "A", "F-0", fact="berth plan"), link(namespace, "F-1", "F-2", fact="other")])
    alone = store.search_artifacts(namespace, "berth plan"), store.search_facts(namespace, "berth plan")
    others = [artifact(f"O-{n}", title="berth", body="berth " * 30) for n in range(100)]
    store.upsert_artifacts(other_namespace, others, now=NOW)
    store.link(other_namespace, [link(other_namespace, f"O-{n}", "O-0", fact="berth " * 9) for n in range(1, 100)])
    beside = store.search_artifacts(namespace, "berth plan"), store.search_facts(namespace, "berth plan")
    assert beside == alone
    assert len(alone[0]) == len(alone[1]) == 1
