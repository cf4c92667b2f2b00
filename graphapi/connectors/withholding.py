"""Which files are withheld: the declared patterns, none of which may silently match nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

import pathspec

from graphapi.domain.project_config import FILE_NAME
from graphapi.domain.refusals import SettingRefused


class Withholding:
    """The declared patterns, as gitignore reads them. Raises :class:`SettingRefused` for one that can match nothing:
    what it was meant to keep back would be sent."""

    def __init__(self, patterns: Sequence[str], root: Path) -> None:
        for pattern in patterns:
            if problem := _problem(pattern):
                raise SettingRefused(
                    f"{root / FILE_NAME}: extraction.withhold: {pattern!r} {problem}",
                    fix='write it as in .gitignore, from the root: "conversations/private/**"',
                    setting="extraction.withhold",
                )
        self._patterns = list(patterns)
        self._spec = pathspec.GitIgnoreSpec.from_lines([_composed(p) for p in patterns])

    def idle(self, paths: Iterable[str]) -> list[str]:
        """The declared patterns that hold none of these paths; one that takes files back out (``!``) is no promise."""
        waiting = {p: pathspec.GitIgnoreSpec.from_lines([_composed(p)]) for p in self._patterns if p[:1] != "!"}
        for path in paths:
            if not waiting:
                break
            spelt = _composed(path)
            waiting = {pattern: spec for pattern, spec in waiting.items() if not spec.match_file(spelt)}
        return list(waiting)

    def holds(self, path: str) -> bool:
        # One name may be spelt with composed or with single accents; either spelling of a pattern keeps it back.
        return self._spec.match_file(_composed(path))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _problem(pattern: str) -> str | None:
    if pattern.startswith(("./", "../")):
        return "begins with a dot, so it matches nothing"
    try:
        compiled = pathspec.GitIgnoreSpec.from_lines([pattern]).patterns
    except (ValueError, re.error):
        return "is no pattern"
    if not compiled or compiled[0].include is None:
        return "matches nothing"
    return None
