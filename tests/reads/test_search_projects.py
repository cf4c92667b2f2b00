"""A search over several projects: what it reaches, what its rows say."""

from __future__ import annotations

import dataclasses

import pytest

from graphapi.access.caller import Caller
from graphapi.domain.refusals import UnknownProject
from graphapi.ingest.passes import run_pass
from graphapi.reads.search import search_context

requirement = pytest.mark.requirement


@pytest.fixture
def three(another, store):
    """``port`` (the default) imports ``engine``, which imports ``yard``; all three speak of the quay."""
    yard, of_yard = another("yard")
    engine, of_engine = another("engine", imports=[yard])
    port, of_port = another("port", imports=[engine], default=True)
    of_yard.item("STORY-300", "The quay of the yard.", title="Yard quay")
    of_engine.item("DEC-200", "The quay of the engine.", title="Engine quay", folder="decisions")
    of_engine.item("STORY-200", "Nothing.", title="Pump")
    of_engine.item("EPIC-200", "The quay works.", title="Engine works", type="epic")
    of_engine.item("STORY-201", "The quay wall.", title="Engine wall", parent="EPIC-200")
    of_port.item("STORY-100", "The quay of the port.", title="Port quay", cited_sources=["DEC-200"], parent="EPIC-200")
    for repo in (of_yard, of_engine, of_port):
        repo.commit()
    for project in (yard, engine, port):
        assert run_pass(project, store).state in ("green", "amber")
    return yard, engine, port


def found(answer) -> dict[str, str]:
    return {row["artifact_id"]: row["project"] for row in answer["artifacts"]}


@requirement("projects.questions-reach-imports", "projects.unimported-unreached", "projects.default-answers")
def test_a_search_reaches_what_the_project_imports_and_one_step_only(three, reader) -> None:
    answer = search_context(reader, query="quay")
    assert answer["project"] == "port"
    assert found(answer) == {"STORY-100": "port", "DEC-200": "engine", "STORY-201": "engine", "EPIC-200": "engine"}
    assert {row["artifact_id"]: row["project"] for row in answer["passages"]} == found(answer)
    assert set(found(search_context(reader, query="quay", project="yard"))) == {"STORY-300"}


@requirement("projects.argument", "projects.answer-names-project")
def test_the_project_named_is_the_one_read_as(three, reader) -> None:
    answer = search_context(reader, query="quay", project="engine")
    assert answer["project"] == "engine"
    assert set(found(answer).values()) == {"engine", "yard"}


@requirement("projects.spanning-names-projects")
def test_a_search_over_several_says_which(three, reader) -> None:
    answer = search_context(reader, query="quay", projects=["yard", "port"])
    assert answer["projects"] == ["yard", "port"] and "project" not in answer
    assert set(answer["freshness"]) == {"yard", "port"}
    assert {"STORY-300", "STORY-100", "DEC-200"} <= set(found(answer))


@requirement("projects.undeclared-refused")
def test_a_project_that_is_not_declared_is_refused(three, reader) -> None:
    with pytest.raises(UnknownProject, match="nowhere"):
        search_context(reader, query="quay", project="nowhere")


def test_an_import_outside_the_grant_is_not_searched(three, reader) -> None:
    narrow = dataclasses.replace(reader, caller=Caller("ada", frozenset({"port"})))
    assert found(search_context(narrow, query="quay")) == {"STORY-100": "port"}


def test_a_link_into_an_imported_project_is_in_links_and_its_relation_in_facts(three, reader) -> None:
    answer = search_context(reader, query="quay port")
    rows = {row["artifact_id"]: row for row in answer["artifacts"]}
    assert rows["STORY-100"]["links"] == {"cites": ["DEC-200"]}
    assert rows["DEC-200"]["links"] == {"cited_by": ["STORY-100"]}
    crossing = next(row for row in answer["facts"] if row["endpoints"] == ["STORY-100", "EPIC-200"])
    assert crossing == {
        "fact": "STORY-100 parent EPIC-200", "endpoints": ["STORY-100", "EPIC-200"], "project": "port",
        "relation": "parent", "method": "parent",
    }  # fmt: skip
    assert answer["facts"][0]["project"] in ("port", "engine")


def test_two_projects_with_one_id_are_two_rows(three, store, reader, another) -> None:
    twin, repo = another("twin", imports=[three[2]])
    repo.item("STORY-100", "The quay of the twin.", title="Twin quay")
    repo.commit()
    run_pass(twin, store)
    rows = search_context(reader, query="quay", project="twin")["artifacts"]
    assert {(row["artifact_id"], row["project"]) for row in rows} == {("STORY-100", "twin"), ("STORY-100", "port")}


@requirement("projects.one-project-no-key")
def test_with_one_project_no_key_names_it(repo, ingest, reader) -> None:
    repo.item("STORY-001", "The quay.", title="Quay", parent="EPIC-001")
    repo.item("EPIC-001", "The quay.", title="Quay works", type="epic")
    repo.commit()
    ingest()
    answer = str(search_context(reader, query="quay"))
    assert "'project'" not in answer and "'projects'" not in answer
