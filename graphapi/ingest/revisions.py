"""What each file's own change log says of it after the commit that created it: what `deltas` and change notes read.

Of a file that no commit has at its path (never committed, or moved and not committed yet) git says nothing, and what
was kept of its artifact stays. So does what was kept of an artifact that is gone, but for commits that history lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from graphapi.connectors.file_dates import FileChanges, edited_content, when
from graphapi.connectors.working_tree import WorkingTree
from graphapi.ingest import residue
from graphapi.models import Project, Revision
from graphapi.store.rows import batches
from graphapi.vendors.git_history import Change

_BATCH = 500
_LONGEST_SUBJECT, _LONGEST_NAME = 500, 255


@dataclass(frozen=True, slots=True)
class _Listed:
    """What git says of the file of one artifact that this pass listed. ``edited``: no commit has what it holds."""

    artifact_id: str
    changes: FileChanges | None
    edited: bool
    withheld: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    """What the ledger holds of it, once the pass has read it."""

    version: str
    content_hash: str


@dataclass(slots=True)
class _Differences:
    """What brings the rows of a batch to what git says."""

    project: Project
    now: datetime
    gone: list[int] = field(default_factory=list)
    retold: list[Revision] = field(default_factory=list)
    new: list[Revision] = field(default_factory=list)

    def find(self, listed: _Listed, held: dict[str, Revision], entry: _Entry | None) -> None:
        """``held`` are the rows of this artifact by commit; that of an uncommitted edit under the empty text."""
        edit = held.pop("", None)
        fresh: list[Revision] = []
        for change in listed.changes.commits if listed.changes else ():
            subject = "" if listed.withheld else _text(change.subject, _LONGEST_SUBJECT)
            row = held.pop(change.sha, None)
            if row is None:
                fresh.append(self._of_commit(listed.artifact_id, change, subject))
            elif row.subject != subject:
                row.subject = subject
                self.retold.append(row)
        if listed.changes is not None and listed.changes.whole:
            self.gone += [row.pk for row in held.values()]
        self.new += fresh
        if listed.edited:
            self._keep_edit(listed, edit, entry)
        elif edit is not None:
            self.gone.append(edit.pk)
            if fresh and entry is not None and entry.version and entry.content_hash == edit.content_hash:
                fresh[-1].learned_at = edit.learned_at

    def _of_commit(self, artifact_id: str, change: Change, subject: str) -> Revision:
        return Revision(
            project=self.project, artifact_id=artifact_id, at=when(change.at), learned_at=self.now, commit=change.sha,
            subject=subject, by=_text(change.author, _LONGEST_NAME),
        )  # fmt: skip

    def _keep_edit(self, listed: _Listed, edit: Revision | None, entry: _Entry | None) -> None:
        content = edited_content(entry.version) if entry is not None else None
        if content is None or (edit is not None and edit.content_hash == content):
            return  # one that could not be read is no edit that was learned of
        if edit is not None:
            self.gone.append(edit.pk)
        self.new.append(
            Revision(
                project=self.project, artifact_id=listed.artifact_id, learned_at=self.now, content_hash=content
            )
        )  # fmt: skip

    def write(self) -> None:
        if not (self.gone or self.retold or self.new):
            return
        with transaction.atomic():
            _delete(self.gone)
            Revision.objects.bulk_update(self.retold, ["subject"], batch_size=_BATCH)
            Revision.objects.bulk_create(self.new, batch_size=_BATCH)


def keep_revisions(
    project: Project, tree: WorkingTree, claimed: Mapping[str, str | None], *, now: datetime, partial: bool
) -> None:
    """Bring the revisions of what a pass listed to what git says, in batches, writing the differences alone.

    ``claimed`` is where each artifact was read from; ``partial``: a part of the project alone was listed. The ledger
    holds by now what the pass read. A pass that dies here, or after, leaves git to be asked for all of its history.
    Raises ``ConnectorError``.
    """
    edits = set(project.revisions.filter(commit="").values_list("artifact_id", flat=True))
    for batch in batches(_listed(tree, claimed, edits), _BATCH):
        _bring(project, batch, now)
    if tree.dating.history.whole and not partial:
        _drop_lost(project, tree, claimed)
    if tree.config.extraction.withhold:
        _blank_moved(project)


def _listed(tree: WorkingTree, claimed: Mapping[str, str | None], edits: set[str]) -> Iterator[_Listed]:
    """Those of which there is something to compare."""
    files = {file.path: file for file in tree.files if file.committed}
    for artifact_id, path in claimed.items():
        file = files.get(path) if path is not None else None
        if file is None:
            continue
        changes, edited = tree.dating.changes(file, artifact_id), file.blob is None
        if changes is not None or edited or artifact_id in edits:
            yield _Listed(artifact_id, changes, edited, tree.is_withheld(file.path))


def _bring(project: Project, batch: Sequence[_Listed], now: datetime) -> None:
    held: dict[str, dict[str, Revision]] = {listed.artifact_id: {} for listed in batch}
    for row in Revision.objects.filter(project=project, artifact_id__in=list(held)):
        held[row.artifact_id][row.commit] = row
    asked = [listed.artifact_id for listed in batch if listed.edited or "" in held[listed.artifact_id]]
    rows = project.ledger.filter(artifact_id__in=asked).values_list("artifact_id", "version", "content_hash")
    entries = {artifact_id: _Entry(version, content) for artifact_id, version, content in rows} if asked else {}
    differences = _Differences(project, now)
    for listed in batch:
        differences.find(listed, held[listed.artifact_id], entries.get(listed.artifact_id))
    differences.write()


def _drop_lost(project: Project, tree: WorkingTree, claimed: Mapping[str, str | None]) -> None:
    """What is gone was not listed; still, a commit that history no longer has did not change it. Of folders that are
    declared no more, git was not asked."""
    commits = tree.dating.history.commits
    lost: dict[str, list[int]] = {}
    rows = project.revisions.exclude(commit="").order_by().values_list("pk", "artifact_id", "commit")
    for pk, artifact_id, commit in rows.iterator(chunk_size=5000):
        if artifact_id not in claimed and commit not in commits:
            lost.setdefault(artifact_id, []).append(pk)
    for ids in batches(lost, _BATCH):
        paths = project.ledger.filter(artifact_id__in=ids).values_list("artifact_id", "path")
        _delete(pk for artifact_id, path in paths if path and tree.declares(path) for pk in lost[artifact_id])


def _blank_moved(project: Project) -> None:
    """A file that was moved to where it is withheld takes the words of its older commits back."""
    withheld = project.ledger.filter(withheld=True).values("artifact_id")
    telling = project.revisions.filter(artifact_id__in=withheld).exclude(subject="")
    if telling.exists():
        residue.owe(project)
        telling.update(subject="")


def _delete(keys: Iterable[int]) -> None:
    for batch in batches(keys, _BATCH):
        Revision.objects.filter(pk__in=batch).delete()


def _text(raw: str, most: int) -> str:
    """Text that a database takes, whatever bytes the commit holds."""
    return raw.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\0", "")[:most]
