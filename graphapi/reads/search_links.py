"""What an artifacts row says of the artifacts it names and is named by (004 section 5, links)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from graphapi.domain.artifact import natural_key
from graphapi.domain.links import CITES, EXPLICIT_REF, TITLE_MENTION
from graphapi.reads.corpus import Group, Key

IDS_LISTED = 3

# The method of a link, not its relation, tells a citation or a mention from a declared edge of the same word.
_NAMES = {
    (CITES, "out"): "cites",
    (CITES, "in"): "cited_by",
    (EXPLICIT_REF, "out"): "references",
    (EXPLICIT_REF, "in"): "referenced_by",
    (TITLE_MENTION, "out"): "mentions",
    (TITLE_MENTION, "in"): "mentioned_by",
}


def far_ends(groups: Iterable[Group]) -> set[Key]:
    """Whatever a row's map may list."""
    named = [g for g in groups if (g.method, g.direction) in _NAMES]
    return {edge.far(group.key) for group in named for edge in group.edges}


def link_map(groups: Iterable[Group], served: Collection[Key], gone: Collection[Key] = ()) -> dict[str, Any]:
    """The far ends of each relation that is no fact, ``served`` ones first, and ``more`` for those not listed.

    ``other_deleted`` names those listed that are among ``gone``, so that none is taken for a live one.
    """
    ends: dict[str, list[Key]] = {}
    whole = 0
    for group in groups:
        name = _NAMES.get((group.method, group.direction))
        if name is None:
            continue
        whole += group.count
        ends.setdefault(name, []).extend(edge.far(group.key) for edge in group.edges)
    listed = {name: _first(ends[name], served) for name in _NAMES.values() if name in ends}
    out: dict[str, Any] = {name: [key.artifact_id for key in keys] for name, keys in listed.items()}
    count = sum(map(len, listed.values()))
    if whole > count:
        out["more"] = whole - count
    if withdrawn := [key.artifact_id for keys in listed.values() for key in keys if key in gone]:
        out["other_deleted"] = list(dict.fromkeys(withdrawn))
    return out


def _first(ends: list[Key], served: Collection[Key]) -> list[Key]:
    def place(key: Key) -> tuple[bool, str, str, int]:
        return key not in served, natural_key(key.artifact_id), key.artifact_id, key.place

    return sorted(ends, key=place)[:IDS_LISTED]
