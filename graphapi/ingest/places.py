"""The file and line of what only all of a project's files together show: a circle of parents, one title twice."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphapi.connectors.file_bytes import read_bytes
from graphapi.domain.artifact import Finding
from graphapi.domain.frontmatter import Block, BlockError, read_block, split
from graphapi.models import Project

# Looking a line up opens its file, so a pass with very many such findings gives the others their file alone.
MOST_LOOKED_UP = 200
_MAX_BYTES = 1024 * 1024
_LINKS = ("parent", "cited_sources", "edges", "supersedes", "same_as", "related", "revises", "delivers")
_KEYS: dict[str, tuple[str, ...]] = {
    "parent-cycle": ("parent",),
    "duplicate-id": ("id",),
    "id-case": ("id",),
    "title-shared": ("title",),
    "self-link": _LINKS,
    "unresolved": _LINKS,
    "revises-unknown": ("revises",),
    "revises-beyond": ("revises",),
    "verdict-beyond": ("verdicts",),
    "unknown-commit": ("implemented_by",),
}


def placed(findings: Iterable[Finding], root: Path, paths: Mapping[str, str | None]) -> list[Finding]:
    """The findings, each with its artifact's file, and the line of the key it is about where there is one."""
    blocks: dict[str, Block] = {}
    return [_placed(finding, root, paths, blocks) for finding in findings]


def paths_of(project: Project, findings: Iterable[Finding]) -> dict[str, str | None]:
    """Where the ledger has the artifacts of findings that name no file."""
    ids = sorted({f.artifact_id for f in findings if f.path is None and f.artifact_id})
    out: dict[str, str | None] = {}
    for at in range(0, len(ids), 500):
        out |= dict(project.ledger.filter(artifact_id__in=ids[at : at + 500]).values_list("artifact_id", "path"))
    return out


def _placed(finding: Finding, root: Path, paths: Mapping[str, str | None], blocks: dict[str, Block]) -> Finding:
    path = finding.path or paths.get(finding.artifact_id or "")
    if path is None or finding.line is not None or finding.code not in _KEYS:
        return finding if path == finding.path else replace(finding, path=path)
    if path not in blocks and len(blocks) >= MOST_LOOKED_UP:
        return replace(finding, path=path)
    if path not in blocks:
        blocks[path] = _block(root, path)
    return replace(finding, path=path, line=_line(blocks[path], finding))


def _block(root: Path, path: str) -> Block:
    raw = read_bytes(root, os.path.realpath(root), path, _MAX_BYTES)
    if isinstance(raw, Finding):
        return Block()
    try:
        block = split(raw.decode("utf-8", "replace")).block
        return read_block(block) if block is not None else Block()
    except BlockError:
        return Block()


def _line(block: Block, finding: Finding) -> int | None:
    """The line of the first of the code's keys that is there; of several, the one whose value the message names."""
    keys = [key for key in _KEYS[finding.code] if key in block.lines]
    words = {word.strip(",;:.") for word in finding.message.split()}
    named = [k for k in keys if not words.isdisjoint(_texts(block.values[k]))]
    about_self = [k for k in keys if finding.artifact_id in _texts(block.values[k])]
    found = (named or about_self or keys[:1]) if len(keys) > 1 else keys
    return block.lines[found[0]] if found else None


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for inner in values for text in _texts(inner)]
