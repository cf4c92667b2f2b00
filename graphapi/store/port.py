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
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, Protocol

from graphapi.store.port_rows import (
    ArtifactHit,
    ArtifactRow,
    Branch,
    BranchNode,
    Counts,
    Facets,
    FactHit,
    FactKind,
    LinkCount,
    LinkGroup,
    LinkRow,
    ReadingRow,
    StatementRow,
    StoredArtifact,
    StoredLink,
    StoredReading,
    StoredStatement,
    Tombstone,
)

__all__ = [
    "BATCH_ROWS",
    "BODY_WEIGHT",
    "NAMESPACE",
    "SOURCE_WITHDRAWN",
    "STATEMENT_RANK",
    "TITLE_WEIGHT",
    "WHOLE_LINKS",
    "WITHDRAWN",
    "ArtifactHit",
    "ArtifactRow",
    "Branch",
    "BranchNode",
    "Counts",
    "Deleted",
    "Direction",
    "Facets",
    "FactHit",
    "FactKind",
    "GraphStore",
    "LinkCount",
    "LinkGroup",
    "LinkRow",
    "ReadingRow",
    "StatementRow",
    "StoreUnavailable",
    "StoredArtifact",
    "StoredLink",
    "StoredReading",
    "StoredStatement",
    "Tombstone",
]

BATCH_ROWS = 1000
TITLE_WEIGHT = 3.0
BODY_WEIGHT = 1.0
# A statement's sentence was read by a model: behind every link a source declares, ahead of what was inferred.
STATEMENT_RANK = 500
# Why a tombstone ended a link, and a statement or a reading.
SOURCE_WITHDRAWN = "source-withdrawn"
WITHDRAWN = "withdrawn"
# How many links of a group ``around`` gives where it is asked for a relation whole: one hub must not fill an answer.
WHOLE_LINKS = 200

Deleted = Literal["exclude", "include", "only"]
Direction = Literal["out", "in", "both"]

NAMESPACE = re.compile(r"\A[A-Za-z0-9_-]{1,64}\Z")


class StoreUnavailable(Exception):
    """The store cannot be reached or refused the call. The message names the store and what to do, never a secret."""


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
    def get(self, namespace: str, ids: Sequence[str], *, bodies: bool = True) -> list[StoredArtifact]:
        """The artifacts that exist, deleted ones included, in the order asked, each once. Without ``bodies`` they are
        not read, and a row's body is empty. One round trip."""

    def neighbours(
        self,
        namespace: str,
        ids: Sequence[str],
        *,
        direction: Direction = "both",
        relations: Sequence[str] | None = None,
        methods: Sequence[str] | None = None,
        deleted: Deleted = "exclude",
        limit: int = 1000,
    ) -> list[StoredLink]:
        """Links touching any of ``ids``, by (rank, source sort key, target sort key, key). ``exclude``: live links
        between live artifacts; ``include``: all; ``only``: retired links and links with a deleted end. One round
        trip."""

    def around(
        self,
        namespace: str,
        ids: Sequence[str],
        *,
        deleted: Deleted = "exclude",
        each: int = 3,
        whole: Collection[str] = (),
    ) -> list[LinkGroup]:
        """What stands around each of ``ids``: its links by direction, relation and method, in one round trip.

        ``deleted`` as in ``neighbours``; ``count`` is exact in that state. A group holds every link whose far end is
        among ``ids``, and of the others the first ``each``, or ``WHOLE_LINKS`` where ``whole`` names the relation.
        By place in ``ids``, ``out`` first, then the group's least rank, relation, method. A link from an artifact to
        itself counts as one that goes out. Ids that are not there have no groups."""

    def ancestors(self, namespace: str, ids: Sequence[str], *, limit: int = 200) -> list[tuple[str, str]]:
        """(id, parent id) of the live ``parent`` links met on the way up from the live ones of ``ids`` through live
        artifacts, each pair once and at most ``limit``: breadth first, within a level by the natural order of the id,
        then of the parent. A cycle is walked once. One round trip whatever the depth."""

    def branch(self, namespace: str, root_id: str, *, depth: int | None = None, limit: int = 2000) -> Branch:
        """The declared hierarchy beneath ``root_id``, itself at depth 0; ``depth`` None walks to the leaves. An absent
        root gives no nodes. The level beneath the leaves is asked for too, unless ``depth`` stops the walk above it: at
        most one round trip for two levels on a server, one a level in a file."""

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
        bodies: bool = True,
    ) -> list[StoredArtifact]:
        """Artifacts by (sort key, id), those past ``after`` = (sort key, id). Without ``bodies`` they are not read, and
        a row's body is empty. A page of one kind's live artifacts, or of all kinds, costs the same however many there
        are, of that kind or of others."""

    def search_artifacts(
        self,
        namespace: str,
        query: str,
        *,
        limit: int = 20,
        kinds: Sequence[str] | None = None,
        deleted: Deleted = "exclude",
        whole: bool = False,
    ) -> list[ArtifactHit]:
        """BM25 with English stemming over title (``TITLE_WEIGHT``) and body, best first, ties by sort key then id. Any
        word may match; stopwords are left out; no operator in ``query`` is obeyed. Only this namespace's words weigh.
        With ``whole`` each hit carries its artifact, read in the same round trip."""

    def count_artifacts(
        self, namespace: str, query: str, *, kinds: Sequence[str] | None = None, deleted: Deleted = "exclude"
    ) -> int:
        """How many artifacts ``search_artifacts`` would find without a limit. One round trip."""

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

    def count_facts(self, namespace: str, query: str, *, deleted: Deleted = "exclude") -> int:
        """How many facts ``search_facts`` would find without a limit. One round trip."""

    def statements(self, namespace: str, note_ids: Sequence[str], *, retired: bool = False) -> list[StoredStatement]:
        """Live statements of these notes (all with ``retired``), by note in natural order, then key."""

    def readings(self, namespace: str, artifact_ids: Sequence[str]) -> list[StoredReading]:
        """Readings of these artifacts, retired ones too, by (artifact id, read at, key)."""

    def link_counts(self, namespace: str) -> list[LinkCount]:
        """Live links per relation and method, most first, then by name."""

    def counts(self, namespace: str) -> Counts: ...

    def facets(self, namespace: str, *, kinds: Sequence[str] | None = None) -> Facets:
        """The distinct values of live artifacts, or of those of ``kinds``. It reads them all: for a refusal that must
        name what there is, not for every call."""
