"""How a terminal shows passes, findings and records. Text from a source is printed as text, never as markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from graphapi.caveats import Caveat, caveats
from graphapi.models import IngestPass

_STATE = {"green": "green", "amber": "yellow", "failed": "red", "running": "cyan", "queued": "cyan"}
_CAVEAT = {"failed": "red", "cut": "yellow", "order": "yellow", "withheld": "yellow", "floor": "yellow"}
_SEVERITY = {"error": "red", "warning": "yellow", "note": "dim"}

# What would move a terminal's cursor, color it or name its window. Line breaks and tabs stay.
# With the marks that turn the direction of a line: an id could be made to read as another.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def clean(value: object) -> str:
    """A source's text as text: neither markup nor a terminal's control sequences."""
    said = escape(_CONTROL.sub("", str(value)))
    # An odd backslash at the end would take the markup that follows it for text.
    return said + "\\" if (len(said) - len(said.rstrip("\\"))) % 2 else said


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
            f"  [{color}]{finding['severity']:<7}[/] {clean(place)}{line}  {finding['code']}: "
            f"{clean(finding['message'])}{clean(fix)}"
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


def title_line(row: Mapping[str, Any], answer: Mapping[str, Any], *, indent: int = 0) -> str:
    """An artifact's id, title and what is known of it, as one line of markup; its project where it is not the one that
    the whole answer is about."""
    away = row.get("project") not in (None, answer.get("project"))
    project = f"[dim]{clean(row['project'])}[/] " if away else ""
    of = [row.get("artifact_type") or row.get("kind"), row.get("status")]
    known = ", ".join(clean(str(part)) for part in of if part)
    tail = f" [dim]({known})[/]" if known else ""
    title = clean(row.get("title") or "")
    return f"{' ' * indent}{project}[bold]{clean(row['artifact_id'])}[/]  {title}{tail}{marks_text(row)}"


def marks_text(row: Mapping[str, Any]) -> str:
    """The marks that a row never loses, as markup; nothing where it has none."""
    marks = []
    if row.get("deleted"):
        when = f" {row['deleted_at']} ({row.get('deleted_clock', 'found')})" if row.get("deleted_at") else ""
        marks.append(f"[red]deleted{when}[/]")
    if row.get("withheld") or row.get("in_context") is False:
        marks.append("[yellow]withheld[/]")
    if successor := row.get("superseded_by"):
        marks.append(f"[yellow]superseded by {clean(str(successor))}[/]")
    if row.get("discard_reason"):
        marks.append(f"[yellow]discarded: {clean(row['discard_reason'])}[/]")
    marks += [f"[yellow]revised by {revision_text(r)}[/]" for r in row.get("revised_by", ())]
    if row.get("provenance") not in (None, "source-of-record"):
        marks.append(f"[dim]{clean(row['provenance'])}[/]")
    return "".join(f"  {mark}" for mark in marks)


def revision_text(revision: Mapping[str, Any]) -> str:
    """The revising note, the criteria it names, and whether one was reworded since."""
    criteria = f" criteria {', '.join(map(str, revision['criteria']))}" if revision.get("criteria") else ""
    since = ", reworded since" if revision.get("criterion_changed") else ""
    return clean(f"{revision['id']}{criteria}{since}")


def print_words(out: Console, text: str, *, indent: int = 4) -> None:
    """A source's own words, as text."""
    for line in text.strip().splitlines():
        out.print(f"{' ' * indent}[dim]{clean(line)}[/]")


def print_caveats(out: Console, answer: Mapping[str, Any]) -> None:
    """What the answer says of itself: nothing it cut or never read goes unsaid."""
    out.print()
    for caveat in caveats(answer):
        out.print(_caveat_line(caveat))


def _caveat_line(caveat: Caveat) -> str:
    project = f"{clean(caveat.project)}: " if caveat.project else ""
    at = f" ({caveat.at})" if caveat.at else ""
    return f"[{_CAVEAT.get(caveat.kind, 'dim')}]{project}{clean(caveat.says)}{at}[/]"
