"""The verdicts of the records that deliver one item, and what they come to (004 section 2b, Drift)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphapi.domain.artifact import natural_key
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


def rule(deliveries: Iterable[Delivery], criteria: int) -> Ruled:
    """Judge one item that declares so many criteria by all the records that deliver it."""
    ordered = sorted(deliveries, key=lambda d: d.order)
    rulings = [_rulings(delivery) for delivery in ordered]
    settled: dict[int, str] = {}
    for of_record in rulings:
        settled |= of_record
    departures = tuple(_departures(ordered, rulings))
    unruled = tuple(p for p in range(1, criteria + 1) if p not in settled)
    standing = [d for d in departures if d.held_later is None]
    return Ruled(departures, unruled, clean=criteria > 0 and not unruled and not standing)


def _rulings(delivery: Delivery) -> dict[int, str]:
    """What one record rules, by position. A record that says both of one criterion says departed: it is not clean."""
    out: dict[int, str] = {}
    for verdict in delivery.verdicts:
        position, word = position_of(verdict), verdict.get("verdict")
        if position is not None and word in (HELD, DEPARTED) and out.get(position) != DEPARTED:
            out[position] = word
    return out


def _departures(ordered: Sequence[Delivery], rulings: Sequence[Mapping[int, str]]) -> Iterator[Departure]:
    for at, delivery in enumerate(ordered):
        for verdict in delivery.verdicts:
            if verdict.get("verdict") == DEPARTED:
                yield Departure(delivery, verdict, _held_later(ordered, rulings, at, position_of(verdict)))


def _held_later(
    ordered: Sequence[Delivery], rulings: Sequence[Mapping[int, str]], at: int, position: int | None
) -> str | None:
    """The last record after this one that rules the criterion, if it rules it held."""
    if position is None:
        return None
    later = [n for n in range(at + 1, len(ordered)) if position in rulings[n]]
    if not later or rulings[later[-1]][position] != HELD:
        return None
    return ordered[later[-1]].record.artifact_id
