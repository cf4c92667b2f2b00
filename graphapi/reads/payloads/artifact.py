"""What ``get_artifact`` serves for an id (004 section 2b)."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from graphapi.reads.payloads.branch import BranchKeys


class Cut(TypedDict):
    """How every cut reads: a reason code, how much the whole holds, how much is listed, and a few words."""

    reason: str
    whole: int
    listed: int
    note: str
    reasons: NotRequired[dict[str, int]]
    keys: NotRequired[list[str]]


class RevisedBy(TypedDict):
    """``criteria`` are 1-based positions; ``criterion_changed`` stands only where the note fingerprinted them."""

    id: str
    criteria: NotRequired[list[int]]
    criterion_changed: NotRequired[bool]


class AbsentHalf(TypedDict):
    absent: bool
    reason: str


class FullRecordCounts(TypedDict):
    """What the full record of the id holds beside the brief. ``change_notes`` counts the changes of its file."""

    inferred_links: int | AbsentHalf
    history_entries: int
    change_notes: int
    metadata_keys: int
    inferred_summary: bool


class LinkRow(TypedDict):
    """One link, with what its relation carries besides (a revision's ``criteria``) under the source's own names."""

    relation: str
    artifact_id: str
    project: NotRequired[str]
    title: str
    direction: str
    method: str
    fact: NotRequired[str]
    stated_at: NotRequired[str]
    other_deleted: NotRequired[bool]
    invalid_at: NotRequired[str]
    invalid_reason: NotRequired[str]
    retracted: NotRequired[bool]
    reason: NotRequired[str]
    inferred: NotRequired[bool]
    unnamed_endpoints: NotRequired[bool]
    sources_retired: NotRequired[bool]


class HistoryEntryRow(TypedDict):
    """A step the source records, with whatever else it says of it (``from``, ``to``, ``reason``) beside these."""

    at: str | None
    action: str
    by: NotRequired[dict[str, Any]]
    row_truncated: NotRequired[Cut]


class ChangeNote(TypedDict):
    """A change of the artifact's file; one that nobody committed has no time, and says so."""

    at: str | None
    commit: NotRequired[str]
    subject: NotRequired[str]
    by: NotRequired[str]
    uncommitted: NotRequired[bool]


class ArtifactPayload(BranchKeys):
    """The brief; with ``history_after`` or ``deleted`` the full record, which has ``links`` and what follows them in
    place of ``declared_links`` and ``full_record``; with ``depth`` a branch. A withheld artifact has ``in_context``
    false, ``why``, its place and its ``declared_links``, and none of its words."""

    title: NotRequired[str]
    kind: NotRequired[str]
    artifact_type: NotRequired[str | None]
    status: NotRequired[str | None]
    owner: NotRequired[Any]
    provenance: NotRequired[str]
    source_uri: NotRequired[str | None]
    source_path: NotRequired[str | None]
    source_updated_at: NotRequired[str | None]
    parent: NotRequired[str]
    body: NotRequired[str]
    body_truncated: NotRequired[Cut]
    acceptance_criteria: NotRequired[list[str]]
    acceptance_criteria_truncated: NotRequired[Cut]
    criteria_unparsed: NotRequired[bool]
    open_questions: NotRequired[list[Any]]
    open_questions_truncated: NotRequired[Cut]
    declared_links: NotRequired[dict[str, list[str]]]
    declared_links_truncated: NotRequired[Cut]
    superseded_by: NotRequired[str]
    discard_reason: NotRequired[str]
    revised_by: NotRequired[list[RevisedBy]]
    revised_by_truncated: NotRequired[Cut]
    full_record: NotRequired[FullRecordCounts]
    in_context: NotRequired[bool]
    why: NotRequired[str]
    links: NotRequired[list[LinkRow]]
    links_truncated: NotRequired[Cut]
    deterministic_links: NotRequired[int]
    inferred_links: NotRequired[AbsentHalf]
    history_entries: NotRequired[list[HistoryEntryRow]]
    history_entries_truncated: NotRequired[Cut]
    history_total: NotRequired[int]
    history_next: NotRequired[str]
    source_change_notes: NotRequired[list[ChangeNote]]
    source_change_notes_truncated: NotRequired[Cut]
    source: NotRequired[str]
    source_created_at: NotRequired[str | None]
    first_ingested_at: NotRequired[str]
    ingested_at: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]
    metadata_truncated: NotRequired[Cut]
    inferred_summary: NotRequired[str]
    truncated_inferred_summaries: NotRequired[Cut]
    values_truncated: NotRequired[Cut]
