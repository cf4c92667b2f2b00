"""The backlog: one Markdown file a work item."""

from __future__ import annotations

from collections.abc import Mapping

from graphapi.connectors.base import Known, SourceMemory, SourceReading
from graphapi.connectors.note_file import Shape, read_files, stated_type, type_by_family
from graphapi.connectors.note_text import NoteFile
from graphapi.connectors.working_tree import NOTE_ENDINGS, WorkingTree
from graphapi.domain.criteria import read_criteria

STATUSES = ("draft", "ready", "in-progress", "done", "parked", "discarded")
# A folder's own explanation is no work item; anything else without a block is named, since an item may have lost it.
_NOT_ITEMS = ("readme", "index", "template", "contributing")


class BacklogConnector:
    source = "backlog"

    def __init__(self, tree: WorkingTree) -> None:
        self.tree = tree

    def read(self, known: Mapping[str, Known], memory: SourceMemory) -> SourceReading:
        return read_files(self.tree, self.source, NOTE_ENDINGS, self._shape, known, memory)

    def _shape(self, note: NoteFile) -> Shape | None:
        fields = note.fields
        if not note.has_block:
            stem = note.file.path.rsplit("/", 1)[-1].split(".")[0].lower()
            if stem not in _NOT_ITEMS:
                fields.note("no-block", "error", "no frontmatter block, so no work item; not read", line=1)
            return None
        artifact_id = fields.text("id")
        if artifact_id is None:
            fields.note("no-id", "warning", "the block gives no id; the file's path is its id", line=1)
        status = fields.text("status")
        if status is not None and status not in STATUSES:
            fields.note(
                "unknown-status",
                "warning",
                f"{status!r} is none of {', '.join(STATUSES)}; kept as written",
                key="status",
            )
        criteria = read_criteria(note.body)
        if len(criteria.sections) > 1:
            fields.note(
                "criteria-twice", "warning", "carries its acceptance criteria in more than one section",
                line=note.body_line + criteria.sections[1].heading, fix="run `revetly check --repair`",
            )  # fmt: skip
        artifact_type = stated_type(fields) or type_by_family(artifact_id or "")
        unparsed = {"criteria_unparsed": True} if criteria.unparsed else {}
        return Shape("pbi", artifact_type, status, metadata=unparsed)
