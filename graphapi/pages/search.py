"""Search over one project, with the shelves that the tools serve."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from graphapi.domain.artifact import KINDS
from graphapi.pages.frame import chosen, context_page, frame_of, given, page_reader, show
from graphapi.reads.catalogue import SEARCH

_LIMIT = 10


@context_page
def search(request: HttpRequest) -> HttpResponse:
    """The form and, once something is asked, its answer."""
    asked = given(request.GET, "query", "deleted", "project")
    kinds = chosen(request.GET, "kind")
    frame = frame_of(request, asked.get("project"), "search")
    form = {"query": asked.get("query", ""), "deleted": asked.get("deleted"), "kinds": kinds.get("kind", [])}
    reader = page_reader(request)
    if "project" in asked:
        # Refused here too, where nothing is asked of it yet.
        reader.reach(asked["project"])
    answer: Any = SEARCH(reader, limit=_LIMIT, **asked, **kinds) if "query" in asked else None
    return show(request, "search.html", answer, frame, form=form, all_kinds=KINDS)


@context_page
def project_home(request: HttpRequest, project: str) -> HttpResponse:
    """A project's address by itself leads to its search."""
    response: HttpResponse = redirect("context")
    response["Location"] += f"?project={project}"
    return response
