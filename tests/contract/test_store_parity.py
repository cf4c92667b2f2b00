"""Ranking: each store against BM25 worked out in plain Python, and the stores against each other.

The tolerance. A store and the formula it says it ranks by: it finds exactly what the formula finds, seven or more of
the formula's ten best are among its ten best, and the formula's best one is among its three best. The stores: they find
the same, nine of ten best are shared on average and four at the least, and in nineteen queries of twenty the best of
one is among the other's three best. They may not agree to the last place: Lucene rounds a text's length to a few bits,
leaves stopwords out of it, counts a title's words as often as they weigh, and weighs a word that many artifacts carry
more than SQLite does. Words that half of the artifacts carry or more are left out, since SQLite gives them next to no
weight at all.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest
import Stemmer

from graphapi.store.port import BODY_WEIGHT, TITLE_WEIGHT, ArtifactRow, GraphStore
from graphapi.store.query import STOPWORDS
from tests.contract.backends import Backend, backend_names
from tests.contract.rows import NOW, artifact

NAMESPACE = "t-parity"
ARTIFACTS = 360
TOP = 10

_stem = Stemmer.Stemmer("porter").stemWord
_PARTS = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "ar", "en", "il", "on")]
_ENDINGS = ["", "", "s", "ed", "ing", "ation", "ness", "er"]


def corpus() -> list[ArtifactRow]:
    """Artifacts of 3 to 600 words, from a vocabulary where few words are common and many are rare."""
    dice = random.Random(20260131)
    roots = sorted({"".join(dice.choices(_PARTS, k=dice.randint(2, 3))) for _ in range(700)})
    dice.shuffle(roots)
    weights = [1 / (place + 6) for place in range(len(roots))]

    def prose(length: int) -> str:
        drawn = dice.choices(roots, weights, k=length)
        said = [root + dice.choice(_ENDINGS) for root in drawn]
        return " ".join(word if dice.random() < 0.7 else f"{dice.choice(sorted(STOPWORDS))} {word}" for word in said)

    return [
        artifact(
            f"S-{n}",
            title=prose(dice.randint(2, 9)).title(),
            body=prose(int(2 ** dice.uniform(0, 9)) + dice.randint(0, 90)),
        )
        for n in range(ARTIFACTS)
    ]


def stems(text: str) -> list[str]:
    return [_stem(word) for word in re.findall(r"\w+", text.lower()) if word not in STOPWORDS]


class Reference:
    """BM25 with weighted fields: k1 = 1.2, b = 0.75, a title's word counted ``TITLE_WEIGHT`` times.

    ``plus`` is what a word's rarity has added to it before the logarithm: nothing in SQLite, one in Lucene.
    """

    def __init__(self, rows: list[ArtifactRow], plus: float) -> None:
        self.plus = plus
        self.counts: dict[str, Counter[str]] = {}
        self.lengths: dict[str, int] = {}
        self.carriers: Counter[str] = Counter()
        for row in rows:
            title, body = stems(row.title), stems(row.body)
            counts: Counter[str] = Counter()
            for words, weight in ((title, TITLE_WEIGHT), (body, BODY_WEIGHT)):
                for word in words:
                    counts[word] += weight  # type: ignore[assignment]
            self.counts[row.artifact_id] = counts
            self.lengths[row.artifact_id] = len(title) + len(body)
            self.carriers.update(counts.keys())
        self.mean = sum(self.lengths.values()) / len(rows)

    def search(self, query: str) -> list[str]:
        scores: Counter[str] = Counter()
        for word in dict.fromkeys(stems(query)):
            n = self.carriers[word]
            weight = math.log(self.plus + (len(self.counts) - n + 0.5) / (n + 0.5))
            for artifact_id, counts in self.counts.items():
                if tf := counts[word]:
                    norm = 1.2 * (0.25 + 0.75 * self.lengths[artifact_id] / self.mean)
                    scores[artifact_id] += weight * tf * 2.2 / (tf + norm)  # type: ignore[assignment]
        return [artifact_id for artifact_id, _ in scores.most_common()]

    def queries(self) -> list[str]:
        """Queries of one to four words, each carried by less than half of the artifacts."""
        dice = random.Random(7)
        words = sorted(
            word
            for word in {word for row in ROWS for word in row.body.split()} - STOPWORDS
            if 2 <= self.carriers[_stem(word)] < ARTIFACTS / 2
        )
        return [" ".join(dice.sample(words, k=1 + place % 4)) for place in range(60)]


ROWS = corpus()
REFERENCES = {"sqlite": Reference(ROWS, plus=0.0), "neo4j": Reference(ROWS, plus=1.0)}
REFERENCE = REFERENCES["sqlite"]
QUERIES = REFERENCE.queries()


@pytest.fixture(scope="module")
def filled(store: GraphStore) -> Iterator[GraphStore]:
    store.clear(NAMESPACE)
    store.upsert_artifacts(NAMESPACE, ROWS, now=NOW)
    yield store
    store.clear(NAMESPACE)


def found(store: GraphStore, query: str) -> list[str]:
    return [hit.artifact_id for hit in store.search_artifacts(NAMESPACE, query, limit=ARTIFACTS)]


def shared(expected: list[str], actual: list[str]) -> float:
    """How much of the ten best, or of what there is, stands among the other's ten best."""
    top = set(expected[:TOP])
    return len(top & set(actual[:TOP])) / len(top)


def test_the_corpus_has_words_of_every_frequency_and_texts_of_every_length() -> None:
    carried = sorted(REFERENCE.carriers.values())
    assert carried[0] == 1
    assert carried[-1] > ARTIFACTS / 2
    assert min(REFERENCE.lengths.values()) < 15 < 300 < max(REFERENCE.lengths.values())


@pytest.mark.parametrize("query", QUERIES)
def test_a_store_ranks_as_plain_bm25_does(filled: GraphStore, backend: Backend, query: str) -> None:
    expected, actual = REFERENCES[backend.name].search(query), found(filled, query)
    assert set(actual) == set(expected)
    assert shared(expected, actual) >= 0.7, (expected[:TOP], actual[:TOP])
    assert expected[0] in actual[:3], (expected[:TOP], actual[:TOP])


def test_the_stores_rank_alike(tmp_path_factory: pytest.TempPathFactory) -> None:
    """On SQLite alone: a store filled in one call and one filled row by row, backwards, which changes no score."""
    opened = [Backend(name, tmp_path_factory.mktemp(name) / "graph.sqlite3").open() for name in backend_names()]
    if len(opened) == 1:
        opened.append(Backend("sqlite", tmp_path_factory.mktemp("other") / "graph.sqlite3").open())
    first, second = opened
    try:
        for store in opened:
            store.prepare()
            store.clear(NAMESPACE)
        first.upsert_artifacts(NAMESPACE, ROWS, now=NOW)
        for row in reversed(ROWS):
            second.upsert_artifacts(NAMESPACE, [row], now=NOW)
        answers = [(found(first, query), found(second, query)) for query in QUERIES]
    finally:
        for store in opened:
            store.clear(NAMESPACE)
            store.close()
    assert all(set(one) == set(other) for one, other in answers)
    parts = [shared(one, other) for one, other in answers]
    assert sum(parts) / len(parts) >= 0.9, parts
    assert min(parts) >= 0.4, parts
    assert sum(one[0] in other[:3] for one, other in answers) >= 0.95 * len(answers)
