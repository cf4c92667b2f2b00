"""A whole corpus as one value, built from a seed and a size and from nothing else.

Specification: "The corpus". ``build`` reads no file, clock, locale or network, so the same two arguments always give
the same value; ``write`` (in ``write.py``) puts it on disk.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from .answers import gold_of
from .gold import Gold, stamp
from .layout import Asked, Base, CodeCommit, Entry, EntryKind, Withdrawal
from .material import CREW, Person, Size
from .paths import path_of
from .plan import FIRST_DAY, plan
from .plan_asked import plan_asked
from .render import body, frontmatter

SETUP_DATE = FIRST_DAY - timedelta(days=1)


@dataclass(frozen=True)
class CorpusFile:
    """One file of the tree and the commit that adds it.

    Settings files share the first commit; each artifact has a commit of its own.
    """

    path: str
    text: str
    date: datetime
    kind: EntryKind | Literal["settings"]
    author: Person
    message: str
    artifact_id: str | None = None

    @property
    def data(self) -> bytes:
        """The file's bytes, UTF-8 with line feeds."""
        return self.text.encode()


@dataclass(frozen=True)
class Corpus:
    """The corpus of a seed and a size: files in the order of their commits, code history, withdrawal and gold."""

    seed: int
    size: Size
    files: tuple[CorpusFile, ...]
    commits: tuple[CodeCommit, ...]
    withdrawal: Withdrawal | None
    gold: Gold

    @property
    def settings(self) -> tuple[CorpusFile, ...]:
        """The files that declare the project: they are in the first commit and are no artifacts."""
        return tuple(file for file in self.files if file.kind == "settings")

    @property
    def artifacts(self) -> tuple[CorpusFile, ...]:
        """The artifact files, oldest first."""
        return tuple(file for file in self.files if file.kind != "settings")

    @property
    def digest(self) -> str:
        """The gold digest: SHA-256 in hex over the canonical gold, every file's bytes and all that the commits say."""
        outer = [[f.path, f.text, stamp(f.date), f.author.email, f.author.name, f.message] for f in self.files]
        code = [
            [c.sha, stamp(c.date), c.author.email, c.message, [list(file) for file in c.files]] for c in self.commits
        ]
        gone = self.withdrawal
        last = [gone.path, stamp(gone.date), gone.author.email, gone.message] if gone else []
        parts = [self.gold.as_json(), outer, code, last]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def build(seed: int, size: Size) -> Corpus:
    """The corpus of ``seed`` at ``size`` ("full" or "small"). Only the full one has question material."""
    if size not in ("full", "small"):
        raise ValueError(f"size is {size!r}; a corpus is full or small")
    base = plan(seed, size)
    return assemble(base, plan_asked(base) if size == "full" else None)


def assemble(base: Base, asked: Asked | None) -> Corpus:
    """Join the halves of a plan into a corpus. Without ``asked`` it has no question, no code and no withdrawal."""
    entries = base.entries + (asked.entries if asked else ())
    return Corpus(
        seed=base.seed,
        size=base.size,
        files=(*_settings(with_code=asked is not None), *(_file(entry) for entry in entries)),
        commits=asked.commits if asked else (),
        withdrawal=asked.withdrawal if asked else None,
        gold=gold_of(base, asked),
    )


def _file(entry: Entry) -> CorpusFile:
    return CorpusFile(
        path=path_of(entry),
        text=frontmatter(entry) + body(entry),
        date=entry.date,
        kind=entry.kind,
        author=entry.author,
        message=f"Add {entry.id}\n",
        artifact_id=entry.id,
    )


SETTINGS = """\
# The Harbourmaster corpus: a fictional product, generated from a seed. Every sentence in it is made up.
[llm]
provider = "none"

[embedding]
provider = "none"

[backlog]
path = "backlog"
families = ["EPIC", "FEAT", "STORY"]
parents = { feature = ["epic"], story = ["feature", "epic"] }

[connectors.notes]
paths = ["conversations", "decisions"]

[connectors.deliveries]
paths = ["deliveries"]
"""
CODE_SETTINGS = f"""
[connectors.commits]
repositories = ["code"]
since = "{SETUP_DATE.date().isoformat()}"
"""


def _settings(*, with_code: bool) -> tuple[CorpusFile, ...]:
    texts = {
        # ``code`` is a repository of its own and ``.revetly`` is the engine's: neither is the project's text.
        ".gitignore": "/.revetly/\n" + ("/code/\n" if with_code else ""),
        "revetly.toml": SETTINGS + (CODE_SETTINGS if with_code else ""),
    }
    return tuple(
        CorpusFile(path, text, SETUP_DATE, "settings", CREW[0], "Declare the project\n") for path, text in texts.items()
    )
