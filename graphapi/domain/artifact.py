"""What a source holds, once read: artifacts, their declared references, and what was found wrong on the way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Kind = Literal["pbi", "doc", "delivery-record", "commit"]
KINDS: tuple[Kind, ...] = ("pbi", "doc", "delivery-record", "commit")
Severity = Literal["error", "warning", "note"]
DeletedClock = Literal["source-declared", "found"]

SOURCE_OF_RECORD = "source-of-record"

_DIGITS = re.compile(r"\d+")
# Twelve digits outgrow any issue number; a longer run of digits keeps its own length and still sorts among its like.
_PAD = 12


def natural_key(artifact_id: str) -> str:
    """Sort key under which ``STORY-9`` stands before ``STORY-10``; equal ids give equal keys."""
    return _DIGITS.sub(lambda m: m.group().zfill(_PAD), artifact_id.casefold())


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a source that a person should know, with the place and, where there is one, the fix.

    ``severity``: ``error`` (the thing was skipped), ``warning`` (read by a stated rule), ``note`` (nothing to do).
    ``code`` is one of those listed in ``docs/errors.md``.
    """

    code: str
    severity: Severity
    message: str
    path: str | None = None
    line: int | None = None
    artifact_id: str | None = None
    fix: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {k: v for k in self.__slots__ if (v := getattr(self, k)) is not None}


@dataclass(frozen=True, slots=True)
class Reference:
    """One thing a source says of another artifact: the relation, the manual's word for how, and the id as written.

    ``attributes`` carries what the relation needs besides its ends (a revision's ``criteria`` and ``criteria_fp``).
    """

    relation: str
    method: str
    target: str
    attributes: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """One dated step a source records about an artifact (an entry of its ``review_log``, its claim)."""

    at: datetime | None
    action: str
    by: Mapping[str, Any]
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceArtifact:
    """One artifact as its source states it (design: project-files, "What each connector yields").

    ``version`` is the connector's own token for "unchanged since"; ``content_hash`` is over the bytes that were read.
    A withheld artifact has a blank title and body and no metadata: what must not leave is not carried.
    """

    artifact_id: str
    kind: Kind
    artifact_type: str | None
    title: str
    body: str
    status: str | None
    metadata: Mapping[str, Any]
    references: tuple[Reference, ...]
    source_created_at: datetime | None
    source_updated_at: datetime | None
    source_uri: str | None
    source_path: str | None
    provenance: str
    history: tuple[HistoryItem, ...]
    content_hash: str
    version: str
    withheld: bool = False
    findings: tuple[Finding, ...] = ()
