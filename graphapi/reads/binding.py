"""``get_scope(question='binding')``: what already binds a scope, gathered and never judged (004 section 2b)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from graphapi.domain.refusals import BadArguments, UnknownArtifact
from graphapi.ranking import binding_order
from graphapi.reads.absent import absent
from graphapi.reads.answer import begin, finish
from graphapi.reads.arguments import deleted_state, within, words_of
from graphapi.reads.behind import behind, checked_path
from graphapi.reads.binding_bound import Bound, bind, bound, cut_shelves
from graphapi.reads.binding_scope import artifact_scope, topic_scope
from graphapi.reads.budget import CAP, LIMIT, NARROW, READ_BUDGET, Rows, Shelf, size, tell
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.payloads.binding import Binding
from graphapi.reads.reach import Reach
from graphapi.reads.reader import Reader
from graphapi.reads.topic import NAMES_NOTHING, Topic, match, topic_notes
from graphapi.store.port import Deleted

__all__ = ["Bound", "bind", "binding", "topic_notes"]

MOST_STATEMENTS = 200
# Of a scope's own lists this many rows stay while there is a statement left to give way.
SCOPE_ROWS_KEPT = 10
# How many of the stories behind a file its statements are gathered over.
LEADING_STORIES = 3
NOTHING_GATHERED = "no statements were gathered: nothing that this scope reaches is a statement on record here"
ROOT_DELETED = "the artifact is deleted; deleted='include' gathers what it was linked with"


@dataclass(frozen=True, slots=True)
class _Asked:
    cap: int
    reason: str
    deleted: Deleted


def binding(
    reader: Reader,
    *,
    artifact_id: str | None = None,
    topic: str | None = None,
    path: str | None = None,
    depth: int | None = None,
    limit: int | None = None,
    deleted: str | None = None,
    project: str | None = None,
    projects: Sequence[str] | None = None,
) -> Binding:
    """What binds an artifact, a topic or the stories behind a file. ``depth`` bounds an artifact's branch.

    Raises :class:`BadArguments` unless exactly one scope is named, :class:`UnknownArtifact`, ``UnknownProject``;
    ``StoreUnavailable`` where the graph is down.
    """
    _one_scope(artifact_id=artifact_id, topic=topic, path=path, depth=depth)
    cap = binding_order.STATEMENT_CAP if limit is None else within("limit", limit, 1, MOST_STATEMENTS)
    asked = _Asked(cap, CAP if limit is None else LIMIT, deleted_state(deleted))
    if depth is not None:
        within("depth", depth, 0, 100)
    topic = None if topic is None else words_of("topic", topic)
    path = None if path is None else checked_path(path)
    reach = reader.reach(project, projects)
    corpus = Corpus(reader.store, reach.all, several=reach.several)
    if artifact_id is not None:
        return _of_artifact(reader, reach, corpus, artifact_id, depth, asked)
    if topic is not None:
        return _of_topic(reader, reach, corpus, topic, asked)
    return _of_path(reader, reach, corpus, path or "", asked)


def _one_scope(**named: Any) -> None:
    given = [name for name, value in named.items() if value is not None]
    scopes = [name for name in given if name != "depth"]
    if len(scopes) > 1:
        fix = "name one of artifact_id, topic and path"
        raise BadArguments(f"{' and '.join(scopes)} do not combine", fix=fix)
    if not scopes:
        raise BadArguments(
            "binding needs a scope", fix="name one: an artifact_id, a topic in words, or the path of a file"
        )
    if "depth" in given and scopes != ["artifact_id"]:
        raise BadArguments(
            f"{scopes[0]} and depth do not combine", fix="leave depth out; it bounds an artifact's branch"
        )


def _of_artifact(
    reader: Reader, reach: Reach, corpus: Corpus, artifact_id: str, depth: int | None, asked: _Asked
) -> Binding:
    root = _root(corpus, artifact_id)
    scope = artifact_scope(corpus, [root], depth=depth) if root else None
    if root is None or scope is None or not scope.found:
        raise UnknownArtifact(
            f"{artifact_id!r} is no artifact here", fix="ids match by exact case; search_context finds one by its words"
        )
    found = bound(reader, corpus, scope, cap=asked.cap, deleted=asked.deleted, reason=asked.reason)
    found.scope = {"artifact_id": artifact_id, **corpus.label(root), **found.scope}
    answer = begin(reach, corpus.projects[root.place])
    note = ROOT_DELETED if scope.withdrawn and asked.deleted == "exclude" else NOTHING_GATHERED
    return _serve(reader, reach, answer, found, note)


def _root(corpus: Corpus, artifact_id: str) -> Key | None:
    """Where the artifact lives. In one project the walk itself says whether it is there, and saves the asking."""
    if len(corpus.projects) == 1:
        return Key(0, artifact_id)
    found = corpus.locate(artifact_id)
    return found[0] if found else None


def _of_topic(reader: Reader, reach: Reach, corpus: Corpus, topic: str, asked: _Asked) -> Binding:
    found = match(corpus, topic, deleted=asked.deleted)
    scope = topic_scope([key for key, _ in found.matched])
    out = bound(reader, corpus, scope, cap=asked.cap, topic=topic, deleted=asked.deleted, reason=asked.reason)
    out.scope = {"topic": topic, **_matched(corpus, found), **out.scope}
    return _serve(reader, reach, begin(reach), out, NOTHING_GATHERED)


def _matched(corpus: Corpus, found: Topic) -> dict[str, Any]:
    rows = [
        {"artifact_id": key.artifact_id, **corpus.label(key), "title": artifact.title, "kind": artifact.kind}
        for key, artifact in found.matched
    ]
    out: dict[str, Any] = {"matched": rows, "weaker_matches": found.weaker}
    return out if found.usable else out | {"note": NAMES_NOTHING}


def _of_path(reader: Reader, reach: Reach, corpus: Corpus, path: str, asked: _Asked) -> Binding:
    found = behind(corpus, path)
    scope = artifact_scope(corpus, found.stories[:LEADING_STORIES])
    out = bound(reader, corpus, scope, cap=asked.cap, deleted=asked.deleted, reason=asked.reason)
    out.scope = {"path": path, **out.scope}
    answer = begin(reach) | {"path": found.path, "behind": found.rows}
    if found.more_ranked:
        answer["more_ranked"] = found.more_ranked
    return _serve(reader, reach, answer, out, NOTHING_GATHERED)


def _serve(reader: Reader, reach: Reach, answer: dict[str, Any], found: Bound, empty: str) -> Binding:
    answer |= {"scope": found.scope, "statements": found.rows, "deterministic_statements": found.stated}
    if reader.inferences is None:
        answer["inferred_statements"] = absent(reach.named[0])
    answer["gathered_from"] = found.gathered_from
    if found.ancestors_summarised:
        answer["ancestors_summarised"] = found.ancestors_summarised
    if found.inferred_retired:
        note = "their sources were revised, withdrawn, superseded or discarded; marked sources_retired"
        answer["inferred_retired"] = {"count": found.inferred_retired, "note": note}
    answer |= found.report
    if not found.rows:
        answer["note"] = empty
    return cast(Binding, finish(reader, reach, answer, _shelves(answer, found)))


def _shelves(answer: dict[str, Any], found: Bound) -> list[Shelf]:
    """The scope's lists to their head, the statements from their weakest, what is behind a file, and the rest."""
    scope = found.scope
    lists = [(key, scope[key]) for key in ("matched", "revised") if key in scope]
    heads: list[Shelf] = [Rows(rows, scope, f"{key}_truncated", keep=SCOPE_ROWS_KEPT) for key, rows in lists]
    tails: list[Shelf] = [Rows(rows, scope, f"{key}_truncated") for key, rows in lists]
    if "behind" in answer:
        tails[:0] = [
            Rows(answer["behind"], answer, "behind_truncated"),
            Rows(answer["path"]["repos"], answer["path"], "repos_truncated"),
        ]
    return [*heads, _Statements(answer, found), *tails]


@dataclass(slots=True)
class _Statements:
    """The statements give way from their end, and the answer keeps saying how many lead and which shelves are gone."""

    answer: dict[str, Any]
    found: Bound

    def give(self, excess: int) -> bool:
        rows = self.found.rows
        if not rows:
            return False
        gone = regained = 0
        while rows and (gone == 0 or regained < excess):
            regained += size(rows.pop()) + 1
            gone += 1
        self.answer["deterministic_statements"] = sum(not row.get("inferred") for row in rows)
        extra = cut_shelves(self.found, rows)
        tell(self.answer, "truncated", READ_BUDGET, gone, len(rows), NARROW, **extra)
        return True
