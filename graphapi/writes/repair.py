"""`revetly check --repair`: fold a work item's doubled criteria to its last list (004 section 2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedSeq

from graphapi.domain.artifact import Finding
from graphapi.domain.criteria import Section, read_criteria
from graphapi.domain.dates import as_text
from graphapi.domain.frontmatter import BOM, BlockError, split
from graphapi.domain.refusals import Refusal
from graphapi.models import Project
from graphapi.vendors.git import GitError, GitRepository
from graphapi.writes.source_file import commit_path, refuse_dirty, root_lock, write_atomically

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
    refuse_dirty(repository, path)
    file = project.root_path / path
    text = file.read_bytes().decode("utf-8")
    folded = folded_text(text, when=datetime.now(UTC), by=_git_user(repository))
    if folded == text:
        return Repaired(path)
    write_atomically(file, folded.encode("utf-8"))
    return Repaired(path, commit_path(repository, path, f"Fold the doubled acceptance criteria of {file.stem}"))


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
    head = text[: len(text) - len(parts.body)]
    entry: dict[str, object] = {
        "at": as_text(when),
        "action": "amended",
        "by": by,
        "reason": "one list of acceptance criteria kept, the last",
    }
    return _logged(head, parts.block, entry) + body


def _list_lines(section: Section, lines: list[str]) -> set[int]:
    """The lines that go: heading, list, and the blank lines after either. Prose of the section stays where it is."""
    gone = {section.heading, *section.lines}
    for number in range(section.heading, section.end):
        if number - 1 in gone and not lines[number].strip():
            gone.add(number)
    return gone


def _logged(head: str, block: str, entry: dict[str, object]) -> str:
    """``head`` (mark, fence, block, fence) with the entry at the end of ``review_log``; every other line untouched."""
    newline = "\r\n" if "\r\n" in head else "\n"
    start = head.index(block, len(BOM) if head.startswith(BOM) else 0)
    end = start + len(block)
    existing = YAML().load(block.replace("\r\n", "\n"))
    log = existing.get("review_log") if existing else None
    if isinstance(log, CommentedSeq) and log:
        at, indent = _end_of_log(block, log)
        return head[: start + at] + _rendered(entry, indent, newline) + head[start + at :]
    if log is not None or (existing is not None and "review_log" in existing):
        raise BlockError("review-log", "review_log is not a list of entries; mend it first", 1)
    return head[:end] + f"review_log:{newline}" + _rendered(entry, "", newline) + head[end:]


def _end_of_log(block: str, log: CommentedSeq) -> tuple[int, str]:
    """Where the list ends in the block, and how its dashes are indented. Flow style (``[...]``) is refused."""
    if log.fa.flow_style():
        raise BlockError("review-log", "review_log is written on one line; spread it over lines first", 1)
    lines = _LINE.findall(block)
    first_line, dash_column = log.lc.line, log.lc.col
    indent = " " * dash_column
    end = first_line
    for number in range(first_line, len(lines)):
        line = lines[number]
        if not line.strip():
            continue
        if line.startswith((indent + "- ", indent + " ")) or line.strip() == indent.strip() + "-":
            end = number + 1
        else:
            break
    return sum(len(line) for line in lines[:end]), indent


def _rendered(entry: dict[str, object], indent: str, newline: str) -> str:
    out = StringIO()
    yaml = YAML()
    yaml.default_flow_style = False
    yaml.indent(mapping=2, sequence=2, offset=0)
    yaml.dump([entry], out)
    return "".join(f"{indent}{line}{newline}" for line in out.getvalue().splitlines())
