"""Whom a binding read is about: the members of a scope, each with its place and how many steps it is away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphapi.domain.artifact import natural_key
from graphapi.domain.links import PARENT
from graphapi.ranking.binding_order import Place
from graphapi.reads.corpus import Corpus, Key

# A scope is worth this many members. What is left out lies deepest, and a sub-branch asked by its own id has it.
SCOPE_MEMBERS = 1000
_CHILDREN = 2 * SCOPE_MEMBERS


@dataclass(frozen=True, slots=True)
class Member:
    """``distance`` counts declared steps from the nearest root, up and down alike."""

    key: Key
    distance: int
    place: Place


@dataclass(slots=True)
class Scope:
    """``members`` nearest first, then by natural id. ``by_topic``: the roots are what a topic matched.

    ``found`` is False where the only root is no artifact at all, ``withdrawn`` where it is one that is deleted.
    ``truncated``: the branch beneath goes on past ``SCOPE_MEMBERS``.
    """

    roots: tuple[Key, ...]
    members: dict[Key, Member] = field(default_factory=dict)
    by_topic: bool = False
    found: bool = True
    withdrawn: bool = False
    truncated: bool = False


def artifact_scope(corpus: Corpus, roots: Sequence[Key], *, depth: int | None = None) -> Scope:
    """The artifacts themselves, the branches beneath them (to ``depth``) and all that they hang under.

    One root is walked as a branch is (004 section 2b), several level by level together.
    """
    scope = Scope(tuple(dict.fromkeys(roots)))
    beneath = _branch(corpus, scope, depth) if len(scope.roots) == 1 else _beneath(corpus, scope, depth)
    above = {} if scope.withdrawn or not scope.found else _above(corpus, scope.roots)
    places: list[tuple[Place, dict[Key, int]]] = [
        ("own", dict.fromkeys(scope.roots, 0)), ("beneath", beneath), ("above", above)
    ]  # fmt: skip
    scope.members = _nearest_first(Member(key, at, place) for place, found in places for key, at in found.items())
    return scope


def topic_scope(matched: Sequence[Key]) -> Scope:
    """What a topic matched, and nothing beneath or above it: naming an artifact is the stronger scope."""
    members = _nearest_first(Member(key, 0, "own") for key in matched)
    return Scope(tuple(matched), members, by_topic=True)


def _nearest_first(members: Iterable[Member]) -> dict[Key, Member]:
    out: dict[Key, Member] = {}
    for member in members:
        out.setdefault(member.key, member)
    return dict(sorted(out.items(), key=lambda item: (item[1].distance, *by_id(item[0]))))


def by_id(key: Key) -> tuple[str, str, int]:
    """The natural order of ids; of one id in two projects, the asking project's goes first."""
    return natural_key(key.artifact_id), key.artifact_id, key.place


def _branch(corpus: Corpus, scope: Scope, depth: int | None) -> dict[Key, int]:
    branch, keys = corpus.branch(scope.roots[0], depth=depth, limit=SCOPE_MEMBERS)
    scope.truncated = branch.truncated
    scope.withdrawn = not branch.nodes and bool(branch.withdrawn)
    scope.found = bool(branch.nodes) or scope.withdrawn
    return {keys[node.artifact_id]: node.depth for node in branch.nodes}


def _beneath(corpus: Corpus, scope: Scope, depth: int | None) -> dict[Key, int]:
    found = dict.fromkeys(scope.roots, 0)
    level, at = list(scope.roots), 0
    while level and (depth is None or at < depth):
        at += 1
        links = corpus.neighbours(level, direction="in", relations=[PARENT], limit=_CHILDREN)
        fresh = sorted({e.source for e in links if e.source not in found}, key=by_id)
        level = fresh[: max(SCOPE_MEMBERS - len(found), 0)]
        scope.truncated |= len(level) < len(fresh) or len(links) == _CHILDREN
        found |= dict.fromkeys(level, at)
    return found


def _above(corpus: Corpus, roots: Sequence[Key]) -> dict[Key, int]:
    parents: dict[Key, list[Key]] = {}
    for child, parent in corpus.ancestors(roots):
        parents.setdefault(child, []).append(parent)
    found = dict.fromkeys(roots, 0)
    level = list(roots)
    while level:
        fresh = dict.fromkeys(p for key in level for p in parents.get(key, ()) if p not in found)
        found |= dict.fromkeys(fresh, found[level[0]] + 1)
        level = list(fresh)
    return {key: at for key, at in found.items() if at}
