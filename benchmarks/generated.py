"""A generated project of any size, written straight to the store and the ledger: what the reads are measured on.

Neighbourhoods keep their size whatever the corpus has: six features an epic, eight stories a feature, three notes cited
by a story, one delivery record for every third story. Only how many there are of them grows. The words are drawn with
the long tail that prose has.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from graphapi.domain.artifact import natural_key
from graphapi.domain.dates import as_text
from graphapi.domain.links import METHOD_RANK, is_fact, link_key
from graphapi.models import LedgerEntry, Project, SourceState
from graphapi.store.port import ArtifactRow, GraphStore, LinkRow

NOW = "2026-06-01T09:00:00Z"
_BEGAN = datetime(2022, 1, 1, tzinfo=UTC)
_SHARES = {"commit": 0.45, "doc": 0.25, "pbi": 0.2, "delivery-record": 0.1}
_CRITERIA = "\n\n## Acceptance criteria\n\n- It holds.\n- It holds twice.\n- It is said on the page.\n"


class Words:
    """Words with a long tail; one vocabulary, and draws that are the same for the same seed."""

    def __init__(self, seed: int = 1) -> None:
        made = random.Random(0)
        vocabulary = ["".join(made.choices("abdeiklmnorstu", k=made.randint(3, 9))) for _ in range(6000)]
        self.vocabulary = list(dict.fromkeys(vocabulary))
        self.dice = random.Random(seed)
        self.weights = [1 / (place + 4) for place in range(len(self.vocabulary))]

    def said(self, count: int) -> list[str]:
        return self.dice.choices(self.vocabulary, self.weights, k=count)

    def query(self, count: int = 5) -> str:
        """Words as somebody asks: drawn as the prose is, so some are common and some are rare."""
        return " ".join(dict.fromkeys(self.said(count)))


def ids_of(size: int) -> dict[str, list[str]]:
    counts = {kind: max(int(size * share), 1) for kind, share in _SHARES.items()}
    epics = max(counts["pbi"] // 55, 1)
    features = max(min(epics * 6, counts["pbi"] - epics - 1), 1)
    stories = max(counts["pbi"] - epics - features, 1)
    return {
        "epic": [f"EPIC-{n}" for n in range(epics)],
        "feature": [f"FEAT-{n}" for n in range(features)],
        "story": [f"STORY-{n}" for n in range(stories)],
        "note": [f"{'DEC' if n % 3 == 0 else 'CONV'}-{n}" for n in range(counts["doc"])],
        "delivery": [f"DEL-{n}" for n in range(counts["delivery-record"])],
        "commit": [f"code@{n:012x}" for n in range(counts["commit"])],
    }


_KIND = {
    "epic": "pbi",
    "feature": "pbi",
    "story": "pbi",
    "note": "doc",
    "delivery": "delivery-record",
    "commit": "commit",
}


def artifacts(ids: dict[str, list[str]], words: Words) -> Iterator[ArtifactRow]:
    for group, members in ids.items():
        for n, artifact_id in enumerate(members):
            said = words.said(14 if group == "commit" else 165)
            when = as_text(_BEGAN + timedelta(minutes=37 * n))
            kind = _KIND[group]
            artifact_type = None if group == "commit" else "delivery-record" if group == "delivery" else group
            if group == "note":
                artifact_type = "decision" if artifact_id.startswith("DEC") else "conversation"
            body = " ".join(said) + (_CRITERIA if kind == "pbi" else "")
            yield ArtifactRow(
                artifact_id, kind, artifact_type, " ".join(said[:6]), body,
                "done" if n % 3 == 0 else "ready", "source-of-record", "backlog", f"{group}/{artifact_id}.md",
                f"{group}/{artifact_id}.md", when, when, {"labels": ["alpha"]}, False, natural_key(artifact_id),
                f"{artifact_id:>064}",
            )  # fmt: skip


def links(namespace: str, ids: dict[str, list[str]], titles: dict[str, str]) -> Iterator[LinkRow]:
    """Two links an artifact, about; a fact's sentence holds both titles, as the linker writes it."""
    for link in _stated(namespace, ids):
        if is_fact(link.method):
            source, target = link.source_id, link.target_id
            said = f"{titles[source]} ({source}) {link.relation} {titles[target]} ({target})"
            yield replace(link, fact=said)
        else:
            yield link


def _stated(namespace: str, ids: dict[str, list[str]]) -> Iterator[LinkRow]:
    dice = random.Random(3)
    notes = ids["note"]
    for n, feature in enumerate(ids["feature"]):
        yield _link(namespace, feature, ids["epic"][(n // 6) % len(ids["epic"])], "parent")
    for n, story in enumerate(ids["story"]):
        yield _link(namespace, story, ids["feature"][(n // 8) % len(ids["feature"])], "parent")
        for k in range(3):
            yield _link(namespace, story, notes[(n * 3 + k) % len(notes)], "cites")
    for n, record in enumerate(ids["delivery"]):
        yield _link(namespace, record, ids["story"][(n * 3) % len(ids["story"])], "delivers")
    for n, note in enumerate(notes):
        yield _link(namespace, note, ids["story"][n % len(ids["story"])], "references", "explicit-ref")
        if n % 9 == 8:
            yield _link(namespace, note, notes[n - 5], "supersedes")
    for commit in ids["commit"]:
        yield _link(namespace, commit, dice.choice(ids["story"]), "references", "explicit-ref")


def _link(namespace: str, source: str, target: str, relation: str, method: str | None = None) -> LinkRow:
    method = method or relation
    key = link_key(namespace, source, target, relation, method)
    return LinkRow(key, source, target, relation, method, METHOD_RANK[method], "", "backlog", NOW, {}, key)


def fill(project: Project, store: GraphStore, size: int) -> dict[str, list[str]]:
    """Write the project of ``size`` artifacts; the ids by group."""
    words, ids = Words(), ids_of(size)
    titles: dict[str, str] = {}
    store.prepare()
    now = datetime.now(UTC)
    SourceState.objects.create(project=project, source="backlog", last_read_at=now, complete=True)
    for batch in _batches(artifacts(ids, words), 2000):
        store.upsert_artifacts(project.namespace, batch, now=NOW)
        titles |= {row.artifact_id: row.title for row in batch}
        LedgerEntry.objects.bulk_create(
            [
                LedgerEntry(
                    project=project, artifact_id=r.artifact_id, source=r.source, kind=r.kind, title=r.title,
                    artifact_type=r.artifact_type, path=r.source_path, version="", content_hash="", digest=r.digest,
                    source_created_at=r.source_created_at, source_updated_at=r.source_updated_at,
                    first_ingested_at=now, ingested_at=now,
                )
                for r in batch
            ],
            batch_size=500,
        )  # fmt: skip
    for batch in _batches(links(project.namespace, ids, titles), 2000):
        store.link(project.namespace, batch)
    return ids


def _batches(rows: Iterator[Any], size: int) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
