"""Search over one project, with the shelves that the tools serve."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from graphapi.domain.artifact import KINDS
from graphapi.pages.frame import chosen, context_page, frame_of, given, page_reader, show, within_reach
from graphapi.reads.catalogue import SEARCH

_LIMIT = 10


@context_page
def search(request: HttpRequest) -> HttpResponse:
    """The form and, once something is asked, its answer."""
    asked = given(request.GET, "query", "deleted", "project")
    kinds = chosen(request.GET, "kind")
    frame = frame_of(request, asked.get("project"), "search")
    form = {"query": asked.get("query", ""), "deleted": asked.get("deleted"), "kinds": kinds.get("kind", [])}
    if "project" in asked:
        within_reach(request, asked["project"])
    answer: Any = SEARCH(page_reader(request), limit=_LIMIT, **asked, **kinds) if "query" in asked else None
    return show(request, "search.html", answer, frame, form=form, all_kinds=KINDS)


@context_page
def project_home(request: HttpRequest, project: str) -> HttpResponse:
    """A project's address by itself leads to its search."""
    within_reach(request, project)
    response: HttpResponse = redirect("context")
    response["Location"] += f"?project={project}"
    return response
