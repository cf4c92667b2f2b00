"""A pass over one project: read what changed, close out what is gone, link, and leave a row that says how it went."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db.models import Q

from graphapi.connectors.base import Connector, ConnectorError, SourceReading
from graphapi.connectors.working_tree import WorkingTree
from graphapi.domain.artifact import Finding
from graphapi.domain.dates import as_text
from graphapi.domain.project_config import ProjectConfig, read_config
from graphapi.domain.refusals import Refusal, SettingRefused
from graphapi.ingest import ledger, residue
from graphapi.ingest.linking import Linked, link_project
from graphapi.ingest.places import paths_of, placed
from graphapi.ingest.reading import ReadingRun, TextReader, commit_connectors, file_connectors, memory_of
from graphapi.ingest.revisions import keep_revisions
from graphapi.ingest.rows import READING_VERSION, digest_of
from graphapi.ingest.source_state import keep_failure, keep_reading
from graphapi.ingest.tombstones import close_out
from graphapi.ingest.withholding import blank_withheld
from graphapi.models import DIED, TREE, IngestPass, Project, SourceState
from graphapi.store.locks import project_lock
from graphapi.store.port import GraphStore, StoreUnavailable

KEPT_FINDINGS = 2000

Progress = Callable[[str, int], None]


def _silent(stage: str, done: int) -> None:
    """A pass that nobody watches."""


@dataclass(slots=True)
class _Outcome:
    readings: list[SourceReading] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    faulted: bool = False


def run_pass(
    project: Project,
    store: GraphStore,
    *,
    row: IngestPass | None = None,
    readers: Sequence[TextReader] = (),
    progress: Progress = _silent,
) -> IngestPass:
    """Run one pass under the project's lock and return its row, ended green, amber or failed.

    ``row`` is a queued pass to take up; without one a new row is made. Raises :class:`PassRunning` where another pass
    holds the lock; every other end, a store that is down included, is on the row.
    """
    with project_lock(project):
        bury_dead(project, but=row)
        row = row or IngestPass(project=project)
        row.state, row.started_at = IngestPass.State.RUNNING, datetime.now(UTC)
        row.runner = f"{platform.node()} pid {os.getpid()}"
        row.save()
        began = time.monotonic()
        try:
            _read_and_link(project, store, row, readers, progress)
        except (Refusal, ConnectorError, StoreUnavailable) as error:
            row.state, row.error = IngestPass.State.FAILED, said(error)
            _fail_unread(project, row, row.error)
        except BaseException as error:
            # A bug, or a person's Ctrl-C: it goes on up, but not before the row says that the pass is over.
            row.state, row.error = IngestPass.State.FAILED, f"{type(error).__name__} stopped it"
            _fail_unread(project, row, row.error)
            raise
        finally:
            row.finished_at = datetime.now(UTC)
            row.seconds = round(time.monotonic() - began, 3)
            row.save()
        return row


def said(error: Refusal | ConnectorError | StoreUnavailable) -> str:
    """What went wrong and, where it is known, what to do about it: one line."""
    fix = getattr(error, "fix", None)
    return f"{str(error).rstrip('.')}; {fix}" if fix else str(error)


def bury_dead(project: Project, *, but: IngestPass | None = None) -> int:
    """Mark rows that say running as failed. Only for a holder of the project's lock: then nobody runs them."""
    dead = list(project.passes.filter(state=IngestPass.State.RUNNING))
    if but is not None:
        dead = [row for row in dead if row.pk != but.pk]
    for row in dead:
        row.state, row.error, row.finished_at = IngestPass.State.FAILED, DIED, datetime.now(UTC)
        row.save()
        _fail_unread(project, row, DIED)
    return len(dead)


def _fail_unread(project: Project, row: IngestPass, error: str) -> None:
    unread = Q(last_read_at=None) | Q(last_read_at__lt=row.started_at or row.requested_at)
    project.sources.filter(unread).exclude(source=TREE).update(failed=True, error=error)


def declared_digest(config: ProjectConfig) -> str:
    """What a pass was run by: a project read by other declarations, or by another release, is read again whole."""
    return digest_of({"config": config.model_dump(mode="json"), "version": READING_VERSION})


def _read_and_link(
    project: Project, store: GraphStore, row: IngestPass, readers: Sequence[TextReader], progress: Progress
) -> None:
    config = read_config(project.root_path)
    _supported(config)
    store.prepare()
    declared = declared_digest(config)
    remembered = memory_of(project, TREE).cursor
    anew = remembered.get("declared") != declared
    if anew:
        blank_withheld(project, config, store, datetime.now(UTC))
        project.ledger.filter(deleted_at=None).update(body_scanned=False)
    memory = ledger.recall(project, store, reread=anew)
    # Other folders make other renames, and a pass that did not end well, or read a part, left the ledger's dates ahead
    # of the commit on record: git is then asked for all of its history.
    since = None if anew or remembered.get("ahead") else remembered.get("head")
    tree = WorkingTree(
        project.root_path, config, memory.by_path, since=since, max_bytes=settings.MAX_FILE_MIB * 1024 * 1024
    )
    if remembered and remembered.get("head") != tree.head:
        _note(project, ahead=True)
    run = ReadingRun(project, store, memory, readers, step=progress)
    outcome = _Outcome()
    only = frozenset(row.artifacts) if row.artifacts else None
    if only is not None:
        tree.restrict(only)
        # What is not read now keeps its place: the file that loses a duplicate id does not win it by being read alone.
        run.claimed.update(tree.others)
    else:
        outcome.findings += tree.idle_patterns()
    for connector in _connectors(project, config, tree, only is None):
        _read_source(project, connector, run, outcome, partial=only is not None)
    _keep_revisions(project, tree, run, outcome, partial=only is not None)
    closed = _close_out(project, store, config, run, outcome, whole=only is None)
    linked = link_project(
        project, config, store, now=as_text(datetime.now(UTC)) or "", step=lambda: progress("links", 0)
    )
    _remember(project, tree, declared, advance=only is None and not outcome.faulted)
    # Last: linking and closing out write over words as well.
    residue.clean(project, store)
    _conclude(project, row, run, outcome, linked, closed)


def _supported(config: ProjectConfig) -> None:
    if config.is_lite:
        return
    needs = (
        ""
        if settings.GRAPH == "neo4j"
        else " (it will need REVETLY_GRAPH=neo4j; this instance keeps its graph in SQLite)"
    )
    raise SettingRefused(
        f'[llm] provider = "{config.llm.provider}": this release reads without a model{needs}',
        fix='declare provider = "none" in [llm] and [embedding]', setting="llm.provider",
    )  # fmt: skip


def _connectors(project: Project, config: ProjectConfig, tree: WorkingTree, commits: bool) -> Iterable[Connector]:
    yield from file_connectors(tree, config)
    if commits:
        yield from commit_connectors(project, config)


def _read_source(project: Project, connector: Connector, run: ReadingRun, outcome: _Outcome, *, partial: bool) -> None:
    """Read one source. What keeps it from being read is on its state and on the pass; the other sources go on."""
    known = run.memory.by_id if connector.source.startswith("commits/") else run.memory.by_path
    try:
        reading = connector.read(known, memory_of(project, connector.source))
        reading.complete = reading.complete and not partial
        run.consume(reading)
    except ConnectorError as error:
        keep_failure(project, connector.source, str(error))
        outcome.faulted = outcome.faulted or not error.permanent
        outcome.findings.append(
            Finding("source-failed", "error", f"{connector.source}: {error}", path=connector.source, fix=error.fix)
        )
        return
    outcome.readings.append(reading)
    outcome.findings += reading.findings


def _keep_revisions(
    project: Project, tree: WorkingTree, run: ReadingRun, outcome: _Outcome, *, partial: bool
) -> None:  # fmt: skip
    """Where no source of files could be read, there is nothing to ask git about, and why is on record already."""
    if all(reading.source.startswith("commits/") for reading in outcome.readings):
        return
    try:
        keep_revisions(project, tree, run.claimed, now=datetime.now(UTC), partial=partial)
    except ConnectorError as error:
        # Whatever the fault, the commit on record stays where it is, so that the next pass asks for all of history.
        outcome.faulted = True
        outcome.findings.append(Finding("source-failed", "error", f"the files' change log: {error}", fix=error.fix))


def _close_out(
    project: Project, store: GraphStore, config: ProjectConfig, run: ReadingRun, outcome: _Outcome, *, whole: bool
) -> int:
    now = datetime.now(UTC)
    undeclared: list[str] = []
    if whole:
        declared = {r.source for r in outcome.readings} | set(_declared_sources(config))
        undeclared = [s for s in project.sources.values_list("source", flat=True) if s not in declared and s != TREE]
    unseen = run.memory.live_in_graph.difference(run.claimed) if whole else frozenset()
    closed = close_out(project, store, outcome.readings, run.claimed, now=now, undeclared=undeclared, unseen=unseen)
    if undeclared:
        project.sources.filter(source__in=undeclared).delete()
    for reading in outcome.readings:
        keep_reading(project, reading, counts=_counts_of(project, run, reading), at=now)
    return closed


def _declared_sources(config: ProjectConfig) -> Iterable[str]:
    if config.backlog is not None:
        yield "backlog"
    for name in ("notes", "deliveries", "documents"):
        if getattr(config.connectors, name) is not None:
            yield name
    if config.connectors.commits is not None:
        yield from (f"commits/{name}" for name in config.connectors.commits.repositories)


def _counts_of(project: Project, run: ReadingRun, reading: SourceReading) -> dict[str, int]:
    tally = run.tallies[reading.source]
    counts = {
        "listed": tally.listed, "written": tally.written, "unchanged": tally.unchanged,
        "skipped": sum(f.severity == "error" for f in reading.findings),
    }  # fmt: skip
    unparsed = project.ledger.filter(source=reading.source, deleted_at=None, criteria_unparsed=True).count()
    return {**counts, "criteria_unparsed": unparsed} if unparsed else counts


def _remember(project: Project, tree: WorkingTree, declared: str, *, advance: bool) -> None:
    if advance:
        _note(project, head=tree.head, declared=declared, ahead=False)


def _note(project: Project, **values: Any) -> None:
    """Write these of what a pass remembers, and leave the rest: others keep theirs in the same place."""
    kept = memory_of(project, TREE).cursor
    SourceState.objects.update_or_create(project=project, source=TREE, defaults={"cursor": {**kept, **values}})


def _conclude(
    project: Project, row: IngestPass, run: ReadingRun, outcome: _Outcome, linked: Linked, closed: int
) -> None:
    kept = project.ledger.filter(deleted_at=None).exclude(findings=[]).order_by("artifact_id")
    stored: list[dict[str, Any]] = [f for found in kept.values_list("findings", flat=True) for f in found]
    found = placed([*outcome.findings, *linked.findings], project.root_path, paths_of(project, linked.findings))
    findings = [*stored, *(finding.as_json() for finding in found)]
    reasons: dict[str, int] = {}
    for unresolved in linked.unresolved:
        reasons[unresolved.reason] = reasons.get(unresolved.reason, 0) + 1
    row.counts = {
        "listed": sum(t.listed for t in run.tallies.values()),
        "written": sum(t.written for t in run.tallies.values()),
        "unchanged": sum(t.unchanged for t in run.tallies.values()),
        "deleted": closed,
        "links": linked.live,
        "links_written": linked.written,
        "links_retired": linked.retired,
        "unresolved": reasons,
        "findings": len(findings),
        "criteria_unparsed": {
            r.source: n for r in outcome.readings if (n := _counts_of(project, run, r).get("criteria_unparsed"))
        },
    }
    row.findings = findings[:KEPT_FINDINGS]
    if outcome.faulted:
        row.state = IngestPass.State.FAILED
        row.error = "; ".join(f.message for f in outcome.findings if f.code == "source-failed")
    elif any(f["severity"] != "note" for f in findings):
        row.state = IngestPass.State.AMBER
    else:
        row.state = IngestPass.State.GREEN
