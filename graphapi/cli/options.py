"""A read's arguments as a command's options: the same names, the same words, checked by the read itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

import click

from graphapi.reads.catalogue import Argument, Read
from graphapi.reads.reader import instance_reader

F = TypeVar("F", bound=Callable[..., Any])


def options_of(read: Read, *, without: Collection[str] = ()) -> Callable[[F], F]:
    """Every argument of ``read`` as an option, but those that the command gives in another way."""

    def decorate(function: F) -> F:
        for argument in reversed(read.arguments):
            if argument.name not in without:
                function = _option(argument)(function)
        return function

    return decorate


def _option(argument: Argument) -> Callable[[F], F]:
    metavar = "|".join(argument.choices) or {"whole": "N", "depth": "N|declared"}.get(argument.form, "TEXT")
    said = argument.says + (f" {argument.default} unless given." if argument.default is not None else "")
    return click.option(
        f"--{argument.name.replace('_', '-')}",
        argument.name,
        metavar=metavar,
        multiple=argument.form == "list",
        type=int if argument.form == "whole" else str,
        help=said,
    )


def answer_of(read: Read, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """What ``read`` answers to the options that were given. Raises what the read raises."""
    given = {name: value for name, value in arguments.items() if value not in (None, ())}
    if str(given.get("depth", "")).lstrip("-").isdecimal():
        given["depth"] = int(given["depth"])
    return read(instance_reader(), **{n: list(v) if isinstance(v, tuple) else v for n, v in given.items()})
