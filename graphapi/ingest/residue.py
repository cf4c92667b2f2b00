"""What databases keep of words that were written over. It is owed from before the first word goes until the files are
clean, so that a pass which dies in between leaves the debt to the next one."""

from __future__ import annotations

from django.db import connection

from graphapi.models import TREE, Project, SourceState
from graphapi.store.port import GraphStore, StoreUnavailable

_OWED = "residue"


def owe(project: Project) -> None:
    """Note that words are about to be taken back."""
    state, _ = SourceState.objects.get_or_create(project=project, source=TREE)
    if not state.cursor.get(_OWED):
        state.cursor = {**state.cursor, _OWED: True}
        state.save(update_fields=["cursor"])


def is_owed(project: Project) -> bool:
    return any(s.cursor.get(_OWED) for s in project.sources.filter(source=TREE))


def clean(project: Project, store: GraphStore) -> None:
    """Make what was written over unreadable in the graph's files and the database's, where that is owed.

    Raises ``StoreUnavailable`` where another process keeps it from being done; it is then owed still.
    """
    if not is_owed(project):
        return
    store.scrub(project.namespace)
    _clean_database()
    state = project.sources.get(source=TREE)
    state.cursor = {k: v for k, v in state.cursor.items() if k != _OWED}
    state.save(update_fields=["cursor"])


def _clean_database() -> None:
    """Rebuild Django's SQLite file and empty its log. PostgreSQL's own vacuum and log rotation do this for it, and in
    a caller's transaction nothing can: such a caller is a test, whose database is in memory."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    with connection.cursor() as cursor:
        # Splitting a page leaves copies of moved rows where no row is any more; only a rebuilt file has none.
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy = cursor.fetchone()[0]
    if busy:
        raise StoreUnavailable(
            "The database still holds withheld words in its log: another process keeps reading it; close that one and"
            " ingest again."
        )
