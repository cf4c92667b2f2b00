"""What a commit says of a withheld file is not kept, whenever the file came to be withheld."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from graphapi.ingest import passes
from graphapi.models import IngestPass, Project
from tests.contract.backends import Backend
from tests.everywhere import texts
from tests.repo import ALL, Repo

Ingest = Callable[..., IngestPass]
WITHHOLD = '[extraction]\nwithhold = ["conversations/private/**"]\n'
SECRET = "hemmeligord"
WORDS = "Words enough to be known again.\n" * 6


def told(repo: Repo, folder: str) -> Repo:
    repo.item("CONV-1", WORDS, folder=folder)
    repo.commit("Add", "2026-02-01")
    repo.item("CONV-1", WORDS + "More.", folder=folder)
    repo.commit(f"Speak of {SECRET}", "2026-02-02")
    return repo


def subjects(project: Project) -> list[str]:
    return list(project.revisions.filter(artifact_id="CONV-1").values_list("subject", flat=True))


def places(project: Project, graph: Any, backend: Backend) -> list[str]:
    return [place for place, text in texts(project, graph.store, backend) if SECRET in text.casefold()]


def test_a_withheld_file_has_revisions_with_time_and_author_and_no_subject(
    repo: Repo, ingest: Ingest, graph: Any, project: Project, backend: Backend
) -> None:
    repo.write("revetly.toml", ALL + WITHHOLD)
    told(repo, "conversations/private")
    with CaptureQueriesContext(connection) as queries:
        ingest()
    assert [q["sql"] for q in queries.captured_queries if SECRET in q["sql"]] == [], "not even for a moment"
    row = project.revisions.get(artifact_id="CONV-1")
    assert (str(row.at.date()) if row.at else None, row.by, row.subject) == ("2026-02-02", "Ada", "")
    repo.item("CONV-1", WORDS + "Still more.", folder="conversations/private")
    repo.commit(f"Speak again of {SECRET}", "2026-02-03")
    ingest()
    assert subjects(project) == ["", ""]
    assert places(project, graph, backend) == []
    with CaptureQueriesContext(connection) as queries:
        ingest()
    assert [q["sql"] for q in queries.captured_queries if q["sql"].startswith('UPDATE "graphapi_revision"')] == []


@pytest.mark.requirement("withheld.never-sent")
@pytest.mark.parametrize("gone", [False, True], ids=["live", "deleted"])
def test_subjects_are_taken_back_when_a_file_is_withheld_later_and_return_when_it_is_not(
    repo: Repo, ingest: Ingest, graph: Any, project: Project, backend: Backend, gone: bool
) -> None:
    told(repo, "conversations/private")
    ingest()
    assert subjects(project) == [f"Speak of {SECRET}"]
    assert places(project, graph, backend)
    if gone:
        (repo.root / "conversations/private/CONV-1.md").unlink()
        repo.commit("Remove", "2026-02-03")
        ingest()
    repo.write("revetly.toml", ALL + WITHHOLD)
    repo.commit("Withhold", "2026-02-04")
    ingest()
    assert subjects(project) == [""]
    assert places(project, graph, backend) == []
    repo.write("revetly.toml", ALL)
    repo.commit("Tell", "2026-02-05")
    ingest()
    assert subjects(project) == ([""] if gone else [f"Speak of {SECRET}"])


@pytest.mark.requirement("withheld.never-sent")
@pytest.mark.parametrize("committed", [True, False])
def test_a_file_that_is_moved_to_where_it_is_withheld_takes_its_older_subjects_back(
    repo: Repo, ingest: Ingest, graph: Any, project: Project, backend: Backend, committed: bool
) -> None:
    repo.write("revetly.toml", ALL + WITHHOLD)
    told(repo, "conversations")
    ingest()
    assert subjects(project) == [f"Speak of {SECRET}"]
    (repo.root / "conversations/private").mkdir()
    (repo.root / "conversations/CONV-1.md").rename(repo.root / "conversations/private/CONV-1.md")
    if committed:
        repo.commit(f"Hide {SECRET}", "2026-02-03")
    ingest()
    assert set(subjects(project)) == {""}
    assert len(subjects(project)) == 1 + committed
    assert places(project, graph, backend) == []


@pytest.mark.requirement("withheld.never-sent")
def test_subjects_are_taken_back_before_anything_is_read(
    repo: Repo, ingest: Ingest, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    told(repo, "conversations/private")
    ingest()
    repo.write("revetly.toml", ALL + WITHHOLD)
    monkeypatch.setattr(passes, "_read_source", stopped)
    with pytest.raises(KeyboardInterrupt):
        ingest()
    assert subjects(project) == [""]
