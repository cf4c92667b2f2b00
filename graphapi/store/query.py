"""What both backends make of free text and of ranked matches, so that one query means one thing to either."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from graphapi.domain.query_words import MAX_WORDS, STOPWORDS, WORD, fold, words
from graphapi.store.namespaces import digits
from graphapi.store.port import Deleted

# How many matches past the limit are asked for at once, for ties at the limit to be told apart without a second call.
TIE_ROOM = 24

LIVE = "1"
ENDED = "2"
LINK_MARK = "3"
STATEMENT_MARK = "4"

T = TypeVar("T")
Ranked = tuple[float, tuple[Any, ...], T]

__all__ = [
    "ENDED", "LINK_MARK", "LIVE", "MAX_WORDS", "STATEMENT_MARK", "STOPWORDS", "TIE_ROOM", "Ranked", "best", "fold",
    "kind_mark", "plain", "state_marks", "words",
]  # fmt: skip


def plain(text: str) -> str:
    """``text`` as words with single spaces between: what an analyzer that keeps ``billing.py`` whole must get."""
    return " ".join(WORD.findall(fold(text)))


def state_marks(deleted: Deleted) -> tuple[str, ...]:
    """The state words a row must carry one of; none where both states are wanted."""
    return {"exclude": (LIVE,), "only": (ENDED,), "include": ()}[deleted]


@cache
def kind_mark(kind: str) -> str:
    """The word by which an artifact of ``kind`` is found inside the index."""
    return digits(kind)


def best(fetch: Callable[[int], list[Ranked[T]]], limit: int) -> list[T]:
    """The ``limit`` best matches by score, then by their order key.

    ``fetch(n)`` answers the index's own first ``n`` by score alone, so those that tie with the last one kept may stand
    outside ``n``: it is asked for more until the scores fall.
    """
    if limit <= 0:
        return []
    room = limit + TIE_ROOM
    ranked = fetch(room)
    while len(ranked) == room and ranked[-1][0] == ranked[limit - 1][0]:
        room *= 4
        ranked = fetch(room)
    ranked.sort(key=lambda hit: (-hit[0], hit[1]))
    return [hit[2] for hit in ranked[:limit]]
