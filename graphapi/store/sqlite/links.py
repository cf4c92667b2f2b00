"""What is read along the links of the graph file: neighbours, what stands around, the way up and the branch beneath."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from graphapi.store.branch import Child, Parent, climb, walk
from graphapi.store.port import SOURCE_WITHDRAWN, WHOLE_LINKS, Branch, Deleted, Direction, LinkGroup, StoredLink
from graphapi.store.rows import STORED_LINK, json_text, stored_link
from graphapi.store.sqlite.filters import ASKED, listed, one_of

_LINK = ", ".join({"source_id": "s.artifact_id", "target_id": "t.artifact_id"}.get(n, f"l.{n}") for n in STORED_LINK)
_TOUCHING = {
    "out": "SELECT l.id FROM asked CROSS JOIN links AS l ON l.src = asked.id",
    "in": "SELECT l.id FROM asked CROSS JOIN links AS l ON l.dst = asked.id",
}
_TOUCHING["both"] = f"{_TOUCHING['out']} UNION {_TOUCHING['in']}"
_STATES = {
    "exclude": "l.invalid_at IS NULL AND NOT s.deleted AND NOT t.deleted",
    "include": "1",
    "only": "(l.invalid_at IS NOT NULL OR s.deleted OR t.deleted)",
}
_ENDS = "CROSS JOIN artifacts AS s ON s.id = l.src CROSS JOIN artifacts AS t ON t.id = l.dst"
# ``near``: the far end was asked for as well. Whole rows are fetched in the end, for the links kept and for no other;
# the first of a group is kept in any case, since a group of which no link is wanted still has its count.
_AROUND = f"""{ASKED}, stood AS MATERIALIZED (
        SELECT asked.place, 0 AS inward, l.id, l.relation, l.method, l.rank, l.key, t.sort_key, t.artifact_id,
            t.id IN (SELECT id FROM asked) AS near
        FROM asked CROSS JOIN links AS l ON l.src = asked.id {_ENDS} WHERE {{state}}
        UNION ALL
        SELECT asked.place, 1, l.id, l.relation, l.method, l.rank, l.key, s.sort_key, s.artifact_id,
            s.id IN (SELECT id FROM asked)
        FROM asked CROSS JOIN links AS l ON l.dst = asked.id AND l.src <> l.dst {_ENDS} WHERE {{state}}),
    grouped AS (SELECT *, count(*) OVER alike AS number, min(rank) OVER alike AS least,
            sum(near) OVER alike + iif(relation IN (SELECT value FROM json_each(?)), ?, ?) AS room,
            row_number() OVER (alike ORDER BY near DESC, sort_key, artifact_id, key) AS nth
        FROM stood WINDOW alike AS (PARTITION BY place, inward, relation, method)),
    kept AS MATERIALIZED (SELECT * FROM grouped WHERE nth <= room OR nth = 1)
    SELECT kept.place, kept.inward, kept.relation, kept.method, kept.number, kept.nth <= kept.room, {_LINK}
    FROM kept CROSS JOIN links AS l ON l.id = kept.id {_ENDS}
    ORDER BY kept.place, kept.inward, kept.least, kept.relation, kept.method, kept.nth"""
# UNION drops an artifact met before, so that a cycle ends and no way is walked twice. Without an ORDER BY the queue is
# first in, first out, and the limit keeps the nearest.
_ABOVE = f"""{ASKED}, above (id) AS (
        SELECT asked.id FROM asked CROSS JOIN artifacts AS a ON a.id = asked.id WHERE NOT a.deleted
        UNION
        SELECT l.dst FROM above CROSS JOIN links AS l ON l.src = above.id AND l.relation = 'parent'
        CROSS JOIN artifacts AS t ON t.id = l.dst WHERE l.invalid_at IS NULL AND NOT t.deleted
        LIMIT ?)
    SELECT s.artifact_id, s.sort_key, t.artifact_id, t.sort_key
    FROM above CROSS JOIN links AS l ON l.src = above.id AND l.relation = 'parent' {_ENDS}
    WHERE l.invalid_at IS NULL AND NOT t.deleted"""
_CHILDREN = f"""{ASKED} SELECT asked.artifact_id, c.artifact_id, c.sort_key, c.deleted FROM asked
    CROSS JOIN links AS l ON l.dst = asked.id AND l.relation = 'parent'
    CROSS JOIN artifacts AS c ON c.id = l.src
    WHERE l.invalid_at IS NULL OR (c.deleted AND l.invalid_reason = ?)"""


def neighbours(
    cursor: sqlite3.Cursor,
    space: int,
    ids: Sequence[str],
    direction: Direction,
    filters: dict[str, Sequence[str] | None],
    deleted: Deleted,
    limit: int,
) -> list[StoredLink]:
    """``filters``: the values a column may have, None for any."""
    found = cursor.execute(
        f"""{ASKED}, touching AS MATERIALIZED ({_TOUCHING[direction]})
            SELECT {_LINK}, s.sort_key AS source_key, t.sort_key AS target_key FROM touching
            CROSS JOIN links AS l ON l.id = touching.id {_ENDS}
            WHERE {_STATES[deleted]} {"".join(one_of(f"l.{column}", values) for column, values in filters.items())}
            ORDER BY l.rank, source_key, target_key, l.key LIMIT ?""",
        (_unique(ids), space, *(v for values in filters.values() for v in listed(values)), max(limit, 0)),
    )
    return [stored_link(row[: len(STORED_LINK)]) for row in found]


def around(
    cursor: sqlite3.Cursor, space: int, ids: Sequence[str], deleted: Deleted, each: int, whole: Collection[str]
) -> list[LinkGroup]:
    asked = list(dict.fromkeys(ids))
    room = max(each, 0)
    found = cursor.execute(
        _AROUND.format(state=_STATES[deleted]),
        (json_text(asked), space, json_text(sorted(whole)), max(room, WHOLE_LINKS), room),
    )
    return [
        LinkGroup(
            asked[place],
            "in" if inward else "out",
            relation,
            method,
            count,
            tuple(stored_link(row[6:]) for row in rows if row[5]),
        )
        for (place, inward, relation, method, count), rows in groupby(found, key=lambda row: row[:5])
    ]


def ancestors(cursor: sqlite3.Cursor, space: int, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
    asked = list(dict.fromkeys(ids))
    kept = max(limit, 0)
    # Each link kept leads to one artifact at most, so no more than these can have a link that is kept.
    found = cursor.execute(_ABOVE, (json_text(asked), space, len(asked) + kept))
    return climb(asked, (Parent(*row) for row in found), kept)


def branch(cursor: sqlite3.Cursor, space: int, root_id: str, depth: int | None, limit: int) -> Branch:
    root = cursor.execute(
        "SELECT deleted FROM artifacts WHERE space = ? AND artifact_id = ?", (space, root_id)
    ).fetchone()
    if root is None or root[0]:
        return Branch((), withdrawn=() if root is None else (root_id,))

    def children(parents: Sequence[str]) -> Iterable[Child]:
        return [Child(*row) for row in cursor.execute(_CHILDREN, (json_text(parents), space, SOURCE_WITHDRAWN))]

    return walk(root_id, children, depth=depth, limit=limit)


def _unique(ids: Sequence[str]) -> str:
    return json_text(list(dict.fromkeys(ids)))
