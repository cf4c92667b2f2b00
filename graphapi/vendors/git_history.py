"""When each file of a repository was added, what touched it and what deleted it: one ``git log``, never one a file.

Times are committer times in seconds: the clock ``git log --since`` reads, so that a floor and a date agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graphapi.vendors.git import GitRepository


@dataclass(frozen=True, slots=True)
class Change:
    """A commit, as the change log of a file it touched shows it. ``subject`` is its message's first line."""

    sha: str
    at: int
    subject: str
    author: str


@dataclass(slots=True)
class Touched:
    """What one path's commits say. None where the history that would say it is not there (a shallow clone).

    ``changes`` are they, newest first, but for those that removed it; ``creation`` is the one that first added it.
    """

    created: int | None = None
    updated: int | None = None
    added_in_range: bool = False
    changes: list[Change] = field(default_factory=list)
    creation: Change | None = None

    def revisions(self) -> list[Change]:
        """The commits that changed the file once it was there, oldest first."""
        return [change for change in reversed(self.changes) if change is not self.creation]


@dataclass(frozen=True, slots=True)
class Deletion:
    sha: str
    at: int


@dataclass(slots=True)
class FileHistory:
    """``files``: every path touched. ``deletions``: the last commit that removed a path, whether or not it is back.

    ``renamed_from``: a path of today to the name it had before ``since``. ``whole``: read from the first commit.
    ``commits``: every commit that was walked.
    """

    whole: bool
    files: dict[str, Touched] = field(default_factory=dict)
    deletions: dict[str, Deletion] = field(default_factory=dict)
    renamed_from: dict[str, str] = field(default_factory=dict)
    commits: set[str] = field(default_factory=set)


def read_history(repository: GitRepository, paths: Sequence[str], *, since: str | None = None) -> FileHistory:
    """The history of ``paths`` up to HEAD, after the commit ``since`` where one is named. Raises ``GitError``."""
    history = FileHistory(whole=since is None)
    if not paths or repository.head() is None:
        return history
    cut = repository.shallow_commits()
    # The names of today of what stood at a path as the walk goes back in time: a rename moves them to the older path,
    # and leaves nobody at the newer one. Two names where two branches renamed one file.
    today: dict[str, tuple[str, ...]] = {}
    for change, status, path, older in _changes(repository, paths, since):
        sha = change.sha
        history.commits.add(sha)
        if set(status) == {"D"}:
            history.deletions.setdefault(path, Deletion(sha, change.at))
            continue
        names = today.get(path, (path,))
        # A file that is gone, or that today's name does not lead to, still keeps its past from whoever has its path.
        if older is not None and sha not in cut:
            branched = [n for n in today.get(older, ()) if n in history.files and not history.files[n].added_in_range]
            today[path] = ()
            today[older] = (*names, *(n for n in branched if n not in names))
        for name in names:
            if name in history.deletions and name not in history.files:
                continue  # the life of a file that is gone: its removal is all that is asked of it
            entry = history.files.setdefault(name, Touched())
            if sha in cut:
                entry.created, entry.creation = None, None
            else:
                _touch(entry, change, added=set(status) == {"A"})
                if older is not None:
                    history.renamed_from[name] = older
    return history


def _touch(entry: Touched, change: Change, *, added: bool) -> None:
    entry.changes.append(change)
    if entry.updated is None:
        entry.updated = change.at
    if added:
        entry.created, entry.creation, entry.added_in_range = change.at, change, True


def has_past(repository: GitRepository, paths: Sequence[str], commit: str) -> bool:
    """Whether anything up to ``commit`` touched one of ``paths``. Raises ``GitError``."""
    return bool(repository.run("log", "-1", "--full-history", "--format=%H", commit, "--", *paths).strip())


def _changes(
    repository: GitRepository, paths: Sequence[str], since: str | None
) -> Iterator[tuple[Change, str, str, str | None]]:
    """(commit, status, path, older path) of every change, newest first.

    Merges are asked for in combined form, which lists only what differs from every parent: a file that exists through
    a merge alone has a date, and a merged branch's files keep their own.
    """
    exclude = [f"^{since}"] if since else []
    # git's own --relative leaves combined entries whole, so the folder's prefix is taken off here.
    prefix = repository.prefix()
    # Telling a rename by likeness needs the old content, which a partial clone may not have.
    renames = "-M100%" if repository.is_partial() else "-M"
    fields = repository.fields(
        "log", "-z", "--name-status", renames, "--diff-merges=combined", "--encoding=UTF-8",
        "--format=%x01%H%n%ct%n%an%n%B", "HEAD", *exclude, "--", *paths,
    )  # fmt: skip
    commit = Change("", 0, "", "")
    for token in fields:
        status = token.lstrip("\n")
        if not status:
            continue
        if status[0] == "\x01":
            sha, stamp, author, message = status[1:].split("\n", 3)
            commit = Change(sha, int(stamp), message.strip("\r\n").split("\n", 1)[0].strip(), author)
        elif status[0] in "RC" and len(status) > 1 and status[1:].isdigit():
            older, path = next(fields).removeprefix(prefix), next(fields).removeprefix(prefix)
            if status[0] == "R":
                yield commit, "D", older, None
            yield commit, "R" if status[0] == "R" else "A", path, older if status[0] == "R" else None
        else:
            yield commit, status, next(fields).removeprefix(prefix), None
