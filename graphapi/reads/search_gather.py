"""What a question gathers: every project's legs fused, weighed and put in reading order (004 section 5, Ranking)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from django.db import DatabaseError

from graphapi.domain.links import EXPLICIT_REF, REVISES, SUPERSEDES
from graphapi.domain.project_config import ProjectConfig
from graphapi.ranking import retrieval
from graphapi.ranking.candidates import Candidate, Fused
from graphapi.ranking.candidates import Key as RankedKey
from graphapi.ranking.words import canonical_terms
from graphapi.reads.corpus import Corpus, Group, Key
from graphapi.reads.marks import arriving, dated, leaving, superseded_by
from graphapi.reads.reader import Reader
from graphapi.reads.search_legs import Legs
from graphapi.store.port import Deleted, StoredArtifact, StoreUnavailable

# How far past the rows to be served each leg looks: a signal or an order rule lifts a row from there.
PAST_LIMIT = 10
# The second question only adds to what the first one found, so it looks less far.
FEEDBACK_PAST_LIMIT = 5
# Asked for whole around every row: a mark is never a sample.
WHOLE = (SUPERSEDES, REVISES)

Around = Mapping[Key, Sequence[Group]]


class Found(NamedTuple):
    """A row of an order, and which leg it says it came from."""

    key: Key
    method: str


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that a question gathered, past the limit it was asked with.

    ``ranked`` is the order of artifacts after the order rules; ``quoted`` that of passages, which no rule moves.
    ``query`` holds the words typed and their canonical terms, ``feedback`` those of the second question, if one was
    asked. ``applied`` is False where the signals could not be read: the orders are then the fused ones and ``around``
    is empty.
    """

    query: str
    feedback: str
    rows: Mapping[Key, StoredArtifact]
    around: Around
    ranked: tuple[Found, ...]
    quoted: tuple[Found, ...]
    applied: bool


def gather(
    reader: Reader,
    corpus: Corpus,
    query: str,
    *,
    limit: int,
    kinds: Sequence[str] | None = None,
    deleted: Deleted = "exclude",
    config: ProjectConfig,
) -> Gathered:
    """Ask every leg for ``query`` and order what they found. ``config``: the declarations of the project that asks.

    Raises ``StoreUnavailable`` where a leg cannot be asked; signals that cannot be read are told by ``applied``.
    """
    typed = " ".join((query, *canonical_terms(query, config.extraction.aliases)))
    legs = Legs(reader, corpus, kinds, deleted)
    first = legs.keyword(typed, retrieval.KEYWORD, retrieval.KEYWORD_WEIGHT, limit + PAST_LIMIT)
    first = legs.naming(query, first)
    feedback = legs.feedback_query(typed, first)
    second = legs.keyword(
        feedback, retrieval.FEEDBACK, retrieval.FEEDBACK_WEIGHT, limit + FEEDBACK_PAST_LIMIT
    )  # fmt: skip
    nodes, episodes = legs.recipe(typed, limit + PAST_LIMIT)
    found = [retrieval.fuse([*first, *second, *nodes]), retrieval.fuse([*first, *second, *episodes])]
    around = _around(corpus, legs.rows, deleted)
    if around is None:
        ranked, quoted = (tuple(Found(cast(Key, r.key), r.method) for r in rows) for rows in found)
        return Gathered(typed, feedback, legs.rows, {}, ranked, quoted, applied=False)
    ids = retrieval.query_ids(query, config.backlog.families if config.backlog else ())
    candidates: dict[RankedKey, Candidate] = {key: _candidate(key, row, around[key]) for key, row in legs.rows.items()}
    ranked, quoted = (_weighed(rows, candidates, ids, config) for rows in found)
    gathered = Gathered(typed, feedback, legs.rows, around, ranked, quoted, applied=True)
    return _in_reading_order(corpus, gathered, candidates, limit, deleted)


def _around(corpus: Corpus, rows: Mapping[Key, StoredArtifact], deleted: Deleted) -> dict[Key, list[Group]] | None:
    """The links around ``rows``, or None where they cannot be read: an answer without them beats no answer."""
    try:
        return corpus.around(rows, deleted=deleted, whole=WHOLE) if rows else {}
    except (StoreUnavailable, DatabaseError):
        return None


def _candidate(key: Key, row: StoredArtifact, groups: Sequence[Group]) -> Candidate:
    note = row.kind == "doc" and row.artifact_type == "decision"
    return Candidate(
        key=key,
        artifact_id=row.artifact_id,
        kind=row.kind,
        artifact_type=row.artifact_type,
        provenance=row.provenance,
        dated=dated(row),
        created=row.source_created_at,
        links=sum(group.count for group in groups),
        superseded=superseded_by(groups) is not None,
        speaks_of_criteria=note and retrieval.speaks_of_criteria(f"{row.title}\n{row.body}"),
    )


def _weighed(
    rows: Sequence[Fused], candidates: Mapping[RankedKey, Candidate], ids: frozenset[str], config: ProjectConfig
) -> tuple[Found, ...]:
    ranking = config.ranking
    # What nobody declared is left to the signal's own default, which a measurement may move.
    half_life = ranking.half_life_days if "half_life_days" in ranking.model_fields_set else None
    scored = retrieval.weigh(rows, candidates, query_ids=ids, half_life_days=half_life, provenance=ranking.provenance)
    return tuple(Found(cast(Key, row.key), row.method) for row in scored)


def _in_reading_order(
    corpus: Corpus, gathered: Gathered, candidates: Mapping[RankedKey, Candidate], limit: int, deleted: Deleted
) -> Gathered:
    """The order rules on artifacts: a later record is read before what it changes. They come before the cut."""
    methods = {found.key: found.method for found in gathered.ranked}
    named: dict[RankedKey, Collection[RankedKey]] = {key: _named(gathered.around[key]) for key in methods}
    revises: dict[RankedKey, Collection[RankedKey]] = {
        key: {edge.target for edge in leaving(gathered.around[key], REVISES)} for key in methods
    }
    decided = retrieval.order_decisions(list(methods), candidates, named)
    order = cast(list[Key], retrieval.order_criteria(decided, candidates, named, limit, revises))
    if retrieval.PULL_REVISING:
        return _pulled(corpus, gathered, order, methods, limit, deleted)
    return replace(gathered, ranked=_found(order, methods))


def _named(groups: Iterable[Group]) -> set[Key]:
    """What an artifact names by a live explicit reference or supersession."""
    return {
        edge.target
        for group in groups
        if group.direction == "out" and (group.method == EXPLICIT_REF or group.relation == SUPERSEDES)
        for edge in group.edges
        if edge.row.invalid_at is None
    }


def _found(order: Iterable[Key], methods: Mapping[Key, str]) -> tuple[Found, ...]:
    return tuple(Found(key, methods[key]) for key in order)


def _pulled(
    corpus: Corpus, gathered: Gathered, order: list[Key], methods: dict[Key, str], limit: int, deleted: Deleted
) -> Gathered:
    """The order with the revising notes that ``PULL_REVISING`` brings. It costs two round trips while it is on."""
    newest: dict[RankedKey, RankedKey] = {
        key: notes[0].source
        for key in order[: retrieval.PULL_REVISING_TOP]
        if (notes := arriving(gathered.around[key], REVISES))
    }
    fetched = corpus.get(cast(set[Key], set(newest.values()) - methods.keys()))
    held = {key for key, row in fetched.items() if not row.withheld} | methods.keys()
    newest = {story: note for story, note in newest.items() if note in held}
    rows, brought = retrieval.pull_revising(order, limit, newest)
    front, notes_in = cast(list[Key], rows), cast(list[Key], brought)
    if notes_in:
        around = corpus.around(notes_in, deleted=deleted, whole=WHOLE)
        gathered = replace(gathered, rows={**gathered.rows, **fetched}, around={**gathered.around, **around})
        methods |= dict.fromkeys(notes_in, retrieval.PULLED)
        order = list(dict.fromkeys([*front, *order]))
    return replace(gathered, ranked=_found(order, methods))
