"""From what artifacts say of one another to links: pure, over what the ledger keeps, the same on both stores.

Only ids that some source lists become ends; an id that nothing answers to is counted and named, never minted.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphapi.domain.artifact import Finding
from graphapi.domain.ids import family_of, is_ticket
from graphapi.domain.links import (
    DELIVERS,
    EXPLICIT_REF,
    IMPLEMENTED_BY,
    MENTIONS,
    METHOD_RANK,
    PARENT,
    RELATED,
    REVISES,
    SAME_AS,
    SUPERSEDES,
    TITLE_MENTION,
    is_fact,
    link_key,
)
from graphapi.domain.mentions import is_mentionable, normalised, spellings
from graphapi.store.port import LinkRow

_SENTENCES = {
    PARENT: "is part of",
    DELIVERS: "delivers",
    SUPERSEDES: "supersedes",
    SAME_AS: "is the same as",
    REVISES: "revises",
}
_SHA_HEAD = 7


@dataclass(frozen=True, slots=True)
class Named:
    """What the linker must know of an artifact to point at it."""

    kind: str
    title: str
    live: bool


@dataclass(frozen=True, slots=True)
class Stated:
    """What an artifact says of others. ``stated_at`` is its source's time as text."""

    artifact_id: str
    source: str
    stated_at: str | None
    references: Iterable[list[Any]]
    mentions: Iterable[str]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """``reason``: ``unknown`` (no source lists the id), ``not-minted`` (a ``related`` that is no backlog item),
    ``unknown-commit``."""

    artifact_id: str
    relation: str
    target: str
    reason: str


class Titles:
    """Which phrase in prose stands for which artifact: ``target``. A title two artifacts carry stands for neither, and
    is looked for all the same: on the day one of them is gone, the other is meant, and no body need be read again."""

    def __init__(self, artifacts: Mapping[str, Named], aliases: Mapping[str, Iterable[str]]) -> None:
        owners: dict[str, list[str]] = defaultdict(list)
        for artifact_id, named in artifacts.items():
            if named.live and named.kind != "commit" and named.title:
                owners[normalised(named.title)].append(artifact_id)
        self.shared = {t: ids for t, ids in owners.items() if len(ids) > 1 and is_mentionable(t)}
        self._owners = {t: ids for t, ids in owners.items() if is_mentionable(t)}
        for spelling, title in spellings(aliases, owners).items():
            self._owners.setdefault(spelling, owners[title])
        self.target = {phrase: ids[0] for phrase, ids in self._owners.items() if len(ids) == 1}

    @property
    def phrases(self) -> Iterable[str]:
        """Everything to be looked for in a body."""
        return self._owners

    def phrases_of(self, ids: frozenset[str]) -> list[str]:
        """What is to be looked for on account of these artifacts."""
        return [phrase for phrase, owners in self._owners.items() if not ids.isdisjoint(owners)]


@dataclass(slots=True)
class Linker:
    """Resolves one artifact's statements at a time; ``findings`` and ``unresolved`` grow as it goes."""

    namespace: str
    artifacts: Mapping[str, Named]
    titles: Titles
    families: frozenset[str]
    findings: list[Finding] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    _parents: dict[str, str] = field(default_factory=dict)
    _commits: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def over(cls, namespace: str, artifacts: Mapping[str, Named], titles: Titles, families: Iterable[str]) -> Linker:
        known = {f for i, named in artifacts.items() if named.live and (f := family_of(i))}
        linker = cls(namespace, artifacts, titles, frozenset({*families, *known}))
        for artifact_id, named in artifacts.items():
            if named.kind == "commit":
                sha = artifact_id.rpartition("@")[2]
                linker._commits.setdefault(sha[:_SHA_HEAD], []).append(sha)
        return linker

    def links_of(self, stated: Stated) -> dict[str, LinkRow]:
        """The links one artifact states, by key; one row however often it says the same."""
        out: dict[str, LinkRow] = {}
        named_by_id: set[str] = set()
        for relation, method, target, *rest in stated.references:
            resolved = self._resolve(stated.artifact_id, relation, method, target)
            if resolved is None:
                continue
            if method == EXPLICIT_REF:
                named_by_id.add(target)
            if method == PARENT:
                self._parents[stated.artifact_id] = target
            row = self._row(stated, target, relation, resolved, rest[0] if rest else {})
            out[row.key] = row
        for phrase in stated.mentions:
            owner = self.titles.target.get(phrase)
            # Where the body names the artifact by id, that reference stands alone.
            if owner is not None and owner != stated.artifact_id and owner not in named_by_id:
                row = self._row(stated, owner, MENTIONS, TITLE_MENTION, {})
                out[row.key] = row
        return out

    def _resolve(self, source_id: str, relation: str, method: str, target: str) -> str | None:
        """The method the link is written with, or None where it is not; what is not written is on record."""
        if method == IMPLEMENTED_BY:
            if not self._knows_commit(target):
                self.unresolved.append(Unresolved(source_id, relation, target, "unknown-commit"))
            return None
        named = self.artifacts.get(target)
        if named is None:
            if method != EXPLICIT_REF or is_ticket(target, self.families):
                self.unresolved.append(Unresolved(source_id, relation, target, "unknown"))
            return None
        if target == source_id:
            if method != EXPLICIT_REF:
                text = f"names itself under {relation}; no link is made"
                self.findings.append(Finding("self-link", "warning", text, artifact_id=source_id))
            return None
        if method == RELATED:
            if named.kind == "pbi":
                return EXPLICIT_REF
            self.unresolved.append(Unresolved(source_id, relation, target, "not-minted"))
            return None
        return method

    def _knows_commit(self, sha: str) -> bool:
        low = sha.lower()
        return any(c.startswith(low) or low.startswith(c) for c in self._commits.get(low[:_SHA_HEAD], ()))

    def _row(self, stated: Stated, target: str, relation: str, method: str, attributes: Mapping[str, Any]) -> LinkRow:
        rank = METHOD_RANK[method]
        fact = sentence(self.artifacts, stated.artifact_id, relation, target) if is_fact(method) else ""
        text = "\x1f".join((fact, str(rank), stated.source, stated.stated_at or "", repr(sorted(attributes.items()))))
        return LinkRow(
            key=link_key(self.namespace, stated.artifact_id, target, relation, method),
            source_id=stated.artifact_id,
            target_id=target,
            relation=relation,
            method=method,
            rank=rank,
            fact=fact,
            source=stated.source,
            valid_at=stated.stated_at,
            attributes=attributes,
            digest=hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest(),
        )

    def closing_findings(self) -> Iterator[Finding]:
        """What only all of it together shows: parent cycles, titles two artifacts share, ids that differ in case."""
        for cycle in cycles(self._parents):
            text = f"parents run in a circle: {' → '.join((*cycle, cycle[0]))}; a branch stops where it would repeat"
            yield Finding("parent-cycle", "warning", text, artifact_id=cycle[0], fix="take one of the parents out")
        for title, ids in sorted(self.titles.shared.items()):
            text = f"the title “{title}” is carried by {', '.join(ids)}; prose that names it links to none of them"
            yield Finding("title-shared", "note", text, artifact_id=ids[0])
        folded: dict[str, list[str]] = defaultdict(list)
        for artifact_id in self.artifacts:
            folded[artifact_id.casefold()].append(artifact_id)
        for ids in sorted(sorted(group) for group in folded.values() if len(group) > 1):
            text = f"{', '.join(ids)} differ only in case; they are different ids"
            yield Finding("id-case", "warning", text, artifact_id=ids[0], fix="spell one id one way")


def sentence(artifacts: Mapping[str, Named], source_id: str, relation: str, target_id: str) -> str:
    """A link as the fact index holds it: both ends by title and id, by id alone where there is no title."""
    verb = _SENTENCES.get(relation, relation.replace("_", " ").replace("-", " "))
    return f"{_shown(artifacts, source_id)} {verb} {_shown(artifacts, target_id)}"


def _shown(artifacts: Mapping[str, Named], artifact_id: str) -> str:
    named = artifacts.get(artifact_id)
    title = named.title if named else ""
    return f"{title} ({artifact_id})" if title and title != artifact_id else artifact_id


def cycles(parents: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The circles that following ``parents`` runs into, each once, its lowest id first."""
    done: set[str] = set()
    out: list[tuple[str, ...]] = []
    for start in parents:
        trail: dict[str, int] = {}
        at: str | None = start
        while at is not None and at not in done and at not in trail:
            trail[at] = len(trail)
            at = parents.get(at)
        if at is not None and at in trail:
            circle = list(trail)[trail[at] :]
            low = circle.index(min(circle))
            out.append((*circle[low:], *circle[:low]))
        done.update(trail)
    return sorted(out)
