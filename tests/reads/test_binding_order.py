"""The order statements are served in, and what an ancestor's many leave to the ancestor itself."""

from __future__ import annotations

import dataclasses

import pytest

from graphapi.ingest.passes import run_pass
from graphapi.ranking import binding_order
from graphapi.reads.binding import binding
from tests.reads.binding_answers import decision, ids, row, states, tree
from tests.reads.model import Inferred
from tests.repo import ALL, Repo

requirement = pytest.mark.requirement


@requirement("binding.order-method")
def test_the_stronger_claim_goes_first_however_old(repo, ingest, reader) -> None:
    repo.item("STORY-001", "See also The unbreakable rule of berths.", cited_sources=["DEC-001"])
    decision(repo, "DEC-000", title="The unbreakable rule of berths", captured_at="2026-05-01")
    decision(repo, "DEC-001", captured_at="2026-01-01")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert [(r["artifact_id"], r["method"]) for r in answer["statements"]] == [
        ("DEC-001", "cites"),
        ("DEC-000", "title-mention"),
    ]


@requirement("binding.order-where")
def test_of_equal_claims_the_roots_own_go_first_then_what_is_beneath_then_above(repo, ingest, reader) -> None:
    tree(repo, EPIC_000=["DEC-000"], FEAT_000=["DEC-001"], STORY_000=["DEC-002"])
    decision(repo, "DEC-000", captured_at="2026-05-03")
    decision(repo, "DEC-001", captured_at="2026-05-01")
    decision(repo, "DEC-002", captured_at="2026-05-02")
    repo.commit()
    ingest()
    assert ids(binding(reader, artifact_id="FEAT-000")) == ["DEC-001", "DEC-002", "DEC-000"]


@requirement("binding.order-newest")
def test_of_equal_claims_in_one_place_the_newest_goes_first(repo, ingest, reader) -> None:
    repo.item("STORY-001", cited_sources=["DEC-000", "DEC-001", "DEC-002"])
    for number, day in enumerate(("02", "09", "05")):
        decision(repo, f"DEC-00{number}", captured_at=f"2026-03-{day}")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert ids(answer) == ["DEC-001", "DEC-002", "DEC-000"]
    assert [r["stated_at"][:10] for r in answer["statements"]] == ["2026-03-09", "2026-03-05", "2026-03-02"]


@requirement("binding.explicit-ref-beside-cites")
@pytest.mark.parametrize(("cited", "naming"), [("2026-01-10", "2026-03-10"), ("2026-03-10", "2026-01-10")])
def test_a_note_that_names_a_member_stands_beside_what_the_member_cites(repo, ingest, reader, cited, naming) -> None:
    repo.item("STORY-001", cited_sources=["DEC-000"])
    decision(repo, "DEC-000", captured_at=cited)
    decision(repo, "DEC-001", "It changes STORY-001.", captured_at=naming)
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert ids(answer) == (["DEC-001", "DEC-000"] if naming > cited else ["DEC-000", "DEC-001"])
    assert row(answer, "DEC-001")["method"] == "explicit-ref"


@requirement("binding.related-ids-explicit-ref")
def test_a_note_recorded_with_a_member_among_its_related_ids_is_reached_by_explicit_ref(repo, ingest, reader) -> None:
    repo.item("STORY-001")
    decision(repo, "DEC-000", related=["STORY-001"])
    decision(repo, "DEC-001", "We decided so.\n\n## Related\n\n- STORY-001")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert {(r["artifact_id"], r["method"]) for r in answer["statements"]} == {
        ("DEC-000", "explicit-ref"),
        ("DEC-001", "explicit-ref"),
    }


@requirement("binding.superseded-after-live")
def test_a_superseded_note_follows_every_live_one_and_says_what_took_its_place(repo, ingest, reader) -> None:
    repo.item("STORY-001", "By Berths belong to boats for good.", cited_sources=["DEC-000", "DEC-001", "CONV-001"])
    decision(repo, "DEC-000", captured_at="2026-06-01")
    decision(repo, "DEC-001", captured_at="2026-03-01", supersedes=["DEC-000", "DEC-004"])
    decision(repo, "DEC-002", title="Berths belong to boats for good", captured_at="2026-01-01")
    repo.item("CONV-001", folder="conversations", cited_sources=["DEC-003", "DEC-004"])
    decision(repo, "DEC-003", captured_at="2026-01-01")
    decision(repo, "DEC-004", captured_at="2026-01-02")
    repo.commit()
    ingest()
    answer = binding(reader, artifact_id="STORY-001")
    assert ids(answer) == ["DEC-001", "DEC-003", "DEC-002", "DEC-004", "DEC-000"]
    marked = {r["artifact_id"]: r["superseded_by"] for r in answer["statements"] if "superseded_by" in r}
    assert marked == {"DEC-000": "DEC-001", "DEC-004": "DEC-001"}


@requirement("binding.tiers", "stated.statements")
def test_everything_stated_goes_before_anything_inferred(repo, ingest, project, store, reader) -> None:
    repo.item("STORY-001", "See The unbreakable rule of berths.", cited_sources=["CONV-001", "DEC-001"])
    repo.item("CONV-001", folder="conversations")
    decision(repo, "DEC-000", title="The unbreakable rule of berths", captured_at="2026-01-01")
    decision(repo, "DEC-001", captured_at="2026-01-01")
    decision(repo, "DEC-002", supersedes=["DEC-001"])
    repo.commit()
    ingest()
    states(store, project, "CONV-001", "Newest of all.", stated_at="2026-09-09T00:00:00Z")
    full = dataclasses.replace(reader, inferences=Inferred())
    answer = binding(full, artifact_id="STORY-001")
    assert ids(answer) == ["DEC-000", "DEC-001", "CONV-001"]
    assert answer["deterministic_statements"] == len(ids(answer)) - 1
    assert [r.get("inferred", False) for r in answer["statements"]].index(True) == answer["deterministic_statements"]


@requirement("binding.order-topic-words")
def test_under_a_topic_more_of_its_words_go_before_a_stronger_link(repo, ingest, reader) -> None:
    repo.item("STORY-001", "Keep them out.", title="Card numbers out of the till", cited_sources=["DEC-001"])
    decision(repo, "DEC-000", "Unrelated prose.", title="Both words of numbers on a card")
    decision(repo, "DEC-001", "Only the card is named.")
    repo.commit()
    ingest()
    answer = binding(reader, topic="card numbers")
    assert [(r["artifact_id"], r["method"]) for r in answer["statements"]] == [
        ("DEC-000", "topic-match"),
        ("DEC-001", "cites"),
    ]


@pytest.fixture
def crowded(repo, ingest):
    """An epic with twenty decisions of its own, and a story beneath it with one."""
    repo.item("EPIC-000", cited_sources=[f"DEC-{n:03}" for n in range(20)])
    repo.item("STORY-001", parent="EPIC-000", cited_sources=["DEC-100"])
    for number in (*range(20), 100):
        decision(repo, f"DEC-{number:03}", captured_at=f"2026-03-{number % 28 + 1:02}")
    repo.commit()
    ingest()


@requirement("binding.ancestor-few")
def test_what_a_story_hangs_under_keeps_only_its_first_few(crowded, reader) -> None:
    answer = binding(reader, artifact_id="STORY-001")
    above = [r for r in answer["statements"] if r["bears_on"] == "EPIC-000"]
    assert len(above) == binding_order.STATEMENTS_PER_ANCESTOR
    assert [r["artifact_id"] for r in above] == [f"DEC-{n:03}" for n in range(19, 14, -1)]
    assert ids(answer)[0] == "DEC-100"


@requirement("binding.ancestors-summarised")
def test_the_rest_of_an_ancestor_is_counted_with_the_call_that_serves_it(crowded, reader) -> None:
    answer = binding(reader, artifact_id="STORY-001")
    summary = answer["ancestors_summarised"]["EPIC-000"]
    own = binding(reader, artifact_id="EPIC-000")
    stated = [r for r in own["statements"] if r["bears_on"] == "EPIC-000"]
    assert summary["count"] + binding_order.STATEMENTS_PER_ANCESTOR == len(stated) == 20
    assert summary["read"] == "get_scope(question='binding', artifact_id='EPIC-000')"
    assert "ancestors_summarised" not in own


@requirement("binding.ancestors-summarised")
def test_two_projects_ancestors_of_one_id_are_counted_apart_and_read_in_their_own(
    crowded, repo, ingest, project, another, store, reader
) -> None:
    engine, other = another("engine")
    project.imports.add(engine)
    other.item("EPIC-000", cited_sources=[f"DEC-{n:03}" for n in range(8)])
    other.item("ENG-1", parent="EPIC-000")
    for number in range(8):
        decision(other, f"DEC-{number:03}")
    other.commit()
    code = Repo(repo.root.parent / "code", config=None)
    repo.write("revetly.toml", f'{ALL}[connectors.commits]\nrepositories = {{ app = "../code" }}\n')
    repo.commit()
    code.write("a.py", "one\n")
    code.commit("STORY-001, ENG-1: begin")
    ingest()
    run_pass(engine, store)
    both = binding(reader, path="a.py", project="product")["ancestors_summarised"]
    assert {key: row["count"] for key, row in both.items()} == {"product:EPIC-000": 15, "engine:EPIC-000": 3}
    assert both["engine:EPIC-000"]["read"] == (
        "get_scope(question='binding', artifact_id='EPIC-000', project='engine')"
    )
    assert {key: row["project"] for key, row in both.items()} == {
        "product:EPIC-000": "product", "engine:EPIC-000": "engine"
    }  # fmt: skip
    alone = binding(reader, artifact_id="STORY-001", project="product")["ancestors_summarised"]
    assert alone["EPIC-000"]["read"].endswith("project='product')") and len(alone) == 1
