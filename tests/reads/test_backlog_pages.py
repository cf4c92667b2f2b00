"""Pages of the backlog: put end to end they are the list, and a cursor never starts again (004 section 5, paging)."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphapi.domain.refusals import BadArguments, CursorGone
from graphapi.reads.backlog import list_backlog
from graphapi.reads.budget import size
from tests.contract.rows import LATER, Tombstone, artifact

requirement = pytest.mark.requirement


@pytest.fixture
def items(store, namespace, project, home):
    """Twenty-five stories, every third of them done, ids in an order that text and numbers sort apart."""
    rows = [artifact(f"STORY-{n}", "Ein Titel", status="ready" if n % 3 else "done") for n in range(1, 26)]
    store.upsert_artifacts(namespace, [*rows, artifact("CONV-1", kind="doc")], now="2026-01-01T00:00:00Z")


def ids(answer):
    return [row["artifact_id"] for row in answer["items"]]


def pages(reader, **asked):
    out, cursor = [], None
    for _ in range(100):
        page = list_backlog(reader, cursor=cursor, **asked)
        out.append(page)
        cursor = page.get("next_cursor")
        if cursor is None:
            return out
    raise AssertionError("the pages do not end")


@requirement("paging.limit")
@requirement("paging.next-cursor")
@requirement("paging.serve-order")
@pytest.mark.parametrize("asked", [{}, {"status": "done"}, {"status": ["ready"], "pbi_type": "story"}])
def test_pages_end_to_end_are_the_unpaged_list(items, reader, asked) -> None:
    whole = list_backlog(reader, limit=200, **asked)
    assert "next_cursor" not in whole
    paged = pages(reader, limit=3, **asked)
    assert all(len(page["items"]) <= 3 for page in paged)
    assert [row for page in paged for row in page["items"]] == whole["items"]
    assert "next_cursor" not in paged[-1]
    assert all("cursor" not in page for page in paged)
    assert ids(whole) == sorted(ids(whole), key=lambda i: int(i.split("-")[1]))


@requirement("paging.next-cursor")
def test_a_page_that_ends_with_the_last_row_has_no_cursor(items, reader) -> None:
    assert "next_cursor" not in list_backlog(reader, limit=25)
    assert "next_cursor" in list_backlog(reader, limit=24)
    assert len(list_backlog(reader)["items"]) == 25, "fifty by default"


@requirement("paging.cursor-gone")
def test_a_cursor_whose_row_went_is_refused_and_does_not_start_again(repo, ingest, reader) -> None:
    for n in range(1, 5):
        repo.item(f"STORY-{n}")
    repo.commit()
    ingest()
    first = list_backlog(reader, limit=2)
    everything = list_backlog(reader, limit=2, deleted="include")
    (repo.root / "backlog/STORY-2.md").unlink()
    repo.commit()
    ingest()
    with pytest.raises(CursorGone, match="STORY-2") as refused:
        list_backlog(reader, limit=2, cursor=first["next_cursor"])
    assert refused.value.as_payload()["refusal"]["code"] == "cursor-gone"
    after = list_backlog(reader, limit=2, deleted="include", cursor=everything["next_cursor"])
    assert ids(after) == ["STORY-3", "STORY-4"], "where deleted work is listed, its row is still there"


@requirement("paging.cursor-gone")
@pytest.mark.parametrize("made_up", ["", "x", "STORY-2", "WyJhIiwiYiJd", "bm9uc2Vuc2U", "é"])
def test_a_made_up_cursor_is_refused(items, reader, made_up) -> None:
    with pytest.raises(CursorGone):
        list_backlog(reader, cursor=made_up)


@requirement("paging.serve-order")
def test_a_row_that_no_longer_passes_the_filter_is_still_a_place_to_go_on_from(items, reader, store, namespace) -> None:
    first = list_backlog(reader, status="done", limit=2)
    assert ids(first) == ["STORY-3", "STORY-6"]
    store.upsert_artifacts(namespace, [artifact("STORY-6", status="parked")], now=LATER)
    assert ids(list_backlog(reader, status="done", limit=2, cursor=first["next_cursor"])) == ["STORY-9", "STORY-12"]


@requirement("paging.next-cursor")
def test_a_cursor_is_good_for_the_filters_it_was_served_for_alone(items, reader) -> None:
    cursor = list_backlog(reader, status=["done", "ready"], limit=2)["next_cursor"]
    assert ids(list_backlog(reader, status=["ready", "done"], limit=5, cursor=cursor))[0] == "STORY-3"
    for other in ({}, {"status": "done"}, {"status": ["done", "ready"], "deleted": "include"}, {"pbi_type": "story"}):
        with pytest.raises(BadArguments, match="cursor"):
            list_backlog(reader, cursor=cursor, **other)


@requirement("paging.after-budget-cut")
@requirement("budget.every-read")
@requirement("budget.whole-rows")
@requirement("budget.never-silent")
@requirement("budget.cut-keys")
@requirement("budget.report-keys")
def test_a_page_cut_by_the_budget_goes_on_at_the_first_row_left_out(items, within_budget, store, namespace) -> None:
    titled = [artifact(f"STORY-{n}", f"{n} Ein langer Titel über Häfen " * (n % 5 + 1)) for n in range(1, 26)]
    store.upsert_artifacts(namespace, titled, now=LATER)
    store.tombstone(namespace, [Tombstone("STORY-7", LATER, "found")])
    whole = list_backlog(within_budget(10**6), limit=200)

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(1200, 9000), st.integers(1, 200))
    def holds(budget: int, limit: int) -> None:
        reader = within_budget(budget)
        paged = pages(reader, limit=limit)
        assert [row for page in paged for row in page["items"]] == whole["items"]
        for page in paged:
            assert size(page) <= budget
            if "truncated" in page:
                cut = page["truncated"]
                assert (cut["reason"], cut["listed"]) == ("read-budget", len(page["items"]))
                assert cut["listed"] < cut["whole"] <= limit
                assert "next_cursor" in page

    holds()


def test_a_page_costs_the_same_few_calls_whatever_its_length(items, reader, store) -> None:
    import dataclasses

    calls: list[str] = []

    class Counted:
        def __getattr__(self, name):
            calls.append(name)
            return getattr(store, name)

    counted = dataclasses.replace(reader, store=Counted())
    page = list_backlog(counted, limit=20, status="ready")
    assert calls == ["list_artifacts", "around"]
    assert "next_cursor" not in page
