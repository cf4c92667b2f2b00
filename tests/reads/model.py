"""A double of what a model infers, so that the inferred half of the reads is tested without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphapi.reads.inferences import Concept, InferredEdge, InferredEdges


@dataclass
class Inferred:
    """Answers what a test put in it, whatever the namespace and the query."""

    found: list[str] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)
    named: list[Concept] = field(default_factory=list)
    read: list[InferredEdge] = field(default_factory=list)
    paragraphs: dict[str, str] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    def artifacts(self, namespace: str, query: str, *, limit: int, deleted: object) -> Sequence[str]:
        self.calls.append("artifacts")
        return self.found[:limit]

    def passages(self, namespace: str, query: str, *, limit: int, deleted: object) -> Sequence[str]:
        self.calls.append("passages")
        return self.quoted[:limit]

    def concepts(self, namespace: str, query: str, *, limit: int) -> Sequence[Concept]:
        self.calls.append("concepts")
        return self.named[:limit]

    def facts(self, namespace: str, query: str, *, limit: int, deleted: object) -> Sequence[InferredEdge]:
        self.calls.append("facts")
        live = [e for e in self.read if e.invalid_at is None]
        ended = [e for e in self.read if e.invalid_at is not None]
        return {"exclude": live, "only": ended}.get(str(deleted), self.read)[:limit]

    def edges(self, namespace: str, ids: Sequence[str], *, limit: int) -> InferredEdges:
        self.calls.append("edges")
        touching = [e for e in self.read if e.invalid_at is None and {e.source_id, e.target_id} & set(ids)]
        return InferredEdges(tuple(touching[:limit]), min(len(touching), limit), len(touching) > limit)

    def summaries(self, namespace: str, ids: Sequence[str]) -> dict[str, str]:
        self.calls.append("summaries")
        return {i: self.paragraphs[i] for i in ids if i in self.paragraphs}
