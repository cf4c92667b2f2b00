"""A deletion on the clock that knows of it, and on no other (004 section 5, deleted)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphapi.domain.dates import as_text
from graphapi.models import LedgerEntry
from graphapi.reads.scope import get_scope


def deltas(reader: Any, **arguments: Any) -> dict[str, Any]:
    return get_scope(reader, question="deltas", **arguments)


def changes(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(row["artifact_id"], row["change"]) for row in answer["changes"]]


def a_minute_ago() -> str:
    return as_text(datetime.now(UTC) - timedelta(minutes=1)) or ""


@pytest.fixture
def planned(repo, project, ingest):
    """Two stories of February, read once; gives the second one's path."""
    repo.item("STORY-001", "one", type="story")
    repo.item("STORY-002", "two", type="story")
    repo.commit("plan", "2026-02-01")
    ingest()
    return repo.root / "backlog/STORY-002.md"


@pytest.mark.requirement("deleted.in-deltas-window", "deleted.clock-beside-date", "deleted.marks")
def test_a_window_that_holds_the_deleting_commit_holds_the_deletion(planned, repo, ingest, reader) -> None:
    planned.unlink()
    repo.commit("drop it", "2026-02-10T08:00:00Z")
    ingest()
    answer = deltas(reader, since="2026-02-10T08:00:00Z", until="2026-02-11")
    assert changes(answer) == [("STORY-002", "deleted")]
    row = answer["changes"][0]
    assert row["deleted"] is True
    assert (row["at"], row["clock"]) == (row["deleted_at"], "source") == ("2026-02-10T08:00:00Z", "source")
    assert row["deleted_clock"] == "source-declared"
    assert changes(deltas(reader, since="2026-02-11")) == []
    assert changes(deltas(reader, clock="ingest", since=a_minute_ago()))[-1] == ("STORY-002", "deleted")


@pytest.mark.requirement("deleted.found-not-on-source-clock")
def test_a_deletion_that_was_found_is_on_the_ingest_clock_alone(planned, ingest, reader) -> None:
    planned.unlink()
    ingest()
    assert LedgerEntry.objects.get(artifact_id="STORY-002").deleted_clock == "found"
    answer = deltas(reader)
    assert changes(answer) == [("STORY-001", "created")]
    assert [(r["artifact_id"], r["change"]) for r in answer["undated"]["listed"]] == [("STORY-002", "deleted")]
    learned = deltas(reader, clock="ingest", since=a_minute_ago(), deleted="only")
    assert changes(learned) == [("STORY-002", "deleted")]
    row = learned["changes"][0]
    assert (row["clock"], row["deleted_clock"]) == ("ingest", "found")


@pytest.mark.requirement("deleted.no-clock-is-found")
def test_a_deletion_date_without_a_clock_counts_as_found(planned, repo, ingest, reader) -> None:
    planned.unlink()
    repo.commit("drop it", "2026-02-10")
    ingest()
    LedgerEntry.objects.filter(artifact_id="STORY-002").update(deleted_clock="")
    assert changes(deltas(reader, deleted="only")) == []
    row = deltas(reader, clock="ingest", deleted="only")["changes"][0]
    assert (row["deleted_at"], row["deleted_clock"]) == ("2026-02-10T00:00:00Z", "found")


@pytest.mark.requirement("deleted.unknown-date")
@pytest.mark.parametrize("clock", ["source", "ingest"])
def test_a_deletion_nobody_dated_is_in_no_window(planned, repo, ingest, reader, clock) -> None:
    planned.unlink()
    repo.commit("drop it", "2026-02-10")
    ingest()
    LedgerEntry.objects.filter(artifact_id="STORY-002").update(deleted_at=None, deleted_clock="")
    yesterday = as_text(datetime.now(UTC) - timedelta(days=1))
    answer = deltas(reader, clock=clock, deleted="include", since=yesterday)
    rows = [row for row in answer["changes"] if row["artifact_id"] == "STORY-002"]
    # When it was learned of is known and served as that; when it went is not, and is not served.
    assert [row["change"] for row in rows] == ([] if clock == "source" else ["created", "deleted"])
    assert all("deleted_at" not in row and row["deleted"] is True for row in rows)


@pytest.mark.requirement("deleted.include", "deleted.only")
def test_what_else_happened_to_deleted_work_is_served_where_asked_for(planned, repo, ingest, reader) -> None:
    repo.item("STORY-002", "three", type="story")
    repo.commit("sharpen", "2026-02-05")
    ingest()
    planned.unlink()
    repo.commit("drop it", "2026-02-10")
    ingest()
    gone = [("STORY-002", change) for change in ("created", "revised", "deleted")]
    assert changes(deltas(reader)) == [("STORY-001", "created"), gone[-1]]
    included = deltas(reader, deleted="include")
    assert changes(included) == [("STORY-001", "created"), *gone]
    assert [row.get("deleted", False) for row in included["changes"]] == [False, True, True, True]
    assert changes(deltas(reader, deleted="only")) == gone[-1:]
    assert deltas(reader, deleted="only")["counts"] == {"created": 0, "revised": 0, "deleted": 1}


def test_a_file_that_came_back_is_no_deletion(planned, repo, ingest, reader) -> None:
    planned.unlink()
    repo.commit("drop it", "2026-02-10")
    ingest()
    repo.item("STORY-002", "back", type="story")
    repo.commit("back", "2026-02-12")
    ingest()
    assert changes(deltas(reader, since="2026-02-09")) == [("STORY-002", "revised")]
