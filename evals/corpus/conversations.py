"""Where the seed puts the sentences: how many statements a note carries, which, and what stands around them.

Specification: "The corpus". In: a seed and a size. Out: for each conversation note its planted statements, and then its
turns, decoys and noise among them.
"""

from __future__ import annotations

from dataclasses import dataclass

from .draw import Draw
from .layout import Planted, PlantedDecoy, Turn
from .material import CREW, Size, Statement, TalkText
from .statements import (
    DECOY_SENTENCES,
    NOISE_NAMES,
    SMALL_STATEMENTS,
    STATEMENTS,
    STATEMENTS_PER_DECOY,
    TICKET_ASIDE,
)
from .talks import TALKS

MOST_PER_NOTE = 3
NOTE_COUNT: dict[Size, int] = {"full": 14, "small": 3}


@dataclass(frozen=True)
class Placement:
    """Which setting each note has and which sentences stand in it, note by note from ``CONV-001`` on."""

    settings: tuple[TalkText, ...]
    turns: tuple[tuple[Turn, ...], ...]
    planted: tuple[Planted, ...]
    decoys: tuple[PlantedDecoy, ...]


def note_id(index: int) -> str:
    """The id of the conversation note at an index counted from 0."""
    return f"CONV-{index + 1:03d}"


def place(seed: int, size: Size) -> Placement:
    """Lay out the conversation notes of a seed."""
    draw = Draw(seed, size, "sentences")
    shelves = _shelves(draw, size)
    asides = _asides(draw, len(shelves))
    settings = tuple(draw.shuffled(TALKS)[: len(shelves)])
    turns: list[tuple[Turn, ...]] = []
    planted: list[Planted] = []
    decoys: list[PlantedDecoy] = []
    waiting = draw.shuffled(DECOY_SENTENCES)
    for index, shelf in enumerate(shelves):
        said: list[str] = [settings[index].asides[0]]
        for statement in shelf:
            planted.append(Planted(note_id(index), statement))
            said.append(statement.passage)
            # One decoy for every three statements, counted over the notes in order, until the eight are placed.
            if len(planted) % STATEMENTS_PER_DECOY == 0 and waiting:
                decoys.append(PlantedDecoy(note_id(index), waiting.pop(0)))
                said.append(decoys[-1].sentence)
        said += [*asides[index], settings[index].asides[1]]
        speakers = draw.shuffled(CREW)
        turns.append(tuple(Turn(speakers[i % len(speakers)], text) for i, text in enumerate(said)))
    return Placement(settings, tuple(turns), tuple(planted), tuple(decoys))


def _shelves(draw: Draw, size: Size) -> list[list[Statement]]:
    """The statements of each note: first how many, then which."""
    statements = draw.shuffled(STATEMENTS if size == "full" else SMALL_STATEMENTS)
    counts = [0] * NOTE_COUNT[size]
    for _ in statements:
        counts[draw.pick([i for i, count in enumerate(counts) if count < MOST_PER_NOTE])] += 1
    shelves: list[list[Statement]] = []
    for count in counts:
        shelves.append(statements[:count])
        statements = statements[count:]
    return shelves


def _asides(draw: Draw, notes: int) -> list[list[str]]:
    """The noise names and the decoy ticket, each in a note of its own where there are notes enough."""
    out: list[list[str]] = [[] for _ in range(notes)]
    order = draw.shuffled(range(notes))
    for i, aside in enumerate((*(noise.aside for noise in NOISE_NAMES), TICKET_ASIDE)):
        out[order[i % notes]].append(aside)
    return out
