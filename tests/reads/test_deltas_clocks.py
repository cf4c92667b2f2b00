"""Where a change stands on each clock, and what stands on neither (004 section 2b, deltas)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphapi.domain.dates import as_text
from graphapi.models import LedgerEntry
from graphapi.reads.scope import get_scope
from tests.reads.deliveries import ids
from tests.reads.model import Inferred


def deltas(reader: Any, **arguments: Any) -> dict[str, Any]:
    return get_scope(reader, question="deltas", **arguments)


def changes(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(row["artifact_id"], row["change"]) for row in answer["changes"]]


def a_minute_ago() -> str:
    return as_text(datetime.now(UTC) - timedelta(minutes=1)) or ""


def maps(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from maps(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from maps(inner)


@pytest.mark.requirement("deltas.clock-source", "deltas.clock-ingest", "catalogue.get-scope-questions")
def test_an_old_note_read_today_is_old_on_one_clock_and_new_on_the_other(repo, project, ingest, reader) -> None:
    repo.item("CONV-001", folder="conversations", captured_at="2019-05-01")
    repo.commit("import", "2026-03-01")
    ingest()
    assert changes(deltas(reader, since="2026-01-01")) == []
    assert changes(deltas(reader, since="2019-05-01", until="2019-05-02")) == [("CONV-001", "created")]
    learned = deltas(reader, clock="ingest", since=a_minute_ago())
    assert changes(learned) == [("CONV-001", "created")]
    assert learned["clock"] == "ingest"
    assert changes(deltas(reader, clock="ingest", since="2019-05-01", until="2019-05-02")) == []


@pytest.mark.requirement("deltas.undated")
def test_what_its_source_does_not_date_is_in_no_window(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "dated", type="story")
    repo.commit("plan", "2026-02-01")
    repo.item("STORY-002", "nobody committed this", type="story")
    repo.item("STORY-001", "nor this edit", type="story")
    ingest()
    answer = deltas(reader)
    assert changes(answer) == [("STORY-001", "created")]
    assert answer["undated"]["count"] == 2
    assert [(r["artifact_id"], r["change"]) for r in answer["undated"]["listed"]] == [
        ("STORY-001", "revised"), ("STORY-002", "created"),
    ]  # fmt: skip
    assert deltas(reader, since="2027-01-01")["undated"]["count"] == 2
    assert ("STORY-002", "created") in changes(deltas(reader, clock="ingest"))
    assert deltas(reader, clock="ingest")["undated"] == {"count": 0, "listed": []}


@pytest.mark.requirement("deltas.edit-date", "deltas.edits")
def test_two_commits_to_a_story_are_two_revisions(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "FIRSTBODY", type="story")
    repo.commit("plan", "2026-02-01")
    repo.item("STORY-001", "SECONDBODY", type="story")
    second = repo.commit("sharpen", "2026-02-10T08:00:00Z")
    repo.item("STORY-001", "THIRDBODY", type="story")
    third = repo.commit("again", "2026-02-20")
    ingest()
    answer = deltas(reader, since="2026-02-02", until="2026-03-01")
    assert answer["changes"] == [
        {
            "artifact_id": "STORY-001", "title": "Title of STORY-001", "kind": "pbi", "artifact_type": "story",
            "change": "revised", "at": at, "clock": "source", "edit_date": at, "edit_clock": "source",
            "commit": commit[:12],
        }
        for at, commit in (("2026-02-10T08:00:00Z", second), ("2026-02-20T00:00:00Z", third))
    ]  # fmt: skip
    assert answer["edits"] == {"bodies_read": False}
    assert "BODY" not in str(answer)
    assert answer["counts"] == {"created": 0, "revised": 2, "deleted": 0}


@pytest.mark.requirement("deltas.clock-ingest")
def test_a_change_log_read_with_its_file_is_no_news_of_a_revision(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "one", type="story")
    repo.commit("plan", "2026-02-01")
    repo.item("STORY-001", "two", type="story")
    repo.commit("sharpen", "2026-02-10")
    ingest()
    assert changes(deltas(reader, clock="ingest")) == [("STORY-001", "created")]
    repo.item("STORY-001", "three", type="story")
    repo.commit("again", "2026-02-20")
    ingest()
    learned = deltas(reader, clock="ingest", since=a_minute_ago())
    assert changes(learned) == [("STORY-001", "created"), ("STORY-001", "revised")]
    row = learned["changes"][-1]
    assert (row["clock"], row["edit_date"], row["edit_clock"]) == ("ingest", "2026-02-20T00:00:00Z", "source")
    assert row["at"] > "2026-03-01"


@pytest.mark.requirement("deltas.times-name-clock")
@pytest.mark.parametrize("clock", ["source", "ingest"])
def test_every_time_served_names_its_clock(repo, project, ingest, reader, clock) -> None:
    repo.item("STORY-001", "one", type="story")
    repo.item("STORY-002", "one", type="story")
    repo.commit("plan", "2026-02-01")
    ingest()
    repo.item("STORY-001", "two", type="story")
    (repo.root / "backlog/STORY-002.md").unlink()
    repo.commit("change", "2026-02-10")
    ingest()
    answer = deltas(reader, clock=clock, deleted="include")
    assert {row["change"] for row in answer["changes"]} == {"created", "revised", "deleted"}
    partner = {"at": "clock", "edit_date": "edit_clock", "deleted_at": "deleted_clock"}
    times = [(row, key) for row in maps(answer["changes"]) for key in partner if key in row]
    assert {key for _, key in times} == set(partner)
    assert all(partner[key] in row for row, key in times)
    assert answer["clock"] == clock
    # Nothing else on a row is a time.
    assert not [v for row in answer["changes"] for k, v in row.items() if k not in partner and str(v).endswith("Z")]


@pytest.mark.requirement("deltas.links")
def test_a_story_that_only_gained_a_citation_has_not_changed(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "one", type="story")
    repo.commit("plan", "2026-02-01")
    ingest()
    repo.item("DEC-001", "See STORY-001.", folder="decisions", captured_at="2026-02-09", cited_sources=["STORY-001"])
    repo.commit("decide", "2026-02-10")
    ingest()
    answer = deltas(reader, since="2026-02-02")
    assert changes(answer) == [("DEC-001", "created")]
    assert answer["links"] == {"counted": False}
    assert changes(deltas(reader, clock="ingest")) == [("STORY-001", "created"), ("DEC-001", "created")]


@pytest.mark.requirement("deltas.external-references")
def test_ids_that_were_never_ingested_are_counted_and_dated_by_nobody(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "one", type="story", cited_sources=["TICKET-9", "CONV-404", "STORY-002"])
    repo.item("STORY-002", "Related: TICKET-9.", type="story", cited_sources=["TICKET-9"])
    repo.item("CONV-001", folder="conversations", related=["DEC-001", "GONE-1"])
    repo.item("DEC-001", folder="decisions")
    repo.commit("plan", "2026-02-01")
    ingest()
    answer = deltas(reader)
    # DEC-001 is on record: that `related` made no link does not make it unknown.
    assert answer["external_references"] == {"count": 3}
    assert answer["undated"] == {"count": 0, "listed": []}
    assert deltas(reader, artifact_id="STORY-002")["external_references"] == {"count": 1}


@pytest.mark.requirement("deltas.provenance", "lite.stated-half")
def test_nothing_inferred_has_a_part_in_deltas(repo, project, ingest, reader, store) -> None:
    repo.item("STORY-001", "one", type="story")
    repo.commit("plan", "2026-02-01")
    ingest()
    double = Inferred(found=["STORY-001"], paragraphs={"STORY-001": "A summary."})
    full = deltas(type(reader)(store, inferences=double))
    assert full == deltas(reader)
    assert full["provenance"] == {"inferred": False}
    assert double.calls == []


def test_a_withheld_file_changes_without_its_words(repo, project, ingest, reader) -> None:
    repo.write("revetly.toml", (repo.root / "revetly.toml").read_text() + '[extraction]\nwithhold = ["docs/**"]\n')
    repo.item("DOC-001", "secret words", folder="docs", title="secret title")
    repo.commit("write", "2026-02-01")
    ingest()
    row = deltas(reader, since="2026-01-02")["changes"][0]
    assert (row["artifact_id"], row["title"], row["withheld"]) == ("DOC-001", "", True)


def test_equal_times_go_by_natural_id(repo, project, ingest, reader) -> None:
    for n in (10, 9, 2):
        repo.item(f"STORY-{n}", type="story")
    repo.commit("plan", "2026-02-01")
    ingest()
    assert ids(deltas(reader)["changes"]) == ["STORY-2", "STORY-9", "STORY-10"]
    assert LedgerEntry.objects.count() == 3
