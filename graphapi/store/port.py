"""The graph store's port: what every backend does, and the rows that cross it.

Both backends (``sqlite``, ``neo4j``) answer every call alike; ``tests/contract`` holds them to it. All calls are
synchronous, take the namespace first, are bounded or stream, and are safe to repeat: writing the same rows twice
leaves what writing them once leaves. A row that comes twice in one call counts once, as it came last; a filter that is
an empty list lets nothing through. Times cross the port as RFC 3339 text in UTC with a fixed width
(``2026-01-31T09:00:00Z``), so that they sort as text. Any call may raise :class:`StoreUnavailable`; a namespace that
does not match :data:`NAMESPACE` raises ``ValueError``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

BATCH_ROWS = 1000
TITLE_WEIGHT = 3.0
BODY_WEIGHT = 1.0
# A statement's sentence was read by a model: behind every link a source declares, ahead of what was inferred.
STATEMENT_RANK = 500
# Why a tombstone ended a link, and a statement or a reading.
SOURCE_WITHDRAWN = "source-withdrawn"
WITHDRAWN = "withdrawn"

Deleted = Literal["exclude", "include", "only"]
Direction = Literal["out", "in", "both"]
FactKind = Literal["link", "statement"]

NAMESPACE = re.compile(r"\A[A-Za-z0-9_-]{1,64}\Z")


class StoreUnavailable(Exception):
    """The store cannot be reached or refused the call. The message names the store and what to do, never a secret."""


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
    """A keyword match. ``score`` is higher for the better match and comparable within one answer only."""

    artifact_id: str
    title: str
    kind: str
    score: float


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


class GraphStore(Protocol):
    """One namespace is one project's graph (Neo4j: ``group_id``). Calls on an unknown namespace answer empty."""

    # -- life ---------------------------------------------------------------------------------------------------
    def prepare(self) -> None:
        """Create schema and indexes where missing. Safe from several processes at once."""

    def ping(self) -> str:
        """One cheap round trip; the store's name and version."""

    def close(self) -> None:
        """Release connections. The object may not be used after."""

    # -- writes -------------------------------------------------------------------------------------------------
    def upsert_artifacts(self, namespace: str, rows: Sequence[ArtifactRow], *, now: str) -> int:
        """Write rows by id, whole; an id that was tombstoned is live again. Returns how many rows were written."""

    def tombstone(self, namespace: str, rows: Sequence[Tombstone]) -> int:
        """Mark artifacts deleted, keeping title, body and metadata; retire their outgoing links (reason
        ``source-withdrawn``), statements and readings (reason ``withdrawn``) at ``deleted_at``. A row already deleted
        takes the new date and clock. Incoming links stay as their own sources state them. Returns artifacts marked."""

    def link(self, namespace: str, rows: Sequence[LinkRow]) -> int:
        """Write links by key; a retired key is live again. A row whose end is not in the namespace is not written and
        never minted. Returns how many were written."""

    def retire_links(self, namespace: str, keys: Sequence[str], *, at: str, reason: str) -> int:
        """Give live links an end. Links already retired keep theirs. Returns how many were retired."""

    def put_statements(self, namespace: str, rows: Sequence[StatementRow]) -> int:
        """Write statements by key, live; a row whose note is not in the namespace is not written."""

    def retire_statements(self, namespace: str, keys: Sequence[str], *, at: str, reason: str) -> int: ...

    def put_readings(self, namespace: str, rows: Sequence[ReadingRow]) -> int:
        """Write readings by key, live, whether or not their artifact is in the namespace."""

    def retire_readings(self, namespace: str, keys: Sequence[str], *, at: str, reason: str) -> int: ...

    def clear(self, namespace: str) -> None:
        """Remove everything of one namespace and nothing of any other."""

    def scrub(self, namespace: str) -> None:
        """Make what was written over unreadable in the store's own files, as far as the store can. It may take as long
        as writing the store anew, so it is for words that were taken back, not for every pass."""

    # -- what a pass reads to write differences only ------------------------------------------------------------
    def artifact_digests(self, namespace: str) -> Iterator[tuple[str, str, bool]]:
        """(artifact id, digest, deleted) of every artifact, streamed."""

    def link_digests(self, namespace: str) -> Iterator[tuple[str, str]]:
        """(key, digest) of every live link, streamed."""

    def bodies(self, namespace: str, ids: Iterable[str] | None = None) -> Iterator[tuple[str, str]]:
        """(artifact id, body) of live artifacts, all or those named, streamed in batches."""

    # -- reads --------------------------------------------------------------------------------------------------
    def get(self, namespace: str, ids: Sequence[str]) -> list[StoredArtifact]:
        """The artifacts that exist, deleted ones included, in the order asked, each once. One round trip."""

    def neighbours(
        self,
        namespace: str,
        ids: Sequence[str],
        *,
        direction: Direction = "both",
        relations: Sequence[str] | None = None,
        deleted: Deleted = "exclude",
        limit: int = 1000,
    ) -> list[StoredLink]:
        """Links touching any of ``ids``, by (rank, source sort key, target sort key, key). ``exclude``: live links
        between live artifacts; ``include``: all; ``only``: retired links and links with a deleted end. One round
        trip."""

    def branch(self, namespace: str, root_id: str, *, depth: int | None = None, limit: int = 2000) -> Branch:
        """The declared hierarchy beneath ``root_id``, itself at depth 0; ``depth`` None walks to the leaves. An absent
        root gives no nodes. At most one round trip a level."""

    def list_artifacts(
        self,
        namespace: str,
        *,
        kinds: Sequence[str] | None = None,
        types: Sequence[str] | None = None,
        statuses: Sequence[str] | None = None,
        provenances: Sequence[str] | None = None,
        deleted: Deleted = "exclude",
        after: tuple[str, str] | None = None,
        limit: int = 50,
    ) -> list[StoredArtifact]:
        """Artifacts by (sort key, id), those past ``after`` = (sort key, id). Bodies are included."""

    def search_artifacts(
        self,
        namespace: str,
        query: str,
        *,
        limit: int = 20,
        kinds: Sequence[str] | None = None,
        deleted: Deleted = "exclude",
    ) -> list[ArtifactHit]:
        """BM25 with English stemming over title (``TITLE_WEIGHT``) and body, best first, ties by sort key then id. Any
        word may match; stopwords are left out; no operator in ``query`` is obeyed. Only this namespace's words
        weigh."""

    def search_facts(
        self,
        namespace: str,
        query: str,
        *,
        limit: int = 20,
        kind: FactKind | None = None,
        deleted: Deleted = "exclude",
    ) -> list[FactHit]:
        """The same over the facts of links and statements, or of one ``kind``; ``exclude`` leaves out retired ones,
        inside the index. Ties by (rank, source sort key, key)."""

    def statements(self, namespace: str, note_ids: Sequence[str], *, retired: bool = False) -> list[StoredStatement]:
        """Live statements of these notes (all with ``retired``), by note in natural order, then key."""

    def readings(self, namespace: str, artifact_ids: Sequence[str]) -> list[StoredReading]:
        """Readings of these artifacts, retired ones too, by (artifact id, read at, key)."""

    def link_counts(self, namespace: str) -> list[LinkCount]:
        """Live links per relation and method, most first, then by name."""

    def counts(self, namespace: str) -> Counts: ...
