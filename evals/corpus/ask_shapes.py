"""The shapes of what the planted questions ask, before a seed has given anything an id."""

from __future__ import annotations

from dataclasses import dataclass

from .material import DecisionText


@dataclass(frozen=True)
class TopicAsked:
    """A question about one planted statement, in words a colleague would use."""

    statement: str
    query: str
    topic: str
    stretch: str


@dataclass(frozen=True)
class CodeChange:
    """A commit of the code repository: one file before and after, and a message that says what and never why."""

    path: str
    before: str
    after: str
    subject: str
    body: str


@dataclass(frozen=True)
class WhyAsked:
    """A why question, the note that answers it and the commit that carries its words."""

    query: str
    stretch: str
    note: DecisionText
    change: CodeChange


@dataclass(frozen=True)
class PairAsked:
    """A question with a standing and a fallen answer; ``topic`` is set where binding is asked too."""

    query: str
    stretch: str
    fallen: DecisionText
    standing: DecisionText
    topic: str | None = None


@dataclass(frozen=True)
class AuthoringAsked:
    """What somebody about to draft would type, and the story that it would duplicate."""

    intent: str
    story: str
    retired: str | None = None
