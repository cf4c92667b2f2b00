"""An instance of its own for each test: a home, a database, a graph, and whatever processes the test starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Instance:
    """Commands and processes of one instance. ``broker`` is ``redis`` or ``filesystem``."""

    def __init__(self, home: Path, broker: str) -> None:
        self.home = home
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("REVETLY_")}
        self.environment |= {"REVETLY_HOME": str(home), "DJANGO_SETTINGS_MODULE": "revetly_site.settings"}
        if broker == "redis":
            # A database of Redis to itself, so that no other test's worker takes its messages.
            number = uuid.uuid4().int % 14 + 1
            self.environment["REVETLY_REDIS_URL"] = (
                os.environ["REVETLY_TEST_REDIS_URL"].rsplit("/", 1)[0] + f"/{number}"
            )
        self.running: list[subprocess.Popen[bytes]] = []
        self.run("-m", "django", "migrate", "--verbosity", "0")

    def run(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def revetly(self, *arguments: str) -> str:
        return self.run("manage.py", "revetly", *arguments)

    def shell(self, code: str) -> str:
        return self.run("manage.py", "shell", "--no-imports", "--command", code)

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        with (self.home / f"process-{len(self.running)}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, *arguments], cwd=ROOT, env={**self.environment, **environment},
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self.running.append(process)
        return process

    def worker(self) -> subprocess.Popen[bytes]:
        self.run("-c", "from revetly_site.celery import prepare_broker; prepare_broker()")
        return self.start("-m", "celery", "--app", "revetly_site", "worker", "--concurrency", "1", "--loglevel", "INFO")

    def logs(self) -> str:
        return "\n".join(p.read_text("utf-8", "replace")[-3000:] for p in sorted(self.home.glob("process-*.log")))

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """SIGKILL to the process and all it started, as a machine that dies would."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for process in self.running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.running:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill(process)


def until(condition: Callable[[], Any], seconds: float, said: Callable[[], str]) -> Any:
    """Wait for ``condition`` to be true, and give what it gave; fail with what was said otherwise."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds:g} s in vain\n{said()}")


@pytest.fixture
def instance(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Instance]:
    made = Instance(tmp_path / "home", getattr(request, "param", "filesystem"))
    yield made
    made.stop()
