"""`revetly check`: read every file a project declares, write nothing, and name what a person should mend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from graphapi.connectors.base import ConnectorError, Known, SourceMemory
from graphapi.connectors.working_tree import WorkingTree
from graphapi.domain.artifact import Finding, SourceArtifact
from graphapi.domain.criteria import read_criteria
from graphapi.domain.links import DELIVERS, REVISES
from graphapi.domain.project_config import ProjectConfig, read_config
from graphapi.domain.refusals import NotAWorkingTree
from graphapi.ingest.linker import Linker, Named, Stated, Titles
from graphapi.ingest.places import placed
from graphapi.ingest.reading import commit_connectors, file_connectors, memory_of
from graphapi.ingest.rows import all_references
from graphapi.models import TREE, Project


@dataclass(frozen=True, slots=True)
class Checkup:
    """``findings`` by path and line; ``doubled`` are the paths of work items that carry their criteria twice."""

    findings: tuple[Finding, ...]
    doubled: tuple[str, ...]
    read: int


@dataclass(slots=True)
class _Seen:
    named: dict[str, Named]
    stated: list[Stated]
    criteria: dict[str, int]
    verdicts: dict[str, list[int]]
    paths: dict[str, str | None]
    findings: list[Finding]


def project_check(project: Project) -> Checkup:
    """Read the project's files afresh and report. Raises ``SettingRefused`` and :class:`NotAWorkingTree`."""
    config = read_config(project.root_path)
    seen = _Seen({}, [], {}, {}, {}, [])
    try:
        tree = WorkingTree(project.root_path, config, {}, since=None, max_bytes=settings.MAX_FILE_MIB * 1024 * 1024)
    except ConnectorError as error:
        raise NotAWorkingTree(str(error), fix=error.fix or "mend the project's root") from error
    _read(project, config, tree, seen)
    held = project.ledger.filter(deleted_at=None).values_list("artifact_id", "kind", "title")
    known = {i: Named(kind, title, True) for i, kind, title in held.iterator()} | seen.named
    titles = Titles(known, config.extraction.aliases)
    linker = Linker.over(project.namespace, known, titles, config.backlog.families if config.backlog else ())
    for stated in seen.stated:
        linker.links_of(stated)
    crossing = [*linker.findings, *linker.closing_findings(), *_unresolved(linker), *_beyond(seen)]
    findings = placed([*seen.findings, *crossing], project.root_path, seen.paths)
    doubled = tuple(f.path for f in findings if f.code == "criteria-twice" and f.path)
    findings.sort(key=lambda f: (f.path or "", f.line or 0, f.code, f.message))
    return Checkup(tuple(findings), doubled, len(seen.named))


def _read(project: Project, config: ProjectConfig, tree: WorkingTree, seen: _Seen) -> None:
    first: dict[str, str | None] = {}
    for connector in [*file_connectors(tree, config), *commit_connectors(project, config)]:
        try:
            reading = connector.read({}, SourceMemory())
            for item in reading.items:
                if isinstance(item, SourceArtifact):
                    _note(item, first, seen)
            seen.findings += reading.findings
        except ConnectorError as error:
            seen.findings.append(Finding("source-failed", "error", str(error), connector.source, fix=error.fix))


def _note(item: SourceArtifact, first: dict[str, str | None], seen: _Seen) -> None:
    if item.artifact_id in first:
        text = f"{item.artifact_id} is also the id of {first[item.artifact_id]}, which is the one served"
        seen.findings.append(Finding("duplicate-id", "warning", text, item.source_path, artifact_id=item.artifact_id))
        return
    first[item.artifact_id] = item.source_path
    seen.findings += item.findings
    seen.named[item.artifact_id] = Named(item.kind, item.title, True)
    seen.stated.append(Stated(item.artifact_id, "", None, all_references(item), ()))
    if item.source_path:
        seen.paths[item.artifact_id] = item.source_path
    if item.kind == "pbi" and not item.withheld:
        seen.criteria[item.artifact_id] = len(read_criteria(item.body).items)
    if item.kind == "delivery-record":
        ruled = [row.get("criterion") for row in item.metadata.get("verdicts", ())]
        seen.verdicts[item.artifact_id] = [position for position in ruled if isinstance(position, int)]


def _unresolved(linker: Linker) -> Iterator[Finding]:
    """What a declared link points at and is not there. An id that only stands in prose is counted, not reported."""
    for u in linker.unresolved:
        if u.relation == REVISES:
            text = f"revises {u.target}, which no source here lists"
            yield Finding("revises-unknown", "warning", text, artifact_id=u.artifact_id)
        elif u.reason == "unknown-commit":
            text = f"implemented_by names {u.target}, which is no commit that was read"
            yield Finding("unknown-commit", "note", text, artifact_id=u.artifact_id)
        elif u.reason == "unknown" and u.relation != "references":
            text = f"{u.relation} names {u.target}, which no source here lists"
            yield Finding("unresolved", "note", text, artifact_id=u.artifact_id)


def _beyond(seen: _Seen) -> Iterator[Finding]:
    """Positions of criteria that the item they speak of does not have."""
    for stated in seen.stated:
        for relation, _, target, *rest in stated.references:
            held = seen.criteria.get(target)
            if held is None:
                continue
            code, verb, positions = "revises-beyond", "revises", rest[0].get("criteria", ()) if rest else ()
            if relation == DELIVERS:
                code, verb, positions = "verdict-beyond", "rules on", seen.verdicts.get(stated.artifact_id, ())
            for position in positions if relation in (REVISES, DELIVERS) else ():
                if position > held:
                    text = f"{verb} criterion {position} of {target}, which has {held}"
                    yield Finding(code, "warning", text, artifact_id=stated.artifact_id)


def pass_preview(project: Project) -> dict[str, Any]:
    """What a pass would read, per source, and that it asks no provider. Reads listings and changed files; writes
    nothing. Raises ``SettingRefused`` and :class:`NotAWorkingTree`."""
    config = read_config(project.root_path)
    rows = project.ledger.filter(deleted_at=None).values_list("artifact_id", "path", "version")
    known = {path or i: Known(i, version) for i, path, version in rows.iterator()}
    remembered = memory_of(project, TREE).cursor
    limit = settings.MAX_FILE_MIB * 1024 * 1024
    sources: list[dict[str, Any]] = []
    try:
        since = None if remembered.get("ahead") else remembered.get("head")
        tree = WorkingTree(project.root_path, config, known, since=since, max_bytes=limit)
        for connector in [*file_connectors(tree, config), *commit_connectors(project, config)]:
            reading = connector.read(known, memory_of(project, connector.source))
            listed = changed = 0
            for item in reading.items:
                listed += 1
                changed += isinstance(item, SourceArtifact)
            sources.append({"source": connector.source, "listed": listed, "changed": changed})
    except ConnectorError as error:
        raise NotAWorkingTree(str(error), fix=error.fix or "mend the source") from error
    return {
        "project": project.name,
        "sources": sources,
        "changed": sum(row["changed"] for row in sources),
        "provider_calls": 0,
    }
