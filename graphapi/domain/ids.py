"""Artifact ids: what may be one, and finding those that stand whole in prose."""

from __future__ import annotations

import re
from collections.abc import Container

MAX_LENGTH = 200
# Half a character (a lone surrogate) can be neither stored nor sent.
_BAD = re.compile(r"[\s,\x00-\x1f\x7f\ud800-\udfff]")
# A run that could be an id written in prose: a ticket (DEC-102), a path (docs/api.md), a commit (code@0123456789ab).
_TOKEN = re.compile(r"[\w][\w./@+-]*")
_TICKET = re.compile(r"(?<![\w-])[^\W\d_]\w*(?:-\w+)*-\d+(?![\w-])")
_FAMILY = re.compile(r"\A(?P<family>.+)-\d+\Z")


def id_problem(artifact_id: str) -> str | None:
    """Why this text may not be an artifact's id, or None where it may."""
    if not artifact_id:
        return "the id is empty"
    if len(artifact_id) > MAX_LENGTH:
        return f"the id is over {MAX_LENGTH} characters"
    if {".", ".."} & set(artifact_id.split("/")):
        return "the id holds a . or .. segment, which no address can carry"
    if _BAD.search(artifact_id):
        return "the id holds a space, a comma or a control character"
    return None


def family_of(artifact_id: str) -> str | None:
    """``EPIC`` of ``EPIC-007``; None where the id has no number at its end."""
    found = _FAMILY.match(artifact_id)
    return found["family"] if found else None


def id_tokens(body: str) -> list[str]:
    """What in a body could be an id, each once, in order of appearance.

    Whether one *is* an id only the whole corpus can say, so every candidate is kept: a target may come later.
    ``STORY-1020`` never yields ``STORY-102``. Plain words are no candidates, whatever ids a corpus has.
    """
    found: dict[str, None] = {}
    for token in _TOKEN.findall(body):
        if "-" not in token and "/" not in token and "@" not in token and "." not in token and "_" not in token:
            continue
        whole = token.rstrip("./-+@")
        if any(c in whole for c in "-/@._"):
            found[whole] = None
        # An underscore on either side is emphasis more often than part of an id; the whole token was kept above.
        for ticket in _TICKET.findall(whole.strip("_")):
            found[ticket] = None
    return list(found)


def is_ticket(token: str, families: Container[str]) -> bool:
    """Whether a token that names nothing looks like an id of a family this corpus knows, and so is worth naming."""
    family = family_of(token)
    return family is not None and family in families
