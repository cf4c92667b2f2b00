"""An artifact's own history and change notes, and where its floor stands beside them (004 sections 2b and 5)."""

from __future__ import annotations

import dataclasses
import json
from datetime import date

import pytest

from graphapi.domain.refusals import BadArguments, CursorGone
from graphapi.models import HistoryEntry, Revision
from graphapi.reads.artifact import get_artifact
from graphapi.reads.history_entries import HISTORY_PAGE

requirement = pytest.mark.requirement


def with_log(repo, steps: int, body: str = "", detail: str = "") -> None:
    log = "".join(
        f"- {{at: 2026-01-{1 + n // 24:02}T{n % 24:02}:00:00Z, action: step-{n}, by: {{sub: ada}}{detail}}}\n"
        for n in range(steps)
    )
    repo.write("backlog/STORY-1.md", f"---\nid: STORY-1\ntitle: One\nreview_log:\n{log}---\n\n{body}\n")
    repo.commit()


def page(reader, after=""):
    return get_artifact(reader, artifact_id="STORY-1", history_after=after)


def to_the_end(reader, *, at_most: int = 400) -> list[str]:
    """The actions of every page, by following the cursors."""
    actions, after = [], ""
    for _ in range(at_most):
        served = page(reader, after)
        actions += [entry["action"] for entry in served.get("history_entries", [])]
        if "history_next" not in served:
            return actions
        after = served["history_next"]
    raise AssertionError("the cursors do not end")


@requirement("artifact.full-history")
@requirement("artifact.full-history-empty-string")
def test_the_empty_cursor_means_from_the_first_entry(repo, ingest, reader) -> None:
    with_log(repo, 3, detail=", to: ready")
    ingest()
    served = page(reader)
    first = {"at": "2026-01-01T00:00:00Z", "action": "step-0", "by": {"sub": "ada"}, "to": "ready"}
    assert served["history_entries"][0] == first
    assert [entry["action"] for entry in served["history_entries"]] == ["step-0", "step-1", "step-2"]
    assert served["history_total"] == 3
    assert "history_next" not in served
    assert get_artifact(reader, artifact_id="STORY-1")["full_record"]["history_entries"] == 3


@requirement("artifact.full-history")
def test_an_artifact_without_entries_has_a_total_of_none_and_no_cursor(repo, ingest, reader) -> None:
    repo.item("STORY-1")
    repo.commit()
    ingest()
    served = page(reader)
    assert (served["history_entries"], served["history_total"]) == ([], 0)
    assert "history_next" not in served


@requirement("paging.history")
def test_following_the_cursors_gives_every_entry_once_in_order(repo, ingest, reader) -> None:
    with_log(repo, 2 * HISTORY_PAGE + 20)
    ingest()
    first = page(reader)
    second = page(reader, first["history_next"])
    assert [len(first["history_entries"]), len(second["history_entries"])] == [HISTORY_PAGE, HISTORY_PAGE]
    assert {first["history_total"], second["history_total"]} == {120}
    assert to_the_end(reader) == [f"step-{n}" for n in range(120)]


def test_a_page_that_ends_with_the_last_entry_serves_no_cursor(repo, ingest, reader) -> None:
    with_log(repo, HISTORY_PAGE)
    ingest()
    assert "history_next" not in page(reader)


@requirement("paging.history")
@pytest.mark.parametrize("made_up", ["x", "bm90IGpzb24", "WzFd", "!", "é", " "])
def test_a_cursor_that_no_page_served_is_refused(repo, ingest, reader, made_up) -> None:
    with_log(repo, 2)
    ingest()
    with pytest.raises(CursorGone) as refused:
        page(reader, made_up)
    assert "history_after=''" in refused.value.fix


@requirement("paging.history")
def test_a_cursor_whose_entry_is_gone_or_was_rewritten_or_is_anothers_is_refused(repo, ingest, reader, project) -> None:
    with_log(repo, HISTORY_PAGE + 5)
    repo.item("STORY-2")
    repo.commit()
    ingest()
    cursor = page(reader)["history_next"]
    with pytest.raises(CursorGone):
        get_artifact(reader, artifact_id="STORY-2", history_after=cursor)
    HistoryEntry.objects.filter(project=project, position=HISTORY_PAGE).update(action="told otherwise")
    with pytest.raises(CursorGone):
        page(reader, cursor)
    with_log(repo, 3)
    ingest()
    with pytest.raises(CursorGone):
        page(reader, cursor)


@requirement("branch.no-history")
@pytest.mark.parametrize("depth", [0, 1, "declared"])
def test_a_branch_has_no_history_and_the_refusal_names_the_call_that_has(repo, ingest, reader, depth) -> None:
    repo.item("STORY-1")
    repo.commit()
    ingest()
    with pytest.raises(BadArguments) as refused:
        get_artifact(reader, artifact_id="STORY-1", depth=depth, history_after="")
    assert refused.value.fix == "get_artifact('STORY-1', history_after='')"


@requirement("budget.artifact-history")
def test_a_page_that_the_budget_cut_resumes_at_the_first_entry_left_out(repo, ingest, within_budget) -> None:
    with_log(repo, 70, detail=", reason: " + "because " * 12)
    ingest()
    small = within_budget(4096)
    cut = page(small)
    assert 0 < len(cut["history_entries"]) < HISTORY_PAGE
    report = cut["history_entries_truncated"]
    assert (report["reason"], report["whole"], report["listed"]) == (
        "read-budget", HISTORY_PAGE, len(cut["history_entries"]),
    )  # fmt: skip
    assert to_the_end(small) == [f"step-{n}" for n in range(70)]


@requirement("budget.artifact-history")
def test_a_history_behind_a_body_larger_than_the_budget_is_still_read_to_its_end(repo, ingest, within_budget) -> None:
    with_log(repo, 12, body="long words " * 3000)
    ingest()
    first = page(within_budget(6000))
    assert first["history_entries"] == []
    assert first["history_next"]
    assert "body_truncated" in first
    assert to_the_end(within_budget(6000)) == [f"step-{n}" for n in range(12)]


def test_an_entry_too_large_for_a_page_is_served_without_its_details_which_are_named(repo, ingest, reader, project):
    with_log(repo, 2)
    ingest()
    HistoryEntry.objects.filter(project=project, position=1).update(detail={"diff": [["x" * 500] * 20]})
    large, small = page(reader)["history_entries"]
    assert (large["action"], large["row_truncated"]["keys"]) == ("step-0", ["by", "diff"])
    assert "row_truncated" not in small


@requirement("artifact.full-change-notes")
def test_change_notes_are_the_sources_own_words_newest_first(repo, ingest, reader) -> None:
    for number, subject in enumerate(["Write it", "Ask for more\n\nA long story.", "Ask for less"]):
        repo.item("STORY-1", f"Version {number}")
        repo.commit(subject, f"2026-02-0{number + 1}")
    repo.item("STORY-1", "Not yet committed")
    ingest()
    notes = page(reader)["source_change_notes"]
    assert notes[0] == {"at": None, "uncommitted": True}
    assert [(n["at"], n["subject"], n["by"]) for n in notes[1:]] == [
        ("2026-02-03T00:00:00Z", "Ask for less", "Ada"), ("2026-02-02T00:00:00Z", "Ask for more", "Ada"),
    ]  # fmt: skip
    assert notes[1]["commit"] == repo.git("rev-parse", "HEAD").strip()
    assert get_artifact(reader, artifact_id="STORY-1")["full_record"]["change_notes"] == 3


def test_change_notes_past_those_that_are_read_are_counted(repo, ingest, reader, project, monkeypatch) -> None:
    repo.item("STORY-1")
    repo.commit()
    row = ingest()
    monkeypatch.setattr("graphapi.reads.history_entries.NOTES_READ", 3)
    Revision.objects.bulk_create(
        Revision(
            project=project, artifact_id="STORY-1", at=row.started_at.replace(minute=n), learned_at=row.started_at,
            commit=f"{n:040}", subject=f"change {n}",
        )
        for n in range(5)
    )  # fmt: skip
    served = page(reader)
    assert [note["subject"] for note in served["source_change_notes"]] == ["change 4", "change 3", "change 2"]
    cut = served["source_change_notes_truncated"]
    assert (cut["reason"], cut["whole"], cut["listed"]) == ("cap", 5, 3)


@requirement("history.artifact-history-apart")
@requirement("history.both-kept")
def test_a_floor_and_an_artifacts_own_history_stand_beside_each_other(repo, ingest, reader, within_budget, project):
    with_log(repo, 30)
    ingest()
    project.sources.filter(source="backlog").update(floor=date(2025, 3, 1))
    served = page(reader)
    assert served["history"] == {"floors": {"backlog": "2025-03-01"}}
    assert len(served["history_entries"]) == served["history_total"] == 30
    assert "step-0" not in json.dumps(served["history"])
    cut = page(within_budget(2500))
    assert "history_entries_truncated" in cut
    assert cut["history"] == served["history"]
    assert get_artifact(reader, artifact_id="STORY-1")["history"] == served["history"]


def test_history_entries_follow_a_change_of_reader(repo, ingest, reader) -> None:
    """A cursor is good for whoever holds it: nothing of the reader is in it."""
    with_log(repo, HISTORY_PAGE + 1)
    ingest()
    cursor = page(reader)["history_next"]
    other = dataclasses.replace(reader, budget=10**6)
    assert [entry["action"] for entry in page(other, cursor)["history_entries"]] == [f"step-{HISTORY_PAGE}"]
