"""No read changes anything, whichever door it comes through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model

from graphapi.domain.refusals import Refusal
from graphapi.models import Project
from graphapi.reads.catalogue import ARTIFACT, AUTHORING, BACKLOG, HEALTH, SCOPE, SEARCH, Read
from graphapi.reads.reader import Reader
from graphapi.store.port import GraphStore
from tests.repo import Repo

requirement = pytest.mark.requirement

CALLS: list[tuple[Read, dict[str, Any]]] = [
    (SEARCH, {"query": "berth"}),
    (SEARCH, {"query": "STORY-001", "limit": 1, "kind": ["pbi"], "deleted": "include", "inferred": "all"}),
    (SEARCH, {"query": "berth", "projects": ["product"], "deleted": "only"}),
    (ARTIFACT, {"artifact_id": "STORY-001"}),
    (ARTIFACT, {"artifact_id": "STORY-001", "history_after": ""}),
    (ARTIFACT, {"artifact_id": "STORY-001", "deleted": "only"}),
    (ARTIFACT, {"artifact_id": "EPIC-001", "depth": 1}),
    (ARTIFACT, {"artifact_id": "EPIC-001", "depth": "declared", "deleted": "include", "inferred": "all"}),
    (ARTIFACT, {"artifact_id": "STORY-404"}),
    (BACKLOG, {}),
    (BACKLOG, {"status": ["done"], "pbi_type": ["story"], "provenance": ["source-of-record"], "limit": 1}),
    (BACKLOG, {"cursor": "nonsense"}),
    (SCOPE, {"question": "drift"}),
    (SCOPE, {"question": "drift", "artifact_id": "EPIC-001", "depth": 1, "since": "2026-01-01", "until": "2026-02-01"}),
    (SCOPE, {"question": "deltas", "since": "2026-01-01", "limit": 2}),
    (SCOPE, {"question": "deltas", "artifact_id": "EPIC-001", "clock": "ingest", "deleted": "include"}),
    (SCOPE, {"question": "binding", "artifact_id": "STORY-001"}),
    (SCOPE, {"question": "binding", "topic": "berth"}),
    (SCOPE, {"question": "binding", "path": "src/quay.py"}),
    (AUTHORING, {"intent": "light the berth"}),
    (AUTHORING, {"intent": "light the berth", "limit": 1, "inferred": "all", "deleted": "include"}),
    (HEALTH, {}),
    (HEALTH, {"capture": "PASS-none", "projects": ["product"]}),
]
PAGES = [
    "/", "/pulse", "/context/?query=berth&deleted=include&kind=pbi", "/context/product/backlog?status=done",
    "/context/product/drift?since=2026-01-01", "/context/product/deltas?clock=ingest",
    "/context/product/binding?topic=berth", "/context/product/binding?path=src/quay.py",
    "/context/product/a/STORY-001", "/context/product/a/EPIC-001?deleted=include", "/context/product/graph/DEC-001",
    "/context/product/a/STORY-404", "/api/docs", "/api/schema",
]  # fmt: skip


def tables() -> Iterator[tuple[type[Model], list[dict[str, Any]]]]:
    """Every row of every table. Sessions aside: a sign-in is no read."""
    for model in apps.get_models():
        if model._meta.app_label != "sessions":
            yield model, list(model._default_manager.order_by("pk").values())


def graph(store: GraphStore, project: Project) -> list[object]:
    """Every node, body, link and statement of the project, live or not."""
    namespace = project.namespace
    digests = sorted(store.artifact_digests(namespace))
    ids = [i for i, *_ in digests]
    links = store.neighbours(namespace, ids, deleted="include", limit=10_000)
    return [digests, store.get(namespace, ids), sorted(links, key=lambda link: link.key), store.counts(namespace)]


def tree(repo: Repo) -> list[object]:
    """What git says of the working tree, where its head is, and each file with the time it was written."""
    files = sorted(p for p in repo.root.rglob("*") if p.is_file() and p.name != "index")
    written = [(str(p), p.stat().st_mtime_ns, p.read_bytes()) for p in files]
    return [repo.git("status", "--porcelain", "--ignored"), repo.git("rev-parse", "HEAD"), written]


@pytest.fixture
def all_there_is(seen, store, project) -> Callable[[], list[object]]:
    seen.write("src/quay.py", "print()\n")
    seen.write(
        "revetly.toml", (seen.root / "revetly.toml").read_text() + '[connectors.commits]\nrepositories = ["."]\n'
    )
    seen.commit("STORY-001: begin the quay")
    seen.write("backlog/STORY-001.md", "not committed")
    return lambda: [list(tables()), graph(store, project), tree(seen)]


@requirement("catalogue.reads-change-nothing")
@pytest.mark.parametrize(("read", "arguments"), CALLS, ids=lambda v: v.name if isinstance(v, Read) else None)
def test_no_form_of_a_read_changes_the_database_the_graph_or_the_tree(all_there_is, store, read, arguments) -> None:
    before = all_there_is()
    try:
        read(Reader(store), **arguments)
    except Refusal as refusal:
        assert {"STORY-404", "nonsense"} & set(arguments.values()), refusal.detail
    assert all_there_is() == before


@requirement("catalogue.reads-change-nothing")
def test_no_address_no_page_and_no_command_changes_anything(all_there_is, client, revetly) -> None:
    before = all_there_is()
    for address in [
        *PAGES, "/api/v1/search?query=berth", "/api/v1/artifacts/STORY-001?history_after=", "/api/v1/backlog",
        "/api/v1/scope?question=deltas", "/api/v1/authoring?intent=berth", "/api/v1/health?capture=PASS-none",
    ]:  # fmt: skip
        assert client.get(address).status_code in (200, 404), address
    for command in ("search berth", "inspect STORY-001 --full", "branch EPIC-001", "backlog", "drift", "deltas",
                    "binding --path src/quay.py", "status --capture PASS-none", "audit-links"):  # fmt: skip
        revetly(*command.split())
    assert all_there_is() == before
