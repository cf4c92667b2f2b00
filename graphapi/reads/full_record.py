"""The full record of an artifact: links both ways, its history, its change notes, its metadata (004 section 2b)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphapi.reads.absent import absent
from graphapi.reads.brief import groups_of, word_shelves
from graphapi.reads.budget import CAP, INFERRED_CAP, READ_BUDGET, Fields, Rows, Shelf, cut, tell
from graphapi.reads.corpus import Edge, Key
from graphapi.reads.history_entries import change_notes, history_page
from graphapi.reads.inferred_links import EDGES_OF_ONE, SUMMARY_SENTENCES, inferred_about, inferred_rows, sentences
from graphapi.reads.marks import bounded
from graphapi.reads.reader import Reader
from graphapi.reads.record import LINKS_READ, Record, marks_of, metadata_of, own_words, stands
from graphapi.store.port import Deleted, StoredArtifact

# How the reason begins that a link is retired for when the instance declares it was never true.
RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class Asked:
    """``history_after`` None begins the history as ``''`` does. ``deleted`` is the state of links asked for."""

    history_after: str | None
    deleted: Deleted
    whole_summary: bool = False


def full_record(reader: Reader, record: Record, asked: Asked, answer: dict[str, Any]) -> list[Shelf]:
    """Put the full record on ``answer``. What may give way to the budget is returned, in the manual's order.

    Raises :class:`CursorGone` for a ``history_after`` whose entry is gone.
    """
    groups = groups_of(record)
    words = own_words(record, groups)
    marks = marks_of(record, groups)
    answer |= words | marks
    stated = _links(reader, record, asked, answer)
    history = history_page(answer, record.home, record.key.artifact_id, asked.history_after)
    notes = change_notes(answer, record.home, record.key.artifact_id)
    for key in ("source", "source_created_at", "first_ingested_at", "ingested_at"):
        answer[key] = getattr(record.artifact, key)
    answer["metadata"] = metadata_of(record, words | marks)
    links = answer["links"]
    return [
        *_summary(reader, record, asked, answer),
        Rows(links, answer, "links_truncated", keep=stated),
        history,
        notes,
        Rows(links, answer, "links_truncated"),
        Fields(answer["metadata"], answer, "metadata_truncated"),
        *word_shelves(answer),
    ]


def settle(answer: dict[str, Any]) -> dict[str, Any]:
    """What a cut of the stated links leaves to be said: how many of the leading links are stated."""
    if "deterministic_links" in answer:
        answer["deterministic_links"] = min(answer["deterministic_links"], len(answer.get("links", ())))
    return answer


def _links(reader: Reader, record: Record, asked: Asked, answer: dict[str, Any]) -> int:
    """Put ``links`` on ``answer``, stated ones first; returns how many are stated."""
    corpus, near = record.corpus, record.key
    state = record.state if asked.deleted == "exclude" else asked.deleted
    edges = corpus.neighbours([near], deleted=state, limit=LINKS_READ)
    inferred = inferred_about(reader, corpus, [near], limit=EDGES_OF_ONE).get(near.place)
    listed = inferred.edges if inferred is not None and asked.deleted != "only" else ()
    ends = {Key(near.place, end) for edge in listed for end in (edge.source_id, edge.target_id)}
    far = corpus.get({*(edge.far(near) for edge in edges), *ends}, bodies=False)
    stated = [_link(record, edge, far) for edge in edges if _shown(record, edge, asked.deleted, far)]
    here = {key.artifact_id: artifact for key, artifact in far.items() if key.place == near.place}
    answer["links"] = [*stated, *inferred_rows(corpus, near, listed, here)]
    answer["deterministic_links"] = len(stated)
    if len(edges) >= LINKS_READ:
        whole = sum(g.count for g in corpus.around([near], deleted=state, each=0)[near])
        note = "the strongest claims are listed"
        tell(answer, "links_truncated", CAP, whole - len(edges), len(answer["links"]), note)
    if inferred is None:
        answer["inferred_links"] = absent(record.home)
    elif inferred.total > len(listed) and asked.deleted != "only":
        gone = inferred.total - len(listed)
        note = "inferred edges past the cap are counted, not listed"
        tell(answer, "links_truncated", INFERRED_CAP, gone, len(answer["links"]), note)
    return len(stated)


def _shown(record: Record, edge: Edge, deleted: Deleted, far: dict[Key, StoredArtifact]) -> bool:
    if deleted == "include":
        return True
    if deleted == "exclude":
        return stands(record, edge)
    other = far.get(edge.far(record.key))
    return edge.row.invalid_at is not None or record.artifact.deleted or (other is not None and other.deleted)


def _link(record: Record, edge: Edge, far: dict[Key, StoredArtifact]) -> dict[str, Any]:
    other, row = edge.far(record.key), edge.row
    artifact = far.get(other)
    link: dict[str, Any] = {
        "relation": row.relation,
        "artifact_id": other.artifact_id,
        **record.corpus.label(other),
        "title": artifact.title if artifact else "",
        "direction": "out" if edge.source == record.key else "in",
        "method": row.method,
    }
    link |= {k: v for k, v in row.attributes.items() if k not in link}
    if row.fact:
        link["fact"] = row.fact
    if row.valid_at:
        link["stated_at"] = row.valid_at
    if artifact is not None and artifact.deleted:
        link["other_deleted"] = True
    if row.invalid_at:
        link["invalid_at"] = row.invalid_at
        link |= _ended(row.invalid_reason or "")
    return bounded(link)


def _ended(reason: str) -> dict[str, Any]:
    """Why a link ended. One that was never true says so, with what was given as the reason."""
    if not reason.startswith(RETRACTED):
        return {"invalid_reason": reason} if reason else {}
    return {"retracted": True, "reason": reason.removeprefix(RETRACTED).lstrip(" :") or reason}


@dataclass(slots=True)
class _Summary:
    """What a model made of the artifact: it goes before anything that a source stated is touched."""

    answer: dict[str, Any]

    def give(self, excess: int) -> bool:
        if "inferred_summary" not in self.answer:
            return False
        del self.answer["inferred_summary"]
        self.answer["truncated_inferred_summaries"] = cut(READ_BUDGET, 1, 0, "a larger read budget serves it")
        return True


def _summary(reader: Reader, record: Record, asked: Asked, answer: dict[str, Any]) -> Sequence[Shelf]:
    if reader.inferences is None:
        return []
    artifact_id = record.key.artifact_id
    text = reader.inferences.summaries(record.home.namespace, [artifact_id]).get(artifact_id)
    if not text:
        return []
    whole = sentences(text)
    answer["inferred_summary"] = text if asked.whole_summary else " ".join(whole[:SUMMARY_SENTENCES])
    if not asked.whole_summary and len(whole) > SUMMARY_SENTENCES:
        report = cut(INFERRED_CAP, len(whole), SUMMARY_SENTENCES, "inferred='all' serves every sentence")
        answer["truncated_inferred_summaries"] = report
    return [_Summary(answer)]
