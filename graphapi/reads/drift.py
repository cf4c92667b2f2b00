"""``get_scope(question='drift')``: what was asked for against what shipped, as stated at delivery (004 section 2b)."""

from __future__ import annotations

from typing import Any, cast

from graphapi.reads.answer import begin, finish
from graphapi.reads.arguments import deleted_state, window, within
from graphapi.reads.budget import LIMIT, Rows, tell
from graphapi.reads.corpus import Corpus
from graphapi.reads.drift_gather import RECORD, Gathered, Window, done_flips, gather_rooted, gather_whole
from graphapi.reads.drift_lines import Lines, lines_of
from graphapi.reads.payloads.drift import Drift
from graphapi.reads.reader import Reader
from graphapi.reads.scope_members import bounding_depth, members_of
from graphapi.store.port import Deleted

LIMIT_DEFAULT = 200
LIMIT_MOST = 1000
# In the order in which they give way: that all is well is what a reader can best do without.
SHELVES = ("clean", "no_criteria_declared", "unruled", "done_without_record", "departures")
_NARROW = "ask for a branch of it, or within a window"


def drift(
    reader: Reader, *, artifact_id: str | None = None, depth: int | None = None, since: str | None = None,
    until: str | None = None, limit: int | None = None, deleted: str | None = None, project: str | None = None,
    projects: list[str] | None = None,
) -> Drift:  # fmt: skip
    """Departures, clean items, and what no record settles, over a branch or over a project's own work.

    Rooted at ``artifact_id`` it reaches what the project imports, and ``depth`` bounds it; without, it reads the own
    work of the projects named. ``since`` and ``until`` keep deliveries by the time their record states and done items
    by the flip in their own review log. Raises ``UnknownArtifact``, ``BadArguments``, ``UnknownProject`` and
    ``StoreUnavailable``.
    """
    state, span = deleted_state(deleted), Window(*window(since, until))
    most = within("limit", LIMIT_DEFAULT if limit is None else limit, 1, LIMIT_MOST)
    depth = bounding_depth(depth, artifact_id)
    reach = reader.reach(project, projects)
    answer = begin(reach)
    if artifact_id is None:
        corpus = Corpus(reader.store, reach.named, several=reach.several)
        answer["scope"] = {"whole": True}
        gathered = gather_whole(corpus, span, deleted=state)
    else:
        corpus = Corpus(reader.store, reach.all, several=reach.several)
        members = members_of(corpus, artifact_id, depth)
        answer["scope"] = members.scope
        gathered = gather_rooted(corpus, members.keys, deleted=state)
    if not span.open:
        answer["window"] = {"since": span.since, "until": span.until}
    answer["provenance"] = {"inferred": False}
    lines = _fill(answer, corpus, gathered, span, state)
    if not span.open and (undated := _undated(corpus, gathered, lines, whole=artifact_id is None)):
        answer["undated"] = undated
    return cast("Drift", finish(reader, reach, answer, _shelves(answer, most)))


def _fill(answer: dict[str, Any], corpus: Corpus, gathered: Gathered, span: Window, state: Deleted) -> Lines:
    unrecorded = [key for key in gathered.done if not gathered.has_record(key)]
    lines = lines_of(corpus, gathered, span, state, done_flips(corpus, unrecorded))
    answer["counts"] = {"delivered": lines.delivered, **{name: len(lines.rows[name]) for name in reversed(SHELVES)}}
    for name in reversed(SHELVES):
        answer[name] = lines.rows[name]
    return lines


def _undated(corpus: Corpus, gathered: Gathered, lines: Lines, *, whole: bool) -> dict[str, int]:
    """What no window can hold: records and flips that nothing dates."""
    records: int = len({d.record for made in gathered.deliveries.values() for d in made if d.at is None})
    if whole:
        records = sum(
            p.ledger.filter(kind=RECORD, deleted_at=None, source_created_at=None).count() for p in corpus.projects
        )
    counts = {"deliveries": records, "done_without_record": lines.undated_done}
    return {name: count for name, count in counts.items() if count}


def _shelves(answer: dict[str, Any], most: int) -> list[Rows]:
    """Cut each list to ``most`` rows, and offer what is left to the budget."""
    out = []
    for name in SHELVES:
        rows, report = answer[name], f"truncated_{name}"
        gone = len(rows) - most
        if gone > 0:
            del rows[most:]
            tell(answer, report, LIMIT, gone, len(rows), _NARROW)
        out.append(Rows(rows, answer, report, _NARROW))
    return out
