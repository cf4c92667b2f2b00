"""A branch's flat rows in the order in which a tree is read: each node right before what hangs beneath it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any


def as_tree(nodes: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Every node of a branch once, the root first. One whose parent is not served stands at the end, as it came."""
    beneath: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for node in nodes[1:]:
        beneath[str(node.get("parent"))].append(node)
    out: list[Mapping[str, Any]] = []
    waiting = list(nodes[:1])
    while waiting:
        node = waiting.pop()
        out.append(node)
        waiting += reversed(beneath.pop(str(node["artifact_id"]), []))
    return out + [node for left in beneath.values() for node in left]
