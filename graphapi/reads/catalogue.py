"""The reads by name: what each takes and answers, once for every door (004 section 2; design: tools).

REST, the commands and the documentation of both are made from this table, so an argument has one name, one default and
one explanation wherever it is given. The reads themselves check their arguments; nothing here decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from graphapi.domain.artifact import KINDS
from graphapi.domain.refusals import BadArguments, CursorGone, Refusal, UnknownArtifact
from graphapi.reads.artifact import get_artifact
from graphapi.reads.authoring import get_authoring_context
from graphapi.reads.backlog import list_backlog
from graphapi.reads.health import context_health
from graphapi.reads.payloads.artifact import ArtifactPayload
from graphapi.reads.payloads.authoring import AuthoringContext
from graphapi.reads.payloads.backlog import BacklogPayload
from graphapi.reads.payloads.binding import Binding
from graphapi.reads.payloads.deltas import Deltas
from graphapi.reads.payloads.drift import Drift
from graphapi.reads.payloads.health import HealthPayload
from graphapi.reads.payloads.search import SearchPayload
from graphapi.reads.reader import Reader
from graphapi.reads.scope import get_scope
from graphapi.reads.search import search_context

# What PostgreSQL refuses in a text, and UTF-8 cannot write.
_UNREADABLE = re.compile("[\x00\ud800-\udfff]")

Form = Literal["text", "whole", "depth", "list"]


@dataclass(frozen=True, slots=True)
class Argument:
    """``whole`` is a whole number between ``low`` and ``high``; ``depth`` one from 0, or ``declared``; ``list`` several
    texts. ``moment``: a text that is a date or an RFC 3339 time."""

    name: str
    says: str
    form: Form = "text"
    required: bool = False
    choices: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    default: int | None = None
    moment: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """``answers`` are the types of its payload, one a form that it takes; ``refusals`` what it refuses with beside what
    any read does; ``example`` arguments that answer on the seeded corpus."""

    name: str
    says: str
    function: Callable[..., Mapping[str, Any]]
    arguments: tuple[Argument, ...]
    answers: tuple[Any, ...] = (dict,)
    refusals: tuple[type[Refusal], ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, reader: Reader, **arguments: Any) -> Mapping[str, Any]:
        """The answer. Raises refusals and ``StoreUnavailable``; :class:`BadArguments` for a name it does not take."""
        known = {a.name for a in self.arguments}
        if strange := sorted(set(arguments) - known):
            raise BadArguments(
                f"{', '.join(strange)}: {self.name} takes no such argument", fix=f"it takes: {', '.join(sorted(known))}"
            )
        missing = [a.name for a in self.arguments if a.required and a.name not in arguments]
        if missing:
            raise BadArguments(f"{', '.join(missing)}: needed and not given", fix=f"give {' and '.join(missing)}")
        forms = {a.name: a.form for a in self.arguments}
        for name, value in arguments.items():
            _readable(name, value, forms[name])
        return self.function(reader, **arguments)


def _readable(name: str, value: Any, form: Form) -> None:
    """Refuse what no argument of ``form`` can be, and text that a database cannot hold, before anything is asked."""
    if value is None:
        return
    texts = value if form == "list" and isinstance(value, list | tuple) else (value,)
    if form in ("text", "list"):
        if strange := [text for text in texts if not isinstance(text, str)]:
            raise BadArguments(f"{name}={strange[0]!r} is no text", fix=f"give {name} as text")
    elif form == "whole" and (isinstance(value, bool) or not isinstance(value, int)):
        raise BadArguments(f"{name}={value!r} is no whole number", fix=f"give {name} as a whole number")
    for text in texts:
        if isinstance(text, str) and (_UNREADABLE.search(text)):
            raise BadArguments(f"{name} holds a NUL or half a character", fix="leave it out")


_SPAN = (
    Argument("project", "The project to read; without it, the default one."),
    Argument("projects", "Several projects to read at once, in place of project.", "list"),
)
_DELETED = Argument(
    "deleted", "include reads deleted work beside the live, only reads it alone.", choices=("include", "only")
)
_INFERRED = Argument("inferred", "all serves the inferred half whole instead of a sample.", choices=("all",))
_DEPTH = Argument("depth", "How many levels down the declared hierarchy: a whole number, or declared.", "depth")


def _limit(high: int, default: int, what: str = "rows") -> Argument:
    return Argument("limit", f"How many {what} at most.", "whole", low=1, high=high, default=default)


SEARCH = Read(
    "search_context",
    "Search every artifact, its own words and the facts stated of it.",
    search_context,
    (
        Argument("query", "What to look for, in words.", required=True),
        _limit(50, 10),
        Argument("kind", "Only these kinds of artifact.", "list", choices=KINDS),
        _DELETED,
        _INFERRED,
        *_SPAN,
    ),
    answers=(SearchPayload,),
    example={"query": "tide"},
)
ARTIFACT = Read(
    "get_artifact",
    "Read one artifact: the brief for an id alone, the full record with history_after, its branch with depth.",
    get_artifact,
    (
        Argument("artifact_id", "The id, in its exact case.", required=True),
        _DEPTH,
        Argument("history_after", "The full record, its history from after this cursor; empty is from the first."),
        _DELETED,
        _INFERRED,
        *_SPAN,
    ),
    answers=(ArtifactPayload,),
    refusals=(UnknownArtifact, CursorGone),
    example={"artifact_id": "STORY-004"},
)
BACKLOG = Read(
    "list_backlog",
    "List the backlog as compact rows, filtered and paged.",
    list_backlog,
    (
        Argument("status", "Only these statuses.", "list"),
        Argument("provenance", "Only work of these provenances.", "list"),
        Argument("pbi_type", "Only these types of work item.", "list"),
        _limit(200, 50),
        Argument("cursor", "The next_cursor of the page before."),
        _DELETED,
        *_SPAN,
    ),
    answers=(BacklogPayload,),
    refusals=(CursorGone,),
    example={"limit": 5},
)
SCOPE = Read(
    "get_scope",
    "Ask one scope a question: drift (asked for against shipped), deltas (what changed), binding (what binds it).",
    get_scope,
    (
        Argument("question", "Which of the three.", required=True, choices=("drift", "deltas", "binding")),
        Argument("artifact_id", "The scope is this artifact and the branch beneath it."),
        Argument("topic", "The scope is what these words match. Binding only."),
        Argument("path", "The scope is what is behind this file. Binding only."),
        _DEPTH,
        Argument("since", "The window begins here; a date is its midnight in UTC.", moment=True),
        Argument("until", "The window ends before this.", moment=True),
        Argument("clock", "What the window is measured on. Deltas only.", choices=("source", "ingest")),
        Argument("limit", "How many rows at most; the question sets the default.", "whole", low=1, high=1000),
        _DELETED,
        *_SPAN,
    ),
    answers=(Drift, Deltas, Binding),
    refusals=(UnknownArtifact,),
    example={"question": "drift"},
)
AUTHORING = Read(
    "get_authoring_context",
    "Gather what a draft starts from: the nearest stories, their documents, and what binds them.",
    get_authoring_context,
    (
        Argument("intent", "What is to be drafted, in words.", required=True),
        _limit(20, 5, "stories"),
        _INFERRED,
        _DELETED,
        *_SPAN,
    ),
    answers=(AuthoringContext,),
    example={"intent": "show the tide on the berth map"},
)
HEALTH = Read(
    "context_health",
    "Say per source whether the last pass landed, and how far back it was read.",
    context_health,
    (
        Argument("capture", "A handle: whether this pass or write has reached what is served."),
        *_SPAN,
    ),
    answers=(HealthPayload,),
)
READS = (SEARCH, ARTIFACT, BACKLOG, SCOPE, AUTHORING, HEALTH)
