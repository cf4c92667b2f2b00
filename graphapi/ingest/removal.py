"""A project that is removed takes its graph with it."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver

from graphapi.models import Project
from graphapi.store.instance import instance_store
from graphapi.store.port import StoreUnavailable

log = logging.getLogger(__name__)


@receiver(post_delete, sender=Project)
def clear_graph(sender: type[Project], instance: Project, **kwargs: Any) -> None:
    """Clear the namespace once the removal is committed. A store that is down keeps it, and the log says so: the next
    project in that namespace closes out what its own sources lack."""
    transaction.on_commit(partial(_clear, instance.namespace))


def _clear(namespace: str) -> None:
    try:
        instance_store().clear(namespace)
    except StoreUnavailable as error:
        log.warning("the graph of the removed project in namespace %s is still there: %s", namespace, error)
