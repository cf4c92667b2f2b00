"""What an operator edits and reads. Projects are edited; what a pass wrote is read only."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from graphapi.domain.project_config import read_config
from graphapi.domain.refusals import SettingRefused
from graphapi.models import (
    HistoryEntry,
    IngestPass,
    LedgerEntry,
    Project,
    Revision,
    SourceState,
    UnresolvedReference,
)
from graphapi.store.locks import is_locked


class ProjectForm(forms.ModelForm[Project]):
    class Meta:
        model = Project
        fields = ("name", "namespace", "root", "imports", "is_default")

    def clean_imports(self) -> QuerySet[Project]:
        chosen: QuerySet[Project] = self.cleaned_data["imports"]
        if self.instance.pk and chosen.filter(pk=self.instance.pk).exists():
            raise forms.ValidationError("A project reads itself already.")
        return chosen

    def clean_root(self) -> str:
        root: str = self.cleaned_data["root"]
        candidate = Project(root=root)
        try:
            read_config(candidate.root_path)
        except SettingRefused as refusal:
            raise forms.ValidationError(f"{refusal.detail}; {refusal.fix}") from refusal
        return root


@admin.register(Project)
class ProjectAdmin(admin.ModelAdmin[Project]):
    form = ProjectForm
    list_display = ("name", "namespace", "root", "is_default")
    search_fields = ("name", "namespace", "root")
    filter_horizontal = ("imports",)

    def has_delete_permission(self, request: HttpRequest, obj: Project | None = None) -> bool:
        """A project is not removed under a pass that is writing its graph."""
        return super().has_delete_permission(request, obj) and not (obj is not None and is_locked(obj))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Project]) -> None:
        busy = [project.name for project in queryset if is_locked(project)]
        if busy:
            self.message_user(request, f"A pass runs on {', '.join(busy)}; not removed.", messages.ERROR)
        super().delete_queryset(request, queryset.exclude(name__in=busy))


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """A record of what happened is looked at, never edited."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(IngestPass)
class IngestPassAdmin(ReadOnlyAdmin):
    list_display = ("handle", "project", "state", "requested_at", "seconds", "error")
    list_filter = ("state", "project")
    date_hierarchy = "requested_at"


@admin.register(SourceState)
class SourceStateAdmin(ReadOnlyAdmin):
    list_display = ("source", "project", "last_read_at", "failed", "complete", "floor", "partial")
    list_filter = ("project", "failed", "partial")


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    list_display = ("artifact_id", "project", "kind", "source", "source_updated_at", "deleted_at", "withheld")
    list_filter = ("project", "kind", "withheld", "deleted_clock")
    search_fields = ("artifact_id", "path")
    show_full_result_count = False


@admin.register(HistoryEntry)
class HistoryEntryAdmin(ReadOnlyAdmin):
    list_display = ("artifact_id", "project", "position", "at", "action")
    list_filter = ("project", "action")
    search_fields = ("artifact_id",)
    show_full_result_count = False


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    list_display = ("artifact_id", "project", "at", "learned_at", "commit", "subject", "by")
    list_filter = ("project",)
    search_fields = ("artifact_id", "commit")
    show_full_result_count = False


@admin.register(UnresolvedReference)
class UnresolvedReferenceAdmin(ReadOnlyAdmin):
    list_display = ("artifact_id", "relation", "target", "reason", "project")
    list_filter = ("project", "reason", "relation")
    search_fields = ("artifact_id", "target")
