"""What is read along the graph's links: neighbours, what stands around, the way up and the branch beneath."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from neo4j import ManagedTransaction

from graphapi.store.branch import Child, Parent, climb, walk
from graphapi.store.port import SOURCE_WITHDRAWN, WHOLE_LINKS, Branch, Deleted, Direction, LinkGroup, StoredLink
from graphapi.store.rows import STORED_LINK, stored_link

LEVELS_A_TRIP = 2

_LINK = ", ".join(
    {"source_id": "startNode(l).artifact_id", "target_id": "endNode(l).artifact_id"}.get(n, f"l.{n}")
    for n in STORED_LINK
)
_PATTERNS = {"out": "(x)-[l:LINK]->()", "in": "(x)<-[l:LINK]-()", "both": "(x)-[l:LINK]-()"}
_STATES = {
    "exclude": "l.invalid_at IS NULL AND NOT s.deleted AND NOT t.deleted",
    "include": "true",
    "only": "(l.invalid_at IS NOT NULL OR s.deleted OR t.deleted)",
}
# A link from an artifact to itself is met once, as one that goes out. ``near``: the far end was asked for as well.
_AROUND = f"""UNWIND range(0, size($ids) - 1) AS place
MATCH (s:Artifact {{{{group_id: $g, artifact_id: $ids[place]}}}})
MATCH (s)-[l:LINK]-(t) WHERE {{state}}
WITH place, l, t, CASE WHEN startNode(l) = s THEN 0 ELSE 1 END AS inward, t.artifact_id IN $ids AS near
ORDER BY t.sort_key, t.artifact_id, l.key
WITH place, inward, l.relation AS relation, l.method AS method, count(*) AS number, min(l.rank) AS least,
    collect(CASE WHEN near THEN l END) AS close, collect(CASE WHEN NOT near THEN l END) AS others
ORDER BY place, inward, least, relation, method
WITH place, inward, relation, method, number,
    close + others[..CASE WHEN relation IN $whole THEN $many ELSE $each END] AS kept
RETURN place, inward, relation, method, number, [l IN kept | [{_LINK}]]"""
# A climb of more levels than links kept adds nothing. The least length alone is asked for, so that the planner walks
# breadth first and meets each artifact once from each of those asked for, rather than once by every way there.
_ABOVE = """UNWIND $ids AS id MATCH (x:Artifact {{group_id: $g, artifact_id: id}}) WHERE NOT x.deleted
MATCH p = (x)-[ways:LINK*0..{levels:d}]->(c)
WHERE all(l IN ways WHERE l.relation = 'parent' AND l.invalid_at IS NULL) AND all(n IN nodes(p) WHERE NOT n.deleted)
WITH c, min(length(p)) AS level ORDER BY level LIMIT $room
MATCH (c)-[l:LINK]->(t) WHERE l.relation = 'parent' AND l.invalid_at IS NULL AND NOT t.deleted
RETURN c.artifact_id, c.sort_key, t.artifact_id, t.sort_key"""


def neighbours(
    tx: ManagedTransaction,
    namespace: str,
    ids: Sequence[str],
    direction: Direction,
    filters: dict[str, Sequence[str] | None],
    deleted: Deleted,
    limit: int,
) -> list[StoredLink]:
    """``filters``: the values a property may have, None for any."""
    wanted = {name: list(values) for name, values in filters.items() if values is not None}
    query = f"""UNWIND $ids AS id MATCH (x:Artifact {{group_id: $g, artifact_id: id}})
        MATCH {_PATTERNS[direction]} WHERE true {"".join(f" AND l.{name} IN $filters.{name}" for name in wanted)}
        WITH DISTINCT l, startNode(l) AS s, endNode(l) AS t WHERE {_STATES[deleted]}
        WITH l, s, t ORDER BY l.rank, s.sort_key, t.sort_key, l.key LIMIT $limit
        RETURN {_LINK} ORDER BY l.rank, s.sort_key, t.sort_key, l.key"""
    found = tx.run(query, g=namespace, ids=_unique(ids), filters=wanted, limit=max(limit, 0))
    return [stored_link(row.values()) for row in found]


def around(
    tx: ManagedTransaction, namespace: str, ids: Sequence[str], deleted: Deleted, each: int, whole: Collection[str]
) -> list[LinkGroup]:
    asked = _unique(ids)
    room = max(each, 0)
    found = tx.run(
        _AROUND.format(state=_STATES[deleted]),
        g=namespace,
        ids=asked,
        whole=sorted(whole),
        many=max(room, WHOLE_LINKS),
        each=room,
    )
    return [
        LinkGroup(
            asked[place], "in" if inward else "out", relation, method, count, tuple(stored_link(row) for row in kept)
        )
        for place, inward, relation, method, count, kept in (row.values() for row in found)
    ]


def ancestors(tx: ManagedTransaction, namespace: str, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
    asked = _unique(ids)
    kept = max(limit, 0)
    # Each link kept leads to one artifact at most, so no more than these can have a link that is kept.
    found = tx.run(_ABOVE.format(levels=kept), g=namespace, ids=asked, room=len(asked) + kept)
    return climb(asked, (Parent(*row.values()) for row in found), kept)


def branch(tx: ManagedTransaction, namespace: str, root_id: str, depth: int | None, limit: int) -> Branch:
    levels = _Levels(tx, namespace, depth)
    root = levels.fetch([root_id])
    if not root or root[root_id]:
        return Branch((), withdrawn=tuple(root))
    return walk(root_id, levels.children, depth=depth, limit=limit)


class _Levels:
    """The children of a level, as the walk asks for them: those of the level beneath come in the same round trip."""

    def __init__(self, tx: ManagedTransaction, namespace: str, depth: int | None) -> None:
        self._tx, self._namespace = tx, namespace
        self._left = depth
        self._known: dict[str, list[Child]] = {}

    def fetch(self, ids: Sequence[str]) -> dict[str, bool]:
        """Learn the children of ``ids`` and theirs, no deeper than the walk goes; which of ``ids`` are there, and
        whether each is deleted."""
        levels = LEVELS_A_TRIP if self._left is None else min(self._left, LEVELS_A_TRIP)
        if self._left is not None:
            self._left -= levels
        query = f"""UNWIND $ids AS id MATCH (n0:Artifact {{group_id: $g, artifact_id: id}})
            RETURN id, n0.deleted, {_beneath(0, levels)}"""
        found = [row.values() for row in self._tx.run(query, g=self._namespace, ids=ids, withdrawn=SOURCE_WITHDRAWN)]
        for artifact_id, _, children in found:
            self._learn(artifact_id, children, levels)
        return {artifact_id: deleted for artifact_id, deleted, _ in found}

    def children(self, parents: Sequence[str]) -> Iterable[Child]:
        if not self._known.keys() >= set(parents):
            self.fetch(parents)
        return [child for parent in parents for child in self._known[parent]]

    def _learn(self, parent_id: str, children: list[list[Any]], levels: int) -> None:
        if levels == 0:
            return
        self._known[parent_id] = [Child(parent_id, *child[:3]) for child in children]
        for child_id, *_, beneath in children:
            self._learn(child_id, beneath, levels - 1)


def _beneath(level: int, levels: int) -> str:
    """The expression for the children of the node ``n{level}`` as lists, each with its own children, so deep."""
    if level == levels:
        return "[]"
    parent, child, link = f"n{level}", f"n{level + 1}", f"l{level}"
    return f"""COLLECT {{ MATCH ({parent})<-[{link}:LINK]-({child}:Artifact)
        WHERE NOT {parent}.deleted AND {link}.relation = 'parent'
            AND ({link}.invalid_at IS NULL OR ({child}.deleted AND {link}.invalid_reason = $withdrawn))
        RETURN [{child}.artifact_id, {child}.sort_key, {child}.deleted, {_beneath(level + 1, levels)}] }}"""


def _unique(ids: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(ids))
