"""What every read is handed: the store, who asks, how large an answer may be, what a model inferred, if anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from graphapi.access.caller import ANYBODY, Caller
from graphapi.reads.inferences import Inferences
from graphapi.reads.reach import Reach, reach_of
from graphapi.store.instance import instance_store
from graphapi.store.port import GraphStore


@dataclass(frozen=True, slots=True)
class Reader:
    """``budget`` is in bytes of compact UTF-8 JSON. ``inferences`` is None on a lite instance."""

    store: GraphStore
    caller: Caller = ANYBODY
    budget: int = 32 * 1024
    inferences: Inferences | None = None

    def reach(self, project: str | None = None, projects: Sequence[str] | None = None) -> Reach:
        return reach_of(self.caller, project, projects)


def instance_reader(caller: Caller = ANYBODY) -> Reader:
    """The reader of this process's own store, under the instance's budget (``REVETLY_READ_BUDGET``)."""
    return Reader(instance_store(), caller, settings.READ_BUDGET)
