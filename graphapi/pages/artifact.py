"""One artifact: its words, its links, its history, its branch, what binds it, and its neighbourhood as a picture."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from graphapi.caveats import caveats
from graphapi.domain.ids import id_problem
from graphapi.domain.refusals import UnknownArtifact
from graphapi.pages.frame import context_page, frame_of, given, page_reader, show, within_reach
from graphapi.pages.markdown import markdown
from graphapi.pages.neighbourhood import neighbours, picture
from graphapi.reads.branch_tree import as_tree
from graphapi.reads.catalogue import ARTIFACT, SCOPE
from graphapi.reads.reader import Reader


@context_page
def artifact(request: HttpRequest, project: str, artifact_id: str) -> HttpResponse:
    reader = page_reader(request)
    asked = given(request.GET, "deleted")
    history_after = request.GET.get("history_after", "")
    record = ARTIFACT(reader, artifact_id=artifact_id, history_after=history_after, project=project, **asked)
    words = markdown(record.get("body") or "", addresses(record, project))
    return show(
        request, "artifact.html", record, frame_of(request, project, ""), record=record, words=words,
        paged=bool(history_after),
        metadata=[(key, _plain(value)) for key, value in (record.get("metadata") or {}).items()],
        web=str(record.get("source_uri") or "").startswith(("http://", "https://")),
        **_around(reader, record, project),
    )  # fmt: skip


@context_page
def neighbourhood(request: HttpRequest, project: str, artifact_id: str) -> HttpResponse:
    record = ARTIFACT(page_reader(request), artifact_id=artifact_id, history_after="", project=project)
    drawn = picture(neighbours(record.get("links") or ()))
    return show(request, "neighbourhood.html", record, frame_of(request, project, ""), record=record, picture=drawn)


@context_page
def open_artifact(request: HttpRequest, project: str) -> HttpResponse:
    """Where the box of an id leads: the page of the id that was typed."""
    within_reach(request, project)
    wanted = request.GET.get("id", "").strip()
    if not wanted:
        return redirect("start")
    if problem := id_problem(wanted):
        raise UnknownArtifact(f"{problem}, so it is none of an artifact here", fix="give an id as a source writes it")
    return redirect("artifact", project, wanted)


def addresses(record: Mapping[str, Any], project: str) -> dict[str, str]:
    """The page of every artifact that the record links to, by id."""
    return {
        link["artifact_id"]: reverse("artifact", args=[link.get("project") or project, link["artifact_id"]])
        for link in record.get("links") or ()
    }


def _plain(value: Any) -> str:
    """A value of a source's metadata in a few words."""
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _around(reader: Reader, record: Mapping[str, Any], project: str) -> dict[str, Any]:
    """What stands around a live artifact: its branch where it has one, what binds it, what it drifted."""
    if record.get("deleted") or record.get("in_context") is False:
        return {}
    artifact_id = record["artifact_id"]
    binding = SCOPE(reader, question="binding", artifact_id=artifact_id, project=project)
    out: dict[str, Any] = {"binding": binding, "binding_caveats": _cuts(binding)}
    if record.get("kind") == "pbi":
        branch = ARTIFACT(reader, artifact_id=artifact_id, depth="declared", project=project)
        drift = SCOPE(reader, question="drift", artifact_id=artifact_id, depth=0, project=project)
        out |= {"branch": branch, "nodes": as_tree(branch["nodes"]), "branch_caveats": _cuts(branch), "drift": drift}
    return out


def _cuts(answer: Mapping[str, Any]) -> list[Any]:
    """The caveats of an answer beside the record's own, which carries the stamps of them all."""
    return [caveat for caveat in caveats(answer) if caveat.kind in ("cut", "absent", "order", "ended")]
