"""The payload types of the reads as JSON schemas, so that what is documented is what is declared."""

from __future__ import annotations

import inspect
import types
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints, is_typeddict

_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    type(None): {"type": "null"},
    dict: {"type": "object"},
    list: {"type": "array", "items": {}},
}


def shape_of(hint: Any) -> dict[str, Any]:
    """The JSON schema (OpenAPI 3.1) of a payload's type. Keys a type does not name are allowed."""
    if is_typeddict(hint):
        return _object(hint)
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (NotRequired, Required):
        return shape_of(parts[0])
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [shape_of(part) for part in parts]}
    if isinstance(origin, type) and issubclass(origin, dict | types.MappingProxyType):
        return {"type": "object", "additionalProperties": shape_of(parts[1])}
    if isinstance(origin, type) and issubclass(origin, list | tuple):
        return {"type": "array", "items": shape_of(parts[0])}
    return {}


def _object(hint: Any) -> dict[str, Any]:
    # Read with their markers: under postponed annotations a class's own list of required keys cannot be relied on.
    hints = get_type_hints(hint, include_extras=True)
    needed = [name for name, value in hints.items() if _is_needed(hint, name, value)]
    out: dict[str, Any] = {
        "title": hint.__name__,
        "type": "object",
        "properties": {name: shape_of(value) for name, value in hints.items()},
    }
    if needed:
        out["required"] = needed
    if doc := inspect.cleandoc(hint.__doc__ or ""):
        out["description"] = doc
    return out


def _is_needed(hint: Any, name: str, value: Any) -> bool:
    if get_origin(value) is NotRequired:
        return False
    return get_origin(value) is Required or name in hint.__required_keys__
