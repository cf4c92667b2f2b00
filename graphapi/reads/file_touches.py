"""A file's commits in the declared repositories, and the work each one names or delivered (004 section 2b, by path)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphapi.domain.dates import as_text
from graphapi.domain.ids import id_tokens
from graphapi.domain.links import DELIVERS, IMPLEMENTED_BY
from graphapi.models import LedgerEntry, Project
from graphapi.ranking.file_stories import Touch
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.declared import declared
from graphapi.vendors.git import GitError, GitRepository
from graphapi.vendors.git_file_log import FileCommit, FileLog, file_log

# A message names its work in its beginning; what a merge tool pastes below it is no reason to wait.
MESSAGE_READ = 20_000
_SHA_HEAD = 7
_SEPARATOR = "\x1f"
# An id as a project's source writes it: (the project's place, the id), which another project may be the one to have.
Written = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Held:
    """One repository that had the file: as ``file`` there, with its commits and where a shallow clone cuts them."""

    place: int
    repository: str
    file: str
    log: FileLog


@dataclass(slots=True)
class FileHistory:
    """``declared``: whether any project that is read declares a repository. ``unread``: those git gave nothing for."""

    declared: bool = False
    held: list[Held] = field(default_factory=list)
    unread: list[dict[str, str]] = field(default_factory=list)


def file_history(corpus: Corpus, path: str) -> FileHistory:
    """Ask every declared repository of every project read for ``path``. Nothing is stored."""
    out = FileHistory()
    for place, project in enumerate(corpus.projects):
        for name, declared_path in _repositories(project).items():
            out.declared = True
            try:
                found = _asked(project, name, declared_path, path)
            except (GitError, OSError) as error:
                out.unread.append({"repository": name, **corpus.label(Key(place, "")), "why": str(error)})
                continue
            if found is not None:
                out.held.append(Held(place, name, *found))
    return out


def _repositories(project: Project) -> Mapping[str, str]:
    commits = declared(project).connectors.commits
    return commits.repositories if commits is not None else {}


def _asked(project: Project, name: str, declared_path: str, path: str) -> tuple[str, FileLog] | None:
    repository = GitRepository((project.root_path / declared_path).resolve())
    for file in written_forms(path, name, declared_path, project.root_path):
        if log := file_log(repository, file):
            return file, log
    return None


def written_forms(path: str, name: str, declared_path: str, root: Path) -> list[str]:
    """The paths within one repository that ``path`` may mean: from its root as written, then with its name, its
    declared path or its place on this machine taken off. None leads out of the repository."""
    whole = posixpath.normpath(path)
    prefixes = (name, posixpath.normpath(declared_path), posixpath.normpath(f"{root}/{declared_path}"))
    forms = [whole, *(whole[len(p) + 1 :] for p in dict.fromkeys(prefixes) if whole.startswith(f"{p}/"))]
    return [f for f in dict.fromkeys(forms) if f not in ("", ".") and not f.startswith("/") and f.split("/")[0] != ".."]


def touches(corpus: Corpus, held: Iterable[Held]) -> tuple[list[Touch], dict[str, Key]]:
    """Every commit to the file, oldest first, with the stories it names and delivered, and whose key each story is.

    A commit that stands in two of the repositories is one, and the first of them says whose ids it writes.
    """
    written = [(commit, *_tokens(place, commit.message)) for place, commit in _once(held)]
    delivered = _delivered(corpus, [commit.sha for commit, _, _ in written])
    wanted: dict[Key, None] = {}
    for commit, subject, body in written:
        for place, token in (*subject, *body, *delivered.get(commit.sha, ())):
            wanted |= dict.fromkeys(_readings(corpus, place, token))
    stories = _stories(corpus, wanted)
    names: dict[str, Key] = {}

    def resolved(tokens: Iterable[Written]) -> frozenset[str]:
        found = {
            ranking_name(k): k
            for place, t in tokens
            if (k := next(filter(stories.__contains__, _readings(corpus, place, t)), None))
        }
        names.update(found)
        return frozenset(found)

    out = [
        Touch(
            commit.sha,
            as_text(datetime.fromtimestamp(commit.committed_at, UTC)) or "",
            resolved(subject),
            resolved(body),
            resolved(delivered.get(commit.sha, ())),
        )
        for commit, subject, body in written
    ]
    return out, names


def _once(held: Iterable[Held]) -> list[tuple[int, FileCommit]]:
    """(place, commit) of each commit, oldest first."""
    commits: dict[str, tuple[int, FileCommit]] = {}
    for repository in held:
        for commit in repository.log.commits:
            commits.setdefault(commit.sha, (repository.place, commit))
    return sorted(commits.values(), key=lambda pair: pair[1].committed_at)


def _tokens(place: int, message: str) -> tuple[list[Written], list[Written]]:
    subject, _, body = message[:MESSAGE_READ].lstrip("\r\n").partition("\n")
    return [(place, token) for token in id_tokens(subject)], [(place, token) for token in id_tokens(body)]


def _readings(corpus: Corpus, place: int, token: str) -> Iterator[Key]:
    """Whose id a token may be: the commit's own project's first."""
    yield Key(place, token)
    yield from (Key(other, token) for other in range(len(corpus.projects)) if other != place)


def ranking_name(key: Key) -> str:
    """An id for the ranking, which knows one project; another project's equal id is another story."""
    return key.artifact_id if key.place == 0 else f"{key.artifact_id}{_SEPARATOR}{key.place}"


def _stories(corpus: Corpus, wanted: Iterable[Key]) -> set[Key]:
    return {key for key, row in corpus.get(wanted, bodies=False).items() if row.kind == "pbi" and not row.deleted}


def _delivered(corpus: Corpus, commits: Iterable[str]) -> dict[str, list[Written]]:
    """By commit, the stories that the delivery records naming it deliver, as those write them."""
    by_head: dict[str, list[str]] = {}
    for sha in commits:
        by_head.setdefault(sha[:_SHA_HEAD], []).append(sha)
    out: dict[str, list[Written]] = {}
    for place, shas, stories in _records(corpus.projects) if by_head else ():
        for written in shas:
            for sha in by_head.get(written[:_SHA_HEAD], ()):
                if sha.startswith(written) or written.startswith(sha):
                    out.setdefault(sha, []).extend((place, story) for story in stories)
    return out


def _records(projects: Sequence[Project]) -> Iterator[tuple[int, list[str], list[str]]]:
    """(place, commits, stories) of each delivery record of ``projects`` that names commits: one query in all."""
    places = {project.pk: place for place, project in enumerate(projects)}
    rows = LedgerEntry.objects.filter(project__in=places, kind="delivery-record", deleted_at=None)
    for project, references in rows.values_list("project_id", "references").iterator():
        shas = [_sha(r) for r in references if r[1] == IMPLEMENTED_BY]
        if shas:
            yield (
                places[project],
                [s for s in shas if len(s) >= _SHA_HEAD],
                [r[2] for r in references if r[1] == DELIVERS],
            )


def _sha(reference: list[Any]) -> str:
    """A commit as a record writes it: bare, or as the artifact it is here (``app@0123456789ab``)."""
    return str(reference[2]).rpartition("@")[2].lower()
