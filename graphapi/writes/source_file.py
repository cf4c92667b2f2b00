"""Changing one file of a project and committing it: whole or not at all, and nothing else rides along."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from filelock import FileLock, Timeout

from graphapi.domain.refusals import DirtyTarget, LockHeld, SettingRefused
from graphapi.models import Project
from graphapi.vendors.git import GitError, GitRepository
from graphapi.vendors.git_tree import list_tree

WAIT_SECONDS = 30


@contextmanager
def root_lock(project: Project) -> Iterator[None]:
    """One writer at a time on a project's root. Raises :class:`LockHeld` after waiting for ``WAIT_SECONDS``."""
    folder = Path(settings.HOME) / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{project.namespace}.write"
    holder = path.with_suffix(".writer")
    lock = FileLock(path, timeout=WAIT_SECONDS, is_singleton=False)
    try:
        lock.acquire()
    except Timeout:
        with suppress(OSError):
            raise LockHeld(f"{holder.read_text()} is writing to {project.name}", fix="try again in a moment") from None
        raise LockHeld(f"another process is writing to {project.name}", fix="try again in a moment") from None
    try:
        holder.write_text(f"process {os.getpid()}")
        yield
    finally:
        lock.release()


def refuse_dirty(repository: GitRepository, path: str) -> None:
    """Raise :class:`DirtyTarget` where ``path`` holds changes nobody committed: writing would commit them unseen."""
    files = list_tree(repository, [path]).files
    if any(f.path == path and f.blob is None for f in files):
        raise DirtyTarget(f"{path} holds changes that are not committed", fix="commit or undo them first")


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file's bytes: a reader sees the old ones or the new ones, and so does the disk after a crash."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    handle, temporary = tempfile.mkstemp(prefix=".revetly-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


_UNDER_WAY = {
    "MERGE_HEAD": "a merge", "CHERRY_PICK_HEAD": "a cherry-pick", "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase", "rebase-apply": "a rebase",
}  # fmt: skip


def refuse_busy(repository: GitRepository) -> None:
    """Raise :class:`SettingRefused` where a commit could not be made, or would become part of something else: git knows
    no user, stands on no branch, or is in the middle of a merge or the like."""
    for name, what in _UNDER_WAY.items():
        if (repository.root / _git_path(repository, name)).exists():
            raise SettingRefused(f"{repository.root} is in the middle of {what}", fix="end it first")
    try:
        repository.run("symbolic-ref", "--quiet", "HEAD")
    except GitError as error:
        raise SettingRefused(f"{repository.root} is on no branch", fix="check one out first") from error
    try:
        repository.run("var", "GIT_AUTHOR_IDENT")
        repository.run("var", "GIT_COMMITTER_IDENT")
    except GitError as error:
        raise SettingRefused(
            f"git knows no user to commit as: {error}", fix="set user.name and user.email in git's configuration"
        ) from error


def commit_path(repository: GitRepository, path: str, message: str) -> str:
    """Commit one path as the user git is configured for, hooks off and the index's other files left out. Returns the
    commit. Raises :class:`SettingRefused` where git will not; the index is then as it was."""
    try:
        if not repository.run("ls-files", "-z", "--", path):
            repository.run("add", "--", path)
        repository.run("commit", "--quiet", "--no-verify", "--no-gpg-sign", "--only", "-m", message, "--", path)
        return repository.head() or ""
    except GitError as error:
        raise SettingRefused(f"{path} could not be committed: {error}", fix="mend that, then run it again") from error


def _git_path(repository: GitRepository, name: str) -> str:
    return repository.run("rev-parse", "--git-path", name).decode("utf-8", "surrogateescape").rstrip("\n")
