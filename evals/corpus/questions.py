"""The nineteen planted questions of the full corpus, answered from where this seed put things.

Specification: "Retrieval scores". In: the two halves of a plan. Out: eight topic, four why, one superseded, one
withdrawn and five authoring questions, in that order.
"""

from __future__ import annotations

from .asked import AUTHORING, SUPERSEDED, TOPICS, WHYS, WITHDRAWN
from .gold import Question
from .layout import Asked, Base


def questions(base: Base, asked: Asked) -> tuple[Question, ...]:
    """All planted questions. A topic's answer is the note its statement stands in, so it moves with the seed."""
    note_of = {planted.statement.key: planted.note for planted in base.planted}
    why_notes = dict(asked.why_notes)
    commits = {commit.change.path: commit.artifact_id for commit in asked.commits}
    out = [
        Question(
            f"topic-{number}",
            "topic",
            topic.query,
            (note_of[topic.statement],),
            topic=topic.topic,
            statement=topic.statement,
            stretch=topic.stretch,
        )
        for number, topic in enumerate(TOPICS, start=1)
    ]
    out += [
        Question(
            f"why-{number}",
            "why",
            why.query,
            (why_notes[why.query],),
            stretch=why.stretch,
            distractor=commits[why.change.path],
        )
        for number, why in enumerate(WHYS, start=1)
    ]
    out.append(
        Question(
            "superseded-1",
            "superseded",
            SUPERSEDED.query,
            (asked.successor,),
            topic=SUPERSEDED.topic,
            # Both belong to the topic: a retired decision that is served beside its successor is no stray.
            topic_notes=(asked.retired, asked.successor),
            stretch=SUPERSEDED.stretch,
            retired=asked.retired,
        )
    )
    out.append(
        Question(
            "withdrawn-1",
            "withdrawn",
            WITHDRAWN.query,
            (asked.standing,),
            stretch=WITHDRAWN.stretch,
            withdrawn=asked.withdrawal.artifact_id,
        )
    )
    out += [
        Question(f"authoring-{number}", "authoring", ask.intent, (ask.story,), retired=ask.retired)
        for number, ask in enumerate(AUTHORING, start=1)
    ]
    return tuple(out)
