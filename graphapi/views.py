"""The start page, the page of one artifact, and what an orchestrator asks."""

from __future__ import annotations

from typing import Any

from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render

from graphapi.access.reach import reader_required
from graphapi.domain.ids import id_problem
from graphapi.domain.refusals import UnknownArtifact, UnknownProject
from graphapi.models import Project
from graphapi.reads.artifact import artifact_record
from graphapi.reads.health import pass_pulse, project_health
from graphapi.reads.projects import project_named
from graphapi.store.instance import instance_store
from graphapi.store.port import StoreUnavailable


@reader_required
def start(request: HttpRequest) -> HttpResponse:
    reports = [project_health(p, findings=20) for p in Project.objects.order_by("-is_default", "name")]
    return render(request, "graphapi/start.html", {"reports": reports, "pulse": pass_pulse()})


@reader_required
def pulse(request: HttpRequest) -> HttpResponse:
    """What the start page compares with to know that a pass moved: one token, from one query."""
    return JsonResponse({"pulse": pass_pulse()})


@reader_required
def artifact(request: HttpRequest, project: str, artifact_id: str) -> HttpResponse:
    try:
        chosen = project_named(project)
        record = artifact_record(chosen, instance_store(), artifact_id)
    except (UnknownProject, UnknownArtifact) as refusal:
        raise Http404(refusal.detail) from refusal
    except StoreUnavailable as error:
        return render(request, "graphapi/unavailable.html", {"detail": str(error)}, status=503)
    return render(request, "graphapi/artifact.html", {"project": chosen, "record": record})


@reader_required
def open_artifact(request: HttpRequest, project: str) -> HttpResponse:
    """Where the start page's box leads: the page of the id that was typed."""
    wanted = request.GET.get("id", "").strip()
    if not wanted:
        return redirect("start")
    if problem := id_problem(wanted):
        raise Http404(f"{problem}, so it is none of an artifact here")
    return redirect("artifact", project, wanted)


def healthz(request: HttpRequest) -> JsonResponse:
    """Alive: the process answers. Nothing else is asked."""
    return JsonResponse({"status": "alive"})


def readyz(request: HttpRequest) -> JsonResponse:
    """Ready: each thing this process depends on, by name. 503 where one does not answer. Says no more than that to
    somebody who is not signed in: addresses and errors are for the log and for `revetly status`."""
    checks: dict[str, Any] = {"database": _database(), "graph": _graph()}
    ready = all(state == "ready" for state in checks.values())
    return JsonResponse({"status": "ready" if ready else "not-ready", **checks}, status=200 if ready else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "down"
    return "ready"


def _graph() -> str:
    try:
        instance_store().ping()
    except StoreUnavailable:
        return "down"
    return "ready"
