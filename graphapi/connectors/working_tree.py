"""The project's working tree, listed once a pass: which file belongs to which source, its bytes, its dates from git."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from graphapi.connectors.base import ConnectorError, Known, Removal
from graphapi.connectors.file_bytes import read_bytes
from graphapi.connectors.file_dates import Dating, asked
from graphapi.connectors.withholding import Withholding
from graphapi.domain.artifact import Finding
from graphapi.domain.project_config import FILE_NAME, ProjectConfig
from graphapi.domain.refusals import UnknownArtifact
from graphapi.vendors.git import GitError, GitRepository
from graphapi.vendors.git_tree import Tree, TreeFile, list_tree

NOTE_ENDINGS = (".md", ".markdown")
DOCUMENT_ENDINGS = (*NOTE_ENDINGS, ".txt", ".rst", ".adoc")
OWN_FOLDER = ".revetly"


def claims_of(config: ProjectConfig) -> list[tuple[str, str]]:
    """(source, folder) of every file source declared, in the order in which they are read."""
    out = [("backlog", config.backlog.path)] if config.backlog else []
    for source in ("notes", "deliveries", "documents"):
        if (declared := getattr(config.connectors, source)) is not None:
            out += [(source, path) for path in declared.paths]
    return out


def _is_under(path: str, folder: str) -> bool:
    return folder == "." or path == folder or path.startswith(folder + "/")


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
        self.max_bytes = max_bytes
        self.repository = GitRepository(root)
        self.real_root = os.path.realpath(root)
        self._withheld = Withholding(config.extraction.withhold, root)
        try:
            if not self.repository.is_working_tree():
                raise ConnectorError(
                    f"{root} is not a git working tree", permanent=True, fix="run `git init` there, or mend the root"
                )
            self.head = self.repository.head()
        except GitError as error:
            raise ConnectorError(str(error), permanent=error.permanent) from error
        self.dating = Dating(self.repository, self._folders, known, since=since, head=self.head)

    @cached_property
    def others(self) -> dict[str, str]:
        """Where a restricted reading's other artifacts stand: id to path."""
        return {}

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
                if _is_under(file.path, folder):
                    out[source].append(file)
                    break
        return out

    @cached_property
    def _tree(self) -> Tree:
        return asked(lambda: list_tree(self.repository, self._folders))

    @cached_property
    def files(self) -> list[TreeFile]:
        return self._tree.files

    @cached_property
    def _folders(self) -> list[str]:
        return sorted({folder for _, folder in claims_of(self.config)})

    def files_of(self, source: str, endings: Sequence[str]) -> list[TreeFile]:
        """The source's files with these endings, shallow folders first, then by path: the order duplicates yield in.

        What stands for a whole folder that is not read (a submodule, another repository, a link) is among them, so
        that it can be named.
        """
        mine = self._by_source.get(source, ())
        wanted = [f for f in mine if f.path.lower().endswith(tuple(endings)) or self._is_folder(f)]
        return sorted(wanted, key=lambda f: (f.path.count("/"), f.path))

    def _is_folder(self, file: TreeFile) -> bool:
        linked = file.is_symlink and (self.root / file.path).is_dir()
        return file.is_submodule or file.is_repository or linked

    def restrict(self, only: Collection[str]) -> None:
        """Read these alone, named by artifact id or by path: the listing is then no complete one.

        Raises :class:`UnknownArtifact` for a name that is neither on record nor a file of the listing.
        """
        listed = {f.path for f in self.files}
        held = {known.artifact_id for known in self.known.values()}
        if strange := sorted(name for name in only if name not in held and name not in listed):
            raise UnknownArtifact(
                f"{', '.join(strange)}: neither an id on record nor a file that is read here",
                fix="name an artifact by its id, or a new file by its path from the root",
            )
        wanted = {path for path, known in self.known.items() if known.artifact_id in only} | set(only)
        self.others = {k.artifact_id: p for p, k in self.known.items() if p in listed and p not in wanted}
        self.files = [f for f in self.files if f.path in wanted]

    def missing_folders(self, source: str) -> list[str]:
        return [p for s, p in claims_of(self.config) if s == source and not (self.root / p).exists()]

    def idle_patterns(self) -> list[Finding]:
        """A finding for each withhold pattern that keeps nothing back, now or of what was read before: it may be a slip
        that lets out what it was meant for."""
        paths = [*(f.path for f in self.files), *self.known]
        return [
            Finding(
                "withhold-idle",
                "warning",
                f"extraction.withhold: {pattern!r} matches no file that is read",
                FILE_NAME,
                fix="mend it, or take it out until there is something to withhold",
            )  # fmt: skip
            for pattern in self._withheld.idle(paths)
        ]

    def declares(self, path: str) -> bool:
        """Whether a folder that is read today holds this path, or would if it were there."""
        return any(_is_under(path, folder) for folder in self._folders)

    def is_withheld(self, path: str) -> bool:
        return self._withheld.holds(path)

    @cached_property
    def removals(self) -> dict[str, Removal]:
        """By path, the commit that removed it. A path that is on disk was not removed, whatever once happened to it,
        and one that HEAD still has was removed by nobody yet."""
        standing = self._tree.gone | {file.path for file in self._tree.files}
        return {
            path: Removal(datetime.fromtimestamp(d.at, UTC), d.sha)
            for path, d in self.dating.history.deletions.items()
            if path not in standing
        }

    @cached_property
    def address(self) -> str:
        """What to put before a path to address it outside this machine: a web address, or the folder in the tree."""
        prefix = asked(self.repository.prefix)
        web = self.repository.remote_web_url()
        return f"{web}/blob/HEAD/{prefix}" if web else prefix

    def content(self, file: TreeFile) -> bytes | Finding:
        """The file's bytes, or what keeps them from being read. Raises nothing for one bad file."""
        return read_bytes(self.root, self.real_root, file.path, self.max_bytes)
