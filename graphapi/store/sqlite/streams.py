"""What is read by the page: a page is one transaction, and none is open while the caller works on what it got.

A cursor left open would hold an old state of the file: the same thread could not write until it is done, and the log
of changes could not be folded back meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from graphapi.store.port import BATCH_ROWS
from graphapi.store.rows import batches, json_text
from graphapi.store.sqlite.connections import Connections
from graphapi.store.sqlite.schema import find_space

# Bodies run to megabytes: fewer of them are held at a time.
BODIES_A_PAGE = 100


def artifact_digests(connections: Connections, namespace: str) -> Iterator[tuple[str, str, bool]]:
    statement = """SELECT artifact_id, digest, deleted FROM artifacts WHERE space = ? AND artifact_id > ?
        ORDER BY artifact_id LIMIT ?"""
    for artifact_id, digest, deleted in _pages(connections, namespace, statement, BATCH_ROWS):
        yield artifact_id, digest, bool(deleted)


def link_digests(connections: Connections, namespace: str) -> Iterator[tuple[str, str]]:
    statement = """SELECT key, digest FROM links WHERE space = ? AND key > ? AND invalid_at IS NULL
        ORDER BY key LIMIT ?"""
    yield from _pages(connections, namespace, statement, BATCH_ROWS)


def bodies(connections: Connections, namespace: str) -> Iterator[tuple[str, str]]:
    statement = """SELECT artifact_id, body FROM artifacts WHERE space = ? AND artifact_id > ? AND NOT deleted
        ORDER BY artifact_id LIMIT ?"""
    yield from _pages(connections, namespace, statement, BODIES_A_PAGE)


def named_bodies(connections: Connections, namespace: str, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Bodies of the live artifacts among ``ids``, which are read as they are needed."""
    for batch in batches(ids, BODIES_A_PAGE):
        with connections.read() as cursor:
            rows = cursor.execute(
                """SELECT a.artifact_id, a.body FROM json_each(?) AS named
                    CROSS JOIN artifacts AS a ON a.space = ? AND a.artifact_id = named.value WHERE NOT a.deleted""",
                (json_text(batch), find_space(cursor, namespace)),
            ).fetchall()
        yield from rows


def _pages(connections: Connections, namespace: str, statement: str, size: int) -> Iterator[tuple[Any, ...]]:
    after = ""
    while True:
        with connections.read() as cursor:
            page = cursor.execute(statement, (find_space(cursor, namespace), after, size)).fetchall()
        yield from page
        if len(page) < size:
            return
        after = page[-1][0]
