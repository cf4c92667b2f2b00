"""What a branch amounts to: how many of its artifacts stand in each status and are of each type (004 section 2b)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from graphapi.reads.budget import READ_BUDGET, size, tell
from graphapi.reads.corpus import Key
from graphapi.store.port import StoredArtifact

# Where an artifact has no status of its own.
NO_STATUS = "none"


def rollup(members: Iterable[tuple[Key, StoredArtifact]]) -> dict[str, dict[str, Any]]:
    """``status`` and ``type``, each value with its count and the ids behind it, in the order they were walked."""
    out: dict[str, dict[str, Any]] = {"status": {}, "type": {}}
    for key, artifact in members:
        for name, value in (
            ("status", artifact.status or NO_STATUS),
            ("type", artifact.artifact_type or artifact.kind),
        ):
            group = out[name].setdefault(value, {"count": 0, "ids": []})
            group["count"] += 1
            group["ids"].append(key.artifact_id)
    return out


@dataclass(slots=True)
class Rollup:
    """The ids of a rollup as a shelf; counts always stay. With ``room`` it gives only what it has beyond that.

    Ids go from the end of the longest list: a group of few artifacts is named whole for as long as it can be.
    """

    counts: dict[str, dict[str, Any]]
    answer: dict[str, Any]
    room: int = 0

    def give(self, excess: int) -> bool:
        beyond = size(self.counts) - self.room
        lists = [group["ids"] for groups in self.counts.values() for group in groups.values() if group["ids"]]
        if beyond <= 0 or not lists:
            return False
        gone = regained = 0
        while lists and regained < min(excess, beyond):
            longest = max(lists, key=len)
            regained += size(longest.pop()) + 1
            gone += 1
            lists = [ids for ids in lists if ids]
        note = "counts are whole; the ids past these are in the sub-branches"
        tell(self.answer, "rollup_truncated", READ_BUDGET, gone, sum(map(len, lists)), note)
        return True
