"""The tables of one project: its backlog, what drifted, what changed, what binds a topic or a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse

from graphapi.connectors.backlog import STATUSES
from graphapi.pages.frame import chosen, context_page, frame_of, given, onward, page_reader, show, within_reach
from graphapi.reads.catalogue import BACKLOG, SCOPE

DRIFT_LISTS: Mapping[str, tuple[str, str]] = {
    "done_without_record": ("Done without a record", "Flipped to done, and no delivery record says what shipped."),
    "unruled": ("Not ruled", "Delivered, with criteria that no record rules."),
    "no_criteria_declared": ("No criteria declared", "Delivered against no criteria: nothing was ruled."),
    "clean": ("Clean", "Delivered with a record, every criterion ruled, every verdict held."),
}


@context_page
def backlog(request: HttpRequest, project: str) -> HttpResponse:
    lists = chosen(request.GET, "status", "provenance", "pbi_type")
    texts = given(request.GET, "deleted", "cursor")
    answer = BACKLOG(page_reader(request), project=project, **lists, **texts)
    following = answer.get("next_cursor")
    form = {"deleted": texts.get("deleted"), **{name: lists.get(name, []) for name in ("status", "pbi_type")}}
    statuses = [*STATUSES, *(s for s in form["status"] if s not in STATUSES)]
    return show(
        request, "backlog.html", answer, frame_of(request, project, "backlog"), form=form, statuses=statuses,
        following=onward(request.GET, cursor=following) if following else None,
        first=onward(request.GET, cursor=None) if "cursor" in texts else None,
        here=onward(request.GET, cursor=None),
    )  # fmt: skip


@context_page
def drift(request: HttpRequest, project: str) -> HttpResponse:
    answer, form = _asked(request, project, "drift", "since", "until", "artifact_id")
    lists = [(name, *words, answer.get(name, [])) for name, words in DRIFT_LISTS.items()]
    return show(request, "drift.html", answer, frame_of(request, project, "drift"), form=form, lists=lists)


@context_page
def deltas(request: HttpRequest, project: str) -> HttpResponse:
    answer, form = _asked(request, project, "deltas", "since", "until", "clock", "artifact_id")
    return show(request, "deltas.html", answer, frame_of(request, project, "deltas"), form=form)


@context_page
def binding(request: HttpRequest, project: str) -> HttpResponse:
    """What binds a topic, or what is behind a file; the form alone before either is asked."""
    within_reach(request, project)
    form = given(request.GET, "topic", "path")
    answer = SCOPE(page_reader(request), question="binding", project=project, **form) if form else None
    return show(request, "binding.html", answer, frame_of(request, project, "binding"), form=form)


def _asked(request: HttpRequest, project: str, question: str, *names: str) -> tuple[Mapping[str, Any], dict[str, Any]]:
    form = given(request.GET, *names)
    return SCOPE(page_reader(request), question=question, project=project, **form), form
