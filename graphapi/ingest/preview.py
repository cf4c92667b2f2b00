"""`revetly ingest --dry-run`: what a pass would write, found by reading as a pass reads and writing nothing."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from graphapi.connectors.base import ConnectorError, Unchanged
from graphapi.connectors.working_tree import WorkingTree
from graphapi.domain.project_config import read_config
from graphapi.domain.refusals import NotAWorkingTree
from graphapi.ingest import ledger
from graphapi.ingest.passes import declared_digest
from graphapi.ingest.reading import commit_connectors, file_connectors, memory_of
from graphapi.ingest.rows import all_references, artifact_row
from graphapi.models import TREE, Project
from graphapi.store.port import GraphStore


def pass_preview(project: Project, store: GraphStore) -> dict[str, Any]:
    """Per source, how many artifacts it lists and how many of them a pass would write; no provider is asked.

    Raises ``SettingRefused``, :class:`NotAWorkingTree` and ``StoreUnavailable``.
    """
    config = read_config(project.root_path)
    store.prepare()
    remembered = memory_of(project, TREE).cursor
    memory = ledger.recall(project, store, reread=remembered.get("declared") != declared_digest(config))
    limit = settings.MAX_FILE_MIB * 1024 * 1024
    sources: list[dict[str, Any]] = []
    seen: set[str] = set()
    try:
        since = None if remembered.get("ahead") else remembered.get("head")
        tree = WorkingTree(project.root_path, config, memory.by_path, since=since, max_bytes=limit)
        for connector in [*file_connectors(tree, config), *commit_connectors(project, config)]:
            known = memory.by_id if connector.source.startswith("commits/") else memory.by_path
            listed = changed = 0
            for item in connector.read(known, memory_of(project, connector.source)).items:
                if item.artifact_id in seen:
                    continue  # the losing file of a duplicate id is read by a pass, and written by none
                seen.add(item.artifact_id)
                listed += 1
                if not isinstance(item, Unchanged):
                    row = artifact_row(item, connector.source, all_references(item))
                    changed += memory.digests.get(item.artifact_id) != row.digest
            sources.append({"source": connector.source, "listed": listed, "changed": changed})
    except ConnectorError as error:
        raise NotAWorkingTree(str(error), fix=error.fix or "mend the source") from error
    changed = sum(row["changed"] for row in sources)
    return {"project": project.name, "sources": sources, "changed": changed, "provider_calls": 0}
