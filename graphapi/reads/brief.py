"""The brief of an artifact: its own words and declared links, and how much more there is (004 section 2b)."""

from __future__ import annotations

from typing import Any

from graphapi.domain.artifact import natural_key
from graphapi.models import LedgerEntry
from graphapi.reads.absent import absent
from graphapi.reads.budget import CAP, Map, Rows, Shelf, Words, tell
from graphapi.reads.corpus import Group
from graphapi.reads.inferred_links import EDGES_OF_ONE, inferred_about
from graphapi.reads.marks import MARKING, deletion
from graphapi.reads.reader import Reader
from graphapi.reads.record import LINKS_READ, Record, marks_of, metadata_of, own_words, stands
from graphapi.reads.stamps import WITHHELD_WHY

_IN_FULL = "history_after='' serves its links in full"


def brief(reader: Reader, record: Record, answer: dict[str, Any]) -> list[Shelf]:
    """Put the brief on ``answer``. What may give way to the budget is returned, the first first."""
    groups = groups_of(record)
    words, marks = own_words(record, groups), marks_of(record, groups)
    answer |= words
    links = declared_links(record, groups, answer)
    answer |= marks
    answer["full_record"] = _held_back(reader, record, words | marks)
    return [links, *word_shelves(answer)]


def groups_of(record: Record) -> list[Group]:
    """The links its marks are read from, and how many there are of every other."""
    return record.corpus.around([record.key], deleted=record.state, each=0, whole=MARKING)[record.key]


def declared_links(record: Record, groups: list[Group], answer: dict[str, Any]) -> Map:
    """Put ``declared_links`` on ``answer``: relation to far ids of what it states itself, in natural order."""
    edges = record.corpus.neighbours([record.key], direction="out", deleted=record.state, limit=LINKS_READ)
    ids: dict[str, list[str]] = {}
    for edge in edges:
        if stands(record, edge):
            ids.setdefault(edge.row.relation, []).append(edge.target.artifact_id)
    answer["declared_links"] = {rel: sorted(dict.fromkeys(far), key=natural_key) for rel, far in ids.items()}
    whole = sum(group.count for group in groups if group.direction == "out")
    if len(edges) >= LINKS_READ:
        tell(answer, "declared_links_truncated", CAP, whole - len(edges), len(edges), "the strongest claims are listed")
    return Map(answer["declared_links"], answer, "declared_links_truncated", note=_IN_FULL)


def word_shelves(answer: dict[str, Any]) -> list[Shelf]:
    """The artifact's own words, which give way last: the body to its head, then whole criteria and questions."""
    lists = [key for key in ("open_questions", "acceptance_criteria") if answer.get(key)]
    note = "the source holds them all"
    return [
        Words(answer, "body", "body_truncated"),
        *(Rows(answer[key], answer, f"{key}_truncated", note=note) for key in lists),
    ]


def _held_back(reader: Reader, record: Record, served: dict[str, Any]) -> dict[str, Any]:
    home, artifact_id = record.home, record.key.artifact_id
    inferred = inferred_about(reader, record.corpus, [record.key], limit=EDGES_OF_ONE).get(record.key.place)
    summaries = reader.inferences.summaries(home.namespace, [artifact_id]) if reader.inferences else {}
    return {
        "inferred_links": absent(home) if inferred is None else inferred.total,
        "history_entries": home.history.filter(artifact_id=artifact_id).count(),
        "change_notes": home.revisions.filter(artifact_id=artifact_id).count(),
        "metadata_keys": len(metadata_of(record, served)),
        "inferred_summary": bool(summaries.get(artifact_id)),
    }


def withheld_record(entry: LedgerEntry, record: Record | None, answer: dict[str, Any]) -> list[Shelf]:
    """A withheld artifact as the ledger has it: that it is there, where, and what it is tied to, and not a word of it.

    ``record`` is its node in the graph, where there is one; the links are read off that.
    """
    answer |= {
        "artifact_id": entry.artifact_id,
        "kind": entry.kind,
        "in_context": False,
        "why": WITHHELD_WHY,
        "source_path": entry.path,
    }
    if record is None:
        answer["declared_links"] = {}
        return []
    answer |= deletion(record.artifact)
    return [declared_links(record, groups_of(record), answer)]
