"""What every page of CONTEXT stands in: who may see it, the project it is about, and how a refusal looks."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render

from graphapi.access.reach import caller_of, reader_required
from graphapi.caveats import caveats
from graphapi.models import Project
from graphapi.reads.reader import Reader, instance_reader
from graphapi.reads.refused import REFUSED, as_refusal

P = ParamSpec("P")


def context_page(view: Callable[Concatenate[HttpRequest, P], HttpResponse]) -> Callable[..., HttpResponseBase]:
    """A page for whoever may read. What a read refuses is a page too: the code, what was refused, what to do."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except REFUSED as error:
            refusal = as_refusal(error)
            about = str(kwargs.get("project") or "") or None
            # A frame of a database that does not answer would end as the read did.
            down = isinstance(error, OperationalError | InterfaceError)
            frame = {"refusal": refusal, **({} if down else frame_of(request, about, ""))}
            return render(request, "graphapi/refused.html", frame, status=refusal.http_status)

    return reader_required(cast(Callable[Concatenate[HttpRequest, P], HttpResponse], guarded))


def page_reader(request: HttpRequest) -> Reader:
    return instance_reader(caller_of(request.user))


def within_reach(request: HttpRequest, project: str) -> None:
    """For a page that asks no read of its project. Raises ``UnknownProject``, as every read does."""
    page_reader(request).reach(project)


def frame_of(request: HttpRequest, project: str | None, section: str) -> dict[str, Any]:
    """What the frame shows: the projects within reach, the one the page is about, and which of its pages this is."""
    caller = caller_of(request.user)
    projects = [p for p in Project.objects.order_by("-is_default", "name") if caller.may_reach(p.name)]
    chosen = next((p for p in projects if p.name == project), None if project else next(iter(projects), None))
    return {"projects": projects, "project": chosen, "section": section, "several": len(projects) > 1}


def show(request: HttpRequest, template: str, answer: Any, frame: dict[str, Any], **more: Any) -> HttpResponse:
    """A page of one answer, with every caveat of it."""
    return render(
        request, f"graphapi/{template}", {**frame, "answer": answer, "caveats": caveats(answer or {}), **more}
    )


def given(query: QueryDict, *names: str) -> dict[str, Any]:
    """The text arguments that a form sent with something in them."""
    return {name: text for name in names if (text := str(query.get(name, "")).strip())}


def chosen(query: QueryDict, *names: str) -> dict[str, Any]:
    """The list arguments that a form sent."""
    return {name: values for name in names if (values := [v for v in query.getlist(name) if v])}


def onward(query: QueryDict, **changes: str | None) -> str:
    """The query string of this page with some of it changed; None takes a name out."""
    kept = query.copy()
    for name, value in changes.items():
        kept.pop(name, None)
        if value is not None:
            kept[name] = value
    return kept.urlencode()
