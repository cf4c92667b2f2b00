"""The question in words: what was found, what it says of itself, what is stated around it (004 section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from graphapi.reads.absent import absent
from graphapi.reads.answer import begin, finish
from graphapi.reads.arguments import deleted_state, kinds_of, widens, within, words_of
from graphapi.reads.budget import INFERRED_CAP, NOT_NEAR_TOP, Shelf, tell
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.declared import declared
from graphapi.reads.payloads.search import SearchPayload
from graphapi.reads.reach import Reach
from graphapi.reads.reader import Reader
from graphapi.reads.search_facts import ended, facts_of
from graphapi.reads.search_gather import Found, gather
from graphapi.reads.search_inferred import CONCEPTS, FACTS, SUMMARY_SENTENCES, concept_rows, first_sentences
from graphapi.reads.search_rows import artifact_rows, passage_rows
from graphapi.reads.search_shelves import ALL, shelves_in_cut_order
from graphapi.store.port import Deleted

DEFAULT_LIMIT = 10
MOST = 50

_FAR = "get_artifact on an id serves its links"


def search_context(
    reader: Reader,
    *,
    query: str,
    limit: int = DEFAULT_LIMIT,
    kind: str | Sequence[str] | None = None,
    deleted: str | None = None,
    inferred: str | None = None,
    project: str | None = None,
    projects: Sequence[str] | None = None,
) -> SearchPayload:
    """Search every artifact and stated fact for ``query``, in the project named and in what it imports.

    Raises ``BadArguments``, ``UnknownProject``, ``SettingRefused`` and ``StoreUnavailable``.
    """
    words = words_of("query", query)
    rows = within("limit", limit, 1, MOST)
    kinds, state, widened = kinds_of(kind), deleted_state(deleted), widens(inferred)
    reach = reader.reach(project, projects)
    corpus = Corpus(reader.store, reach.all, several=reach.several)
    answer, shelves = shelves_of(
        reader, reach, corpus, words, limit=rows, kinds=kinds, deleted=state, widened=widened, into=begin(reach)
    )
    return cast(SearchPayload, finish(reader, reach, answer, shelves))


def shelves_of(
    reader: Reader,
    reach: Reach,
    corpus: Corpus,
    query: str,
    *,
    limit: int,
    kinds: Sequence[str] | None = None,
    deleted: Deleted = "exclude",
    widened: bool = False,
    into: dict[str, Any] | None = None,
) -> tuple[dict[str, Any], list[Shelf]]:
    """A search without its stamps: its shelves in a map, and those of them that give way to a budget, in that order.

    ``widened`` lifts the inferred cap. ``into`` is the map to fill, which is also where cuts are told.
    """
    answer: dict[str, Any] = {} if into is None else into
    home = reach.named[0]
    gathered = gather(
        reader, corpus, query, limit=limit, kinds=kinds, deleted=deleted, config=declared(home)
    )  # fmt: skip
    served = gathered.ranked[:limit]
    cap = limit if widened else FACTS
    facts = facts_of(reader, corpus, gathered, [f.key for f in served], limit=limit, deleted=deleted, cap=cap)
    answer["artifacts"] = artifact_rows(corpus, gathered, served, deleted)
    answer["passages"] = passage_rows(corpus, gathered, limit)
    answer["facts"] = facts.rows
    answer["deterministic_facts"] = facts.declared
    if reader.inferences is None:
        answer |= {"concepts": absent(home), "inferred_facts": absent(home)}
    else:
        answer["concepts"] = concept_rows(reader, corpus, gathered.query, limit=limit)
        _add_summaries(reader, corpus, answer["artifacts"], served, widened=widened)
    if not widened:
        _cap_concepts(answer)
        answer["inferred_cap"] = {"concepts": CONCEPTS, "facts": FACTS, "summary_sentences": SUMMARY_SENTENCES}
    if deleted == "exclude" and (count := ended(corpus, gathered.query)):
        answer["invalidated"] = {"count": count}
    if facts.retired:
        answer["inferred_retired"] = {"count": facts.retired}
    if not gathered.applied:
        answer["ranking"] = {"applied": False}
    tell(answer, "facts_truncated", NOT_NEAR_TOP, facts.left_out, facts.declared, _FAR)
    tell(answer, "truncated_facts", INFERRED_CAP, facts.capped, len(facts.rows) - facts.declared, ALL)
    return answer, shelves_in_cut_order(answer)


def _add_summaries(
    reader: Reader, corpus: Corpus, rows: list[dict[str, Any]], served: Sequence[Found], *, widened: bool
) -> None:
    """``inferred_summary`` on the artifacts rows whose node has a paragraph, beside what is stated."""
    if reader.inferences is None:
        return
    held: dict[Key, str] = {}
    for place in range(len(corpus.projects)):
        ids = [found.key.artifact_id for found in served if found.key.place == place]
        texts = reader.inferences.summaries(corpus.namespace(place), ids) if ids else {}
        held |= {Key(place, i): text for i, text in texts.items()}
    for row, found in zip(rows, served, strict=True):
        if text := held.get(found.key):
            row["inferred_summary"] = text
            if not widened:
                first_sentences(row, "inferred_summary", SUMMARY_SENTENCES)


def _cap_concepts(answer: dict[str, Any]) -> None:
    rows = answer["concepts"]
    if not isinstance(rows, list):
        return
    gone = len(rows) - CONCEPTS
    del rows[CONCEPTS:]
    for row in rows:
        first_sentences(row, "summary", SUMMARY_SENTENCES)
    tell(answer, "truncated_concepts", INFERRED_CAP, gone, len(rows), ALL)
