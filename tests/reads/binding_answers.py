"""What the tests of binding read off an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphapi.models import Project
from graphapi.store.port import GraphStore, StatementRow
from tests.repo import Repo


def ids(answer: Any) -> list[str]:
    """The notes of the statements, in the order served."""
    return [row["artifact_id"] for row in answer["statements"]]


def row(answer: Any, artifact_id: str) -> dict[str, Any]:
    """The one statement of a note."""
    [found] = [row for row in answer["statements"] if row["artifact_id"] == artifact_id]
    return found


def decision(repo: Repo, artifact_id: str, body: str = "We decided so.", **keys: object) -> None:
    repo.item(artifact_id, body, folder="decisions", **keys)


def tree(repo: Repo, **cites: Sequence[str]) -> None:
    """An epic, its feature, and two stories beneath: ``EPIC_000=["DEC-000"]`` says what one of them cites."""
    parents = {"EPIC-000": None, "FEAT-000": "EPIC-000", "STORY-000": "FEAT-000", "STORY-001": "FEAT-000"}
    for artifact_id, parent in parents.items():
        cited = cites.get(artifact_id.replace("-", "_"))
        repo.item(artifact_id, parent=parent, cited_sources=list(cited) if cited else None)


def states(
    store: GraphStore, project: Project, note_id: str, passage: str, *, shelf: Any = "Assumption", **more: Any
) -> None:
    """Put into the store what a model would have read in a note."""
    values: dict[str, Any] = {"qualifier": None, "stated_at": None, "fact": f"{note_id} states: {passage}", **more}
    key = more.pop("key", f"{note_id}/{passage}")
    store.put_statements(
        project.namespace,
        [StatementRow(note_id=note_id, type=shelf, name=passage[:20], passage=passage, **{**values, "key": key})],
    )
