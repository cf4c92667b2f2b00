"""Several projects' graphs read as one: every artifact by its key, every link between two keys.

A key is (place of the project, artifact id): two projects may use one id. Links never cross namespaces in the store;
what one project's source says of another's artifact is on record as unresolved, and :mod:`graphapi.reads.crossing`
resolves it here, within what the reader may reach.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from graphapi.domain.ids import id_problem
from graphapi.models import Project
from graphapi.reads.crossing import Crossing, crossings
from graphapi.store.branch import Child, walk
from graphapi.store.port import SOURCE_WITHDRAWN, Branch, Deleted, Direction, GraphStore, StoredArtifact, StoredLink

_CHILDREN = 2000
_SEPARATOR = "\x1f"


class Key(NamedTuple):
    """``place`` is the project's place in the corpus, 0 for the one that asks."""

    place: int
    artifact_id: str


class Edge(NamedTuple):
    """A stated link between two keys; ``row`` carries its relation, method, dates and attributes."""

    source: Key
    target: Key
    row: StoredLink

    def far(self, near: Key) -> Key:
        return self.target if self.source == near else self.source


@dataclass(frozen=True, slots=True)
class Group:
    """One artifact's links of one direction, relation and method: how many there are, and those that are listed."""

    key: Key
    direction: Direction
    relation: str
    method: str
    count: int
    edges: tuple[Edge, ...]


class Corpus:
    """The graphs of ``projects``, the first of which is the one that asks. ``several``: rows say their project."""

    def __init__(self, store: GraphStore, projects: Sequence[Project], *, several: bool) -> None:
        self.store = store
        self.projects = tuple(projects)
        self.several = several

    def label(self, key: Key) -> dict[str, Any]:
        """What a row says of its project: nothing where the instance declares only one."""
        return {"project": self.projects[key.place].name} if self.several else {}

    def namespace(self, place: int) -> str:
        return self.projects[place].namespace

    def locate(self, artifact_id: str) -> tuple[Key, StoredArtifact] | None:
        """The artifact of this id in the first project that holds it.

        The project that asks goes first even with a withdrawn one: what stands elsewhere under that id is another
        artifact. Among the others a live one goes before a withdrawn one.
        """
        if id_problem(artifact_id):
            return None
        found: tuple[Key, StoredArtifact] | None = None
        for place in range(len(self.projects)):
            for row in self.store.get(self.namespace(place), [artifact_id]):
                if place == 0 or not row.deleted:
                    return Key(place, artifact_id), row
                found = found or (Key(place, artifact_id), row)
        return found

    def get(self, keys: Iterable[Key], *, bodies: bool = True) -> dict[Key, StoredArtifact]:
        """The artifacts that exist, deleted ones too. One round trip a project."""
        out: dict[Key, StoredArtifact] = {}
        for place, ids in _by_place(keys).items():
            for row in self.store.get(self.namespace(place), ids, bodies=bodies):
                out[Key(place, row.artifact_id)] = row
        return out

    def around(
        self, keys: Iterable[Key], *, deleted: Deleted = "exclude", each: int = 3, whole: Sequence[str] = ()
    ) -> dict[Key, list[Group]]:
        """The links of each key by direction, relation and method, counted whole and listed as the store lists them."""
        asked = list(dict.fromkeys(keys))
        out: dict[Key, list[Group]] = {key: [] for key in asked}
        for place, ids in _by_place(asked).items():
            for g in self.store.around(self.namespace(place), ids, deleted=deleted, each=each, whole=whole):
                key = Key(place, g.artifact_id)
                edges = tuple(Edge(Key(place, r.source_id), Key(place, r.target_id), r) for r in g.links)
                out[key].append(Group(key, g.direction, g.relation, g.method, g.count, edges))
        for crossing in self.crossing(asked):
            self._add(out, crossing)
        return out

    def neighbours(
        self, keys: Iterable[Key], *, direction: Direction = "both", relations: Sequence[str] | None = None,
        deleted: Deleted = "exclude", limit: int = 1000,
    ) -> list[Edge]:  # fmt: skip
        """Links touching any key, as the store orders them, a project after the other; crossing ones last."""
        asked = list(dict.fromkeys(keys))
        out: list[Edge] = []
        for place, ids in _by_place(asked).items():
            for row in self.store.neighbours(
                self.namespace(place), ids, direction=direction, relations=relations, deleted=deleted, limit=limit
            ):
                out.append(Edge(Key(place, row.source_id), Key(place, row.target_id), row))  # noqa: PERF401
        near = set(asked)
        for crossing in self.crossing(asked):
            edge = self._edge(crossing)
            goes = {"out": edge.source in near, "in": edge.target in near, "both": True}[direction]
            if goes and (relations is None or edge.row.relation in relations):
                out.append(edge)
        return out[:limit]

    def ancestors(self, keys: Iterable[Key]) -> list[tuple[Key, Key]]:
        """(child, parent) of every live parent link met walking up from live ``keys``, nearest first."""
        level = list(dict.fromkeys(keys))
        seen, out = set(level), list[tuple[Key, Key]]()
        while level:
            found: list[tuple[Key, Key]] = []
            for place, ids in _by_place(level).items():
                pairs = self.store.ancestors(self.namespace(place), ids)
                found += [(Key(place, child), Key(place, parent)) for child, parent in pairs]
            reached = {*level, *(parent for _, parent in found)}
            found += [
                (e.source, e.target)
                for e in map(self._edge, self.crossing(reached))
                if e.row.relation == "parent" and e.source in reached
            ]
            out += [pair for pair in found if pair not in out]
            level = [parent for _, parent in found if parent not in seen and parent not in reached]
            seen |= reached
        return out

    def branch(self, root: Key, *, depth: int | None = None, limit: int = 2000) -> tuple[Branch, dict[str, Key]]:
        """The declared hierarchy beneath ``root`` and the key of each id in it.

        In one project the ids are the artifacts' own; across several, they are opaque tokens and the map tells.
        """
        if len(self.projects) == 1:
            branch = self.store.branch(self.namespace(0), root.artifact_id, depth=depth, limit=limit)
            ids = [n.artifact_id for n in branch.nodes] + list(branch.withdrawn)
            return branch, {i: Key(0, i) for i in (*ids, *(i for c in branch.cycles for i in c))}
        return self._walk(root, depth, limit)

    def _walk(self, root: Key, depth: int | None, limit: int) -> tuple[Branch, dict[str, Key]]:
        keys = {_token(root): root}
        here = self.get([root], bodies=False).get(root)
        if here is None or here.deleted:
            return Branch((), withdrawn=() if here is None else (_token(root),)), keys

        def children(parents: Sequence[str]) -> list[Child]:
            level = [keys[token] for token in parents]
            edges = self.neighbours(level, direction="in", relations=["parent"], deleted="include", limit=_CHILDREN)
            rows = self.get({e.source for e in edges}, bodies=False)
            found = []
            for edge in edges:
                row = rows.get(edge.source)
                ended = edge.row.invalid_at is not None
                if row is None or (ended and not (row.deleted and edge.row.invalid_reason == SOURCE_WITHDRAWN)):
                    continue
                keys[_token(edge.source)] = edge.source
                found.append(Child(_token(edge.target), _token(edge.source), row.sort_key, row.deleted))
            return found

        return walk(_token(root), children, depth=depth, limit=limit), keys

    # -- links that cross projects ------------------------------------------------------------------------------
    def crossing(self, keys: Collection[Key]) -> list[Crossing]:
        """Links between two projects of this corpus that touch any key; none where it is one project's."""
        return crossings(self.store, self.projects, keys) if len(self.projects) > 1 and keys else []

    def _edge(self, crossing: Crossing) -> Edge:
        return Edge(Key(*crossing.source), Key(*crossing.target), crossing.row)

    def _add(self, out: dict[Key, list[Group]], crossing: Crossing) -> None:
        edge = self._edge(crossing)
        for key, direction in ((edge.source, "out"), (edge.target, "in")):
            groups = out.get(key)
            if groups is None:
                continue
            for at, g in enumerate(groups):
                if (g.direction, g.relation, g.method) == (direction, edge.row.relation, edge.row.method):
                    groups[at] = replace(g, count=g.count + 1, edges=(*g.edges, edge))
                    break
            else:
                groups.append(Group(key, direction, edge.row.relation, edge.row.method, 1, (edge,)))  # type: ignore[arg-type]


def _by_place(keys: Iterable[Key]) -> dict[int, list[str]]:
    out: dict[int, list[str]] = defaultdict(list)
    for key in dict.fromkeys(keys):
        out[key.place].append(key.artifact_id)
    return dict(sorted(out.items()))


def _token(key: Key) -> str:
    return f"{key.place}{_SEPARATOR}{key.artifact_id}"
