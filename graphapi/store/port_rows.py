"""The rows that cross the graph store's port. Importers take them from :mod:`graphapi.store.port`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

FactKind = Literal["link", "statement"]


@dataclass(frozen=True, slots=True)
class ArtifactRow:
    """An artifact as the graph keeps it. ``digest`` is over every other field: equal digests, equal rows."""

    artifact_id: str
    kind: str
    artifact_type: str | None
    title: str
    body: str
    status: str | None
    provenance: str
    source: str
    source_path: str | None
    source_uri: str | None
    source_created_at: str | None
    source_updated_at: str | None
    metadata: Mapping[str, Any]
    withheld: bool
    sort_key: str
    digest: str


@dataclass(frozen=True, slots=True)
class StoredArtifact(ArtifactRow):
    """An :class:`ArtifactRow` with what only the graph knows. ``ingested_at`` moves when the row's digest does."""

    first_ingested_at: str
    ingested_at: str
    deleted: bool = False
    deleted_at: str | None = None
    deleted_clock: str | None = None
    deleted_note: str | None = None


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A removal: when, on which clock (``source-declared`` or ``found``), and the commit that did it where one did."""

    artifact_id: str
    deleted_at: str
    deleted_clock: str
    deleted_note: str | None = None


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A stated link. ``fact`` is the sentence in the fact index, and blank where the relation is not in it.

    ``digest`` is over every field but ``key``; ``rank`` is lower for the stronger claim.
    """

    key: str
    source_id: str
    target_id: str
    relation: str
    method: str
    rank: int
    fact: str
    source: str
    valid_at: str | None
    attributes: Mapping[str, Any]
    digest: str


@dataclass(frozen=True, slots=True)
class StoredLink(LinkRow):
    """A link with when and why it stopped being stated, if it did."""

    invalid_at: str | None = None
    invalid_reason: str | None = None


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A Decision, Assumption or Constraint that one note states; ``passage`` is verbatim from the note's body.

    ``fact`` is the sentence in the fact index. ``key`` is the caller's uuid5 over (namespace, note, type, passage).
    """

    key: str
    note_id: str
    type: Literal["Decision", "Assumption", "Constraint"]
    name: str
    passage: str
    qualifier: str | None
    fact: str
    stated_at: str | None
    episode: str | None = None


@dataclass(frozen=True, slots=True)
class StoredStatement(StatementRow):
    retired_at: str | None = None
    retired_reason: str | None = None


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """That one version of one artifact was read for its statements and concepts. ``key`` is the episode's uuid."""

    key: str
    artifact_id: str
    content_hash: str
    read_at: str


@dataclass(frozen=True, slots=True)
class StoredReading(ReadingRow):
    retired_at: str | None = None
    retired_reason: str | None = None


@dataclass(frozen=True, slots=True)
class ArtifactHit:
    """A keyword match. ``score`` is higher for the better match and comparable within one answer only. ``artifact`` is
    there where the search was asked for it."""

    artifact_id: str
    title: str
    kind: str
    score: float
    artifact: StoredArtifact | None = None


@dataclass(frozen=True, slots=True)
class FactHit:
    """A fact the index matched: a stated link or a statement, told apart by ``kind``. ``key`` is the row's key.

    For a statement ``source_id`` is the note, ``target_id`` the statement's key, ``relation`` is ``states``,
    ``method`` the statement's type and ``rank`` is ``STATEMENT_RANK``. ``invalid_at`` is when the row was retired.
    """

    kind: FactKind
    key: str
    fact: str
    source_id: str
    target_id: str
    relation: str
    method: str
    rank: int
    score: float
    invalid_at: str | None = None


@dataclass(frozen=True, slots=True)
class LinkGroup:
    """The links of one artifact in one direction, of one relation by one method.

    ``count`` is of all of them. ``links`` are those whose far end was asked for too, then the first of the others, by
    the far end's natural order, then key.
    """

    artifact_id: str
    direction: Literal["out", "in"]
    relation: str
    method: str
    count: int
    links: tuple[StoredLink, ...]


@dataclass(frozen=True, slots=True)
class BranchNode:
    artifact_id: str
    parent_id: str | None
    depth: int


@dataclass(frozen=True, slots=True)
class Branch:
    """A walk down live ``parent`` links of live artifacts, breadth first, natural id order within a level.

    Each artifact appears once, at its least depth. ``cycles`` lists, per link that led back to an artifact already
    above it on the walk, the ids along the cycle, from that artifact down to the one that names it as a child again.
    ``withdrawn`` are the deleted children the walk met and did not go beneath: a deleted child counts by the links
    that its tombstone retired. A deleted root gives no nodes and is itself withdrawn. ``truncated``: ``limit`` stopped
    the walk.
    """

    nodes: tuple[BranchNode, ...]
    cycles: tuple[tuple[str, ...], ...] = ()
    withdrawn: tuple[str, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class LinkCount:
    relation: str
    method: str
    count: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a namespace holds: live artifacts by kind, deleted artifacts, live and retired links and statements."""

    artifacts: Mapping[str, int] = field(default_factory=dict)
    deleted: int = 0
    links: int = 0
    retired_links: int = 0
    statements: int = 0
    retired_statements: int = 0


@dataclass(frozen=True, slots=True)
class Facets:
    """The values that live artifacts have, sorted; having none of a property is no value of it."""

    statuses: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    provenances: tuple[str, ...] = ()
