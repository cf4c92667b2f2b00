"""The branch beneath an artifact with withdrawn work left in it, for a reader that asked for that (004 section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from graphapi.domain.links import PARENT
from graphapi.reads.corpus import Corpus, Key
from graphapi.store.branch import Child, walk
from graphapi.store.port import SOURCE_WITHDRAWN, Branch

_CHILDREN = 5000
_SEPARATOR = "\x1f"


def whole_branch(corpus: Corpus, root: Key, *, depth: int | None, limit: int) -> tuple[Branch, dict[str, Key]]:
    """As :meth:`Corpus.branch`, but through deleted artifacts too, by the links they had when they went.

    Ids in the branch are tokens, and the map tells the key of each.
    """
    keys = {_token(root): root}

    def children(parents: Sequence[str]) -> list[Child]:
        level = [keys[token] for token in parents]
        edges = corpus.neighbours(level, direction="in", relations=[PARENT], deleted="include", limit=_CHILDREN)
        rows = corpus.get({edge.source for edge in edges}, bodies=False)
        found = []
        for edge in edges:
            row = rows.get(edge.source)
            if row is None:
                continue
            if edge.row.invalid_at is None or (row.deleted and edge.row.invalid_reason == SOURCE_WITHDRAWN):
                keys[_token(edge.source)] = edge.source
                found.append(Child(_token(edge.target), _token(edge.source), row.sort_key, deleted=False))
        return found

    return walk(_token(root), children, depth=depth, limit=limit), keys


def _token(key: Key) -> str:
    return f"{key.place}{_SEPARATOR}{key.artifact_id}"
