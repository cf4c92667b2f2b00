"""The links map of an artifacts row: who it names, who names it."""

from __future__ import annotations

from typing import Any

import pytest

from graphapi.domain.refusals import BadArguments
from graphapi.reads.search import search_context

requirement = pytest.mark.requirement


def links(answer: Any, artifact_id: str) -> dict[str, Any]:
    return next(row["links"] for row in answer["artifacts"] if row["artifact_id"] == artifact_id)


@pytest.fixture
def talks(repo) -> None:
    for n in range(1, 10):
        repo.item(f"CONV-{n:03d}", f"Nothing {n}.", title=f"Evening talk {n}", folder="conversations")


@requirement("links.map")
def test_a_row_maps_each_kind_of_naming_to_its_far_ends_both_ways(repo, talks, ingest, reader) -> None:
    repo.item("STORY-001", "Quay. See CONV-002. Evening talk 3 says more.", title="Quay", cited_sources=["CONV-001"])
    repo.item("CONV-001", "Of the quay.", title="Evening talk 1", folder="conversations")
    repo.item("CONV-002", "Of the quay.", title="Evening talk 2", folder="conversations")
    repo.item("CONV-003", "Of the quay.", title="Evening talk 3", folder="conversations")
    repo.commit()
    ingest()
    answer = search_context(reader, query="quay")
    assert links(answer, "STORY-001") == {"cites": ["CONV-001"], "references": ["CONV-002"], "mentions": ["CONV-003"]}
    assert links(answer, "CONV-001") == {"cited_by": ["STORY-001"]}
    assert links(answer, "CONV-002") == {"referenced_by": ["STORY-001"]}
    assert links(answer, "CONV-003") == {"mentioned_by": ["STORY-001"]}


@requirement("links.three", "links.more", "links.served-first")
def test_three_ids_are_listed_the_served_ones_first_and_the_rest_counted(repo, talks, ingest, reader) -> None:
    repo.item("CONV-004", "Of the quay.", title="Evening talk 4", folder="conversations")
    repo.item("CONV-005", "Of the quay.", title="Evening talk 5", folder="conversations")
    body = "Quay. " + " ".join(f"Evening talk {n}." for n in (6, 7, 8, 9))
    repo.item("STORY-001", body, title="Quay", cited_sources=[f"CONV-{n:03d}" for n in range(1, 6)])
    repo.commit()
    ingest()
    answer = search_context(reader, query="quay", limit=3)
    assert links(answer, "STORY-001") == {
        "cites": ["CONV-004", "CONV-005", "CONV-001"],
        "mentions": ["CONV-006", "CONV-007", "CONV-008"],
        "more": 3,
    }
    assert "more" not in links(answer, "CONV-004")


@requirement("links.live", "links.deleted-include", "deleted.include")
def test_a_withdrawn_far_end_is_neither_listed_nor_counted_unless_asked_for(repo, talks, ingest, reader) -> None:
    repo.item("STORY-001", "Quay.", title="Quay", cited_sources=["CONV-001", "CONV-002"])
    repo.item("STORY-002", "Nothing of it.", title="Crane", cited_sources=["CONV-001"])
    repo.item("CONV-001", "Quay.", title="Evening talk 1", folder="conversations")
    repo.commit()
    ingest()
    (repo.root / "conversations" / "CONV-002.md").unlink()
    repo.item("STORY-002", "Nothing of it.", title="Crane")
    repo.commit()
    ingest()
    live = search_context(reader, query="quay")
    assert links(live, "STORY-001") == {"cites": ["CONV-001"]}
    assert links(live, "CONV-001") == {"cited_by": ["STORY-001"]}
    wide = search_context(reader, query="quay", deleted="include")
    assert links(wide, "STORY-001") == {"cites": ["CONV-001", "CONV-002"], "other_deleted": ["CONV-002"]}
    assert links(wide, "CONV-001") == {"cited_by": ["STORY-001", "STORY-002"]}


@requirement("links.whole")
def test_listed_and_counted_links_add_up_to_those_on_record(repo, talks, ingest, reader, graph) -> None:
    body = "Quay. See CONV-009. " + " ".join(f"Evening talk {n}." for n in (5, 6, 7, 8))
    repo.item("STORY-001", body, title="Quay", cited_sources=[f"CONV-{n:03d}" for n in range(1, 6)])
    repo.item("STORY-002", "As STORY-001.", title="Crane")
    repo.commit()
    ingest()
    row = links(search_context(reader, query="quay"), "STORY-001")
    named = [link for link in graph.links("STORY-001") if link.method in ("cites", "explicit-ref", "title-mention")]
    listed = {i for name, ids in row.items() if name != "more" for i in ids}
    assert listed <= {i for link in named for i in (link.source_id, link.target_id)}
    assert sum(len(ids) for name, ids in row.items() if name != "more") + row["more"] == len(named)


@requirement(
    "deleted.out-of-search", "deleted.marks", "deleted.only", "deleted.clock-beside-date", "deleted.other-deleted"
)
def test_a_deleted_artifact_is_out_of_every_shelf_and_comes_back_marked(repo, talks, ingest, reader) -> None:
    repo.item("STORY-001", "The quay stands.", title="Quay", parent="EPIC-001")
    repo.item("STORY-002", "The quay fell.", title="Quay fell", parent="EPIC-001")
    repo.item("EPIC-001", "Quay.", title="Quay works", type="epic")
    repo.commit()
    ingest()
    (repo.root / "backlog" / "STORY-002.md").unlink()
    repo.commit("take it out", "2026-02-03")
    ingest()

    def shelves(**asked: Any) -> tuple[set[str], set[str], set[str]]:
        answer = search_context(reader, query="quay fell", limit=50, **asked)
        for row in (*answer["artifacts"], *answer["passages"]):
            if row["artifact_id"] == "STORY-002":
                assert row["deleted"] is True and row["deleted_at"] == "2026-02-03T00:00:00Z"
                assert row["deleted_clock"] == "source-declared"
            else:
                assert "deleted" not in row
        for fact in answer["facts"]:
            assert fact.get("other_deleted", False) is ("STORY-002" in fact["endpoints"])
        rows, quotes = ({r["artifact_id"] for r in answer[shelf]} for shelf in ("artifacts", "passages"))
        return rows, quotes, {i for r in answer["facts"] for i in r["endpoints"]}

    live = {"STORY-001", "EPIC-001"}
    assert shelves() == (live, live, live)
    assert shelves(deleted="include") == (live | {"STORY-002"},) * 3
    assert shelves(deleted="only") == ({"STORY-002"}, {"STORY-002"}, {"STORY-002", "EPIC-001"})


@requirement("deleted.other-values-refused")
def test_another_value_of_deleted_is_refused(repo, ingest, reader) -> None:
    repo.commit()
    ingest()
    with pytest.raises(BadArguments, match="deleted='yes'"):
        search_context(reader, query="quay", deleted="yes")


@requirement("deleted.other-deleted")
def test_a_link_into_a_withdrawn_neighbour_is_told_from_one_into_a_live_one(repo, ingest, reader) -> None:
    repo.item("CONV-001", "Talk.", folder="conversations")
    repo.item("CONV-002", "Talk.", folder="conversations")
    repo.item("STORY-001", "The quay fell.", cited_sources=["CONV-001", "CONV-002"])
    repo.commit("all")
    ingest()
    (repo.root / "conversations/CONV-002.md").unlink()
    repo.commit("take it out")
    ingest()
    row = search_context(reader, query="quay fell", deleted="include")["artifacts"][0]
    assert row["links"] == {"cites": ["CONV-001", "CONV-002"], "other_deleted": ["CONV-002"]}
    assert search_context(reader, query="quay fell")["artifacts"][0]["links"] == {"cites": ["CONV-001"]}
