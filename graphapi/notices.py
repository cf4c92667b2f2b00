"""Telling open pages that a pass moved, through Channels. A page that hears nothing polls, so nothing depends on it."""

from __future__ import annotations

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from graphapi.models import IngestPass

PASSES = "passes"
log = logging.getLogger(__name__)


def pass_changed(row: IngestPass) -> None:
    """Announce a pass row's state. A layer that is down costs a log line, never the pass."""
    layer = get_channel_layer()
    if layer is None:
        return
    message = {"type": "pass.changed", "project": row.project.name, "handle": row.handle, "state": row.state}
    try:
        async_to_sync(layer.group_send)(PASSES, message)
    except (OSError, RuntimeError, RedisError) as error:
        log.warning("the channel layer did not take a notice: %s", type(error).__name__)
