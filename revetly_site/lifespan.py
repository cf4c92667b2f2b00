"""The server's start and end, as the ASGI lifespan protocol tells them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async

from graphapi.store.instance import close_instance_store, instance_store
from graphapi.store.port import StoreUnavailable

log = logging.getLogger(__name__)


class Lifespan:
    """Prepares the store at the start, and closes it at the end. A store that is down does not keep the pages from
    starting: /readyz says so, and reads refuse by name until it is back."""

    async def __call__(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[dict[str, Any]]],
        send: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await sync_to_async(_prepare)()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await sync_to_async(close_instance_store)()
                await send({"type": "lifespan.shutdown.complete"})
                return


def _prepare() -> None:
    try:
        instance_store().prepare()
    except StoreUnavailable as error:
        log.warning("the graph store is not ready: %s", error)
