"""The engine's commands, for the `revetly` tree that revetly_site assembles."""

from graphapi.cli.passes import backfill, ingest, watch
from graphapi.cli.project import check, init
from graphapi.cli.reads import audit_links, inspect, status

COMMANDS = (init, ingest, status, inspect, check, audit_links, backfill, watch)
