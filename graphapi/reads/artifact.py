"""``get_artifact``: one artifact by its id, as a brief, as its full record, or as the branch beneath it (004 2b)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from graphapi.domain.criteria import fingerprint, read_criteria
from graphapi.domain.dates import as_text
from graphapi.domain.links import PARENT, REVISES, SUPERSEDES
from graphapi.domain.refusals import BadArguments, UnknownArtifact
from graphapi.models import LedgerEntry, Project
from graphapi.reads.answer import begin, finish
from graphapi.reads.arguments import deleted_state, widens
from graphapi.reads.branch import branch
from graphapi.reads.brief import brief, withheld_record
from graphapi.reads.full_record import Asked, full_record, settle
from graphapi.reads.payloads.artifact import ArtifactPayload
from graphapi.reads.reach import Reach
from graphapi.reads.reader import Reader
from graphapi.reads.record import Record, corpus_of, record_of, unknown
from graphapi.store.port import Deleted, GraphStore, StoredArtifact, StoredLink

_LINK_LIMIT = 2000


def get_artifact(
    reader: Reader,
    *,
    artifact_id: str,
    depth: int | str | None = None,
    history_after: str | None = None,
    deleted: str | None = None,
    inferred: str | None = None,
    project: str | None = None,
    projects: Sequence[str] | None = None,
) -> ArtifactPayload:
    """One artifact, within the reader's budget (004 section 2b).

    An id alone gives the brief; ``history_after`` or ``deleted`` the full record, whose history goes on after that
    cursor; ``depth`` the branch beneath it. A withheld artifact answers from the ledger. Raises
    :class:`UnknownArtifact`, :class:`CursorGone`, :class:`BadArguments`, what :meth:`Reader.reach` raises and
    ``StoreUnavailable``.
    """
    state, everything = deleted_state(deleted), widens(inferred)
    if depth is not None and history_after is not None:
        raise BadArguments("a branch has no history to page", fix=f"get_artifact({artifact_id!r}, history_after='')")
    reach = reader.reach(project, projects)
    corpus = corpus_of(reader, reach)
    if depth is not None:
        record = record_of(corpus, artifact_id)
        answer = begin(reach, record.home)
        shelves = branch(reader, record, answer, depth=depth, deleted=state, everything=everything)
        return cast(ArtifactPayload, finish(reader, reach, answer, shelves))
    found = corpus.locate(artifact_id)
    record_ = Record(corpus, *found) if found else None
    if entry := _withheld_entry(reach, artifact_id, record_):
        answer = begin(reach, entry.project)
        return cast(ArtifactPayload, finish(reader, reach, answer, withheld_record(entry, record_, answer)))
    if record_ is None:
        raise unknown(reach.all, artifact_id)
    answer = begin(reach, record_.home)
    if history_after is None and deleted is None:
        shelves = brief(reader, record_, answer)
    else:
        asked = Asked(history_after, state, whole_summary=everything)
        shelves = full_record(reader, record_, asked, answer)
    return cast(ArtifactPayload, settle(finish(reader, reach, answer, shelves)))


def _withheld_entry(reach: Reach, artifact_id: str, record: Record | None) -> LedgerEntry | None:
    """Its entry in the ledger, where that or the graph says it is withheld."""
    projects = [record.home] if record else list(reach.all)
    rows = LedgerEntry.objects.filter(project__in=projects, artifact_id=artifact_id).select_related("project")
    if record is None or not record.artifact.withheld:
        rows = rows.filter(withheld=True)
    return min(rows, key=lambda entry: projects.index(entry.project), default=None)


def artifact_record(project: Project, store: GraphStore, artifact_id: str) -> dict[str, Any]:
    """The record of one id. A withheld one answers from the ledger, a deleted one marked.

    Raises :class:`UnknownArtifact`, and ``StoreUnavailable`` where the graph is down.
    """
    entry = project.ledger.filter(artifact_id=artifact_id).first()
    stored = store.get(project.namespace, [artifact_id])
    if entry is None or not stored:
        raise UnknownArtifact(
            f"{artifact_id!r} is no artifact of {project.name}", fix="ids match by exact case; see `revetly status`"
        )  # fmt: skip
    artifact = stored[0]
    deleted: Deleted = "include" if artifact.deleted else "exclude"
    links = store.neighbours(project.namespace, [artifact_id], deleted=deleted, limit=_LINK_LIMIT + 1)
    cut = len(links) > _LINK_LIMIT
    links = links[:_LINK_LIMIT]
    far_ids = sorted({far_end(link, artifact_id) for link in links})
    far = {a.artifact_id: a for a in store.get(project.namespace, far_ids)}
    record = _withheld(entry) if entry.withheld else _own_words(artifact)
    record |= _address(artifact)
    record |= _marks(artifact, links)
    outgoing = [link for link in links if link.source_id == artifact_id]
    parents = [link.target_id for link in outgoing if link.relation == PARENT]
    if parents:
        record["parent"] = parents[0]
    record["declared_links"] = _by_relation(outgoing)
    record["links"] = [_link(link, artifact_id, far) for link in links]
    if cut:
        record["links_truncated"] = {"reason": "cap", "listed": _LINK_LIMIT}
    if history := _history(project, artifact_id):
        record["history_entries"] = history
    return record


def far_end(link: StoredLink, near: str) -> str:
    return link.target_id if link.source_id == near else link.source_id


def _own_words(artifact: StoredArtifact) -> dict[str, Any]:
    criteria = read_criteria(artifact.body)
    words: dict[str, Any] = {
        "artifact_id": artifact.artifact_id,
        "title": artifact.title,
        "kind": artifact.kind,
        "artifact_type": artifact.artifact_type,
        "status": artifact.status,
        "body": artifact.body,
        "acceptance_criteria": list(criteria.items),
        "metadata": dict(artifact.metadata),
    }
    if artifact.kind == "pbi" and criteria.unparsed:
        words["criteria_unparsed"] = True
    for key in ("owner", "open_questions"):
        if artifact.metadata.get(key):
            words[key] = artifact.metadata[key]
    return words


def _withheld(entry: LedgerEntry) -> dict[str, Any]:
    return {"artifact_id": entry.artifact_id, "kind": entry.kind, "withheld": True, "in_context": False}


def _address(artifact: StoredArtifact) -> dict[str, Any]:
    return {
        "provenance": artifact.provenance,
        "source_uri": artifact.source_uri,
        "source_path": artifact.source_path,
        "source_created_at": artifact.source_created_at,
        "source_updated_at": artifact.source_updated_at,
        "ingested_at": artifact.ingested_at,
    }


def _marks(artifact: StoredArtifact, links: list[StoredLink]) -> dict[str, Any]:
    marks: dict[str, Any] = {}
    if artifact.deleted:
        marks |= {"deleted": True, "deleted_at": artifact.deleted_at, "deleted_clock": artifact.deleted_clock}
        if artifact.deleted_note:
            marks["deleted_note"] = artifact.deleted_note
    arriving = [link for link in links if link.target_id == artifact.artifact_id and link.invalid_at is None]
    if successors := [link.source_id for link in arriving if link.relation == SUPERSEDES]:
        marks["superseded_by"] = successors[0] if len(successors) == 1 else successors
    revising = [link for link in arriving if link.method == REVISES]
    if revising:
        criteria = read_criteria(artifact.body).items
        newest = sorted(revising, key=lambda link: (link.valid_at or "", link.source_id), reverse=True)
        marks["revised_by"] = [_revision(link, criteria) for link in newest]
    return marks


def _revision(link: StoredLink, criteria: tuple[str, ...]) -> dict[str, Any]:
    row: dict[str, Any] = {"artifact_id": link.source_id}
    positions = link.attributes.get("criteria")
    if positions:
        row["criteria"] = positions
    if prints := link.attributes.get("criteria_fp"):
        now = [fingerprint(criteria[p - 1]) if p <= len(criteria) else None for p in positions or ()]
        row["criterion_changed"] = now != list(prints)
    return row


def _by_relation(links: list[StoredLink]) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for link in links:
        if link.invalid_at is None and link.target_id not in out.setdefault(link.relation, []):
            out[link.relation].append(link.target_id)
    return {relation: ids for relation, ids in out.items() if ids}


def _link(link: StoredLink, near: str, far: dict[str, StoredArtifact]) -> dict[str, Any]:
    other_id = far_end(link, near)
    other = far.get(other_id)
    row: dict[str, Any] = {
        "direction": "out" if link.source_id == near else "in",
        "relation": link.relation,
        "method": link.method,
        "artifact_id": other_id,
        "title": other.title if other else "",
    }
    if link.attributes:
        row |= dict(link.attributes)
    if other is not None and other.deleted:
        row["other_deleted"] = True
    if link.invalid_at:
        row |= {"invalid_at": link.invalid_at, "invalid_reason": link.invalid_reason}
    return row


def _history(project: Project, artifact_id: str) -> list[dict[str, Any]]:
    rows = project.history.filter(artifact_id=artifact_id).order_by("position")[:200]
    return [{"at": as_text(h.at), "action": h.action, "by": h.by, **h.detail} for h in rows]
