"""Whom an artifact scope is about: the artifact, what is beneath it and what it hangs under, here and in imports."""

from __future__ import annotations

import pytest

from graphapi.domain.refusals import BadArguments, UnknownArtifact, UnknownProject
from graphapi.ingest.passes import run_pass
from graphapi.reads import binding_scope
from graphapi.reads.binding import binding
from tests.reads.binding_answers import decision, ids, row, tree

requirement = pytest.mark.requirement


@pytest.fixture
def branch(repo, ingest):
    """Every level cites a note of its own, and so does a second story of the feature."""
    tree(repo, EPIC_000=["DEC-000"], FEAT_000=["DEC-001"], STORY_000=["DEC-002"], STORY_001=["DEC-003"])
    for number in range(4):
        decision(repo, f"DEC-00{number}")
    repo.commit()
    ingest()


@requirement("binding.artifact-scope")
def test_a_scope_covers_its_root_what_is_beneath_it_and_what_it_hangs_under(branch, reader) -> None:
    assert set(ids(binding(reader, artifact_id="FEAT-000"))) == {"DEC-000", "DEC-001", "DEC-002", "DEC-003"}
    story = binding(reader, artifact_id="STORY-000")
    assert set(ids(story)) == {"DEC-000", "DEC-001", "DEC-002"}
    assert story["scope"] == {"artifact_id": "STORY-000", "members": 3}


@requirement("bears.no-sibling")
def test_no_sibling_leads_to_what_it_alone_cites_adjacent_though_it_is(repo, ingest, reader) -> None:
    tree(repo, STORY_001=["DEC-000"])
    repo.item("STORY-000", "It waits for STORY-001.", parent="FEAT-000")
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    assert ids(binding(reader, artifact_id="STORY-000")) == []


def test_a_depth_bounds_the_branch_and_not_the_way_up(branch, reader) -> None:
    assert set(ids(binding(reader, artifact_id="FEAT-000", depth=0))) == {"DEC-000", "DEC-001"}
    assert set(ids(binding(reader, artifact_id="EPIC-000", depth=1))) == {"DEC-000", "DEC-001"}


def test_a_branch_larger_than_a_scope_says_what_it_left_out(branch, reader, monkeypatch) -> None:
    monkeypatch.setattr(binding_scope, "SCOPE_MEMBERS", 2)
    answer = binding(reader, artifact_id="EPIC-000")
    assert set(ids(answer)) == {"DEC-000", "DEC-001"}
    assert answer["scope"]["members_truncated"]["reason"] == "cap"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({}, "scope"),
        ({"artifact_id": "STORY-000", "topic": "words"}, "artifact_id and topic"),
        ({"topic": "words", "depth": 1}, "topic and depth"),
        ({"artifact_id": "STORY-000", "limit": 0}, "limit"),
        ({"artifact_id": "STORY-000", "limit": 201}, "limit"),
        ({"artifact_id": "STORY-000", "depth": -1}, "depth"),
        ({"topic": "   "}, "topic"),
        ({"topic": "w" * 5000}, "topic"),
        ({"path": ""}, "path"),
        ({"path": "src/\0.py"}, "path"),
    ],
)
def test_arguments_that_name_no_single_scope_are_refused_by_name(branch, reader, arguments, named) -> None:
    with pytest.raises(BadArguments, match=named):
        binding(reader, **arguments)


@requirement("deleted.other-values-refused")
def test_another_value_of_deleted_is_refused_by_name(branch, reader) -> None:
    with pytest.raises(BadArguments, match="deleted='yes'"):
        binding(reader, artifact_id="STORY-000", deleted="yes")


@requirement("projects.undeclared-refused")
def test_an_id_or_a_project_that_is_not_here_is_refused(branch, reader) -> None:
    with pytest.raises(UnknownArtifact, match="STORY-999"):
        binding(reader, artifact_id="STORY-999")
    with pytest.raises(UnknownProject, match="atlantis") as refused:
        binding(reader, artifact_id="STORY-000", project="atlantis")
    assert "product" in refused.value.fix


@requirement("projects.one-project-no-key")
def test_one_declared_project_is_named_nowhere(branch, reader) -> None:
    for scope in ({"artifact_id": "STORY-000"}, {"topic": "decided"}, {"path": "src/a.py"}):
        answer = binding(reader, **scope)
        assert '"project' not in repr(answer).replace("'", '"')


@requirement("projects.questions-reach-imports", "projects.argument", "projects.answer-names-project")
def test_a_scope_reaches_what_the_project_imports_and_says_whose_each_row_is(
    repo, ingest, project, another, store, reader
) -> None:
    engine, other = another("engine")
    project.imports.add(engine)
    repo.item("STORY-000", "As ENG-1 has it.", cited_sources=["DEC-777"])
    repo.commit()
    other.item("DEC-777", "The engine decided.", folder="decisions")
    other.item("DEC-778", "Another thing.", folder="decisions", related=["STORY-000"])
    other.commit()
    ingest()
    run_pass(engine, store)
    answer = binding(reader, artifact_id="STORY-000", project="product")
    assert answer["project"] == "product"
    assert row(answer, "DEC-777")["project"] == "engine"
    assert row(answer, "DEC-777")["method"] == "cites"
    topic = binding(reader, topic="engine decided")
    assert ids(topic) == ["DEC-777"]
    with pytest.raises(UnknownArtifact):
        binding(reader, artifact_id="STORY-000", project="engine")


@requirement("projects.default-answers", "projects.unimported-unreached")
def test_naming_no_project_reads_the_default_and_nothing_it_does_not_import(
    repo, ingest, project, another, store, reader
) -> None:
    engine, other = another("engine")
    repo.item("STORY-000", cited_sources=["DEC-777"])
    repo.commit()
    other.item("DEC-777", "The engine decided.", folder="decisions")
    other.commit()
    ingest()
    run_pass(engine, store)
    answer = binding(reader, artifact_id="STORY-000")
    assert (answer["project"], ids(answer)) == ("product", [])
    assert ids(binding(reader, topic="engine decided")) == []


@requirement("projects.spanning-names-projects")
def test_a_topic_over_two_projects_names_both(repo, ingest, project, another, store, reader) -> None:
    engine, other = another("engine")
    decision(repo, "DEC-001", "Berths are booked by phone.")
    repo.commit()
    other.item("DEC-001", "Berths are booked by radio.", folder="decisions")
    other.commit()
    ingest()
    run_pass(engine, store)
    answer = binding(reader, topic="booked berths", projects=["product", "engine"])
    assert answer["projects"] == ["product", "engine"] and "project" not in answer
    assert {(r["artifact_id"], r["project"]) for r in answer["statements"]} == {
        ("DEC-001", "product"),
        ("DEC-001", "engine"),
    }


def test_a_branch_that_crosses_projects_is_one_scope(repo, ingest, project, another, store, reader) -> None:
    engine, other = another("engine")
    project.imports.add(engine)
    repo.item("EPIC-000", type="epic", cited_sources=["DEC-000"])
    decision(repo, "DEC-000")
    repo.commit()
    other.item("TASK-001", parent="EPIC-000", cited_sources=["DEC-500"])
    other.item("DEC-500", "Decided there.", folder="decisions")
    other.commit()
    ingest()
    run_pass(engine, store)
    answer = binding(reader, artifact_id="EPIC-000")
    assert row(answer, "DEC-500")["bears_on"] == "TASK-001"
    assert row(answer, "DEC-500")["project"] == "engine"
    assert row(answer, "DEC-000")["bears_on"] == "EPIC-000"


@requirement("deleted.include", "deleted.only", "deleted.marks", "deleted.clock-beside-date")
def test_withdrawn_notes_are_served_only_when_asked_for_and_marked(repo, ingest, reader) -> None:
    repo.item("STORY-000", cited_sources=["DEC-000", "DEC-001"])
    decision(repo, "DEC-000")
    decision(repo, "DEC-001")
    repo.commit()
    ingest()
    (repo.root / "decisions/DEC-001.md").unlink()
    repo.commit("drop it", "2026-05-01")
    ingest()
    assert ids(binding(reader, artifact_id="STORY-000")) == ["DEC-000"]
    assert set(ids(binding(reader, artifact_id="STORY-000", deleted="include"))) == {"DEC-000", "DEC-001"}
    only = binding(reader, artifact_id="STORY-000", deleted="only")
    assert ids(only) == ["DEC-001"]
    gone = row(only, "DEC-001")
    assert (gone["deleted"], gone["deleted_at"][:10], gone["deleted_clock"]) == (True, "2026-05-01", "source-declared")


def test_a_deleted_root_says_so_and_is_read_when_deleted_work_is_asked_for(repo, ingest, reader) -> None:
    repo.item("STORY-000", cited_sources=["DEC-000"])
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    (repo.root / "backlog/STORY-000.md").unlink()
    repo.commit("drop it", "2026-05-01")
    ingest()
    answer = binding(reader, artifact_id="STORY-000")
    assert answer["scope"]["deleted"] is True
    assert answer["statements"] == [] and "deleted='include'" in answer["note"]
    assert ids(binding(reader, artifact_id="STORY-000", deleted="include")) == ["DEC-000"]
