"""What a connector is: it lists one source whole, says what changed since the ledger, and what it could not read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Protocol

from graphapi.domain.artifact import Finding, SourceArtifact
from graphapi.domain.spans import Span


class ConnectorError(Exception):
    """A source cannot be read. ``permanent``: a declaration is wrong, and asking again changes nothing."""

    def __init__(self, message: str, *, permanent: bool, fix: str | None = None) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.fix = fix


@dataclass(frozen=True, slots=True)
class Known:
    """What the ledger holds of an artifact: enough to say that nothing changed, without reading it.

    ``stale``: the graph has lost it or the rules have changed, so it is read again whatever its version says.
    ``gone``: the artifact is closed out, and what stands at its path since may be another file.
    """

    artifact_id: str
    version: str
    stale: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The source still holds this artifact as it was last read, or could not be read this time and keeps its last
    (``unread``)."""

    artifact_id: str
    path: str | None = None
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Removal:
    """How the source itself dates a removal: when, and the commit that did it."""

    at: datetime
    note: str


@dataclass(frozen=True, slots=True)
class SourceMemory:
    """What earlier passes left on record about one source, for a connector to read on from."""

    cursor: Mapping[str, Any] = field(default_factory=dict)
    declared_floor: date | None = None
    view_from: date | None = None
    read_to: datetime | None = None


@dataclass(slots=True)
class SourceReading:
    """One reading of one source. ``items`` streams; the other fields are whole once it is spent.

    ``complete``: the listing named everything the source holds (from ``view_from`` on), so what it lacks is gone.
    """

    source: str
    items: Iterator[SourceArtifact | Unchanged]
    complete: bool = True
    findings: list[Finding] = field(default_factory=list)
    cursor: dict[str, Any] = field(default_factory=dict)
    floor: date | None = None
    declared_floor: date | None = None
    view_from: date | None = None
    new_gaps: list[Span] = field(default_factory=list)
    _removals: Mapping[str, Removal] = field(default_factory=dict)

    def removal(self, path: str | None) -> Removal | None:
        """The source's own date for the removal of what stood at ``path``, where it gives one."""
        return self._removals.get(path) if path is not None else None

    def dated_by(self, removals: Mapping[str, Removal]) -> None:
        self._removals = removals


class Connector(Protocol):
    """``source`` names it in state, history and health. ``read`` raises :class:`ConnectorError` where it cannot
    begin."""

    source: str

    def read(self, known: Mapping[str, Known], memory: SourceMemory) -> SourceReading:
        """``known`` is keyed by path for files and by artifact id for commits."""
