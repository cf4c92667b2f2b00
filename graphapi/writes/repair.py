"""`revetly check --repair`: fold a work item's doubled criteria to its last list (004 section 2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from graphapi.domain.artifact import Finding
from graphapi.domain.criteria import Section, read_criteria
from graphapi.domain.dates import as_text
from graphapi.domain.frontmatter import BOM, BlockError, split
from graphapi.domain.refusals import Refusal
from graphapi.models import Project
from graphapi.vendors.git import GitError, GitRepository
from graphapi.writes.review_log import with_entry
from graphapi.writes.source_file import commit_path, refuse_busy, refuse_dirty, root_lock, write_atomically

_LINE = re.compile(r".*?(?:\r\n|\n|\r|\Z)", re.S)


@dataclass(frozen=True, slots=True)
class Repaired:
    """A file that was folded and committed, or the reason it was left as it was."""

    path: str
    commit: str | None = None
    left: Finding | None = None


def items_repair(project: Project, paths: Sequence[str]) -> list[Repaired]:
    """Fold each of these work items, one commit a file, under the project's write lock."""
    out: list[Repaired] = []
    repository = GitRepository(project.root_path)
    with root_lock(project):
        for path in paths:
            try:
                out.append(_repair(project, repository, path))
            except (Refusal, BlockError, OSError, GitError) as error:
                text = error.detail if isinstance(error, Refusal) else str(error)
                out.append(Repaired(path, left=Finding("not-repaired", "error", text, path)))
    return out


def _repair(project: Project, repository: GitRepository, path: str) -> Repaired:
    refuse_busy(repository)
    refuse_dirty(repository, path)
    file = project.root_path / path
    raw = file.read_bytes()
    folded = folded_text(raw.decode("utf-8"), when=datetime.now(UTC), by=_git_user(repository)).encode("utf-8")
    if folded == raw:
        return Repaired(path)
    write_atomically(file, folded)
    try:
        return Repaired(path, commit_path(repository, path, f"Fold the doubled acceptance criteria of {file.stem}"))
    except Refusal:
        write_atomically(file, raw)
        raise


def _git_user(repository: GitRepository) -> dict[str, str]:
    """The person git is configured for: whoever runs the command."""
    out = {}
    for key, setting in (("name", "user.name"), ("email", "user.email")):
        try:
            value = repository.run("config", "--get", setting).decode("utf-8", "replace").strip()
        except GitError:
            continue
        out[key] = value
    return {"sub": out.get("email") or out.get("name") or "local", **out}


def folded_text(text: str, *, when: datetime, by: dict[str, str]) -> str:
    """The file with one criteria section, the last, and an ``amended`` entry on its ``review_log``.

    No other line moves; line endings and a byte order mark stay. A file without a doubled list comes back as it is.
    """
    parts = split(text)
    sections = read_criteria(parts.body).sections
    if len(sections) < 2 or parts.block is None:
        return text
    lines = _LINE.findall(parts.body)
    dropped = {n for section in sections[:-1] for n in _list_lines(section, lines)}
    body = "".join(line for n, line in enumerate(lines) if n not in dropped)
    entry: dict[str, object] = {
        "at": as_text(when) or "",
        "action": "amended",
        "by": by,
        "reason": "one list of acceptance criteria kept, the last",
    }
    newline = parts.opening.lstrip("- \t")
    block = with_entry(parts.block, entry, newline)
    return (BOM if parts.bom else "") + parts.opening + block + parts.closing + body


def _list_lines(section: Section, lines: list[str]) -> set[int]:
    """The lines that go: heading, list, and the blank lines after either. Prose of the section stays where it is."""
    gone = {section.heading, *section.lines}
    for number in range(section.heading, section.end):
        if number - 1 in gone and not lines[number].strip():
            gone.add(number)
    return gone
