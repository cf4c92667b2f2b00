"""How every read begins and ends its answer: the project first, the stamps last, and the whole within the budget."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphapi.models import Project
from graphapi.reads.budget import Shelf, fit
from graphapi.reads.reach import Reach
from graphapi.reads.reader import Reader
from graphapi.reads.stamps import stamps


def begin(reach: Reach, home: Project | None = None) -> dict[str, Any]:
    """An answer that says which project it is about, where the instance declares several.

    ``home`` is where a single artifact lives, which may be a project that the one named imports.
    """
    if not reach.several:
        return {}
    if reach.spanning and home is None:
        return {"projects": [p.name for p in reach.named]}
    return {"project": (home or reach.named[0]).name}


def finish(reader: Reader, reach: Reach, answer: dict[str, Any], shelves: Iterable[Shelf] = ()) -> dict[str, Any]:
    """Stamp ``answer`` and bring it within the reader's budget. ``shelves``: what gives way, the first first."""
    answer |= stamps(reach)
    return fit(answer, reader.budget, shelves)
