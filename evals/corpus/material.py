"""The shapes of the fixed material: what every seed has in common, before any of it is placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

StatementType = Literal["Decision", "Assumption", "Constraint"]
Size = Literal["full", "small"]


@dataclass(frozen=True)
class Person:
    """Somebody of the fictional crew. Commits, notes and records are theirs."""

    sub: str
    name: str
    role: str

    @property
    def email(self) -> str:
        return f"{self.sub}@example.com"


@dataclass(frozen=True)
class Statement:
    """One sentence to plant. ``accepts`` holds every type it may honestly be read as, the primary ``type`` first."""

    key: str
    type: StatementType
    passage: str
    also: tuple[StatementType, ...] = ()

    @property
    def accepts(self) -> tuple[StatementType, ...]:
        return (self.type, *self.also)


@dataclass(frozen=True)
class Departure:
    """How a story would depart from one of its criteria, should a seed have it depart."""

    criterion: int
    reason: str


@dataclass(frozen=True)
class BacklogText:
    """An epic, a feature or a story: what its file says, apart from what the seed links it to."""

    id: str
    type: Literal["epic", "feature", "story"]
    title: str
    slug: str
    prose: tuple[str, ...]
    parent: str | None = None
    status: str = "ready"
    labels: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    discard_reason: str | None = None
    criteria: tuple[str, ...] = ()
    departure: Departure | None = None
    shipped: str | None = None


@dataclass(frozen=True)
class TalkText:
    """The setting of a conversation: who sat where, and small talk that states nothing."""

    title: str
    setting: str
    asides: tuple[str, str]
    close: str


@dataclass(frozen=True)
class DecisionText:
    """A decision note's own words. ``epic`` is the one backlog root the note is about, where there is one."""

    title: str
    decision: str
    why: str
    alternatives: tuple[str, ...]
    epic: str | None = None


CREW: tuple[Person, ...] = (
    Person("imke.brandt", "Imke Brandt", "product owner"),
    Person("tomas.lind", "Tomas Lind", "analyst"),
    Person("ruth.okafor", "Ruth Okafor", "harbour office"),
    Person("jonas.vik", "Jonas Vik", "engineer"),
    Person("mirela.petrov", "Mirela Petrov", "tester"),
)
