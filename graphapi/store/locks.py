"""One pass at a time on one project, from any process: a file lock, or on PostgreSQL an advisory lock.

Both end with the process that holds them, so a killed pass leaves a free lock and a row that says running.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection, connections
from filelock import FileLock, Timeout

from graphapi.domain.refusals import PassRunning
from graphapi.models import IngestPass, Project

_ADVISORY_CLASS = 0x52564C


@contextmanager
def project_lock(project: Project) -> Iterator[None]:
    """Hold the project's lock for the block. Raises :class:`PassRunning` at once where another process holds it."""
    with _advisory(project) if connection.vendor == "postgresql" else _file(project):
        yield


def is_locked(project: Project) -> bool:
    """Whether a pass on the project runs now, in any process."""
    try:
        with project_lock(project):
            return False
    except PassRunning:
        return True


def lock_path(project: Project) -> Path:
    folder = Path(settings.HOME) / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{project.namespace}.lock"


@contextmanager
def watch_mark(project: Project) -> Iterator[None]:
    """Held while `revetly watch` follows a project. Raises :class:`PassRunning` where another process follows it."""
    lock = _new(lock_path(project).with_suffix(".watch"))
    try:
        lock.acquire()
    except Timeout:
        raise PassRunning(f"{project.name} is watched already", fix="stop the other `revetly watch` first") from None
    try:
        yield
    finally:
        lock.release()


def is_watched(project: Project) -> bool:
    """Whether `revetly watch` follows the project now, on this machine."""
    # Nobody ever followed a project that has no such file, and a question makes none.
    if not lock_path(project).with_suffix(".watch").exists():
        return False
    try:
        with watch_mark(project):
            return False
    except PassRunning:
        return True


def _new(path: Path) -> FileLock:
    # Not reentrant: two threads of one process are two passes.
    return FileLock(path, timeout=0, thread_local=False, is_singleton=False)


@contextmanager
def _file(project: Project) -> Iterator[None]:
    lock = _new(lock_path(project))
    try:
        lock.acquire()
    except Timeout:
        raise _running(project) from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _advisory(project: Project) -> Iterator[None]:
    # A connection of its own: the lock belongs to a session, and Django may renew the ordinary one at any time.
    own = connections.create_connection("default")
    try:
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [_ADVISORY_CLASS, project.pk])
            if not cursor.fetchone()[0]:
                raise _running(project)
        try:
            yield
        finally:
            # By name, not by closing alone: the server ends a session in its own time, and the next pass is sooner.
            with suppress(DatabaseError), own.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [_ADVISORY_CLASS, project.pk])
    finally:
        with suppress(DatabaseError):
            own.close()


def _running(project: Project) -> PassRunning:
    row = project.passes.filter(state=IngestPass.State.RUNNING).order_by("-id").first()
    who = f" ({row.handle}, {row.runner})" if row else ""
    return PassRunning(
        f"a pass on {project.name} is running{who}", fix="wait for it; `revetly status` shows when it has ended"
    )
