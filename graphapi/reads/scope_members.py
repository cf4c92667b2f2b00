"""What a scope rooted at an artifact holds: the hierarchy that the sources declare beneath it (004 section 2b)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphapi.domain.refusals import BadArguments
from graphapi.reads.arguments import within
from graphapi.reads.budget import CAP, cut
from graphapi.reads.corpus import Corpus, Edge, Key
from graphapi.reads.marks import deletion
from graphapi.reads.record import unknown
from graphapi.store.port import SOURCE_WITHDRAWN, Deleted

# A scope read counts every member, so it walks further than a branch that is shown; past this it says that it stopped.
MEMBERS_MOST = 10_000
DEPTH_MOST = 100
# Ids in one call to the store, and the links it may answer with: an item has a handful of records, not hundreds.
BATCH = 500
LINKS_MOST = 20_000


@dataclass(frozen=True, slots=True)
class Members:
    """``keys``: the root, what hangs under it, and the deleted children the walk met. ``scope``: what the answer says
    of them."""

    keys: tuple[Key, ...]
    scope: dict[str, Any]


def bounding_depth(depth: int | None, artifact_id: str | None) -> int | None:
    """``depth`` where it bounds a branch. Raises :class:`BadArguments` for one that bounds nothing."""
    if depth is not None and artifact_id is None:
        raise BadArguments("depth bounds the branch of an artifact_id", fix="give an artifact_id, or leave depth out")
    return depth if depth is None else within("depth", depth, 0, DEPTH_MOST)


def members_of(corpus: Corpus, artifact_id: str, depth: int | None) -> Members:
    """The branch beneath ``artifact_id``, in every project of ``corpus``. Raises :class:`UnknownArtifact`."""
    found = corpus.locate(artifact_id)
    if found is None:
        raise unknown(corpus.projects, artifact_id)
    root, artifact = found
    branch, keys = corpus.branch(root, depth=depth, limit=MEMBERS_MOST)
    live = [keys[node.artifact_id] for node in branch.nodes]
    gone = [keys[token] for token in branch.withdrawn if keys[token] not in live]
    scope: dict[str, Any] = {"artifact_id": artifact_id, **corpus.label(root), **deletion(artifact)}
    if depth is not None:
        scope["depth"] = depth
    scope["members"] = len(live)
    if gone:
        scope["withdrawn_members"] = len(gone)
    if branch.truncated:
        note = "ask for a sub-branch by its own id"
        scope["truncated"] = cut(CAP, len(live) + 1, len(live), note, whole_is_floor=True)
    return Members((*live, *gone), scope)


def batches(keys: Iterable[Key], size: int = BATCH) -> Iterator[list[Key]]:
    whole = list(keys)
    for at in range(0, len(whole), size):
        yield whole[at : at + size]


def stated_links(corpus: Corpus, keys: Sequence[Key], *, deleted: Deleted, **filters: Any) -> list[Edge]:
    """The links that stand at ``keys``: live ones and, where deleted work was asked for, those that ended only because
    an end of them was withdrawn. A link whose source stopped declaring it stands nowhere."""
    state: Deleted = "exclude" if deleted == "exclude" else "include"
    out: dict[tuple[Key, Key, str], Edge] = {}
    for part in batches(keys):
        for edge in corpus.neighbours(part, deleted=state, limit=LINKS_MOST, **filters):
            if edge.row.invalid_at is None or edge.row.invalid_reason == SOURCE_WITHDRAWN:
                out[edge.source, edge.target, edge.row.key] = edge
    return list(out.values())
