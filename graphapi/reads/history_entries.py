"""An artifact's own history, a page at a time, and the change notes its source states (004 sections 2b and 5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db.models import F

from graphapi.domain.dates import as_text
from graphapi.domain.refusals import CursorGone
from graphapi.models import HistoryEntry, Project, Revision
from graphapi.reads.budget import CAP, Rows, cut, size, tell
from graphapi.reads.cursors import cursor_of, mark_of, parts_of
from graphapi.reads.marks import ROW_ROOM, bounded

# A page a reader can take in, and at the usual size of an entry about a quarter of the default budget.
HISTORY_PAGE = 50
# Change notes of one artifact that are read for an answer, the newest; a file changed more often is rare.
NOTES_READ = 500
# An entry larger than this is served without its details: it may not push every other one out.
ENTRY_ROOM = 4000
_ANEW = "ask with history_after='' to begin at the first entry"


@dataclass(slots=True)
class HistoryPage(Rows):
    """A page of entries that gives way from its end. ``history_next`` always resumes at the first one left out.

    ``cursors`` has one more than there are entries: the place before the first, then each entry's own.
    """

    cursors: list[str] = field(default_factory=list)

    def give(self, excess: int) -> bool:
        # ``Rows`` is a dataclass with slots: a bare super() would look for the class that slots replaced.
        given = Rows.give(self, excess)
        if given:
            self.holder["history_next"] = self.cursors[len(self.rows)]
        return given


def history_page(answer: dict[str, Any], project: Project, artifact_id: str, after: str | None) -> HistoryPage:
    """Put a page of ``history_entries`` on ``answer``, with ``history_total`` and where it goes on.

    ``after`` is a cursor; None and ``''`` begin at the first entry. Raises :class:`CursorGone`.
    """
    steps = project.history.filter(artifact_id=artifact_id)
    start = _position(project, artifact_id, after) if after else 0
    page = list(steps.filter(position__gt=start).order_by("position")[: HISTORY_PAGE + 1])
    more, page = len(page) > HISTORY_PAGE, page[:HISTORY_PAGE]
    rows = [_entry(step) for step in page]
    cursors = [after or cursor_of(artifact_id, 0, ""), *(_cursor(step) for step in page)]
    answer["history_entries"] = rows
    answer["history_total"] = steps.count()
    if more:
        answer["history_next"] = cursors[-1]
    # Whoever follows a cursor gets on by an entry at least, however large the artifact's own words are.
    keep = 1 if after and rows else 0
    note = "history_next resumes at the first left out"
    return HistoryPage(rows, answer, "history_entries_truncated", note=note, keep=keep, cursors=cursors)


def _cursor(step: HistoryEntry) -> str:
    return cursor_of(step.artifact_id, step.position, _mark(step))


def _mark(step: HistoryEntry) -> str:
    return mark_of(as_text(step.at), step.action, step.by, step.detail)


def _position(project: Project, artifact_id: str, cursor: str) -> int:
    of, position, mark = parts_of(cursor, (str, int, str), fix=_ANEW)
    if of != artifact_id:
        raise CursorGone("this cursor belongs to another artifact's history", fix=_ANEW)
    if position == 0:
        return 0
    step = project.history.filter(artifact_id=artifact_id, position=position).first()
    if step is None or _mark(step) != mark:
        raise CursorGone("the entry this cursor stands on is no longer in the history", fix=_ANEW)
    return int(position)


def _entry(step: HistoryEntry) -> dict[str, Any]:
    row = bounded({"at": as_text(step.at), "action": step.action, "by": step.by, **step.detail})
    if size(row) <= ENTRY_ROOM:
        return row
    kept: dict[str, Any] = {"at": as_text(step.at), "action": step.action}
    left_out = sorted(row.keys() - kept.keys() - {"row_truncated"})
    kept["row_truncated"] = cut(ROW_ROOM, 3 + len(step.detail), 2, "the source holds the whole entry", keys=left_out)
    return kept


def change_notes(answer: dict[str, Any], project: Project, artifact_id: str) -> Rows:
    """Put ``source_change_notes`` on ``answer``, newest first: each change to its file, in its source's own words."""
    changes = project.revisions.filter(artifact_id=artifact_id)
    newest = changes.order_by(F("at").desc(nulls_first=True), "-id")[: NOTES_READ + 1]
    notes = [_note(change) for change in newest]
    rows = notes[:NOTES_READ]
    answer["source_change_notes"] = rows
    report, note = "source_change_notes_truncated", "the newest are listed; the source has them all"
    if len(notes) > len(rows):
        tell(answer, report, CAP, changes.count() - len(rows), len(rows), note)
    return Rows(rows, answer, report, note=note)


def _note(change: Revision) -> dict[str, Any]:
    if not change.commit:
        return {"at": None, "uncommitted": True}
    row: dict[str, Any] = {"at": as_text(change.at), "commit": change.commit}
    if change.subject:
        row["subject"] = change.subject
    if change.by:
        row["by"] = change.by
    return row
