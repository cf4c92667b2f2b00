"""`revetly search` and `backlog`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from rich.console import Console

from graphapi.cli.door import console, emit, json_option, refuses
from graphapi.cli.options import answer_of, options_of
from graphapi.cli.show import clean, marks_text, print_caveats, print_words, table, title_line
from graphapi.reads.catalogue import BACKLOG, SEARCH


@click.command()
@click.argument("query")
@options_of(SEARCH, without=["query"])
@json_option
@refuses
def search(as_json: bool, **arguments: Any) -> None:
    """Search every artifact, its own words and the facts stated of it."""
    answer = answer_of(SEARCH, arguments)
    if as_json:
        emit(answer)
    else:
        _print_search(console(), answer)


def _print_search(out: Console, answer: Mapping[str, Any]) -> None:
    for row in answer["artifacts"]:
        out.print(title_line(row, answer))
        # The summary begins with the title, which stands in the line above.
        print_words(out, row.get("summary", "").removeprefix(row.get("title", "")))
        if links := _links_text(row.get("links", {})):
            out.print(f"    {links}")
    if not answer["artifacts"]:
        out.print("Nothing matched. Try fewer or other words; no match is made on meaning.")
    if answer["passages"]:
        out.print("\n[bold]Passages[/]")
    for row in answer["passages"]:
        out.print(title_line(row, answer, indent=2))
        print_words(out, row["excerpt"])
    if answer["facts"]:
        out.print("\n[bold]Facts[/]")
    for row in answer["facts"]:
        ended_at = row.get("invalid_at") or row.get("retired_at")
        ended = f" [red]ended {ended_at}[/]" if ended_at else ""
        how = f"{row['relation']}, {'inferred' if row.get('inferred') else row.get('method', '')}"
        out.print(f"  {clean(row.get('fact', ''))} [dim]({clean(how)}: {clean(', '.join(row['endpoints']))})[/]{ended}")
    print_caveats(out, answer)


def _links_text(links: Mapping[str, Any]) -> str:
    parts = [f"{name.replace('_', ' ')} {', '.join(ids)}" for name, ids in links.items() if isinstance(ids, list)]
    more = f" and {links['more']} more" if links.get("more") else ""
    return clean("; ".join(parts) + more) if parts else ""


@click.command()
@options_of(BACKLOG)
@json_option
@refuses
def backlog(as_json: bool, **arguments: Any) -> None:
    """List the backlog as compact rows, filtered and paged."""
    answer = answer_of(BACKLOG, arguments)
    if as_json:
        emit(answer)
    else:
        _print_backlog(console(), answer)


def _print_backlog(out: Console, answer: Mapping[str, Any]) -> None:
    rows = table("id", "title", "type", "status", "parent", "updated", "")
    for row in answer["items"]:
        rows.add_row(
            clean(row["artifact_id"]), clean(row.get("title") or ""), clean(row.get("artifact_type") or ""),
            clean(row.get("status") or ""), clean(row.get("parent") or ""),
            (row.get("source_updated_at") or "undated")[:10], marks_text(row).strip(),
        )  # fmt: skip
    if answer["items"]:
        out.print(rows)
    else:
        out.print("No work item matches.")
    if cursor := answer.get("next_cursor"):
        out.print(f"\nmore: give --cursor {clean(cursor)}")
    print_caveats(out, answer)
