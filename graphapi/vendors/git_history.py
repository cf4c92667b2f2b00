"""When each file of a repository was added and last touched, and what deleted it: one ``git log``, never one a file.

Times are committer times in seconds: the clock ``git log --since`` reads, so that a floor and a date agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graphapi.vendors.git import GitRepository


@dataclass(slots=True)
class Touched:
    """What one path's commits say. None where the history that would say it is not there (a shallow clone)."""

    created: int | None = None
    updated: int | None = None
    added_in_range: bool = False


@dataclass(frozen=True, slots=True)
class Deletion:
    sha: str
    at: int


@dataclass(slots=True)
class FileHistory:
    """``files``: every path touched. ``deletions``: the last commit that removed a path, whether or not it is back.

    ``renamed_from``: a path of today to the name it had before ``since``. ``whole``: read from the first commit.
    """

    whole: bool
    files: dict[str, Touched] = field(default_factory=dict)
    deletions: dict[str, Deletion] = field(default_factory=dict)
    renamed_from: dict[str, str] = field(default_factory=dict)


def read_history(repository: GitRepository, paths: Sequence[str], *, since: str | None = None) -> FileHistory:
    """The history of ``paths`` up to HEAD, after the commit ``since`` where one is named. Raises ``GitError``."""
    history = FileHistory(whole=since is None)
    if not paths or repository.head() is None:
        return history
    cut = repository.shallow_commits()
    # Today's name of a path as the walk goes back in time; a rename moves the entry to the older name.
    today: dict[str, str] = {}
    # Paths a rename led to: whatever stood there before was another file.
    taken: set[str] = set()
    for sha, at, status, path, older in _changes(repository, paths, since):
        if set(status) == {"D"}:
            history.deletions.setdefault(path, Deletion(sha, at))
            continue
        if path in taken and path not in today:
            continue
        name = today.get(path, path)
        if name in history.deletions and name not in history.files:
            continue  # the life of a file that is gone: its removal is all that is asked of it
        entry = history.files.setdefault(name, Touched())
        if sha in cut:
            entry.created = None
            continue
        if entry.updated is None:
            entry.updated = at
        if set(status) == {"A"}:
            entry.created, entry.added_in_range = at, True
        elif older is not None and older not in today:
            today.pop(path, None)
            today[older] = name
            taken.add(path)
            history.renamed_from[name] = older
    return history


def _changes(
    repository: GitRepository, paths: Sequence[str], since: str | None
) -> Iterator[tuple[str, int, str, str, str | None]]:
    """(commit, seconds, status, path, older path) of every change, newest first.

    Merges are asked for in combined form, which lists only what differs from every parent: a file that exists through
    a merge alone has a date, and a merged branch's files keep their own.
    """
    exclude = [f"^{since}"] if since else []
    # git's own --relative leaves combined entries whole, so the folder's prefix is taken off here.
    prefix = repository.prefix()
    # Telling a rename by likeness needs the old content, which a partial clone may not have.
    renames = "-M100%" if repository.is_partial() else "-M"
    fields = repository.fields(
        "log", "-z", "--name-status", renames, "--diff-merges=combined", "--format=%x01%H %ct", "HEAD",
        *exclude, "--", *paths,
    )  # fmt: skip
    sha, at = "", 0
    for token in fields:
        status = token.lstrip("\n")
        if not status:
            continue
        if status[0] == "\x01":
            sha, stamp = status[1:].split(" ")
            at = int(stamp)
        elif status[0] in "RC" and len(status) > 1 and status[1:].isdigit():
            older, path = next(fields).removeprefix(prefix), next(fields).removeprefix(prefix)
            if status[0] == "R":
                yield sha, at, "D", older, None
            yield sha, at, "R" if status[0] == "R" else "A", path, older if status[0] == "R" else None
        else:
            yield sha, at, status, next(fields).removeprefix(prefix), None
