"""Kept logs do not depend on when passes ran: read in steps, they are those of one clean reading of the same tree."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from graphapi.ingest.passes import run_pass
from graphapi.models import IngestPass, Project
from graphapi.store.port import GraphStore
from tests.connectors.test_dates_in_steps import Walk
from tests.repo import Repo

Ingest = Callable[..., IngestPass]
Log = set[tuple[Any, ...]]


class Branching(Walk):
    """Now and then two people work side by side, and one's work is merged into the other's."""

    def step(self) -> str:
        if self.random.random() < 0.8:
            return super().step()
        self.steps.append("merge")
        self.act("commit", "", "")
        self.repo.git("checkout", "-q", "-B", "side")
        self._edit()
        self.repo.git("checkout", "-q", "main")
        self._edit()
        self.repo.clock += 86400
        date = f"@{int(self.repo.clock)} +0000"
        self.repo.git("merge", "-q", "--no-ff", "-X", "theirs", "-m", "Join", "side", date=date)
        return "merge"

    def _edit(self) -> None:
        if here := self.standing():
            self.act("edit", self.random.choice(here), "")
        self.act("commit", "", "")


def log(project: Project) -> Log:
    ids = project.ledger.filter(deleted_at=None).values("artifact_id")
    rows = project.revisions.filter(artifact_id__in=ids).order_by()
    return set(rows.values_list("artifact_id", "commit", "at", "subject", "by", "content_hash"))


@pytest.mark.parametrize("walk", [Walk, Branching])
@pytest.mark.parametrize("seed", range(20, 32))
def test_logs_of_any_sequence_are_those_of_a_clean_reading(
    repo: Repo, ingest: Ingest, project: Project, store: GraphStore, walk: type[Walk], seed: int
) -> None:
    walked = walk(repo, seed)
    for path in walked.paths[:2]:
        walked.add(path)
    repo.commit()
    ingest()
    for _ in range(14):
        if walked.step() == "pass":
            assert ingest().error == ""
    for path in walked.standing():
        # What cannot be read keeps what was read before, and a clean reading has nothing to keep.
        if (repo.root / path).read_text().startswith("---\nid: ["):
            walked.add(path)
    repo.commit()
    ingest()
    for path in walked.standing()[:1]:
        walked.act("edit", path, "")
    ingest()
    name = f"t-{uuid.uuid4().hex}"
    other = Project.objects.create(name=name, namespace=name, root=project.root)
    try:
        assert run_pass(other, store).error == ""
        assert log(project) == log(other) != set(), walked.steps
    finally:
        store.clear(name)
