"""What the tests of the doors share: a project read once, and a process bound to loopback."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graphapi.store import instance
from graphapi.store.port import StoreUnavailable
from revetly_site.cli import tree
from tests.repo import Repo


@pytest.fixture
def loopback(settings: Any) -> None:
    settings.BOUND = "127.0.0.1:8000"


@pytest.fixture
def revetly(instance_is: Any, db: None) -> Callable[..., Result]:
    """Run a command of the tree, which must end with ``code``."""

    def run(*arguments: str, code: int = 0) -> Result:
        result = CliRunner().invoke(tree(), list(arguments), catch_exceptions=False)
        assert result.exit_code == code, result.output + result.stderr
        return result

    return run


class _Down:
    """A store that is there and does not answer, whatever it is asked."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def refuse(*args: Any, **kwargs: Any) -> Any:
            raise StoreUnavailable("The graph at bolt://here: it does not answer.")

        return refuse


@pytest.fixture
def graph_down(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From now on this process's store does not answer."""
    return lambda: monkeypatch.setattr(instance, "_open", {os.getpid(): _Down()})


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
    repo.item("DEL-001", "Shipped.", folder="deliveries", delivers=["STORY-002"], delivered_at="2026-01-09",
              verdicts="[{criterion: 1, verdict: departed, text: It is dry, reason: It is damp}]")  # fmt: skip
    repo.commit("Begin", "2026-01-10")
    ingest()
    return repo
