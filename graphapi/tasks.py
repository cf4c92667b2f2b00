"""Celery's door to passes: a task names a pass row and runs whatever its project has queued."""

from __future__ import annotations

from functools import partial

from celery import shared_task
from django.db import transaction

from graphapi.ingest.queue import pass_request, queue_drain, queue_sweep
from graphapi.models import IngestPass, Project
from graphapi.notices import pass_changed
from graphapi.store.instance import instance_store


@shared_task(name="revetly.ingest_project")
def ingest_project(project_id: int) -> list[str]:
    """Run the project's queued passes. A project that is gone by now has none."""
    project = Project.objects.filter(pk=project_id).first()
    if project is None:
        return []
    done = queue_drain(project, instance_store())
    for row in done:
        pass_changed(row)
    return [row.handle for row in done]


@shared_task(name="revetly.ingest_artifacts")
def ingest_artifacts(project_id: int, artifacts: list[str]) -> list[str]:
    """Queue a pass over some artifacts (ids or paths) and run it."""
    project = Project.objects.filter(pk=project_id).first()
    if project is None:
        return []
    pass_request(project=project, artifacts=artifacts)
    return list(ingest_project(project_id))


def pass_dispatch(*, project: Project, artifacts: list[str] | None = None) -> IngestPass:
    """Queue a pass and wake a worker once the row is committed: a worker woken earlier would find nothing."""
    row = pass_request(project=project, artifacts=artifacts)
    transaction.on_commit(partial(ingest_project.delay, project.pk))
    return row


def sweep() -> int:
    """Take up unfinished passes. Returns how many were woken."""
    return queue_sweep(lambda row: ingest_project.delay(row.project_id))
