"""The socket of open pages."""

from __future__ import annotations

import json

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer

from graphapi.notices import PASSES
from revetly_site.asgi import application

HERE = b"http://localhost"


async def opened(origin: bytes = HERE) -> tuple[ApplicationCommunicator, dict]:
    """A page's socket, and the application's answer to its opening."""
    scope = {
        "type": "websocket",
        "path": "/ws/passes/",
        "query_string": b"",
        "headers": [(b"origin", origin), (b"host", b"localhost")],
        "subprotocols": [],
    }
    page = ApplicationCommunicator(application, scope)
    await page.send_input({"type": "websocket.connect"})
    return page, await page.receive_output()


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_an_open_page_hears_when_a_pass_moves_and_can_announce_nothing(settings) -> None:
    settings.BOUND = "127.0.0.1:8000"
    page, answer = await opened()
    assert answer["type"] == "websocket.accept"
    message = {"type": "pass.changed", "project": "product", "handle": "PASS-1", "state": "green"}
    await get_channel_layer().group_send(PASSES, message)
    heard = await page.receive_output()
    assert json.loads(heard["text"]) == {"project": "product", "handle": "PASS-1", "state": "green"}
    await page.send_input(
        {"type": "websocket.receive", "text": json.dumps({"type": "pass.changed", "project": "forged"})}
    )
    await page.send_input({"type": "websocket.receive", "text": "no JSON at all"})
    await page.send_input({"type": "websocket.receive", "bytes": b"\xff"})
    assert await page.receive_nothing()
    await page.send_input({"type": "websocket.disconnect", "code": 1000})
    await page.wait()


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_off_loopback_a_socket_without_a_sign_in_is_closed(settings) -> None:
    settings.BOUND = "0.0.0.0:8000"
    _, answer = await opened()
    assert (answer["type"], answer["code"]) == ("websocket.close", 4401)


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_a_socket_from_another_origin_is_refused(settings) -> None:
    settings.BOUND = "127.0.0.1:8000"
    _, answer = await opened(b"http://evil.example")
    assert answer["type"] == "websocket.close"
