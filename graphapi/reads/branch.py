"""The branch beneath an artifact: the declared hierarchy, counted, with what a model inferred beside it (004 2b)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphapi.domain.links import PARENT, SUPERSEDES
from graphapi.domain.refusals import BadArguments
from graphapi.reads.branch_inferred import inferred_block
from graphapi.reads.branch_rollup import Rollup, rollup
from graphapi.reads.budget import CAP, READ_BUDGET, Rows, Shelf, cut, tell
from graphapi.reads.corpus import Key
from graphapi.reads.declared import declared
from graphapi.reads.marks import compact_row, deletion
from graphapi.reads.reader import Reader
from graphapi.reads.record import Record
from graphapi.reads.withdrawn_branch import whole_branch
from graphapi.store.port import Branch, BranchNode, Deleted, StoredArtifact

DECLARED = "declared"
FROM_ARGUMENT, FROM_PARENTS = "argument", "[backlog.parents]"
# How many artifacts one branch walks: ten times what fits an answer, so that the counts are about a real branch.
WALKED = 2000
CYCLES_LISTED = 10
WITHDRAWN_LISTED = 50
# No node is smaller; nodes past the budget at this size are never served, so nothing is read about them.
_LEAST_NODE = 80
_NARROW = "ask for a shallower branch, or a sub-branch by its own id"


def branch(
    reader: Reader, record: Record, answer: dict[str, Any], *, depth: int | str, deleted: Deleted, everything: bool
) -> list[Shelf]:
    """Put the branch beneath ``record`` on ``answer``. What may give way to the budget is returned, the first first.

    ``deleted`` as everywhere: excluded, a withdrawn artifact takes what is beneath it along. Raises
    :class:`BadArguments` for a depth that is neither a whole number from 0 nor ``declared``.
    """
    levels, source = _levels(record, depth)
    walked, keys = _walk(record, levels, deleted)
    artifacts = record.corpus.get([keys[n.artifact_id] for n in walked.nodes], bodies=False)
    shown = [n for n in walked.nodes if keys[n.artifact_id] in artifacts]
    if deleted == "only":
        shown = [n for n in shown if artifacts[keys[n.artifact_id]].deleted]
    members = [keys[n.artifact_id] for n in shown]
    nodes, left_out = _nodes(record, shown, keys, artifacts, reader.budget)
    counted = rollup([(key, artifacts[key]) for key in members])
    answer |= {"artifact_id": record.key.artifact_id, **deletion(record.artifact)}
    answer |= {"depth": levels, "depth_source": source, "nodes": nodes, "rollup": counted}
    sample = inferred_block(reader, record, members, answer, everything=everything)
    tell(answer, "truncated", READ_BUDGET, left_out, len(nodes), _NARROW)
    if walked.truncated:
        tell(answer, "truncated", CAP, 1, len(nodes), _NARROW, whole_is_floor=True)
    _losses(walked, keys, answer)
    return [
        *sample,
        Rollup(counted, answer, room=reader.budget // 4),
        Rows(nodes, answer, "truncated", note=_NARROW, keep=1),
        Rollup(counted, answer),
    ]


def _levels(record: Record, depth: int | str) -> tuple[int, str]:
    if depth == DECLARED:
        return declared_levels(_parents(record), (record.artifact.artifact_type or "").lower()), FROM_PARENTS
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise BadArguments(
            f"depth={depth!r} is neither a number of levels nor 'declared'", fix="give 0, 1, 2 … or depth='declared'"
        )
    return depth, FROM_ARGUMENT


def _parents(record: Record) -> dict[str, list[str]]:
    backlog = declared(record.home).backlog
    return backlog.parents if backlog is not None else {}


def declared_levels(parents: dict[str, list[str]], root_type: str) -> int:
    """How many levels ``parents`` (type to the types it may hang under) declares beneath ``root_type``: the longest
    chain. Types that hang under one another in a circle end the count at the number of types."""
    level, levels = {root_type}, 0
    while levels < len(parents):
        level = {child.lower() for child, above in parents.items() if level.intersection(map(str.lower, above))}
        if not level:
            break
        levels += 1
    return levels


def _walk(record: Record, levels: int, deleted: Deleted) -> tuple[Branch, dict[str, Key]]:
    if deleted == "exclude":
        return record.corpus.branch(record.key, depth=levels, limit=WALKED)
    return whole_branch(record.corpus, record.key, depth=levels, limit=WALKED)


def _nodes(
    record: Record, shown: Sequence[BranchNode], keys: dict[str, Key], artifacts: dict[Key, StoredArtifact], budget: int
) -> tuple[list[dict[str, Any]], int]:
    """The rows of the first nodes, as many as an answer could hold, and how many are left out."""
    fitting = shown[: max(budget // _LEAST_NODE, 1)]
    around = record.corpus.around(
        [keys[n.artifact_id] for n in fitting], deleted="include", each=0, whole=(SUPERSEDES,)
    )
    rows = []
    for node in fitting:
        key = keys[node.artifact_id]
        row = compact_row(record.corpus, key, artifacts[key], around[key], parent=False)
        row["depth"] = node.depth
        if node.parent_id is not None:
            row[PARENT] = keys[node.parent_id].artifact_id
        rows.append(row)
    return rows, len(shown) - len(fitting)


def _losses(walked: Branch, keys: dict[str, Key], answer: dict[str, Any]) -> None:
    """The two ways besides a cut in which a branch is smaller than the graph."""
    if walked.cycles:
        cycles = [[keys[i].artifact_id for i in cycle] for cycle in walked.cycles]
        answer["cycles"] = cycles[:CYCLES_LISTED]
        if len(cycles) > CYCLES_LISTED:
            answer["cycles_truncated"] = cut(CAP, len(cycles), CYCLES_LISTED, "mend the parents of those listed first")
    if walked.withdrawn:
        ids = [keys[i].artifact_id for i in walked.withdrawn]
        note = "gone from their source, with all beneath them; deleted='include' walks them"
        listed = ids[:WITHDRAWN_LISTED]
        answer["withdrawn"] = cut("withdrawn", len(ids), len(listed), note, ids=listed)
