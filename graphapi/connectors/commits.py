"""Commits of the declared repositories, down to a floor. Which files they touch stays in git."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from graphapi.connectors.base import ConnectorError, Known, SourceMemory, SourceReading, Unchanged
from graphapi.connectors.file_dates import asked
from graphapi.domain.artifact import SOURCE_OF_RECORD, SourceArtifact
from graphapi.domain.spans import ONE_DAY, Span
from graphapi.vendors.git import GitCommit, GitError, GitRepository

SHA_DIGITS = 12


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())


class CommitsConnector:
    """One declared repository. ``window`` restricts a reading to a span of days: a backfill's step."""

    def __init__(self, name: str, path: str, root: Path, *, since: date | None, window: Span | None = None) -> None:
        self.name = name
        self.source = f"commits/{name}"
        self.declared = path
        self.root = root
        self.since = since
        self.window = window
        self.repository = GitRepository((root / path).resolve())

    def read(self, known: Mapping[str, Known], memory: SourceMemory) -> SourceReading:
        try:
            if not self.repository.is_working_tree() and not self._is_bare():
                raise ConnectorError(
                    f"{self.declared} is not a git repository", permanent=True,
                    fix="clone it there, or mend connectors.commits.repositories",
                )  # fmt: skip
            head = self.repository.head()
            cut = self._cut()
        except GitError as error:
            raise ConnectorError(str(error), permanent=error.permanent) from error
        reading = SourceReading(self.source, iter(()), cursor={"head": head}, declared_floor=self.since)
        if self.window is not None:
            reading.complete = False
            if cut is not None and self.window.start <= cut:
                raise ConnectorError(
                    f"the clone at {self.declared} is shallow and begins on {cut}", permanent=True,
                    fix="run `git fetch --unshallow` in it",
                )  # fmt: skip
            reading.items = self._items(known, self.window.start, self.window.end + ONE_DAY)
            return reading
        view = self._view(memory, reading)
        if cut is not None and (view is None or cut > view):
            # The clone itself ends here; a span between what was read before and where it now begins went unread.
            if memory.read_to is not None and memory.read_to.date() < cut:
                reading.new_gaps.append(Span(memory.read_to.date(), cut - timedelta(days=1)))
            view = cut
        reading.view_from, reading.floor = view, view
        reading.items = self._items(known, view, None)
        return reading

    def over(self, window: Span) -> CommitsConnector:
        """The same repository, read over one span of days: a step of a backfill, and no complete listing."""
        return CommitsConnector(self.name, self.declared, self.root, since=self.since, window=window)

    def count(self, span: Span) -> int:
        """How many commits a span holds. Raises :class:`ConnectorError`."""
        try:
            bounds = (_seconds(span.start), _seconds(span.end + ONE_DAY))
            return sum(1 for _ in self.repository.commits(since=bounds[0], until=bounds[1]))
        except GitError as error:
            raise ConnectorError(str(error), permanent=error.permanent) from error

    def _is_bare(self) -> bool:
        return self.repository.run("rev-parse", "--is-bare-repository").strip() == b"true"

    def _cut(self) -> date | None:
        shallow = self.repository.shallow_commits()
        if not shallow:
            return None
        stamps = self.repository.run("log", "--no-walk", "--format=%ct", *sorted(shallow)).split()
        return datetime.fromtimestamp(max(map(int, stamps)), UTC).date()

    def first_day(self) -> date | None:
        """The day of the first commit there is. Raises :class:`ConnectorError`."""
        stamps = asked(lambda: self.repository.run("log", "--max-parents=0", "--format=%ct")).split()
        return datetime.fromtimestamp(min(map(int, stamps)), UTC).date() if stamps else None

    def _view(self, memory: SourceMemory, reading: SourceReading) -> date | None:
        """The day to list from: where the last reading began, unless the declared floor was raised since."""
        if not memory.cursor:
            return self.since
        raised = self.since is not None and (memory.declared_floor is None or self.since > memory.declared_floor)
        if raised and self.since is not None and (memory.view_from is None or self.since > memory.view_from):
            began = memory.view_from or self.first_day()
            if began is not None and began < self.since:
                reading.new_gaps.append(Span(began, self.since - ONE_DAY))
            return self.since
        return memory.view_from

    def _items(
        self, known: Mapping[str, Known], since: date | None, until: date | None
    ) -> Iterator[SourceArtifact | Unchanged]:
        bounds = (_seconds(since) if since else None, _seconds(until) if until else None)
        web = self.repository.remote_web_url()
        try:
            for commit in self.repository.commits(since=bounds[0], until=bounds[1]):
                artifact_id = f"{self.name}@{commit.sha[:SHA_DIGITS]}"
                if (before := known.get(artifact_id)) is not None and before.version == commit.sha and not before.stale:
                    yield Unchanged(artifact_id)
                else:
                    yield self._artifact(artifact_id, commit, web)
        except GitError as error:
            raise ConnectorError(str(error), permanent=error.permanent) from error

    def _artifact(self, artifact_id: str, commit: GitCommit, web: str | None) -> SourceArtifact:
        message = commit.message.replace("\0", "").strip("\r\n")
        when = datetime.fromtimestamp(commit.committed_at, UTC)
        return SourceArtifact(
            artifact_id=artifact_id,
            kind="commit",
            artifact_type="commit",
            title=message.split("\n", 1)[0].strip() or artifact_id,
            body=message,
            status=None,
            metadata={
                "sha": commit.sha,
                "repository": self.name,
                "author": {"name": commit.author_name, "email": commit.author_email},
            },
            references=(),
            source_created_at=when,
            source_updated_at=when,
            source_uri=f"{web}/commit/{commit.sha}" if web else f"{self.declared}@{commit.sha}",
            source_path=None,
            provenance=SOURCE_OF_RECORD,
            history=(),
            content_hash=commit.sha,
            version=commit.sha,
        )
