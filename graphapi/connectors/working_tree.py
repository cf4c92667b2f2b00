"""The project's working tree, listed once a pass: which file belongs to which source, its bytes, its dates from git."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from graphapi.connectors.base import ConnectorError, Known, Removal
from graphapi.connectors.withholding import Withholding
from graphapi.domain.artifact import Finding
from graphapi.domain.project_config import ProjectConfig
from graphapi.vendors.git import GitError, GitRepository, TreeFile
from graphapi.vendors.git_history import FileHistory, read_history

NOTE_ENDINGS = (".md", ".markdown")
DOCUMENT_ENDINGS = (*NOTE_ENDINGS, ".txt", ".rst", ".adoc")
OWN_FOLDER = ".revetly"
T = TypeVar("T")


def _when(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _stamps_of(version: str) -> tuple[int | None, int | None]:
    """The dates a version token was made with."""
    parts = version.split("|")
    if len(parts) != 3:
        return None, None
    return (int(parts[1]) if parts[1] else None), (int(parts[2]) if parts[2] else None)


def claims_of(config: ProjectConfig) -> list[tuple[str, str]]:
    """(source, folder) of every file source declared, in the order in which they are read."""
    out = [("backlog", config.backlog.path)] if config.backlog else []
    for source in ("notes", "deliveries", "documents"):
        if (declared := getattr(config.connectors, source)) is not None:
            out += [(source, path) for path in declared.paths]
    return out


@dataclass(frozen=True, slots=True)
class FileDates:
    created: datetime | None
    updated: datetime | None


class WorkingTree:
    """``since`` is the commit the last whole pass read up to, or None; ``known`` is the ledger by path.

    Raises :class:`ConnectorError` where the root is no working tree, ``SettingRefused`` for a pattern of none.
    """

    def __init__(
        self, root: Path, config: ProjectConfig, known: Mapping[str, Known], *, since: str | None, max_bytes: int
    ) -> None:
        self.root = root
        self.config = config
        self.known = known
        self.since = since
        self.max_bytes = max_bytes
        self.repository = GitRepository(root)
        self.real_root = os.path.realpath(root)
        self._history: FileHistory | None = None
        self._withheld = Withholding(config.extraction.withhold, root)
        try:
            if not self.repository.is_working_tree():
                raise ConnectorError(
                    f"{root} is not a git working tree", permanent=True, fix="run `git init` there, or mend the root"
                )
            self.head = self.repository.head()
        except GitError as error:
            raise ConnectorError(str(error), permanent=error.permanent) from error

    @cached_property
    def _by_source(self) -> dict[str, list[TreeFile]]:
        claims = claims_of(self.config)
        out: dict[str, list[TreeFile]] = {source: [] for source, _ in claims}
        # The longest folder that holds a file claims it, then the order of the sources: docs/decisions before docs.
        ordered = sorted(claims, key=lambda claim: -len(Path(claim[1]).parts))
        for file in self.files:
            if file.path.split("/", 1)[0] == OWN_FOLDER:
                continue
            for source, folder in ordered:
                if folder == "." or file.path == folder or file.path.startswith(folder + "/"):
                    out[source].append(file)
                    break
        return out

    @cached_property
    def files(self) -> list[TreeFile]:
        return self._asked(lambda: self.repository.working_tree(self._folders))

    @cached_property
    def _folders(self) -> list[str]:
        return sorted({folder for _, folder in claims_of(self.config)})

    @property
    def history(self) -> FileHistory:
        """What the commits since the last pass say, or all of them where that is not enough."""
        if self._history is None:
            since = self.since
            if since is not None and since == self.head:
                self._history = FileHistory(whole=False)
            elif since is not None and self._asked(lambda: self._follows(since)):
                self._history = self._asked(lambda: read_history(self.repository, self._folders, since=since))
            else:
                self._history = self._whole_history()
        return self._history

    def _whole_history(self) -> FileHistory:
        return self._asked(lambda: read_history(self.repository, self._folders))

    def _follows(self, since: str) -> bool:
        return self.head is not None and self.repository.is_ancestor(since, self.head)

    @staticmethod
    def _asked(call: Callable[[], T]) -> T:
        try:
            return call()
        except GitError as error:
            raise ConnectorError(str(error), permanent=error.permanent) from error

    def files_of(self, source: str, endings: Sequence[str]) -> list[TreeFile]:
        """The source's files with these endings, shallow folders first, then by path: the order duplicates yield in."""
        mine = [f for f in self._by_source.get(source, ()) if f.is_submodule or f.path.lower().endswith(tuple(endings))]
        return sorted(mine, key=lambda f: (f.path.count("/"), f.path))

    def restrict(self, only: Collection[str]) -> None:
        """Read these alone, named by artifact id or by path: the listing is then no complete one."""
        wanted = {path for path, known in self.known.items() if known.artifact_id in only} | set(only)
        self.files = [f for f in self.files if f.path in wanted]

    def missing_folders(self, source: str) -> list[str]:
        return [p for s, p in claims_of(self.config) if s == source and not (self.root / p).exists()]

    def is_withheld(self, path: str) -> bool:
        return self._withheld.holds(path)

    def dates(self, file: TreeFile) -> FileDates:
        """From git; an edit that nobody committed has no time of its own."""
        created, updated = self._stamps(file)
        return FileDates(_when(created), _when(updated))

    def version(self, file: TreeFile) -> str | None:
        """A token that is equal while the committed content and its dates are; None for an uncommitted edit."""
        if file.blob is None or (not self.history.whole and not self._is_placed(file)):
            return None
        created, updated = self._stamps(file)
        return f"{file.blob}|{'' if created is None else created}|{'' if updated is None else updated}"

    def edited_version(self, file: TreeFile, digest: str) -> str:
        """The token of an uncommitted edit: never equal to a later one, and it keeps when the file was created."""
        created, _ = self._stamps(file)
        return f"edited:{digest}|{'' if created is None else created}|"

    def _is_placed(self, file: TreeFile) -> bool:
        return file.path in self.known or file.path in self.history.files

    def _stamps(self, file: TreeFile) -> tuple[int | None, int | None]:
        if file.blob is not None and not self.history.whole and not self._is_placed(file):
            # Neither in the ledger nor touched since the last pass (a folder declared today): only all of it dates it.
            self._history = self._whole_history()
        history = self.history
        touched = history.files.get(file.path)
        if history.whole:
            created, updated = (touched.created, touched.updated) if touched else (None, None)
        else:
            known = self.known.get(file.path) or self.known.get(history.renamed_from.get(file.path, ""))
            created, updated = _stamps_of(known.version) if known else (None, None)
            if touched is not None:
                updated = touched.updated
                if touched.added_in_range and created is None:
                    created = touched.created
        return created, updated if file.blob is not None else None

    @cached_property
    def removals(self) -> dict[str, Removal]:
        return {path: Removal(datetime.fromtimestamp(d.at, UTC), d.sha) for path, d in self.history.deletions.items()}

    @cached_property
    def shallow_floor(self) -> datetime | None:
        """The newest commit a shallow clone was cut at: below it, files have a past nobody here can read."""
        cut = self._asked(self.repository.shallow_commits)
        if not cut:
            return None
        stamps = self._asked(lambda: self.repository.run("log", "--no-walk", "--format=%ct", *sorted(cut)))
        return _when(max(int(s) for s in stamps.split()))

    @cached_property
    def address(self) -> str:
        """What to put before a path to address it outside this machine: a web address, or the folder in the tree."""
        prefix = self._asked(self.repository.prefix)
        web = self.repository.remote_web_url()
        return f"{web}/blob/HEAD/{prefix}" if web else prefix

    def content(self, file: TreeFile) -> bytes | Finding:
        """The file's bytes, or what keeps them from being read. Raises nothing for one bad file."""
        path = self.root / file.path
        real = os.path.realpath(path)
        if os.path.commonpath((self.real_root, real)) != self.real_root:
            return Finding(
                "symlink-outside", "warning", "a link leads out of the project's root; not followed", file.path
            )
        if path.is_symlink():
            return Finding(
                "symlink", "note", "a link to a file of this project, which is read where it stands", file.path
            )
        try:
            if (size := os.stat(path).st_size) > self.max_bytes:
                return Finding(
                    "file-too-large", "warning",
                    f"{size / 1048576:.1f} MiB, over the limit of {self.max_bytes / 1048576:g}; not read",
                    file.path, fix="split it, or raise REVETLY_MAX_FILE_MIB",
                )  # fmt: skip
            return path.read_bytes()
        except OSError as error:
            return Finding("unreadable", "error", f"cannot be read: {error.strerror}", file.path)


def content_hash(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
