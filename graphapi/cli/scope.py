"""`revetly drift`, `deltas` and `binding`: three questions to one scope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from rich.console import Console

from graphapi.cli.door import console, emit, json_option, refuses
from graphapi.cli.options import answer_of, options_of
from graphapi.cli.show import clean, print_caveats, print_words, revision_text, table, title_line
from graphapi.reads.catalogue import SCOPE

_OTHERS = ("question", "artifact_id")


@click.command()
@click.argument("artifact_id", required=False)
@options_of(SCOPE, without=[*_OTHERS, "topic", "path", "clock"])
@json_option
@refuses
def drift(as_json: bool, **arguments: Any) -> None:
    """Show what was asked for against what shipped, for a branch or the whole project."""
    answer = answer_of(SCOPE, {**arguments, "question": "drift"})
    if as_json:
        emit(answer)
    else:
        _print_drift(console(), answer)


def _print_drift(out: Console, answer: Mapping[str, Any]) -> None:
    out.print(", ".join(f"{number} {name.replace('_', ' ')}" for name, number in answer["counts"].items()))
    for row in answer["departures"]:
        out.print(title_line(row, answer))
        undeclared = " (declared nowhere)" if row.get("criterion_declared") is False else ""
        verdict, criterion = clean(row["verdict"]), clean(row.get("criterion", "?"))
        record = clean(row.get("record", "?"))
        out.print(f"    [yellow]{verdict}[/] criterion {criterion}{undeclared}, recorded in {record}")
        print_words(out, str(row.get("text") or ""))
        if row.get("reason"):
            print_words(out, f"because: {row['reason']}")
    for key in ("done_without_record", "unruled", "no_criteria_declared", "clean"):
        if answer.get(key):
            out.print(f"\n[bold]{key.replace('_', ' ').capitalize()}[/]")
        for row in answer.get(key, ()):
            out.print(title_line(row, answer, indent=2))
    print_caveats(out, answer)


@click.command()
@click.argument("artifact_id", required=False)
@options_of(SCOPE, without=[*_OTHERS, "topic", "path"])
@json_option
@refuses
def deltas(as_json: bool, **arguments: Any) -> None:
    """Show what changed in a window, on the source's clock or on this instance's."""
    answer = answer_of(SCOPE, {**arguments, "question": "deltas"})
    if as_json:
        emit(answer)
    else:
        _print_deltas(console(), answer)


def _print_deltas(out: Console, answer: Mapping[str, Any]) -> None:
    rows = table(f"at ({answer['clock']} clock)", "change", "id", "title")
    for change in answer["changes"]:
        rows.add_row(
            change.get("at") or "undated", change["change"], clean(change["artifact_id"]),
            clean(change.get("title") or ""),
        )  # fmt: skip
    if answer["changes"]:
        out.print(rows)
    else:
        out.print("Nothing changed in the window. An empty one says nothing of what is below a floor.")
    out.print(clean(", ".join(f"{n} {name.replace('_', ' ')}" for name, n in answer["counts"].items())))
    print_caveats(out, answer)


@click.command()
@click.argument("artifact_id", required=False)
@options_of(SCOPE, without=[*_OTHERS, "since", "until", "clock"])
@json_option
@refuses
def binding(as_json: bool, **arguments: Any) -> None:
    """Show what already binds an artifact, a --topic or a file given with --path."""
    answer = answer_of(SCOPE, {**arguments, "question": "binding"})
    if as_json:
        emit(answer)
    else:
        _print_binding(console(), answer)


def _print_binding(out: Console, answer: Mapping[str, Any]) -> None:
    for row in answer.get("behind", ()):
        out.print(title_line(row, answer))
        print_words(out, str(row.get("why") or ""))
    for member in answer["scope"].get("revised", ()):
        revisions = "; ".join(revision_text(revision) for revision in member["revised_by"])
        out.print(f"[yellow]{clean(member['artifact_id'])} is revised by {revisions}[/]")
    for repository in answer.get("path", {}).get("repos", ()):
        out.print(clean(f"{repository['repository']} has {repository['file']}, {_dates(repository)}"))
    for row in answer["statements"]:
        out.print(title_line(row, answer))
        print_words(out, str(row.get("passage") or row.get("fact") or ""))
        out.print(f"    [dim]{clean(_whence(row))}[/]")
    for note in (answer.get("note"), answer["scope"].get("note"), answer.get("path", {}).get("reason")):
        if note:
            out.print(clean(note))
    print_caveats(out, answer)


def _dates(repository: Mapping[str, Any]) -> str:
    known = f"{repository['first']} to {repository['last']}" if repository["first"] else ""
    cut = f"cut at {repository['cut_at']} by a shallow clone" if "cut_at" in repository else ""
    return ", ".join(part for part in (known, cut) if part)


def _whence(row: Mapping[str, Any]) -> str:
    parts = [str(row.get("method", "")), f"bears on {row['bears_on']}" if row.get("bears_on") else ""]
    parts += [f"stated {row['stated_at']}" if row.get("stated_at") else "undated"]
    return ", ".join(part for part in parts if part)
