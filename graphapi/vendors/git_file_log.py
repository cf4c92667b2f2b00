"""The commits that touched one file, under whatever names it had: ``git log --follow``, run when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphapi.vendors.git import GitError, GitRepository

# A read waits this long for one repository's history of one file.
SECONDS = 10.0
_UNBORN = "does not have any commits yet"


@dataclass(frozen=True, slots=True)
class FileCommit:
    """``committed_at`` in seconds, as the other git readings have it."""

    sha: str
    committed_at: int
    message: str


@dataclass(frozen=True, slots=True)
class FileLog:
    """``commits`` oldest first. ``cut_at``, in seconds: where a shallow clone ends the file's history, whatever it had
    before; None where all of it is there. Neither where the repository never had the file."""

    commits: tuple[FileCommit, ...] = ()
    cut_at: int | None = None

    def __bool__(self) -> bool:
        return bool(self.commits) or self.cut_at is not None


def file_log(repository: GitRepository, path: str, *, seconds: float = SECONDS) -> FileLog:
    """The commits up to HEAD that touched ``path``, less those a shallow clone was cut at: they seem to add every file.

    ``path`` is relative to the repository's root and taken as it is written, never as a pattern. Raises ``GitError``,
    also where HEAD is broken or git is not done within ``seconds``.
    """
    if repository.head() is None and _is_new(repository):
        return FileLog()
    # Telling a rename by likeness needs the old content, which a partial clone may not have.
    likeness = "-M100%" if repository.is_partial() else "-M"
    output = repository.run(
        "log", "-z", "--follow", likeness, "--format=%H%x1f%ct%x1f%B", "HEAD", "--", path, seconds=seconds
    )
    found = []
    for field in output.decode("utf-8", "surrogateescape").split("\0"):
        if field.strip():
            sha, at, message = field.split("\x1f", 2)
            found.append(FileCommit(sha.strip(), int(at), message))
    cut = _cut(repository, found)
    commits = tuple(commit for commit in reversed(found) if commit.sha not in cut)
    return FileLog(commits, max((c.committed_at for c in found if c.sha in cut), default=None))


def _is_new(repository: GitRepository) -> bool:
    """Whether nothing was ever committed. Raises ``GitError`` where there is a history and HEAD does not lead to it."""
    try:
        repository.run("log", "-1", "--format=%H")
    except GitError as error:
        if _UNBORN in str(error) and not repository.run("for-each-ref", "--count=1").strip():
            return True
        raise
    return False


def _cut(repository: GitRepository, found: Sequence[FileCommit]) -> set[str]:
    """Those of ``found`` whose parents a shallow clone left out; a first commit has none to leave out."""
    shallow = repository.shallow_commits() if found else frozenset()
    asked = [commit.sha for commit in found if commit.sha in shallow]
    if not asked:
        return set()
    rest = repository.run("cat-file", "--batch", stdin="".join(f"{sha}\n" for sha in asked).encode())
    out = set()
    while rest:
        head, _, rest = rest.partition(b"\n")
        sha, _, size = head.decode("ascii").split(" ")
        # git's own log hides the parents of these; the commit as it is kept still names them.
        if b"\nparent " in rest[: int(size)].partition(b"\n\n")[0]:
            out.add(sha)
        rest = rest[int(size) + 1 :]
    return out
