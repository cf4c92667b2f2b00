"""Stories and delivery records as a test writes them."""

from __future__ import annotations

from typing import Any

from tests.repo import Repo


def story(repo: Repo, artifact_id: str, *criteria: str, status: str = "done", **keys: Any) -> None:
    """A work item; without criteria its body has no section for them."""
    body = "Some prose."
    if criteria:
        body += "\n\n## Acceptance criteria\n" + "".join(f"- {c}\n" for c in criteria)
    repo.item(artifact_id, body, type="story", status=status, **keys)


def held(criterion: int, text: str = "quoted") -> dict[str, Any]:
    return {"criterion": criterion, "text": text, "verdict": "held"}


def departed(criterion: int | str, text: str = "quoted", reason: str = "it cost too much") -> dict[str, Any]:
    return {"criterion": criterion, "text": text, "verdict": "departed", "reason": reason, "decided_by": "ada"}


def delivery(
    repo: Repo, artifact_id: str, delivers: str, *verdicts: dict[str, Any], at: str | None = "2026-02-01T09:00:00Z",
    notes: str | None = None, body: str = "",
) -> None:  # fmt: skip
    """A delivery record; ``at`` None leaves its time out."""
    lines = [f"id: {artifact_id}", f"title: Delivery {artifact_id}", f"delivers: {delivers}"]
    lines += [f'delivered_at: "{at}"'] if at else []
    lines += [f"notes: {notes}"] if notes else []
    if verdicts:
        lines.append("verdicts:")
        for verdict in verdicts:
            first, *rest = (f"{key}: {value}" for key, value in verdict.items())
            lines += [f"  - {first}", *(f"    {line}" for line in rest)]
    repo.write(f"deliveries/{artifact_id}.md", "---\n" + "\n".join(lines) + f"\n---\n\n{body}\n")


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["artifact_id"] for row in rows]
