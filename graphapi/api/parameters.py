"""A query string as a read's arguments: texts as they stand, numbers read, lists from names that are repeated."""

from __future__ import annotations

import re
from typing import Any

from django.http import QueryDict

from graphapi.domain.refusals import BadArguments
from graphapi.reads.catalogue import Argument, Read

# Python would also read 1_0, surrounding spaces and the digits of other scripts.
_WHOLE = re.compile(r"-?[0-9]{1,18}\Z")


def arguments_of(read: Read, query: QueryDict, address: dict[str, str]) -> dict[str, Any]:
    """The arguments in ``query`` and in the ``address``. Raises :class:`BadArguments` naming the one that is wrong;
    a name that the read does not take is left for the read to refuse."""
    known = {a.name: a for a in read.arguments}
    out: dict[str, Any] = {}
    for name, values in query.lists():
        if name in address:
            raise BadArguments(f"{name} stands in the address already", fix="leave it out of the query string")
        argument = known.get(name) or Argument(name, "", "list")
        out[name] = _value(argument, values)
    for name, value in address.items():
        out[name] = _text(name, value)
    return out


def _value(argument: Argument, values: list[str]) -> Any:
    texts = [_text(argument.name, value) for value in values]
    if argument.form == "list":
        return texts
    if len(texts) != 1:
        raise BadArguments(f"{argument.name} is given {len(texts)} times", fix="give it once")
    (text,) = texts
    if argument.form == "text" or (argument.form == "depth" and not _WHOLE.match(text)):
        return text
    if not _WHOLE.match(text):
        raise BadArguments(f"{argument.name}={text!r} is no whole number", fix="write it in digits")
    return int(text)


def _text(name: str, value: str) -> str:
    # PostgreSQL takes no such text, so that every database answers alike.
    if "\0" in value:
        raise BadArguments(f"{name} holds a NUL character", fix="leave it out")
    return value
