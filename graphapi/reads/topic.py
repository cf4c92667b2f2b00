"""What a topic matches: its words in the sources' own titles and bodies (004 section 2b, a topic scope)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphapi.ranking import binding_order
from graphapi.ranking.binding_order import TopicHit
from graphapi.ranking.words import carried, stems, topic_words
from graphapi.reads.binding_bound import bound
from graphapi.reads.binding_scope import topic_scope
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.reader import Reader
from graphapi.store.port import Deleted, StoredArtifact

# So many of a project's matches are weighed; whatever the index ranks beyond them carries too little to be kept.
TOPIC_ROOM = 60
NAMES_NOTHING = "every word of the topic is a stopword or under three characters, so none of them names an artifact"


@dataclass(frozen=True, slots=True)
class Topic:
    """``matched`` best first; ``weaker`` counts the other matches; ``usable``: whether any word names anything."""

    matched: tuple[tuple[Key, StoredArtifact], ...]
    weaker: int
    usable: bool


def match(corpus: Corpus, topic: str, *, deleted: Deleted = "exclude") -> Topic:
    """The artifacts carrying most of the words that the best match carries, and scoring within reach of it.

    Two round trips a project. May raise ``StoreUnavailable``.
    """
    words = topic_words(topic)
    if not words:
        return Topic((), 0, usable=False)
    query, wanted = " ".join(words), frozenset(stems(" ".join(words)))
    rows: dict[Key, StoredArtifact] = {}
    hits, found = [], 0
    for place in range(len(corpus.projects)):
        namespace = corpus.namespace(place)
        ranked = corpus.store.search_artifacts(namespace, query, limit=TOPIC_ROOM, deleted=deleted, whole=True)
        for hit in ranked:
            if hit.artifact is not None:
                key = Key(place, hit.artifact_id)
                rows[key] = hit.artifact
                own = f"{hit.artifact.title}\n{hit.artifact.body}"
                hits.append(TopicHit(key, hit.score, len(carried(own, wanted))))
        whole = len(ranked) == TOPIC_ROOM
        found += corpus.store.count_artifacts(namespace, query, deleted=deleted) if whole else len(ranked)
    kept, _ = binding_order.topic_matches(hits, len(wanted))
    matched = tuple((hit.key, rows[hit.key]) for hit in kept if isinstance(hit.key, Key))
    return Topic(matched, found - len(matched), usable=True)


def topic_notes(reader: Reader, corpus: Corpus, topic: str, *, cap: int = 60) -> list[dict[str, Any]]:
    """The decision, constraint and assumption notes that a topic matches, as statement rows in binding's order.

    May raise ``StoreUnavailable``.
    """
    found = match(corpus, topic)
    if not found.matched:
        return []
    scope = topic_scope([key for key, _ in found.matched])
    rows = bound(reader, corpus, scope, cap=cap, topic=topic).rows
    return [r for r in rows if r["method"] == binding_order.TOPIC_MATCH]
