"""What ``search_context`` answers (004 section 5)."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class Marks(TypedDict):
    """What a row never loses. ``provenance`` stands where it is not source-of-record."""

    superseded_by: NotRequired[str]
    discard_reason: NotRequired[str]
    deleted: NotRequired[bool]
    deleted_at: NotRequired[str]
    deleted_clock: NotRequired[str]
    deleted_note: NotRequired[str]
    provenance: NotRequired[str]
    revised_by: NotRequired[list[dict[str, Any]]]
    revised_by_truncated: NotRequired[dict[str, Any]]
    row_truncated: NotRequired[dict[str, Any]]


class Links(TypedDict):
    """At most three ids each, those that the answer serves first. ``more``: how many the row does not list, in all.
    ``other_deleted``: which of those listed are withdrawn."""

    cites: NotRequired[list[str]]
    cited_by: NotRequired[list[str]]
    references: NotRequired[list[str]]
    referenced_by: NotRequired[list[str]]
    mentions: NotRequired[list[str]]
    mentioned_by: NotRequired[list[str]]
    more: NotRequired[int]
    other_deleted: NotRequired[list[str]]


class ArtifactRow(Marks):
    """``summary`` is the title, a line break and the beginning of the body.

    ``links`` is off where the signals could not be read. ``inferred_summary`` stands on a full instance alone;
    ``inferred_summary_sentences_total`` beside it where it was cut to its first sentences.
    """

    artifact_id: str
    project: NotRequired[str]
    title: str
    kind: str
    artifact_type: NotRequired[str]
    status: NotRequired[str]
    source_updated_at: str | None
    source_uri: str | None
    summary: str
    method: str
    links: NotRequired[Links]
    inferred_summary: NotRequired[str]
    inferred_summary_sentences_total: NotRequired[int]


class PassageRow(Marks):
    artifact_id: str
    project: NotRequired[str]
    title: str
    kind: str
    excerpt: str
    method: str
    source_uri: str | None


class FactRow(TypedDict):
    """A declared relation joins two artifacts; a statement has one end that can be looked up, the note it stands in.

    A statement's ``relation`` is ``states`` and its ``method`` what it is (Decision, Assumption, Constraint). A row
    that a model inferred has ``inferred`` in the place of ``method``. ``invalid_at`` marks a relation that its source
    took back, ``retired_at`` a statement, ``other_deleted`` a row with an end that its source withdrew. ``project`` is
    that of the first endpoint.
    """

    fact: str
    endpoints: list[str]
    project: NotRequired[str]
    relation: str
    method: NotRequired[str]
    invalid_at: NotRequired[str]
    retired_at: NotRequired[str]
    other_deleted: NotRequired[bool]
    inferred: NotRequired[bool]
    stated_at: NotRequired[str]
    sources_retired: NotRequired[bool]
    unnamed_endpoints: NotRequired[bool]
    row_truncated: NotRequired[dict[str, Any]]


class ConceptRow(TypedDict):
    """``summary_sentences_total`` stands where the summary was cut to its first sentences."""

    name: str
    project: NotRequired[str]
    summary: str
    summary_sentences_total: NotRequired[int]


class InferredCap(TypedDict):
    """The most rows of each shelf, and the most sentences of a summary. Absent where ``inferred='all'`` lifts it."""

    concepts: int
    facts: int
    summary_sentences: int


class SearchPayload(TypedDict):
    """``concepts`` and ``inferred_facts`` say that they are absent where nothing was inferred; with a model,
    ``concepts`` is a list and what it inferred ends ``facts``.

    ``limit`` bounds ``artifacts``, ``passages`` and ``facts`` each and is no cut. ``truncated`` and
    ``passages_truncated`` tell what the budget took of artifacts and passages. ``facts_truncated`` is about the rows
    that ``deterministic_facts`` counts, ``truncated_facts`` about those behind them.
    """

    project: NotRequired[str]
    projects: NotRequired[list[str]]
    artifacts: list[ArtifactRow]
    passages: list[PassageRow]
    facts: list[FactRow]
    deterministic_facts: int
    concepts: list[ConceptRow] | dict[str, Any]
    inferred_facts: NotRequired[dict[str, Any]]
    inferred_cap: NotRequired[InferredCap]
    invalidated: NotRequired[dict[str, int]]
    inferred_retired: NotRequired[dict[str, int]]
    ranking: NotRequired[dict[str, bool]]
    truncated: NotRequired[dict[str, Any]]
    passages_truncated: NotRequired[dict[str, Any]]
    facts_truncated: NotRequired[dict[str, Any]]
    truncated_facts: NotRequired[dict[str, Any]]
    truncated_concepts: NotRequired[dict[str, Any]]
    truncated_inferred_summaries: NotRequired[dict[str, Any]]
    freshness: dict[str, Any]
    history: NotRequired[dict[str, Any]]
    context_health: NotRequired[dict[str, Any]]
    withheld: NotRequired[dict[str, Any]]
