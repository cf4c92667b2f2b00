"""The base plan of a seed: which artifact is written when, what it cites, names, replaces and delivers.

Specification: "The corpus". In: a seed and a size. Out: a ``Base``, entries in the order of their dates. The backlog's
words are fixed; citations, mentions, deliveries, departures, people and dates are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from .backlog import EPICS, FEATURES, SMALL_IDS, STORIES
from .conversations import Placement, note_id, place
from .draw import Draw
from .layout import Base, Delivery, Entry, Ruling, Talk
from .material import CREW, BacklogText, Size
from .talks import DECISION_NOTES

FIRST_DAY = datetime(2025, 2, 3, tzinfo=UTC)
DELIVERIES: dict[Size, int] = {"full": 6, "small": 2}
DEPARTURES: dict[Size, int] = {"full": 2, "small": 1}
# After how many stories each decision note is written: all have stories to name, and later stories can cite them.
DECISIONS_AFTER: dict[Size, tuple[int, ...]] = {"full": (3, 6, 9, 12), "small": (2,)}


class Calendar:
    """Hands out the planted dates: later each time, on a day of its own, at some minute of the working day."""

    def __init__(self, draw: Draw, first_day: datetime) -> None:
        self._draw = draw
        self._day = first_day

    def next(self) -> datetime:
        self._day += timedelta(days=self._draw.between(1, 2))
        return self._day + timedelta(hours=self._draw.between(8, 16), minutes=self._draw.below(60))


def plan(seed: int, size: Size) -> Base:
    """Plan all artifacts of a seed but the question material."""
    placement = place(seed, size)
    writer = _Writer(seed, size, placement)
    for text in (*EPICS, *FEATURES):
        if size == "full" or text.id in SMALL_IDS:
            writer.backlog(text)
    stories = [text for text in STORIES if size == "full" or text.id in SMALL_IDS]
    shipped, departed = _shipped(Draw(seed, size, "deliveries"), stories, size)
    for index, text in enumerate(stories):
        if index < len(placement.settings):
            writer.talk(index, text.id)
        writer.story(replace(text, status="done") if text.id in shipped else text)
        if index + 1 in DECISIONS_AFTER[size]:
            writer.decision()
    for text in stories:
        if text.id in shipped:
            writer.delivery(text, departs=text.id in departed)
    return Base(seed, size, tuple(writer.entries), placement.planted, placement.decoys)


def _shipped(draw: Draw, stories: list[BacklogText], size: Size) -> tuple[list[str], list[str]]:
    """The stories that have a delivery record, and those of them that depart, in the backlog's order."""
    able = [text.id for text in stories if text.departure is not None]
    shipped = draw.some(able, DELIVERIES[size])
    return shipped, draw.some(shipped, DEPARTURES[size])


@dataclass
class _Writer:
    """Adds one entry after another, each dated after the last, and links it only to what there is."""

    seed: int
    size: Size
    placement: Placement
    entries: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._links = Draw(self.seed, self.size, "links")
        self._people = Draw(self.seed, self.size, "people")
        self._calendar = Calendar(Draw(self.seed, self.size, "dates"), FIRST_DAY)

    def _ids(self, kind: str) -> list[str]:
        return [entry.id for entry in self.entries if entry.kind == kind]

    def _add(self, entry: Entry) -> None:
        self.entries.append(entry)

    def backlog(self, text: BacklogText) -> None:
        """An epic or a feature. Neither cites nor names anything: what binds a story comes from where gold says."""
        self._add(
            Entry(
                text.id,
                text.type,
                text.title,
                self._calendar.next(),
                self._people.pick(CREW),
                text,
                status=text.status,
                parent=text.parent,
            )
        )

    def talk(self, index: int, story: str) -> None:
        """A conversation note, out of which ``story`` is about to come, naming up to two earlier stories as well."""
        earlier = self._ids("story")
        mentions = (story, *self._links.some(earlier, self._links.below(3)))
        setting = self.placement.settings[index]
        content = Talk(setting, self.placement.turns[index], story)
        author = self._people.pick(CREW)
        self._add(
            Entry(
                note_id(index), "conversation", setting.title, self._calendar.next(), author, content, mentions=mentions
            )
        )

    def story(self, text: BacklogText) -> None:
        """A story. It cites notes that were there before it, one to four of them; some name the note they came from."""
        talks, decisions = self._ids("conversation"), self._ids("decision")
        opened = [e.id for e in self.entries if isinstance(e.content, Talk) and e.content.opened == text.id]
        others = [talk for talk in talks if talk not in opened]
        cites = opened + self._links.some(others, self._links.between(0 if opened else 1, 2))
        cites += self._links.some(decisions, self._links.below(2))
        named = opened if self._links.below(2) else []
        self._add(
            Entry(
                text.id,
                "story",
                text.title,
                self._calendar.next(),
                self._people.pick(CREW),
                text,
                status=text.status,
                parent=text.parent,
                cites=tuple(cites),
                supersedes=text.supersedes,
                mentions=(*text.supersedes, *named),
            )
        )

    def decision(self) -> None:
        """A base decision note. Its list of what it relates to names stories, a conversation and at most one epic."""
        number = len(self._ids("decision"))
        text = DECISION_NOTES[number]
        stories = self._links.some(self._stories_under(text.epic), self._links.between(1, 2))
        mentions = (*([text.epic] if text.epic else []), *stories, self._links.pick(self._ids("conversation")))
        date, author = self._calendar.next(), self._people.pick(CREW)
        self._add(Entry(f"DEC-{number + 1:03d}", "decision", text.title, date, author, text, mentions=mentions))

    def _stories_under(self, epic: str | None) -> list[str]:
        """The stories so far that hang somewhere under an epic, or all of them where none is given."""
        if epic is None:
            return self._ids("story")
        under = [epic]
        under += [entry.id for entry in self.entries if entry.kind == "feature" and entry.parent == epic]
        return [entry.id for entry in self.entries if entry.kind == "story" and entry.parent in under]

    def delivery(self, text: BacklogText, *, departs: bool) -> None:
        """The record of a delivered story: a verdict on every criterion, and at most one of them departed."""
        decider = self._people.pick(CREW)
        departure = text.departure if departs else None
        rulings = tuple(
            Ruling(position, criterion, "departed", departure.reason, decider)
            if departure is not None and departure.criterion == position
            else Ruling(position, criterion, "held")
            for position, criterion in enumerate(text.criteria, start=1)
        )
        number = len(self._ids("delivery")) + 1
        self._add(
            Entry(
                f"DEL-{number:03d}",
                "delivery",
                f"Delivery {number} of the season",
                self._calendar.next(),
                self._people.pick(CREW),
                Delivery(text.id, rulings, text.shipped or ""),
                delivers=text.id,
            )
        )
