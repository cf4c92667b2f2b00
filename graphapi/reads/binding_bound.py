"""What binds a scope, gathered, credited and in its order, before any budget: what binding and the bundle serve."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphapi.ranking import binding_order, retrieval
from graphapi.ranking.words import stems, topic_words
from graphapi.reads.absent import absent
from graphapi.reads.binding_rows import Statement, claim, notes_reached, prose_reached, row
from graphapi.reads.binding_scope import SCOPE_MEMBERS, Scope, artifact_scope
from graphapi.reads.binding_walk import DOCUMENT_TYPES, ENTITY_TYPES, TOUCHED, Walk, walk
from graphapi.reads.budget import CAP, NARROW, cut, tell
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.marks import deletion, revisions
from graphapi.reads.reader import Reader
from graphapi.store.port import Deleted

# A scope's mark names this many revised members, the nearest; each one's own record has its mark.
REVISED_LISTED = 50
NOT_REACHED = "not-reached"


@dataclass(slots=True)
class Bound:
    """``rows``: the statements within the cap, in order, the first ``stated`` of them stated. ``scope``: what the
    answer says of the scope. ``report``: ``truncated`` where the cap cut anything. ``prose_shelves``: those of every
    inferred statement gathered. ``documents``: ids of what the walk stepped through."""

    rows: list[dict[str, Any]]
    scope: dict[str, Any]
    stated: int
    gathered_from: dict[str, Any]
    ancestors_summarised: dict[str, dict[str, Any]] = field(default_factory=dict)
    report: dict[str, Any] = field(default_factory=dict)
    inferred_retired: int = 0
    prose_shelves: tuple[str, ...] = ()
    documents: tuple[Key, ...] = ()

    @property
    def truncated(self) -> dict[str, Any] | None:
        return self.report.get("truncated")


def bind(
    reader: Reader,
    corpus: Corpus,
    roots: Sequence[Key],
    *,
    cap: int,
    topic: str | None = None,
    deleted: Deleted = "exclude",
) -> Bound:
    """What binds these artifacts together, as an artifact scope over each of them; ``topic`` orders by its words.

    May raise ``StoreUnavailable``.
    """
    return bound(reader, corpus, artifact_scope(corpus, roots), cap=cap, topic=topic, deleted=deleted)


def bound(
    reader: Reader,
    corpus: Corpus,
    scope: Scope,
    *,
    cap: int,
    topic: str | None = None,
    deleted: Deleted = "exclude",
    reason: str = CAP,
) -> Bound:
    """The same over a scope that was made before; ``reason`` is what a cut by ``cap`` is put down to."""
    full = reader.inferences is not None
    walked = walk(corpus, scope, deleted=deleted, prose=full)
    reached = [*notes_reached(walked), *prose_reached(walked, _lapsed(corpus, walked))]
    if deleted == "only":
        reached = [s for s in reached if _is_withdrawn(walked, s)]
    topic_stems = frozenset(stems(" ".join(topic_words(topic)))) if topic else frozenset()
    claims = [claim(walked, n, s, topic_stems) for n, s in enumerate(reached)]
    kept, lost = binding_order.keep_ancestors(binding_order.order(claims, by_topic=bool(topic_stems)))
    served = [reached[int(str(c.key))] for c in kept[:cap]]
    prose = [s.prose for s in reached if s.prose is not None]
    out = Bound(
        rows=[row(corpus, walked, s) for s in served],
        scope=_scope(corpus, walked),
        stated=sum(s.prose is None for s in served),
        gathered_from=_gathered_from(corpus, prose, full=full),
        ancestors_summarised=_summaries(corpus, {k: n for k, n in lost.items() if isinstance(k, Key)}),
        inferred_retired=sum(s.retired for s in reached if s.prose is not None),
        prose_shelves=tuple(sorted({p.type for p in prose})),
        documents=tuple(walked.documents),
    )
    tell(out.report, "truncated", reason, len(kept) - len(served), len(served), NARROW, **cut_shelves(out, out.rows))
    return out


def cut_shelves(bound: Bound, rows: Collection[dict[str, Any]]) -> dict[str, Any]:
    """``cut``: the shelves of the inferred statements, where ``rows`` hold none of them."""
    if not bound.prose_shelves or any(r.get("inferred") for r in rows):
        return {}
    return {"cut": list(bound.prose_shelves)}


def _is_withdrawn(walked: Walk, statement: Statement) -> bool:
    ended = statement.prose is not None and statement.prose.retired_at is not None
    return ended or walked.rows[statement.note].deleted


def _lapsed(corpus: Corpus, walked: Walk) -> frozenset[str]:
    """The readings whose version of a note is no longer what the note says."""
    notes: dict[int, dict[str, None]] = defaultdict(dict)
    for (place, _), statement in walked.statements.items():
        if statement.episode is not None:
            notes[place][statement.note_id] = None
    return frozenset(
        reading.key
        for place, ids in sorted(notes.items())
        for reading in corpus.store.readings(corpus.namespace(place), list(ids))
        if reading.retired_at is not None
    )


def _gathered_from(corpus: Corpus, prose: Collection[Any], *, full: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"document_types": list(DOCUMENT_TYPES), "entity_types": list(ENTITY_TYPES)}
    present: Any = sorted({p.type for p in prose})
    if not full:
        present = absent(corpus.projects[0])
    elif not present and any(corpus.store.counts(corpus.namespace(p)).statements for p in range(len(corpus.projects))):
        present = {"absent": True, "reason": NOT_REACHED}
    out["entity_types_present"] = present
    return out


def _summaries(corpus: Corpus, lost: dict[Key, int]) -> dict[str, dict[str, Any]]:
    """By the ancestor's id, and by ``project:id`` where two projects' ancestors have one id."""
    projects = Counter(key.artifact_id for key in lost)
    return {
        key.artifact_id
        if projects[key.artifact_id] == 1
        else f"{corpus.projects[key.place].name}:{key.artifact_id}": _summary(corpus, key, count)
        for key, count in lost.items()
    }


def _summary(corpus: Corpus, ancestor: Key, lost: int) -> dict[str, Any]:
    label = corpus.label(ancestor)
    project = f", project='{label['project']}'" if label else ""
    read = f"get_scope(question='binding', artifact_id='{ancestor.artifact_id}'{project})"
    return {"count": lost, **label, "read": read}


def _scope(corpus: Corpus, walked: Walk) -> dict[str, Any]:
    scope = walked.scope
    out: dict[str, Any] = {"members": len(scope.members)}
    if scope.withdrawn and (root := walked.rows.get(scope.roots[0])):
        out |= deletion(root)
    if scope.truncated:
        note = "a sub-branch by its own id, or a smaller depth, is a scope of its own"
        out["members_truncated"] = cut(CAP, len(scope.members) + 1, len(scope.members), note, at_least=SCOPE_MEMBERS)
    if missing := walked.untouched + walked.links.missing:
        out["links_truncated"] = cut(CAP, TOUCHED + missing, TOUCHED, "a narrower scope walks them")
    revised = _revised(corpus, walked) if retrieval.REVISED_BY_MARK else []
    if revised:
        out["revised"] = revised[:REVISED_LISTED]
        gone = len(revised) - REVISED_LISTED
        tell(out, "revised_truncated", CAP, gone, REVISED_LISTED, "get_artifact on a member serves its revised_by")
    return out


def _revised(corpus: Corpus, walked: Walk) -> list[dict[str, Any]]:
    """Each member that a note declares it revises, nearest first."""
    out = []
    for key in walked.scope.members:
        artifact = walked.rows.get(key)
        if artifact and (mark := revisions(artifact, walked.links.groups.get(key, ()))):
            out.append({"artifact_id": key.artifact_id, **corpus.label(key), **mark})
    return out
