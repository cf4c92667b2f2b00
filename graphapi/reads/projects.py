"""Which project a call reads as: the one it names, else the default (004 section 5, project)."""

from __future__ import annotations

from django.db.models import Q

from graphapi.domain.refusals import UnknownProject
from graphapi.models import Project


def project_named(name: str | None) -> Project:
    """The project of this name, or the default without one. Raises :class:`UnknownProject` naming the declared ones."""
    wanted = Q(name=name) if name else Q(is_default=True)
    project = Project.objects.filter(wanted).first()
    if project is not None:
        return project
    declared = list(Project.objects.values_list("name", flat=True))
    if not declared:
        raise UnknownProject("no project is declared here", fix="run `revetly init PATH` on a git working tree")
    raise UnknownProject(f"{name!r} is no project of this instance", fix=f"name one of: {', '.join(declared)}")


def several_projects() -> bool:
    """Whether answers must say which project they are about: with one declared, none does."""
    return Project.objects.count() > 1
