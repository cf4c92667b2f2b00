"""``get_artifact``: one artifact by its id, as a brief, as its full record, or as the branch beneath it (004 2b)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from graphapi.domain.ids import id_problem
from graphapi.domain.refusals import BadArguments
from graphapi.models import LedgerEntry
from graphapi.reads.answer import begin, finish
from graphapi.reads.arguments import deleted_state, widens
from graphapi.reads.branch import branch
from graphapi.reads.brief import brief, withheld_record
from graphapi.reads.full_record import Asked, full_record, settle
from graphapi.reads.payloads.artifact import ArtifactPayload
from graphapi.reads.reach import Reach
from graphapi.reads.reader import Reader
from graphapi.reads.record import Record, corpus_of, record_of, unknown

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
    if id_problem(artifact_id):
        raise unknown(reach.all, artifact_id)
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
