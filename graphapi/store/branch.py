"""The walk down a declared hierarchy and the climb up it, for any backend that can answer the links."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from graphapi.store.port import Branch, BranchNode


class Child(NamedTuple):
    """A ``parent`` link as the walk sees it, from above."""

    parent_id: str
    child_id: str
    sort_key: str
    deleted: bool


class Parent(NamedTuple):
    """A live ``parent`` link as the climb sees it, from beneath."""

    child_id: str
    child_key: str
    parent_id: str
    parent_key: str


Children = Callable[[Sequence[str]], Iterable[Child]]


class _Walk:
    def __init__(self, root_id: str, limit: int) -> None:
        self.nodes = [BranchNode(root_id, None, 0)]
        self.seen = {root_id}
        self.down: dict[str, list[str]] = defaultdict(list)
        self.withdrawn: dict[str, None] = {}
        self.cycles: list[tuple[str, ...]] = []
        self.limit = limit

    def level(self, parents: Sequence[str], children: Iterable[Child]) -> dict[str, Child]:
        """Take in the links beneath one level; answer the artifacts met for the first time, by natural order."""
        order = {parent: place for place, parent in enumerate(parents)}
        links = sorted(set(children), key=lambda c: (order[c.parent_id], c.sort_key, c.child_id))
        fresh: dict[str, Child] = {}
        for link in links:
            if link.deleted:
                self.withdrawn.setdefault(link.child_id)
                continue
            if link.child_id not in self.seen:
                fresh.setdefault(link.child_id, link)
            elif path := self._path(link.child_id, link.parent_id):
                self.cycles.append(path)
            self.down[link.parent_id].append(link.child_id)
        return dict(sorted(fresh.items(), key=lambda item: (item[1].sort_key, item[0])))

    def keep(self, fresh: dict[str, Child], depth: int) -> bool:
        """Add a level's artifacts; False when the limit left some out."""
        room = max(self.limit - len(self.nodes), 0)
        for child in list(fresh.values())[:room]:
            self.seen.add(child.child_id)
            self.nodes.append(BranchNode(child.child_id, child.parent_id, depth))
        return len(fresh) <= room

    def _path(self, top: str, bottom: str) -> tuple[str, ...] | None:
        """The way down from ``top`` to ``bottom`` over every link walked so far, None where there is none.

        Over all links and not the tree alone: in a diamond an artifact has a way down that is not its first one.
        """
        came_from: dict[str, str | None] = {top: None}
        queue = deque([top])
        while queue:
            here: str | None = queue.popleft()
            if here == bottom:
                path: list[str] = []
                while here is not None:
                    path.append(here)
                    here = came_from[here]
                return tuple(reversed(path))
            for below in self.down.get(str(here), ()):
                if below not in came_from:
                    came_from[below] = here
                    queue.append(below)
        return None

    def answer(self, *, truncated: bool) -> Branch:
        return Branch(tuple(self.nodes), tuple(self.cycles), tuple(self.withdrawn), truncated)


def walk(root_id: str, children: Children, *, depth: int | None, limit: int) -> Branch:
    """The branch beneath a live ``root_id``; ``children`` is asked once a level and may answer in any order."""
    steps = _Walk(root_id, limit)
    level: Sequence[str] = [root_id]
    reached = 0
    while level and (depth is None or reached < depth):
        reached += 1
        fresh = steps.level(level, children(level))
        if not steps.keep(fresh, reached):
            return steps.answer(truncated=True)
        level = list(fresh)
    return steps.answer(truncated=False)


def climb(ids: Sequence[str], links: Iterable[Parent], limit: int) -> list[tuple[str, str]]:
    """The pairs (id, parent id) met on the way up from ``ids``, breadth first, in natural order within a level, at most
    ``limit``; ``links`` are those of all artifacts that may be met, in any order."""
    up: dict[str, set[Parent]] = defaultdict(set)
    for link in links:
        up[link.child_id].add(link)
    level, seen = set(ids), set(ids)
    pairs: list[tuple[str, str]] = []
    while level and len(pairs) < limit:
        met = [link for child in level for link in up[child]]
        met.sort(key=lambda link: (link.child_key, link.child_id, link.parent_key, link.parent_id))
        pairs += [(link.child_id, link.parent_id) for link in met]
        level = {link.parent_id for link in met} - seen
        seen |= level
    return pairs[:limit]
