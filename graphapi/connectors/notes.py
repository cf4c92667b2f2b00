"""Conversation and decision notes. A note's own ``captured_at`` is its source time; git's is the fallback."""

from __future__ import annotations

from collections.abc import Mapping

from graphapi.connectors.base import Known, SourceMemory, SourceReading
from graphapi.connectors.note_file import Shape, document_type, read_files
from graphapi.connectors.note_text import NoteFile
from graphapi.connectors.working_tree import NOTE_ENDINGS, WorkingTree


class NotesConnector:
    source = "notes"

    def __init__(self, tree: WorkingTree) -> None:
        self.tree = tree

    def read(self, known: Mapping[str, Known], memory: SourceMemory) -> SourceReading:
        return read_files(self.tree, self.source, NOTE_ENDINGS, self._shape, known, memory)

    def _shape(self, note: NoteFile) -> Shape:
        return Shape("doc", document_type(note), note.fields.text("status"), created=note.fields.when("captured_at"))
