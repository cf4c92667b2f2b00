"""``context_health``: whether the last pass landed, source by source, and what it left to be known (004 section 2)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import cast

from graphapi.models import IngestPass
from graphapi.reads.answer import begin
from graphapi.reads.budget import Shelf, fit
from graphapi.reads.captures import capture_state
from graphapi.reads.even_shelf import EvenShelf
from graphapi.reads.payloads.health import HealthPayload
from graphapi.reads.project_state import project_state
from graphapi.reads.reader import Reader
from graphapi.reads.stamps import stamps


def context_health(
    reader: Reader, *, capture: str | None = None, project: str | None = None, projects: Sequence[str] | None = None
) -> HealthPayload:
    """The state of the projects named, of each under its name where they are several, within the reader's budget.

    ``capture`` is a handle that a write or a request for a pass returned. Answers while the graph is down. Raises what
    :meth:`Reader.reach` raises.
    """
    reach = reader.reach(project, projects)
    answer = begin(reach)
    if capture is not None:
        answer["capture"] = capture_state(reach, capture)
    states = {p.name: project_state(p) for p in reach.named}
    shelves: list[Shelf] = [shelf for _, offered in states.values() for shelf in offered]
    rows = [state["sources"] for state, _ in states.values()]
    shelves.append(EvenShelf(rows, sum(map(len, rows)), answer, "sources_truncated", "ask for one project at a time"))
    marks = stamps(reach)
    # The floors of other answers give their key to the rows they are drawn from.
    marks.pop("history", None)
    if reach.spanning:
        keys = dict.fromkeys(key for state, _ in states.values() for key in state)
        answer |= {key: {name: state[key] for name, (state, _) in states.items()} for key in keys}
    else:
        answer |= states[reach.named[0].name][0]
    answer |= marks
    return cast(HealthPayload, fit(answer, reader.budget, shelves))


def pass_pulse() -> str:
    """A token that changes whenever a pass of any project is asked for, begins or ends."""
    rows = IngestPass.objects.order_by("-id").values_list("handle", "state")[:20]
    return hashlib.blake2b(repr(list(rows)).encode(), digest_size=8).hexdigest()
