"""What binds the backlog that a drafting bundle found, slim (004 section 2b, get_authoring_context)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphapi.reads.absent import absent
from graphapi.reads.binding import NOTHING_GATHERED, Bound, bind, topic_notes
from graphapi.reads.budget import CAP, tell
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.reader import Reader
from graphapi.store.port import Deleted, StoreUnavailable

STATEMENTS_MOST = 45
STATEMENTS_WHOLE = 15
# The walk's own room is wider than the shelf, so that a note both ways found is known to be one.
GATHERED_MOST = 500
NO_BACKLOG = "no backlog was found, so binding gathered nothing; whether anything binds this is not known"
POINTERS = "get_scope(question='binding') or get_artifact on the id serves the passage of these"
_NARROW = "get_scope(question='binding') on an item serves its own"
_LONGEST_REASON = 300
_NOT_SERVED = ("source_path", "source_uri")
_POINTER = ("artifact_id", "project", "title", "bears_on", "stated_at")
# A pointer keeps what says that its statement is no ground to build on, or why it has no words.
_WARNS = ("withheld", "superseded_by", "sources_retired", "deleted", "deleted_at", "deleted_clock")


def binding_block(
    reader: Reader, corpus: Corpus, intent: str, roots: Sequence[Key], *, deleted: Deleted = "exclude"
) -> dict[str, Any]:
    """The bundle's ``binding``: the statements over ``roots``, and the notes that the words of ``intent`` match.

    A failing topic gather is told under ``topic_error``. May raise ``StoreUnavailable``.
    """
    if not roots:
        empty: dict[str, Any] = {"scope": {"members": 0}, "statements": [], "deterministic_statements": 0}
        return empty | _inferred_half(reader, corpus) | {"note": NO_BACKLOG}
    found = bind(reader, corpus, roots, cap=GATHERED_MOST, deleted=deleted)
    block: dict[str, Any] = {"scope": found.scope}
    topical, error = _topical(reader, corpus, intent, found, deleted)
    stated = [row for row in found.rows if not row.get("inferred")]
    # Stated before inferred: a note that only the words matched is stated, so it goes before what a model read.
    ordered = [*stated, *topical, *found.rows[len(stated) :]]
    served = ordered[:STATEMENTS_MOST]
    rows = [_slim(row) for row in served[:STATEMENTS_WHOLE]] + [_pointer(row) for row in served[STATEMENTS_WHOLE:]]
    block["statements"] = rows
    block["deterministic_statements"] = sum(not row.get("inferred") for row in served)
    block |= _inferred_half(reader, corpus) | {"gathered_from": found.gathered_from}
    if found.ancestors_summarised:
        block["ancestors_summarised"] = found.ancestors_summarised
    if found.inferred_retired:
        block["inferred_retired"] = {"count": found.inferred_retired}
    if len(rows) > STATEMENTS_WHOLE:
        block["pointers"] = {"from": STATEMENTS_WHOLE, "note": POINTERS}
    if error:
        block["topic_error"] = error
    if not rows:
        block["note"] = NOTHING_GATHERED
    beyond = found.truncated["whole"] - found.truncated["listed"] if found.truncated else 0
    tell(block, "truncated", CAP, len(ordered) - len(served) + beyond, len(served), _NARROW)
    return block


def _inferred_half(reader: Reader, corpus: Corpus) -> dict[str, Any]:
    return {"inferred_statements": absent(corpus.projects[0])} if reader.inferences is None else {}


def _topical(
    reader: Reader, corpus: Corpus, intent: str, found: Bound, deleted: Deleted
) -> tuple[list[dict[str, Any]], str]:
    """Notes that the intent's words match and the walk did not reach, and why they could not be read, if so."""
    if deleted == "only":
        return [], ""
    try:
        rows = topic_notes(reader, corpus, intent)
    except StoreUnavailable as error:
        return [], str(error)[:_LONGEST_REASON] or "the store did not answer"
    reached = {_id(row) for row in found.rows if not row.get("inferred")}
    return [row for row in rows if _id(row) not in reached], ""


def _id(row: dict[str, Any]) -> tuple[Any, Any]:
    return row.get("project"), row["artifact_id"]


def _slim(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in _NOT_SERVED}


def _pointer(row: dict[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in (*_POINTER, *_WARNS) if key in row}
