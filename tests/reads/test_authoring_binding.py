"""What binds the backlog of a drafting bundle, slim, and what the intent's own words add (004 section 2b)."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from graphapi.reads import authoring_binding
from graphapi.reads.authoring import get_authoring_context
from graphapi.reads.scope import get_scope
from graphapi.store.port import StoreUnavailable
from tests.reads.binding_answers import decision, states
from tests.reads.deliveries import ids
from tests.reads.model import Inferred
from tests.repo import ALL

POINTER = {"artifact_id", "title", "bears_on", "stated_at"}


def bundle(reader: Any, intent: str = "mooring fee", **arguments: Any) -> dict[str, Any]:
    return get_authoring_context(reader, intent=intent, **arguments)


def cited(repo: Any, count: int, **keys: Any) -> list[str]:
    """A story that cites so many decisions, the newest first in natural order."""
    notes = [f"DEC-{n:03}" for n in range(count)]
    for n, note in enumerate(notes):
        decision(repo, note, f"## Decision\nRule {n}.", captured_at=f"2025-{12 - n // 25:02}-{28 - n % 25:02}")
    repo.item("STORY-001", "mooring fee", type="story", cited_sources=notes, **keys)
    repo.commit("plan", "2026-02-01")
    return notes


@pytest.mark.requirement("authoring.binding-scope")
def test_what_binds_the_epic_of_the_nearest_story_is_served(repo, project, ingest, reader) -> None:
    repo.item("EPIC-001", "Harbour.", type="epic", cited_sources=["DEC-001"])
    repo.item("STORY-001", "mooring fee", type="story", parent="EPIC-001")
    repo.item("STORY-002", "something else", type="story", cited_sources=["DEC-002"])
    decision(repo, "DEC-001", "## Decision\nCards alone.")
    decision(repo, "DEC-002", "## Decision\nNo cash.")
    repo.commit("plan", "2026-02-01")
    ingest()
    answer = bundle(reader, limit=1)
    assert ids(answer["backlog"]) == ["STORY-001"]
    assert ids(answer["binding"]["statements"]) == ["DEC-001"]
    row = answer["binding"]["statements"][0]
    assert (row["bears_on"], row["passage"]) == ("EPIC-001", "Cards alone.")
    assert answer["binding"]["deterministic_statements"] == 1


@pytest.mark.requirement("authoring.binding-slim")
def test_a_statement_in_the_bundle_has_no_paths(repo, project, ingest, reader) -> None:
    cited(repo, 1)
    ingest()
    whole = get_scope(reader, question="binding", artifact_id="STORY-001")["statements"][0]
    assert whole["source_path"] == "decisions/DEC-000.md"
    slim = bundle(reader)["binding"]["statements"][0]
    assert slim == {key: value for key, value in whole.items() if key not in ("source_path", "source_uri")}
    assert not [key for key in slim if key.startswith("deleted")]


@pytest.mark.requirement("authoring.binding-pointers", "authoring.binding-pointers-block")
def test_from_the_sixteenth_on_a_statement_is_a_pointer(repo, project, ingest, reader) -> None:
    notes = cited(repo, 20)
    ingest()
    binding = bundle(reader)["binding"]
    assert ids(binding["statements"]) == notes
    assert all(set(row) == POINTER for row in binding["statements"][15:])
    assert all("passage" in row and "method" in row for row in binding["statements"][:15])
    assert binding["pointers"]["from"] == 15
    assert all(name in binding["pointers"]["note"] for name in ("get_scope(question='binding')", "get_artifact"))


@pytest.mark.requirement("authoring.binding-pointers-block")
def test_fifteen_statements_need_no_pointer(repo, project, ingest, reader) -> None:
    cited(repo, 15)
    ingest()
    binding = bundle(reader)["binding"]
    assert len(binding["statements"]) == 15
    assert "pointers" not in binding
    assert "truncated" not in binding


@pytest.mark.requirement("authoring.binding-forty-five", "budget.cut-keys", "budget.never-silent")
def test_the_bundle_carries_forty_five_statements_and_counts_the_rest(repo, project, ingest, reader) -> None:
    notes = cited(repo, 50)
    ingest()
    binding = bundle(dataclasses.replace(reader, budget=200_000))["binding"]
    assert ids(binding["statements"]) == notes[:45]
    told = binding["truncated"]
    assert (told["reason"], told["whole"], told["listed"]) == ("cap", 50, 45)
    assert "truncated_ids" not in binding


@pytest.mark.requirement("authoring.binding-topic", "authoring.binding-topic-after")
def test_notes_that_share_the_intents_words_come_behind_the_walks(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "mooring fee", type="story", cited_sources=["DEC-002"])
    decision(repo, "DEC-001", "## Decision\nThe mooring fee is paid by card.", captured_at="2026-01-09")
    decision(repo, "DEC-002", "## Decision\nThe mooring fee is rounded.", captured_at="2026-01-01")
    repo.item("CONV-001", "The mooring fee was talked over.", folder="conversations")
    repo.item("ASSUME-001", "The mooring fee never falls.", folder="docs", type="assumption")
    repo.commit("plan", "2026-02-01")
    ingest()
    statements = bundle(reader)["binding"]["statements"]
    assert ids(statements)[0] == "DEC-002"
    assert sorted(ids(statements)[1:]) == ["ASSUME-001", "DEC-001"]
    assert [row["method"] for row in statements] == ["cites", "topic-match", "topic-match"]


@pytest.mark.requirement("authoring.binding-topic-after")
def test_a_note_of_the_words_alone_is_stated_and_goes_before_what_a_model_read(
    repo, project, ingest, reader, store
) -> None:
    repo.item("STORY-001", "mooring fee", type="story", cited_sources=["CONV-001"])
    repo.item("CONV-001", "Cash is never taken.", folder="conversations")
    decision(repo, "DEC-001", "## Decision\nThe mooring fee is paid by card.")
    repo.commit("plan", "2026-02-01")
    ingest()
    states(store, project, "CONV-001", "Cash is never taken.")
    full = bundle(type(reader)(store, inferences=Inferred()))["binding"]
    assert ids(full["statements"]) == ["DEC-001", "CONV-001"]
    assert full["deterministic_statements"] == 1
    assert full["statements"][1]["inferred"] is True
    lite = bundle(reader)["binding"]
    assert ids(lite["statements"]) == ["DEC-001"]
    assert lite["inferred_statements"] == {"absent": True, "reason": "lite"}


@pytest.mark.requirement("authoring.binding-topic-error")
def test_a_failing_topic_gather_leaves_the_walks_statements(repo, project, ingest, reader, monkeypatch) -> None:
    notes = cited(repo, 2)
    decision(repo, "DEC-900", "## Decision\nThe mooring fee is paid by card.")
    repo.commit("decide")
    ingest()

    def down(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("the index of notes is being rebuilt")

    monkeypatch.setattr(authoring_binding, "topic_notes", down)
    binding = bundle(reader)["binding"]
    assert ids(binding["statements"]) == notes
    assert binding["topic_error"] == "the index of notes is being rebuilt"
    monkeypatch.undo()
    assert "topic_error" not in bundle(reader)["binding"]


@pytest.mark.requirement("authoring.binding-nothing-gathered")
def test_without_a_backlog_binding_gathered_nothing(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "berth map", type="story")
    decision(repo, "DEC-001", "## Decision\nThe mooring fee is paid by card.")
    repo.commit("plan", "2026-02-01")
    ingest()
    answer = bundle(reader)
    assert answer["backlog"] == answer["binding"]["statements"] == []
    assert "gathered nothing" in answer["binding"]["note"]
    assert "nothing binds" not in answer["binding"]["note"]
    assert ids(answer["related"]["artifacts"])[0] == "DEC-001"


@pytest.mark.requirement("authoring.scope-revised", "authoring.scope-revised-absent")
def test_the_bundle_says_each_revision_once(repo, project, ingest, reader) -> None:
    repo.item("FEAT-000", "Harbour.", type="feature")
    repo.item("STORY-001", "mooring fee", type="story", parent="FEAT-000")
    decision(repo, "DEC-001", "Changes it.", revises="[STORY-001]")
    decision(repo, "DEC-002", "Changes that.", revises="[FEAT-000]")
    repo.commit("plan", "2026-02-01")
    ingest()
    answer = bundle(reader, limit=1)
    assert ids(answer["backlog"]) == ["STORY-001"]
    assert answer["backlog"][0]["revised_by"] == [{"id": "DEC-001"}]
    assert answer["binding"]["scope"]["revised"] == [{"artifact_id": "FEAT-000", "revised_by": [{"id": "DEC-002"}]}]
    (repo.root / "decisions/DEC-002.md").unlink()
    repo.commit("withdraw")
    ingest()
    assert "revised" not in bundle(reader, limit=1)["binding"]["scope"]


@pytest.mark.requirement("authoring.row-marks", "deleted.out-of-authoring")
def test_a_superseded_statement_is_marked_even_as_a_pointer_and_a_deleted_one_is_gone(
    repo, project, ingest, reader
) -> None:
    cited(repo, 20)
    decision(repo, "DEC-900", "## Decision\nLater.", supersedes=["DEC-000"])
    repo.commit("decide")
    ingest()
    (repo.root / "decisions/DEC-001.md").unlink()
    repo.commit("drop")
    ingest()
    rows = {row["artifact_id"]: row for row in bundle(reader)["binding"]["statements"]}
    assert rows["DEC-000"] == {
        "artifact_id": "DEC-000", "title": "Title of DEC-000", "bears_on": "STORY-001",
        "stated_at": "2025-12-28T00:00:00Z", "superseded_by": "DEC-900",
    }  # fmt: skip
    assert "DEC-001" not in rows


def test_a_withheld_note_says_so_in_the_bundle_even_as_a_pointer(repo, project, ingest, reader) -> None:
    repo.write("revetly.toml", ALL + '[extraction]\nwithhold = ["decisions/**"]\n')
    cited(repo, 20)
    ingest()
    rows = bundle(reader)["binding"]["statements"]
    assert [(row["title"], row["withheld"]) for row in rows] == [("", True)] * 20
    assert "passage" not in rows[-1]
