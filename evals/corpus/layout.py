"""The planned corpus as data: every artifact, what it links to, what is planted where. Gold and files both read it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from .ask_shapes import CodeChange
from .material import BacklogText, DecisionText, Person, Size, Statement, TalkText

EntryKind = Literal["epic", "feature", "story", "conversation", "decision", "delivery"]
Verdict = Literal["held", "departed"]


@dataclass(frozen=True)
class Ruling:
    """One verdict of a delivery record on the criterion at a position counted from 1."""

    criterion: int
    text: str
    verdict: Verdict
    reason: str | None = None
    decided_by: Person | None = None


@dataclass(frozen=True)
class Turn:
    """One spoken turn of a conversation: who, and the one sentence said."""

    speaker: Person
    text: str


@dataclass(frozen=True)
class Talk:
    """A conversation note's content: its setting and its turns in order. ``opened`` is the story it led to."""

    text: TalkText
    turns: tuple[Turn, ...]
    opened: str


@dataclass(frozen=True)
class Delivery:
    """A delivery record's content. It rules every criterion of its story."""

    story: str
    rulings: tuple[Ruling, ...]
    shipped: str


@dataclass(frozen=True)
class Entry:
    """One artifact file. ``mentions`` are exactly the ids that its body names, in the order it names them."""

    id: str
    kind: EntryKind
    title: str
    date: datetime
    author: Person
    content: BacklogText | Talk | DecisionText | Delivery
    status: str | None = None
    parent: str | None = None
    cites: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    delivers: str | None = None
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Planted:
    """A statement and the note this seed planted it in."""

    note: str
    statement: Statement


@dataclass(frozen=True)
class PlantedDecoy:
    """A decoy sentence and the note this seed put it in."""

    note: str
    sentence: str


@dataclass(frozen=True)
class Base:
    """Everything but the question material, which nothing here depends on. ``entries`` stand in the order of dates."""

    seed: int
    size: Size
    entries: tuple[Entry, ...]
    planted: tuple[Planted, ...]
    decoys: tuple[PlantedDecoy, ...]


@dataclass(frozen=True)
class CodeCommit:
    """One commit of ``code/``: its id, all files after it, and what it says."""

    sha: str
    date: datetime
    author: Person
    message: str
    files: tuple[tuple[str, str], ...]
    change: CodeChange

    @property
    def artifact_id(self) -> str:
        return f"code@{self.sha[:12]}"


@dataclass(frozen=True)
class Withdrawal:
    """The one commit that deletes the withdrawn note's file, and nothing else."""

    artifact_id: str
    path: str
    date: datetime
    author: Person
    message: str


@dataclass(frozen=True)
class Asked:
    """The question material of the full corpus: eight notes, four commits and a withdrawal. Ids by what they serve."""

    entries: tuple[Entry, ...]
    commits: tuple[CodeCommit, ...]
    withdrawal: Withdrawal
    why_notes: tuple[tuple[str, str], ...]
    retired: str
    successor: str
    standing: str
