"""What an answer says of itself beside its rows, as sentences for people: cuts, age, floors, what is withheld.

A payload carries these as keys (004 section 5). A page or a command that showed the rows alone would let an empty
answer pass for an empty world, so both show every caveat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["failed", "cut", "order", "ended", "withheld", "absent", "floor", "age"]
# The sign by which the value of one project is told from a map of several projects' values.
_STAMPS = {"freshness": "oldest_read_at", "history": "floors", "context_health": "last_pass", "withheld": "count"}
_ENDED = {
    "invalidated": "{count} facts that a source took back are left out; deleted=include reads them",
    "inferred_retired": "{count} inferred rows were read only out of words since revised or withdrawn",
}
_DEEPEST = 3
# What people are told in place of a reason's code and of a key.
_REASONS = {
    "read-budget": "an answer may be only so large",
    "limit": "as many as were asked for",
    "cap": "as many as are read at once",
    "inferred-cap": "no more of what a model inferred",
    "not-near-top": "the rest are about other rows",
    "row-room": "too long for a row",
    "withdrawn": "withdrawn",
}
_ABSENT = {"lite": "this project declares no model", "not-read": "the model it declares has read nothing yet"}
_NAMES = {
    "truncated": "rows", "truncated_changed": "changes", "truncated_ids": "ids", "values_truncated": "values",
    "rollup_truncated": "ids of the rollup", "entity_types_present": "statements in prose",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Caveat:
    """``at``: the time that the sentence is about, where it has one; ``project`` where the answer is about several."""

    kind: Kind
    says: str
    at: str | None = None
    project: str | None = None


def caveats(answer: Mapping[str, Any]) -> list[Caveat]:
    """Every caveat of a read's payload, what a reader must know first."""
    out = [
        Caveat("failed", _failed(value), value.get("at"), project)
        for project, value in _stamp(answer, "context_health")
    ]
    if answer.get("ranking", {}).get("applied") is False:
        out.append(Caveat("order", "the rows are in the order the words matched: what else weighs them was not read"))
    within = list(_inside(answer, "", 0))
    out += [held for held in within if isinstance(held, Caveat)]
    out += _absences([held for held in within if not isinstance(held, Caveat)])
    out += [Caveat("ended", says.format(count=answer[key]["count"])) for key, says in _ENDED.items() if key in answer]
    out += [Caveat("withheld", _withheld(value), None, project) for project, value in _stamp(answer, "withheld")]
    out += [Caveat("floor", _floors(value), None, project) for project, value in _stamp(answer, "history")]
    out += [_age(value, project) for project, value in _stamp(answer, "freshness")]
    return out


def _stamp(answer: Mapping[str, Any], key: str) -> Iterator[tuple[str | None, Mapping[str, Any]]]:
    """The values of a stamp: one without a project, or one a project."""
    value = answer.get(key)
    if not isinstance(value, dict):
        return
    if _STAMPS[key] in value:
        yield None, value
        return
    yield from ((name, of) for name, of in value.items() if isinstance(of, dict) and _STAMPS[key] in of)


def _inside(value: Mapping[str, Any], path: str, depth: int) -> Iterator[Caveat | tuple[str, str]]:
    """Cuts, and (key, reason) of absent halves, wherever in the answer they are told, rows aside."""
    for key, held in value.items():
        if not isinstance(held, dict) or (not path and key in _STAMPS):
            continue
        name = f"{path}{key}"
        if {"reason", "whole", "listed"} <= held.keys():
            yield Caveat("cut", _cut(name, held))
        elif held.get("absent") is True:
            yield key, held["reason"]
        elif depth < _DEEPEST:
            yield from _inside(held, f"{name}.", depth + 1)


def _absences(halves: list[tuple[str, str]]) -> Iterator[Caveat]:
    """One sentence for all the halves that are absent for one reason: nobody looked, which is not to find nothing."""
    for reason in dict.fromkeys(reason for _, reason in halves):
        names = dict.fromkeys(_name(key) for key, why in halves if why == reason)
        why = _ABSENT.get(reason, reason)
        yield Caveat("absent", f"{', '.join(names)}: not here, since {why}")


def _name(key: str) -> str:
    """A key as people say it: what a cut is of, without the word for it."""
    plain = key.removesuffix("_truncated").removeprefix("truncated_")
    return _NAMES.get(key, plain.replace("_", " "))


def _cut(name: str, held: Mapping[str, Any]) -> str:
    codes = list(held["reasons"]) if "reasons" in held else [held["reason"]]
    reasons = ", ".join(_REASONS.get(code, code) for code in codes)
    note = f"; {held['note']}" if held.get("note") else ""
    *above, key = name.split(".")
    of = f" of {_name(above[-1])}" if above else ""
    return f"{_name(key)}{of}: {held['listed']} of {held['whole']} listed ({reasons}){note}"


def _failed(value: Mapping[str, Any]) -> str:
    return f"the last pass failed ({value.get('handle', 'no handle')}); this is {value.get('serves', 'older')}"


def _withheld(value: Mapping[str, Any]) -> str:
    more = "" if value["count"] <= len(value["artifacts"]) else " and more"
    return f"{value['count']} withheld, which no search finds by their words: {', '.join(value['artifacts'])}{more}"


def _floors(value: Mapping[str, Any]) -> str:
    parts = [f"{source} to {day}" for source, day in value["floors"].items()]
    parts += [f"{source} not over {', '.join(gaps)}" for source, gaps in value.get("gaps", {}).items()]
    parts += [f"{source} with a backfill unfinished" for source in value.get("partial", ())]
    return f"read back only so far: {'; '.join(parts)}"


def _age(value: Mapping[str, Any], project: str | None) -> Caveat:
    if value["oldest_read_at"] is None:
        return Caveat("age", "not every source has been read yet", None, project)
    watched = ", and watched" if value.get("watching") else ""
    return Caveat("age", f"every source was read at or after this time{watched}", value["oldest_read_at"], project)
