"""How the drafting bundle gives way to its budget (004 section 2b, get_authoring_context).

``related`` goes first, as a search gives way; then the tail of the backlog, then the statements from their weakest, so
that what binds outlives what is merely near. One item and one statement stay while anything else is left to take. The
names of statements that were cut are the very last to go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from graphapi.reads.authoring_binding import STATEMENTS_WHOLE
from graphapi.reads.budget import READ_BUDGET, Fields, Rows, Shelf, size, tell

_NARROW = "a narrower intent or a smaller limit serves the rest"
_SCOPE = "get_scope(question='binding') on an item serves its own"
_MEMBER = "get_artifact on a member serves its revised_by"


def say_revisions_once(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Take what backlog rows mark themselves off ``binding.scope.revised``; the members taken, as they stood there."""
    scope = answer["binding"]["scope"]
    revised: list[dict[str, Any]] = scope.pop("revised", [])
    marked = {_id(row) for row in answer["backlog"] if "revised_by" in row}
    kept = [member for member in revised if _id(member) not in marked]
    told = scope.pop("revised_truncated", None)
    if kept:
        scope["revised"] = kept
    if told:
        gone = told["whole"] - told["listed"]
        tell(scope, "revised_truncated", told["reason"], gone, len(kept), _MEMBER)
    return revised


def bundle_shelves(answer: dict[str, Any], related: Sequence[Shelf], revised: Sequence[dict[str, Any]]) -> list[Shelf]:
    """What gives way, the first first. ``related``: the shelves of the search; ``revised``: the whole scope's mark."""
    binding = answer["binding"]
    statements = Statements(binding)
    ancestors = binding.get("ancestors_summarised", {})
    return [
        *related,
        Backlog(answer, revised, keep=1),
        statements,
        Fields(ancestors, binding, "ancestors_summarised_truncated", _SCOPE),
        Revised(binding["scope"]),
        Rows(answer["related"]["artifacts_in_backlog"], answer["related"], "artifacts_in_backlog_truncated", _NARROW),
        Backlog(answer, revised),
        Revised(binding["scope"]),
        TruncatedIds(binding),
    ]


def _id(row: dict[str, Any]) -> tuple[Any, Any]:
    return row.get("project"), row["artifact_id"]


@dataclass(slots=True)
class Backlog:
    """The backlog's tail. A revision that a row marked is marked on the scope again once the row is gone, and an item
    that is served no more is not said to be in the backlog."""

    answer: dict[str, Any]
    revised: Sequence[dict[str, Any]]
    keep: int = 0

    def give(self, excess: int) -> bool:
        rows = self.answer["backlog"]
        gone = regained = 0
        while len(rows) > self.keep and (gone == 0 or regained < excess):
            row = rows.pop()
            regained += size(row) + 1
            gone += 1
            if "revised_by" in row:
                self._mark_scope(row)
            related = self.answer["related"]["artifacts_in_backlog"]
            if row["artifact_id"] in related and row["artifact_id"] not in [r["artifact_id"] for r in rows]:
                related.remove(row["artifact_id"])
        tell(self.answer, "backlog_truncated", READ_BUDGET, gone, len(rows), _NARROW)
        return gone > 0

    def _mark_scope(self, row: dict[str, Any]) -> None:
        scope = self.answer["binding"]["scope"]
        marked = {_id(member) for member in scope.get("revised", [])} | {_id(row)}
        scope["revised"] = [member for member in self.revised if _id(member) in marked]
        if told := scope.get("revised_truncated"):
            told |= {"listed": told["listed"] + 1, "whole": told["whole"] + 1}


@dataclass(slots=True)
class Statements:
    """The statements from their weakest, down to one. What was taken is named by id, best first, each id once."""

    binding: dict[str, Any]
    taken: list[str] = field(default_factory=list)

    def give(self, excess: int) -> bool:
        rows, stated = self.binding["statements"], self.binding["deterministic_statements"]
        gone = regained = 0
        while len(rows) > 1 and (gone == 0 or regained < excess):
            row = rows.pop()
            regained += size(row) + 1
            gone += 1
            self.taken.insert(0, row["artifact_id"])
        if gone == 0:
            return False
        self.binding["deterministic_statements"] = min(stated, len(rows))
        if len(rows) <= STATEMENTS_WHOLE:
            self.binding.pop("pointers", None)
        tell(self.binding, "truncated", READ_BUDGET, gone, len(rows), _SCOPE)
        self.binding["truncated_ids"] = list(dict.fromkeys(self.taken))
        return True


@dataclass(slots=True)
class Revised:
    """The scope's mark, the farthest members first; without a member it has no key."""

    scope: dict[str, Any]

    def give(self, excess: int) -> bool:
        rows = self.scope.get("revised")
        if not rows:
            return False
        given = Rows(rows, self.scope, "revised_truncated", _MEMBER).give(excess)
        if not rows:
            del self.scope["revised"]
        return given


@dataclass(slots=True)
class TruncatedIds:
    """The names of what was cut, from the weakest; how many are not named stays."""

    binding: dict[str, Any]

    def give(self, excess: int) -> bool:
        ids = self.binding.get("truncated_ids")
        if not ids:
            return False
        gone = regained = 0
        while ids and (gone == 0 or regained < excess):
            regained += size(ids.pop()) + 1
            gone += 1
        self.binding["truncated_ids_more"] = self.binding.get("truncated_ids_more", 0) + gone
        return True
