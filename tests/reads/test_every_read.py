"""What holds for every read alike: stamps, project keys, one refusal shape, the budget, and that nothing changes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from graphapi.connectors import base
from graphapi.domain.refusals import Refusal
from graphapi.ingest.passes import run_pass
from graphapi.models import IngestPass, Project
from graphapi.reads.artifact import get_artifact
from graphapi.reads.authoring import get_authoring_context
from graphapi.reads.backlog import list_backlog
from graphapi.reads.budget import size
from graphapi.reads.health import context_health
from graphapi.reads.reader import Reader
from graphapi.reads.refused import refusal_payload
from graphapi.reads.scope import get_scope
from graphapi.reads.search import search_context

Read = Callable[..., dict[str, Any]]

READS: dict[str, tuple[Read, dict[str, Any]]] = {
    "search": (search_context, {"query": "berth map"}),
    "search that finds nothing": (search_context, {"query": "zeppelin"}),
    "search of what is deleted": (
        search_context,
        {"query": "berth", "deleted": "include", "inferred": "all", "limit": 50},
    ),
    "brief": (get_artifact, {"artifact_id": "STORY-001"}),
    "full record": (get_artifact, {"artifact_id": "STORY-001", "history_after": ""}),
    "record with what was withdrawn": (get_artifact, {"artifact_id": "STORY-001", "deleted": "include"}),
    "branch": (get_artifact, {"artifact_id": "EPIC-001", "depth": 2}),
    "declared branch": (get_artifact, {"artifact_id": "EPIC-001", "depth": "declared"}),
    "backlog": (list_backlog, {}),
    "filtered backlog": (list_backlog, {"status": ["ready"], "pbi_type": ["story"], "deleted": "include", "limit": 2}),
    "drift": (get_scope, {"question": "drift"}),
    "drift of a branch": (get_scope, {"question": "drift", "artifact_id": "EPIC-001"}),
    "deltas": (get_scope, {"question": "deltas", "since": "2025-01-01", "until": "2027-01-01"}),
    "deltas of a branch by ingest": (get_scope, {"question": "deltas", "artifact_id": "EPIC-001", "clock": "ingest"}),
    "binding": (get_scope, {"question": "binding", "artifact_id": "STORY-001"}),
    "binding on a topic": (get_scope, {"question": "binding", "topic": "berth map"}),
    "binding by path": (get_scope, {"question": "binding", "path": "src/berths.py"}),
    "authoring": (get_authoring_context, {"intent": "a map of berths"}),
    "health": (context_health, {}),
}

REFUSED: dict[str, tuple[Read, dict[str, Any], str]] = {
    "no such project": (search_context, {"query": "x", "project": "nope"}, "nope"),
    "project and projects": (search_context, {"query": "x", "project": "product", "projects": ["product"]}, "projects"),
    "an empty query": (search_context, {"query": "  "}, "query"),
    "a limit out of range": (search_context, {"query": "x", "limit": 51}, "51"),
    "a kind there is not": (search_context, {"query": "x", "kind": ["wiki"]}, "wiki"),
    "a word deleted does not take": (search_context, {"query": "x", "deleted": "yes"}, "yes"),
    "a word inferred does not take": (search_context, {"query": "x", "inferred": "some"}, "some"),
    "no such artifact": (get_artifact, {"artifact_id": "STORY-999"}, "STORY-999"),
    "an id that is none": (get_artifact, {"artifact_id": "x" * 60_000}, "no artifact here"),
    "an id with half a character": (get_artifact, {"artifact_id": "STORY-\ud800"}, "no artifact here"),
    "an id that goes on after a NUL": (get_artifact, {"artifact_id": "STORY-001\0"}, "no artifact here"),
    "a scope that is none": (get_scope, {"question": "binding", "artifact_id": "x" * 60_000}, "no artifact here"),
    "history on a branch": (get_artifact, {"artifact_id": "EPIC-001", "depth": 1, "history_after": ""}, "history"),
    "a depth below nought": (get_artifact, {"artifact_id": "EPIC-001", "depth": -1}, "-1"),
    "a depth that is a word": (get_artifact, {"artifact_id": "EPIC-001", "depth": "deep"}, "deep"),
    "a history cursor of nobody's": (get_artifact, {"artifact_id": "STORY-001", "history_after": "???"}, "cursor"),
    "a status nothing has": (list_backlog, {"status": ["nope"]}, "nope"),
    "a cursor of nobody's": (list_backlog, {"cursor": "made-up"}, "cursor"),
    "too many rows a page": (list_backlog, {"limit": 201}, "201"),
    "a question there is not": (get_scope, {"question": "vibes"}, "vibes"),
    "a topic for drift": (get_scope, {"question": "drift", "topic": "x"}, "topic"),
    "a window that is none": (get_scope, {"question": "deltas", "since": "2026-02-01", "until": "2026-01-01"}, "since"),
    "a date that is none": (get_scope, {"question": "deltas", "since": "yesterday"}, "yesterday"),
    "a clock there is not": (get_scope, {"question": "deltas", "clock": "wall"}, "wall"),
    "binding on nothing": (get_scope, {"question": "binding"}, "scope"),
    "binding on two things": (get_scope, {"question": "binding", "topic": "x", "artifact_id": "STORY-001"}, "topic"),
    "a path with a topic": (get_scope, {"question": "binding", "path": "a.py", "topic": "x"}, "path"),
    "a path with a depth": (get_scope, {"question": "binding", "path": "a.py", "depth": 1}, "depth"),
    "an empty intent": (get_authoring_context, {"intent": ""}, "intent"),
}  # fmt: skip


@pytest.fixture
def told(project: Project, repo: Any, ingest: Any) -> Project:
    """A small product with something for every read to say, one item gone and one note withheld."""
    config = (repo.root / "revetly.toml").read_text()
    repo.write("revetly.toml", config + '[extraction]\nwithhold = ["conversations/private/**"]\n')
    repo.item("EPIC-001", "All of the harbour.", type="epic", status="in-progress")
    repo.item("FEAT-001", "The berth map.", type="feature", parent="EPIC-001", status="in-progress")
    criteria = "\n## Acceptance criteria\n\n- The map shows every berth.\n- It prints.\n"
    repo.item("STORY-001", f"A berth map for skippers, see DEC-001.\n{criteria}", type="story", parent="FEAT-001",
              status="done", cited_sources=["CONV-001", "DEC-001"])  # fmt: skip
    repo.item("STORY-002", "Berth prices on the map.", type="story", parent="FEAT-001", status="ready")
    repo.item("STORY-003", "A berth map of paper.", type="story", parent="FEAT-001", status="ready")
    repo.item("CONV-001", "They asked for a berth map.", folder="conversations", captured_at="2025-12-01")
    repo.item("CONV-009", "Secret words.", folder="conversations/private")
    repo.item("DEC-001", "## Decision\n\nThe berth map is drawn from one table.\n", folder="decisions",
              captured_at="2025-12-02")  # fmt: skip
    repo.item("DEC-002", "## Decision\n\nThe map of STORY-001 prints in colour.\n", folder="decisions",
              captured_at="2025-12-20", revises=["STORY-001"], supersedes=["DEC-001"])  # fmt: skip
    repo.item("DEL-001", "Shipped.", folder="deliveries", delivers=["STORY-001"], delivered_at="2026-01-20")
    repo.commit("all of it", "2026-01-10")
    ingest()
    (repo.root / "backlog/STORY-003.md").unlink()
    repo.commit("no paper", "2026-01-12")
    assert ingest().state != "failed"
    return project


@pytest.fixture(params=READS)
def answer(request: pytest.FixtureRequest, told: Project, reader: Reader) -> dict[str, Any]:
    read, arguments = READS[request.param]
    return read(reader, **arguments)


def keys_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys_in, value.values()))
    return set().union(*map(keys_in, value)) if isinstance(value, list) else set()


@pytest.mark.requirement("freshness.on-every-read")
@pytest.mark.requirement("projects.one-project-no-key")
@pytest.mark.requirement("refusals.no-other-error-key")
@pytest.mark.requirement("budget.every-read")
def test_every_answer_is_stamped_within_the_budget_and_names_no_project_where_there_is_one(answer) -> None:
    assert set(answer["freshness"]) == {"oldest_read_at", "watching"}
    assert not {"project", "projects"} & keys_in(answer)
    assert not {"error", "errors", "message"} & set(answer)
    assert answer["withheld"]["artifacts"] == ["CONV-009"]
    # The health read has a history of its own, with a row for every source.
    assert "context_health" not in answer and ("history" not in answer or "sources" in answer)
    assert size(answer) <= 32 * 1024
    assert json.loads(json.dumps(answer)) == answer


@pytest.mark.requirement("withheld.not-searchable")
def test_withheld_words_and_their_title_stand_in_no_answer(answer) -> None:
    text = json.dumps(answer, ensure_ascii=False)
    assert "Secret words" not in text and "Title of CONV-009" not in text


@pytest.mark.requirement("lite.words-never-used")
def test_a_lite_answer_calls_nothing_it_serves_semantic_vector_or_inferred(answer) -> None:
    def values(value: Any) -> list[str]:
        if isinstance(value, dict):
            return [v for inner in value.values() for v in values(inner)]
        return [v for inner in value for v in values(inner)] if isinstance(value, list) else [str(value)]

    for text in values(answer):
        assert not any(word in text.lower() for word in ("semantic", "vector", "inferred", "concept")), text


@pytest.mark.requirement("history.every-read")
@pytest.mark.requirement("history.no-unasked-reach")
def test_every_answer_carries_the_floor_and_reads_no_further_back(told, reader, monkeypatch) -> None:
    told.sources.filter(source="notes").update(floor=date(2025, 6, 1))

    def unasked(*args: object, **kwargs: object) -> None:
        raise AssertionError("a read asked a source")

    for name in ("backlog.BacklogConnector", "notes.NotesConnector", "commits.CommitsConnector"):
        monkeypatch.setattr(f"graphapi.connectors.{name}.read", unasked)
    for read, arguments in READS.values():
        answer = read(reader, **arguments)
        floors = answer["history"]
        if read is context_health:
            assert "2025-06-01" in json.dumps(floors)
        else:
            assert floors == {"floors": {"notes": "2025-06-01"}}
    assert base.Connector is not None


@pytest.mark.requirement("freshness.health-key-after-failure")
def test_every_answer_after_a_failed_pass_says_so_and_serves_what_was_held(told, reader) -> None:
    IngestPass.objects.create(project=told, state="failed", error="the disk is full")
    for name, (read, arguments) in READS.items():
        answer = read(reader, **arguments)
        assert "failed" in json.dumps(answer["context_health"]), name


@pytest.mark.requirement("projects.answer-names-project")
@pytest.mark.requirement("projects.argument")
@pytest.mark.requirement("projects.default-answers")
def test_with_several_projects_every_answer_says_which_one_answered(told, another, reader, store) -> None:
    other, _ = another("other")
    run_pass(other, store)
    for name, (read, arguments) in READS.items():
        assert read(reader, **arguments)["project"] == "product", name
        assert read(reader, **arguments, project="product")["project"] == "product", name
        if "artifact_id" not in arguments:
            assert read(reader, **arguments, project="other")["project"] == "other", name
            spanning = read(reader, **arguments, projects=["other", "product"])
            assert spanning["projects"] == ["other", "product"] and "project" not in spanning, name
            assert set(spanning["freshness"]) == {"other", "product"}, name


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.requirement("refusals.one-shape")
@pytest.mark.requirement("refusals.detail-and-fix")
def test_what_cannot_be_answered_is_refused_in_one_shape_naming_what_it_was(case, told, reader) -> None:
    read, arguments, named = REFUSED[case]
    with pytest.raises(Refusal) as caught:
        read(reader, **arguments)
    refusal = refusal_payload(caught.value)["refusal"]
    assert all(isinstance(refusal[key], str) and refusal[key] for key in ("code", "detail", "fix"))
    assert named in refusal["detail"], refusal


@pytest.mark.requirement("refusals.one-shape")
def test_a_store_that_is_down_and_a_declaration_that_will_not_do_are_refusals_too(told, repo, reader) -> None:
    repo.write("revetly.toml", "[nonsense]\n")
    with pytest.raises(Refusal) as caught:
        search_context(reader, query="berth")
    assert refusal_payload(caught.value)["refusal"]["code"] == "refused"


def snapshot(root: Path, project: Project, store: Any) -> tuple[Any, ...]:
    database = {
        model._meta.label: sorted(map(repr, model.objects.values_list()))
        for model in apps.get_app_config("graphapi").get_models()
    }
    ids = sorted(i for i, _, _ in store.artifact_digests(project.namespace))
    links = store.neighbours(project.namespace, ids, deleted="include", limit=10000)
    status = subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, check=True).stdout
    files = sorted((str(p), p.stat().st_mtime_ns) for p in root.rglob("*") if p.is_file() and ".git" not in p.parts)
    return database, store.get(project.namespace, ids), links, status, files


@pytest.mark.requirement("catalogue.reads-change-nothing")
@pytest.mark.requirement("path.nothing-stored")
def test_no_read_changes_anything(told, repo, reader, store) -> None:
    before = snapshot(repo.root, told, store)
    for read, arguments in READS.values():
        read(reader, **arguments)
    for read, arguments, _ in REFUSED.values():
        with pytest.raises(Refusal):
            read(reader, **arguments)
    assert snapshot(repo.root, told, store) == before


@pytest.mark.requirement("bears.stable")
def test_asked_twice_every_read_answers_the_same(told, reader) -> None:
    for name, (read, arguments) in READS.items():
        assert read(reader, **arguments) == read(reader, **arguments), name


def cuts_in(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, list):
        return [c for inner in value for c in cuts_in(inner)]
    if not isinstance(value, dict):
        return []
    own = [(k, v) for k, v in value.items() if k.endswith("truncated") or k.startswith("truncated") or k == "withdrawn"]
    return own + [c for inner in value.values() for c in cuts_in(inner)]


@pytest.mark.requirement("budget.every-read")
@pytest.mark.requirement("budget.cut-keys")
@pytest.mark.parametrize("budget", [4096, 6000, 9000])
def test_every_read_keeps_to_a_smaller_budget_and_tells_every_cut_alike(budget, harbour, within_budget) -> None:
    corpus, _ = harbour()
    epic = corpus.gold.slots.branches[0].epic
    told_cuts = 0
    for name, (read, arguments) in READS.items():
        arguments = dict(arguments)
        if "artifact_id" in arguments:
            arguments["artifact_id"] = epic
        answer = read(within_budget(budget), **arguments)
        assert size(answer) <= budget, name
        for key, report in cuts_in(answer):
            if isinstance(report, dict):
                told_cuts += 1
                assert {"reason", "whole", "listed", "note"} <= set(report), (name, key, report)
                assert report["whole"] >= report["listed"] >= 0 and 0 < len(report["note"]) < 90, (name, key, report)
    assert told_cuts > 3
