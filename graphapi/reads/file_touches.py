"""A file's commits in the declared repositories, and the work each one names or delivered (004 section 2b, by path)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
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
    """Every commit to the file, oldest first, with the stories it names and delivered, and whose key each story is."""
    commits = sorted(((h.place, c) for h in held for c in h.log.commits), key=lambda pair: pair[1].committed_at)
    named = [(place, c, *_tokens(c.message)) for place, c in commits]
    delivered = _delivered(corpus, commits)
    wanted: dict[Key, None] = {}
    for place, commit, subject, body in named:
        for token in (*subject, *body, *delivered.get((place, commit.sha), ())):
            wanted |= dict.fromkeys(_readings(corpus, place, token))
    stories = _stories(corpus, wanted)
    names: dict[str, Key] = {}

    def resolved(place: int, tokens: Iterable[str]) -> frozenset[str]:
        found = {
            ranking_name(k): k
            for t in tokens
            if (k := next(filter(stories.__contains__, _readings(corpus, place, t)), None))
        }
        names.update(found)
        return frozenset(found)

    out = [
        Touch(
            commit.sha,
            as_text(datetime.fromtimestamp(commit.committed_at, UTC)) or "",
            resolved(place, subject),
            resolved(place, body),
            resolved(place, delivered.get((place, commit.sha), ())),
        )
        for place, commit, subject, body in named
    ]
    return out, names


def _tokens(message: str) -> tuple[list[str], list[str]]:
    subject, _, body = message[:MESSAGE_READ].lstrip("\r\n").partition("\n")
    return id_tokens(subject), id_tokens(body)


def _readings(corpus: Corpus, place: int, token: str) -> Iterator[Key]:
    """Whose id a token may be: the commit's own project's first."""
    yield Key(place, token)
    yield from (Key(other, token) for other in range(len(corpus.projects)) if other != place)


def ranking_name(key: Key) -> str:
    """An id for the ranking, which knows one project; another project's equal id is another story."""
    return key.artifact_id if key.place == 0 else f"{key.artifact_id}{_SEPARATOR}{key.place}"


def _stories(corpus: Corpus, wanted: Iterable[Key]) -> set[Key]:
    return {key for key, row in corpus.get(wanted, bodies=False).items() if row.kind == "pbi" and not row.deleted}


def _delivered(corpus: Corpus, commits: Iterable[tuple[int, FileCommit]]) -> dict[tuple[int, str], list[str]]:
    """By (place, commit), the ids of the stories that a delivery record naming the commit delivers."""
    by_head: dict[int, dict[str, list[str]]] = {}
    for place, commit in commits:
        by_head.setdefault(place, {}).setdefault(commit.sha[:_SHA_HEAD], []).append(commit.sha)
    out: dict[tuple[int, str], list[str]] = {}
    for place, heads in by_head.items():
        for shas, stories in _records(corpus.projects[place]):
            for written in shas:
                for sha in heads.get(written[:_SHA_HEAD], ()):
                    if sha.startswith(written) or written.startswith(sha):
                        out.setdefault((place, sha), []).extend(stories)
    return out


def _records(project: Project) -> Iterator[tuple[list[str], list[str]]]:
    """(commits, stories) of each delivery record that names commits. One query, whatever the number of commits."""
    rows = LedgerEntry.objects.filter(project=project, kind="delivery-record", deleted_at=None)
    for references in rows.values_list("references", flat=True).iterator():
        shas = [_sha(r) for r in references if r[1] == IMPLEMENTED_BY]
        if shas:
            yield [s for s in shas if len(s) >= _SHA_HEAD], [r[2] for r in references if r[1] == DELIVERS]


def _sha(reference: list[Any]) -> str:
    """A commit as a record writes it: bare, or as the artifact it is here (``app@0123456789ab``)."""
    return str(reference[2]).rpartition("@")[2].lower()
