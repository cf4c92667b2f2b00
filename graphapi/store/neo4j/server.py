"""The driver to one Neo4j database: made on first use in each process, its faults named as ones of the store."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Concatenate, NoReturn, ParamSpec, TypeVar, cast
from urllib.parse import urlsplit

from neo4j import READ_ACCESS, Driver, GraphDatabase, ManagedTransaction, Query, Result, Session, unit_of_work
from neo4j.exceptions import AuthError, DriverError, Neo4jError, TransientError

from graphapi.store.port import StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")

# A caller waits for this long at most while a deadlock is tried again or a server comes back.
RETRY_SECONDS = 10.0
CONNECT_SECONDS = 5.0
# The server ends what runs longer. A batch takes seconds: this is for locks that are waited for in a ring which it
# does not see, and which would otherwise hold up everyone until an operator comes.
TRANSACTION_SECONDS = 120.0
_bounded = unit_of_work(timeout=TRANSACTION_SECONDS)
_TIMED_OUT = "Neo.ClientError.Transaction.TransactionTimedOut"
_REFUSED = ("Neo.ClientError.Security.", "Neo.ClientError.Database.", "Neo.DatabaseError.", "Neo.TransientError.")


class Server:
    """Sessions on the database ``database`` at ``uri``, from any thread and on either side of a fork."""

    def __init__(self, uri: str, user: str, password: str, database: str) -> None:
        self._uri = uri
        self._auth = (user, password)
        self._database = database
        self._lock = threading.Lock()
        self._driver: Driver | None = None
        self._pid = os.getpid()
        # A child may not close what its parent opened: the goodbye would go out on the parent's own connections.
        self._inherited: list[Driver | None] = []
        self._closed = False

    def read(self, work: Callable[Concatenate[ManagedTransaction, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """``work`` in a read transaction, again when the server asks for it."""
        with self.session() as session:
            return session.execute_read(_bounded(work), *args, **kwargs)

    def ask(self, work: Callable[[ManagedTransaction], T]) -> T:
        """``work``, which runs one query, without a transaction of its own around it: to begin and to end one costs a
        round trip each. Where the server asks for it again, it gets one after all."""
        try:
            with self._open().session(database=self._database, default_access_mode=READ_ACCESS) as session:
                return work(cast(ManagedTransaction, _Asking(session)))
        except (DriverError, Neo4jError) as exc:
            if not exc.is_retryable():
                self._raise(exc)
        return self.read(work)

    def write(self, work: Callable[Concatenate[ManagedTransaction, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """``work`` in a write transaction, again when the server asks for it: it must bear to be repeated."""
        with self.session() as session:
            return session.execute_write(_bounded(work), *args, **kwargs)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session whose faults are the store's; those of our own queries stay what they are."""
        try:
            with self._open().session(database=self._database) as session:
                yield session
        except (DriverError, Neo4jError) as exc:
            self._raise(exc)

    def _raise(self, exc: DriverError | Neo4jError) -> NoReturn:
        reason = _reason(exc)
        if reason is None:
            raise exc
        raise StoreUnavailable(f"Neo4j at {self._place()}: {reason}.") from exc

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._driver is not None and self._pid == os.getpid():
                self._driver.close()
            self._driver = None

    def _open(self) -> Driver:
        if self._pid != os.getpid():
            # A lock that another thread of the parent held at the fork would never be released here.
            self._lock = threading.Lock()
            self._inherited.append(self._driver)
            self._driver, self._pid = None, os.getpid()
        with self._lock:
            if self._closed:
                raise StoreUnavailable(f"Neo4j at {self._place()}: this store was closed; open another.")
            if self._driver is None:
                self._driver = self._connected()
            return self._driver

    def _connected(self) -> Driver:
        """A driver that has spoken to the server. A server that was never there is told at once; only one that was is
        waited for."""
        driver = GraphDatabase.driver(
            self._uri,
            auth=self._auth,
            notifications_min_severity="OFF",
            max_transaction_retry_time=RETRY_SECONDS,
            connection_timeout=CONNECT_SECONDS,
            connection_acquisition_timeout=RETRY_SECONDS,
        )
        try:
            driver.verify_connectivity()
        except BaseException:
            driver.close()
            raise
        return driver

    def _place(self) -> str:
        # Of the address, only what cannot be a secret: someone may have written user:password@ into it.
        parts = urlsplit(self._uri)
        return f"{parts.scheme}://{parts.hostname or '?'}{f':{parts.port}' if parts.port else ''}"


class _Asking:
    """A session as a transaction looks to a query: every run is one of its own, and ends in time."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def run(self, query: str, parameters: Mapping[str, Any] | None = None, **more: Any) -> Result:
        bounded = Query(query, timeout=TRANSACTION_SECONDS)
        return self._session.run(bounded, dict(parameters or {}), **more)


def _reason(exc: DriverError | Neo4jError) -> str | None:
    if isinstance(exc, AuthError):
        return "it refused the user or the password; check both"
    if isinstance(exc, TransientError):
        return "it was too busy for too long; try again"
    if isinstance(exc, DriverError):
        return "it does not answer; check that it runs and that the address is right"
    if (exc.code or "").startswith(_TIMED_OUT):
        return "it did not finish in time; try again"
    if (exc.code or "").startswith(_REFUSED):
        return f"it refused the call ({exc.code}); check the database's name, state and rights"
    return None
