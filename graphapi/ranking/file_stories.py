"""Which stories and decisions are behind a file, from the commits that touched it (004 section 2b, binding by path)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from graphapi.domain.artifact import natural_key
from graphapi.ranking.moments import newest_first

IN_SUBJECT = 1.0
IN_BODY = 0.5
DELIVERED = 1.0
# For what the work that brought the file in names: the file exists for it.
BROUGHT_IN = 3.0

# What could be a path, a file name or a dotted name written in prose.
_TOKEN = re.compile(r"[\w@+-][\w./@+-]*|\.[\w./@+-]+")
# After a module's name and a dot these are another file of that name, no attribute of the module.
_FILE_ENDINGS = (
    "c cfg conf cpp cs css csv gif go h html ini ipynb java jpg js json jsx kt lock log md pdf php png py pyc pyi rb "
    "rs rst scss sh sql svg svelte swift toml ts tsx txt vue xml yaml yml"
)
_ENDINGS = frozenset(_FILE_ENDINGS.split())


@dataclass(frozen=True, slots=True)
class Touch:
    """One commit to the file: the stories its subject names, its body names, and those a record says it delivered."""

    sha: str
    at: str
    subject_ids: frozenset[str]
    body_ids: frozenset[str]
    delivered_ids: frozenset[str]

    @property
    def named_ids(self) -> frozenset[str]:
        return self.subject_ids | self.body_ids


@dataclass(frozen=True, slots=True)
class StoryBehind:
    """A story behind a file: how many of its commits name or deliver it, and when the newest of those was."""

    artifact_id: str
    weight: float
    commits: int
    last: str


@dataclass(frozen=True, slots=True)
class NoteBehind:
    """A decision note tied to leading stories, by their positions, and whether it writes the file's name."""

    artifact_id: str
    names_file: bool
    linked: frozenset[int]
    created: str | None


def rank_stories(touches: Sequence[Touch]) -> list[StoryBehind]:
    """The stories that commits to a file, oldest first, name or deliver, by the sum of their weights.

    Equal weights go to the story with the more recent commit, then by natural id.
    """
    weights: dict[str, float] = {}
    commits: dict[str, int] = {}
    last: dict[str, str] = {}
    for touch in touches:
        for story in touch.named_ids | touch.delivered_ids:
            named = IN_SUBJECT if story in touch.subject_ids else IN_BODY if story in touch.body_ids else 0.0
            weights[story] = weights.get(story, 0.0) + named + DELIVERED * (story in touch.delivered_ids)
            commits[story] = commits.get(story, 0) + 1
            last[story] = min(last.get(story, touch.at), touch.at, key=newest_first)
    for story in next((touch.named_ids for touch in touches if touch.named_ids), ()):
        weights[story] += BROUGHT_IN
    found = [StoryBehind(story, weight, commits[story], last[story]) for story, weight in weights.items()]
    found.sort(key=lambda s: (-s.weight, newest_first(s.last), natural_key(s.artifact_id), s.artifact_id))
    return found


def rank_notes(notes: Iterable[NoteBehind]) -> list[NoteBehind]:
    """Notes that name the file, then those tied to more leading stories, to better-ranked ones, then the newest."""

    def place(note: NoteBehind) -> tuple[Any, ...]:
        of = note.artifact_id
        nearest = tuple(sorted(note.linked))
        return not note.names_file, -len(nearest), nearest, newest_first(note.created), natural_key(of), of

    return sorted(notes, key=place)


def names_file(text: str, path: str) -> bool:
    """Whether ``text`` writes the file at ``path``: the path or its end, its bare name, or ``module.attribute``.

    Whole tokens only: ``other/billing.py`` is another file, and ``rebilling.py`` and ``billing.md`` are too.
    """
    parts = PurePosixPath(path).parts
    if not parts:
        return False
    module = parts[-1].partition(".")[0]
    for token in _TOKEN.findall(text):
        whole = token.rstrip("./-+@")
        if whole.endswith(parts[-1]) and _is_file(PurePosixPath(whole).parts, parts):
            return True
        if module and f"{module}." in whole and _is_attribute(whole, parts[:-1], module):
            return True
    return False


def _is_file(written: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Whether one is the end of the other: prose names a file from any folder, or with its repository in front.

    A file at the root has only its name: with a folder in front that is as likely another file.
    """
    shared = min(len(written), len(parts))
    return written[-shared:] == parts[-shared:] and (len(written) == shared or shared > 1)


def _is_attribute(token: str, folders: tuple[str, ...], module: str) -> bool:
    names = token.split(".")
    if "/" in token or module not in names[:-1]:
        return False
    at = names.index(module)
    attribute = names[at + 1]
    within = tuple(names[:at])
    return attribute.isidentifier() and attribute not in _ENDINGS and (not at or folders[-at:] == within)
