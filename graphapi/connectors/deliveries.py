"""Delivery records: what shipped, by whom, and a verdict on each criterion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphapi.connectors.base import Known, SourceMemory, SourceReading
from graphapi.connectors.declared import is_position
from graphapi.connectors.fields import Fields
from graphapi.connectors.note_file import Shape, read_files
from graphapi.connectors.note_text import NoteFile
from graphapi.connectors.working_tree import NOTE_ENDINGS, WorkingTree
from graphapi.domain.artifact import Reference
from graphapi.domain.links import DELIVERS, IMPLEMENTED_BY

VERDICTS = ("held", "departed")


class DeliveriesConnector:
    source = "deliveries"

    def __init__(self, tree: WorkingTree) -> None:
        self.tree = tree

    def read(self, known: Mapping[str, Known], memory: SourceMemory) -> SourceReading:
        return read_files(self.tree, self.source, NOTE_ENDINGS, self._shape, known, memory)

    def _shape(self, note: NoteFile) -> Shape | None:
        fields = note.fields
        if not note.has_block:
            fields.note("no-block", "error", "no frontmatter block, so no delivery record; not read", line=1)
            return None
        references = [Reference(DELIVERS, DELIVERS, i) for i in fields.ids("delivers")]
        if not references:
            fields.note("delivers-nothing", "warning", "the record names no work item under delivers", line=1)
        references += [Reference(IMPLEMENTED_BY, IMPLEMENTED_BY, sha) for sha in fields.ids("implemented_by")]
        return Shape(
            "delivery-record", "delivery-record", fields.text("status"), created=fields.when("delivered_at"),
            references=tuple(references), metadata={"verdicts": _verdicts(fields)},
        )  # fmt: skip


def _verdicts(fields: Fields) -> list[dict[str, Any]]:
    """Every verdict as stated, ``criterion`` a number where it is one; what is odd is named, none is dropped."""
    out: list[dict[str, Any]] = []
    for entry in fields.maps("verdicts"):
        row = dict(entry)
        criterion = row.get("criterion")
        if is_position(criterion):
            row["criterion"] = int(str(criterion))
        else:
            fields.note(
                "verdict-criterion", "warning", f"a verdict on criterion {criterion!r}: no position", key="verdicts"
            )
        if row.get("verdict") not in VERDICTS:
            fields.note(
                "unknown-verdict", "warning", f"{row.get('verdict')!r} is neither held nor departed; kept as written",
                key="verdicts",
            )  # fmt: skip
        out.append(row)
    return out
