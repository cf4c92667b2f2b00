"""The seeded corpus through an ordinary pass: structural scores must be perfect on both stores (000)."""

from __future__ import annotations

import pytest

from evals.corpus import build, withdraw, write
from graphapi.ingest.passes import run_pass
from graphapi.models import Project


@pytest.mark.requirement("corpus.links-exact")
@pytest.mark.parametrize("seed", [7, 11, 13, 17, 19])
def test_a_pass_over_the_corpus_leaves_the_golds_edges_and_no_phantom(
    db, home, tmp_path, namespace, store, seed
) -> None:
    corpus = build(seed, "full")
    root = tmp_path / "harbourmaster"
    write(corpus, root)
    project = Project.objects.create(name="corpus", namespace=namespace, root=str(root))
    gold = {(edge.source, edge.relation, edge.target) for edge in corpus.gold.edges}
    for _ in range(2):
        row = run_pass(project, store)
        assert (row.state, row.findings) == ("green", [])
        digests = list(store.artifact_digests(namespace))
        links = store.neighbours(namespace, [i for i, _, _ in digests], limit=10000)
        found = {(link.source_id, link.relation, link.target_id) for link in links}
        assert found - gold == set(), "an edge the gold does not hold"
        assert gold - found == set(), "an edge of the gold is missing"
        assert corpus.gold.decoy_ticket not in {i for i, _, _ in digests}
        assert len(digests) == 58
    withdraw(corpus, root)
    row = run_pass(project, store)
    assert row.counts["deleted"] == 1
    assert corpus.withdrawal is not None
    (gone,) = store.get(namespace, [corpus.withdrawal.artifact_id])
    assert (gone.deleted, gone.deleted_clock) == (True, "source-declared")
