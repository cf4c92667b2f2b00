"""`/ws/passes/`: a page that is open hears when a pass moves."""

from __future__ import annotations

from typing import Any

from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.urls import path

from graphapi.access.reach import may_read
from graphapi.notices import PASSES


class PassesConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # channels ships no types
    """Sends ``{"project", "handle", "state"}`` whenever a pass ends. Takes nothing from the page."""

    async def connect(self) -> None:
        if not may_read(self.scope.get("user")):
            await self.close(code=4401)
            return
        await self.channel_layer.group_add(PASSES, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(PASSES, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        """The socket speaks one way; what a page sends is let fall unread."""

    async def pass_changed(self, event: dict[str, Any]) -> None:
        await self.send_json({key: event[key] for key in ("project", "handle", "state")})


routes = [path("ws/passes/", PassesConsumer.as_asgi())]
