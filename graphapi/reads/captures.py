"""Whether one asked-for reading has reached the corpus: what a capture handle stands for (004 section 5, writes)."""

from __future__ import annotations

import os
import platform
from typing import Any

from graphapi.domain.dates import as_text
from graphapi.models import DIED, IngestPass, Project
from graphapi.reads.reach import Reach
from graphapi.store.locks import is_locked

LANDED, PENDING, FAILED, UNKNOWN = "landed", "pending", "failed", "unknown"
_GOOD = (IngestPass.State.GREEN, IngestPass.State.AMBER)


def capture_state(reach: Reach, handle: str) -> dict[str, Any]:
    """``landed``, ``pending`` (with ``pending_elsewhere`` and who, where another process is at it), ``failed`` or
    ``unknown``. A later pass that read the same, and ended well, lands it too.

    Handles of projects out of reach are unknown: which exist is not told.
    """
    row = IngestPass.objects.filter(handle=handle, project__in=reach.all).select_related("project").first()
    if row is None:
        return {"handle": handle, "state": UNKNOWN}
    if row.state in _GOOD:
        return {"handle": handle, "state": LANDED, "finished_at": as_text(row.finished_at)}
    if (covering := _covering(row)) is not None:
        finished = as_text(covering.finished_at)
        return {"handle": handle, "state": LANDED, "finished_at": finished, "landed_by": covering.handle}
    if row.state == IngestPass.State.FAILED:
        return {"handle": handle, "state": FAILED, "error": row.error}
    busy = is_locked(row.project)
    if row.state == IngestPass.State.RUNNING and not busy:
        return {"handle": handle, "state": FAILED, "error": DIED}
    return {"handle": handle, "state": PENDING, **(_elsewhere(row.project) if busy else {})}


def _covering(row: IngestPass) -> IngestPass | None:
    """A pass that began once this one was asked for, read at least as much, and ended well."""
    later = row.project.passes.filter(state__in=_GOOD, started_at__gte=row.requested_at).exclude(pk=row.pk)
    whole = later.filter(artifacts__isnull=True).order_by("finished_at").first()
    if whole is not None or not row.artifacts:
        return whole
    wanted = set(row.artifacts)
    return next((p for p in later.order_by("finished_at")[:50] if wanted <= set(p.artifacts or ())), None)


def _elsewhere(project: Project) -> dict[str, Any]:
    """Which process holds the project's lock, unless it is this one."""
    running = project.passes.filter(state=IngestPass.State.RUNNING).order_by("-id").first()
    if running is None or running.runner == f"{platform.node()} pid {os.getpid()}":
        return {}
    return {"pending_elsewhere": True, "runner": running.runner}
