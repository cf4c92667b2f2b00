"""The backlog of the drafting bundle: slim briefs of the nearest work items (004 section 2b, get_authoring_context)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphapi.domain.artifact import natural_key
from graphapi.domain.criteria import read_criteria
from graphapi.ranking import retrieval
from graphapi.reads.budget import BY_ID, cut, listed_within, size
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.marks import ROW_ROOM, bounded, marks, parent_of, revisions
from graphapi.reads.search_gather import Found, Gathered
from graphapi.store.port import Deleted, StoredArtifact

# Bytes that one row's criteria and links may take: most items fit whole, and none crowds the next one out.
CRITERIA_ROOM = 1500
LINKS_ROOM = 600
BODY_HEAD = 200
# Links read of all rows together, so that what a room left out is counted exactly.
LINKS_MOST = 20_000


def backlog_rows(
    corpus: Corpus, gathered: Gathered, served: Sequence[Found], deleted: Deleted
) -> list[dict[str, Any]]:  # fmt: skip
    """A row for each item in ``served``, in that order; one round trip a project for their links."""
    links = _declared_links(corpus, [found.key for found in served], deleted)
    return [_row(corpus, gathered, found, links[found.key]) for found in served]


def _declared_links(
    corpus: Corpus, keys: Sequence[Key], deleted: Deleted
) -> dict[Key, dict[str, list[str]]]:  # fmt: skip
    """What each item states itself, by relation, in natural order of the far ids."""
    out: dict[Key, dict[str, list[str]]] = {key: {} for key in keys}
    for edge in corpus.neighbours(keys, direction="out", deleted=deleted, limit=LINKS_MOST):
        if edge.source in out:
            out[edge.source].setdefault(edge.row.relation, []).append(edge.target.artifact_id)
    for relations in out.values():
        for relation, far in relations.items():
            relations[relation] = sorted(dict.fromkeys(far), key=natural_key)
    return out


def _row(corpus: Corpus, gathered: Gathered, found: Found, links: dict[str, list[str]]) -> dict[str, Any]:
    artifact, groups = gathered.rows[found.key], gathered.around.get(found.key, ())
    row: dict[str, Any] = {"artifact_id": artifact.artifact_id, **corpus.label(found.key)}
    row |= {"title": artifact.title, "status": artifact.status}
    if above := parent_of(artifact, groups):
        row["parent"] = above
    row["method"] = found.method
    row |= _criteria(artifact) | _links(links) | _body(artifact) | marks(artifact, groups)
    if retrieval.REVISED_BY_MARK:
        row |= revisions(artifact, groups)
    return bounded(row)


def _criteria(artifact: StoredArtifact) -> dict[str, Any]:
    criteria = read_criteria(artifact.body)
    whole = list(criteria.items)
    listed = whole[: listed_within(whole, CRITERIA_ROOM)]
    out: dict[str, Any] = {"acceptance_criteria": listed}
    if len(listed) < len(whole):
        out["acceptance_criteria_truncated"] = cut(ROW_ROOM, len(whole), len(listed), BY_ID)
    if criteria.unparsed:
        out["criteria_unparsed"] = True
    return out


def _links(links: dict[str, list[str]]) -> dict[str, Any]:
    """The ids that fit, a relation after the other, the strongest claim first."""
    whole = [(relation, far) for relation, ids in links.items() for far in ids]
    listed: dict[str, list[str]] = {}
    used = count = 0
    for relation, far in whole:
        used += size(far) + 1 + (0 if relation in listed else size(relation) + 4)
        if used > LINKS_ROOM:
            break
        listed.setdefault(relation, []).append(far)
        count += 1
    out: dict[str, Any] = {"declared_links": listed}
    if count < len(whole):
        out["declared_links_truncated"] = cut(ROW_ROOM, len(whole), count, BY_ID)
    return out


def _body(artifact: StoredArtifact) -> dict[str, Any]:
    out: dict[str, Any] = {"body": artifact.body[:BODY_HEAD]}
    if len(artifact.body) > BODY_HEAD:
        out["body_truncated"] = cut(ROW_ROOM, len(artifact.body), BODY_HEAD, BY_ID)
    return out
