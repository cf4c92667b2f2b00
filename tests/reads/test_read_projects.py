"""Several projects on one instance: which answers, what it reaches, and how rows say so (004 section 5, project)."""

from __future__ import annotations

import dataclasses
import json

import pytest

from graphapi.access.caller import Caller
from graphapi.domain.refusals import UnknownProject
from graphapi.ingest.passes import run_pass
from graphapi.reads.artifact import get_artifact
from graphapi.reads.backlog import list_backlog
from graphapi.reads.budget import size
from graphapi.reads.health import context_health

requirement = pytest.mark.requirement


@pytest.fixture
def two(another, repo, ingest, project, store):
    """``asking`` (the default) imports ``product``; each has a decision on the other's story, and one id is both's."""
    asking, its = another("asking", imports=[project], default=True)
    its.item("EPIC-1")
    its.item("STORY-1", "Ours.", parent="EPIC-1", status="ready")
    its.item("STORY-5", "Follows FEAT-9.", parent="FEAT-9", status="ready")
    its.item("DEC-A", folder="decisions", revises=["STORY-9"])
    its.commit("all", "2026-02-01")
    repo.item("STORY-1", "Theirs.")
    repo.item("FEAT-9")
    repo.item("STORY-9", parent="FEAT-9")
    repo.item("DEC-P", folder="decisions", revises=["STORY-5"])
    repo.commit("all", "2026-02-01")
    run_pass(asking, store)
    ingest()
    return asking


def ids(answer):
    return [(row["artifact_id"], row["project"]) for row in answer["items"]]


@requirement("projects.argument")
@requirement("projects.default-answers")
@requirement("projects.answer-names-project")
def test_the_default_answers_unless_another_is_named_and_the_answer_says_which(two, reader) -> None:
    assert get_artifact(reader, artifact_id="STORY-1")["body"].strip() == "Ours."
    theirs = get_artifact(reader, artifact_id="STORY-1", project="product")
    assert (theirs["project"], theirs["body"].strip()) == ("product", "Theirs.")
    assert get_artifact(reader, artifact_id="STORY-1", depth=0)["project"] == "asking"
    assert (list_backlog(reader)["project"], context_health(reader)["project"]) == ("asking", "asking")
    assert context_health(reader, project="product")["project"] == "product"


@requirement("projects.questions-reach-imports")
@requirement("projects.unimported-unreached")
def test_an_id_is_found_in_what_the_project_imports_and_in_nothing_else(two, another, reader, store) -> None:
    found = get_artifact(reader, artifact_id="STORY-9")
    assert (found["project"], found["revised_by"]) == ("product", [{"id": "DEC-A"}])
    assert get_artifact(reader, artifact_id="STORY-5")["declared_links"] == {
        "parent": ["FEAT-9"],
        "references": ["FEAT-9"],
    }
    with pytest.raises(UnknownProject.__mro__[1]) as refused:
        get_artifact(reader, artifact_id="EPIC-1", project="product")
    assert refused.value.code == "unknown-artifact"
    third, its = another("third")
    its.item("STORY-33")
    its.commit()
    run_pass(third, store)
    with pytest.raises(UnknownProject.__mro__[1]):
        get_artifact(reader, artifact_id="STORY-33")
    assert "revised_by" not in get_artifact(reader, artifact_id="STORY-9", project="product"), "imports work one way"


@requirement("projects.questions-reach-imports")
def test_links_and_branches_cross_into_what_is_imported_and_rows_say_the_project(two, reader) -> None:
    full = get_artifact(reader, artifact_id="STORY-5", history_after="")
    rows = {(row["relation"], row["artifact_id"], row["project"], row["direction"]) for row in full["links"]}
    assert rows == {
        ("parent", "FEAT-9", "product", "out"), ("references", "FEAT-9", "product", "out"),
        ("revises", "DEC-P", "product", "in"),
    }  # fmt: skip
    assert {row["title"] for row in full["links"]} == {"Title of FEAT-9", "Title of DEC-P"}
    nodes = get_artifact(reader, artifact_id="FEAT-9", depth="declared")["nodes"]
    assert [(n["artifact_id"], n["project"], n["depth"]) for n in nodes] == [
        ("FEAT-9", "product", 0), ("STORY-5", "asking", 1), ("STORY-9", "product", 1),
    ]  # fmt: skip
    whole = get_artifact(reader, artifact_id="FEAT-9", depth=1, deleted="include")["nodes"]
    assert whole == nodes
    alone = get_artifact(reader, artifact_id="FEAT-9", depth=1, project="product")["nodes"]
    assert [n["artifact_id"] for n in alone] == ["FEAT-9", "STORY-9"]


def test_a_live_crossing_link_is_not_among_withdrawn_ones(two, reader) -> None:
    assert get_artifact(reader, artifact_id="STORY-5", deleted="only")["links"] == []
    assert len(get_artifact(reader, artifact_id="STORY-5", deleted="include")["links"]) == 3


@requirement("projects.backlog-own-only")
@requirement("projects.name-both")
@requirement("projects.spanning-names-projects")
@requirement("backlog.row-project")
def test_a_backlog_lists_its_own_items_and_a_neighbours_only_by_naming_both(two, reader) -> None:
    assert ids(list_backlog(reader)) == [("EPIC-1", "asking"), ("STORY-1", "asking"), ("STORY-5", "asking")]
    both = list_backlog(reader, projects=["asking", "product"])
    assert both["projects"] == ["asking", "product"]
    assert "project" not in both
    assert ids(both) == [
        ("EPIC-1", "asking"), ("FEAT-9", "product"), ("STORY-1", "asking"), ("STORY-1", "product"),
        ("STORY-5", "asking"), ("STORY-9", "product"),
    ]  # fmt: skip


@requirement("paging.serve-order")
@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_pages_over_two_projects_miss_no_row_where_both_have_one_id(two, reader, limit) -> None:
    for names in (["asking", "product"], ["product", "asking"]):
        for asked in ({}, {"status": "ready"}, {"pbi_type": "story"}):
            whole = ids(list_backlog(reader, projects=names, **asked))
            found, cursor = [], None
            while True:
                page = list_backlog(reader, projects=names, limit=limit, cursor=cursor, **asked)
                found += ids(page)
                if (cursor := page.get("next_cursor")) is None:
                    break
            assert found == whole


@requirement("projects.spanning-names-projects")
@requirement("freshness.spanning-by-name")
def test_health_over_two_projects_has_each_ones_state_under_its_name(two, reader) -> None:
    health = context_health(reader, projects=["asking", "product"])
    assert health["projects"] == ["asking", "product"]
    for key in ("sources", "corpus_revision", "artifacts", "history", "freshness", "outside_backlog", "last_pass"):
        assert health[key].keys() == {"asking", "product"}
    assert health["artifacts"]["product"]["live"] == 4
    small = context_health(dataclasses.replace(reader, budget=3000), projects=["asking", "product"])
    assert size(small) <= 3000
    assert small["sources_truncated"]["whole"] == sum(map(len, health["sources"].values()))


@requirement("projects.undeclared-refused")
def test_a_project_that_is_not_declared_is_refused_by_every_read(two, reader) -> None:
    for read in (
        lambda **p: get_artifact(reader, artifact_id="STORY-1", **p), lambda **p: list_backlog(reader, **p),
        lambda **p: context_health(reader, **p), lambda **p: get_artifact(reader, artifact_id="STORY-1", depth=1, **p),
    ):  # fmt: skip
        for asked in ({"project": "nowhere"}, {"projects": ["asking", "nowhere"]}):
            with pytest.raises(UnknownProject) as refused:
                read(**asked)
            assert "asking, product" in refused.value.fix


@requirement("projects.unimported-unreached")
def test_a_caller_is_kept_from_an_import_that_its_grant_leaves_out(two, reader) -> None:
    narrow = dataclasses.replace(reader, caller=Caller("ada", frozenset({"asking"})))
    with pytest.raises(UnknownProject.__mro__[1]) as refused:
        get_artifact(narrow, artifact_id="STORY-9")
    assert refused.value.code == "unknown-artifact"
    assert "STORY-9" not in refused.value.fix
    full = get_artifact(narrow, artifact_id="STORY-5", history_after="")
    assert full["links"] == []


@requirement("projects.one-project-no-key")
def test_with_one_project_no_answer_and_no_refusal_has_a_project_key(repo, ingest, reader) -> None:
    repo.item("EPIC-1")
    repo.item("STORY-1", "Names EPIC-1", parent="EPIC-1")
    repo.commit()
    ingest()
    answers = [
        *(get_artifact(reader, artifact_id="EPIC-1", **asked) for asked in ({}, {"deleted": "include"}, {"depth": 2})),
        list_backlog(reader), list_backlog(reader, projects=["product"]), context_health(reader),
    ]  # fmt: skip
    try:
        get_artifact(reader, artifact_id="X")
    except Exception as refused:
        answers.append(refused.as_payload())
    text = json.dumps(answers)
    assert '"project"' not in text
    assert '"projects"' not in text


@pytest.mark.requirement("deleted.by-id")
def test_ones_own_withdrawn_artifact_is_not_another_projects_live_one(another, store, reader) -> None:
    shared, shared_repo = another("shared")
    own, own_repo = another("own", imports=[shared], default=True)
    for repo, words in ((shared_repo, "Theirs."), (own_repo, "Ours.")):
        repo.item("STORY-1", words)
        repo.commit()
    for project in (shared, own):
        run_pass(project, store)
    (own_repo.root / "backlog/STORY-1.md").unlink()
    own_repo.commit("gone")
    run_pass(own, store)
    for arguments in ({}, {"project": "own"}, {"deleted": "include"}):
        found = get_artifact(reader, artifact_id="STORY-1", **arguments)
        assert (found["project"], found["deleted"], found["body"].strip()) == ("own", True, "Ours."), arguments
    assert get_artifact(reader, artifact_id="STORY-1", project="shared")["body"].strip() == "Theirs."
