"""``context_health``: whether the last pass landed, source by source, and what it left to be known (004 section 2)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, cast

from django.db.models import Count

from graphapi.domain.dates import as_text
from graphapi.models import DIED, TREE, IngestPass, Project, SourceState
from graphapi.reads.answer import begin
from graphapi.reads.budget import Shelf, fit
from graphapi.reads.captures import capture_state
from graphapi.reads.even_shelf import EvenShelf
from graphapi.reads.payloads.health import HealthPayload
from graphapi.reads.project_state import project_state
from graphapi.reads.reader import Reader
from graphapi.reads.stamps import stamps
from graphapi.store.locks import is_locked, is_watched
from graphapi.store.port import GraphStore

_FINDINGS = 50
_UNRESOLVED = 50


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


def project_health(project: Project, *, findings: int = _FINDINGS) -> dict[str, Any]:
    """What the database alone says of a project: the graph is not asked, so a status works with it down."""
    last = project.passes.exclude(state=IngestPass.State.QUEUED).order_by("-id").first()
    died = last is not None and _died(project, last)
    since = last.started_at if last and died else None
    states = list(project.sources.exclude(source=TREE))
    health: dict[str, Any] = {
        "project": project.name,
        "root": project.root,
        "namespace": project.namespace,
        "last_pass": _pass(last, died, findings) if last else None,
        "watching": is_watched(project),
        "queued": project.passes.filter(state=IngestPass.State.QUEUED).count(),
        "sources": [_source(state, died_since=since) for state in states],
        "artifacts": _artifacts(project),
        "unresolved": unresolved(project, limit=_UNRESOLVED),
    }
    if history := _history(states):
        health["history"] = history
    return health


def pass_pulse() -> str:
    """A token that changes whenever a pass of any project is asked for, begins or ends."""
    rows = IngestPass.objects.order_by("-id").values_list("handle", "state")[:20]
    return hashlib.blake2b(repr(list(rows)).encode(), digest_size=8).hexdigest()


def _died(project: Project, row: IngestPass) -> bool:
    """A row that says running while its project's lock is free: the process died. The next pass writes that down."""
    return row.state == IngestPass.State.RUNNING and not is_locked(project)


def _pass(row: IngestPass, died: bool, limit: int) -> dict[str, Any]:
    out: dict[str, Any] = {
        "handle": row.handle,
        "state": IngestPass.State.FAILED.value if died else str(row.state),
        "started_at": as_text(row.started_at),
        "finished_at": as_text(row.finished_at),
        "seconds": row.seconds,
        "counts": row.counts,
        "findings": row.findings[:limit],
    }
    if row.counts.get("findings", 0) > limit:
        out["findings_truncated"] = {"reason": "cap", "whole": row.counts["findings"], "listed": limit}
    if died or row.error:
        out["error"] = DIED if died else row.error
    return out


def _source(state: SourceState, *, died_since: Any) -> dict[str, Any]:
    left = died_since is not None and (state.last_read_at is None or state.last_read_at < died_since)
    row: dict[str, Any] = {
        "source": state.source,
        "last_read_at": as_text(state.last_read_at),
        "state": "failed" if state.failed or left else "read",
        "complete": state.complete,
        **{k: v for k, v in state.counts.items() if v or k == "listed"},
    }
    if state.error or left:
        row["error"] = state.error or DIED
    if state.floor:
        row["floor"] = state.floor.isoformat()
    if state.gaps:
        row["gaps"] = state.gaps
    if state.partial:
        row["partial"] = True
    return row


def _history(states: list[SourceState]) -> dict[str, Any]:
    """The stamp of 004 section 5: floors, gaps and partial backfills, where a source has any."""
    out: dict[str, Any] = {}
    if floors := {s.source: s.floor.isoformat() for s in states if s.floor}:
        out["floors"] = floors
    if gaps := {s.source: s.gaps for s in states if s.gaps}:
        out["gaps"] = gaps
    if partial := [s.source for s in states if s.partial]:
        out["partial"] = partial
    return out


def _artifacts(project: Project) -> dict[str, Any]:
    live = project.ledger.filter(deleted_at=None)
    kinds = dict(live.order_by("kind").values_list("kind").annotate(n=Count("id")))
    return {
        "live": sum(kinds.values()),
        "by_kind": kinds,
        "deleted": project.ledger.exclude(deleted_at=None).count(),
        "withheld": live.filter(withheld=True).count(),
    }


def unresolved(project: Project, *, limit: int) -> dict[str, Any]:
    """Ids that sources name and nothing answers to: how many, per reason, and the first of them by name."""
    reasons = dict(project.unresolved.order_by("reason").values_list("reason").annotate(n=Count("id")))
    rows = project.unresolved.order_by("artifact_id", "relation", "target")[:limit]
    listed = [
        {"artifact_id": u.artifact_id, "relation": u.relation, "target": u.target, "reason": u.reason} for u in rows
    ]
    return {"count": sum(reasons.values()), "by_reason": reasons, "listed": listed}


def link_audit(project: Project, store: GraphStore) -> dict[str, Any]:
    """Live links per relation and method, straight from the graph, with what could not be linked beside them."""
    rows = store.link_counts(project.namespace)
    counts = store.counts(project.namespace)
    return {
        "project": project.name,
        "methods": [{"relation": r.relation, "method": r.method, "count": r.count} for r in rows],
        "links": counts.links,
        "retired": counts.retired_links,
        "artifacts": dict(counts.artifacts),
        "unresolved": unresolved(project, limit=_UNRESOLVED),
    }
