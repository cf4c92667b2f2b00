"""A real browser, and the product's own server under it."""

from __future__ import annotations

import os
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.services.conftest import Instance, until


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Playwright's loop is left running in this thread, and Django refuses the database beside one; these tests reach
    # the product through its own process alone.
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=os.environ["REVETLY_TEST_CHROMIUM"],
            args=["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                  "--disable-component-update", "--disable-sync"],
        )  # fmt: skip
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Instance, str]]:
    """The demo, served; and its address."""
    home: Path = tmp_path_factory.mktemp("instance") / "home"
    instance = Instance(home, "filesystem")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    instance.start("manage.py", "revetly", "demo", "--port", str(port))
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            return bool(urllib.request.urlopen(f"{address}/healthz", timeout=5).status == 200)
        except OSError:
            return False

    until(answers, 60, instance.logs)
    yield instance, address
    instance.stop()


SIZES = {"wide": (1280, 900), "narrow": (360, 740)}


@pytest.fixture(params=SIZES)
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from _page(browser, request.param)


@pytest.fixture(params=SIZES)
def still(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page as it is without JavaScript."""
    yield from _page(browser, request.param, java_script_enabled=False)


def _page(browser: Browser, size: str, **options: Any) -> Iterator[Page]:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    opened = context.new_page()
    opened.complaints = []  # type: ignore[attr-defined]
    opened.on("console", lambda said: said.type == "error" and opened.complaints.append(said.text))  # type: ignore
    opened.on("pageerror", lambda error: opened.complaints.append(str(error)))  # type: ignore[attr-defined]
    yield opened
    context.close()
