"""The files of a working tree as they stand on disk, from two processes whatever their number."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from graphapi.vendors.git import GitError, GitRepository

_LOCAL_SCOPES = ("local", "worktree")


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file of the working tree. ``blob`` is its object id, None where the content is not the committed one;
    ``committed`` says whether HEAD has the path at all."""

    path: str
    mode: str
    blob: str | None
    committed: bool = True

    @property
    def is_symlink(self) -> bool:
        return self.mode == "120000"

    @property
    def is_submodule(self) -> bool:
        return self.mode == "160000"

    @property
    def is_repository(self) -> bool:
        """A repository of its own, beneath this one and no submodule of it: git names the folder and no file in it."""
        return self.path.endswith("/")


@dataclass(frozen=True, slots=True)
class Tree:
    """``files``, by path; ``gone`` are paths of HEAD that are no longer on disk, a removal nobody committed yet."""

    files: list[TreeFile]
    gone: frozenset[str]


def list_tree(repository: GitRepository, paths: Sequence[str]) -> Tree:
    """The files beneath ``paths``: tracked ones, and untracked ones that are not ignored. Raises ``GitError``."""
    if not paths:
        return Tree([], frozenset())
    files: dict[str, TreeFile] = {}
    gone: set[str] = set()
    for field in repository.fields("ls-files", "--stage", "-z", "--", *paths):
        head, _, path = field.partition("\t")
        mode, blob, stage = head.split(" ")
        # A path in conflict is listed once a side; what is on disk is then neither side's.
        files[path] = TreeFile(path, mode, blob if stage == "0" else None)
    prefix = repository.prefix()
    status = repository.run(
        "status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all",
        "--", *paths, env=_filters_off(repository),
    )  # fmt: skip
    for field in status.decode("utf-8", "surrogateescape").split("\0"):
        kind, path = _status_path(field)
        path = path.removeprefix(prefix)
        if kind == "gone":
            gone.add(path)
            files.pop(path, None)
        elif kind == "changed":
            added = field.startswith(("? ", "1 A")) and path not in gone
            gone.discard(path)
            files[path] = TreeFile(path, _mode(repository, path, files.get(path)), None, committed=not added)
    return Tree(sorted(files.values(), key=lambda f: f.path), frozenset(gone))


def _mode(repository: GitRepository, path: str, tracked: TreeFile | None) -> str:
    """What stands at a changed path now: a link may have taken a file's place, or the other way round."""
    if tracked is not None and tracked.is_submodule:
        return tracked.mode
    return "120000" if os.path.islink(repository.root / path) else "100644"


def _filters_off(repository: GitRepository) -> dict[str, str]:
    """Variables that empty every filter the repository's own configuration declares: comparing a file would run it."""
    try:
        raw = repository.run("config", "--show-scope", "--name-only", "-z", "--get-regexp", r"^filter\.")
    except GitError:
        return {}
    fields = raw.decode("utf-8", "surrogateescape").split("\0")
    drivers = {
        name.rpartition(".")[0]
        for scope, name in zip(fields[::2], fields[1::2], strict=False)
        if scope in _LOCAL_SCOPES
    }
    settings = [(f"{d}.{key}", value) for d in sorted(drivers) for key, value in _NO_FILTER]
    before = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    out = {"GIT_CONFIG_COUNT": str(before + len(settings))}
    for number, (key, value) in enumerate(settings, start=before):
        out |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return out


_NO_FILTER = (("clean", ""), ("process", ""), ("required", "false"))


def _status_path(field: str) -> tuple[str | None, str]:
    """(``gone``, ``changed`` or None, path) of one field of porcelain v2."""
    match field[:2]:
        case "1 ":
            path = field.split(" ", 8)[8]
            gone = field[3] == "D" or (field[2] == "D" and field[3] != "A")
            return ("gone" if gone else "changed"), path
        case "u ":
            return "changed", field.split(" ", 10)[10]
        case "? ":
            return "changed", field[2:]
    return None, ""
