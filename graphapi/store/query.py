"""What both backends make of free text, so that one query means one thing to either."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from graphapi.store.namespaces import digits
from graphapi.store.port import Deleted

# The stop set of Lucene's English analyzer: Neo4j drops these words as it indexes, so neither store may look for them.
_STOP_SET = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this "
    "to was will with"
)
STOPWORDS = frozenset(_STOP_SET.split())
# A pasted page is still a query. Lucene refuses more than 1,024 clauses, and the cost grows with each.
MAX_WORDS = 128
# How many matches past the limit an index that cuts by score alone is asked for, for most ties at it to be told apart.
TIE_ROOM = 24

LIVE = "1"
ENDED = "2"
LINK_MARK = "3"
STATEMENT_MARK = "4"

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """The words of a query in lower case, each once, without stopwords; at most ``MAX_WORDS``.

    They consist of letters and digits only: quoting one is enough to keep any query language from obeying it.
    """
    found = dict.fromkeys(_WORD.findall(unicodedata.normalize("NFC", text).lower()))
    return [word for word in found if word not in STOPWORDS][:MAX_WORDS]


class _Folds(dict[int, str]):
    """What each character is folded to, worked out once: SQLite's tokenizer folds Latin letters and no others."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        base = unicodedata.normalize("NFD", char)[0]
        folded = "" if unicodedata.combining(char) else base if base.isascii() else char
        return self.setdefault(code, folded)


_FOLDS = _Folds()


def fold(text: str) -> str:
    """``text`` without the accents of its Latin letters, composed or not, as SQLite's tokenizer folds it."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_FOLDS)


def plain(text: str) -> str:
    """``text`` as words with single spaces between: what an analyzer that keeps ``billing.py`` whole must get."""
    return " ".join(_WORD.findall(fold(text)))


def state_marks(deleted: Deleted) -> tuple[str, ...]:
    """The state words a row must carry one of; none where both states are wanted."""
    return {"exclude": (LIVE,), "only": (ENDED,), "include": ()}[deleted]


@cache
def kind_mark(kind: str) -> str:
    """The word by which an artifact of ``kind`` is found inside the index."""
    return digits(kind)
