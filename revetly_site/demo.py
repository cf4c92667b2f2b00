"""`revetly demo`: the Harbourmaster corpus and this product's own repository, read and ready to be looked at."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click
from django.conf import settings
from django.core.management import call_command

from evals.corpus import build, withdraw, write
from graphapi.cli.door import console, emit, json_option, refuses
from graphapi.cli.show import print_pass
from graphapi.domain.refusals import NotAWorkingTree, PassFailed
from graphapi.ingest.passes import run_pass
from graphapi.models import IngestPass, Project
from graphapi.store.instance import instance_store
from graphapi.writes.project_setup import project_init
from revetly_site.supervise import run as run_instance

SEED = 7
NAME = "harbourmaster"


@click.command()
@click.option("--serve/--no-serve", default=True, show_default=True, help="Open the pages once everything is read.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@json_option
@refuses
def demo(serve: bool, host: str, port: int, as_json: bool) -> None:
    """Write a whole product's corpus, read it and this repository, and serve the pages."""
    call_command("migrate", verbosity=0, interactive=False)
    rows = [_read(project) for project in demo_projects()]
    if demo_withdrawal():
        # A second reading, so that the demo holds what every backlog holds: something that was there and is gone.
        rows.insert(1, _read(rows[0].project))
    if as_json:
        emit([{"project": r.project.name, "handle": r.handle, "state": r.state, "counts": r.counts} for r in rows])
    else:
        for row in rows:
            console().print(f"[bold]{row.project.name}[/]", end="  ")
            print_pass(console(), row)
        console().print(
            '\nTry: revetly status · revetly search "berth depth" · revetly drift · revetly binding EPIC-002'
        )
    if failed := [row for row in rows if row.state == IngestPass.State.FAILED]:
        raise PassFailed(f"{failed[0].project.name}: {failed[0].error}", fix="mend that, then run it again")
    sys.stdout.flush()
    if serve:
        run_instance(host, port)


def demo_projects() -> list[Project]:
    """The corpus and, where this runs from a checkout, the checkout itself. Both stay as they are when they stand
    already; a corpus of another release is written anew. The corpus is the default project, unless the instance has
    projects of its own.
    """
    root = Path(settings.HOME) / "demo" / NAME
    corpus = build(SEED, "full")
    stamp = root.parent / f"{NAME}.digest"
    if not stamp.exists() or stamp.read_text("ascii") != corpus.digest:
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        write(corpus, root)
        stamp.write_text(corpus.digest, "ascii")
    first = project_init(root, name=NAME).project
    if not first.is_default and not Project.objects.exclude(name__in=[NAME, "revetly"]).exists():
        first.is_default = True
        first.save()
    try:
        own = project_init(Path(settings.BASE_DIR), name="revetly").project
    except NotAWorkingTree:
        click.echo("revetly: this copy is no git checkout, so its own commits are not shown", err=True)
        return [first]
    return [first, own]


def demo_withdrawal() -> bool:
    """Make the corpus's one later commit, which takes a note back. False where it was made before."""
    root, corpus = Path(settings.HOME) / "demo" / NAME, build(SEED, "full")
    if corpus.withdrawal is None or not (root / corpus.withdrawal.path).exists():
        return False
    withdraw(corpus, root)
    return True


def _read(project: Project) -> IngestPass:
    return run_pass(project, instance_store())
