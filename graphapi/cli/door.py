"""What every command shares: its options, and one way for a refusal to become one line and an exit code."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click
from django.db import InterfaceError, OperationalError
from rich.console import Console

from graphapi.reads.refused import REFUSED, as_refusal

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print the payload as JSON.")
project_option = click.option("--project", metavar="NAME", help="The project; without it, the default one.")


def console() -> Console:
    """For people. Made when used, so that it writes to whatever standard output is then."""
    return Console(highlight=False, soft_wrap=True)


def emit(payload: Any) -> None:
    """JSON in the letters that the output can write: what cannot be written as it is stands escaped."""
    utf_8 = (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf8sig")
    click.echo(json.dumps(payload, indent=2, ensure_ascii=not utf_8, default=str))


def refuses(function: F) -> F:
    """Turn a refusal into one line on standard error (its payload with ``--json``) and exit code 1."""

    @functools.wraps(function)
    def door(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (OperationalError, InterfaceError) as error:
            # The command tree knows which database it is and what to run; a program gets the one shape all the same.
            if kwargs.get("as_json"):
                emit(as_refusal(error).as_payload())
            raise
        except REFUSED as error:
            refusal = as_refusal(error)
        if kwargs.get("as_json"):
            emit(refusal.as_payload())
        click.echo(f"revetly: {refusal.detail}; {refusal.fix}", err=True)
        sys.exit(1)

    return door  # type: ignore[return-value]
