"""The Celery application: Redis where one is declared, a folder of messages on a machine without."""

from __future__ import annotations

import os
from pathlib import Path

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "revetly_site.settings")

app = Celery("revetly")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["graphapi"])


def prepare_broker() -> None:
    """Make the folders a filesystem broker needs; kombu expects to find them."""
    options = app.conf.broker_transport_options or {}
    for name in ("data_folder_in", "data_folder_out", "control_folder"):
        if name in options:
            Path(options[name]).mkdir(parents=True, exist_ok=True)


@worker_ready.connect
def take_up_unfinished(**kwargs: object) -> None:
    """A broker may lose the task of a worker that was killed; the pass rows do not."""
    from graphapi.tasks import sweep

    sweep()
