"""``get_scope(question='deltas')``: what changed in a window, on the clock the caller picks (004 section 2b)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, cast

from django.db.models import Exists, OuterRef

from graphapi.domain.artifact import natural_key
from graphapi.domain.dates import parse_when
from graphapi.models import LedgerEntry, Project
from graphapi.reads.answer import begin, finish
from graphapi.reads.arguments import Clock, clock_of, deleted_state, window, within
from graphapi.reads.budget import CAP, LIMIT, Rows, cut, tell
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.deltas_changes import CHANGES, Asked, Change
from graphapi.reads.deltas_rows import change_rows, undated_rows
from graphapi.reads.payloads.deltas import Deltas
from graphapi.reads.reader import Reader
from graphapi.reads.scope_members import batches, bounding_depth, members_of, stated_links
from graphapi.store.port import BATCH_ROWS, Deleted

LIMIT_DEFAULT = 200
LIMIT_MOST = 1000
# What no window holds is a footnote to every one of them: the count says how many, and a few ids what they are like.
UNDATED_LISTED = 20
_NARROW = "narrow the window, or ask for a branch"
_LINKED_KINDS = ("doc", "delivery-record", "commit")


def deltas(
    reader: Reader, *, artifact_id: str | None = None, depth: int | None = None, since: str | None = None,
    until: str | None = None, clock: str | None = None, limit: int | None = None, deleted: str | None = None,
    project: str | None = None, projects: list[str] | None = None,
) -> Deltas:  # fmt: skip
    """Creations, revisions and deletions in the half-open window from ``since`` to ``until``, oldest first.

    Rooted at ``artifact_id`` it is about the branch beneath it, in what the project imports too, and about the notes,
    records and commits that a stated link ties to a member. Without, it reads the own sources of the projects named.
    Deletions are served unasked, since they are changes; ``deleted='include'`` adds what else happened to work that is
    now gone, and ``only`` gives the deletions alone. Raises ``UnknownArtifact``, ``BadArguments``, ``UnknownProject``
    and ``StoreUnavailable``.
    """
    state, on = deleted_state(deleted), clock_of(clock)
    begins, ends = window(since, until)
    most = within("limit", LIMIT_DEFAULT if limit is None else limit, 1, LIMIT_MOST)
    depth = bounding_depth(depth, artifact_id)
    reach = reader.reach(project, projects)
    answer = begin(reach)
    if artifact_id is None:
        corpus = Corpus(reader.store, reach.named, several=reach.several)
        answer["scope"] = {"whole": True}
        asked = [Asked(p, place, on, state) for place, p in enumerate(reach.named)]
    else:
        corpus = Corpus(reader.store, reach.all, several=reach.several)
        members = members_of(corpus, artifact_id, depth)
        linked = _linked(corpus, members.keys, state)
        answer["scope"] = members.scope | {"linked": len(linked)}
        asked = list(_asked(corpus, [*members.keys, *linked], on, state))
    answer |= {"clock": on, "window": {"since": begins, "until": ends}, "provenance": {"inferred": False}}
    answer |= {"edits": {"bodies_read": False}, "links": {"counted": False}}
    _fill(answer, corpus, asked, _when(begins), _when(ends), most)
    answer["external_references"] = {"count": _external(corpus.projects, asked)}
    undated = Rows(answer["undated"]["listed"], answer["undated"], "truncated", "the count stays whole")
    changed = Rows(answer["changes"], answer, "truncated_changed", _NARROW)
    return cast("Deltas", finish(reader, reach, answer, [undated, changed]))


def _when(text: str | None) -> datetime | None:
    return None if text is None else parse_when(text)


def _asked(corpus: Corpus, keys: Sequence[Key], clock: Clock, deleted: Deleted) -> Iterator[Asked]:
    for place, project in enumerate(corpus.projects):
        mine = [key for key in keys if key.place == place]
        for part in batches(mine, BATCH_ROWS):
            yield Asked(project, place, clock, deleted, [key.artifact_id for key in part])


def _linked(corpus: Corpus, members: Sequence[Key], deleted: Deleted) -> list[Key]:
    """Documents, records and commits that a stated link ties to a member. A sibling work item is not among them."""
    within = set(members)
    # A record that is gone is a change of the scope all the same, so links that its going ended count here.
    edges = stated_links(corpus, members, deleted="include")
    far = dict.fromkeys(e.target if e.source in within else e.source for e in edges)
    out: list[Key] = []
    for part in batches([key for key in far if key not in within], BATCH_ROWS):
        for place, project in enumerate(corpus.projects):
            ids = [key.artifact_id for key in part if key.place == place]
            kept = project.ledger.filter(artifact_id__in=ids, kind__in=_LINKED_KINDS)
            out += [Key(place, i) for i in kept.values_list("artifact_id", flat=True)]
    return out


def _fill(
    answer: dict[str, Any], corpus: Corpus, asked: Sequence[Asked], since: datetime | None, until: datetime | None,
    most: int,
) -> None:  # fmt: skip
    counts = [part.counts(since, until) for part in asked]
    answer["counts"] = {kind: sum(c[kind] for c in counts) for kind in CHANGES}
    found = [change for part in asked for change in part.changes(since, until, most)]
    # The oldest stay, whatever their ids; then equal times go by id, as a person reads them.
    found.sort(key=lambda c: (c.at, CHANGES.index(c.change)))
    found = sorted(found[:most], key=_order)
    whole = sum(answer["counts"].values())
    answer["changes"] = change_rows(corpus, found, asked[0].clock if asked else "source")
    tell(answer, "truncated_changed", LIMIT, whole - len(found), len(found), _NARROW)
    undated = sorted((c for part in asked for c in part.undated(UNDATED_LISTED)), key=_order)[:UNDATED_LISTED]
    block: dict[str, Any] = {"count": sum(part.count_undated() for part in asked)}
    block["listed"] = undated_rows(corpus, undated)
    if block["count"] > len(undated):
        block["truncated"] = cut(CAP, block["count"], len(undated), "the count stays whole")
    answer["undated"] = block


def _order(change: Change) -> tuple[str, str, str, int, int, str]:
    at = change.at.isoformat() if change.at else ""
    rank = CHANGES.index(change.change)
    return at, natural_key(change.artifact_id), change.artifact_id, change.place, rank, change.commit


def _external(projects: Sequence[Project], asked: Sequence[Asked]) -> int:
    """Distinct ids that the scope's sources name and that no project reached here has ever held."""
    held = LedgerEntry.objects.filter(project__in=list(projects), artifact_id=OuterRef("target"))
    targets: set[str] = set()
    for part in asked:
        rows = part.project.unresolved.filter(~Exists(held))
        if part.ids is not None:
            rows = rows.filter(artifact_id__in=part.ids)
        targets |= set(rows.values_list("target", flat=True).distinct())
    return len(targets)
