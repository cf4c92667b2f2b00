"""Which row of a search stands where, before the order rules (004 section 5, Ranking)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from graphapi.ranking import retrieval
from graphapi.reads.search import search_context
from graphapi.store.port import ArtifactRow, StoreUnavailable
from tests.contract.rows import link

requirement = pytest.mark.requirement


@pytest.fixture
def order(reader) -> Callable[..., list[str]]:
    def ask(query: str, shelf: str = "artifacts", **asked: Any) -> list[str]:
        return [row["artifact_id"] for row in search_context(reader, query=query, **asked)[shelf]]

    return ask


@pytest.fixture
def read(repo, ingest) -> Callable[..., None]:
    """Commit what was written, dated, and read it."""

    def run(when: str | None = None) -> None:
        repo.commit("write", when)
        assert ingest().state == "green"

    return run


@requirement("ranking.same-everywhere")
def test_artifacts_and_passages_stand_in_one_order(repo, read, order) -> None:
    for n in range(1, 7):
        repo.item(f"STORY-00{n}", "quay " * n + "word " * 20, title=f"Gate {n}")
    read()
    assert order("quay word") == order("quay word", "passages")
    assert len(order("quay word")) == 6


@requirement("ranking.exact-id", "ranking.exact-id-family", "ranking.exact-id-not-notes")
def test_an_id_of_the_backlog_lifts_its_row_and_a_note_s_id_does_not(repo, read, order, monkeypatch) -> None:
    repo.item("STORY-001", "STORY-001 is of the berth, at great length, with a great many other words.", title="Gate")
    repo.item("STORY-0010", "berth berth", title="Berth berth")
    repo.item("DEC-001", "DEC-001 is of the berth, at great length, and with many other words.", folder="decisions",
              title="Crane")  # fmt: skip
    read()
    assert order("STORY-001 berth")[0] == "STORY-001"
    assert order("DEC-001 berth", kind=["doc", "pbi"])[0] == "DEC-001"
    seen: list[frozenset[str]] = []
    known = retrieval.weigh

    def spy(*rows: Any, query_ids: Any, **rest: Any) -> Any:
        seen.append(frozenset(query_ids))
        return known(*rows, query_ids=query_ids, **rest)

    monkeypatch.setattr(retrieval, "weigh", spy)
    for query in ("STORY-001 berth", "story-001", "DEC-001 berth", "STORY-0010"):
        order(query)
    assert seen[::2] == [{"story-001"}, {"story-001"}, frozenset(), {"story-0010"}]


@requirement("ranking.recency", "ranking.recency-declared")
def test_age_weighs_by_the_half_life_that_the_project_declares(repo, read, order) -> None:
    """Places 1 and 2 of a leg are 11/12 = 0.92 apart; 15 days of 180 leave 0.94, and of 30 they leave 0.71."""
    repo.item("STORY-001", "quay quay quay wall", title="Quay wall")
    read("2025-10-01")
    repo.item("STORY-002", "One quay among many words that are of no use to anybody here.", title="Gate")
    read("2025-10-16")
    assert order("quay")[0] == "STORY-001"
    plain = (repo.root / "revetly.toml").read_text()
    repo.write("revetly.toml", f"{plain}[ranking]\nhalf_life_days = 30\n")
    assert order("quay")[0] == "STORY-002"


@requirement("ranking.recency-binding-notes", "ranking.kind-commit")
def test_a_decision_does_not_age(repo, read, order) -> None:
    repo.item("DEC-001", "quay quay quay wall", title="Quay wall", folder="decisions")
    repo.item("CONV-001", "quay quay quay wall", title="Quay wall too", folder="conversations")
    read("2020-01-01")
    repo.item("STORY-001", "One quay among many words that are of no use to anybody here.", title="Gate")
    read("2026-01-01")
    assert order("quay") == ["DEC-001", "STORY-001", "CONV-001"]


@requirement("ranking.provenance", "ranking.provenance-table")
def test_the_source_of_record_outweighs_a_mirror_unless_the_table_is_turned_round(repo, read, order, store, project):
    repo.item("STORY-001", "The quay.", title="Quay 1")
    repo.item("STORY-002", "The quay.", title="Quay 2")
    read()
    (row,) = store.get(project.namespace, ["STORY-001"])
    held = {f.name: getattr(row, f.name) for f in dataclasses.fields(ArtifactRow)}
    mirror = ArtifactRow(**held | {"provenance": "mirror", "digest": "of a mirror"})
    store.upsert_artifacts(project.namespace, [mirror], now="2026-02-01T00:00:00Z")
    assert order("quay") == ["STORY-002", "STORY-001"]
    table = "[ranking]\n[ranking.provenance]\nmirror = 2.0\nsource-of-record = 1.0\n"
    repo.write("revetly.toml", (repo.root / "revetly.toml").read_text() + table)
    assert order("quay") == ["STORY-001", "STORY-002"]


@requirement("ranking.link-count")
def test_a_linked_artifact_stands_above_an_unlinked_one(repo, read, order) -> None:
    repo.item("STORY-001", "The quay.", title="Quay 1")
    repo.item("STORY-002", "The quay.", title="Quay 2")
    read()
    assert order("quay") == ["STORY-001", "STORY-002"]
    for n in range(3, 9):
        repo.item(f"STORY-00{n}", "Nothing.", title=f"Gate {n}", parent="STORY-002")
    read()
    assert order("quay")[:2] == ["STORY-002", "STORY-001"]


@requirement("ranking.kind-commit", "ranking.multiplied")
def test_a_commit_stands_below_the_note_that_holds_the_reasoning(repo, read, order, graph) -> None:
    config = (repo.root / "revetly.toml").read_text()
    repo.write("revetly.toml", config + '[connectors.commits]\nrepositories = ["."]\n')
    repo.item("DEC-001", "Pontoon pontoon with some more words after it.", title="Decided", folder="decisions")
    repo.commit("Pontoon pontoon", "2026-01-02")
    read("2026-01-02")
    answer = order("pontoon")
    assert answer[0] == "DEC-001" and "@" in answer[1]


@requirement("ranking.superseded")
def test_a_superseded_row_is_halved_and_stays_marked(repo, read, order, reader) -> None:
    repo.item("STORY-001", "quay quay quay", title="Quay")
    repo.item("STORY-002", "Nothing but one quay in a longer text.", title="Gate")
    repo.item("STORY-003", "Nothing.", title="Crane")
    read()
    assert order("quay")[:2] == ["STORY-001", "STORY-002"]
    repo.item("STORY-003", "Nothing.", title="Crane", supersedes="STORY-001")
    read()
    assert order("quay")[:2] == ["STORY-002", "STORY-001"]
    rows = {row["artifact_id"]: row for row in search_context(reader, query="quay")["artifacts"]}
    assert rows["STORY-001"]["superseded_by"] == "STORY-003"
    assert "superseded_by" not in rows["STORY-002"]


@requirement("ranking.cut-by-order")
def test_the_limit_cuts_one_order_and_keeps_no_leg_s_place(repo, read, order) -> None:
    for n in range(1, 5):
        repo.item(f"STORY-00{n}", "quay tariff " * n, title=f"Gate {n}")
    repo.item("STORY-100", "Tariff alone.", title="Crane")
    read()
    whole = order("quay")
    assert whole[-1] == "STORY-100"
    assert order("quay", limit=3) == whole[:3]


@requirement("ranking.not-facts-concepts", "ranking.recency-only", "ranking.never-across")
def test_no_weight_moves_a_fact(repo, read, reader, monkeypatch, store, project) -> None:
    repo.item("EPIC-001", "Quay.", title="Quay works", type="epic")
    for n in range(1, 5):
        repo.item(f"STORY-00{n}", "Quay.", title=f"Quay {n} " + "wall " * n, parent="EPIC-001")
        read(f"202{n}-01-01")
    repo.item("STORY-009", "Nothing.", title="Crane", supersedes="STORY-003")
    read()
    before = search_context(reader, query="quay wall")
    weights = tuple((name, 1e6 if name == "recency" else 1.0) for name, _ in retrieval.SIGNALS)
    monkeypatch.setattr(retrieval, "SIGNALS", weights)
    after = search_context(reader, query="quay wall")
    assert [r["artifact_id"] for r in before["artifacts"]] != [r["artifact_id"] for r in after["artifacts"]]
    matched = before["facts"][: before["deterministic_facts"]]
    assert matched == after["facts"][: after["deterministic_facts"]]


@requirement("ranking.not-applied")
def test_signals_that_cannot_be_read_leave_the_fused_order_and_are_told(repo, read, reader, monkeypatch) -> None:
    repo.item("STORY-001", "quay quay quay", title="Quay")
    repo.item("STORY-002", "Nothing but one quay in a longer text.", title="Gate")
    repo.item("STORY-003", "Nothing.", title="Crane", supersedes="STORY-001")
    read()
    ordered = search_context(reader, query="quay")
    assert "ranking" not in ordered
    assert [row["artifact_id"] for row in ordered["artifacts"]][:2] == ["STORY-002", "STORY-001"]

    def down(*_: object, **__: object) -> None:
        raise StoreUnavailable("the store went away")

    monkeypatch.setattr(type(reader.store), "around", down)
    fused = search_context(reader, query="quay")
    assert fused["ranking"] == {"applied": False}
    assert [row["artifact_id"] for row in fused["artifacts"]][:2] == ["STORY-001", "STORY-002"]
    assert not any("links" in row for row in fused["artifacts"])
    assert [row["artifact_id"] for row in fused["passages"]] == ["STORY-001", "STORY-002"]


def test_a_store_that_is_down_is_no_empty_answer(repo, read, reader, monkeypatch) -> None:
    read()

    def down(*_: object, **__: object) -> None:
        raise StoreUnavailable("the store went away")

    monkeypatch.setattr(type(reader.store), "search_artifacts", down)
    with pytest.raises(StoreUnavailable):
        search_context(reader, query="quay")


@pytest.mark.parametrize("deleted", [None, "include", "only"])
def test_one_search_asks_the_store_at_most_eight_times(
    repo, read, reader, store, project, monkeypatch, deleted
) -> None:
    for n in range(12):
        repo.item(f"STORY-{n:03d}", "quay " * (n % 4 + 1) + "tariff", title=f"Gate {n}", cited_sources=["CONV-001"])
    repo.item("CONV-001", "quay", title="Talk", folder="conversations")
    read()
    store.link(project.namespace, [link(project.namespace, "STORY-001", "STORY-002", "blocks", method="edges")])
    calls: list[str] = []
    for name in ("get", "neighbours", "around", "search_artifacts", "search_facts", "count_facts", "count_artifacts",
                 "statements", "readings", "ancestors", "list_artifacts", "counts", "link_counts"):  # fmt: skip
        real = getattr(store, name)

        def counted(*a: Any, _name: str = name, _real: Any = real, **k: Any) -> Any:
            calls.append(_name)
            return _real(*a, **k)

        monkeypatch.setattr(store, name, counted, raising=False)
    assert search_context(reader, query="quay blocks", deleted=deleted)["facts"] or deleted == "only"
    assert len(calls) <= 8, calls
