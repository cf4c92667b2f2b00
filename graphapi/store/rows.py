"""Rows as both backends keep them: field order, JSON text, batches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any, TypeVar

from graphapi.store.port import (
    BATCH_ROWS,
    ArtifactRow,
    Facets,
    LinkRow,
    ReadingRow,
    StatementRow,
    StoredArtifact,
    StoredLink,
    StoredReading,
    StoredStatement,
)

T = TypeVar("T")
K = TypeVar("K")


def _names(row: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(row))


ARTIFACT = _names(ArtifactRow)
STORED_ARTIFACT = _names(StoredArtifact)
LINK = _names(LinkRow)
STORED_LINK = _names(StoredLink)
STATEMENT = _names(StatementRow)
STORED_STATEMENT = _names(StoredStatement)
READING = _names(ReadingRow)
STORED_READING = _names(StoredReading)

_METADATA = STORED_ARTIFACT.index("metadata")
_WITHHELD = STORED_ARTIFACT.index("withheld")
_DELETED = STORED_ARTIFACT.index("deleted")
_ATTRIBUTES = STORED_LINK.index("attributes")


def json_text(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """One text for equal values, readable in the database: keys sorted, no escapes for letters beyond ASCII."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _mapping(text: str) -> dict[str, Any]:
    """The map that is kept as ``text``. Most links have none, and a search reads hundreds of links."""
    found: dict[str, Any] = {} if text == "{}" else json.loads(text)
    return found


def stored_artifact(values: Sequence[Any]) -> StoredArtifact:
    """The artifact whose fields, in the order of ``STORED_ARTIFACT``, are ``values``."""
    row = list(values)
    row[_METADATA] = _mapping(row[_METADATA])
    row[_WITHHELD] = bool(row[_WITHHELD])
    row[_DELETED] = bool(row[_DELETED])
    return StoredArtifact(*row)


def stored_link(values: Sequence[Any]) -> StoredLink:
    """The link whose fields, in the order of ``STORED_LINK``, are ``values``."""
    row = list(values)
    row[_ATTRIBUTES] = _mapping(row[_ATTRIBUTES])
    return StoredLink(*row)


def facets_of(found: Iterable[Sequence[str | None]]) -> Facets:
    """The facets of the (status, type, provenance) that ``found`` has."""
    columns = tuple(zip(*found, strict=True)) or ((), (), ())
    return Facets(*(tuple(sorted({value for value in column if value is not None})) for column in columns))


def last_of_each(rows: Iterable[T], key: Callable[[T], K]) -> list[T]:
    """``rows`` without those that a later one of the same key replaces."""
    return list({key(row): row for row in rows}.values())


def batches(rows: Iterable[T], size: int = BATCH_ROWS) -> Iterator[list[T]]:
    """``rows`` in lists of at most ``size``, read as they are needed."""
    left = iter(rows)
    while batch := list(islice(left, size)):
        yield batch
