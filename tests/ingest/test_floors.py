"""How far back a source was read: floors, gaps, backfills (004 section 5, history), on each store."""

from __future__ import annotations

from datetime import date

import pytest

from graphapi.connectors.base import ConnectorError
from graphapi.connectors.commits import CommitsConnector
from graphapi.domain.refusals import UnknownSource
from graphapi.ingest.backfill import backfill_plan, backfill_run
from graphapi.reads.health import context_health
from graphapi.reads.reader import Reader
from tests.repo import LITE, Repo

requirement = pytest.mark.requirement


def declare(repo, since: str | None) -> None:
    line = f'since = "{since}"\n' if since else ""
    repo.write("revetly.toml", LITE + f'[connectors.commits]\nrepositories = ["code"]\n{line}')


@pytest.fixture
def code(repo):
    """A nested repository with a commit on the tenth of each month of 2026, January to August."""
    made = Repo(repo.root / "code", None)
    for month in range(1, 9):
        made.write("log.txt", f"{month}\n")
        made.commit(f"Work of month {month}", f"2026-{month:02}-10")
    repo.write(".gitignore", "/code/\n")
    return made


def state(project):
    return project.sources.get(source="commits/code")


def months(graph) -> set[str]:
    return {graph.get(i).source_created_at[5:7] for i in graph.ids()}


@requirement("history.floor-recorded")
def test_the_floor_is_what_was_read_back_to_and_a_finished_backfill_moves_it(
    repo, code, ingest, graph, project, store
) -> None:
    declare(repo, "2026-07-06")
    ingest()
    assert months(graph) == {"07", "08"}
    assert state(project).floor == date(2026, 7, 6)
    (done,) = backfill_run(project, store, to=date(2026, 1, 1))
    assert (done.complete, done.written) == (True, 6)
    assert state(project).floor == date(2026, 1, 1)
    assert months(graph) == {f"{m:02}" for m in range(1, 9)}
    ingest()
    assert state(project).floor == date(2026, 1, 1)
    assert state(project).gaps == []
    assert months(graph) == {f"{m:02}" for m in range(1, 9)}


@requirement("history.partial-recorded", "history.floor-recorded")
def test_a_backfill_that_stops_is_partial_and_claims_no_floor_and_one_that_ends_takes_the_mark_off(
    repo, code, ingest, graph, project, store, monkeypatch
) -> None:
    declare(repo, "2026-05-01")
    ingest()
    real, asked = CommitsConnector.read, []

    def second_fails(self, known, memory):
        asked.append(self.window)
        if len(asked) == 2:
            raise ConnectorError("the disk went away", permanent=False)
        return real(self, known, memory)

    monkeypatch.setattr(CommitsConnector, "read", second_fails)
    (stopped,) = backfill_run(project, store, to=date(2026, 1, 1))
    assert not stopped.complete and stopped.error == "the disk went away"
    assert (state(project).partial, state(project).floor) == (True, date(2026, 5, 1))
    assert months(graph) == {"04", "05", "06", "07", "08"}
    assert context_health(Reader(store))["history"]["commits/code"]["partial"] is True
    monkeypatch.undo()
    (done,) = backfill_run(project, store, to=date(2026, 1, 1))
    assert done.complete
    assert (state(project).partial, state(project).floor) == (False, date(2026, 1, 1))


@requirement("history.gap-raised-floor")
def test_a_span_that_a_raised_floor_puts_out_of_view_is_a_gap(repo, code, ingest, graph, project, store) -> None:
    declare(repo, "2026-01-01")
    ingest()
    declare(repo, "2026-07-01")
    ingest()
    assert state(project).floor == date(2026, 1, 1)
    assert state(project).gaps == ["2026-01-01/2026-06-30"]
    assert len(graph.ids()) == 8, "what was read stays"
    ingest()
    assert state(project).gaps == ["2026-01-01/2026-06-30"]
    (done,) = backfill_run(project, store, to=date(2026, 1, 1))
    assert done.complete and state(project).gaps == []


def test_a_floor_raised_over_a_source_read_to_its_beginning_leaves_a_gap_from_there(
    repo, code, ingest, project
) -> None:
    declare(repo, None)
    ingest()
    assert state(project).floor is None
    declare(repo, "2026-07-01")
    ingest()
    assert (state(project).floor, state(project).gaps) == (date(2026, 1, 10), ["2026-01-10/2026-06-30"])


@requirement("history.gap-left-unread")
def test_a_span_between_two_readings_that_the_source_no_longer_gives_is_a_gap_until_it_is_read(
    repo, code, ingest, graph, project, store
) -> None:
    declare(repo, "2026-01-01")
    ingest()
    # The clone was lost, and comes back cut: what lies between the last reading and where it now begins went unread.
    from datetime import UTC, datetime

    project.sources.filter(source="commits/code").update(last_read_at=datetime(2026, 6, 1, tzinfo=UTC))
    whole = repo.root.parent / "whole"
    code.root.rename(whole)
    repo.git("clone", "-q", "--depth", "1", f"file://{whole}", str(code.root))
    ingest()
    assert state(project).gaps == ["2026-06-01/2026-08-09"]
    assert state(project).floor == date(2026, 1, 1)
    assert len(graph.ids()) == 8
    (stopped,) = backfill_run(project, store)
    assert not stopped.complete and "shallow" in (stopped.error or "")
    assert state(project).gaps == ["2026-06-01/2026-08-09"], "a window nobody could read is claimed by nobody"
    Repo.git(code, "fetch", "-q", "--unshallow")
    (done,) = backfill_run(project, store)
    assert done.complete and state(project).gaps == []


@requirement("history.backfill-dry-run")
def test_a_dry_run_prices_the_span_and_changes_nothing(repo, code, ingest, graph, project, store) -> None:
    declare(repo, "2026-07-06")
    ingest()
    before = (graph.ids(), list(project.ledger.values_list("artifact_id", "version")), list(project.sources.values()))
    (plan,) = backfill_plan(project, to=date(2026, 1, 1))
    assert (plan.source, plan.floor, plan.target) == ("commits/code", date(2026, 7, 6), date(2026, 1, 1))
    assert [str(span) for span in plan.spans] == ["2026-01-01/2026-07-05"]
    assert (plan.commits, len(plan.windows)) == (6, 6)
    assert (
        graph.ids(),
        list(project.ledger.values_list("artifact_id", "version")),
        list(project.sources.values()),
    ) == before


def test_lowering_the_declared_floor_reads_no_further_until_a_backfill(
    repo, code, ingest, graph, project, store
) -> None:
    declare(repo, "2026-07-06")
    ingest()
    declare(repo, "2026-03-01")
    ingest()
    assert months(graph) == {"07", "08"}
    (done,) = backfill_run(project, store)
    assert done.complete and months(graph) == {"03", "04", "05", "06", "07", "08"}
    assert state(project).floor == date(2026, 3, 1)


def test_a_source_without_a_floor_is_refused_by_name(repo, code, ingest, project) -> None:
    declare(repo, None)
    with pytest.raises(UnknownSource) as refused:
        backfill_plan(project, source="backlog")
    assert "commits/code" in refused.value.fix


def test_commits_that_history_no_longer_holds_are_gone_and_those_below_the_view_are_not(
    repo, code, ingest, graph
) -> None:
    declare(repo, "2026-05-01")
    ingest()
    assert months(graph) == {"05", "06", "07", "08"}
    code.git("reset", "-q", "--hard", "HEAD~2")
    ingest()
    assert months(graph) == {"05", "06"}
