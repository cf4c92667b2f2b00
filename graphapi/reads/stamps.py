"""What every answer says of its own age and reach: freshness, history, context_health, withheld (004 section 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphapi.domain.dates import as_text
from graphapi.models import TREE, IngestPass, Project, SourceState
from graphapi.reads.budget import CAP, cut
from graphapi.reads.reach import Reach
from graphapi.store.locks import is_locked, is_watched

WITHHELD_LISTED = 10
WITHHELD_WHY = "declared never to be read by a model: on record with its links, its words held nowhere"


def stamps(reach: Reach) -> dict[str, Any]:
    """The stamps of the projects the answer is about; by project name where it is about several.

    An import's own age is not among them: an answer about one project is as old as that project's sources.
    """
    out: dict[str, Any] = {}
    states = {p.pk: list(p.sources.exclude(source=TREE).defer("cursor", "counts", "error")) for p in reach.named}
    parts: dict[str, Callable[[Project], Any]] = {
        "freshness": lambda p: freshness(p, states[p.pk]),
        "history": lambda p: floors(states[p.pk]),
        "context_health": failed_pass,
        "withheld": withheld,
    }
    for key, of in parts.items():
        values = {p.name: value for p in reach.named if (value := of(p)) is not None}
        if values:
            out[key] = values if reach.spanning else next(iter(values.values()))
    return out


def freshness(project: Project, states: list[SourceState]) -> dict[str, Any]:
    """When the oldest source was last read, null before all of them were, and whether ``watch`` follows the project."""
    read = [state.last_read_at for state in states]
    oldest = min(filter(None, read), default=None) if all(read) else None
    return {"oldest_read_at": as_text(oldest), "watching": is_watched(project)}


def floors(states: list[SourceState]) -> dict[str, Any] | None:
    """Below a floor nothing was read; ``gaps`` and ``partial`` where a source has any. None without a floor."""
    dated = {s.source: s.floor.isoformat() for s in states if s.floor}
    if not dated:
        return None
    out: dict[str, Any] = {"floors": dated}
    if gaps := {s.source: list(s.gaps) for s in states if s.gaps}:
        out["gaps"] = gaps
    if partial := [s.source for s in states if s.partial]:
        out["partial"] = partial
    return out


def last_pass(project: Project) -> tuple[IngestPass | None, bool]:
    """The newest pass that began, and whether the process that ran it died."""
    began = project.passes.exclude(state=IngestPass.State.QUEUED)
    row = began.order_by("-id").first()
    died = row is not None and row.state == IngestPass.State.RUNNING and not is_locked(project)
    return row, died


def failed_pass(project: Project) -> dict[str, Any] | None:
    """What a reader must know after a pass that failed; None while the last one that ended landed."""
    states = IngestPass.State
    asked = project.passes.order_by("-id").values_list("state", "handle", "started_at", "finished_at")
    newest = asked.exclude(state=states.QUEUED).first()
    died = newest is not None and newest[0] == states.RUNNING and not is_locked(project)
    if newest is not None and newest[0] == states.RUNNING and not died:
        # It is not known yet how this one ends: what is served is still what the one before it left.
        newest = asked.filter(state__in=[states.GREEN, states.AMBER, states.FAILED]).first()
    if newest is None or not (died or newest[0] == states.FAILED):
        return None
    _, handle, started, finished = newest
    return {
        "last_pass": "failed",
        "handle": handle,
        "at": as_text(finished or started),
        "serves": "what was held before that pass; anything committed since may be absent",
        "fix": "context_health says which source failed and why",
    }


def withheld(project: Project) -> dict[str, Any] | None:
    """Artifacts that are present and cannot be searched, and why. None where the project withholds nothing."""
    rows = project.ledger.filter(withheld=True, deleted_at=None).order_by("artifact_id")
    ids = list(rows.values_list("artifact_id", flat=True)[: WITHHELD_LISTED + 1])
    if not ids:
        return None
    out: dict[str, Any] = {"count": len(ids), "artifacts": ids[:WITHHELD_LISTED], "why": WITHHELD_WHY}
    if len(ids) > WITHHELD_LISTED:
        out["count"] = rows.count()
        out["truncated"] = cut(CAP, out["count"], WITHHELD_LISTED, "`revetly status` lists them")
    return out
