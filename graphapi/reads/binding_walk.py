"""From the members of a scope to the statements that bear on it (004 section 5, bears_on).

A statement is reached from a member directly, or through one document the member touches, and no other way.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from graphapi.domain.links import SAME_AS, SUPERSEDES
from graphapi.ranking.binding_order import STATES, TOPIC_MATCH
from graphapi.ranking.candidates import BINDING_TYPES
from graphapi.reads.binding_links import Links
from graphapi.reads.binding_scope import Member, Scope, by_id
from graphapi.reads.corpus import Corpus, Edge, Group, Key
from graphapi.store.port import Deleted, StoredArtifact, StoredStatement

DOCUMENT_TYPES = tuple(sorted(BINDING_TYPES))
ENTITY_TYPES = ("Assumption", "Constraint", "Decision")
DOCUMENT_KINDS = ("doc", "delivery-record")
# Kinds that are no notes, whatever type their source gives them.
_NO_NOTES = ("pbi", "commit", "delivery-record")
# So many artifacts that members touch are looked at as documents, the nearest members' first.
TOUCHED = 1000
_COMMIT = re.compile(r"@[0-9a-f]{12}\Z")


@dataclass(frozen=True, slots=True)
class Step:
    """One way from a member to a statement: how its last link claims it, which link that is, and whether it is the
    member's own or a document's."""

    member: Member
    method: str
    edge: Hashable
    own: bool = True


@dataclass(slots=True)
class Walk:
    """What a scope reaches. ``notes`` and ``prose`` (by statement key) with every way to each.

    ``documents``: what the members touch and do not contain. ``rows`` and ``links`` hold what was read on the way.
    """

    scope: Scope
    links: Links
    rows: dict[Key, StoredArtifact] = field(default_factory=dict)
    notes: dict[Key, list[Step]] = field(default_factory=lambda: defaultdict(list))
    prose: dict[tuple[int, str], list[Step]] = field(default_factory=lambda: defaultdict(list))
    statements: dict[tuple[int, str], StoredStatement] = field(default_factory=dict)
    documents: dict[Key, list[Member]] = field(default_factory=dict)
    untouched: int = 0


def is_statement(row: StoredArtifact | None) -> bool:
    """Whether a source typed this as a statement: the one test for both walks."""
    return row is not None and row.artifact_type in BINDING_TYPES and row.kind not in _NO_NOTES


def is_document(row: StoredArtifact | None) -> bool:
    """Whether the walk may step through this: a document or a delivery record, or, from before kinds were kept, a
    typed artifact without one."""
    return row is not None and (row.kind in DOCUMENT_KINDS or (not row.kind and bool(row.artifact_type)))


def walk(corpus: Corpus, scope: Scope, *, deleted: Deleted, prose: bool) -> Walk:
    """Walk ``scope``. ``prose``: what models read in the documents is gathered as well."""
    out = Walk(scope, Links(corpus, deleted))
    members = scope.members
    out.links.read(members)
    touched = _touched(out)
    out.links.read(touched)
    twins = {key: _twins(out.links, key) for key in touched}
    out.links.read(twin for pair in twins.values() for twin in pair)
    out.rows = corpus.get({*members, *touched, *_ends(out), *(t for pair in twins.values() for t in pair)})
    _directly(out)
    for key, near in touched.items():
        if is_document(out.rows.get(key)):
            out.documents[key] = near
            for part in (key, *(t for t in twins[key] if is_document(out.rows.get(t)))):
                _through(out, part, near)
    if prose:
        _prose(corpus, out, twins, retired=deleted != "exclude")
    _superseding(corpus, out)
    return out


def _ends(out: Walk) -> set[Key]:
    """What may be a statement: whatever members are linked with and, of what documents are, what they state."""
    members = out.scope.members
    near = {e.far(key) for key in members for e in out.links.stated(key)}
    return near | {e.target for key in out.links.groups if key not in members for e in out.links.steps(key)}


def _touched(out: Walk) -> dict[Key, list[Member]]:
    """What members have links with outside the scope, and which members, nearest first; the nearest ``TOUCHED``."""
    found: dict[Key, list[Member]] = {}
    for member in out.scope.members.values():
        for far in _far_ends(out.links, member.key):
            if far not in out.scope.members:
                found.setdefault(far, []).append(member)
    # Commits name work items by the hundred and are never a step: they may not crowd the documents out.
    order = sorted(found, key=lambda k: (bool(_COMMIT.search(k.artifact_id)), found[k][0].distance, *by_id(k)))
    out.untouched = len(order[TOUCHED:])
    return {key: found[key] for key in order[:TOUCHED]}


def _far_ends(links: Links, key: Key) -> Iterable[Key]:
    return dict.fromkeys(edge.far(key) for edge in links.steps(key))


def _twins(links: Links, key: Key) -> list[Key]:
    """The other nodes that a source says are the same document."""
    return sorted({e.far(key) for e in links.steps(key) if e.row.relation == SAME_AS}, key=by_id)


def _directly(out: Walk) -> None:
    for member in out.scope.members.values():
        if out.scope.by_topic and is_statement(out.rows.get(member.key)):
            out.notes[member.key].append(Step(member, TOPIC_MATCH, (TOPIC_MATCH, member.key)))
        for edge in out.links.stated(member.key):
            far = edge.far(member.key)
            # A note above or beneath a member in the hierarchy is tied to it too; no scope states its own root.
            if _serves(out, far):
                out.notes[far].append(Step(member, edge.row.method, edge.row.key))


def _serves(out: Walk, key: Key) -> bool:
    return is_statement(out.rows.get(key)) and (out.scope.by_topic or key not in out.scope.roots)


def _through(out: Walk, document: Key, near: list[Member]) -> None:
    """What the document itself states of others: a note that names it in turn binds only what it names as well."""
    for edge in out.links.steps(document):
        far = edge.target
        if edge.source == document and _serves(out, far) and far not in out.scope.members:
            out.notes[far] += [Step(member, edge.row.method, edge.row.key, own=False) for member in near]


def _prose(corpus: Corpus, out: Walk, twins: dict[Key, list[Key]], *, retired: bool) -> None:
    """What the members' own words and the documents' state, as it was read into the store."""
    near: dict[Key, list[Member]] = {key: [member] for key, member in out.scope.members.items()}
    for key, members in out.documents.items():
        for part in (key, *twins[key]):
            if part == key or (is_document(out.rows.get(part)) and part not in out.scope.members):
                near[part] = list(dict.fromkeys((*near.get(part, ()), *members)))
    for place, rows in _stored(corpus, near, retired=retired):
        for row in rows:
            stated = (place, row.key)
            out.statements[stated] = row
            out.prose[stated] += [Step(member, STATES, (STATES, stated)) for member in near[Key(place, row.note_id)]]


def _stored(corpus: Corpus, keys: Iterable[Key], *, retired: bool) -> Iterator[tuple[int, list[StoredStatement]]]:
    asked: dict[int, list[str]] = defaultdict(list)
    for key in keys:
        asked[key.place].append(key.artifact_id)
    for place, ids in sorted(asked.items()):
        yield place, corpus.store.statements(corpus.namespace(place), ids, retired=retired)


def _superseding(corpus: Corpus, out: Walk) -> None:
    """What took the place of notes that were reached through a document, and so were not looked around."""
    unknown = [key for key in out.notes if key not in out.links.groups]
    if not unknown:
        return
    found: dict[Key, list[Edge]] = {key: [] for key in unknown}
    for edge in corpus.neighbours(unknown, direction="in", relations=[SUPERSEDES], limit=len(unknown) + TOUCHED):
        found[edge.target].append(edge)
    for key, edges in found.items():
        out.links.groups[key] = [Group(key, "in", SUPERSEDES, SUPERSEDES, len(edges), tuple(edges))] if edges else []
