"""The inferred half of a search, with a double in the place of the model, and the cap on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from graphapi.domain.refusals import BadArguments
from graphapi.ranking.retrieval import KEYWORD, RECIPE_ARTIFACT, RECIPE_PASSAGE
from graphapi.reads.inferences import Concept, InferredEdge
from graphapi.reads.search import search_context
from tests.reads.model import Inferred

requirement = pytest.mark.requirement

PARAGRAPH = "First said. Then said. Third said. Fourth said. Fifth said. Sixth said. Seventh said."


def edge(number: int, fact: str = "STORY-001 relates to it", **changes: Any) -> InferredEdge:
    return InferredEdge(f"k{number}", "STORY-001", "STORY-002", "RELATES_TO", fact, **changes)


@pytest.fixture
def full(repo, ingest, reader) -> Callable[..., Any]:
    repo.item("STORY-001", "The quay.", title="Quay wall")
    repo.item("STORY-002", "The quay is long and has words.", title="Gate house")
    repo.item("STORY-003", "Nothing of it.", title="Crane")
    repo.item("DEL-001", "The quay.", title="Shipped", folder="deliveries", delivers="STORY-001")
    repo.item("STORY-004", "A pontoon.", title="Buoy")
    repo.item("DEL-002", "Gone.", title="Sent", folder="deliveries", delivers="STORY-004")
    repo.commit()
    ingest()

    def ask(model: Inferred, query: str = "quay", **asked: Any) -> Any:
        return search_context(dataclasses.replace(reader, inferences=model), query=query, **asked)

    return ask


@requirement("ranking.recipe-half", "ranking.fusion-better-leg")
def test_the_recipe_adds_rows_of_its_own_and_never_relabels_a_keyword_row(full) -> None:
    answer = full(Inferred(found=["STORY-003", "STORY-001"], quoted=["STORY-002"]))
    methods = {row["artifact_id"]: row["method"] for row in answer["artifacts"]}
    assert methods == {"STORY-001": KEYWORD, "STORY-002": KEYWORD, "DEL-001": KEYWORD, "STORY-003": RECIPE_ARTIFACT}
    assert answer["artifacts"][-1]["artifact_id"] == "STORY-003"
    assert all(row["method"] == KEYWORD for row in answer["passages"])


def test_a_passage_that_only_the_recipe_reached_says_so(full) -> None:
    answer = full(Inferred(quoted=["STORY-003"]), query="nothing", kind=["pbi"])
    assert {row["method"] for row in answer["passages"]} <= {KEYWORD, RECIPE_PASSAGE}
    assert not any(row["method"] == RECIPE_PASSAGE for row in answer["artifacts"])


def test_what_the_recipe_finds_obeys_the_same_filters(full) -> None:
    answer = full(Inferred(found=["DEL-001", "NOT-THERE"], quoted=["DEL-001"]), query="crane", kind=["pbi"])
    assert [row["artifact_id"] for row in answer["artifacts"]] == ["STORY-003"]


@requirement("withheld.not-searchable")
def test_what_the_recipe_finds_of_a_withheld_artifact_is_not_served(full, repo, ingest) -> None:
    repo.write("revetly.toml", (repo.root / "revetly.toml").read_text() + '[extraction]\nwithhold = ["STORY-003.md"]\n')
    repo.commit()
    ingest()
    answer = full(Inferred(found=["STORY-003"], quoted=["STORY-003"]))
    assert "STORY-003" not in {row["artifact_id"] for row in (*answer["artifacts"], *answer["passages"])}


@requirement("search.shelves")
def test_concepts_are_a_shelf_of_their_own_on_a_full_instance(full) -> None:
    answer = full(Inferred(named=[Concept("Harbour dues", "What skippers pay.")]))
    assert answer["concepts"] == [{"name": "Harbour dues", "summary": "What skippers pay."}]
    assert "inferred_facts" not in answer
    assert not any("name" in row for row in answer["artifacts"])


@requirement("facts.bands", "facts.endpoints")
def test_inferred_facts_end_the_shelf_and_name_their_ends(full) -> None:
    answer = full(Inferred(read=[edge(1)]))
    assert answer["deterministic_facts"] == 1
    assert answer["facts"][1:] == [
        {"fact": "STORY-001 relates to it", "endpoints": ["STORY-001", "STORY-002"], "relation": "RELATES_TO",
         "inferred": True},
    ]  # fmt: skip


@requirement("facts.padding-room", "facts.limit")
def test_no_unmatched_relation_takes_the_place_of_an_inferred_fact(full) -> None:
    assert full(Inferred(read=[edge(1)]), query="pontoon", limit=3)["deterministic_facts"] == 1
    answer = full(Inferred(read=[edge(n) for n in range(3)]), query="pontoon", limit=3)
    assert len(answer["facts"]) == 3 and answer["deterministic_facts"] == 0


@requirement("stated.unnamed-endpoints")
@pytest.mark.parametrize(
    ("fact", "unnamed"),
    [
        ("The harbour closes at dusk", True),
        ("STORY-0011 closes at dusk", True),
        ("Of story-001 we know", False),
        ("The gate  house is shut", False),
    ],
)
def test_a_sentence_that_names_neither_end_is_marked(full, fact, unnamed) -> None:
    (row,) = full(Inferred(read=[edge(1, fact)]))["facts"][1:]
    assert row.get("unnamed_endpoints", False) is unnamed


def test_what_was_read_out_of_bodies_that_are_gone_comes_last_and_is_counted(full) -> None:
    model = Inferred(read=[edge(1, sources_retired=True), edge(2, "STORY-001 stands")])
    answer = full(model)
    assert [row.get("sources_retired") for row in answer["facts"][1:]] == [None, True]
    assert answer["inferred_retired"] == {"count": 1}
    assert "inferred_retired" not in full(Inferred(read=[edge(2)]))


@requirement("cap.names", "cap.truncated")
def test_both_inferred_shelves_are_fitted_to_the_cap_and_say_what_it_took(full) -> None:
    model = Inferred(
        named=[Concept(f"Concept {n}", PARAGRAPH) for n in range(8)], read=[edge(n) for n in range(20)]
    )  # fmt: skip
    answer = full(model, limit=30)
    cap = answer["inferred_cap"]
    assert len(answer["concepts"]) == cap["concepts"]
    assert len(answer["facts"]) - answer["deterministic_facts"] == cap["facts"]
    for row in answer["concepts"]:
        assert row["summary"] == "First said. Then said." and row["summary_sentences_total"] == 7
    for key, whole, listed in (("truncated_concepts", 8, 5), ("truncated_facts", 20, 10)):
        told = answer[key]
        assert (told["reason"], told["whole"], told["listed"]) == ("inferred-cap", whole, listed)


@requirement("cap.all")
def test_all_serves_every_row_and_every_sentence(full) -> None:
    model = Inferred(
        named=[Concept(f"Concept {n}", PARAGRAPH) for n in range(8)], read=[edge(n) for n in range(20)],
        paragraphs={"STORY-001": PARAGRAPH},
    )  # fmt: skip
    answer = full(model, limit=30, inferred="all")
    assert [row["summary"] for row in answer["concepts"]] == [PARAGRAPH] * 8
    assert len(answer["facts"]) - answer["deterministic_facts"] == 20
    assert answer["artifacts"][0]["inferred_summary"] == PARAGRAPH
    assert "inferred-cap" not in str(answer)


@requirement("cap.other-refused")
def test_another_value_of_inferred_is_refused_with_what_would_do(full) -> None:
    with pytest.raises(BadArguments) as refused:
        full(Inferred(), inferred="some")
    assert "inferred='some'" in refused.value.detail and "'all'" in refused.value.fix


def test_an_inferred_summary_stands_beside_the_stated_one_in_two_sentences(full) -> None:
    rows = {r["artifact_id"]: r for r in full(Inferred(paragraphs={"STORY-001": PARAGRAPH}))["artifacts"]}
    assert rows["STORY-001"]["summary"] == "Quay wall\nThe quay."
    assert rows["STORY-001"]["inferred_summary"] == "First said. Then said."
    assert rows["STORY-001"]["inferred_summary_sentences_total"] == 7
    assert "inferred_summary" not in rows["STORY-002"]


@requirement("ranking.link-count-declared", "ranking.never-across")
def test_inferred_edges_lift_no_row(full) -> None:
    plain = full(Inferred())["artifacts"]
    edges = [InferredEdge(f"k{n}", "STORY-002", "STORY-003", "R", "STORY-002 and STORY-003") for n in range(50)]
    assert full(Inferred(read=edges))["artifacts"] == plain


@requirement("lite.stated-half")
def test_the_stated_half_is_the_same_with_and_without_a_model(full, reader) -> None:
    lite = search_context(reader, query="quay")
    whole = full(Inferred(named=[Concept("Dues", "Paid.")]))
    for key in ("artifacts", "passages", "facts", "deterministic_facts"):
        assert lite[key] == whole[key]  # type: ignore[literal-required]
