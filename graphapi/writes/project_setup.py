"""`revetly init`: a Project row, and a revetly.toml written from what a working tree holds."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from graphapi.connectors.working_tree import NOTE_ENDINGS, claims_of
from graphapi.domain.ids import family_of
from graphapi.domain.project_config import FILE_NAME, ProjectConfig, parse_config, read_config
from graphapi.domain.refusals import BadArguments, NotAWorkingTree
from graphapi.models import Project
from graphapi.vendors.git import GitError, GitRepository
from graphapi.vendors.git_tree import list_tree
from graphapi.writes.source_file import write_atomically

_BACKLOG = ("backlog", "stories", "work-items", "docs/backlog")
_NOTES = (
    "conversations", "decisions", "docs/conversations", "docs/decisions", "docs/adr", "docs/adrs", "adr", "adrs",
    "doc/adr", "doc/decisions",
)  # fmt: skip
_DELIVERIES = ("deliveries", "docs/deliveries")
_DOCUMENTS = ("docs", "doc", "documentation")
_ID = re.compile(r"^id:[ \t]*[\"']?([^\s\"'#]+)", re.MULTILINE)
_STEM_ID = re.compile(r"\A([A-Za-z]\w*-\d+)")


@dataclass(frozen=True, slots=True)
class Setup:
    """``wrote`` is the path of the file made, None where one stood; ``declares`` names its sources."""

    project: Project
    created: bool
    wrote: str | None
    declares: list[str]


def project_init(path: Path, *, name: str | None = None) -> Setup:
    """Declare the working tree at ``path``. A revetly.toml that stands is read, held to be good, and left alone.

    Raises :class:`NotAWorkingTree`, ``SettingRefused`` (the standing file) and :class:`BadArguments` (the name).
    """
    root = Path(os.path.abspath(path.expanduser()))
    repository = GitRepository(root)
    try:
        inside = root.is_dir() and repository.is_working_tree()
    except GitError as error:
        raise NotAWorkingTree(str(error), fix="mend that, then run it again") from error
    if not inside:
        raise NotAWorkingTree(
            f"{root} is not a git working tree", fix="give a folder git knows, or run `git init` there"
        )
    file = root / FILE_NAME
    wrote = None
    # The name is settled first: a refusal writes nothing.
    standing, slug = _named(root, name)
    if file.exists():
        config = read_config(root)
    else:
        text = scaffold(repository)
        config = parse_config(text.encode(), file)
        write_atomically(file, text.encode())
        wrote = str(file)
    project = standing or Project.objects.create(name=slug, namespace=slug, root=str(root))
    return Setup(project, standing is None, wrote, _sources(config))


def _named(root: Path, name: str | None) -> tuple[Project | None, str]:
    """The project this tree is declared as already, or the name it is to have. Raises :class:`BadArguments`."""
    real = root.resolve()
    standing = next((p for p in Project.objects.order_by("pk") if Path(p.root).resolve() == real), None)
    if standing is not None and name in (None, standing.name):
        return standing, standing.name
    slug = name or re.sub(r"[^a-z0-9]+", "-", root.name.lower()).strip("-")[:63] or "project"
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}", slug):
        raise BadArguments(f"{slug!r} is no project name", fix="use lower-case letters, digits and dashes")
    if taken := Project.objects.filter(name=slug).first():
        raise BadArguments(f"{slug} is the project at {taken.root}", fix="give another name with --name")
    return None, slug


def _sources(config: ProjectConfig) -> list[str]:
    out = list(dict.fromkeys(source for source, _ in claims_of(config)))
    return out + ([f"commits of {', '.join(c.repositories)}"] if (c := config.connectors.commits) else [])


def scaffold(repository: GitRepository) -> str:
    """The text of a revetly.toml for what the tree holds: its folders by their usual names, families by their ids."""
    files = [f.path for f in list_tree(repository, ["."]).files if not (f.is_submodule or f.is_symlink)]
    notes = [p for p in files if p.lower().endswith(NOTE_ENDINGS)]
    folders = {str(parent) for p in notes for parent in PurePosixPath(p).parents}
    parts = ["# What Revetly reads of this project; docs/settings.md of Revetly lists every key.", "", *_PROVIDERS]
    if backlog := next((f for f in _BACKLOG if f in folders), None):
        families = _families(repository.root, [p for p in notes if p.startswith(backlog + "/")])
        parts += ["", "[backlog]", f"path = {_quoted(backlog)}"]
        parts += [f"families = [{', '.join(map(_quoted, families))}]"] if families else []
    for table, candidates in (("notes", _NOTES), ("deliveries", _DELIVERIES)):
        if found := [f for f in candidates if f in folders]:
            parts += ["", f"[connectors.{table}]", f"paths = [{', '.join(map(_quoted, found))}]"]
    claimed = {*_BACKLOG, *_NOTES, *_DELIVERIES}
    documents = [f for f in _DOCUMENTS if f in folders and f not in claimed]
    readme = [p for p in notes if p.lower() == "readme.md"]
    if documents or readme:
        parts += ["", "[connectors.documents]", f"paths = [{', '.join(map(_quoted, documents + readme))}]"]
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", repository.root.name)[:100].strip("-") or "code"
    parts += ["", "[connectors.commits]", f'repositories = {{ {_quoted(name)} = "." }}']
    return "\n".join(parts) + "\n"


_PROVIDERS = ("[llm]", 'provider = "none"', "", "[embedding]", 'provider = "none"')


def _quoted(text: str) -> str:
    """A TOML string. JSON's escapes are TOML's, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _families(root: Path, paths: list[str]) -> list[str]:
    """The families of the ids these files carry, the commonest first."""
    found: Counter[str] = Counter()
    for path in paths[:2000]:
        try:
            with (root / path).open("rb") as file:
                head = file.read(2048).decode("utf-8", "replace")
        except OSError:
            continue
        match = _ID.search(head) or _STEM_ID.match(PurePosixPath(path).name)
        if match and (family := family_of(match[1])):
            found[family] += 1
    return [family for family, _ in found.most_common(20)]
