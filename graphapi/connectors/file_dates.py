"""When each file was created and last touched, from git and from what the ledger remembers of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TypeVar

from graphapi.connectors.base import ConnectorError, Known
from graphapi.vendors.git import GitError, GitRepository
from graphapi.vendors.git_history import Change, FileHistory, has_past, read_history
from graphapi.vendors.git_tree import TreeFile

_EDITED = "edited:"
# So many paths are asked of git by name; for more, all of the history is read instead.
_MOST_PATHS = 300
T = TypeVar("T")


def asked(call: Callable[[], T]) -> T:
    """What git answers; what it cannot is the source's failure. Raises :class:`ConnectorError`."""
    try:
        return call()
    except GitError as error:
        raise ConnectorError(str(error), permanent=error.permanent) from error


def when(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _stamps_of(version: str) -> tuple[int | None, int | None]:
    """The dates a version token was made with."""
    parts = version.split("|")
    if len(parts) != 3:
        return None, None
    return (int(parts[1]) if parts[1] else None), (int(parts[2]) if parts[2] else None)


@dataclass(frozen=True, slots=True)
class FileDates:
    created: datetime | None
    updated: datetime | None


@dataclass(frozen=True, slots=True)
class FileChanges:
    """The commits that changed a file after it was there, oldest first: ``whole``, or those since the last pass."""

    commits: Sequence[Change]
    whole: bool


def edited_content(version: str) -> str | None:
    """The hash of the content that the token of an uncommitted edit was made of; None of any other token."""
    return version.removeprefix(_EDITED).split("|", 1)[0] if version.startswith(_EDITED) else None


class Dating:
    """``since`` is the commit the last whole pass read up to, or None; ``known`` is the ledger by path."""

    def __init__(
        self, repository: GitRepository, folders: Sequence[str], known: Mapping[str, Known], *, since: str | None,
        head: str | None,
    ) -> None:  # fmt: skip
        self.repository = repository
        self.folders = folders
        self.known = known
        self.since = since
        self.head = head
        self._history: FileHistory | None = None

    @property
    def history(self) -> FileHistory:
        """What the commits since the last pass say, or all of them where that is not enough."""
        if self._history is None:
            since = self.since
            if since is not None and since == self.head:
                self._history = FileHistory(whole=False)
            elif since is not None and asked(lambda: self._follows(since)):
                self._history = asked(lambda: read_history(self.repository, self.folders, since=since))
            else:
                self._history = self._whole_history()
        return self._history

    def _whole_history(self) -> FileHistory:
        return asked(lambda: read_history(self.repository, self.folders))

    def _follows(self, since: str) -> bool:
        return self.head is not None and self.repository.is_ancestor(since, self.head)

    def dates(self, file: TreeFile) -> FileDates:
        """From git; an edit that nobody committed has no time of its own."""
        created, updated = self._stamps(file)
        return FileDates(when(created), when(updated))

    def changes(self, file: TreeFile, artifact_id: str) -> FileChanges | None:
        """What the change log says of a file that gives this artifact; None where it says nothing new."""
        if not file.committed:
            return None
        if not self.history.whole and not self._continues(file, artifact_id):
            self._history = self._whole_history()
        touched = self.history.files.get(file.path)
        if touched is None:
            return FileChanges((), whole=True) if self.history.whole else None
        return FileChanges(touched.revisions(), whole=self.history.whole or touched.added_in_range)

    def _continues(self, file: TreeFile, artifact_id: str) -> bool:
        """Whether the commits since the last pass are all that what was kept of this artifact's file lacks."""
        touched = self.history.files.get(file.path)
        if touched is not None and touched.added_in_range:
            return not self._readded
        known = self._known_as(self.history, file)
        return known is not None and known.artifact_id == artifact_id

    def version(self, file: TreeFile) -> str | None:
        """A token that is equal while the committed content and its dates are; None for an uncommitted edit."""
        if file.blob is None:
            return None
        created, updated = self._stamps(file)
        return f"{file.blob}|{'' if created is None else created}|{'' if updated is None else updated}"

    def edited_version(self, file: TreeFile, digest: str) -> str:
        """The token of an uncommitted edit: never equal to a later one, and it keeps when the file was created."""
        created, _ = self._stamps(file)
        return f"{_EDITED}{digest}|{'' if created is None else created}|"

    def _stamps(self, file: TreeFile) -> tuple[int | None, int | None]:
        if not file.committed:
            return None, None
        created, updated = self._stamps_in(self.history, file)
        edited = file.blob is None
        lacking = created is None or (updated is None and not edited)
        if lacking and not self.history.whole and self._may_be_dated(file):
            self._history = self._whole_history()
            created, updated = self._stamps_in(self._history, file)
        return created, None if edited else updated

    def _may_be_dated(self, file: TreeFile) -> bool:
        """Whether all of the history could date a file that the ledger and the commits since the last pass do not: its
        folder was declared today, an edit of it was undone, or the clone was shallow when it was read."""
        known = self._known_as(self.history, file)
        return known is None or not known.version or known.version.startswith(_EDITED) or self.shallow_floor is None

    def _stamps_in(self, history: FileHistory, file: TreeFile) -> tuple[int | None, int | None]:
        touched = history.files.get(file.path)
        if history.whole:
            return (touched.created, touched.updated) if touched else (None, None)
        if touched is not None and touched.added_in_range:
            return (None, None) if self._readded else (touched.created, touched.updated)
        known = self._known_as(history, file)
        created, updated = _stamps_of(known.version) if known else (None, None)
        return created, updated if touched is None else touched.updated

    def _known_as(self, history: FileHistory, file: TreeFile) -> Known | None:
        """The ledger's entry of this very file, under the name it had when the last pass read up to ``since``."""
        touched = history.files.get(file.path)
        if touched is not None and touched.added_in_range:
            return None
        known = self.known.get(history.renamed_from.get(file.path, file.path))
        return None if known is None or known.gone else known

    @cached_property
    def _readded(self) -> bool:
        """Whether a path that was added since the last pass had a past before it, which the ledger may not know."""
        history, since = self.history, self.since
        added = sorted(
            {history.renamed_from.get(p, p) for p, touched in history.files.items() if touched.added_in_range}
        )
        if since is None or len(added) > _MOST_PATHS:
            return True
        return asked(lambda: has_past(self.repository, added, since))

    @cached_property
    def shallow_floor(self) -> datetime | None:
        """The newest commit a shallow clone was cut at: below it, files have a past nobody here can read."""
        cut = asked(self.repository.shallow_commits)
        if not cut:
            return None
        stamps = asked(lambda: self.repository.run("log", "--no-walk", "--format=%ct", *sorted(cut)))
        return when(max(int(s) for s in stamps.split()))
