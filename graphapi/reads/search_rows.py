"""The rows of a search's two shelves of artifacts: each artifact's own words, its marks, what it names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

from graphapi.ranking import retrieval
from graphapi.ranking.passages import passage, summary
from graphapi.ranking.words import stems
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.marks import bounded, marks, revisions
from graphapi.reads.search_gather import Found, Gathered
from graphapi.reads.search_links import far_ends, link_map
from graphapi.store.port import Deleted


def artifact_rows(
    corpus: Corpus, gathered: Gathered, served: Sequence[Found], deleted: Deleted = "exclude"
) -> list[dict[str, Any]]:
    """The ``artifacts`` shelf: ``served`` in its order. Without signals a row has no ``links`` and no mark of them."""
    keys = {found.key for found in served}
    gone = _withdrawn_ends(corpus, gathered, served) if deleted != "exclude" else set()
    return [_artifact_row(corpus, gathered, found, keys, gone) for found in served]


def _withdrawn_ends(corpus: Corpus, gathered: Gathered, served: Sequence[Found]) -> set[Key]:
    """Far ends of the rows' links that their sources have taken back. One round trip a project, and only where deleted
    work was asked for: otherwise no such link is among them."""
    ends = {end for found in served for end in far_ends(gathered.around.get(found.key, ()))}
    known = {key: gathered.rows[key] for key in ends & gathered.rows.keys()}
    return {key for key, row in (known | corpus.get(ends - known.keys(), bodies=False)).items() if row.deleted}


def _artifact_row(
    corpus: Corpus, gathered: Gathered, found: Found, served: Collection[Key], gone: Collection[Key]
) -> dict[str, Any]:
    artifact = gathered.rows[found.key]
    row: dict[str, Any] = {"artifact_id": artifact.artifact_id, **corpus.label(found.key), "title": artifact.title}
    row["kind"] = artifact.kind
    row |= {key: value for key in ("artifact_type", "status") if (value := getattr(artifact, key))}
    row["source_updated_at"] = artifact.source_updated_at
    row["source_uri"] = artifact.source_uri
    row["summary"] = summary(artifact.title, artifact.body)
    row["method"] = found.method
    if gathered.applied:
        row["links"] = link_map(gathered.around[found.key], served, gone)
    return bounded(row | _marks(gathered, found.key))


def passage_rows(corpus: Corpus, gathered: Gathered, limit: int) -> list[dict[str, Any]]:
    """The ``passages`` shelf: the first ``limit`` of the order that have a window to quote."""
    windows = _Windows(gathered)
    out: list[dict[str, Any]] = []
    for found in gathered.quoted:
        if len(out) == limit:
            break
        artifact = gathered.rows[found.key]
        excerpt = windows.of(found)
        if excerpt is None:
            continue
        row: dict[str, Any] = {"artifact_id": artifact.artifact_id, **corpus.label(found.key), "title": artifact.title}
        row |= {"kind": artifact.kind, "excerpt": excerpt, "method": found.method, "source_uri": artifact.source_uri}
        out.append(bounded(row | _marks(gathered, found.key)))
    return out


class _Windows:
    """What each row is quoted by: the words of the question that reached it."""

    def __init__(self, gathered: Gathered) -> None:
        self._gathered = gathered

    @cached_property
    def _typed(self) -> set[str]:
        return stems(self._gathered.query)

    @cached_property
    def _fed(self) -> set[str]:
        return stems(self._gathered.feedback)

    def of(self, found: Found) -> str | None:
        wanted = self._fed if found.method == retrieval.FEEDBACK else self._typed
        return passage(self._gathered.rows[found.key].body, wanted)


def _marks(gathered: Gathered, key: Key) -> dict[str, Any]:
    artifact, groups = gathered.rows[key], gathered.around.get(key, ())
    out = marks(artifact, groups)
    return out | revisions(artifact, groups) if retrieval.REVISED_BY_MARK else out
