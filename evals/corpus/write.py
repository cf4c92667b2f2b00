"""Puts a corpus on disk as git repositories, one commit for each artifact, each at its planted date.

Specification: "The corpus". The commits are piped through ``git fast-import``: one process instead of a hundred.
Nothing of the caller's git reaches them, so the commit ids are the same on every machine.
"""

from __future__ import annotations

import os
import subprocess
from datetime import datetime
from itertools import groupby
from pathlib import Path

from .corpus import Corpus
from .gitids import signature
from .material import Person

BRANCH = "main"
# Each ``-c`` outranks every configuration file. The attributes file is named too, since it may ask for other line ends.
SETTINGS = (
    "core.autocrlf=false",
    "core.eol=lf",
    "core.safecrlf=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "commit.gpgsign=false",
    "gc.auto=0",
    "maintenance.auto=false",
)


def write(corpus: Corpus, root: Path) -> None:
    """Make ``root`` (absent or an empty folder) the corpus's git repository, checked out, with ``code/`` in it.

    A folder that holds anything is refused with ``FileExistsError`` and left as it is.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise FileExistsError(f"{root} is not an empty folder; a corpus is written into a new one")
    stream: list[bytes] = []
    for message, group in groupby(corpus.files, key=lambda file: file.message):
        files = list(group)
        contents = [(file.path, file.data) for file in files]
        stream.append(_commit(files[0].author, files[0].date, message, contents))
    _import(root, stream)
    if corpus.commits:
        history = [
            _commit(c.author, c.date, c.message, [(path, text.encode()) for path, text in c.files])
            for c in corpus.commits
        ]
        _import(root / "code", history)


def withdraw(corpus: Corpus, root: Path) -> None:
    """Delete the withdrawn note's file in one commit at its planted date, touching nothing else in ``root``.

    Whatever else is changed or staged there stays as it is. A corpus that withdraws nothing raises ``ValueError``.
    """
    gone = corpus.withdrawal
    if gone is None:
        raise ValueError(f"the {corpus.size} corpus withdraws nothing")
    moment = f"{int(gone.date.timestamp())} +0000"
    who = {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", gone.author.name), ("EMAIL", gone.author.email), ("DATE", moment))
    }
    git(root, "rm", "--quiet", "--", gone.path)
    git(root, "commit", "--quiet", "--no-verify", "--message", gone.message, "--", gone.path, extra=who)


def git(root: Path, *arguments: str, stdin: bytes = b"", extra: dict[str, str] | None = None) -> bytes:
    """Run git in ``root`` with nothing of the caller's configuration, and hand back what it printed.

    A git that fails raises ``RuntimeError`` with what it said.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    fixed = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "TZ": "UTC",
        "LC_ALL": "C",
    }
    command = ["git", *(part for setting in SETTINGS for part in ("-c", setting)), *arguments]
    done = subprocess.run(
        command, cwd=root, input=stdin, env=kept | fixed | (extra or {}), capture_output=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"git {arguments[0]} failed in {root}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def _import(root: Path, commits: list[bytes]) -> None:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "--quiet", "--template=", "--object-format=sha1", f"--initial-branch={BRANCH}")
    git(root, "fast-import", "--quiet", "--done", stdin=b"".join(commits) + b"done\n")
    git(root, "reset", "--quiet", "--hard")


def _commit(author: Person, date: datetime, message: str, files: list[tuple[str, bytes]]) -> bytes:
    """One commit of a fast-import stream. Files that are not named stay as the commit before left them."""
    who = signature(author, date)
    head = f"commit refs/heads/{BRANCH}\nauthor {who}\ncommitter {who}\n".encode()
    return (
        head + _data(message.encode()) + b"".join(f"M 100644 inline {path}\n".encode() + _data(d) for path, d in files)
    )


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)
