"""How a test looks at what a pass named."""

from __future__ import annotations

from graphapi.models import IngestPass


def places(row: IngestPass) -> set[tuple[str, str | None, int | None]]:
    """(code, file, line) of each finding."""
    return {(f["code"], f.get("path"), f.get("line")) for f in row.findings}


def named(row: IngestPass) -> set[tuple[str, str | None]]:
    """(code, file) of each finding."""
    return {(code, path) for code, path, _ in places(row)}
