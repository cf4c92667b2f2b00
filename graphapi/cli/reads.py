"""`revetly status` and `audit-links`."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console

from graphapi.cli.door import console, emit, json_option, project_option, refuses
from graphapi.cli.show import clean, print_findings, state_text, table
from graphapi.models import Project
from graphapi.reads.health import link_audit, project_health
from graphapi.reads.projects import project_named
from graphapi.store.instance import instance_store


@click.command()
@project_option
@json_option
@refuses
def status(project: str | None, as_json: bool) -> None:
    """Say how far each source was read and whether the last pass held."""
    chosen = [project_named(project)] if project else list(Project.objects.order_by("-is_default", "name"))
    if not chosen:
        project_named(None)
    reports = [project_health(p, findings=500 if as_json else 20) for p in chosen]
    if as_json:
        emit(reports if len(reports) != 1 else reports[0])
        return
    for report in reports:
        _print_status(console(), report)


def _print_status(out: Console, report: dict[str, Any]) -> None:
    out.print(f"[bold]{clean(report['project'])}[/]  {clean(report['root'])}")
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
    print_findings(out, last["findings"], limit=20)
    out.print()


def _source_cells(source: dict[str, Any]) -> tuple[str, ...]:
    notes = [f"gap {gap}" for gap in source.get("gaps", ())]
    if source.get("partial"):
        notes.append("backfill unfinished")
    if source.get("criteria_unparsed"):
        notes.append(f"{source['criteria_unparsed']} without a criterion under the heading")
    if source.get("error"):
        notes.append(source["error"])
    state = source["state"] if source["complete"] or source["state"] == "failed" else "read in part"
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
