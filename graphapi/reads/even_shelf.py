"""Lists of one kind, one a project, that give way evenly and are told as one (004 section 5, the read budget)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphapi.reads.budget import READ_BUDGET, cut, size


@dataclass(slots=True)
class EvenShelf:
    """Rows go from the end of the longest list. ``whole`` is how many there are in all, those never listed too."""

    lists: Sequence[list[Any]]
    whole: int
    answer: dict[str, Any]
    report: str
    note: str

    def give(self, excess: int) -> bool:
        gone = regained = 0
        while (longest := max(self.lists, key=len, default=[])) and (not gone or regained < excess):
            regained += size(longest.pop()) + 1
            gone += 1
        if gone:
            self.tell()
        return gone > 0

    def tell(self) -> None:
        """Say on the answer how many are listed, where that is not all."""
        listed = sum(map(len, self.lists))
        if listed < self.whole:
            self.answer[self.report] = cut(READ_BUDGET, self.whole, listed, self.note)
