"""Reading a source further back than it was: in windows, newest first, and nothing claimed before it was read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from graphapi.connectors.base import ConnectorError, SourceMemory
from graphapi.connectors.commits import CommitsConnector
from graphapi.domain.dates import as_text
from graphapi.domain.project_config import read_config
from graphapi.domain.refusals import UnknownSource
from graphapi.domain.spans import ONE_DAY, Span, joined, windows, without
from graphapi.ingest import ledger
from graphapi.ingest.linking import link_project
from graphapi.ingest.passes import Progress, _silent
from graphapi.ingest.reading import ReadingRun, commit_connectors
from graphapi.models import Project, SourceState
from graphapi.store.locks import project_lock
from graphapi.store.port import GraphStore

WINDOW_DAYS = 31


@dataclass(frozen=True, slots=True)
class Plan:
    """What a backfill of one source would read. ``commits`` is how many it would find; no provider is asked, so the
    provider's part of the price is zero."""

    source: str
    floor: date | None
    target: date
    spans: tuple[Span, ...]
    windows: tuple[Span, ...]
    commits: int


@dataclass(frozen=True, slots=True)
class Filled:
    source: str
    written: int
    complete: bool
    error: str | None = None


def backfill_plan(project: Project, *, source: str | None = None, to: date | None = None) -> list[Plan]:
    """Price a backfill: per source with a floor, the unread spans down to ``to`` (default: the declared floor, for gaps
    alone where it is already read to). Reads nothing into the corpus. Raises :class:`UnknownSource`,
    ``SettingRefused``, ``ConnectorError``."""
    return [plan for _, _, plan in _plans(project, source, to)]


def _plans(
    project: Project, source: str | None, to: date | None
) -> Iterator[tuple[SourceState, CommitsConnector, Plan]]:
    config = read_config(project.root_path)
    connectors = {c.source: c for c in commit_connectors(project, config)}
    if source is not None and source not in connectors:
        known = ", ".join(connectors) or "none is declared"
        raise UnknownSource(f"{source} is no source with a floor", fix=f"name one of: {known}")
    states = {s.source: s for s in project.sources.filter(source__in=connectors)}
    for name, connector in connectors.items():
        if (source is not None and name != source) or name not in states:
            continue
        state = states[name]
        spans = _unread(state, to or connector.since or connector.first_day())
        if spans:
            cut = tuple(w for span in reversed(spans) for w in windows(span, WINDOW_DAYS))
            count = sum(connector.count(span) for span in spans)
            target = min(spans[0].start, state.floor or spans[0].start)
            yield state, connector, Plan(name, state.floor, target, tuple(spans), cut, count)


def _unread(state: SourceState, to: date | None) -> list[Span]:
    spans = [Span.parse(text) for text in state.gaps]
    if to is not None:
        spans = [Span(max(s.start, to), s.end) for s in spans]
        if state.floor is not None and to < state.floor:
            spans.append(Span(to, state.floor - ONE_DAY))
    return joined(spans)


def backfill_run(
    project: Project, store: GraphStore, *, source: str | None = None, to: date | None = None,
    progress: Progress = _silent,
) -> list[Filled]:  # fmt: skip
    """Read further back, under the project's lock. A source is partial from its first window until its last is read;
    its floor moves only then. Raises :class:`PassRunning` and what :func:`backfill_plan` raises."""
    with project_lock(project):
        plans = list(_plans(project, source, to))
        store.prepare()
        memory = ledger.recall(project, store, reread=False)
        run = ReadingRun(project, store, memory, step=progress)
        filled = [_fill(state, connector, plan, run) for state, connector, plan in plans]
        if filled:
            link_project(project, read_config(project.root_path), store, now=as_text(datetime.now(UTC)) or "")
        return filled


def _fill(state: SourceState, connector: CommitsConnector, plan: Plan, run: ReadingRun) -> Filled:
    state.partial = True
    state.save(update_fields=["partial"])
    gaps = [Span.parse(text) for text in state.gaps]
    error: str | None = None
    for window in plan.windows:
        try:
            run.consume(connector.over(window).read(run.memory.by_id, SourceMemory()))
        except ConnectorError as failed:
            error = str(failed)
            break
        gaps = without(gaps, window)
        state.gaps = [str(gap) for gap in gaps]
        state.save(update_fields=["gaps"])
    if error is None:
        state.partial = False
        if state.floor is not None:
            state.floor = min(state.floor, plan.target)
        if state.view_from is not None:
            state.view_from = min(state.view_from, plan.target)
    state.error, state.failed = error or "", error is not None
    state.save()
    tally = run.tallies.get(plan.source)
    return Filled(plan.source, tally.written if tally else 0, error is None, error)
