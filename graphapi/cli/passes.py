"""`revetly ingest`, `backfill` and `watch`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from graphapi.cli.door import console, emit, json_option, project_option, refuses
from graphapi.cli.show import print_findings, print_pass
from graphapi.connectors.base import ConnectorError
from graphapi.connectors.working_tree import claims_of
from graphapi.domain.dates import BadDate, parse_day
from graphapi.domain.project_config import read_config
from graphapi.domain.refusals import BadArguments, NotAWorkingTree, PassRunning
from graphapi.ingest.backfill import backfill_plan, backfill_run
from graphapi.ingest.passes import Progress as Report
from graphapi.ingest.passes import run_pass
from graphapi.ingest.preview import pass_preview
from graphapi.ingest.queue import queue_drain
from graphapi.models import IngestPass, Project
from graphapi.reads.projects import project_named
from graphapi.store.instance import instance_store
from graphapi.store.locks import watch_mark


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Report]:
    """A bar on standard error while a person watches; nothing in a pipe."""
    if quiet or not sys.stderr.isatty():
        yield lambda stage, done: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}"))
    with Progress(*columns, TimeElapsedColumn(), transient=True, console=_stderr()) as bar:
        task = bar.add_task("reading", total=None)

        def report(stage: str, done: int) -> None:
            bar.update(task, description=stage, completed=done or None)

        yield report


def _stderr() -> Any:
    from rich.console import Console

    return Console(stderr=True)


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what a pass would read, and write nothing.")
@click.option("--artifact", "artifacts", multiple=True, metavar="ID", help="Only this artifact, by id or path.")
@project_option
@json_option
@refuses
def ingest(dry_run: bool, artifacts: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Read the project's sources and bring the graph to what they say."""
    chosen = project_named(project)
    if dry_run:
        preview = pass_preview(chosen, instance_store())
        if as_json:
            emit(preview)
        else:
            out = console()
            for row in preview["sources"]:
                out.print(f"{row['source']:<24} {row['listed']:>6} listed  {row['changed']:>6} to read")
            out.print(
                f"a pass would read {preview['changed']}; no provider is asked, so it costs nothing. Nothing was read."
            )
        return
    with progress_bar(as_json) as report:
        row = _run(chosen, artifacts, report)
    if as_json:
        emit(_payload(row))
    else:
        print_pass(console(), row)
    if row.state == IngestPass.State.FAILED:
        click.echo(f"revetly: the pass failed: {row.error}; what was read before it stands", err=True)
        sys.exit(1)


def _run(project: Project, artifacts: tuple[str, ...], report: Report) -> IngestPass:
    store = instance_store()
    row = IngestPass(project=project, artifacts=list(artifacts)) if artifacts else None
    done = run_pass(project, store, row=row, progress=report)
    queue_drain(project, store, progress=report)
    return done


def _payload(row: IngestPass) -> dict[str, Any]:
    keys = ("handle", "state", "seconds", "counts", "findings", "error")
    return {"project": row.project.name, **{k: getattr(row, k) for k in keys if getattr(row, k) not in ("", None)}}


def _day(text: str | None) -> date | None:
    try:
        return parse_day(text) if text else None
    except BadDate as error:
        raise BadArguments(f"--to: {error}", fix="write it as 2026-01-31") from error


@click.command()
@click.option("--dry-run", is_flag=True, help="Price it, and read nothing.")
@click.option("--source", metavar="NAME", help="Only this source, as status names it: commits/code.")
@click.option("--to", "to", metavar="DATE", help="Read back to this day; without it, to the declared floor.")
@project_option
@json_option
@refuses
def backfill(dry_run: bool, source: str | None, to: str | None, project: str | None, as_json: bool) -> None:
    """Read a source further back than it was read, or the gaps above its floor."""
    chosen, day = project_named(project), _day(to)
    try:
        if dry_run:
            _print_plans(chosen, source, day, as_json)
            return
        with progress_bar(as_json) as report:
            filled = backfill_run(chosen, instance_store(), source=source, to=day, progress=report)
    except ConnectorError as error:
        raise NotAWorkingTree(str(error), fix=error.fix or "mend the source") from error
    if as_json:
        emit([{"source": f.source, "written": f.written, "complete": f.complete, "error": f.error} for f in filled])
    elif not filled:
        console().print("nothing to read further back: no source has a floor or a gap above it")
    for row in filled:
        if not as_json:
            console().print(f"{row.source}: {row.written} read, {'to the end' if row.complete else 'stopped part way'}")
        if row.error:
            click.echo(f"revetly: {row.source}: {row.error}; its floor is where it was", err=True)
    if any(not row.complete for row in filled):
        sys.exit(1)


def _print_plans(project: Project, source: str | None, to: date | None, as_json: bool) -> None:
    plans = backfill_plan(project, source=source, to=to)
    if as_json:
        emit([
            {
                "source": p.source, "floor": p.floor, "target": p.target, "spans": [str(s) for s in p.spans],
                "windows": len(p.windows), "commits": p.commits, "provider_cost": 0,
            }
            for p in plans
        ])  # fmt: skip
        return
    out = console()
    for plan in plans:
        out.print(f"{plan.source}: read back to {plan.floor or 'its beginning'}")
        for span in plan.spans:
            out.print(f"  unread {span.start} to {span.end}")
        out.print(f"  {plan.commits} commits in {len(plan.windows)} windows; no provider is asked, so it costs nothing")
    if not plans:
        out.print("nothing to read further back: no source has a floor or a gap above it")
    out.print("Nothing was read.")


@click.command()
@project_option
@json_option
@refuses
def watch(project: str | None, as_json: bool) -> None:
    """Follow the project's files, and read again what changes. Ends with Ctrl-C."""
    from watchfiles import watch as follow

    chosen = project_named(project)
    config = read_config(chosen.root_path)
    store = instance_store()
    with watch_mark(chosen):
        _pass_and_print(chosen, store, as_json)
        roots = _watched(chosen.root_path, [folder for _, folder in claims_of(config)])
        if not as_json:
            console().print(f"watching {chosen.root}; Ctrl-C ends it")
        for _ in follow(*roots, watch_filter=_matters, step=200, debounce=800, raise_interrupt=False):
            _pass_and_print(chosen, store, as_json)


def _watched(root: Path, folders: list[str]) -> list[Path]:
    """The declared folders, the declarations, and where git keeps its head: a commit dates what an edit could not."""
    paths = [root / folder for folder in folders] + [root / "revetly.toml", root / ".git"]
    return [path for path in paths if path.exists()]


def _matters(change: object, path: str) -> bool:
    parts = Path(path).parts
    if ".git" in parts:
        inside = parts[parts.index(".git") + 1 :]
        return inside[:1] == ("HEAD",) or inside[:2] == ("refs", "heads")
    return not Path(path).name.startswith((".", "~")) and not path.endswith(("~", ".swp", ".tmp"))


def _pass_and_print(project: Project, store: Any, as_json: bool) -> None:
    try:
        row = run_pass(project, store)
    except PassRunning:
        return  # somebody else reads the same change
    if as_json:
        emit(_payload(row))
    else:
        print_pass(console(), row, brief=True)


__all__ = ["backfill", "ingest", "print_findings", "watch"]
