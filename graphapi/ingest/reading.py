"""A pass's first half: read each declared source, and carry what changed to the graph and then to the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from graphapi.connectors.backlog import BacklogConnector
from graphapi.connectors.base import Connector, SourceMemory, SourceReading, Unchanged
from graphapi.connectors.commits import CommitsConnector
from graphapi.connectors.deliveries import DeliveriesConnector
from graphapi.connectors.documents import DocumentsConnector
from graphapi.connectors.notes import NotesConnector
from graphapi.connectors.working_tree import WorkingTree
from graphapi.domain.artifact import Finding, SourceArtifact
from graphapi.domain.dates import as_text
from graphapi.domain.project_config import ProjectConfig
from graphapi.ingest import ledger
from graphapi.ingest.rows import all_references, artifact_row, ledger_entry
from graphapi.models import LedgerEntry, Project
from graphapi.store.port import ArtifactRow, GraphStore

_BATCH = 500


class TextReader(Protocol):
    """Something that sends an artifact's words away to be read (a model's extraction). It is handed only what may
    leave: a withheld artifact never reaches it, and no artifact carries another's words."""

    def read(self, artifact: SourceArtifact) -> None: ...


@dataclass(slots=True)
class Tally:
    listed: int = 0
    written: int = 0
    unchanged: int = 0
    skipped: int = 0


@dataclass(slots=True)
class ReadingRun:
    """What the readings of one pass share. ``claimed`` says which place each id was read from, for duplicates."""

    project: Project
    store: GraphStore
    memory: ledger.Memory
    readers: Sequence[TextReader] = ()
    step: Callable[[str, int], None] = lambda source, n: None
    claimed: dict[str, str | None] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)
    _read: set[str] = field(default_factory=set)

    def consume(self, reading: SourceReading) -> None:
        """Spend one reading: each batch goes to the graph first and to the ledger after, so that a pass that dies
        between the two reads the batch again and writes it to the same end. Raises ``ConnectorError`` from the items
        and ``StoreUnavailable``."""
        tally = self.tallies.setdefault(reading.source, Tally())
        batch: list[SourceArtifact] = []
        unread: dict[str, str] = {}
        for item in reading.items:
            if not self._claim(reading, item):
                tally.skipped += 1
                continue
            tally.listed += 1
            if isinstance(item, Unchanged):
                tally.unchanged += 1
                if item.unread:
                    unread[item.artifact_id] = ""  # what stands there now may be another file: its dates are not known
            else:
                batch.append(item)
                if len(batch) == _BATCH:
                    self._write(reading.source, batch, tally)
                    batch = []
            if tally.listed % _BATCH == 0:
                self.step(reading.source, tally.listed)
        if batch:
            self._write(reading.source, batch, tally)
        ledger.move_versions(self.project, unread)
        self.step(reading.source, tally.listed)

    def _claim(self, reading: SourceReading, item: SourceArtifact | Unchanged) -> bool:
        """The first place an id is read from keeps it; any other is named and read no further."""
        path = item.path if isinstance(item, Unchanged) else item.source_path
        first = self.claimed.setdefault(item.artifact_id, path)
        if first == path and item.artifact_id not in self._read:
            self._read.add(item.artifact_id)
            return True
        reading.findings.append(
            Finding(
                "duplicate-id",
                "warning",
                f"{item.artifact_id} is also the id of {first}, which is the one served (shallow folders first, then by"
                " path)",
                path,
                artifact_id=item.artifact_id,
                fix="give one of the two another id",
            )  # fmt: skip
        )
        return False

    def _write(self, source: str, batch: list[SourceArtifact], tally: Tally) -> None:
        now = datetime.now(UTC)
        rows: list[ArtifactRow] = []
        entries: list[LedgerEntry] = []
        changed: list[SourceArtifact] = []
        moved: dict[str, str] = {}
        for artifact in batch:
            references = all_references(artifact)
            row = artifact_row(artifact, source, references)
            if self.memory.digests.get(artifact.artifact_id) == row.digest:
                moved[artifact.artifact_id] = artifact.version
                tally.unchanged += 1
                continue
            rows.append(row)
            entries.append(ledger_entry(self.project, artifact, row, references, now))
            changed.append(artifact)
        if rows:
            self.store.upsert_artifacts(self.project.namespace, rows, now=as_text(now) or "")
            self._send(changed)
            ledger.record(self.project, entries, changed)
        ledger.move_versions(self.project, moved)
        tally.written += len(rows)

    def _send(self, changed: list[SourceArtifact]) -> None:
        for reader in self.readers:
            for artifact in changed:
                if not artifact.withheld:
                    reader.read(artifact)


def file_connectors(tree: WorkingTree, config: ProjectConfig) -> Iterator[Connector]:
    if config.backlog is not None:
        yield BacklogConnector(tree)
    if config.connectors.notes is not None:
        yield NotesConnector(tree)
    if config.connectors.deliveries is not None:
        yield DeliveriesConnector(tree)
    if config.connectors.documents is not None:
        yield DocumentsConnector(tree)


def commit_connectors(project: Project, config: ProjectConfig) -> Iterator[CommitsConnector]:
    declared = config.connectors.commits
    if declared is not None:
        for name, path in declared.repositories.items():
            yield CommitsConnector(name, path, project.root_path, since=declared.since)


def memory_of(project: Project, source: str) -> SourceMemory:
    state = project.sources.filter(source=source).first()
    if state is None:
        return SourceMemory()
    return SourceMemory(state.cursor, state.declared_floor, state.view_from, state.last_read_at)
