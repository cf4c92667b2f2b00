"""The handed cases as a project: their files, a revetly.toml, one commit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.repo import ALL, Repo

CASES = Path(__file__).parent / "dirty-notes"
WITHHOLD = '[extraction]\nwithhold = ["conversations/private/**"]\n'
COMMITTED = "2026-03-10T00:00:00Z"


@pytest.fixture
def dirty(repo: Repo) -> Repo:
    """The project's repository, holding the dirty notes, committed."""
    shutil.copytree(CASES, repo.root, dirs_exist_ok=True)
    (repo.root / "docs").mkdir(exist_ok=True)
    repo.write("revetly.toml", ALL + WITHHOLD)
    repo.commit("bring the notes", COMMITTED)
    return repo
