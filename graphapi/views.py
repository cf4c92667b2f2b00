"""The start page, and what an orchestrator asks."""

from __future__ import annotations

from typing import Any

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from graphapi.access.reach import caller_of, reader_required
from graphapi.models import Project
from graphapi.reads.health import context_health, pass_pulse
from graphapi.reads.reader import instance_reader
from graphapi.store.instance import instance_store
from graphapi.store.port import StoreUnavailable


@reader_required
def start(request: HttpRequest) -> HttpResponse:
    """Every project the reader reaches: how far each source was read, and whether the last pass held."""
    reader = instance_reader(caller_of(request.user))
    projects = [p for p in Project.objects.order_by("-is_default", "name") if reader.caller.may_reach(p.name)]
    reports = [(p, context_health(reader, project=p.name)) for p in projects]
    return render(request, "graphapi/start.html", {"reports": reports, "pulse": pass_pulse(), "section": "start"})


@reader_required
def pulse(request: HttpRequest) -> HttpResponse:
    """What the start page compares with to know that a pass moved: one token, from one query."""
    return JsonResponse({"pulse": pass_pulse()})


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
