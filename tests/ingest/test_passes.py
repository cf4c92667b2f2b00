"""A pass end to end, on each store."""

from __future__ import annotations


def test_a_pass_reads_the_backlog_and_links_what_it_declares(repo, ingest, graph) -> None:
    repo.item("EPIC-001", type="epic", status="ready")
    repo.item("STORY-001", "See EPIC-001.", parent="EPIC-001")
    repo.commit()
    row = ingest()
    assert (row.state, row.error) == ("green", "")
    assert graph.ids() == {"EPIC-001", "STORY-001"}
    assert graph.edges() == {("STORY-001", "parent", "EPIC-001"), ("STORY-001", "references", "EPIC-001")}
