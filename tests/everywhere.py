"""Every place where an instance keeps text, for tests of what must be in none of them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

from django.apps import apps

from graphapi.models import Project
from graphapi.store.port import GraphStore
from tests.contract.backends import Backend


def texts(project: Project, store: GraphStore, backend: Backend) -> Iterator[tuple[str, str]]:
    """(place, text) of every row, node, link and file the instance holds."""
    for model in apps.get_app_config("graphapi").get_models():
        for row in model._default_manager.values():
            yield f"table {model.__name__}", str(row)
    ids = [i for i, _, _ in store.artifact_digests(project.namespace)]
    for artifact in store.get(project.namespace, ids):
        yield f"node {artifact.artifact_id}", str(artifact)
    for link in store.neighbours(project.namespace, ids, deleted="include", limit=10_000):
        yield f"link {link.key}", str(link)
    for artifact_id, body in store.bodies(project.namespace):
        yield f"body {artifact_id}", body
    if backend.name == "sqlite":
        for file in backend.path.parent.glob(backend.path.name + "*"):
            # By another process: closing a file of the database in this one would let go of the locks it holds on it.
            yield str(file), subprocess.run(["cat", file], capture_output=True).stdout.decode("utf-8", "replace")
