"""What both backends make of free text, so that one query means one thing to either."""

from __future__ import annotations

from functools import cache

from graphapi.domain.query_words import MAX_WORDS, STOPWORDS, WORD, fold, words
from graphapi.store.namespaces import digits
from graphapi.store.port import Deleted

# How many matches past the limit an index that cuts by score alone is asked for, for most ties at it to be told apart.
TIE_ROOM = 24

LIVE = "1"
ENDED = "2"
LINK_MARK = "3"
STATEMENT_MARK = "4"

__all__ = [
    "ENDED", "LINK_MARK", "LIVE", "MAX_WORDS", "STATEMENT_MARK", "STOPWORDS", "TIE_ROOM", "fold", "kind_mark", "plain",
    "state_marks", "words",
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
