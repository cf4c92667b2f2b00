"""What the walk steps through and what it takes in (004 section 5, bears_on)."""

from __future__ import annotations

import dataclasses

import pytest

from graphapi.domain.artifact import natural_key
from graphapi.models import Project
from graphapi.reads import binding_links, binding_walk
from graphapi.reads.binding import binding
from graphapi.store.port import ArtifactRow, LinkRow
from tests.reads.binding_answers import decision, ids, states
from tests.reads.model import Inferred

requirement = pytest.mark.requirement


@pytest.fixture
def full(reader):
    return dataclasses.replace(reader, inferences=Inferred(), budget=1 << 20)


@pytest.fixture
def placed(db, namespace, store):
    """Put rows straight into the graph: ``placed({"DEC-1": ("doc", "decision")}, ("STORY-1", "cites", "DEC-1"))``."""
    Project.objects.create(name="product", namespace=namespace, root="/nowhere")

    def place(artifacts, *links) -> Project:
        rows = [
            ArtifactRow(
                i, kind, of_type, f"Title {i}", "", None, "source-of-record", "notes", None, None, None, None, {},
                False, natural_key(i), i,
            )
            for i, (kind, of_type) in artifacts.items()
        ]  # fmt: skip
        store.upsert_artifacts(namespace, rows, now="2026-01-01T00:00:00Z")
        store.link(
            namespace,
            [LinkRow(f"{a}{how}{b}", a, b, how, how, 70, "", "notes", None, {}, a) for a, how, b in links],
        )
        return Project.objects.get()

    return place


@requirement("bears.note-through-note", "bears.admitted-by-type")
def test_a_note_typed_by_its_source_alone_is_a_statement_through_a_note_that_cites_it(repo, ingest, reader) -> None:
    repo.item("STORY-001", cited_sources=["CONV-001"])
    repo.item("CONV-001", folder="conversations", cited_sources=["DEC-000", "C-1", "A-1", "X-1"])
    decision(repo, "DEC-000")
    repo.item("C-1", "Never on a Sunday.", folder="decisions", type="constraint")
    repo.item("A-1", "Nobody comes in winter.", folder="decisions", type="assumption")
    repo.item("X-1", "A talk.", folder="conversations", type="reference")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert sorted(ids(answer)) == ["A-1", "C-1", "DEC-000"]
    assert {(r["bears_on"], r["method"]) for r in answer["statements"]} == {("STORY-001", "cites")}


@requirement("bears.admitted-by-type")
def test_what_a_model_shelved_is_taken_in_directly_and_through_a_document_alike(
    repo, ingest, project, store, full
) -> None:
    repo.item("STORY-001", "It states a thing.", cited_sources=["CONV-001"])
    repo.item("CONV-001", "It states another.", folder="conversations")
    repo.commit()
    ingest()
    for shelf in ("Decision", "Assumption", "Constraint"):
        states(store, project, "STORY-001", f"own {shelf}", shelf=shelf)
        states(store, project, "CONV-001", f"read {shelf}", shelf=shelf)
    served = binding(full, artifact_id="STORY-001")["statements"]
    assert {(r["artifact_id"], r["shelf"]) for r in served} == {
        (note, shelf) for note in ("STORY-001", "CONV-001") for shelf in ("Decision", "Assumption", "Constraint")
    }


@requirement("bears.cited-note-both")
def test_a_cited_decision_note_is_a_statement_and_a_document_whose_statements_are_rows_of_their_own(
    repo, ingest, project, store, full
) -> None:
    repo.item("STORY-001", cited_sources=["DEC-000"])
    decision(repo, "DEC-000", "We decided so. It holds till May.", cited_sources=["DEC-001"])
    decision(repo, "DEC-001")
    repo.commit()
    ingest()
    states(store, project, "DEC-000", "It holds till May.")
    answer = binding(full, artifact_id="STORY-001")
    assert [(r["artifact_id"], r.get("inferred", False)) for r in answer["statements"]] == [
        ("DEC-000", False),
        ("DEC-001", False),
        ("DEC-000", True),
    ]


@requirement("bears.documents")
def test_notes_decisions_references_and_delivery_records_are_steps(repo, ingest, project, store, full) -> None:
    repo.item("STORY-001", "As docs/berths.md says.", cited_sources=["CONV-001", "DEC-000"])
    repo.item("CONV-001", folder="conversations")
    decision(repo, "DEC-000")
    repo.write("docs/berths.md", "# Berths\n\nAll of them.\n")
    repo.item("DEL-001", "Shipped.", folder="deliveries", delivers=["STORY-001"])
    repo.commit()
    ingest()
    steps = ("CONV-001", "DEC-000", "docs/berths.md", "DEL-001")
    for note in steps:
        states(store, project, note, f"said in {note}")
    served = binding(full, artifact_id="STORY-001")["statements"]
    assert {r["artifact_id"] for r in served if r.get("inferred")} == set(steps)


@requirement("bears.documents-no-kind", "bears.unknown-kind")
def test_a_typed_artifact_without_a_kind_is_a_step_and_one_of_an_unknown_kind_is_none(
    placed, project_of_store, full
) -> None:
    project = placed(
        {"STORY-1": ("pbi", "story"), "OLD-1": ("", "conversation"), "OLD-2": ("", None),
         "WIKI-1": ("wiki", "decision"),
         "DEC-1": ("doc", "decision"), "DEC-2": ("doc", "decision"), "DEC-3": ("doc", "decision")},
        ("STORY-1", "cites", "OLD-1"), ("STORY-1", "cites", "OLD-2"), ("STORY-1", "cites", "WIKI-1"),
        ("OLD-1", "cites", "DEC-1"), ("OLD-2", "cites", "DEC-2"), ("WIKI-1", "cites", "DEC-3"),
    )  # fmt: skip
    for note in ("OLD-1", "OLD-2", "WIKI-1"):
        project_of_store(project, note, f"said in {note}")
    answer = binding(full, artifact_id="STORY-1")
    assert [r["artifact_id"] for r in answer["statements"] if r.get("inferred")] == ["OLD-1"]
    # Its source typed the page as a decision, so it is one; what it cites or states is not reached through it.
    assert {r["artifact_id"] for r in answer["statements"] if not r.get("inferred")} == {"DEC-1", "WIKI-1"}


@pytest.fixture
def project_of_store(store):
    return lambda project, note, passage: states(store, project, note, passage)


@requirement("bears.no-other-steps", "bears.no-sibling")
def test_neither_a_commit_nor_a_work_item_is_a_step_whatever_it_cites_or_states(placed, project_of_store, full) -> None:
    project = placed(
        {"STORY-1": ("pbi", "story"), "STORY-2": ("pbi", "decision"), "app@0123456789ab": ("commit", "commit"),
         "NOTE-1": ("comment", "comment"), "THING": ("concept", None), "DEC-1": ("doc", "decision")},
        ("STORY-1", "cites", "STORY-2"), ("app@0123456789ab", "references", "STORY-1"),
        ("NOTE-1", "references", "STORY-1"), ("STORY-1", "mentions", "THING"),
        ("STORY-2", "cites", "DEC-1"), ("app@0123456789ab", "references", "DEC-1"), ("NOTE-1", "cites", "DEC-1"),
        ("THING", "cites", "DEC-1"),
    )  # fmt: skip
    for note in ("STORY-2", "app@0123456789ab", "NOTE-1", "THING"):
        project_of_store(project, note, f"said in {note}")
    assert binding(full, artifact_id="STORY-1")["statements"] == []


@requirement("bears.split-document")
def test_the_statements_on_either_node_of_one_document_are_reached(repo, ingest, project, store, full) -> None:
    repo.item("STORY-001", cited_sources=["CONV-001"])
    repo.item("STORY-002", cited_sources=["notion-9"])
    repo.item("CONV-001", folder="conversations", same_as=["notion-9"], cited_sources=["DEC-000"])
    repo.item("notion-9", folder="conversations", cited_sources=["DEC-001"])
    decision(repo, "DEC-000")
    decision(repo, "DEC-001")
    repo.commit()
    ingest()
    states(store, project, "CONV-001", "said here")
    states(store, project, "notion-9", "said there")
    for story in ("STORY-001", "STORY-002"):
        answer = binding(full, artifact_id=story)
        assert sorted(ids(answer)) == ["CONV-001", "DEC-000", "DEC-001", "notion-9"]
        assert {r["bears_on"] for r in answer["statements"]} == {story}


def test_a_note_that_only_names_a_document_binds_what_it_names_and_no_more(repo, ingest, reader) -> None:
    repo.item("STORY-001", cited_sources=["CONV-001"])
    repo.item("CONV-001", folder="conversations")
    decision(repo, "DEC-000", "As was said in CONV-001.")
    repo.commit()
    ingest()
    assert ids(binding(reader, artifact_id="STORY-001")) == []


def test_a_note_filed_beneath_a_member_by_its_parent_is_a_statement_of_that_member(repo, ingest, reader) -> None:
    repo.item("EPIC-000")
    repo.item("STORY-000", parent="EPIC-000")
    decision(repo, "DEC-000", parent="EPIC-000")
    repo.commit()
    ingest()
    for scope in ("EPIC-000", "STORY-000"):
        answer = binding(reader, artifact_id=scope)
        [found] = answer["statements"]
        assert (found["artifact_id"], found["bears_on"], found["method"]) == ("DEC-000", "EPIC-000", "parent")


def test_a_note_that_a_member_hangs_under_is_a_statement_too(repo, ingest, reader) -> None:
    repo.item("STORY-000", parent="DEC-000")
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    found = binding(reader, artifact_id="STORY-000")["statements"]
    assert [(r["artifact_id"], r["bears_on"], r["method"]) for r in found] == [("DEC-000", "STORY-000", "parent")]


def test_a_link_that_its_source_stopped_stating_reaches_nothing_even_among_deleted_work(repo, ingest, reader) -> None:
    repo.item("STORY-000", cited_sources=["DEC-000"])
    decision(repo, "DEC-000")
    repo.commit()
    ingest()
    repo.item("STORY-000")
    repo.commit()
    ingest()
    assert ids(binding(reader, artifact_id="STORY-000", deleted="include")) == []


def test_a_member_that_a_crowd_of_commits_names_keeps_its_decisions(repo, ingest, reader, monkeypatch) -> None:
    monkeypatch.setattr(binding_links, "EACH", 2)
    repo.item("STORY-001")
    for number in range(5):
        repo.item(f"A-{number}", "Done for STORY-001.", folder="conversations")
    decision(repo, "DEC-000", "It changes STORY-001.")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert ids(answer) == ["DEC-000"]
    assert "links_truncated" not in answer["scope"]
    monkeypatch.setattr(binding_links, "HUB_LINKS", 3)
    assert binding(reader, artifact_id="STORY-001")["scope"]["links_truncated"]["reason"] == "cap"
    monkeypatch.setattr(binding_walk, "TOUCHED", 1)
    assert "links_truncated" in binding(reader, artifact_id="STORY-001")["scope"]
