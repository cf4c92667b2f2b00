"""Titles and declared spellings that stand whole in a body (004 section 5, Title mentions)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

MIN_WORDS = 2
MIN_CHARACTERS = 12
_WORD = re.compile(r"\w+")
_SPACE = re.compile(r"\s+")


def normalised(text: str) -> str:
    """Case and spacing set aside: NFC, case folded, every run of white space one space."""
    return _SPACE.sub(" ", unicodedata.normalize("NFC", text)).casefold().strip()


def is_mentionable(title: str) -> bool:
    """Whether a title is distinctive enough to be looked for in prose: two words, or twelve characters, or more."""
    plain = normalised(title)
    return len(plain) >= MIN_CHARACTERS or len(_WORD.findall(plain)) >= MIN_WORDS


@dataclass(slots=True)
class PhraseIndex:
    """Phrases, found in a body in one walk over its words, whatever the number of phrases.

    A phrase is looked up by its tuple of words; only the phrase lengths that begin with a given word are tried.
    """

    _by_words: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    _lengths: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, phrases: Iterable[str]) -> PhraseIndex:
        """``phrases`` as :func:`normalised` leaves them."""
        index = cls()
        for phrase in phrases:
            words = tuple(_WORD.findall(phrase))
            if not words:
                continue
            known = index._by_words.setdefault(words, [])
            if phrase not in known:
                known.append(phrase)
            lengths = index._lengths.setdefault(words[0], [])
            if len(words) not in lengths:
                lengths.append(len(words))
        return index

    def __bool__(self) -> bool:
        return bool(self._by_words)

    def found_in(self, body: str) -> list[str]:
        """The phrases standing whole in ``body``, each once, in order of appearance."""
        text = normalised(body)
        words = _WORD.findall(text)
        lengths = self._lengths
        places: list[int] | None = None
        found: dict[str, None] = {}
        for at, word in enumerate(words):
            for length in lengths.get(word, ()):
                for phrase in self._by_words.get(tuple(words[at : at + length]), ()):
                    if phrase in found:
                        continue
                    if places is None:
                        places = [m.start() for m in _WORD.finditer(text)]
                    if _stands_at(text, phrase, places[at]):
                        found[phrase] = None
        return list(found)


def _stands_at(text: str, phrase: str, word_start: int) -> bool:
    """Whether the phrase, its punctuation included, is the text around its first word, and ends and begins whole."""
    first = _WORD.search(phrase)
    start = word_start - (first.start() if first else 0)
    end = start + len(phrase)
    if start < 0 or text[start:end] != phrase:
        return False
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_WORD.match(before) and _WORD.match(phrase)) and not (_WORD.match(after) and _WORD.match(phrase[-1]))


def spellings(aliases: Mapping[str, Iterable[str]], titles: Container[str]) -> dict[str, str]:
    """From declared aliases, the spellings that stand for a title in use: spelling → that title, both normalised."""
    return {
        normalised(spelling): normalised(canonical)
        for canonical, others in aliases.items()
        if normalised(canonical) in titles
        for spelling in others
        if normalised(spelling)
    }
