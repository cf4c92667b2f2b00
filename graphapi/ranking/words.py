"""The words of queries and of prose on the stem that both keyword indexes use (004 section 5)."""

from __future__ import annotations

import math
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

import Stemmer

from graphapi.domain.mentions import PhraseIndex, normalised
from graphapi.domain.query_words import STOPWORDS, WORD, fold, words

# Words that hold a sentence together. The index keeps them, so a query may match on them, but they tell no topic.
_FUNCTION_WORDS = (
    "about above after again against all almost already also although always am among another any anybody anyone "
    "anything because been before being below between both came can cannot come could did do does doing done down "
    "during each either else enough ever every everyone everything few first from further gave get gets getting give "
    "given go goes going gone got had has have having he hence her here hers herself him himself his how however i "
    "instead its itself just last least less let like made make makes making many may maybe me might "
    "more most much must my myself need needs neither never new next nobody none nor nothing now off often old "
    "once one ones only onto other others otherwise ought our ours ourselves out over own per perhaps put quite rather "
    "really said same say says see seen she should since so some somebody someone something sometimes still take taken "
    "takes than theirs them themselves thing things think those though through thus today together too toward towards "
    "two under until up upon us use used uses using very via want wants way ways we well went were what whatever when "
    "whenever where whereas whether which while who whole whom whose why within without would yes yet you your yours "
    "yourself"
)
COMMON_WORDS = STOPWORDS | frozenset(_FUNCTION_WORDS.split())

# A topic's word is at least this long: shorter ones name no artifact (004 section 2b, a topic scope).
MIN_WORD = 3
# Feedback reads this much of a document: its beginning says what it is about.
FEEDBACK_CHARACTERS = 1_500
# A word of a title says what the document is about, as the keyword index weighs it too.
FEEDBACK_TITLE = 2.0

# A ticket, a commit or an address, a path, a hash as written in prose: names, which a second query must not run after.
_NAME = re.compile(
    r"(?<![\w-])[^\W\d_]\w*(?:-\w+)*-\d+(?![\w-])|@|/[^/]*\.\w|://|(?<![0-9a-z])(?=[a-f]*\d)[0-9a-f]{7,40}(?![0-9a-z])"
)

# Only a token with one of these can be such a name.
_ODD = re.compile(r"[\d@/]")

_own = threading.local()


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of one word, case and Latin accents aside."""
    stemmer = getattr(_own, "stemmer", None)
    if stemmer is None:
        # A stemmer of PyStemmer's holds state while it works, so each thread has one; the answers are shared.
        stemmer = _own.stemmer = Stemmer.Stemmer("porter")
    return str(stemmer.stemWord(fold(word.lower())))


def stems(text: str) -> set[str]:
    """The stems a query's words are looked up by: without stopwords, of at most ``MAX_WORDS`` words."""
    return {stem(word) for word in words(text)}


def topic_words(topic: str) -> list[str]:
    """The words of a topic that can name an artifact: no stopword, none under three characters."""
    return [word for word in words(topic) if len(word) >= MIN_WORD]


WEAK_STEMS = frozenset(stem(word) for word in COMMON_WORDS)


def carried(text: str, query_stems: Set[str]) -> frozenset[str]:
    """Which of ``query_stems`` the words of ``text`` carry."""
    if not query_stems:
        return frozenset()
    return frozenset(root for word in set(WORD.findall(fold(text).lower())) if (root := stem(word)) in query_stems)


def feedback_terms(query: str, documents: Sequence[tuple[str, str]], *, most: int = 8) -> list[str]:
    """The words that most distinguish these documents, (title, body) with the best first, and that the query lacks.

    A stem scores, in each document, by the logarithm of how often it is there, twice that where the title has it, and
    a document's share falls with its rank; so a word of several of them leads, then a word the best one dwells on.
    Ties go to the longer word, being the rarer one, then by the alphabet. No common word, number, id or word under
    three characters is among them.
    """
    have = {stem(word) for word in words(query)}
    scores: dict[str, float] = {}
    spelled: dict[str, str] = {}
    for rank, (title, body) in enumerate(documents, start=1):
        head = _plain_words(title[:FEEDBACK_CHARACTERS])
        named = {stem(word) for word in head}
        counts: dict[str, int] = {}
        for word, times in Counter(head + _plain_words(body[:FEEDBACK_CHARACTERS])).items():
            if len(word) >= MIN_WORD and word not in COMMON_WORDS:
                root = stem(word)
                counts[root] = counts.get(root, 0) + times
                spelled.setdefault(root, word)
        for root, times in counts.items():
            weight = FEEDBACK_TITLE if root in named else 1.0
            scores[root] = scores.get(root, 0.0) + weight * (1.0 + math.log(times)) / rank
    found = [root for root in scores if root not in have and not root.isnumeric()]
    found.sort(key=lambda root: (-scores[root], -len(spelled[root]), spelled[root]))
    return [spelled[root] for root in found[: max(most, 0)]]


def _plain_words(text: str) -> list[str]:
    """The words of prose in lower case, without those that only an id or an address has."""
    tokens = unicodedata.normalize("NFC", text).lower().split()
    plain = [t for t in tokens if t.isalpha() or not _ODD.search(t) or not _NAME.search(t)]
    return WORD.findall(" ".join(plain))


def canonical_terms(query: str, aliases: Mapping[str, Sequence[str]]) -> list[str]:
    """The canonical terms whose declared spellings stand whole in ``query``, each once, in the query's order.

    ``aliases``: a canonical term to its other spellings. The canonical term typed brings none of the spellings.
    """
    terms: dict[str, list[str]] = {}
    for canonical, spellings in aliases.items():
        for spelling in map(normalised, spellings):
            if spelling and spelling != normalised(canonical):
                terms.setdefault(spelling, []).append(canonical)
    found = PhraseIndex.of(terms).found_in(query) if terms else []
    return list(dict.fromkeys(term for spelling in found for term in terms[spelling]))
