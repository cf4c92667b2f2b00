"""The right answers of a corpus, computed from the plan and never from what was written.

Specification: "The corpus" and "What the scores mean". All dates are RFC 3339 text in UTC, so the gold is plain data.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from .material import Size, StatementType


def stamp(date: datetime) -> str:
    """A planted moment as text, such as ``2025-03-04T09:30:00Z``."""
    # Not ``strftime``, which asks the C library and so the caller's locale.
    return date.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


@dataclass(frozen=True, order=True)
class Edge:
    """A declared edge. ``relation`` is parent, cites, supersedes, delivers or references (an id named in a body)."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True)
class GoldArtifact:
    """An artifact that the first pass must leave alive, with its planted date."""

    id: str
    kind: str
    title: str
    date: str


@dataclass(frozen=True)
class GoldStatement:
    """A planted statement: the note it stands in, its exact sentence, its primary type and all types it accepts."""

    key: str
    note: str
    passage: str
    type: StatementType
    accepts: tuple[StatementType, ...]


@dataclass(frozen=True)
class GoldDecoy:
    """A sentence that reads like reasoning and states nothing, and its note."""

    note: str
    sentence: str


@dataclass(frozen=True)
class GoldNoise:
    """A name that a model may mint as a concept, with what it is shaped like: sha, path, version or identifier."""

    shape: str
    name: str


@dataclass(frozen=True)
class Descendant:
    """An artifact beneath an epic, with the number of levels between them."""

    id: str
    depth: int


@dataclass(frozen=True)
class Branch:
    """Slot: everything beneath an epic, flat, in natural id order."""

    epic: str
    descendants: tuple[Descendant, ...]

    @property
    def children(self) -> tuple[str, ...]:
        """The ids one level down."""
        return tuple(row.id for row in self.descendants if row.depth == 1)


@dataclass(frozen=True)
class GoldDeparture:
    """Slot: a criterion that shipped otherwise than asked, why, and who decided so."""

    story: str
    record: str
    criterion: int
    text: str
    reason: str
    decided_by: str


@dataclass(frozen=True)
class Window:
    """Slot: the ids whose planted date lies in the half-open window from ``since`` to ``until``, oldest first."""

    since: str
    until: str
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Reached:
    """A note that binds a story, and the nearest scope member it is linked with: the story, its feature or its epic."""

    id: str
    through: str


@dataclass(frozen=True)
class Binding:
    """Slot: what binds a story. ``statements`` are the keys of the planted statements in the ``notes`` reached."""

    story: str
    decisions: tuple[Reached, ...]
    notes: tuple[Reached, ...]
    statements: tuple[str, ...]


@dataclass(frozen=True)
class CurrentTruth:
    """Slot: a superseded backlog item and what stands in its place."""

    superseded: str
    successor: str


@dataclass(frozen=True)
class Slots:
    """What each read slot must answer. Question material is in none of them."""

    branches: tuple[Branch, ...]
    departures: tuple[GoldDeparture, ...]
    windows: tuple[Window, ...]
    binding: tuple[Binding, ...]
    current_truth: tuple[CurrentTruth, ...]


@dataclass(frozen=True)
class Question:
    """A planted question.

    ``kind`` is topic, why, superseded, withdrawn or authoring; ``text`` the query of a search question or the intent of
    an authoring one. ``answers`` are artifact ids. ``topic`` is what binding is asked besides, and a row belongs to it
    when its passage is that of the statement named by ``statement`` or it is one of ``topic_notes``. ``stretch`` must
    show in an answering passage. ``distractor`` is the commit of a why question, ``retired`` the superseded artifact
    beside the answer, ``withdrawn`` the note that is gone when the question is asked.
    """

    id: str
    kind: str
    text: str
    answers: tuple[str, ...]
    topic: str | None = None
    topic_notes: tuple[str, ...] = ()
    statement: str | None = None
    stretch: str | None = None
    distractor: str | None = None
    retired: str | None = None
    withdrawn: str | None = None

    @property
    def is_search(self) -> bool:
        """Whether this is one of the search questions; the others are put to the drafting bundle."""
        return self.kind != "authoring"


@dataclass(frozen=True)
class Gold:
    """Everything a scorer compares with. ``edges`` are sorted; they are the same before and after the withdrawal."""

    seed: int
    size: Size
    artifacts: tuple[GoldArtifact, ...]
    commits: tuple[GoldArtifact, ...]
    withdrawn: tuple[str, ...]
    edges: tuple[Edge, ...]
    statements: tuple[GoldStatement, ...]
    decoy_ticket: str
    decoy_sentences: tuple[GoldDecoy, ...]
    noise: tuple[GoldNoise, ...]
    slots: Slots
    questions: tuple[Question, ...]

    @property
    def successors(self) -> dict[str, str]:
        """Every superseded artifact of the corpus, the decision pair of the questions included, with its successor."""
        return {edge.target: edge.source for edge in self.edges if edge.relation == "supersedes"}

    def as_json(self) -> str:
        """The gold as canonical JSON: sorted keys, no spaces, text as it is."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
