"""What one call may draw on: the projects it names and, for a question, what those import (004 section 5, project).

This is the one place that decides it, for every surface. A listing reads :attr:`Reach.named`, a question
:attr:`Reach.all`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphapi.access.caller import Caller
from graphapi.domain.refusals import BadArguments, UnknownProject
from graphapi.models import Project


@dataclass(frozen=True, slots=True)
class Reach:
    """``named`` are the projects the answer is about, in the order asked; ``imported`` those they may read besides.

    ``several``: the instance declares more than one project, so answers and rows say which.
    """

    named: tuple[Project, ...]
    imported: tuple[Project, ...]
    several: bool

    @property
    def all(self) -> tuple[Project, ...]:
        return (*self.named, *self.imported)

    @property
    def spanning(self) -> bool:
        return len(self.named) > 1


def reach_of(caller: Caller, project: str | None = None, projects: Sequence[str] | None = None) -> Reach:
    """What ``caller`` reaches by naming ``project``, or several ``projects``, or none.

    Naming none means the default project or, where a grant leaves that one out, whatever the grant gives. Raises
    :class:`UnknownProject` naming what may be named, :class:`BadArguments` for both arguments at once.
    """
    declared = list(Project.objects.order_by("-is_default", "name"))
    reachable = {p.name: p for p in declared if caller.may_reach(p.name)}
    wanted = _wanted(project, projects)
    if wanted is None:
        wanted = [p.name for p in reachable.values() if p.is_default] or list(reachable)
    if not declared:
        raise UnknownProject("no project is declared here", fix="run `revetly init PATH` on a git working tree")
    if strange := [name for name in wanted if name not in reachable]:
        raise UnknownProject(
            f"{', '.join(map(repr, strange))}: no such project here",
            fix=f"name one of: {', '.join(sorted(reachable))}" if reachable else "ask for a grant to a project",
        )
    named = tuple(reachable[name] for name in wanted)
    several = len(declared) > 1
    return Reach(named, _imports(named, reachable) if several else (), several)


def _wanted(project: str | None, projects: Sequence[str] | None) -> list[str] | None:
    if project is not None and projects is not None:
        raise BadArguments("project and projects are both given", fix="give one of them")
    if projects is not None:
        if not projects:
            raise BadArguments("projects is empty", fix="name a project, or leave the argument out")
        return list(dict.fromkeys(projects))
    return None if project is None else [project]


def _imports(named: Sequence[Project], reachable: dict[str, Project]) -> tuple[Project, ...]:
    """What the named ones import, in name order. One step: what an import imports is its own affair."""
    ids = set(Project.objects.filter(imported_by__in=named).values_list("pk", flat=True)) - {p.pk for p in named}
    return tuple(p for _, p in sorted(reachable.items()) if p.pk in ids)
