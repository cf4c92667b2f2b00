"""`revetly supervise`: the web process and the worker, started together and started again when one dies."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType

import click
from django.conf import settings
from django.core.management import call_command

from graphapi.cli.door import json_option, refuses
from graphapi.domain.refusals import BadArguments
from revetly_site.celery import prepare_broker

_PR_SET_PDEATHSIG = 1
# Loaded once, since a child may do next to nothing between fork and exec.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_STOP_SECONDS = 15.0
_STEADY_SECONDS = 30.0
_LONGEST_WAIT = 30.0


@dataclass(slots=True)
class Child:
    """A process to keep running. It is started again after a wait that doubles while it keeps dying young."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    wait: float = 1.0
    due: float = 0.0

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, env=self.environment, preexec_fn=_end_with_parent)
        self.started = time.monotonic()

    def tend(self) -> None:
        """Start it where it is due; where it ended, say so and set when it is due again."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.due:
                self.start()
            return
        code = self.process.poll()
        if code is None:
            return
        self.wait = 1.0 if now - self.started > _STEADY_SECONDS else min(self.wait * 2, _LONGEST_WAIT)
        self.process, self.due = None, now + self.wait
        click.echo(
            f"revetly: the {self.name} process ended with {code}; starting it again in {self.wait:g} s", err=True
        )


def children(host: str, port: int) -> list[Child]:
    """The instance's processes. The web process is told the address it was bound to; nothing else can know it."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "revetly_site.settings"}
    web = [
        sys.executable, "-m", "uvicorn", "revetly_site.asgi:application", "--host", host, "--port", str(port),
        "--lifespan", "on", "--no-server-header", "--timeout-graceful-shutdown", "10",
        "--log-level", settings.LOG_LEVEL.lower(),
    ]  # fmt: skip
    worker = [
        sys.executable, "-m", "celery", "--quiet", "--app", "revetly_site", "worker", 
        "--pool", "prefork", "--concurrency", "1",
        "--loglevel", settings.LOG_LEVEL, "--without-gossip", "--without-mingle",
    ]  # fmt: skip
    return [
        Child("web", web, {**environment, "REVETLY_BOUND": f"{host}:{port}"}),
        Child("worker", worker, environment),
    ]


def keep(processes: Sequence[Child]) -> None:
    """Tend the processes until this one is told to end (SIGTERM, SIGINT), then end them and wait for them."""
    ending = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal ending
        ending = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    while not ending:
        for child in processes:
            child.tend()
        time.sleep(0.2)
    _stop(processes)


def _stop(processes: Sequence[Child]) -> None:
    running = [child.process for child in processes if child.process is not None]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + _STOP_SECONDS
    for process in running:
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@json_option
@refuses
def supervise(host: str, port: int, as_json: bool) -> None:
    """Run the instance: its pages and its worker, each started again when it dies. Ends with Ctrl-C."""
    run(host, port, as_json=as_json)


def refuse_taken(host: str, port: int) -> None:
    """Raise :class:`BadArguments` where the address cannot be bound: a web process would die there again and again."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise BadArguments(f"{host}:{port} cannot be bound: {error.strerror}", fix="give another --port") from error


def _end_with_parent() -> None:
    """In a child, before it becomes its program: end when the supervisor does, however that ends (Linux)."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def run(host: str, port: int, *, as_json: bool = False) -> None:
    refuse_taken(host, port)
    call_command("migrate", verbosity=0, interactive=False)
    prepare_broker()
    address = f"http://{host}:{port}/"
    if as_json:
        click.echo(json.dumps({"address": address}))
    else:
        click.echo(f"revetly: {address} (Ctrl-C ends it)")
    keep(children(host, port))
