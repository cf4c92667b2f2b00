"""Passages: the stretch of an artifact's own prose that a search quotes."""

from __future__ import annotations

from typing import Any

import pytest

from graphapi.reads.search import search_context

requirement = pytest.mark.requirement

FILLER = "Plain words that say little and take up room on the page. " * 12


@pytest.fixture
def quoted(repo, ingest, reader, graph) -> Any:
    """Commit one note of this body, ask, and give (excerpt or None, the body on record)."""

    def ask(body: str, query: str, title: str = "Heading") -> tuple[str | None, str]:
        repo.item("CONV-001", body, title=title, folder="conversations")
        repo.commit()
        ingest()
        passages = search_context(reader, query=query)["passages"]
        return (passages[0]["excerpt"] if passages else None), graph.get("CONV-001").body

    return ask


@requirement("passages.window", "passages.verbatim")
def test_the_window_with_most_of_the_words_is_quoted_as_the_body_has_it(quoted) -> None:
    excerpt, body = quoted(f"A berth.\n\n{FILLER}\n\nThe berth\nand its *mooring* fee.", "berth mooring fee")
    assert excerpt.startswith("…")
    assert "The berth\nand its *mooring* fee." in excerpt
    assert excerpt.strip("…") in body


@requirement("passages.stopwords")
def test_common_words_of_the_question_choose_no_window(quoted) -> None:
    excerpt, _ = quoted(
        f"It is on the one and is on the other, why it is on the list.\n\n{FILLER}\n\nA page served on loopback.",
        "why is the page on loopback",
    )
    assert "served on loopback" in excerpt
    assert "why it is" not in excerpt


@requirement("passages.stem")
def test_words_are_matched_on_their_stem(quoted) -> None:
    excerpt, _ = quoted(f"{FILLER}\n\nShe booked it yesterday.", "bookings")
    assert "She booked it" in excerpt


@requirement("passages.no-envelope")
def test_neither_an_envelope_line_nor_the_record_s_keys_are_quoted(repo, ingest, reader, quoted) -> None:
    excerpt, _ = quoted("Document: Quay ledger (id: CONV-001)\n\nPlain prose.", "quay ledger", title="Quay ledger")
    assert excerpt is None or "Document:" not in excerpt
    repo.item("STORY-001", "Plain prose.", title="Gate", owner="priority", labels=["zeta"])
    repo.commit()
    ingest()
    for query in ("owner priority", "labels zeta", "artifact_type title"):
        assert all(query.split()[0] not in row["excerpt"] for row in search_context(reader, query=query)["passages"])


def test_a_row_whose_title_alone_matched_has_no_passage(quoted, reader) -> None:
    excerpt, _ = quoted("Plain prose.", "quay", title="Quay")
    assert excerpt is None
    assert search_context(reader, query="quay")["artifacts"][0]["artifact_id"] == "CONV-001"


@requirement("withheld.not-searchable", "withheld.reported")
def test_a_withheld_body_is_found_by_none_of_its_words_and_the_answer_says_it_is_there(
    repo, ingest, reader, graph
) -> None:
    repo.write("revetly.toml", (repo.root / "revetly.toml").read_text() + '[extraction]\nwithhold = ["DEC-*"]\n')
    repo.item("DEC-001", "The quay master is paid cash.", title="Quay pay", folder="decisions")
    repo.item("STORY-001", "The quay is long.", title="Quay", cited_sources=["DEC-001"])
    repo.commit()
    assert ingest().state == "green"
    assert graph.get("DEC-001").withheld
    answer = search_context(reader, query="quay master paid cash")
    assert [row["artifact_id"] for row in answer["artifacts"]] == ["STORY-001"]
    assert [row["artifact_id"] for row in answer["passages"]] == ["STORY-001"]
    assert "cash" not in str(answer)
    assert answer["withheld"]["artifacts"] == ["DEC-001"] and answer["withheld"]["why"]


@requirement("withheld.absent-when-none")
def test_no_withheld_key_where_nothing_is_withheld(quoted, reader) -> None:
    quoted("Plain quay.", "quay")
    assert "withheld" not in search_context(reader, query="quay")
