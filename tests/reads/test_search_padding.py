"""What stands around a search's rows and was not matched: served once, in the room that is left, or counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphapi.reads.search import search_context
from tests.contract.rows import LATER, link, statement

requirement = pytest.mark.requirement


@pytest.fixture
def rows(repo, ingest, reader) -> list[str]:
    """Five notes that 'quay' finds, in the order it finds them: years apart, so that no link changes it."""
    for n in range(1, 6):
        repo.item(
            f"CONV-00{n}", "One quay.", title=f"Talk {n}", folder="conversations", captured_at=f"202{6 - n}-01-01"
        )
    repo.commit()
    ingest()
    return [row["artifact_id"] for row in search_context(reader, query="quay")["artifacts"]]


@pytest.fixture
def join(store, project) -> Callable[..., None]:
    def put(source: str, target: str, fact: str) -> None:
        ns = project.namespace
        store.link(ns, [link(ns, source, target, "blocks", method="edges", fact=fact)])

    return put


@pytest.fixture
def say(store, project) -> Callable[..., None]:
    def put(note: str, *names: str, retired: bool = False) -> None:
        said = [statement(project.namespace, note, name) for name in names]
        store.put_statements(project.namespace, said)
        if retired:
            store.retire_statements(project.namespace, [row.key for row in said], at=LATER, reason="withdrawn")

    return put


def facts(answer: Any) -> list[str]:
    return [row["fact"] for row in answer["facts"]]


def test_a_matched_relation_of_a_leading_row_is_served_once(rows, join, reader) -> None:
    join(rows[0], rows[1], "the quay blocks it")
    answer = search_context(reader, query="quay")
    assert facts(answer) == ["the quay blocks it"]
    assert "facts_truncated" not in answer


@requirement("facts.not-near-top")
def test_what_touches_a_leading_row_too_is_not_counted_as_far_from_the_top(rows, join, reader) -> None:
    join(rows[3], rows[0], "one stands before it")
    join(rows[4], rows[3], "another stands before it")
    answer = search_context(reader, query="quay")
    assert facts(answer) == ["one stands before it"]
    assert answer["facts_truncated"]["whole"] - answer["facts_truncated"]["listed"] == 1


@requirement("facts.not-near-top", "facts.matched-anywhere")
def test_a_matched_relation_of_a_lower_row_is_served_and_not_counted(rows, join, reader) -> None:
    join(rows[4], rows[3], "the quay blocks it")
    answer = search_context(reader, query="quay")
    assert facts(answer) == ["the quay blocks it"]
    assert "facts_truncated" not in answer


@requirement("facts.not-near-top")
def test_a_match_that_the_limit_cut_is_not_counted_as_unmatched(rows, join, reader) -> None:
    for at, other in ((3, 4), (4, 3)):
        join(rows[at], rows[other], f"the quay blocks it {'quay ' * at}")
    for n in range(3):
        join(rows[n], rows[(n + 1) % 3], "quay " * 9)
    join(rows[3], rows[0], "quay " * 8)
    join(rows[3], rows[1], "quay " * 8)
    answer = search_context(reader, query="quay", limit=5)
    assert len(answer["facts"]) == 5 and "facts_truncated" not in answer


def test_a_relation_of_a_lower_row_is_counted_once_with_its_far_end_served_or_not(rows, join, repo, ingest, reader):
    for n in range(6):
        repo.item(f"STORY-00{n}", "Nothing.", title=f"Crane {n}")
    repo.commit()
    ingest()
    for n in range(6):
        join(rows[3], f"STORY-00{n}", "it stands before it")
    join(rows[3], rows[4], "it stands before it")
    told = search_context(reader, query="quay")["facts_truncated"]
    assert (told["reason"], told["whole"], told["listed"]) == ("not-near-top", 7, 0)


@requirement("facts.statement-retired")
def test_a_retired_statement_of_a_leading_row_is_no_padding(rows, say, reader) -> None:
    say(rows[0], "pay in cash", retired=True)
    say(rows[0], "pay by card")
    assert facts(search_context(reader, query="quay")) == [f"{rows[0]} states: pay by card"]
    both = {f"{rows[0]} states: pay by card", f"{rows[0]} states: pay in cash"}
    assert set(facts(search_context(reader, query="quay", deleted="include"))) == both


def test_only_withdrawals_bring_only_retired_statements(repo, ingest, rows, say, reader) -> None:
    say(rows[0], "pay in cash")
    (repo.root / "conversations" / f"{rows[0]}.md").unlink()
    repo.commit()
    ingest()
    say(rows[0], "pay by card")
    assert facts(search_context(reader, query="quay", deleted="only")) == [f"{rows[0]} states: pay in cash"]


@requirement("facts.limit", "facts.statements-inferred-side")
def test_padding_statements_keep_to_the_limit_and_to_the_cap(rows, say, reader) -> None:
    say(rows[0], *(f"pay in way {n}" for n in range(20)))
    assert len(facts(search_context(reader, query="quay", limit=4))) == 4
    answer = search_context(reader, query="quay", limit=30)
    assert len(answer["facts"]) == answer["inferred_cap"]["facts"]


@requirement("order.decision-newer-ahead")
def test_a_reference_that_was_taken_back_moves_nothing_though_it_is_read(repo, ingest, reader) -> None:
    def write(body: str) -> list[str]:
        repo.item("DEC-001", body, title="Later", folder="decisions", captured_at="2026-02-01")
        repo.commit()
        ingest()
        return [row["artifact_id"] for row in search_context(reader, query="quay", deleted="include")["artifacts"]]

    repo.item("DEC-000", "quay quay quay quay", title="Quay quay", folder="decisions", captured_at="2026-01-01")
    faint = "One quay among a great many other words that are of no use to anybody."
    assert write(f"{faint} DEC-000") == ["DEC-001", "DEC-000"]
    assert write(faint) == ["DEC-000", "DEC-001"]
