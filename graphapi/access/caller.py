"""Who asks, and which projects an answer to them may draw on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """``reaches`` names the projects a grant gives; None narrows nothing (004 section 1, grants)."""

    subject: str | None = None
    reaches: frozenset[str] | None = None

    def may_reach(self, project_name: str) -> bool:
        return self.reaches is None or project_name in self.reaches


# Whoever asks where nobody is told apart: on loopback, over a pipe, from the command line.
ANYBODY = Caller()
