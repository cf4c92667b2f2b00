"""Writes each planned artifact as the text of its file: frontmatter, then a body.

The formats are those of a project's files. Every planted sentence stays on one line, so that it is found as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from .gold import stamp
from .layout import Delivery, Entry, Ruling, Talk
from .material import BacklogText, DecisionText, Person

# Text that YAML reads back as it is without quotes. Anything else is written as a JSON string, which YAML reads too.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ./_-]*(?<! )\Z")
_WORDS_OF_YAML = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")


def scalar(text: str) -> str:
    """One YAML scalar that reads back as ``text``."""
    plain = _PLAIN.match(text) and text.lower() not in _WORDS_OF_YAML
    return text if plain else json.dumps(text, ensure_ascii=False)


def frontmatter(entry: Entry) -> str:
    """The frontmatter block of an entry's file, both fences included."""
    content = entry.content
    if isinstance(content, BacklogText):
        lines = _backlog_keys(entry, content)
    elif isinstance(content, Delivery):
        lines = _delivery_keys(entry, content)
    else:
        lines = _note_keys(entry)
    return "\n".join(["---", f"id: {entry.id}", f"title: {scalar(entry.title)}", *lines, "---", ""])


def _ids(key: str, ids: Sequence[str]) -> list[str]:
    return [f"{key}: [{', '.join(ids)}]"] if ids else []


def _backlog_keys(entry: Entry, content: BacklogText) -> list[str]:
    return [
        f"type: {entry.kind}",
        f"status: {entry.status}",
        *([f"parent: {entry.parent}"] if entry.parent else []),
        f"owner: {entry.author.sub}",
        *_ids("labels", content.labels),
        *_ids("cited_sources", entry.cites),
        *_ids("supersedes", entry.supersedes),
        *([f"discard_reason: {scalar(content.discard_reason)}"] if content.discard_reason else []),
    ]


def _person(key: str, person: Person) -> list[str]:
    return [f"{key}:", f"  sub: {person.sub}", f"  name: {scalar(person.name)}"]


def _note_keys(entry: Entry) -> list[str]:
    is_decision = entry.kind == "decision"
    # A note's ``related`` links backlog items alone, so nothing else is listed: the body names the rest.
    related = [id_ for id_ in entry.mentions if id_.startswith(("EPIC-", "FEAT-", "STORY-"))]
    return [
        f"type: {entry.kind}",
        f'captured_at: "{stamp(entry.date)}"',
        *_person("author", entry.author),
        *([f"decided_by: {entry.author.sub}"] if is_decision else []),
        *_ids("related", related),
        *_ids("supersedes", entry.supersedes),
    ]


def _ruling(ruling: Ruling) -> list[str]:
    lines = [
        f"  - criterion: {ruling.criterion}",
        f"    text: {scalar(ruling.text)}",
        f"    verdict: {ruling.verdict}",
    ]
    if ruling.reason is not None:
        lines.append(f"    reason: {scalar(ruling.reason)}")
    if ruling.decided_by is not None:
        lines.append(f"    decided_by: {ruling.decided_by.sub}")
    return lines


def _delivery_keys(entry: Entry, content: Delivery) -> list[str]:
    departed = sum(ruling.verdict == "departed" for ruling in content.rulings)
    notes = "One criterion departed, as ruled above." if departed else "Everything that was asked for shipped."
    return [
        f"delivers: {content.story}",
        f'delivered_at: "{stamp(entry.date)}"',
        f"delivered_by: {entry.author.sub}",
        "implemented_by: []",
        "verdicts:",
        *(line for ruling in content.rulings for line in _ruling(ruling)),
        f"notes: {scalar(notes)}",
    ]


def body(entry: Entry) -> str:
    """The body of an entry's file. It names the ids in ``entry.mentions`` and no others."""
    content = entry.content
    if isinstance(content, BacklogText):
        blocks = _backlog_body(entry, content)
    elif isinstance(content, Talk):
        blocks = _talk_body(entry, content)
    elif isinstance(content, DecisionText):
        blocks = _decision_body(entry, content)
    else:
        blocks = [content.shipped]
    return "\n" + "\n\n".join(blocks) + "\n"


def _bullets(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _all_of(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _backlog_body(entry: Entry, content: BacklogText) -> list[str]:
    blocks = list(content.prose)
    if entry.supersedes:
        blocks.append(f"This takes the place of {_all_of(entry.supersedes)}.")
    if named := [id_ for id_ in entry.mentions if id_ not in entry.supersedes]:
        blocks.append(f"How it came up is written down in {_all_of(named)}.")
    if content.criteria:
        blocks += ["## Acceptance criteria", _bullets(content.criteria)]
    return blocks


def _talk_body(entry: Entry, content: Talk) -> list[str]:
    blocks = [content.text.setting, "## What was said"]
    blocks += [f"**{turn.speaker.name}** ({turn.speaker.role}): {turn.text}" for turn in content.turns]
    blocks += ["## Afterwards", f"{content.text.close} {content.opened} was drafted from these notes."]
    if others := [id_ for id_ in entry.mentions if id_ != content.opened]:
        blocks.append(f"The talk also came round to {_all_of(others)}.")
    return blocks


def _decision_body(entry: Entry, content: DecisionText) -> list[str]:
    blocks = ["## Decision", content.decision, "## Why", content.why]
    blocks += ["## Alternatives", _bullets(content.alternatives)]
    if entry.mentions:
        blocks += ["## Related", _bullets(entry.mentions)]
    return blocks
