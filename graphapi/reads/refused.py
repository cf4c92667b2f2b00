"""What cannot be answered, as the one refusal shape, for every surface (004 section 5, one refusal shape)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError

from graphapi.domain.refusals import Refusal, StoreDown
from graphapi.store.port import StoreUnavailable

# What a surface catches around a read: a database or a graph that does not answer is no bug. Anything else is, and goes
# on up.
REFUSED = (Refusal, StoreUnavailable, OperationalError, InterfaceError)
Refused = Refusal | StoreUnavailable | OperationalError | InterfaceError


def as_refusal(error: Refused) -> Refusal:
    """A store that does not answer is a refusal too: its message names the store, its fix the setting."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, OperationalError | InterfaceError):
        # What the driver says may hold an address, a user or a statement.
        return StoreDown("the database does not answer", fix="start it, or mend REVETLY_DATABASE_URL; then migrate it")
    return StoreDown(str(error).rstrip("."), fix=_store_fix())


def refusal_payload(error: Refused) -> dict[str, Any]:
    return as_refusal(error).as_payload()


def _store_fix() -> str:
    if settings.GRAPH == "neo4j":
        return "start it, or mend REVETLY_NEO4J_URL and its user and password"
    return f"see that {settings.GRAPH_PATH} can be read and written; an ingest makes it anew where it is lost"
