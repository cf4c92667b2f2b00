"""A generated product for the benchmarks: N artifacts of about 1 KB and 2·N links, in one commit."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

TOML = """[llm]
provider = "none"
[embedding]
provider = "none"
[backlog]
path = "backlog"
[connectors.notes]
paths = ["decisions"]
"""


def write_product(root: Path, artifacts: int, *, seed: int = 1) -> None:
    """A tenth are epics, a tenth decision notes, the rest stories with a parent, a citation, and now and then an id or
    a title in prose; two links an artifact in all."""
    dice = random.Random(seed)
    vocabulary = ["".join(dice.choices("abdeiklmnorstu", k=dice.randint(3, 9))) for _ in range(4000)]
    weights = [1 / (place + 3) for place in range(len(vocabulary))]
    epics, notes = artifacts // 10, artifacts // 10
    for folder in ("backlog", "decisions"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "revetly.toml").write_text(TOML)
    for number in range(artifacts):
        said = dice.choices(vocabulary, weights, k=150)
        title = " ".join(dice.choices(vocabulary, k=4)).capitalize()
        if number < epics:
            name, keys = f"backlog/EPIC-{number:06}", ["type: epic"]
        elif number < epics + notes:
            name, keys = f"decisions/DEC-{number:06}", ["captured_at: 2026-01-02"]
        else:
            name = f"backlog/STORY-{number:06}"
            parent, cited = dice.randrange(epics), epics + dice.randrange(notes)
            keys = ["type: story", "status: ready", f"parent: EPIC-{parent:06}", f"cited_sources: [DEC-{cited:06}]"]
            if number % 2:
                said.insert(20, f"EPIC-{(parent + 1) % epics:06}.")
        artifact_id = name.split("/")[1]
        block = "\n".join([f"id: {artifact_id}", f"title: {title}", *keys])
        body = " ".join(said)
        (root / f"{name}.md").write_text(f"---\n{block}\n---\n\n{body}\n\n## Acceptance criteria\n\n- One\n- Two\n")
    git = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0"]
    subprocess.run([*git, "init", "-q", "-b", "main"], cwd=root, check=True)
    subprocess.run([*git, "add", "-A"], cwd=root, check=True)
    subprocess.run([*git, "commit", "-q", "-m", "All of it"], cwd=root, check=True)
