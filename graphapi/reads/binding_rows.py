"""One statement as a binding read serves it: its words, where they come from, and the member it bears on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from graphapi.ranking.binding_order import TOPIC_MATCH, Claim, Reach, credit, method_rank
from graphapi.ranking.words import carried
from graphapi.reads.binding_scope import Member
from graphapi.reads.binding_walk import Step, Walk
from graphapi.reads.budget import CAP, cut
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.marks import bounded, marks, superseded_by
from graphapi.store.port import StoredArtifact, StoredStatement

# A note's own decision stands in a row up to this length; the note itself, by its id, has all of its words.
PASSAGE_ROOM = 500
# How many other members a row names.
ALSO_LISTED = 20

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$")
_DECIDED = "decision"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that was reached. ``prose`` is what a model read in a note, None for a note that is a statement.

    ``retired``: nothing it was read from stands any more.
    """

    note: Key
    bears_on: Member
    also: tuple[Key, ...]
    method: str
    prose: StoredStatement | None = None
    retired: bool = False


def notes_reached(walk: Walk) -> list[Statement]:
    """The notes a source typed as statements, each credited."""
    return [Statement(key, *_credited(key, steps)) for key, steps in walk.notes.items()]


def prose_reached(walk: Walk, lapsed: Collection[str]) -> list[Statement]:
    """What models read in prose, each credited. ``lapsed``: the readings that nothing stands behind any more."""
    out = []
    for (place, key), steps in walk.prose.items():
        row = walk.statements[place, key]
        note = Key(place, row.note_id)
        retired = row.retired_at is not None or row.episode in lapsed or _gone(walk, note)
        out.append(Statement(note, *_credited(None, steps), prose=row, retired=retired))
    return out


def _gone(walk: Walk, note: Key) -> bool:
    artifact = walk.rows.get(note)
    if artifact is None or artifact.deleted or artifact.status == "discarded":
        return True
    return superseded_by(walk.links.groups.get(note, ())) is not None


def _credited(note: Key | None, steps: Iterable[Step]) -> tuple[Member, tuple[Key, ...], str]:
    """The member it bears on, the others that reached it over links of their own, and that member's best claim: the
    strongest of its own links, and only where it has none, of the documents' it touches.

    What a topic matched bears on itself, whatever else reaches it.
    """
    by_member: dict[Key, list[Step]] = {}
    for step in steps:
        by_member.setdefault(step.member.key, []).append(step)
    reaches = [
        Reach(step.member.key, step.member.key.artifact_id, _distance(note, step), step.edge)
        for own in by_member.values()
        for step in own
    ]
    first, others = credit(reaches)
    chosen, *also = (key for key in (first, *others) if isinstance(key, Key))
    best = min(by_member[chosen], key=lambda s: (s.method != TOPIC_MATCH, not s.own, method_rank(s.method)))
    return best.member, tuple(also), best.method


def _distance(note: Key | None, step: Step) -> int:
    return -1 if step.method == TOPIC_MATCH and step.member.key == note else step.member.distance


def claim(walk: Walk, number: int, statement: Statement, topic_stems: frozenset[str]) -> Claim:
    """The statement as the order sees it; ``number`` is how the caller knows it again."""
    artifact = walk.rows[statement.note]
    member = statement.bears_on
    superseded = superseded_by(walk.links.groups.get(statement.note, ())) is not None
    return Claim(
        key=number,
        inferred=statement.prose is not None,
        superseded=superseded or statement.retired,
        topic_words=len(carried("\n".join(own_words(artifact, statement.prose)), topic_stems)),
        method=statement.method,
        place=member.place,
        distance=member.distance,
        stated_at=stated_at(artifact, statement.prose),
        artifact_id=statement.note.artifact_id,
        ancestor=member.key if member.place == "above" else None,
    )


def own_words(artifact: StoredArtifact, prose: StoredStatement | None) -> tuple[str, ...]:
    """Title, fact and passage, without those a statement has none of."""
    if prose is None:
        return artifact.title, passage_of(artifact.body)
    return artifact.title, prose.fact, prose.passage


def stated_at(artifact: StoredArtifact, prose: StoredStatement | None) -> str | None:
    own = artifact.source_created_at or artifact.source_updated_at
    return own if prose is None else prose.stated_at or own


def row(corpus: Corpus, walk: Walk, statement: Statement) -> dict[str, Any]:
    """The whole row of one statement (:class:`graphapi.reads.payloads.binding.Statement`)."""
    artifact, prose = walk.rows[statement.note], statement.prose
    groups = walk.links.groups.get(statement.note, ())
    out: dict[str, Any] = {"artifact_id": statement.note.artifact_id, **corpus.label(statement.note)}
    out["title"] = artifact.title
    if artifact.withheld:
        out["withheld"] = True
    if prose is None:
        out |= {"artifact_type": artifact.artifact_type, "passage": passage_of(artifact.body)}
    else:
        out |= {"shelf": prose.type, "fact": prose.fact, "passage": prose.passage}
    out |= {
        "method": statement.method,
        "stated_at": stated_at(artifact, prose),
        "provenance": artifact.provenance,
        "source_path": artifact.source_path,
        "source_uri": artifact.source_uri,
        "bears_on": statement.bears_on.key.artifact_id,
    }
    if statement.also:
        out["also_bears_on"] = [key.artifact_id for key in statement.also[:ALSO_LISTED]]
        if len(statement.also) > ALSO_LISTED:
            note = "the nearest; a narrower scope shows the others"
            out["also_bears_on_truncated"] = cut(CAP, len(statement.also), ALSO_LISTED, note)
    out |= marks(artifact, groups)
    if prose is not None:
        out["inferred"] = True
        if statement.retired:
            out["sources_retired"] = True
    return bounded(out)


def passage_of(body: str) -> str:
    """What a note decides: the beginning of its ``Decision`` section, else of its prose, on one line.

    At most ``PASSAGE_ROOM`` characters, cut on a word and marked ``…`` where cut.
    """
    sections = _sections(body)
    decided = [text for title, text in sections if title.casefold() == _DECIDED and text]
    text = decided[0] if decided else next((text for _, text in sections if text), "")
    if len(text) <= PASSAGE_ROOM:
        return text
    head = text[: PASSAGE_ROOM - 1]
    if not text[PASSAGE_ROOM - 1].isspace():
        head = head.rpartition(" ")[0] or head
    return head.rstrip() + "…"


def _sections(body: str) -> list[tuple[str, str]]:
    """(heading, prose) of a body in order, white space run together; what precedes every heading has none."""
    out: list[tuple[str, list[str]]] = [("", [])]
    for line in body.splitlines():
        if heading := _HEADING.match(line):
            out.append((heading[1], []))
        else:
            out[-1][1].append(line)
    return [(title, " ".join(" ".join(lines).split())) for title, lines in out]
