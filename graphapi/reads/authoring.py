"""``get_authoring_context``: the bundle a draft starts from, and what it must not contradict (004 section 2b)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from graphapi.reads.answer import begin, finish
from graphapi.reads.arguments import deleted_state, widens, within, words_of
from graphapi.reads.authoring_backlog import backlog_rows
from graphapi.reads.authoring_binding import binding_block
from graphapi.reads.authoring_shelves import bundle_shelves, say_revisions_once
from graphapi.reads.budget import Shelf
from graphapi.reads.corpus import Corpus
from graphapi.reads.declared import declared
from graphapi.reads.payloads.authoring import AuthoringContext
from graphapi.reads.reach import Reach
from graphapi.reads.reader import Reader
from graphapi.reads.search import shelves_of
from graphapi.reads.search_gather import gather
from graphapi.store.port import Deleted

LIMIT_DEFAULT = 5
LIMIT_MOST = 20
_ITEMS = ("pbi",)


def get_authoring_context(
    reader: Reader, *, intent: str, limit: int | None = None, inferred: str | None = None, deleted: str | None = None,
    project: str | None = None, projects: Sequence[str] | None = None,
) -> AuthoringContext:  # fmt: skip
    """The work items nearest to ``intent``, what is related to it, and what binds those items, in the project named
    and in what it imports.

    ``inferred='all'`` lifts the cap on what a model inferred in ``related``. Raises ``BadArguments``,
    ``UnknownProject``, ``SettingRefused`` and ``StoreUnavailable``.
    """
    words = words_of("intent", intent)
    most = within("limit", LIMIT_DEFAULT if limit is None else limit, 1, LIMIT_MOST)
    state, widened = deleted_state(deleted), widens(inferred)
    reach = reader.reach(project, projects)
    corpus = Corpus(reader.store, reach.all, several=reach.several)
    answer = begin(reach)
    config = declared(reach.named[0])
    gathered = gather(reader, corpus, words, limit=most, kinds=_ITEMS, deleted=state, config=config)
    served = gathered.ranked[:most]
    answer["backlog"] = backlog_rows(corpus, gathered, served, state)
    roots = [found.key for found in served]
    answer["binding"] = binding_block(reader, corpus, words, roots, deleted=state)
    shelves = _related(answer, reader, reach, corpus, words, most, state, widened=widened)
    if not gathered.applied:
        answer["ranking"] = {"applied": False}
    revised = say_revisions_once(answer)
    return cast("AuthoringContext", finish(reader, reach, answer, bundle_shelves(answer, shelves, revised)))


def _related(
    answer: dict[str, Any], reader: Reader, reach: Reach, corpus: Corpus, words: str, most: int, state: Deleted, *,
    widened: bool,
) -> list[Shelf]:  # fmt: skip
    """Put a search of its own under ``related``, less what the backlog serves; give what of it may be cut."""
    related, shelves = shelves_of(reader, reach, corpus, words, limit=most, deleted=state, widened=widened)
    nearest = {_id(row) for row in answer["backlog"]}
    there: dict[str, None] = {}
    for shelf in ("artifacts", "passages"):
        rows = related[shelf]
        there |= dict.fromkeys(row["artifact_id"] for row in rows if _id(row) in nearest)
        # In place: the shelves that give way to the budget hold these very lists.
        rows[:] = [row for row in rows if _id(row) not in nearest]
    related["artifacts_in_backlog"] = list(there)
    answer["related"] = related
    return shelves


def _id(row: dict[str, Any]) -> tuple[Any, Any]:
    return row.get("project"), row["artifact_id"]
