"""What ``get_scope(question='binding')`` answers (004 sections 2b and 5)."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class Statement(TypedDict):
    """One statement. A note that is one has ``artifact_type`` and its own decision as ``passage``.

    What a model read in a note has ``inferred`` true, its ``shelf``, its sentence as ``fact`` and the verbatim
    ``passage``; ``artifact_id`` is then the note that holds it. ``method`` is how the member under ``bears_on``
    reaches it: the strongest claim of that member's own links, the last link's word where a document lies between,
    ``states`` for what is read in prose, ``topic-match`` for a note that a topic matched, which bears on itself.
    ``withheld``: the note is, so its title and passage are blank.
    Rows carry the marks of every row besides (``superseded_by``, ``discard_reason``, the deletion marks).
    """

    artifact_id: str
    project: NotRequired[str]
    title: str
    artifact_type: NotRequired[str | None]
    shelf: NotRequired[str]
    fact: NotRequired[str]
    passage: str
    method: str
    stated_at: str | None
    provenance: str
    source_path: str | None
    source_uri: str | None
    bears_on: str
    also_bears_on: NotRequired[list[str]]
    also_bears_on_truncated: NotRequired[dict[str, Any]]
    superseded_by: NotRequired[str]
    withheld: NotRequired[bool]
    inferred: NotRequired[bool]
    sources_retired: NotRequired[bool]
    deleted: NotRequired[bool]


class Matched(TypedDict):
    artifact_id: str
    project: NotRequired[str]
    title: str
    kind: str


class Revised(TypedDict):
    """``revised_by`` as ``get_artifact`` serves it on the same item."""

    artifact_id: str
    project: NotRequired[str]
    revised_by: list[dict[str, Any]]


class Scope(TypedDict):
    """What was asked about: one of the first three keys says which. ``members`` counts the artifacts of the scope.

    ``matched`` and ``weaker_matches`` belong to a topic, and ``note`` to one without a word that names anything.
    ``members_truncated``: the branch went on past the most a scope holds; ``links_truncated``: members have more
    links than were walked; the deletion marks stand on a scope whose root is deleted.
    """

    artifact_id: NotRequired[str]
    topic: NotRequired[str]
    path: NotRequired[str]
    project: NotRequired[str]
    members: int
    matched: NotRequired[list[Matched]]
    matched_truncated: NotRequired[dict[str, Any]]
    weaker_matches: NotRequired[int]
    note: NotRequired[str]
    revised: NotRequired[list[Revised]]
    revised_truncated: NotRequired[dict[str, Any]]
    members_truncated: NotRequired[dict[str, Any]]
    links_truncated: NotRequired[dict[str, Any]]
    deleted: NotRequired[bool]


class Ancestor(TypedDict):
    """How many statements of one ancestor were left out, and the call that serves them all."""

    count: int
    project: NotRequired[str]
    read: str


class GatheredFrom(TypedDict):
    """Where statements come from. ``entity_types_present``: the shelves of the statements this scope reaches; empty
    where the corpus holds none at all; ``{"absent": true, "reason"}`` on a lite instance (``lite``) and where the
    corpus holds some and this scope reaches none (``not-reached``)."""

    document_types: list[str]
    entity_types: list[str]
    entity_types_present: list[str] | dict[str, Any]


class Behind(TypedDict):
    """A story or a decision note behind a file; ``commits`` and ``last`` are a story's alone. A ``withheld`` one has a
    blank title."""

    artifact_id: str
    project: NotRequired[str]
    title: str
    kind: str
    withheld: NotRequired[bool]
    why: str
    commits: NotRequired[int]
    last: NotRequired[str]


class Repository(TypedDict):
    """A repository that had the file, as it is named there today, and the first and last commit to it.

    ``cut_at``: the clone is shallow, and what touched the file up to then is not known; without a later commit
    ``first`` and ``last`` are null.
    """

    repository: str
    project: NotRequired[str]
    file: str
    first: str | None
    last: str | None
    cut_at: NotRequired[str]


class PathFound(TypedDict):
    """``reason`` says why ``behind`` is empty; ``unread`` names repositories that could not be asked, and why."""

    repos: list[Repository]
    repos_truncated: NotRequired[dict[str, Any]]
    reason: NotRequired[str]
    unread: NotRequired[list[dict[str, str]]]


class Binding(TypedDict):
    """The answer. ``behind``, ``more_ranked`` and ``path`` belong to a path.

    ``statements`` lead with the ``deterministic_statements`` stated ones. ``inferred_statements`` reads absent where
    nothing may be read in prose. ``ancestors_summarised`` maps an ancestor's id (``project:id`` where two
    projects' ancestors share it) to what was left out of it.
    ``truncated`` names under ``cut`` the shelves of which a cap left nothing. ``inferred_retired.count`` is how many
    inferred statements have no source that stands. ``note`` says that nothing was gathered.
    """

    project: NotRequired[str]
    projects: NotRequired[list[str]]
    scope: Scope
    path: NotRequired[PathFound]
    behind: NotRequired[list[Behind]]
    behind_truncated: NotRequired[dict[str, Any]]
    more_ranked: NotRequired[int]
    statements: list[Statement]
    deterministic_statements: int
    inferred_statements: NotRequired[dict[str, Any]]
    gathered_from: GatheredFrom
    ancestors_summarised: NotRequired[dict[str, Ancestor]]
    inferred_retired: NotRequired[dict[str, Any]]
    truncated: NotRequired[dict[str, Any]]
    note: NotRequired[str]
