"""How a search's rows are fused, weighed and ordered (004 section 5, Ranking).

The names in capitals are read when a function is called, so that a measurement can move one and look again.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from graphapi.domain.artifact import SOURCE_OF_RECORD
from graphapi.domain.ids import family_of, id_tokens
from graphapi.domain.links import REVISES
from graphapi.ranking import row_order
from graphapi.ranking.candidates import BINDING_TYPES, Candidate, Fused, Key, Leg, Scored
from graphapi.ranking.moments import days_between, instant
from graphapi.ranking.row_order import Named, speaks_of_criteria

__all__ = [
    "BINDING_TYPES", "Candidate", "Fused", "Key", "Leg", "Scored", "fuse", "order_criteria", "order_decisions",
    "pull_revising", "query_ids", "speaks_of_criteria", "weigh",
]  # fmt: skip

# Whether a served row of a revised work item is marked; the read that serves the row looks here.
REVISED_BY_MARK = True
# Whether a declared revision alone sinks the story it revises.
REVISES_ORDER = False
# Whether a note that speaks of a story's criteria sinks it.
CRITERION_WORDS_RULE = True
# Whether a revised story near the top brings a revising note that no leg found.
PULL_REVISING = False
PULL_REVISING_TOP = 3
PULL_REVISING_MAX = 2

FUSION_OFFSET = 10
KEYWORD_WEIGHT = 1.0
FEEDBACK_WEIGHT = 0.5
RECIPE_WEIGHT = 0.5

KEYWORD = "keyword (english stemming)"
FEEDBACK = "keyword (english stemming, feedback terms)"
RECIPE_ARTIFACT = "graph recipe (BM25 + id-name vector)"
RECIPE_PASSAGE = "graph recipe (BM25)"
PULLED = REVISES

EXACT_ID = "exact-id"
RECENCY = "recency"
PROVENANCE_SIGNAL = "provenance"
LINK_COUNT = "link-count"
KIND = "kind"
SUPERSEDED = "superseded"
# Recency's weight is its half-life in days; provenance's is the power its table is raised to.
SIGNALS: tuple[tuple[str, float], ...] = (
    (EXACT_ID, 4.0),
    (RECENCY, 180),
    (PROVENANCE_SIGNAL, 1.0),
    (LINK_COUNT, 0.1),
    (KIND, 0.6),
    (SUPERSEDED, 0.5),
)
PROVENANCE: Mapping[str, float] = {SOURCE_OF_RECORD: 1.0, "mirror": 0.8, "ai-derived": 0.8}
OTHER_PROVENANCE = 0.8


def fuse(legs: Sequence[Leg]) -> list[Fused]:
    """One order out of several: a row stands at the better of its places, and places are never added up.

    A leg gives ``weight / (FUSION_OFFSET + rank)``. A row's method is that of the first of ``legs`` that reached it,
    whichever leg scored it. Equal scores go to the earlier leg, then to the better rank.
    """
    best: dict[Key, tuple[float, int, int]] = {}
    methods: dict[Key, str] = {}
    for number, leg in enumerate(legs):
        for rank, key in enumerate(leg.keys, start=1):
            place = (-leg.weight / (FUSION_OFFSET + rank), number, rank)
            methods.setdefault(key, leg.method)
            if key not in best or place < best[key]:
                best[key] = place
    ordered = sorted(best.items(), key=lambda row: row[1])
    return [Fused(key, -at[0], methods[key], place) for place, (key, at) in enumerate(ordered, start=1)]


def query_ids(query: str, families: Iterable[str]) -> frozenset[str]:
    """The whole ids in ``query`` that belong to a family of the backlog, case folded; never a note's id."""
    known = {family.casefold() for family in families}
    tokens = (token.casefold() for token in id_tokens(query)) if known else ()
    return frozenset(token for token in tokens if (family := family_of(token)) is not None and family in known)


def weigh(
    fused: Sequence[Fused],
    candidates: Mapping[Key, Candidate],
    *,
    query_ids: Collection[str],
    half_life_days: float | None = None,
    provenance: Mapping[str, float] = PROVENANCE,
) -> list[Scored]:
    """The fused rows by their score times all six signals; equal scores keep the fused order.

    ``query_ids`` is what :func:`query_ids` found. Age is measured from the freshest dated row of these, so that an
    answer does not move with the clock. ``half_life_days`` (above 0) stands in for the default where an instance
    declares one, and ``provenance`` for the entries of the table that it names. A row that ``candidates`` does not
    know keeps its fused score.
    """
    weights = dict(SIGNALS)
    half_life = weights[RECENCY] if half_life_days is None else half_life_days
    known = {row.key: candidate for row in fused if (candidate := candidates.get(row.key))}
    freshest = max((at for c in known.values() if (at := instant(c.dated)) is not None), default=0.0)

    def signals(candidate: Candidate) -> float:
        factor = weights[EXACT_ID] if candidate.artifact_id.casefold() in query_ids else 1.0
        factor *= _recency(candidate, freshest, half_life)
        factor *= math.pow(_trust(candidate.provenance, provenance), weights[PROVENANCE_SIGNAL])
        factor *= 1.0 + weights[LINK_COUNT] * math.log1p(candidate.links)
        factor *= weights[KIND] if candidate.kind == "commit" else 1.0
        return factor * (weights[SUPERSEDED] if candidate.superseded else 1.0)

    factors = {key: signals(candidate) for key, candidate in known.items()}
    scored = [Scored(row.key, row.score * factors.get(row.key, 1.0), row.method) for row in fused]
    return sorted(scored, key=lambda row: -row.score)


def _recency(candidate: Candidate, freshest: float, half_life: float) -> float:
    """A binding note is as fresh as the freshest row, and a row without a date is neither favoured nor held back."""
    at = None if candidate.binds else instant(candidate.dated)
    return 1.0 if at is None else math.pow(0.5, days_between(at, freshest) / half_life)


def _trust(provenance: str, table: Mapping[str, float]) -> float:
    return table.get(provenance, PROVENANCE.get(provenance, OTHER_PROVENANCE))


def order_decisions(keys: Sequence[Key], candidates: Mapping[Key, Candidate], named: Named) -> list[Key]:
    """The whole gathered order, with a later decision note directly above an earlier one it names.

    ``named[k]``: the keys that ``k`` names by a live stated explicit-ref or supersedes edge. Comes before the cut.
    """
    return row_order.later_decisions_first(keys, candidates, named)


def order_criteria(
    keys: Sequence[Key],
    candidates: Mapping[Key, Candidate],
    named: Named,
    limit: int,
    revises: Named,
) -> list[Key]:
    """The order after :func:`order_decisions`, with a story beneath a later decision that changed its criteria.

    ``named`` as there; ``revises[k]``: the work items that ``k`` declares it revises, by a live edge.
    """

    def changes(note: Candidate, story: Key) -> bool:
        by_words = CRITERION_WORDS_RULE and note.speaks_of_criteria and story in named.get(note.key, ())
        return by_words or (REVISES_ORDER and story in revises.get(note.key, ()))

    if not (CRITERION_WORDS_RULE or REVISES_ORDER):
        return list(keys)
    return row_order.stories_beneath(keys, candidates, limit, changes)


def pull_revising(keys: Sequence[Key], limit: int, newest_revising: Mapping[Key, Key]) -> tuple[list[Key], list[Key]]:
    """The first ``limit`` rows with the revising notes that ``PULL_REVISING`` brings, and those notes (``PULLED``).

    ``newest_revising``: a revised story to its newest live revising note. Off, the rows are those of ``keys``.
    """
    most = PULL_REVISING_MAX if PULL_REVISING else 0
    return row_order.with_notes_above(keys, limit, newest_revising, top=PULL_REVISING_TOP, most=most)
