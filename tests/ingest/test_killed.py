"""A pass that is killed anywhere, and run again, leaves what a clean pass leaves (SIGKILL, on each store)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.corpus import build, write

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.requirement("freshness.failed-pass-recorded")
@pytest.mark.parametrize("seed", [1])
def test_a_pass_killed_at_ten_random_points_and_run_again_leaves_what_a_clean_pass_leaves(
    backend, tmp_path, seed
) -> None:
    write(build(7, "full"), tmp_path / "product")
    # A title in prose and an id that nothing answers to, so that every stage of a pass has something to lose.
    (tmp_path / "product/conversations/CONV-900.md").write_text(
        "---\nid: CONV-900\ntitle: Harbour supper\ncited_sources: [CONV-999]\n---\n\n"
        "Reserve by text message, they said.\n"
    )
    # A change in the log of each story, and an edit that nobody has committed.
    for story in sorted((tmp_path / "product/backlog").glob("*.md")):
        story.write_text(story.read_text() + "\nSaid once more.\n")
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", "Say it once more"]
    subprocess.run([*git, "backlog"], cwd=tmp_path / "product", check=True)
    story.write_text(story.read_text() + "And not committed.\n")
    kept = {k: v for k, v in os.environ.items() if not k.startswith("REVETLY_") or k.startswith("REVETLY_TEST_")}
    environment = {**kept, "KILLED_BACKEND": backend.name}
    done = subprocess.run(
        [sys.executable, "-m", "tests.ingest.killed", str(tmp_path), "10", str(seed)],
        cwd=ROOT, capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["artifacts"] == 59 and seen["links"] > 100
    assert seen["revisions"] > 20 and seen["edits"] == 1
    assert all(point["killed"] for point in seen["points"]), seen["points"]
    assert [point for point in seen["points"] if not point["same"]] == []
    assert {point["state"] for point in seen["points"]} == {"green"}
    assert any(point["buried"] == 1 for point in seen["points"]), "the killed pass reads as failed"
