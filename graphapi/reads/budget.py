"""The byte budget of one read: whole rows only, cut in a stated order, every cut told (004 section 5, the read budget).

A read lists its shelves in the order in which they give way. :func:`fit` takes from the first until the answer fits or
that shelf is empty, then from the next. What it took stands in a report beside the shelf.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

READ_BUDGET = "read-budget"
CAP = "cap"
LIMIT = "limit"
INFERRED_CAP = "inferred-cap"
NOT_NEAR_TOP = "not-near-top"

NARROW = "narrow the scope to read the rest"
BY_ID = "get_artifact on the id serves the whole"

# What an answer keeps whatever happens: without these nobody could tell what it is about.
_STAMPS = frozenset({"freshness", "history", "context_health"})
_KEPT = frozenset({"artifact_id", "project", "projects", "in_context"}) | _STAMPS


def size(value: Any) -> int:
    """Bytes of ``value`` as compact JSON in UTF-8, which is what the budget counts."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass"))


def cut(reason: str, whole: int, listed: int, note: str, **extra: Any) -> dict[str, Any]:
    """The one shape of every cut: why, how much the whole holds, how much of it is listed, and what to do."""
    return {"reason": reason, "whole": whole, "listed": listed, "note": note, **extra}


def tell(holder: dict[str, Any], key: str, reason: str, gone: int, listed: int, note: str, **extra: Any) -> None:
    """Report under ``holder[key]`` that ``gone`` more rows were taken for ``reason``, leaving ``listed``.

    A shelf two reasons took from names both with their counts under ``reasons``; ``reason`` stays the first of them.
    """
    if gone <= 0:
        return
    before = holder.get(key)
    if before is None:
        holder[key] = cut(reason, listed + gone, listed, note, **extra)
        return
    reasons = before.pop("reasons", None) or {before["reason"]: before["whole"] - before["listed"]}
    reasons[reason] = reasons.get(reason, 0) + gone
    before["listed"] = listed
    before["whole"] = max(before["whole"], listed + sum(reasons.values()))
    before |= extra
    if len(reasons) > 1:
        before["reasons"] = reasons


class Shelf(Protocol):
    """Something that can give bytes back, a whole row at a time."""

    def give(self, excess: int) -> bool:
        """Take away at least one row and about ``excess`` bytes; False when nothing is left to take."""


@dataclass(slots=True)
class Rows:
    """A list that gives way from its end (its weakest tail), or from its beginning (``oldest first``).

    ``keep`` rows stay. The report goes to ``holder[report]``.
    """

    rows: list[Any]
    holder: dict[str, Any]
    report: str
    note: str = NARROW
    from_front: bool = False
    keep: int = 0
    taken: list[Any] = field(default_factory=list)

    def give(self, excess: int) -> bool:
        if len(self.rows) <= self.keep:
            return False
        gone = regained = 0
        while len(self.rows) > self.keep and (gone == 0 or regained < excess):
            row = self.rows.pop(0 if self.from_front else -1)
            self.taken.append(row)
            regained += size(row) + 1
            gone += 1
        tell(self.holder, self.report, READ_BUDGET, gone, len(self.rows), self.note)
        return True


@dataclass(slots=True)
class Map:
    """A map of relation to ids that gives way id by id, the last relation first."""

    ids: dict[str, list[Any]]
    holder: dict[str, Any]
    report: str
    note: str = BY_ID

    def give(self, excess: int) -> bool:
        gone = regained = 0
        while self.ids and (gone == 0 or regained < excess):
            relation = next(reversed(self.ids))
            regained += size(self.ids[relation].pop()) + 1
            gone += 1
            if not self.ids[relation]:
                del self.ids[relation]
                regained += size(relation) + 4
        tell(self.holder, self.report, READ_BUDGET, gone, sum(map(len, self.ids.values())), self.note)
        return gone > 0


@dataclass(slots=True)
class Fields:
    """A map whose values go whole, the largest first (connector metadata, open text fields)."""

    values: dict[str, Any]
    holder: dict[str, Any]
    report: str
    note: str = "these values are larger than a read; open the source"

    def give(self, excess: int) -> bool:
        if not self.values:
            return False
        key = max(self.values, key=lambda k: size(self.values[k]))
        del self.values[key]
        tell(self.holder, self.report, READ_BUDGET, 1, len(self.values), self.note)
        return True


@dataclass(slots=True)
class Words:
    """One text cut to its head, the single value that is ever served in part (``body_truncated``)."""

    holder: dict[str, Any]
    key: str
    report: str
    note: str = "the head alone; the source holds the whole"

    def give(self, excess: int) -> bool:
        text = self.holder.get(self.key) or ""
        if not text:
            return False
        before = self.holder.get(self.report)
        whole = before["whole"] if before else len(text)
        report = cut(READ_BUDGET, whole, len(text), self.note)
        # The report takes room too, the first time; a digit fewer in it later is no harm.
        room = size(text) - excess - (0 if before else size({self.report: report}))
        head = _head(text, max(room, 0))
        self.holder[self.key] = head if len(head) < len(text) else text[:-1]
        self.holder[self.report] = report | {"listed": len(self.holder[self.key])}
        return True


def _head(text: str, room: int) -> str:
    """The longest head of ``text`` whose JSON is at most ``room`` bytes."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if size(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def fit(answer: dict[str, Any], budget: int, shelves: Iterable[Shelf]) -> dict[str, Any]:
    """Bring ``answer`` within ``budget`` bytes by taking from ``shelves`` in their order, and return it."""
    for shelf in shelves:
        while (excess := size(answer) - budget) > 0 and shelf.give(excess):
            pass
    if size(answer) > budget:
        _drop_values(answer, budget)
    return answer


def _drop_values(answer: dict[str, Any], budget: int) -> None:
    """The last resort: whole values of the answer itself, the largest first, each named."""
    gone: list[str] = []
    while size(answer) > budget:
        left = [k for k in answer if k not in _KEPT and k != "values_truncated"]
        # Only an instance of very many sources or projects comes this far: then even its stamps give way, named.
        left = left or [k for k in answer if k in _STAMPS]
        if not left:
            return
        largest = max(left, key=lambda k: size(answer[k]))
        del answer[largest]
        gone.append(largest)
        answer["values_truncated"] = cut(
            READ_BUDGET, len(left) - 1 + len(gone), len(left) - 1, "larger than a read may be", keys=gone
        )


def listed_within(rows: Sequence[Any], room: int) -> int:
    """How many of the first ``rows`` fit ``room`` bytes, for a shelf that has a share of the budget of its own."""
    used = 1  # the brackets, less the comma the last row does without
    for count, row in enumerate(rows):
        used += size(row) + 1
        if used > room:
            return count
    return len(rows)
