"""One project's health: its sources, its last pass, what the corpus holds and what it lacks (004 sections 2 and 5)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Count

from graphapi.domain.dates import as_text
from graphapi.models import DIED, TREE, IngestPass, Project, SourceState
from graphapi.reads.budget import CAP, Rows, Shelf, tell
from graphapi.reads.corpus_revision import corpus_revision
from graphapi.reads.marks import bounded
from graphapi.reads.outside import FIX, outside_count
from graphapi.reads.stamps import last_pass
from graphapi.store.locks import is_watched

# What is listed of the last pass's findings and of unresolved ids: enough to begin mending by.
FINDINGS_LISTED = 50
UNRESOLVED_LISTED = 50
_BY_COMMAND = "`revetly status --json` lists more"


def project_state(project: Project) -> tuple[dict[str, Any], list[Shelf]]:
    """The state by key, and what of it may give way to the budget, the first first. The graph is not asked."""
    row, died = last_pass(project)
    states = list(project.sources.exclude(source=TREE))
    since = row.started_at if row is not None and died else None
    state: dict[str, Any] = {
        "sources": [_source(state, died_since=since) for state in states],
        "corpus_revision": corpus_revision(project),
        "last_pass": None if row is None else _pass(row, died=died),
        "watching": is_watched(project),
        "queued": project.passes.filter(state=IngestPass.State.QUEUED).count(),
        "artifacts": _artifacts(project),
        "unresolved": unresolved(project),
        "outside_backlog": outside_block_count(project),
        "history": {s.source: _read_back_to(s) for s in states},
    }
    named = state["unresolved"]
    shelves: list[Shelf] = [Rows(named["listed"], named, "truncated", note=_BY_COMMAND)]
    if state["last_pass"] is not None:
        found = state["last_pass"]
        shelves.append(Rows(found["findings"], found, "findings_truncated", note=_BY_COMMAND))
    return state, shelves


def outside_block_count(project: Project) -> dict[str, Any]:
    """How many items are off the backlog for want of a type and, where there are any, what to do about it."""
    count = outside_count(project)
    return {"count": count, "fix": FIX} if count else {"count": 0}


def _source(state: SourceState, *, died_since: datetime | None) -> dict[str, Any]:
    left = died_since is not None and (state.last_read_at is None or state.last_read_at < died_since)
    row: dict[str, Any] = {
        "source": state.source,
        "last_read_at": as_text(state.last_read_at),
        "landed": not (state.failed or left),
        "complete": state.complete,
        **{key: value for key, value in state.counts.items() if value or key == "listed"},
    }
    if state.error or left:
        row["error"] = state.error or DIED
    if state.floor:
        row["floor"] = state.floor.isoformat()
    if state.gaps:
        row["gaps"] = list(state.gaps)
    if state.partial:
        row["partial"] = True
    return bounded(row)


def _read_back_to(state: SourceState) -> dict[str, Any]:
    """A source's reach into the past, whole: a floor of null is its beginning."""
    return {
        "floor": state.floor and state.floor.isoformat(),
        "declared_floor": state.declared_floor and state.declared_floor.isoformat(),
        "gaps": list(state.gaps),
        "partial": state.partial,
    }


def _pass(row: IngestPass, *, died: bool) -> dict[str, Any]:
    out: dict[str, Any] = {
        "handle": row.handle,
        "state": IngestPass.State.FAILED.value if died else str(row.state),
        "started_at": as_text(row.started_at),
        "finished_at": as_text(row.finished_at),
        "seconds": row.seconds,
        "counts": row.counts,
    }
    if died or row.error:
        out["error"] = DIED if died else row.error
    out = bounded(out)
    out["findings"] = [bounded(finding) for finding in row.findings[:FINDINGS_LISTED]]
    whole = max(row.counts.get("findings", 0), len(row.findings))
    listed = len(out["findings"])
    tell(out, "findings_truncated", CAP, whole - listed, listed, _BY_COMMAND)
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


def unresolved(project: Project) -> dict[str, Any]:
    """Ids that sources name and nothing here answers to: how many for which reason, and the first of them."""
    reasons = dict(project.unresolved.order_by("reason").values_list("reason").annotate(n=Count("id")))
    rows = project.unresolved.order_by("artifact_id", "relation", "target")[:UNRESOLVED_LISTED]
    listed = [
        bounded({"artifact_id": u.artifact_id, "relation": u.relation, "target": u.target, "reason": u.reason})
        for u in rows
    ]
    count = sum(reasons.values())
    out = {"count": count, "by_reason": reasons, "listed": listed}
    tell(out, "truncated", CAP, count - len(listed), len(listed), _BY_COMMAND)
    return out
