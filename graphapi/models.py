"""What the database keeps of the engine: projects, passes, what each source was read to, and the ledger."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.signals import post_delete
from django.dispatch import receiver

_NAME = RegexValidator(r"\A[a-z0-9][a-z0-9-]{0,62}\Z", "Lower-case letters, digits and dashes, 63 characters at most.")
_NAMESPACE = RegexValidator(r"\A[A-Za-z0-9_-]{1,64}\Z", "Letters, digits, dash and underscore, 64 characters at most.")


DIED = "the process that ran it died"
# The state row where a pass keeps what it must remember between runs that belongs to no one source.
TREE = "tree"


class Project(models.Model):
    """A project: its name, the namespace of its graph, the folder it is read from, and whose work it may read too.

    Exactly one project is the default: the first one saved is, saving another as default takes it over, and when the
    default is removed the first by name takes its place (004 section 5, project; ruling 1).
    """

    name = models.CharField(max_length=63, unique=True, validators=[_NAME])
    namespace = models.CharField(
        max_length=64,
        unique=True,
        validators=[_NAMESPACE],
        help_text="Its graph. Changing it leaves the old one behind.",
    )
    root = models.CharField(max_length=1024, help_text="The folder that holds its revetly.toml, absolute.")
    imports: models.ManyToManyField[Project, Project] = models.ManyToManyField(
        "self", symmetrical=False, blank=True, related_name="imported_by"
    )
    is_default = models.BooleanField(default=False, help_text="Answers when a call names no project.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(fields=["is_default"], condition=Q(is_default=True), name="one_default_project"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def root_path(self) -> Path:
        return Path(self.root)

    def clean(self) -> None:
        if self.root and not Path(self.root).is_absolute():
            raise ValidationError({"root": "Give the whole path, from /."})

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        # Taking the default over is what saving does; a form must not refuse it beforehand.
        super().validate_constraints(exclude={*(exclude or ()), "is_default"})

    def save(self, *args: Any, **kwargs: Any) -> None:
        with transaction.atomic():
            others = Project.objects.exclude(pk=self.pk)
            if self.is_default:
                others.filter(is_default=True).update(is_default=False)
            elif not others.filter(is_default=True).exists():
                self.is_default = True
                if kwargs.get("update_fields") is not None:
                    kwargs["update_fields"] = {*kwargs["update_fields"], "is_default"}
            super().save(*args, **kwargs)


@receiver(post_delete, sender=Project)
def pass_on_default(sender: type[Project], instance: Project, **kwargs: Any) -> None:
    """The default is never vacant while a project stands, however the row went (a bulk delete sends this too)."""
    if instance.is_default and (heir := Project.objects.exclude(pk=instance.pk).order_by("name").first()):
        heir.save(update_fields=["is_default"])


def pass_handle() -> str:
    return f"PASS-{secrets.token_hex(8)}"


class IngestPass(models.Model):
    """One reading of a project's sources; while it waits it is the queue's entry too (decisions: Graph).

    ``artifacts`` restricts it to those ids; ``counts``, ``findings`` and ``seconds`` say what it did. A row that says
    running while nobody holds the project's lock belongs to a process that died, and reads as failed.
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        GREEN = "green"
        AMBER = "amber"
        FAILED = "failed"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="passes")
    handle = models.CharField(max_length=32, unique=True, default=pass_handle)
    state = models.CharField(max_length=8, choices=State.choices, default=State.QUEUED)
    artifacts = models.JSONField(null=True, blank=True)
    requested_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(null=True, blank=True)
    runner = models.CharField(max_length=128, blank=True, help_text="host and process that ran it")
    counts = models.JSONField(default=dict)
    findings = models.JSONField(default=list)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "ingest passes"
        indexes = (models.Index(fields=["project", "state"], name="pass_by_state"),)

    def __str__(self) -> str:
        return self.handle


class SourceState(models.Model):
    """What is on record about one source of a project: how far it was read, and whether the last reading held.

    ``floor`` is the earliest day it was ever read back to (null: to its beginning); ``view_from`` where a pass lists
    from; ``declared_floor`` what the project's file said then. ``gaps`` are unread days above the floor.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="sources")
    source = models.CharField(max_length=255)
    last_read_at = models.DateTimeField(null=True, blank=True)
    failed = models.BooleanField(default=False)
    error = models.TextField(blank=True)
    complete = models.BooleanField(default=False)
    floor = models.DateField(null=True, blank=True)
    declared_floor = models.DateField(null=True, blank=True)
    view_from = models.DateField(null=True, blank=True)
    gaps = models.JSONField(default=list)
    partial = models.BooleanField(default=False)
    cursor = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)

    class Meta:
        ordering = ("project", "source")
        constraints = (models.UniqueConstraint(fields=["project", "source"], name="one_state_a_source"),)

    def __str__(self) -> str:
        return f"{self.project}: {self.source}"


class LedgerEntry(models.Model):
    """One artifact on record: which version of it the graph holds, what it refers to, and when each was learned.

    ``references`` and ``mentions`` are what the linker resolves again on every pass, without the body. ``body_scanned``
    and ``title_offered`` are false while the search for titles still owes this entry's body, or its title to others.
    ``deleted_at`` is on the clock that ``deleted_clock`` names; ``deleted_learned_at`` is when this instance first
    found the artifact gone, whatever that clock: null on a live entry, or on one closed out before this was kept.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="ledger")
    artifact_id = models.CharField(max_length=255)
    source = models.CharField(max_length=255)
    kind = models.CharField(max_length=32)
    artifact_type = models.CharField(max_length=64, null=True, blank=True)
    title = models.TextField(blank=True)
    path = models.TextField(null=True, blank=True)
    version = models.TextField()
    content_hash = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    source_created_at = models.DateTimeField(null=True, blank=True)
    source_updated_at = models.DateTimeField(null=True, blank=True)
    first_ingested_at = models.DateTimeField()
    ingested_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True)
    deleted_clock = models.CharField(max_length=16, blank=True)
    deleted_note = models.TextField(blank=True)
    deleted_learned_at = models.DateTimeField(null=True, blank=True)
    withheld = models.BooleanField(default=False)
    criteria_unparsed = models.BooleanField(default=False)
    references = models.JSONField(default=list)
    mentions = models.JSONField(default=list)
    findings = models.JSONField(default=list)
    body_scanned = models.BooleanField(default=False)
    title_offered = models.BooleanField(default=False)

    class Meta:
        ordering = ("project", "artifact_id")
        verbose_name_plural = "ledger entries"
        constraints = (models.UniqueConstraint(fields=["project", "artifact_id"], name="one_entry_an_artifact"),)
        indexes = (
            models.Index(fields=["project", "source_created_at"], name="ledger_created"),
            models.Index(fields=["project", "first_ingested_at"], name="ledger_first_ingested"),
            models.Index(fields=["project", "deleted_at"], name="ledger_deleted"),
            models.Index(fields=["project", "deleted_learned_at"], name="ledger_deletion_learned"),
            models.Index(fields=["project", "ingested_at"], name="ledger_ingested"),
            models.Index(fields=["project", "kind", "deleted_at"], name="ledger_kind"),
        )

    def __str__(self) -> str:
        return self.artifact_id


class HistoryEntry(models.Model):
    """One dated step a source records about an artifact, in the source's order."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="history")
    artifact_id = models.CharField(max_length=255)
    position = models.PositiveIntegerField()
    at = models.DateTimeField(null=True, blank=True)
    action = models.CharField(max_length=64)
    by = models.JSONField(default=dict)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ("project", "artifact_id", "position")
        verbose_name_plural = "history entries"
        constraints = (
            models.UniqueConstraint(fields=["project", "artifact_id", "position"], name="one_step_a_position"),
        )
        indexes = (models.Index(fields=["project", "at"], name="history_at"),)

    def __str__(self) -> str:
        return f"{self.artifact_id} {self.position}: {self.action}"


class Revision(models.Model):
    """A change to an artifact's file after the commit that created it, as the source's own change log has it.

    ``at`` is the committer's time and ``learned_at`` when a pass first saw the change. An uncommitted edit that was
    read is one row with no ``at`` and no ``commit``: what the file held is its ``content_hash``. It goes once the file
    is a commit's again, and the commit that holds the same content keeps its ``learned_at``: the change was learned of
    then. A withheld file's ``subject`` is blank.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="revisions")
    artifact_id = models.CharField(max_length=255)
    at = models.DateTimeField(null=True, blank=True)
    learned_at = models.DateTimeField()
    commit = models.CharField(max_length=64, blank=True)
    subject = models.CharField(max_length=500, blank=True)
    by = models.CharField(max_length=255, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ("project", "artifact_id", F("at").asc(nulls_last=True), "id")
        constraints = (
            models.UniqueConstraint(
                fields=["project", "artifact_id", "commit"], condition=~Q(commit=""), name="one_revision_a_commit"
            ),
            models.UniqueConstraint(fields=["project", "artifact_id"], condition=Q(commit=""), name="one_edit_a_file"),
        )
        indexes = (
            models.Index(fields=["project", "at"], name="revision_at"),
            models.Index(fields=["project", "learned_at"], name="revision_learned"),
            models.Index(fields=["project", "artifact_id"], name="revision_artifact"),
        )

    def __str__(self) -> str:
        return f"{self.artifact_id} {self.commit[:12] or 'edited'}"


class UnresolvedReference(models.Model):
    """An id that an artifact's source names and that nothing here answers to. Its target may come with a later pass."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="unresolved")
    artifact_id = models.CharField(max_length=255)
    relation = models.CharField(max_length=255)
    target = models.TextField()
    reason = models.CharField(max_length=32)

    class Meta:
        ordering = ("project", "artifact_id", "relation", "target")
        indexes = (
            models.Index(fields=["project", "target"], name="unresolved_target"),
            models.Index(fields=["project", "artifact_id"], name="unresolved_artifact"),
        )

    def __str__(self) -> str:
        return f"{self.artifact_id} {self.relation} {self.target}"
