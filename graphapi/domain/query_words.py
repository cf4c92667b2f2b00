"""What a query's words are: one list for what is looked up in the keyword index and for what ranks what it finds."""

from __future__ import annotations

import re
import unicodedata

# The stop set of Lucene's English analyzer: Neo4j drops these words as it indexes, so neither store may look for them.
_STOP_SET = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this "
    "to was will with"
)
STOPWORDS = frozenset(_STOP_SET.split())
# A pasted page is still a query. Lucene refuses more than 1,024 clauses, and the cost grows with each.
MAX_WORDS = 128

WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """The words of a query in lower case, each once, without stopwords; at most ``MAX_WORDS``.

    They consist of letters and digits only: quoting one is enough to keep any query language from obeying it.
    """
    found = dict.fromkeys(WORD.findall(unicodedata.normalize("NFC", text).lower()))
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
