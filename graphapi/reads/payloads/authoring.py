"""What ``get_authoring_context`` answers (004 section 2b)."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class BacklogRow(TypedDict):
    """A slim brief of a work item; ``get_artifact`` on the id serves the rest.

    ``acceptance_criteria`` and ``declared_links`` are each as much as their own room holds, whole values only, and
    ``body`` is its first 200 characters; a ``*_truncated`` beside one counts what it left out. ``revised_by`` is what
    ``get_artifact`` serves. The marks of every row besides.
    """

    artifact_id: str
    project: NotRequired[str]
    title: str
    status: str | None
    parent: NotRequired[str]
    method: str
    acceptance_criteria: list[str]
    acceptance_criteria_truncated: NotRequired[dict[str, Any]]
    criteria_unparsed: NotRequired[bool]
    declared_links: dict[str, list[str]]
    declared_links_truncated: NotRequired[dict[str, Any]]
    body: str
    body_truncated: NotRequired[dict[str, Any]]
    superseded_by: NotRequired[str]
    discard_reason: NotRequired[str]
    deleted: NotRequired[bool]
    revised_by: NotRequired[list[dict[str, Any]]]


class Pointer(TypedDict):
    """A statement past the whole ones. What says not to build on it (``superseded_by``, the deletion marks,
    ``sources_retired``) stays on it where it applies."""

    artifact_id: str
    project: NotRequired[str]
    title: str
    bears_on: str
    stated_at: str | None


class Binding(TypedDict):
    """What binds the backlog above, then the notes that only the intent's own words match: stated ones first, what a
    model read in prose last, ``deterministic_statements`` of them stated. A whole row is that of
    ``get_scope(question='binding')`` without ``source_path`` and ``source_uri``; from ``pointers["from"]`` on, rows are
    pointers. ``scope.revised`` has the members that no served backlog row marks itself. ``topic_error`` says why the
    intent's words could not be asked for. ``truncated_ids`` names what the budget took, best first, each once, and
    ``truncated_ids_more`` counts those it lacks.
    """

    scope: dict[str, Any]
    statements: list[dict[str, Any]]
    deterministic_statements: int
    inferred_statements: NotRequired[dict[str, Any]]
    gathered_from: NotRequired[dict[str, Any]]
    ancestors_summarised: NotRequired[dict[str, Any]]
    inferred_retired: NotRequired[dict[str, Any]]
    pointers: NotRequired[dict[str, Any]]
    topic_error: NotRequired[str]
    note: NotRequired[str]
    truncated: NotRequired[dict[str, Any]]
    truncated_ids: NotRequired[list[str]]
    truncated_ids_more: NotRequired[int]


class AuthoringContext(TypedDict):
    """``related`` is a search over the intent, with the same keys and reports as ``search_context``, less the rows of
    items that the backlog serves: their ids are under ``related["artifacts_in_backlog"]``. ``ranking`` stands where the
    backlog's signals could not be read."""

    project: NotRequired[str]
    projects: NotRequired[list[str]]
    backlog: list[BacklogRow]
    backlog_truncated: NotRequired[dict[str, Any]]
    binding: Binding
    related: dict[str, Any]
    ranking: NotRequired[dict[str, bool]]
