"""What the tests of the doors share: a project read once, and a process bound to loopback."""

from __future__ import annotations

from typing import Any

import pytest

from tests.repo import Repo


@pytest.fixture
def loopback(settings: Any) -> None:
    settings.BOUND = "127.0.0.1:8000"


@pytest.fixture
def seen(repo: Repo, ingest: Any, instance_is: Any, project: Any, loopback: None) -> Repo:
    """A small product, read: an epic with two stories beneath it, a decision that revises one, a delivery."""
    repo.item("EPIC-001", type="epic", title="Arrivals <b>by night</b>", status="in-progress")
    repo.item("STORY-001", "<script>alert(1)</script> A berth, as EPIC-001 says.\n\n## Acceptance criteria\n\n"
              "- The berth is lit\n- The bell rings\n", parent="EPIC-001", status="draft", owner="ada")  # fmt: skip
    repo.item("STORY-002", "A quay.\n\n## Acceptance criteria\n\n- It is dry\n", parent="EPIC-001", status="done",
              supersedes="STORY-001")  # fmt: skip
    repo.item("DEC-001", "We decided on the berth.\n\n## Decision\n\nLight every berth by night.", folder="decisions",
              revises=["STORY-001"], related=["STORY-001"])  # fmt: skip
    repo.commit("Begin", "2026-01-10")
    ingest()
    return repo
