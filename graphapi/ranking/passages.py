"""The artifact's own words in an answer: the passage around what a query matched, and the summary (004 section 5)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass

from graphapi.ranking.words import WEAK_STEMS, stem

PASSAGE_WIDTH = 320
SUMMARY_CHARACTERS = 280
# A passage is looked for in this much of a body; a longer one is a log or a dump.
PASSAGE_CHARACTERS = 300_000
CUT = "…"

# Latin letters with an accent, and accents written as characters of their own: folding takes both away.
_ACCENTED = "\u00c0-\u024f\u1e00-\u1eff"
_ACCENTS = "\u0300-\u036f"
_ENVELOPE = re.compile(r"^[ \t]*Document:[^\n]*", re.MULTILINE)
_SPACE = re.compile(r"\s")
_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Prose between two envelope lines, from ``start`` to ``end``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Window:
    """The words that made a window the best one: from the first one's start to the last one's end."""

    stretch: _Stretch
    start: int
    end: int


class _Known(dict[str, str]):
    """Each spelling in a body to the query stem it carries, or to nothing; a body repeats its words."""

    def __init__(self, wanted: Set[str]) -> None:
        super().__init__()
        self._wanted = wanted

    def __missing__(self, spelling: str) -> str:
        root = stem(spelling)
        return self.setdefault(spelling, root if root in self._wanted else "")


def passage(body: str, query_stems: Set[str], *, width: int = PASSAGE_WIDTH) -> str | None:
    """The window of ``body`` with the most distinct ``query_stems``; None where it carries none.

    Among equals the one with more hits, then the earliest. At most ``width`` characters of the body as they are there,
    cut between words, with ``…`` at an edge beyond which there is more prose. Common words count only where the query
    has no other or the body none of the others. A word longer than ``width`` is no hit.
    """
    scanned = body if len(body) <= PASSAGE_CHARACTERS else _whole_words(body[:PASSAGE_CHARACTERS])
    stretches = list(_stretches(scanned))
    for wanted in (query_stems - WEAK_STEMS, query_stems & WEAK_STEMS):
        if wanted and (window := _best(scanned, stretches, wanted, width)):
            return _cut_out(body, stretches, window, width)
    return None


def _whole_words(text: str) -> str:
    """``text`` without the word that its end may have cut through."""
    return text[: max(text.rfind(" "), text.rfind("\n"), 0)] or text


def _stretches(text: str) -> Iterator[_Stretch]:
    start = 0
    for line in _ENVELOPE.finditer(text):
        said = line.group().rstrip()
        if said.endswith(")") and "(id:" in said:
            yield _Stretch(start, line.start())
            start = line.end()
    yield _Stretch(start, len(text))


def _words_like(text: str, wanted: Set[str]) -> re.Pattern[str]:
    """What finds the words that may carry a wanted stem: a stem keeps its word's first letter, accents aside."""
    letters = re.escape("".join(sorted({letter for root in wanted for letter in (root[0], root[0].upper())})))
    # The letters stand before the look behind them: the engine then skips to one without trying the rest.
    if text.isascii():
        return re.compile(rf"[{letters}](?<![^\W_].)[^\W_]*")
    begins = rf"[{letters}{_ACCENTED}](?<![^\W_].)(?<![{_ACCENTS}].)"
    return re.compile(rf"{begins}(?:[^\W_]+|[{_ACCENTS}]+)*")


def _best(text: str, stretches: list[_Stretch], wanted: Set[str], width: int) -> _Window | None:
    known, words = _Known(wanted), _words_like(text, wanted)
    best, found = (0, 0), None
    for stretch in stretches:
        hits: list[tuple[int, int, str]] = []
        for word in words.finditer(text, stretch.start, stretch.end):
            start, end = word.span()
            if end - start <= width and (root := known[word.group()]):
                hits.append((start, end, root))
        inside: Counter[str] = Counter()
        after = 0
        for first, (start, _, root) in enumerate(hits):
            while after < len(hits) and hits[after][1] <= start + width:
                inside[hits[after][2]] += 1
                after += 1
            if (size := (len(inside), after - first)) > best:
                best, found = size, _Window(stretch, start, hits[after - 1][1])
            inside[root] -= 1
            if not inside[root]:
                del inside[root]
    return found


def _cut_out(body: str, stretches: list[_Stretch], window: _Window, width: int) -> str:
    """The window widened on both sides as far as ``width`` allows, and then cut back to whole words."""
    low, high = window.stretch.start, window.stretch.end
    start = max(low, min(window.start - (width - (window.end - window.start)) // 2, high - width))
    end = min(high, start + width)
    if start > low and not _SPACE.match(body, start - 1):
        space = _SPACE.search(body, start, window.start)
        start = space.end() if space else window.start
    if end < high and not _SPACE.match(body, end):
        spaces = [space.start() for space in _SPACE.finditer(body, window.end, end)]
        end = spaces[-1] if spaces else window.end
    text = body[start:end]
    before = any(body[s.start : min(s.end, start)].strip() for s in stretches if s.start < start)
    after = any(body[max(s.start, end) : s.end].strip() for s in stretches if s.end > end)
    return (CUT if before else "") + text.strip() + (CUT if after or len(body) > PASSAGE_CHARACTERS else "")


def summary(title: str, body: str) -> str:
    """The stated title, a line break and how the body begins: at most 280 characters, white space run together.

    Cut on a word and marked ``…`` where cut. A blank body leaves the title alone.
    """
    parts: list[str] = []
    length = -1
    for token in _TOKEN.finditer(body):
        length += 1 + token.end() - token.start()
        if length > SUMMARY_CHARACTERS:
            return f"{title}\n{' '.join(parts)}{CUT}"
        parts.append(token.group())
    return f"{title}\n{' '.join(parts)}" if parts else title
