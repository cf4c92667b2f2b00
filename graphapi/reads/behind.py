"""Which stories and decision notes are behind a file, from what git says of it as it is read (004 section 2b)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from graphapi.domain.dates import as_text
from graphapi.domain.links import CITES, DELIVERS, EDGES, EXPLICIT_REF
from graphapi.domain.refusals import BadArguments
from graphapi.ranking.file_stories import NoteBehind, StoryBehind, Touch, names_file, rank_notes, rank_stories
from graphapi.reads.arguments import words_of
from graphapi.reads.binding_links import Links
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.file_touches import FileHistory, Held, file_history, ranking_name, touches
from graphapi.reads.marks import bounded, marks
from graphapi.store.port import StoredArtifact

_LONGEST = 4096
STORIES_LISTED = 5
NOTES_LISTED = 5
# A note and a story are tied by a citation either way round, an id written in a body being one.
_CITING = frozenset({CITES, EXPLICIT_REF, EDGES})

NONE_DECLARED = "no repository is declared under [connectors.commits], so nothing says which commits touched a file"
NEVER_HELD = "no declared repository has history for this path"
SHALLOW = "a shallow clone holds this file and cuts its history: what touched it up to cut_at is not there to be read"
NOBODY_NAMED = "none of the commits that touched this file names or delivers an item on record here"


@dataclass(slots=True)
class Behind:
    """``rows``: the stories, then the notes. ``stories``: every leading story's key. ``path``: see ``PathFound``."""

    path: dict[str, Any]
    rows: list[dict[str, Any]] = field(default_factory=list)
    stories: list[Key] = field(default_factory=list)
    more_ranked: int = 0


def checked_path(path: Any) -> str:
    """A path as it may be asked for. Raises :class:`BadArguments` for one that no file can have."""
    text = path.strip("\n") if isinstance(path, str) and path.strip() else words_of("path", path)
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise BadArguments("path holds a character that no path has", fix="give the file's path as git lists it")
    if len(text) > _LONGEST:
        raise BadArguments(f"path is {len(text)} characters long", fix=f"give one of at most {_LONGEST} characters")
    return text


def behind(corpus: Corpus, path: str) -> Behind:
    """The stories and notes behind ``path``. May raise ``StoreUnavailable``; git's troubles are told, not raised."""
    history = file_history(corpus, path)
    out = Behind(_path(corpus, history))
    commits, names = touches(corpus, history.held)
    ranked = rank_stories(commits)
    out.more_ranked = max(len(ranked) - STORIES_LISTED, 0)
    leading = ranked[:STORIES_LISTED]
    out.stories = [names[story.artifact_id] for story in leading]
    if not leading:
        out.path["reason"] = _reason(history)
        return out
    first = next((touch for touch in commits if touch.named_ids), None)
    links = Links(corpus, "exclude")
    links.read(out.stories)
    rows = corpus.get(out.stories, bodies=False)
    for key, story in zip(out.stories, leading, strict=True):
        row = _row(corpus, key, rows[key]) | _story(story, first)
        out.rows.append(bounded(row | marks(rows[key], links.groups[key])))
    out.rows += _notes(corpus, links, out.stories, history.held)
    return out


def _path(corpus: Corpus, history: FileHistory) -> dict[str, Any]:
    out: dict[str, Any] = {"repos": [_repository(corpus, held) for held in history.held]}
    if history.unread:
        out["unread"] = history.unread
    return out


def _repository(corpus: Corpus, held: Held) -> dict[str, Any]:
    row = {"repository": held.repository, **corpus.label(Key(held.place, "")), "file": held.file}
    stamps = [commit.committed_at for commit in held.log.commits]
    row |= {"first": _moment(min(stamps, default=None)), "last": _moment(max(stamps, default=None))}
    return row if held.log.cut_at is None else row | {"cut_at": _moment(held.log.cut_at)}


def _moment(seconds: int | None) -> str | None:
    return None if seconds is None else as_text(datetime.fromtimestamp(seconds, UTC))


def _reason(history: FileHistory) -> str:
    if not history.held:
        return NEVER_HELD if history.declared else NONE_DECLARED
    known = any(held.log.commits for held in history.held)
    cut = any(held.log.cut_at is not None for held in history.held)
    return "; ".join([NOBODY_NAMED] * known + [SHALLOW] * cut)


def _story(story: StoryBehind, first: Touch | None) -> dict[str, Any]:
    why = "1 commit names or delivers it" if story.commits == 1 else f"{story.commits} commits name or deliver it"
    if first is not None and story.artifact_id in first.named_ids:
        why += "; the first commit to name any story names it"
    return {"why": why, "commits": story.commits, "last": story.last}


def _row(corpus: Corpus, key: Key, artifact: StoredArtifact) -> dict[str, Any]:
    row: dict[str, Any] = {"artifact_id": key.artifact_id, **corpus.label(key)}
    row |= {"title": artifact.title, "kind": artifact.kind}
    return row | {"withheld": True} if artifact.withheld else row


def _notes(corpus: Corpus, links: Links, stories: Sequence[Key], held: Sequence[Held]) -> list[dict[str, Any]]:
    """The decision notes that cite, or are cited by, a leading story or one of its delivery records."""
    tied = _tied(links, stories)
    rows = {key: row for key, row in corpus.get(tied).items() if _is_decision(row)}
    links.read(rows)
    notes = {
        NoteBehind(ranking_name(key), _names(row, held), frozenset(tied[key]), row.source_created_at): key
        for key, row in rows.items()
    }
    out = []
    for note in rank_notes(notes)[:NOTES_LISTED]:
        key = notes[note]
        row = _row(corpus, key, rows[key]) | {"why": _tie(note, tied[key])}
        out.append(bounded(row | marks(rows[key], links.groups[key])))
    return out


def _tied(links: Links, stories: Sequence[Key]) -> dict[Key, dict[int, list[Key]]]:
    """Every far end of a citation to or from a story or its delivery records: by the story's place, the ends tied."""
    records = {
        key: list(dict.fromkeys(e.source for e in links.steps(key) if e.row.relation == DELIVERS and e.target == key))
        for key in stories
    }
    links.read(record for own in records.values() for record in own)
    out: dict[Key, dict[int, list[Key]]] = {}
    for place, story in enumerate(stories):
        for near in (story, *records[story]):
            for edge in links.steps(near):
                if edge.row.method in _CITING:
                    out.setdefault(edge.far(near), {}).setdefault(place, []).append(near)
    return out


def _is_decision(artifact: StoredArtifact) -> bool:
    return artifact.artifact_type == "decision" and artifact.kind not in ("pbi", "commit")


def _names(artifact: StoredArtifact, held: Sequence[Held]) -> bool:
    text = f"{artifact.title}\n{artifact.body}"
    return any(names_file(text, file) for file in {h.file for h in held})


def _tie(note: NoteBehind, tied: dict[int, list[Key]]) -> str:
    ends = dict.fromkeys(near.artifact_id for place in sorted(tied) for near in tied[place])
    why = f"cites or is cited by {', '.join(ends)}"
    return f"names the file; {why}" if note.names_file else why
