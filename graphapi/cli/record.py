"""`revetly inspect` and `branch`: one artifact, and what hangs beneath it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from rich.console import Console

from graphapi.cli.door import console, emit, json_option, refuses
from graphapi.cli.options import answer_of, options_of
from graphapi.cli.show import clean, print_caveats, table, title_line
from graphapi.reads.branch_tree import as_tree
from graphapi.reads.catalogue import ARTIFACT

_HEAD = ("project", "owner", "parent", "provenance", "source_path", "source_uri", "source_created_at",
         "source_updated_at", "deleted_note")  # fmt: skip


@click.command()
@click.argument("artifact_id")
@click.option("--full", is_flag=True, help="The full record: links both ways and history. Same as --history-after ''.")
@options_of(ARTIFACT, without=["artifact_id", "depth"])
@json_option
@refuses
def inspect(as_json: bool, full: bool, **arguments: Any) -> None:
    """Show one artifact: the brief, or the full record."""
    if full and arguments["history_after"] is None:
        arguments["history_after"] = ""
    answer = answer_of(ARTIFACT, arguments)
    if as_json:
        emit(answer)
    else:
        _print_record(console(), answer)


def _print_record(out: Console, record: Mapping[str, Any]) -> None:
    out.print(title_line({k: v for k, v in record.items() if k != "provenance"}, record))
    for key in _HEAD:
        if record.get(key) not in (None, ""):
            out.print(f"  [dim]{key:<18}[/] {clean(str(record[key]))}")
    if (record.get("body") or "").strip():
        out.print(f"\n{clean(record['body'].strip())}\n")
    for relation, ids in record.get("declared_links", {}).items():
        out.print(f"  [dim]{clean(relation):<18}[/] {clean(', '.join(map(str, ids)))}")
    if record.get("links"):
        _print_links(out, record["links"])
    for entry in record.get("history_entries", ()):
        by = entry.get("by") or {}
        who = by.get("name") or by.get("sub") or "somebody"
        out.print(f"  {entry.get('at') or 'undated'}  {clean(str(entry['action']))} by {clean(str(who))}")
    if record.get("history_next"):
        out.print(f"  more history: give --history-after {clean(record['history_next'])}")
    for note in record.get("source_change_notes", ()):
        commit, subject = clean(str(note.get("commit", ""))[:12]), clean(note.get("subject", ""))
        out.print(f"  {note.get('at') or 'uncommitted'}  {commit}  {subject}")
    if counts := record.get("full_record"):
        _print_full_record(out, counts)
    print_caveats(out, record)


def _print_links(out: Console, links: list[dict[str, Any]]) -> None:
    rows = table("", "relation", "method", "id", "title")
    for link in links:
        ended = " (ended)" if link.get("invalid_at") else ""
        gone = " (deleted)" if link.get("other_deleted") else ended
        title = clean(link.get("title") or "") + gone
        rows.add_row(
            "→" if link.get("direction") == "out" else "←", clean(link["relation"]),
            clean(link.get("method") or "inferred"), clean(link["artifact_id"]), title,
        )  # fmt: skip
    out.print(rows)


def _print_full_record(out: Console, counts: Mapping[str, Any]) -> None:
    parts = [
        f"{value} {key.replace('_', ' ')}" for key, value in counts.items() if isinstance(value, int) and value > 0
        and not isinstance(value, bool)
    ]  # fmt: skip
    if counts.get("metadata_keys") and not isinstance(counts["metadata_keys"], int):
        parts.append(f"metadata {', '.join(map(str, counts['metadata_keys']))}")
    if parts:
        out.print(f"\n  --full shows besides: {clean('; '.join(parts))}")


@click.command()
@click.argument("artifact_id")
@click.option("--depth", metavar="N|declared", default="declared", show_default=True, help="How many levels down.")
@options_of(ARTIFACT, without=["artifact_id", "depth", "history_after"])
@json_option
@refuses
def branch(as_json: bool, **arguments: Any) -> None:
    """Show what the sources declare beneath one artifact."""
    answer = answer_of(ARTIFACT, arguments)
    if as_json:
        emit(answer)
    else:
        _print_branch(console(), answer)


def _print_branch(out: Console, answer: Mapping[str, Any]) -> None:
    for node in as_tree(answer["nodes"]):
        out.print(title_line(node, answer, indent=2 * node["depth"]))
    for by, counts in answer.get("rollup", {}).items():
        listed = ", ".join(f"{held['count']} {name}" for name, held in counts.items() if isinstance(held, dict))
        if listed:
            out.print(f"\n[dim]by {clean(by)}:[/] {clean(listed)}")
    for cycle in answer.get("cycles", ()):
        out.print(f"[yellow]a circle:[/] {clean(' > '.join(cycle))}")
    if gone := answer.get("withdrawn", {}).get("ids"):
        out.print(f"[yellow]withdrawn by their sources, with what is beneath them:[/] {clean(', '.join(gone))}")
    print_caveats(out, answer)
