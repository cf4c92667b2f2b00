"""Ids that give no record in full: withheld ones, and those that nothing answers to (004 sections 2b and 5)."""

from __future__ import annotations

import json

import pytest

from graphapi.domain.refusals import BadArguments, UnknownArtifact
from graphapi.reads.artifact import get_artifact
from graphapi.reads.backlog import list_backlog
from graphapi.reads.health import context_health
from tests.repo import ALL

requirement = pytest.mark.requirement
WITHHOLD = ALL + '[extraction]\nwithhold = ["conversations/private/**"]\n'
SECRET = "hidden sentence"
ASKED = [{}, {"history_after": ""}, {"deleted": "include"}, {"depth": 1}]


@pytest.fixture
def withheld(repo, ingest):
    repo.write("revetly.toml", WITHHOLD)
    repo.item("STORY-1", "Follows CONV-1.")
    repo.item("CONV-1", f"A {SECRET}, and STORY-1.\n\n## Acceptance criteria\n\n- {SECRET}\n", title=SECRET,
              folder="conversations/private", related=["STORY-1"])  # fmt: skip
    repo.commit()
    ingest()


@requirement("withheld.by-id")
@pytest.mark.parametrize("asked", ASKED[:3])
def test_a_withheld_id_answers_from_the_ledger_without_a_word_of_it(withheld, reader, asked) -> None:
    answer = get_artifact(reader, artifact_id="CONV-1", **asked)
    assert (answer["artifact_id"], answer["kind"], answer["in_context"]) == ("CONV-1", "doc", False)
    assert answer["source_path"] == "conversations/private/CONV-1.md"
    assert not {"body", "acceptance_criteria", "title", "metadata", "links", "history_entries"} & answer.keys()
    assert SECRET not in json.dumps(answer)
    assert "never to be read by a model" in answer["why"]
    assert answer["declared_links"] == {"references": ["STORY-1"]}


def test_a_withheld_root_of_a_branch_has_no_words(withheld, reader) -> None:
    (node,) = get_artifact(reader, artifact_id="CONV-1", depth=1)["nodes"]
    assert (node["artifact_id"], node["title"]) == ("CONV-1", "")


@requirement("withheld.by-id")
def test_a_withheld_entry_that_the_graph_lost_still_answers(withheld, reader, store, namespace) -> None:
    store.clear(namespace)
    answer = get_artifact(reader, artifact_id="CONV-1")
    assert (answer["in_context"], answer["declared_links"]) == (False, {})
    with pytest.raises(UnknownArtifact):
        get_artifact(reader, artifact_id="STORY-1")


def test_a_link_to_a_withheld_artifact_names_it_and_nothing_else(withheld, reader) -> None:
    full = get_artifact(reader, artifact_id="STORY-1", history_after="")
    ((title, _),) = {(row["title"], row["artifact_id"]) for row in full["links"]}
    assert title == ""
    assert SECRET not in json.dumps(full)


@requirement("withheld.reported")
@requirement("withheld.absent-when-none")
def test_every_read_of_these_reports_what_is_withheld_and_why_and_only_where_something_is(repo, ingest, reader):
    repo.item("STORY-1")
    repo.commit()
    ingest()

    def answers():
        yield from (get_artifact(reader, artifact_id="STORY-1", **asked) for asked in ASKED)
        yield list_backlog(reader)
        yield context_health(reader)

    assert all("withheld" not in answer for answer in answers())
    repo.write("revetly.toml", WITHHOLD)
    repo.item("CONV-1", SECRET, folder="conversations/private")
    repo.commit()
    ingest()
    for answer in answers():
        assert (answer["withheld"]["count"], answer["withheld"]["artifacts"]) == (1, ["CONV-1"])
        assert "never to be read by a model" in answer["withheld"]["why"]


@requirement("withheld.by-id-project")
def test_the_answer_for_a_withheld_id_names_the_imported_project_that_withholds_it(withheld, another, project, reader):
    asking, _ = another("asking", imports=[project], default=True)
    answer = get_artifact(reader, artifact_id="CONV-1")
    assert (answer["project"], answer["in_context"]) == ("product", False)


def test_a_deleted_withheld_id_is_marked(withheld, repo, ingest, reader) -> None:
    (repo.root / "conversations/private/CONV-1.md").unlink()
    repo.commit("drop", "2026-04-01")
    ingest()
    answer = get_artifact(reader, artifact_id="CONV-1")
    assert (answer["in_context"], answer["deleted"], answer["deleted_at"]) == (False, True, "2026-04-01T00:00:00Z")


def test_an_unknown_id_is_refused_and_one_that_differs_in_case_is_named(repo, ingest, reader) -> None:
    repo.item("STORY-1")
    repo.commit()
    ingest()
    with pytest.raises(UnknownArtifact) as refused:
        get_artifact(reader, artifact_id="story-1")
    assert "STORY-1" in refused.value.fix
    for asked in ASKED:
        with pytest.raises(UnknownArtifact) as refused:
            get_artifact(reader, artifact_id="STORY-9", **asked)
        assert "search_context" in refused.value.fix


@pytest.mark.parametrize("depth", [-1, True, 1.5, "deep", "1"])
def test_a_depth_that_is_none_is_refused(repo, ingest, reader, depth) -> None:
    repo.item("STORY-1")
    repo.commit()
    ingest()
    with pytest.raises(BadArguments, match="depth="):
        get_artifact(reader, artifact_id="STORY-1", depth=depth)
    with pytest.raises(BadArguments, match="inferred="):
        get_artifact(reader, artifact_id="STORY-1", inferred="some")
