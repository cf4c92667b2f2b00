"""SQLite connections: one a thread, none shared across a fork, every fault of the file named as one of the store."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

from graphapi.store.port import StoreUnavailable

BUSY_SECONDS = 30.0

_UNAVAILABLE = {
    sqlite3.SQLITE_BUSY: "another process holds it for too long; try again",
    sqlite3.SQLITE_LOCKED: "another process holds it for too long; try again",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check the path and its rights",
    sqlite3.SQLITE_PERM: "access was refused; check its rights",
    sqlite3.SQLITE_READONLY: "it cannot be written; check its rights",
    sqlite3.SQLITE_IOERR: "the disk failed; check it",
    sqlite3.SQLITE_FULL: "the disk is full; make room",
    sqlite3.SQLITE_CORRUPT: "it is damaged; remove it and ingest again",
    sqlite3.SQLITE_NOTADB: "it is no SQLite database; remove it and ingest again",
}

_all: weakref.WeakSet[Connections] = weakref.WeakSet()


class Connections:
    """The connections of one process to the file ``path``."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._held: dict[int, tuple[threading.Thread, sqlite3.Connection]] = {}
        # A child may neither use nor close what its parent opened: closing would drop locks the parent counts on.
        self._inherited: list[object] = []
        self._closed = False
        _all.add(self)

    @contextmanager
    def read(self) -> Iterator[sqlite3.Cursor]:
        """A cursor that sees one moment of the file, however many statements it runs."""
        with self._transaction("BEGIN") as cursor:
            yield cursor

    @contextmanager
    def write(self) -> Iterator[sqlite3.Cursor]:
        """A cursor in a transaction of its own: all of it is kept, or none when an exception leaves the block.

        The lock is taken at once: a transaction that begins by reading cannot wait for a writer later, it fails.
        """
        with self._transaction("BEGIN IMMEDIATE") as cursor:
            yield cursor

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Raise the file's faults as ``StoreUnavailable``; those of our own SQL stay what they are."""
        try:
            yield
        except sqlite3.Error as exc:
            code = (getattr(exc, "sqlite_errorcode", None) or 0) & 0xFF
            if "no such table: " in str(exc):
                reason = "it holds no graph yet; run prepare() first"
            elif code in _UNAVAILABLE:
                reason = _UNAVAILABLE[code]
            else:
                raise
            raise StoreUnavailable(f"The graph file {self.path}: {reason}.") from exc

    def rebuild(self) -> None:
        """Write the file anew and empty its log, so that neither holds what no row says any more."""
        with self.faults():
            # Splitting a page leaves copies of moved rows in space no row owns; a row wiped later is not wiped there.
            self.current().execute("VACUUM")
            busy, _, _ = self.current().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreUnavailable(
                f"The graph file {self.path}: {_UNAVAILABLE[sqlite3.SQLITE_BUSY]}. Until then its log keeps old words."
            )

    def current(self) -> sqlite3.Connection:
        """This thread's connection, opened on first use."""
        thread = threading.current_thread()
        held = self._held.get(threading.get_ident())
        # An ended thread's number is given to a later one; its connection stays behind and is not inherited so.
        if held is not None and held[0] is thread:
            return held[1]
        with self._lock:
            if self._closed:
                raise StoreUnavailable(f"The graph file {self.path}: this store was closed; open another.")
            for number, (owner, connection) in list(self._held.items()):
                if not owner.is_alive():
                    connection.close()
                    del self._held[number]
            opened = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            self._held[threading.get_ident()] = (thread, opened)
        # WAL needs no sync a commit to stay whole; a crash of the machine costs the last pass at most, which reruns.
        opened.execute("PRAGMA synchronous = NORMAL")
        # What is deleted is overwritten, whatever SQLite was built to do: words that were taken back leave the pages.
        opened.execute("PRAGMA secure_delete = ON")
        return opened

    def close(self) -> None:
        """Close every thread's connection. No other thread may be in a call."""
        with self._lock:
            self._closed = True
            for _, connection in self._held.values():
                connection.close()
            self._held.clear()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Cursor]:
        with self.faults():
            connection = self.current()
            cursor = connection.cursor()
            cursor.execute(begin)
            try:
                yield cursor
                cursor.execute("COMMIT")
            except BaseException:
                # SQLite ends the transaction by itself on some faults (a full disk).
                if connection.in_transaction:
                    connection.rollback()
                raise
            finally:
                cursor.close()

    def _after_fork(self) -> None:
        self._inherited.append(self._held)
        self._held = {}
        self._lock = threading.Lock()


def _forget_inherited() -> None:
    for connections in list(_all):
        connections._after_fork()


os.register_at_fork(after_in_child=_forget_inherited)
