"""In what order what binds a scope is served, and which member of the scope it is credited to (004 sections 2b, 5)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graphapi.domain.artifact import natural_key
from graphapi.domain.links import CITES, EXPLICIT_REF, INFERRED_RANK, METHOD_RANK, REVISES, TITLE_MENTION
from graphapi.ranking.candidates import Key
from graphapi.ranking.moments import newest_first

# Whether a note that only declares it revises a member is a statement; off, the mark on the scope alone names it.
BINDING_SERVES_REVISING = False
STATEMENTS_PER_ANCESTOR = 5
STATEMENT_CAP = 60
# A topic's match is kept where it carries more than this share of the words that the best match carries ...
TOPIC_WORD_SHARE = 0.5
# ... and scores at least this share of the best match's score.
TOPIC_SCORE_REACH = 0.35

TOPIC_MATCH = "topic-match"
STATES = "states"

Place = Literal["own", "beneath", "above"]
_PLACES: dict[Place, int] = {"own": 0, "beneath": 1, "above": 2}
_BY_TOPIC_RANK = METHOD_RANK[TITLE_MENTION] - 5
_STATES_RANK = METHOD_RANK[TITLE_MENTION] + 5
# A note that names a member is as strong a claim as a note the member cites.
_METHODS = {
    **METHOD_RANK, EXPLICIT_REF: METHOD_RANK[CITES], TOPIC_MATCH: _BY_TOPIC_RANK, STATES: _STATES_RANK
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement as the order sees it.

    ``superseded``: a later note took its note's place, or every source of it has gone. ``topic_words``: how many of
    the topic's words its own words carry. ``place``: where the member it bears on stands to the scope's root, and
    ``distance`` how many declared steps away. ``ancestor``: that member where it is above, else None.
    """

    key: Key
    inferred: bool
    superseded: bool
    topic_words: int
    method: str
    place: Place
    distance: int
    stated_at: str | None
    artifact_id: str
    ancestor: Key | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """One way from a member of the scope to a statement: ``distance`` is the member's, ``edge`` the last step's."""

    member_key: Key
    member_id: str
    distance: int
    edge: Hashable


@dataclass(frozen=True, slots=True)
class TopicHit:
    """An artifact the keyword index found, its score there, and how many of the topic's words it carries."""

    key: Key
    score: float
    carried: int


def method_rank(method: str) -> int:
    """Lower is the stronger claim; a method nobody declared comes last."""
    return _METHODS.get(method, INFERRED_RANK)


def order(claims: Iterable[Claim], *, by_topic: bool) -> list[Claim]:
    """What was stated, then what was inferred; within each the live, the nearest to the topic, the stronger claim.

    After the method: the root's own, what is beneath it, what it hangs under, each newest first and undated last;
    claims that only a revision makes go by distance in place of that. The order of ``claims`` plays no part.
    """

    def place(claim: Claim) -> tuple[Any, ...]:
        return (
            claim.inferred,
            claim.superseded,
            -claim.topic_words if by_topic else 0,
            method_rank(claim.method),
            claim.distance if claim.method == REVISES else _PLACES[claim.place],
            newest_first(claim.stated_at),
            natural_key(claim.artifact_id),
            claim.artifact_id,
            repr(claim.key),
        )

    return sorted(claims, key=place)


def credit(reaches: Iterable[Reach]) -> tuple[Key, list[Key]]:
    """Which member a statement bears on, and the others that reached it over an edge of their own.

    Nearest first, then the lower id. Several members over one edge are one reach, and it is the first one's. Raises
    ``ValueError`` where nothing reached it.
    """
    ordered = sorted(reaches, key=lambda r: (r.distance, natural_key(r.member_id), r.member_id))
    if not ordered:
        raise ValueError("a statement that no member reaches bears on none")
    firsts: dict[Hashable, Key] = {}
    for reach in ordered:
        firsts.setdefault(reach.edge, reach.member_key)
    bears_on, *also = dict.fromkeys(firsts.values())
    return bears_on, also


def keep_ancestors(claims: Sequence[Claim]) -> tuple[list[Claim], dict[Key, int]]:
    """The ordered claims with the first ``STATEMENTS_PER_ANCESTOR`` of each ancestor, and how many each one lost."""
    kept: list[Claim] = []
    seen: dict[Key, int] = {}
    for claim in claims:
        if claim.place == "above":
            seen[claim.ancestor] = seen.get(claim.ancestor, 0) + 1
            if seen[claim.ancestor] > STATEMENTS_PER_ANCESTOR:
                continue
        kept.append(claim)
    lost = {ancestor: n - STATEMENTS_PER_ANCESTOR for ancestor, n in seen.items() if n > STATEMENTS_PER_ANCESTOR}
    return kept, lost


def topic_matches(hits: Sequence[TopicHit], words: int) -> tuple[list[TopicHit], int]:
    """The matches worth walking on from, best first, and how many were weaker. ``words``: how many the topic has.

    A match's score is weighed by the share of the topic's words it carries at all.
    """
    weighed = sorted(((hit.score * hit.carried / max(words, 1), hit) for hit in hits), key=lambda pair: -pair[0])
    if not weighed or weighed[0][0] <= 0:
        return [], len(hits)
    best_score, best = weighed[0]
    kept = [
        hit
        for score, hit in weighed
        if hit.carried > TOPIC_WORD_SHARE * best.carried and score >= TOPIC_SCORE_REACH * best_score
    ]
    return kept, len(hits) - len(kept)
