"""The links a block declares, whatever kind of file it heads, with a finding for each entry that is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphapi.connectors.fields import Fields
from graphapi.domain.artifact import Reference
from graphapi.domain.links import CITES, EDGES, PARENT, REFERENCES, RELATED, REVISES, SAME_AS, SUPERSEDES

_FINGERPRINT = re.compile(r"[0-9a-f]{8}")
_POSITION = re.compile(r"[1-9][0-9]{0,5}")
_LONGEST_RELATION = 100


def is_position(value: Any) -> bool:
    """Whether a value is the text of a criterion's position: a whole number from 1."""
    return isinstance(value, str) and _POSITION.fullmatch(value) is not None


def references(fields: Fields) -> list[Reference]:
    out = [Reference(PARENT, PARENT, parent)] if (parent := fields.text("parent")) else []
    out += [Reference(CITES, CITES, i) for i in fields.ids("cited_sources")]
    out += [Reference(SUPERSEDES, SUPERSEDES, i) for i in fields.ids("supersedes")]
    out += [Reference(SAME_AS, SAME_AS, i) for i in fields.ids("same_as")]
    out += [Reference(REFERENCES, RELATED, i) for i in fields.ids("related")]
    out += _edges(fields)
    out += _revises(fields)
    return out


def _edges(fields: Fields) -> Iterator[Reference]:
    seen: set[tuple[str, str]] = set()
    for entry in fields.maps("edges"):
        to, relation = _word(entry.get("to")), _word(entry.get("relation"))
        if not to or not relation:
            fields.note("bad-value", "warning", "an entry of edges needs to and relation; set aside", key="edges")
        elif len(relation) > _LONGEST_RELATION:
            fields.note("bad-value", "warning", "a relation of edges is no word; set aside", key="edges")
        elif (relation, to) in seen:
            fields.note("duplicate-link", "warning", f"edges names {relation} {to} more than once", key="edges")
        else:
            seen.add((relation, to))
            yield Reference(relation, EDGES, to)


def _word(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _revises(fields: Fields) -> Iterator[Reference]:
    value = fields.values.get("revises")
    seen: set[str] = set()
    for number, entry in enumerate(value if isinstance(value, list) else [] if value is None else [value], 1):
        found = _revision(fields, entry, number)
        if found and found.target in seen:
            fields.note("duplicate-link", "warning", f"revises names {found.target} more than once", key="revises")
        elif found:
            seen.add(found.target)
            yield found


def _revision(fields: Fields, entry: Any, number: int) -> Reference | None:
    stated = entry if isinstance(entry, dict) else {"id": entry}
    target = _word(stated.get("id"))
    if not target:
        fields.note(
            "revises-no-id", "warning", f"entry {number} of revises has no id; set aside", key="revises",
            fix="write the work item's id, alone or as id:",
        )  # fmt: skip
        return None
    criteria, prints = _listed(stated.get("criteria")), _listed(stated.get("criteria_fp"))
    positions = [int(p) for p in criteria if _position(fields, p, target)]
    attributes: dict[str, Any] = {"criteria": positions} if positions else {}
    if prints and len(prints) == len(criteria) == len(positions) and all(map(_is_fingerprint, prints)):
        attributes["criteria_fp"] = prints
    elif prints:
        fields.note(
            "revises-fingerprints", "warning",
            f"criteria_fp of {target} does not match its criteria, one of 8 hex digits each; set aside",
            key="revises", fix="give one fingerprint a position, or leave the list out",
        )  # fmt: skip
    return Reference(REVISES, REVISES, target, attributes or None)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _position(fields: Fields, value: Any, target: str) -> bool:
    if is_position(value):
        return True
    fields.note(
        "revises-position", "warning",
        f"{value!r} is no position of a criterion of {target}: a whole number from 1", key="revises",
    )  # fmt: skip
    return False


def _is_fingerprint(value: Any) -> bool:
    return isinstance(value, str) and _FINGERPRINT.fullmatch(value) is not None
