"""This process's one store, as the instance's settings declare it."""

from __future__ import annotations

import os
import threading

from django.conf import settings

from graphapi.store.factory import open_store
from graphapi.store.port import GraphStore

_lock = threading.Lock()
_open: dict[int, GraphStore] = {}


def instance_store() -> GraphStore:
    """The store of this process, opened once and connected when first used. A forked worker opens its own: a connection
    that crossed a fork belongs to nobody."""
    with _lock:
        pid = os.getpid()
        if pid not in _open:
            _open[pid] = open_store(
                settings.GRAPH,
                path=settings.GRAPH_PATH,
                uri=settings.NEO4J_URL,
                user=settings.NEO4J_USER,
                password=settings.NEO4J_PASSWORD,
                database=settings.NEO4J_DATABASE,
            )
        return _open[pid]


def close_instance_store() -> None:
    """Let go of this process's store: at shutdown, and where a test changes the settings."""
    with _lock:
        store = _open.pop(os.getpid(), None)
    if store is not None:
        store.close()
