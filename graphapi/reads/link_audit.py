"""Which methods stated the live links, and which ids resolve to nothing (004 section 5, title mentions)."""

from __future__ import annotations

from typing import Any

from graphapi.models import Project
from graphapi.reads.project_state import unresolved
from graphapi.store.port import GraphStore


def link_audit(project: Project, store: GraphStore) -> dict[str, Any]:
    """Live links per relation and method, straight from the graph, with what could not be linked beside them."""
    rows = store.link_counts(project.namespace)
    counts = store.counts(project.namespace)
    return {
        "project": project.name,
        "methods": [{"relation": r.relation, "method": r.method, "count": r.count} for r in rows],
        "links": counts.links,
        "retired": counts.retired_links,
        "artifacts": dict(counts.artifacts),
        "unresolved": unresolved(project),
    }
