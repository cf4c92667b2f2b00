"""The engine's commands, for the `revetly` tree that revetly_site assembles."""

from graphapi.cli.passes import backfill, ingest, watch
from graphapi.cli.project import check, init
from graphapi.cli.reads import audit_links, status
from graphapi.cli.record import branch, inspect
from graphapi.cli.scope import binding, deltas, drift
from graphapi.cli.search import backlog, search

COMMANDS = (
    init, ingest, status, search, inspect, branch, backlog, drift, deltas, binding, check, audit_links, backfill, watch,
)  # fmt: skip
