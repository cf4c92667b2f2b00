"""One artifact by its id, within what the reader reaches, and the words it is served in (004 section 2b)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphapi.domain.criteria import read_criteria
from graphapi.domain.ids import id_problem
from graphapi.domain.refusals import UnknownArtifact
from graphapi.models import LedgerEntry, Project
from graphapi.reads.corpus import Corpus, Edge, Group, Key
from graphapi.reads.marks import marks, parent_of, revisions
from graphapi.reads.reach import Reach
from graphapi.reads.reader import Reader
from graphapi.store.port import SOURCE_WITHDRAWN, Deleted, StoredArtifact

# How many links of one artifact are read for one answer; an answer holds some hundreds of them.
LINKS_READ = 2000
# How much of a text that is no id a refusal repeats.
_SHOWN = 60
# What the artifact's own row serves under the same name; anything else a source records is its metadata.
_SERVED_APART = ("open_questions",)


@dataclass(frozen=True, slots=True)
class Record:
    """An artifact as the graph holds it, and the project it lives in, which may be one that the reader's imports."""

    corpus: Corpus
    key: Key
    artifact: StoredArtifact

    @property
    def home(self) -> Project:
        return self.corpus.projects[self.key.place]

    @property
    def state(self) -> Deleted:
        """The links to ask for unasked: those of a deleted artifact ended with it, and are its record all the same."""
        return "include" if self.artifact.deleted else "exclude"


def corpus_of(reader: Reader, reach: Reach) -> Corpus:
    """What a question about an id may draw on: the projects named, and what they import."""
    return Corpus(reader.store, reach.all, several=reach.several)


def record_of(corpus: Corpus, artifact_id: str) -> Record:
    """The record of ``artifact_id`` in the first project that holds it. Raises :class:`UnknownArtifact`."""
    found = corpus.locate(artifact_id)
    if found is None:
        raise unknown(corpus.projects, artifact_id)
    return Record(corpus, *found)


def unknown(projects: Sequence[Project], artifact_id: str) -> UnknownArtifact:
    """The refusal of an id that nothing answers to; it names those that differ from it in their case alone."""
    if problem := id_problem(artifact_id):
        shown = repr(artifact_id[:_SHOWN])
        return UnknownArtifact(f"{shown} is no artifact here: {problem}", fix="search_context finds ids by words")
    like = LedgerEntry.objects.filter(project__in=projects, artifact_id__iexact=artifact_id)
    names = sorted(set(like.values_list("artifact_id", flat=True)[:5]))
    fix = f"ids match by exact case; did you mean {', '.join(names)}?" if names else "search_context finds ids by words"
    return UnknownArtifact(f"{artifact_id!r} is no artifact here", fix=fix)


def stands(record: Record, edge: Edge) -> bool:
    """Whether a link is stated now, or was up to the day the artifact that states it went."""
    row = edge.row
    return row.invalid_at is None or (
        record.artifact.deleted and edge.source == record.key and row.invalid_reason == SOURCE_WITHDRAWN
    )


def own_words(record: Record, groups: Sequence[Group]) -> dict[str, Any]:
    """What its source says of it, verbatim, and its address. ``groups`` are the links around it."""
    artifact = record.artifact
    criteria = read_criteria(artifact.body)
    words: dict[str, Any] = {
        "artifact_id": artifact.artifact_id,
        "title": artifact.title,
        "kind": artifact.kind,
        "artifact_type": artifact.artifact_type,
        "status": artifact.status,
    }
    if artifact.metadata.get("owner"):
        words["owner"] = artifact.metadata["owner"]
    words |= {
        "provenance": artifact.provenance,
        "source_uri": artifact.source_uri,
        "source_path": artifact.source_path,
        "source_updated_at": artifact.source_updated_at,
    }
    if above := parent_of(artifact, groups):
        words["parent"] = above
    words |= {"body": artifact.body, "acceptance_criteria": list(criteria.items)}
    if artifact.kind == "pbi" and criteria.unparsed:
        words["criteria_unparsed"] = True
    if asked := artifact.metadata.get("open_questions"):
        words["open_questions"] = list(asked) if isinstance(asked, list) else [asked]
    return words


def marks_of(record: Record, groups: Sequence[Group]) -> dict[str, Any]:
    """The marks no answer loses, and the notes that revise it."""
    return marks(record.artifact, groups) | revisions(record.artifact, groups)


def metadata_of(record: Record, served: dict[str, Any]) -> dict[str, Any]:
    """Everything else its source records: what ``served`` does not already say in the same words."""
    return {
        key: value
        for key, value in record.artifact.metadata.items()
        if not (key in served and (key in _SERVED_APART or served[key] == value))
    }
