"""Asking for passes, and running what was asked. The pass row is the queue; the broker only wakes somebody up.

A row is written before anybody is woken, and whoever finishes a pass looks for queued rows after letting the lock go:
so a row asked for while a pass runs is taken up, whichever of the two comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphapi.domain.refusals import PassRunning
from graphapi.ingest.passes import Progress, _silent, bury_dead, run_pass
from graphapi.models import IngestPass, Project
from graphapi.store.locks import is_locked, project_lock
from graphapi.store.port import GraphStore


def pass_request(*, project: Project, artifacts: Sequence[str] | None = None) -> IngestPass:
    """Queue a pass over a project, or over the artifacts (ids or paths) named. Returns its row; its handle is what a
    caller polls."""
    return IngestPass.objects.create(project=project, artifacts=list(artifacts) if artifacts else None)


def queue_drain(project: Project, store: GraphStore, *, progress: Progress = _silent) -> list[IngestPass]:
    """Run the project's queued passes, oldest first, until none waits or another process is at it."""
    done: list[IngestPass] = []
    while row := project.passes.filter(state=IngestPass.State.QUEUED).order_by("id").first():
        try:
            done.append(run_pass(project, store, row=row, progress=progress))
        except PassRunning:
            break
    return done


def queue_sweep(wake: Callable[[IngestPass], object]) -> int:
    """Take up what a dead process left: its running rows become queued again, and every queued row is woken.

    Called when a worker starts. Returns how many rows were woken.
    """
    for project in Project.objects.filter(passes__state=IngestPass.State.RUNNING).distinct():
        if is_locked(project):
            continue
        try:
            with project_lock(project):
                orphans = list(project.passes.filter(state=IngestPass.State.RUNNING))
                bury_dead(project)
                for row in orphans:
                    pass_request(project=project, artifacts=row.artifacts)
        except PassRunning:
            continue
    rows = list(IngestPass.objects.filter(state=IngestPass.State.QUEUED).order_by("id"))
    for row in rows:
        wake(row)
    return len(rows)
