"""The links a binding read walks over: asked for whole, told where even that was too many (004 section 5, bears_on)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from graphapi.domain.links import PARENT, REVISES
from graphapi.ranking import binding_order
from graphapi.reads.corpus import Corpus, Edge, Group, Key
from graphapi.reads.marks import MARKING
from graphapi.store.port import SOURCE_WITHDRAWN, Deleted

# A group of links is asked for up to this many; an artifact with more is asked a second time, all at once.
EACH = 200
# The second time, this many links in all: a hub that a hundred thousand commits name is cut and told.
HUB_LINKS = 5000


@dataclass(slots=True)
class Links:
    """The links around artifacts. ``missing`` counts those that not even the second asking gave."""

    corpus: Corpus
    deleted: Deleted
    groups: dict[Key, list[Group]] = field(default_factory=dict)
    missing: int = 0

    def read(self, keys: Iterable[Key]) -> None:
        """Ask for the links of those of ``keys`` that are not here yet."""
        asked = [key for key in dict.fromkeys(keys) if key not in self.groups]
        if not asked:
            return
        state: Deleted = "exclude" if self.deleted == "exclude" else "include"
        found = self.corpus.around(asked, deleted=state, each=EACH, whole=MARKING)
        crowded = {key for key, groups in found.items() if any(g.count > len(g.edges) for g in groups)}
        if crowded:
            edges = self.corpus.neighbours(crowded, deleted=state, limit=HUB_LINKS)
            for key in crowded:
                found[key] = [_widened(group, edges) for group in found[key]]
                self.missing += sum(g.count - len(g.edges) for g in found[key])
        self.groups |= found

    def steps(self, key: Key) -> list[Edge]:
        """The links a walk may take from ``key``: neither up nor down the hierarchy, nor over a revision unless
        ``BINDING_SERVES_REVISING`` is on, nor over what its source stopped stating."""
        return [edge for edge in self.stated(key) if edge.row.relation != PARENT]

    def stated(self, key: Key) -> list[Edge]:
        """The same, with the hierarchy's links."""
        return [e for g in self.groups.get(key, ()) for e in g.edges if _stands(e) and _reaches(e)]


def _widened(group: Group, edges: Sequence[Edge]) -> Group:
    if group.count <= len(group.edges):
        return group
    here, far = (0, 1) if group.direction == "out" else (1, 0)
    more = [
        e
        for e in edges
        if e[here] == group.key and (e.row.relation, e.row.method) == (group.relation, group.method) and e[far]
    ]
    known = {e.row.key for e in group.edges}
    return replace(group, edges=(*group.edges, *(e for e in more if e.row.key not in known)))


def _stands(edge: Edge) -> bool:
    """A link whose artifact was withdrawn was stated to the end; one that its source took back was not."""
    return edge.row.invalid_at is None or edge.row.invalid_reason == SOURCE_WITHDRAWN


def _reaches(edge: Edge) -> bool:
    return edge.row.relation != REVISES or binding_order.BINDING_SERVES_REVISING
