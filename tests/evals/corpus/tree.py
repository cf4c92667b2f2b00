"""Reads a written corpus back with nothing of the generator's: PyYAML for frontmatter, git for history."""

from __future__ import annotations

import hashlib
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from evals.corpus import Corpus

SEEDS = (7, 11, 13, 17, 19)
ID = re.compile(r"(?<![\w-])(?:EPIC|FEAT|STORY|CONV|DEC|DEL)-\d+(?![\w-])")
BACKLOG_ID = re.compile(r"(?:EPIC|FEAT|STORY)-\d+")
COMMIT_ID = re.compile(r"code@[0-9a-f]+")


@dataclass(frozen=True)
class Page:
    """One artifact file, split into what its frontmatter says and its body."""

    path: str
    meta: dict[str, Any]
    body: str

    @property
    def id(self) -> str:
        return str(self.meta["id"])


def page(path: str, text: str) -> Page:
    opening, meta, body = text.split("---\n", 2)
    assert opening == ""
    return Page(path, yaml.load(meta, Loader=yaml.CBaseLoader), body)


def pages(corpus: Corpus) -> list[Page]:
    return [page(file.path, file.data.decode()) for file in corpus.artifacts]


def pages_by_id(corpus: Corpus) -> dict[str, Page]:
    return {page.id: page for page in pages(corpus)}


def of_folder(corpus: Corpus, folder: str) -> list[Page]:
    return [page for page in pages(corpus) if page.path.startswith(f"{folder}/")]


def of_type(corpus: Corpus, type_: str) -> list[Page]:
    return [page for page in pages(corpus) if page.meta.get("type") == type_]


def flat(text: str) -> str:
    """Text with letter case and spacing taken out."""
    return " ".join(text.casefold().split())


def names_title(title: str, text: str) -> bool:
    """Whether a title stands whole in a text, letter case and spacing aside."""
    return re.search(rf"(?<!\w){re.escape(flat(title))}(?!\w)", flat(text)) is not None


def criteria(body: str) -> list[str]:
    """The list items under the heading of the acceptance criteria."""
    section = body.partition("## Acceptance criteria\n")[2]
    return [line[2:] for line in section.splitlines() if line.startswith("- ")]


def run_git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True, text=True)
    return done.stdout


def tree_digest(root: Path) -> str:
    """SHA-256 over every file of the working tree and the commit that each of its repositories stands at."""
    digest = hashlib.sha256()
    files = [f for f in root.rglob("*") if f.is_file() and ".git" not in f.relative_to(root).parts]
    for file in sorted(files, key=lambda f: f.relative_to(root).as_posix()):
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    for repository in (root, root / "code"):
        if (repository / ".git").exists():
            digest.update(run_git(repository, "rev-parse", "HEAD").encode())
    return digest.hexdigest()
