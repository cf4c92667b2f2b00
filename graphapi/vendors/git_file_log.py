"""The commits that touched one file, under whatever names it had: ``git log --follow``, run when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from graphapi.vendors.git import GitRepository

# A read waits this long for one repository's history of one file.
SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class FileCommit:
    """``committed_at`` in seconds, as the other git readings have it."""

    sha: str
    committed_at: int
    message: str


def file_log(repository: GitRepository, path: str, *, seconds: float = SECONDS) -> list[FileCommit]:
    """The commits up to HEAD that touched ``path``, oldest first; none where the repository never had it.

    ``path`` is relative to the repository's root and taken as it is written, never as a pattern. Raises ``GitError``,
    also where git is not done within ``seconds``.
    """
    if repository.head() is None:
        return []
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
    return found[::-1]
