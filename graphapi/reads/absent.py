"""How the inferred half of an answer says that it is not there, as against being empty (004 section 5, lite)."""

from __future__ import annotations

from typing import Any

from graphapi.models import Project
from graphapi.reads.declared import declared

LITE = "lite"
NOT_READ = "not-read"


def absent(project: Project) -> dict[str, Any]:
    """``lite`` where the project declares no provider; ``not-read`` where it declares one that nothing was read by."""
    return {"absent": True, "reason": LITE if declared(project).is_lite else NOT_READ}
