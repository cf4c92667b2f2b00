"""The relations and methods of stated links, and the rank each method has (004 section 5)."""

from __future__ import annotations

import hashlib

PARENT = "parent"
DELIVERS = "delivers"
SUPERSEDES = "supersedes"
SAME_AS = "same_as"
REVISES = "revises"
CITES = "cites"
REFERENCES = "references"
MENTIONS = "mentions"

EXPLICIT_REF = "explicit-ref"
TITLE_MENTION = "title-mention"
EDGES = "edges"

# Words a source may use that are no link of their own: a note's ``related`` becomes an explicit reference where it
# names a backlog item, and a delivery's ``implemented_by`` names commits, which stay ids.
RELATED = "related"
IMPLEMENTED_BY = "implemented_by"

# Lower is the stronger claim. What a source states in a field comes first, an id in prose next, a title in prose after
# it; everything a model inferred ranks behind all of these.
METHOD_RANK: dict[str, int] = {
    PARENT: 10,
    DELIVERS: 20,
    SAME_AS: 30,
    SUPERSEDES: 40,
    REVISES: 50,
    EDGES: 60,
    CITES: 70,
    EXPLICIT_REF: 80,
    TITLE_MENTION: 90,
}
INFERRED_RANK = 1000

# A citation, an id in a body and a title in prose say only that one artifact names another: they are no facts.
NAMING_METHODS = frozenset({CITES, EXPLICIT_REF, TITLE_MENTION})


def is_fact(method: str) -> bool:
    """Whether a link by this method belongs to the first band of the facts shelf, and so to the fact index."""
    return method not in NAMING_METHODS


def link_key(namespace: str, source_id: str, target_id: str, relation: str, method: str) -> str:
    """The identity of a stated link: 32 hex digits, the same in both stores and on every machine."""
    text = "\x1f".join((namespace, source_id, relation, method, target_id))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
