"""The ``git`` program: one process client, NUL-separated output, nothing of the caller's environment obeyed."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

# A repository's own configuration may name programs to run (a file monitor, hooks, an external diff). Reading one must
# run none of them, and must not take a lock that a person's own git then trips over.
_ARGUMENTS = (
    "git", "--literal-pathspecs", "--no-optional-locks",
    "-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
    "-c", "log.showSignature=false", "-c", "diff.external=", "-c", "core.untrackedCache=false",
    "-c", "gc.auto=0", "-c", "maintenance.auto=false",
)  # fmt: skip
_REMOTE = re.compile(
    r"\A(?:https?://(?:[^@/]*@)?|ssh://(?:[^@/]*@)?|git@)(?P<host>[^/:]+)(?::\d+)?[:/](?P<path>.+?)(?:\.git)?/?\Z"
)


class GitError(Exception):
    """git could not answer. ``permanent``: asking again changes nothing until somebody changes the repository."""

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        super().__init__(message)
        self.permanent = permanent


@dataclass(frozen=True, slots=True)
class GitCommit:
    sha: str
    committed_at: int
    author_name: str
    author_email: str
    message: str


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k.startswith("GIT_CONFIG_")}
    # No protocol is allowed: a partial clone would otherwise fetch what it lacks, by programs its configuration names.
    return {**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "none", "TZ": "UTC"}


class GitRepository:
    """A working tree, or a folder within one; every path in and out is relative to ``root``, as git bytes decoded with
    surrogate escapes. Every call may raise :class:`GitError`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(
        self, *arguments: str, env: Mapping[str, str] | None = None, stdin: bytes | None = None,
        seconds: float | None = None,
    ) -> bytes:  # fmt: skip
        try:
            done = subprocess.run(
                [*_ARGUMENTS, *arguments], cwd=self.root, capture_output=True, check=False, input=stdin,
                env={**_environment(), **(env or {})}, timeout=seconds,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise GitError(f"git {arguments[0]} took over {seconds:g} seconds in {self.root}") from None
        except (FileNotFoundError, NotADirectoryError) as error:
            missing = "the git program is not installed" if self.root.is_dir() else f"{self.root} does not exist"
            raise GitError(missing, permanent=True) from error
        except OSError as error:
            raise GitError(f"git cannot be run in {self.root}: {error.strerror}", permanent=True) from error
        if done.returncode:
            raise _named(done.stderr, arguments[0], self.root)
        return done.stdout

    @contextmanager
    def _stream(self, *arguments: str) -> Iterator[IO[bytes]]:
        process = subprocess.Popen(
            [*_ARGUMENTS, *arguments], cwd=self.root, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None and process.stderr is not None
        try:
            yield process.stdout
            process.stdout.close()
            errors = process.stderr.read()
            if process.wait():
                raise _named(errors, arguments[0], self.root)
        finally:
            process.kill()
            process.stdout.close()
            process.stderr.close()
            process.wait()

    def fields(self, *arguments: str) -> Iterator[str]:
        """The NUL-separated fields of a call's output, streamed."""
        rest = b""
        with self._stream(*arguments) as output:
            while chunk := output.read(1 << 16):
                *whole, rest = (rest + chunk).split(b"\0")
                for field in whole:
                    yield field.decode("utf-8", "surrogateescape")
        if rest.strip():
            yield rest.decode("utf-8", "surrogateescape")

    def _line(self, *arguments: str) -> str:
        return self.run(*arguments).decode("utf-8", "surrogateescape").strip()

    def is_working_tree(self) -> bool:
        try:
            return self._line("rev-parse", "--is-inside-work-tree") == "true"
        except GitError as error:
            if "not a git repository" in str(error) or not self.root.is_dir():
                return False
            raise

    def head(self) -> str | None:
        """The commit HEAD names; None in a repository without one."""
        try:
            return self._line("rev-parse", "--verify", "--quiet", "HEAD^{commit}") or None
        except GitError:
            if self.is_working_tree():
                return None
            raise

    def prefix(self) -> str:
        return self.run("rev-parse", "--show-prefix").decode("utf-8", "surrogateescape").rstrip("\n")

    def shallow_commits(self) -> frozenset[str]:
        """The commits a shallow clone was cut at; empty for a whole one."""
        path = self.root / self._line("rev-parse", "--git-path", "shallow")
        try:
            return frozenset(path.read_text("ascii").split())
        except FileNotFoundError:
            return frozenset()

    def is_partial(self) -> bool:
        """Whether this is a partial clone, which may lack what older files held."""
        try:
            return bool(self.run("config", "--get-regexp", r"^(remote\..*\.promisor|extensions\.partialclone)$"))
        except GitError:
            return False

    def is_ancestor(self, older: str, newer: str) -> bool:
        try:
            self.run("merge-base", "--is-ancestor", older, newer)
        except GitError:
            return False
        return True

    def remote_web_url(self) -> str | None:
        """The web address of ``origin`` where it has one, without credentials."""
        try:
            found = _REMOTE.match(self._line("config", "--get", "remote.origin.url"))
        except GitError:
            return None
        return f"https://{found['host']}/{found['path']}" if found else None

    def commits(
        self, *, since: int | None = None, until: int | None = None, not_in: str | None = None
    ) -> Iterator[GitCommit]:
        """Commits reachable from HEAD, newest first, committed in [since, until) (seconds), streamed."""
        if self.head() is None:
            return
        bounds = [f"--since=@{max(since - 1, 0)} +0000"] if since is not None else []
        exclude = [f"^{not_in}"] if not_in else []
        fields = self.fields("log", "-z", "--format=%H%x1f%ct%x1f%an%x1f%ae%x1f%B", *bounds, "HEAD", *exclude, "--")
        for field in fields:
            sha, stamp, name, email, message = field.split("\x1f", 4)
            at = int(stamp)
            if (since is None or at >= since) and (until is None or at < until):
                yield GitCommit(sha, at, name, email, message)


def _named(stderr: bytes, command: str, root: Path) -> GitError:
    text = stderr.decode("utf-8", "replace").strip()
    if "dubious ownership" in text:
        return GitError(
            f"{root} belongs to another user and git refuses it; run: git config --global --add safe.directory {root}",
            permanent=True,
        )
    if "not a git repository" in text:
        return GitError(f"{root} is not a git repository", permanent=True)
    first = text.splitlines()[0].removeprefix("fatal: ") if text else "it ended without a word"
    return GitError(f"git {command} failed in {root}: {first}")
