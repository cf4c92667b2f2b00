"""The verdicts of the records that deliver one item, and what they come to (004 section 2b, Drift)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphapi.domain.artifact import natural_key
from graphapi.domain.criteria import fingerprint
from graphapi.domain.dates import BadDate, parse_when
from graphapi.reads.corpus import Key
from graphapi.store.port import StoredArtifact

HELD = "held"
DEPARTED = "departed"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One record that its source ties to one item."""

    item: Key
    record: Key
    artifact: StoredArtifact

    @property
    def at(self) -> str | None:
        """The time the record states, else when git first had it; None where neither says."""
        return self.artifact.source_created_at

    @property
    def states_its_time(self) -> bool:
        stated = self.artifact.metadata.get("delivered_at")
        try:
            return isinstance(stated, str) and bool(parse_when(stated))
        except BadDate:
            return False

    @property
    def verdicts(self) -> list[Mapping[str, Any]]:
        """As the record gives them, in its order."""
        return [v for v in self.artifact.metadata.get("verdicts") or () if isinstance(v, Mapping)]

    @property
    def order(self) -> tuple[str, str, int]:
        """Records follow one another by their time; one without any comes first."""
        return self.at or "", natural_key(self.record.artifact_id), self.record.place


@dataclass(frozen=True, slots=True)
class Departure:
    """A departed verdict. ``held_later``: the later record that ruled the same criterion held, if one did."""

    delivery: Delivery
    verdict: Mapping[str, Any]
    held_later: str | None


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the records of one item come to. The latest record that rules a criterion settles it.

    ``unruled`` are the 1-based positions of declared criteria that no record rules held or departed. ``clean``: every
    declared criterion is ruled, and nothing stands departed, whether a criterion declares it or not.
    """

    departures: tuple[Departure, ...]
    unruled: tuple[int, ...]
    clean: bool


def position_of(verdict: Mapping[str, Any]) -> int | None:
    """The criterion a verdict is on, where it names a position at all."""
    stated = verdict.get("criterion")
    return stated if isinstance(stated, int) and not isinstance(stated, bool) else None


# What a verdict is on: the place of a criterion the item declares now or, where it declares that one no more, what the
# record quoted or the position it gave.
Subject = int | tuple[str, str]


def rule(deliveries: Iterable[Delivery], criteria: Sequence[str]) -> Ruled:
    """Judge one item that declares these criteria by all the records that deliver it.

    A record quotes what it rules, so a criterion that has moved since is still the one that was ruled; only where the
    quotation is found nowhere (a criterion was reworded, or none was quoted) does the position say which one it is.
    """
    ordered = sorted(deliveries, key=lambda d: d.order)
    prints = [fingerprint(text) for text in criteria]
    subjects = [_subjects(delivery, prints) for delivery in ordered]
    rulings = [_rulings(delivery, on) for delivery, on in zip(ordered, subjects, strict=True)]
    settled: dict[Subject, str] = {}
    for of_record in rulings:
        settled |= of_record
    departures = tuple(_departures(ordered, subjects, rulings))
    unruled = tuple(p for p in range(1, len(criteria) + 1) if p not in settled)
    standing = [d for d in departures if d.held_later is None]
    return Ruled(departures, unruled, clean=bool(criteria) and not unruled and not standing)


def _subjects(delivery: Delivery, prints: Sequence[str]) -> list[Subject | None]:
    """What each verdict of a record is on, in its order; None for one that says neither which nor what."""
    quoted = [_quoted(verdict) for verdict in delivery.verdicts]
    found: list[Subject | None] = []
    for verdict, quote in zip(delivery.verdicts, quoted, strict=True):
        position = position_of(verdict)
        if quote is None or quote not in prints:
            found.append(None)
        elif position is not None and 0 < position <= len(prints) and prints[position - 1] == quote:
            found.append(position)
        else:
            found.append(prints.index(quote) + 1)
    for at, verdict in enumerate(delivery.verdicts):
        position, quote = position_of(verdict), quoted[at]
        if found[at] is not None:
            continue
        if position is not None and position not in found:
            found[at] = position if 0 < position <= len(prints) else ("at", str(position))
        elif quote is not None:
            found[at] = ("was", quote)
        elif position is not None:
            found[at] = position
    return found


def _quoted(verdict: Mapping[str, Any]) -> str | None:
    text = verdict.get("text")
    return fingerprint(text) if isinstance(text, str) and text.strip() else None


def _rulings(delivery: Delivery, subjects: Sequence[Subject | None]) -> dict[Subject, str]:
    """What one record rules. A record that says both of one criterion says departed: it is not clean."""
    out: dict[Subject, str] = {}
    for verdict, subject in zip(delivery.verdicts, subjects, strict=True):
        word = verdict.get("verdict")
        if subject is not None and word in (HELD, DEPARTED) and out.get(subject) != DEPARTED:
            out[subject] = word
    return out


def _departures(
    ordered: Sequence[Delivery], subjects: Sequence[Sequence[Subject | None]], rulings: Sequence[Mapping[Subject, str]]
) -> Iterator[Departure]:
    for at, delivery in enumerate(ordered):
        for verdict, subject in zip(delivery.verdicts, subjects[at], strict=True):
            if verdict.get("verdict") == DEPARTED:
                yield Departure(delivery, verdict, _held_later(ordered, rulings, at, subject))


def _held_later(
    ordered: Sequence[Delivery], rulings: Sequence[Mapping[Subject, str]], at: int, subject: Subject | None
) -> str | None:
    """The last record after this one that rules the criterion, if it rules it held."""
    if subject is None:
        return None
    later = [n for n in range(at + 1, len(ordered)) if subject in rulings[n]]
    if not later or rulings[later[-1]][subject] != HELD:
        return None
    return ordered[later[-1]].record.artifact_id
