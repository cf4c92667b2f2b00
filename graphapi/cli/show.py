"""How a terminal shows passes, findings and records. Text from a source is printed as text, never as markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from graphapi.models import IngestPass

_STATE = {"green": "green", "amber": "yellow", "failed": "red", "running": "cyan", "queued": "cyan"}
_SEVERITY = {"error": "red", "warning": "yellow", "note": "dim"}


def state_text(state: str) -> str:
    return f"[{_STATE.get(state, 'default')}]{state}[/]"


def print_findings(out: Console, findings: Iterable[Mapping[str, Any]], *, limit: int = 40) -> None:
    rows = list(findings)
    for finding in rows[:limit]:
        place = finding.get("path") or finding.get("artifact_id") or ""
        line = f":{finding['line']}" if finding.get("line") else ""
        fix = f" — {finding['fix']}" if finding.get("fix") else ""
        color = _SEVERITY[finding["severity"]]
        out.print(
            f"  [{color}]{finding['severity']:<7}[/] {escape(place)}{line}  {finding['code']}: "
            f"{escape(finding['message'])}{escape(fix)}"
        )
    if len(rows) > limit:
        out.print(f"  … and {len(rows) - limit} more; --json lists them")


def print_pass(out: Console, row: IngestPass, *, brief: bool = False) -> None:
    counts = row.counts
    out.print(
        f"{row.handle} {state_text(row.state)} in {row.seconds:.2f} s: {counts.get('written', 0)} read, "
        f"{counts.get('unchanged', 0)} unchanged, {counts.get('deleted', 0)} gone, "
        f"{sum(counts.get('links', {}).values())} links ({counts.get('links_written', 0)} written, "
        f"{counts.get('links_retired', 0)} retired)"
    )
    if unresolved := counts.get("unresolved"):
        out.print(f"  unresolved: {', '.join(f'{n} {reason}' for reason, n in sorted(unresolved.items()))}")
    for source, number in (counts.get("criteria_unparsed") or {}).items():
        out.print(f"  {source}: {number} work items whose criteria heading holds no criterion")
    shown = [f for f in row.findings if not brief or f["severity"] != "note"]
    print_findings(out, shown, limit=5 if brief else 40)


def table(*columns: str) -> Table:
    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        made.add_column(
            column.removeprefix("#"), justify="right" if column.startswith("#") else "left", overflow="fold"
        )
    return made
