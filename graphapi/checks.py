"""Settings that do not add up, as Django system checks; each id is listed in docs/errors.md."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

REVETLY = "revetly"


@register(REVETLY, Tags.compatibility)
def graph_adds_up(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Neo4j needs an address and a password; SQLite wants neither."""
    found: list[CheckMessage] = []
    if settings.GRAPH == "neo4j":
        if not settings.NEO4J_URL:
            found.append(_error("E001", "REVETLY_GRAPH=neo4j and no REVETLY_NEO4J_URL", "set it to bolt://host:7687"))
        elif not settings.NEO4J_URL.startswith(
            ("bolt://", "bolt+s://", "bolt+ssc://", "neo4j://", "neo4j+s://", "neo4j+ssc://")
        ):
            found.append(_error("E002", "REVETLY_NEO4J_URL is no bolt:// or neo4j:// address", "mend it"))
        if not settings.NEO4J_PASSWORD:
            found.append(_error("E003", "REVETLY_GRAPH=neo4j and no REVETLY_NEO4J_PASSWORD", "set it, or its _FILE"))
    elif settings.NEO4J_URL:
        found.append(
            Warning("REVETLY_NEO4J_URL is set and REVETLY_GRAPH is sqlite, so it is not used",
                    hint="set REVETLY_GRAPH=neo4j, or take it out", id="revetly.W001")
        )  # fmt: skip
    return found


@register(REVETLY, Tags.compatibility)
def broker_adds_up(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """One machine may queue in a folder; an instance of several processes on Postgres is told that it needs Redis."""
    url = settings.REDIS_URL
    if url and not url.startswith(("redis://", "rediss://", "unix://")):
        return [_error("E004", "REVETLY_REDIS_URL is no redis:// address", "write redis://host:6379/0")]
    if not url and settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        return [
            Warning("PostgreSQL without Redis: tasks queue in a folder that no other machine sees",
                    hint="set REVETLY_REDIS_URL", id="revetly.W002")
        ]  # fmt: skip
    return []


@register(REVETLY, Tags.security)
def hosts_add_up(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Debug pages show settings, so they stay on this machine."""
    local = {"localhost", "127.0.0.1", "[::1]", "testserver"}
    found: list[CheckMessage] = []
    if settings.DEBUG and not set(settings.ALLOWED_HOSTS) <= local:
        found.append(
            _error("E005", "REVETLY_DEBUG is on and REVETLY_ALLOWED_HOSTS names other machines", "switch it off")
        )
    if "*" in settings.ALLOWED_HOSTS:
        found.append(_error("E006", "REVETLY_ALLOWED_HOSTS is *, so any Host header is believed", "name the hosts"))
    return found


@register(REVETLY, Tags.compatibility)
def stemmer_is_there(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """The SQLite store searches through FTS5, which a build of Python may lack."""
    if settings.GRAPH != "sqlite":
        return []
    memory = sqlite3.connect(":memory:")
    try:
        memory.execute("CREATE VIRTUAL TABLE t USING fts5(a)")
    except sqlite3.OperationalError:
        return [_error("E007", "this Python's SQLite has no FTS5", "use a build that has it, or REVETLY_GRAPH=neo4j")]
    finally:
        memory.close()
    return []


def _error(number: str, message: str, hint: str) -> Error:
    return Error(message, hint=hint, id=f"revetly.{number}")
