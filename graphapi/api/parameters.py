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
    return out | address


def _value(argument: Argument, values: list[str]) -> Any:
    if argument.form == "list":
        return list(values)
    if len(values) != 1:
        raise BadArguments(f"{argument.name} is given {len(values)} times", fix="give it once")
    (text,) = values
    if argument.form == "text" or (argument.form == "depth" and not _WHOLE.match(text)):
        return text
    if not _WHOLE.match(text):
        raise BadArguments(f"{argument.name}={text!r} is no whole number", fix="write it in digits")
    return int(text)
