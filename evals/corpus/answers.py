"""Computes the gold of a plan, looking at no file.

Specification: "The corpus". In: a ``Base`` and, at full size, an ``Asked``. Out: a ``Gold``.
"""

from __future__ import annotations

from datetime import timedelta

from .draw import Draw
from .gold import (
    Binding,
    Branch,
    CurrentTruth,
    Descendant,
    Edge,
    Gold,
    GoldArtifact,
    GoldDecoy,
    GoldDeparture,
    GoldNoise,
    GoldStatement,
    Reached,
    Slots,
    Window,
    stamp,
)
from .layout import Asked, Base, Delivery, Entry
from .questions import questions
from .statements import DECOY_TICKET, NOISE_NAMES


def gold_of(base: Base, asked: Asked | None) -> Gold:
    """The gold of a corpus, from its structured data."""
    entries = base.entries + (asked.entries if asked else ())
    return Gold(
        seed=base.seed,
        size=base.size,
        artifacts=tuple(GoldArtifact(e.id, e.kind, e.title, stamp(e.date)) for e in entries),
        commits=tuple(
            GoldArtifact(c.artifact_id, "commit", c.change.subject, stamp(c.date))
            for c in (asked.commits if asked else ())
        ),
        withdrawn=(asked.withdrawal.artifact_id,) if asked else (),
        edges=edges_of(entries),
        statements=tuple(
            GoldStatement(p.statement.key, p.note, p.statement.passage, p.statement.type, p.statement.accepts)
            for p in base.planted
        ),
        decoy_ticket=DECOY_TICKET,
        decoy_sentences=tuple(GoldDecoy(d.note, d.sentence) for d in base.decoys),
        noise=tuple(GoldNoise(noise.shape, noise.name) for noise in NOISE_NAMES),
        slots=slots_of(base),
        questions=questions(base, asked) if asked else (),
    )


def edges_of(entries: tuple[Entry, ...]) -> tuple[Edge, ...]:
    """Every edge these artifacts declare, sorted, each once."""
    found: dict[Edge, None] = {}
    for entry in entries:
        found.update(dict.fromkeys(Edge(entry.id, target, relation) for relation, target in _declared(entry)))
    return tuple(sorted(found))


def _declared(entry: Entry) -> list[tuple[str, str]]:
    rows = [("parent", entry.parent)] if entry.parent else []
    rows += [("delivers", entry.delivers)] if entry.delivers else []
    rows += [("cites", target) for target in entry.cites]
    rows += [("supersedes", target) for target in entry.supersedes]
    return rows + [("references", target) for target in entry.mentions]


def slots_of(base: Base) -> Slots:
    """The read slots, over the base entries alone: question material moves none of them."""
    stories = [entry for entry in base.entries if entry.kind == "story"]
    return Slots(
        branches=tuple(_branch(base, entry.id) for entry in base.entries if entry.kind == "epic"),
        departures=tuple(_departures(base)),
        windows=_windows(base),
        binding=tuple(_binding(base, story) for story in stories),
        current_truth=tuple(CurrentTruth(target, story.id) for story in stories for target in story.supersedes),
    )


def _branch(base: Base, epic: str) -> Branch:
    depths = {epic: 0}
    # Parents are planned before their children, so one walk in planned order reaches every level.
    for entry in base.entries:
        if entry.parent in depths:
            depths[entry.id] = depths[entry.parent] + 1
    return Branch(epic, tuple(Descendant(id_, depth) for id_, depth in sorted(depths.items()) if id_ != epic))


def _departures(base: Base) -> list[GoldDeparture]:
    return [
        GoldDeparture(
            entry.content.story, entry.id, ruling.criterion, ruling.text, ruling.reason, ruling.decided_by.sub
        )
        for entry in base.entries
        if isinstance(entry.content, Delivery)
        for ruling in entry.content.rulings
        if ruling.reason is not None and ruling.decided_by is not None
    ]


def _windows(base: Base) -> tuple[Window, ...]:
    """Three in the middle with both ends on a planted moment, a week from midnight, the last four, and none at all."""
    draw = Draw(base.seed, base.size, "windows")
    dates = [entry.date for entry in base.entries]
    first = draw.below(len(dates) - 3)
    midnight = dates[draw.below(len(dates) // 2)].replace(hour=0, minute=0)
    spans = (
        (dates[first], dates[first + 3]),
        (midnight, midnight + timedelta(days=7)),
        (dates[-4], dates[-1] + timedelta(minutes=1)),
        (dates[0] - timedelta(days=30), dates[0]),
    )
    return tuple(
        Window(stamp(since), stamp(until), tuple(e.id for e in base.entries if since <= e.date < until))
        for since, until in spans
    )


def _binding(base: Base, story: Entry) -> Binding:
    """What binds a story: notes linked, either way round, with the story itself or with something it hangs under."""
    by_id = {entry.id: entry for entry in base.entries}
    scope = [story.id]
    while parent := by_id[scope[-1]].parent:
        scope.append(parent)
    linked = edges_of(base.entries)
    through: dict[str, str] = {}
    for member in scope:
        for edge in linked:
            if member in (edge.source, edge.target):
                through.setdefault(edge.target if edge.source == member else edge.source, member)
    decisions = tuple(Reached(id_, member) for id_, member in sorted(through.items()) if by_id[id_].kind == "decision")
    notes = tuple(Reached(id_, member) for id_, member in sorted(through.items()) if by_id[id_].kind == "conversation")
    held = [note.id for note in notes]
    return Binding(story.id, decisions, notes, tuple(p.statement.key for p in base.planted if p.note in held))
