"""From one file to one artifact: decode, split, read the block, and leave the kind's own rules to its connector."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from graphapi.connectors.base import Known, SourceMemory, SourceReading, Unchanged
from graphapi.connectors.declared import references as declared_references
from graphapi.connectors.fields import Fields
from graphapi.connectors.file_bytes import content_hash
from graphapi.connectors.note_text import NoteFile, heading_of, note_of
from graphapi.connectors.working_tree import WorkingTree
from graphapi.domain.artifact import SOURCE_OF_RECORD, Finding, Kind, Reference, SourceArtifact
from graphapi.domain.ids import family_of, id_problem
from graphapi.domain.spans import Span
from graphapi.vendors.git_tree import TreeFile

# What the block's other keys become; the rest of a block is kept as metadata, under its own names.
_OWN_KEYS = frozenset({
    "id", "title", "type", "status", "cited_sources", "edges", "supersedes", "same_as", "related", "revises",
    "review_log",
})  # fmt: skip
_FAMILY_TYPES = {
    "EPIC": "epic", "FEAT": "feature", "STORY": "story", "BUG": "bug", "TASK": "task",
    "CONV": "conversation", "DEC": "decision", "ADR": "decision", "DEL": "delivery-record",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """What a connector makes of a file besides what all files have."""

    kind: Kind
    artifact_type: str | None
    status: str | None
    created: datetime | None = None
    references: tuple[Reference, ...] = ()
    metadata: Mapping[str, Any] | None = None


_LONGEST_TYPE = 64
_NOT_IN_ID = re.compile(r"[\s,\x00-\x1f\x7f]")
_FOLDER_TYPES = {"conversations": "conversation", "decisions": "decision"}

ShapeOf = Callable[[NoteFile], Shape | None]


def type_by_family(artifact_id: str) -> str | None:
    return _FAMILY_TYPES.get((family_of(artifact_id) or "").upper())


def stated_type(fields: Fields) -> str | None:
    """The block's ``type``, lower-cased. One that is no word is named and set aside."""
    stated = (fields.text("type") or "").strip().lower()
    if len(stated) > _LONGEST_TYPE:
        fields.note("bad-value", "warning", f"type is over {_LONGEST_TYPE} characters; set aside", key="type")
        return None
    return stated or None


def document_type(note: NoteFile) -> str | None:
    """The block's ``type``, else the folder the note is in, else its id's family, lower-cased."""
    if stated := stated_type(note.fields):
        return stated
    for folder in reversed(note.file.path.split("/")[:-1]):
        if folder.lower() in _FOLDER_TYPES:
            return _FOLDER_TYPES[folder.lower()]
    return type_by_family(note.fields.text("id") or "")


def read_files(
    tree: WorkingTree, source: str, endings: tuple[str, ...], shape_of: ShapeOf, known: Mapping[str, Known],
    memory: SourceMemory,
) -> SourceReading:  # fmt: skip
    """Read every file of ``source`` that changed. ``shape_of`` gives None for a file that is none of its artifacts."""
    reading = SourceReading(source, iter(()), cursor={"head": tree.head})
    for folder in tree.missing_folders(source):
        reading.findings.append(
            Finding(
                "folder-missing", "warning", "the declared folder is not there", folder, fix="make it, or mend the path"
            )
        )
    if floor := tree.dating.shallow_floor:
        reading.floor = floor.date()
        if memory.read_to is not None and memory.read_to < floor:
            reading.new_gaps.append(Span(memory.read_to.date(), floor.date() - timedelta(days=1)))
    reading.dated_by(tree.removals)
    reading.items = _items(tree, reading, tree.files_of(source, endings), shape_of, known)
    return reading


def _items(
    tree: WorkingTree, reading: SourceReading, files: list[TreeFile], shape_of: ShapeOf, known: Mapping[str, Known]
) -> Iterator[SourceArtifact | Unchanged]:
    for file in files:
        before = known.get(file.path)
        if before and not before.stale and before.version and before.version == tree.dating.version(file):
            yield Unchanged(before.artifact_id, file.path)
        elif (found := _read(tree, reading, file, shape_of)) is not None:
            yield found
        elif before is not None:
            # It stands in the source and cannot be read now: what was read before is kept, and named above.
            yield Unchanged(before.artifact_id, file.path, unread=True)


def _read(tree: WorkingTree, reading: SourceReading, file: TreeFile, shape_of: ShapeOf) -> SourceArtifact | None:
    if any("\udc80" <= c <= "\udcff" for c in file.path):
        shown = file.path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        return _skipped(
            reading, Finding("name-not-utf8", "error", "the file's name is not UTF-8; not read", shown, fix="rename it")
        )
    if file.is_submodule or file.is_repository:
        code, word = (
            ("submodule", "a submodule") if file.is_submodule else ("nested-repository", "a repository in this")
        )
        text = f"{word}; its files are its own repository's, and none is read"
        return _skipped(reading, Finding(code, "note", text, file.path))
    raw = tree.content(file)
    if isinstance(raw, Finding):
        return _skipped(reading, raw)
    note = note_of(raw, file)
    if isinstance(note, Finding):
        return _skipped(reading, note)
    shape = shape_of(note)
    if shape is None:
        reading.findings += note.fields.findings
        return None
    artifact_id = note.fields.text("id") or path_id(file.path)
    if problem := id_problem(artifact_id):
        line = note.fields.block.lines.get("id", 1)
        return _skipped(reading, Finding("bad-id", "error", f"{problem}; not read", file.path, line))
    return _artifact(tree, note, shape, artifact_id, raw)


def path_id(path: str) -> str:
    """The id of a file that gives none: its path, with what may not stand in an id percent-encoded as in an address."""
    return _NOT_IN_ID.sub(lambda found: quote(found.group()), path)


def _skipped(reading: SourceReading, finding: Finding) -> SourceArtifact | None:
    reading.findings.append(finding)
    return None


def _artifact(tree: WorkingTree, note: NoteFile, shape: Shape, artifact_id: str, raw: bytes) -> SourceArtifact:
    fields, file, digest = note.fields, note.file, content_hash(raw)
    dates = tree.dating.dates(file)
    references = (*declared_references(fields), *shape.references)
    history = fields.review_log()
    extra = {k: v for k, v in fields.values.items() if k not in _OWN_KEYS}
    artifact = SourceArtifact(
        artifact_id=artifact_id,
        kind=shape.kind,
        artifact_type=shape.artifact_type,
        title=(fields.text("title") or "").strip() or heading_of(note.body) or artifact_id,
        body=note.body,
        status=shape.status,
        metadata={**extra, **(shape.metadata or {})},
        references=references,
        source_created_at=shape.created or dates.created,
        source_updated_at=dates.updated,
        source_uri=tree.address + file.path,
        source_path=file.path,
        provenance=fields.text("provenance") or SOURCE_OF_RECORD,
        history=history,
        content_hash=digest,
        version=tree.dating.version(file) or tree.dating.edited_version(file, digest),
        findings=tuple(replace(f, artifact_id=artifact_id) for f in fields.findings),
    )
    if not tree.is_withheld(file.path):
        return artifact
    return replace(artifact, title="", body="", status=None, metadata={}, history=(), findings=(), withheld=True)
