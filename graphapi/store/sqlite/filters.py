"""Parts that the statements on the graph file share: the artifacts asked for, and filters of a column."""

from __future__ import annotations

from collections.abc import Sequence

from graphapi.store.rows import json_text

# CROSS JOIN: SQLite takes the tables in this order. Without statistics its planner may begin with a whole namespace.
ASKED = """WITH RECURSIVE asked AS MATERIALIZED (SELECT named.key AS place, a.id, a.artifact_id, a.sort_key
    FROM json_each(?) AS named CROSS JOIN artifacts AS a ON a.space = ? AND a.artifact_id = named.value)"""


def one_of(column: str, values: Sequence[str] | None) -> str:
    """The condition that ``column`` has one of ``values``, None for any; its parameters are those of ``listed``."""
    if values is None:
        return ""
    # Equality with one value lets an index that begins with the column give the rows in the order of the rest.
    return f" AND {column} = ?" if len(values) == 1 else f" AND {column} IN (SELECT value FROM json_each(?))"


def listed(values: Sequence[str] | None) -> tuple[str, ...]:
    if values is None:
        return ()
    return (values[0],) if len(values) == 1 else (json_text(list(values)),)
