"""`revetly init` and `check`."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from django.core.management import call_command

from graphapi.cli.door import console, emit, json_option, project_option, refuses
from graphapi.cli.show import print_findings
from graphapi.ingest.checkup import project_check
from graphapi.reads.projects import project_named
from graphapi.writes.project_setup import project_init
from graphapi.writes.repair import items_repair


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", metavar="NAME", help="The project's name; without it, the folder's.")
@json_option
@refuses
def init(path: Path, name: str | None, as_json: bool) -> None:
    """Declare a git working tree as a project, writing a revetly.toml from what is there."""
    # The first command of a fresh home: there is nothing to declare a project in before this.
    call_command("migrate", verbosity=0, interactive=False)
    made = project_init(path, name=name)
    if as_json:
        emit({
            "project": made.project.name, "root": made.project.root, "namespace": made.project.namespace,
            "created": made.created, "wrote": made.wrote, "declares": made.declares,
        })  # fmt: skip
        return
    out = console()
    out.print(f"project {made.project.name} at {made.project.root}" + ("" if made.created else " (declared before)"))
    if made.wrote:
        out.print(f"wrote {made.wrote}, which declares {', '.join(made.declares)}; read it, then commit it")
    else:
        out.print(f"its revetly.toml declares {', '.join(made.declares)}; it was left as it is")
    out.print(f"next: revetly ingest --project {made.project.name}")


@click.command()
@click.option("--repair", is_flag=True, help="Fold criteria that a work item carries twice, one commit a file.")
@project_option
@json_option
@refuses
def check(repair: bool, project: str | None, as_json: bool) -> None:
    """Read the project's files and name what a person should mend. Exits with 1 where something should be."""
    chosen = project_named(project)
    found = project_check(chosen)
    repaired = items_repair(chosen, found.doubled) if repair and found.doubled else []
    if any(r.commit for r in repaired):
        found = project_check(chosen)
    findings = [*(r.left for r in repaired if r.left), *found.findings]
    rows = [f.as_json() for f in findings]
    bad = sum(f.severity != "note" for f in findings)
    if as_json:
        emit({
            "project": chosen.name, "read": found.read, "findings": rows,
            "repaired": [{"path": r.path, "commit": r.commit} for r in repaired if r.commit],
        })  # fmt: skip
    else:
        out = console()
        for done in repaired:
            if done.commit:
                out.print(f"  folded {done.path} in {done.commit[:12]}")
        print_findings(out, rows, limit=200)
        out.print(f"{found.read} artifacts read; {bad} to mend, {len(findings) - bad} to know")
    if bad:
        sys.exit(1)
