"""What a search answers with: its shelves, each artifact's own words, and how a row was found."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from graphapi.domain.refusals import BadArguments
from graphapi.ranking.retrieval import FEEDBACK, KEYWORD
from graphapi.reads.search import search_context

requirement = pytest.mark.requirement


def ids(rows: list[Any]) -> list[str]:
    return [row["artifact_id"] for row in rows]


def by_id(rows: list[Any]) -> dict[str, Any]:
    return {row["artifact_id"]: row for row in rows}


def texts(value: Any) -> Iterator[str]:
    """Every text among the values of an answer, keys left aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for part in value.values() for text in texts(part))
    elif isinstance(value, list):
        yield from (text for part in value for text in texts(part))


@pytest.fixture
def harbourside(repo, ingest) -> None:
    repo.item("EPIC-001", "Everything a skipper sees.", title="Skipper pages", type="epic")
    repo.item("STORY-001", "The berth map shows free moorings.", title="Berth map", parent="EPIC-001")
    repo.item("STORY-002", "See STORY-001 before the gate is built.", title="Gate sensor")
    repo.item("CONV-001", "We spoke of the berth.", title="Morning talk", folder="conversations")
    repo.item("DEL-001", "Done.", title="First delivery", folder="deliveries", delivers="STORY-001")
    repo.commit()
    ingest()


@requirement("search.shelves", "facts.endpoints")
def test_artifacts_passages_and_facts_are_lists_of_their_own_kind(harbourside, reader, graph) -> None:
    answer = search_context(reader, query="berth map")
    assert list(answer)[:3] == ["artifacts", "passages", "facts"]
    assert ids(answer["artifacts"])[0] == "STORY-001"
    assert all(graph.get(i) for i in ids(answer["artifacts"]))
    assert all("excerpt" not in row and "fact" not in row for row in answer["artifacts"])
    assert all("excerpt" in row and "summary" not in row for row in answer["passages"])
    delivers = next(row for row in answer["facts"] if row["relation"] == "delivers")
    assert delivers["endpoints"] == ["DEL-001", "STORY-001"]
    assert all(set(row) >= {"fact", "endpoints"} and "artifact_id" not in row for row in answer["facts"])


@requirement("search.summary", "search.name-is-entity")
def test_a_summary_is_the_stated_title_and_then_the_body(harbourside, reader) -> None:
    row = search_context(reader, query="berth map")["artifacts"][0]
    assert row["title"] == "Berth map"
    assert row["summary"] == "Berth map\nThe berth map shows free moorings."
    assert "name" not in row


@requirement("search.summary-cut", "search.summary-stable")
def test_a_long_body_is_summed_up_the_same_whatever_was_asked_and_cut_between_words(repo, ingest, reader) -> None:
    repo.item("STORY-001", " ".join(f"berth{n:02d}{'x' * 53}" for n in range(8)) + " quay", title="Long one")
    repo.commit()
    ingest()
    by_tail, by_title = (search_context(reader, query=q)["artifacts"][0]["summary"] for q in ("quay", "long"))
    assert by_tail == by_title
    title, prose = by_tail.split("\n")
    assert title == "Long one" and prose.endswith("…")
    assert [len(word) for word in prose.rstrip("…").split()] == [60, 60, 60, 60]


@requirement("search.id-query-ranked")
def test_an_id_as_the_query_is_ranked_like_any_words(repo, ingest, reader) -> None:
    repo.item("STORY-001", "STORY-001 is the berth map.", title="Berth map")
    repo.item("STORY-002", "Before this comes STORY-001.", title="Gate sensor", parent="STORY-001")
    repo.commit()
    ingest()
    answer = search_context(reader, query="STORY-001")
    assert ids(answer["artifacts"]) == ["STORY-001", "STORY-002"]
    assert {"artifacts", "passages", "facts", "deterministic_facts", "freshness"} <= set(answer)
    assert ids(answer["passages"]) == ["STORY-001", "STORY-002"]
    assert answer["deterministic_facts"] == 1


@requirement("method.every-row", "method.keyword", "lite.method", "method.feedback", "method.feedback-query")
def test_a_row_says_whether_the_typed_words_or_the_feedback_words_reached_it(repo, ingest, reader) -> None:
    repo.item("STORY-001", "Mooring fee by tariff. The tariff table rules.", title="Mooring fee tariff")
    repo.item("STORY-002", "The tariff is printed yearly.", title="Yearly print")
    repo.commit()
    ingest()
    answer = search_context(reader, query="mooring fee")
    for shelf in (answer["artifacts"], answer["passages"]):
        assert {row["artifact_id"]: row["method"] for row in shelf} == {"STORY-001": KEYWORD, "STORY-002": FEEDBACK}
    assert "tariff" in by_id(answer["passages"])["STORY-002"]["excerpt"]


@requirement("method.feedback-half", "method.feedback-below")
def test_what_only_feedback_reached_stands_below_what_the_question_matched(repo, ingest, reader) -> None:
    for n in range(1, 9):
        repo.item(f"STORY-00{n}", f"Mooring number {n}, tariff.", title=f"Mooring {n}")
    repo.item("STORY-100", "Tariff tariff tariff.", title="Tariff")
    repo.commit()
    ingest()
    answer = search_context(reader, query="mooring", limit=20)
    methods = [row["method"] for row in answer["artifacts"]]
    assert methods == [KEYWORD] * 8 + [FEEDBACK]


@requirement("method.no-paraphrase", "method.keyword-never-semantic")
def test_a_word_that_nobody_typed_finds_nothing(repo, ingest, reader) -> None:
    repo.item("STORY-001", "The boat leaves.", title="Boats")
    repo.commit()
    ingest()
    answer = search_context(reader, query="vessel")
    assert answer["artifacts"] == answer["passages"] == answer["facts"] == []
    assert not any(word in text for text in texts(answer) for word in ("semantic", "vector"))


@requirement("method.aliases")
def test_a_declared_spelling_also_asks_for_its_canonical_term_and_never_the_other_way(repo, ingest, reader) -> None:
    config = (repo.root / "revetly.toml").read_text()
    repo.write("revetly.toml", config + '[extraction.aliases]\nberth = ["mooring"]\n')
    repo.item("CONV-001", "A berth on its own.", title="First talk", folder="conversations")
    repo.item("CONV-002", "One mooring here.", title="Second note", folder="conversations")
    repo.commit()
    ingest()
    both = by_id(search_context(reader, query="mooring")["artifacts"])
    assert {i: row["method"] for i, row in both.items()} == {"CONV-001": KEYWORD, "CONV-002": KEYWORD}
    passages = by_id(search_context(reader, query="mooring")["passages"])
    assert passages["CONV-001"]["excerpt"] == "A berth on its own."
    assert ids(search_context(reader, query="berth")["artifacts"]) == ["CONV-001"]


@requirement("lite.declared", "lite.concepts", "lite.facts", "lite.inferred-facts", "search.inferred-summary-lite")
def test_a_lite_instance_says_that_its_inferred_half_is_absent(harbourside, reader) -> None:
    answer = search_context(reader, query="berth")
    assert answer["concepts"] == answer["inferred_facts"] == {"absent": True, "reason": "lite"}
    assert answer["deterministic_facts"] == len(answer["facts"]) > 0
    assert not any("inferred_summary" in row for row in answer["artifacts"])


@requirement("lite.no-vendor")
def test_a_lite_instance_asks_nobody(harbourside, reader, monkeypatch) -> None:
    for vendor in ("graphiti_core", "openai", "anthropic", "httpx"):
        monkeypatch.setitem(sys.modules, vendor, None)

    def refused(*_: object) -> None:
        raise AssertionError("a lite search went out")

    if "sqlite" in type(reader.store).__module__:
        monkeypatch.setattr(socket.socket, "connect", refused)
    assert search_context(reader, query="berth map")["artifacts"]


@requirement("lite.words-never-used")
def test_no_value_of_a_lite_answer_speaks_of_inference(harbourside, reader) -> None:
    answer = search_context(reader, query="berth map gate")
    assert not any(w in text for text in texts(answer) for w in ("semantic", "vector", "inferred", "concept"))


@pytest.mark.parametrize("query", ["the of and", "!!! ???", "\u200b.", "日本", "Ünïcode ﬁn"])
def test_a_query_that_names_nothing_gets_empty_shelves(harbourside, reader, query) -> None:
    answer = search_context(reader, query=query)
    assert answer["artifacts"] == answer["passages"] == answer["facts"] == []
    assert answer["deterministic_facts"] == 0


@pytest.mark.parametrize("asked", [{"query": "  "}, {"limit": 0}, {"limit": 51}, {"kind": ["story"]}, {"limit": True}])
def test_an_argument_that_will_not_do_is_refused_by_name(harbourside, reader, asked) -> None:
    with pytest.raises(BadArguments) as refused:
        search_context(reader, **{"query": "berth", **asked})
    assert next(iter(asked)) in refused.value.detail


def test_kinds_narrow_artifacts_and_passages(harbourside, reader) -> None:
    answer = search_context(reader, query="berth", kind=["doc"])
    assert ids(answer["artifacts"]) == ids(answer["passages"]) == ["CONV-001"]


def test_an_answer_is_small_enough_to_be_sent_as_it_is(harbourside, reader) -> None:
    assert json.loads(json.dumps(search_context(reader, query="berth")))["artifacts"]
