"""One file's bytes off the disk, or the finding that says why not: no link followed, no pipe waited on."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from graphapi.domain.artifact import Finding

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def read_bytes(root: Path, real_root: str, path: str, max_bytes: int) -> bytes | Finding:
    """The bytes of ``path`` beneath ``root``. Raises nothing for one bad file."""
    full = root / path
    if link := link_problem(full, real_root, path):
        return link
    try:
        handle = os.open(full, _FLAGS)
        with os.fdopen(handle, "rb") as file:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode):
                return Finding("not-a-file", "error", "is a pipe, a socket or a device; not read", path)
            if info.st_size > max_bytes:
                return _too_large(path, info.st_size, max_bytes)
            return file.read()
    except OSError as error:
        return Finding("unreadable", "error", f"cannot be read: {error.strerror}", path)


def link_problem(full: Path, real_root: str, path: str) -> Finding | None:
    """What is to be said of a path that is, or leads through, a symbolic link."""
    if os.path.commonpath((real_root, os.path.realpath(full))) != real_root:
        return Finding("symlink-outside", "warning", "a link leads out of the project's root; not followed", path)
    if full.is_symlink():
        return Finding("symlink", "note", "a link to what is in this project, and is read where it stands", path)
    return None


def _too_large(path: str, size: int, limit: int) -> Finding:
    text = f"{size / 1048576:.1f} MiB, over the limit of {limit / 1048576:g}; not read"
    return Finding("file-too-large", "warning", text, path, fix="split it, or raise REVETLY_MAX_FILE_MIB")


def content_hash(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
