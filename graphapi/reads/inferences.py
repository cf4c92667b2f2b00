"""The seam where what a model inferred joins the reads (004 section 5; design: graph).

A full instance gives a read an :class:`Inferences`; a lite one gives none, and the inferred half then reads absent.
Nothing in this release makes one: extraction is refused by name, so the seam is off everywhere but in its tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graphapi.store.port import Deleted


@dataclass(frozen=True, slots=True)
class InferredEdge:
    """A fact a model read between two artifacts. ``sources_retired``: every body it was read from has since gone."""

    key: str
    source_id: str
    target_id: str
    relation: str
    fact: str
    stated_at: str | None = None
    invalid_at: str | None = None
    sources_retired: bool = False


@dataclass(frozen=True, slots=True)
class Concept:
    """An entity a model made that stands for no artifact; ``summary`` grew a sentence at a time."""

    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class InferredEdges:
    """Edges touching some artifacts. ``total_is_floor``: counting stopped at the scan cap."""

    edges: tuple[InferredEdge, ...]
    total: int
    total_is_floor: bool = False


class Inferences(Protocol):
    """What Graphiti's recipe and its edges answer, per namespace. Calls may raise ``StoreUnavailable``."""

    def artifacts(self, namespace: str, query: str, *, limit: int, deleted: Deleted) -> Sequence[str]:
        """Artifact ids, best first, of the recipe's node leg."""

    def passages(self, namespace: str, query: str, *, limit: int, deleted: Deleted) -> Sequence[str]:
        """Artifact ids, best first, of the recipe's episode leg."""

    def concepts(self, namespace: str, query: str, *, limit: int) -> Sequence[Concept]: ...

    def facts(self, namespace: str, query: str, *, limit: int, deleted: Deleted) -> Sequence[InferredEdge]:
        """Best first; with ``exclude`` neither invalidated nor about deleted artifacts."""

    def edges(self, namespace: str, ids: Sequence[str], *, limit: int) -> InferredEdges:
        """Live inferred edges with an end among ``ids``."""

    def summaries(self, namespace: str, ids: Sequence[str]) -> dict[str, str]:
        """The paragraph accreted on each artifact's node, where there is one."""
