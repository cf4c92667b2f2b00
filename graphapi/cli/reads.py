"""`revetly status` and `audit-links`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from rich.console import Console

from graphapi.cli.door import console, emit, json_option, project_option, refuses
from graphapi.cli.options import answer_of, options_of
from graphapi.cli.show import clean, print_caveats, print_findings, state_text, table
from graphapi.models import Project
from graphapi.reads.catalogue import HEALTH
from graphapi.reads.link_audit import link_audit
from graphapi.reads.projects import project_named
from graphapi.store.instance import instance_store


@click.command()
@options_of(HEALTH)
@json_option
@refuses
def status(as_json: bool, **arguments: Any) -> None:
    """Say how far each source was read and whether the last pass held; of every project unless one is named."""
    declared = {p.name: p for p in Project.objects.order_by("-is_default", "name")}
    if not (arguments["project"] or arguments["projects"]) and len(declared) > 1:
        arguments["projects"] = tuple(declared)
    answer = answer_of(HEALTH, arguments)
    if as_json:
        emit(answer)
        return
    if capture := answer.get("capture"):
        console().print(_capture_line(capture))
    for name in arguments["projects"] or [answer.get("project") or next(iter(declared))]:
        _print_status(console(), declared[name], answer_of(HEALTH, {"project": name}))


def _capture_line(capture: Mapping[str, Any]) -> str:
    elsewhere = f", in another process ({capture.get('runner', 'unnamed')})" if capture.get("pending_elsewhere") else ""
    by = f", by {capture['landed_by']}" if capture.get("landed_by") else ""
    error = f": {capture['error']}" if capture.get("error") else ""
    return f"[bold]{clean(capture['handle'])}[/] {clean(capture['state'])}{clean(elsewhere + by + error)}"


def _print_status(out: Console, project: Project, report: Mapping[str, Any]) -> None:
    out.print(f"[bold]{clean(project.name)}[/]  {clean(project.root)}")
    last = report["last_pass"]
    if last is None:
        out.print("  never read; `revetly ingest` reads it")
        return
    seconds = f" in {last['seconds']:.2f} s" if last["seconds"] is not None else ""
    out.print(f"  last pass {last['handle']} {state_text(last['state'])}{seconds}, begun {last['started_at']}")
    if last.get("error"):
        out.print(f"  [red]{clean(last['error'])}[/]")
    if report["watching"]:
        out.print("  watched: what changes in its files is read as it does")
    if report["queued"]:
        out.print(f"  {report['queued']} more asked for and waiting")
    held = report["artifacts"]
    kinds = ", ".join(f"{n} {kind}" for kind, n in held["by_kind"].items())
    out.print(f"  {held['live']} artifacts ({kinds}), {held['deleted']} deleted, {held['withheld']} withheld")
    rows = table("source", "last read", "state", "#listed", "floor", "notes")
    for source in report["sources"]:
        rows.add_row(*(clean(cell) for cell in _source_cells(source)))
    out.print(rows)
    unresolved = report["unresolved"]
    if unresolved["count"]:
        reasons = ", ".join(f"{n} {reason}" for reason, n in unresolved["by_reason"].items())
        out.print(f"  {unresolved['count']} ids resolve to nothing here ({reasons})")
    if outside := report["outside_backlog"]["count"]:
        out.print(f"  {outside} items are outside the backlog; {clean(report['outside_backlog']['fix'])}")
    print_findings(out, last["findings"], limit=20)
    out.print(f"  [dim]corpus revision {report['corpus_revision']}[/]")
    print_caveats(out, report)
    out.print()


def _source_cells(source: Mapping[str, Any]) -> tuple[str, ...]:
    notes = [f"gap {gap}" for gap in source.get("gaps", ())]
    if source.get("partial"):
        notes.append("backfill unfinished")
    if source.get("criteria_unparsed"):
        notes.append(f"{source['criteria_unparsed']} without a criterion under the heading")
    if source.get("error"):
        notes.append(source["error"])
    read = "read" if source["complete"] else "read in part"
    state = read if source["landed"] else "failed"
    listed = str(source.get("listed", 0))
    return source["source"], source["last_read_at"] or "never", state, listed, source.get("floor", ""), "; ".join(notes)


@click.command("audit-links")
@project_option
@json_option
@refuses
def audit_links(project: str | None, as_json: bool) -> None:
    """Count the live links by the method that stated them, and name the ids that resolve to nothing."""
    chosen = project_named(project)
    audit = link_audit(chosen, instance_store())
    if as_json:
        emit(audit)
        return
    out = console()
    rows = table("method", "relation", "#links")
    for row in audit["methods"]:
        rows.add_row(row["method"], clean(row["relation"]), str(row["count"]))
    out.print(f"[bold]{clean(audit['project'])}[/]: {audit['links']} live links, {audit['retired']} retired")
    out.print(rows)
    unresolved = audit["unresolved"]
    out.print(f"{unresolved['count']} ids resolve to nothing here; no artifact is made for one")
    if unresolved["listed"]:
        named = table("artifact", "relation", "names", "why")
        for row in unresolved["listed"]:
            named.add_row(*(clean(row[k]) for k in ("artifact_id", "relation", "target", "reason")))
        out.print(named)
