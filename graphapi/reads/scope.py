"""``get_scope``: three questions against one scope, each with arguments of its own (004 section 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graphapi.domain.ids import id_problem
from graphapi.domain.refusals import BadArguments
from graphapi.reads.binding import binding
from graphapi.reads.deltas import deltas
from graphapi.reads.drift import drift
from graphapi.reads.reader import Reader
from graphapi.reads.record import unknown

_EVERYWHERE = frozenset({"artifact_id", "depth", "limit", "deleted"})
_QUESTIONS: dict[str, tuple[Callable[..., Any], frozenset[str]]] = {
    "drift": (drift, _EVERYWHERE | {"since", "until"}),
    "deltas": (deltas, _EVERYWHERE | {"since", "until", "clock"}),
    "binding": (binding, _EVERYWHERE | {"topic", "path"}),
}


def get_scope(
    reader: Reader, *, question: str, artifact_id: str | None = None, topic: str | None = None,
    path: str | None = None, depth: int | None = None, since: str | None = None, until: str | None = None,
    clock: str | None = None, limit: int | None = None, deleted: str | None = None, project: str | None = None,
    projects: Sequence[str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The answer of the one read that ``question`` names. Raises :class:`BadArguments` for a question that is none of
    them, naming them, and for an argument that this question does not take; and what that read raises."""
    if question not in _QUESTIONS:
        words = ", ".join(map(repr, _QUESTIONS))
        raise BadArguments(f"question={question!r} is none of {words}", fix=f"ask one of: {words}")
    read, takes = _QUESTIONS[question]
    given = {
        "artifact_id": artifact_id, "topic": topic, "path": path, "depth": depth, "since": since, "until": until,
        "clock": clock, "limit": limit, "deleted": deleted,
    }  # fmt: skip
    given = {name: value for name, value in given.items() if value is not None}
    if strange := [name for name in given if name not in takes]:
        raise BadArguments(
            f"question={question!r} takes no {', '.join(strange)}", fix=f"it takes: {', '.join(sorted(takes))}"
        )
    if artifact_id is not None and id_problem(artifact_id):
        raise unknown((), artifact_id)
    answer: dict[str, Any] = read(reader, **given, project=project, projects=projects)
    return answer
