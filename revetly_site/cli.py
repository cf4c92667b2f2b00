"""The `revetly` command tree, assembled from the apps; `python manage.py revetly` is the same tree."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import click


def main(arguments: Sequence[str] | None = None, program: str = "revetly") -> None:
    """Run the tree. ``arguments`` are those after the program's name; without them, the process's own."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "revetly_site.settings")
    from revetly_site.env import BadEnvironment

    try:
        import django

        django.setup()
    except BadEnvironment as error:
        click.echo(f"revetly: {error}", err=True)
        sys.exit(1)
    # A terminal that cannot write a letter shows that it is missing; a traceback shows nothing.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    tree()(args=list(sys.argv[1:] if arguments is None else arguments), prog_name=program)


def tree() -> click.Group:
    """The whole tree. Needs Django set up."""
    from django.db import DatabaseError

    from graphapi.cli import COMMANDS
    from revetly_site.demo import demo
    from revetly_site.supervise import supervise

    class Tree(click.Group):
        """Names, before any command runs, what its settings or its database do not add up to."""

        def invoke(self, context: click.Context) -> object:
            refuse_bad_settings()
            try:
                return super().invoke(context)
            except DatabaseError as error:
                click.echo(f"revetly: the database: {_first_line(error)}; {_database_fix(error)}", err=True)
                sys.exit(1)

    group = Tree("revetly", help="The context engine that product teams and their agents trust.")
    for command in (*COMMANDS, demo, supervise):
        group.add_command(command)
    return group


def refuse_bad_settings() -> None:
    """End the process with one line where a system check of ours fails."""
    from django.core import checks

    serious = [m for m in checks.run_checks(tags=["revetly"]) if m.is_serious()]
    for message in serious:
        click.echo(f"revetly: {message.id}: {message.msg}; {message.hint}", err=True)
    if serious:
        sys.exit(1)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _database_fix(error: Exception) -> str:
    text = str(error)
    if "no such table" in text or "does not exist" in text or "no such column" in text:
        return "run `python manage.py migrate`"
    return "see that it runs and that REVETLY_DATABASE_URL names it"
