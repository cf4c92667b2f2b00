"""Reading the process environment: every variable by a typed reader that names the variable when its value is wrong."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


class BadEnvironment(Exception):
    """A variable holds what it cannot hold. The message names it and the fix, and never repeats a secret's value."""


class Environment:
    """Readers over one mapping, so that a test can bring its own. A variable that is set to nothing counts as unset."""

    def __init__(self, source: Mapping[str, str] | None = None) -> None:
        self.source = os.environ if source is None else source
        # Every variable that was asked for, so that docs/settings.md can be held to the code.
        self.asked: set[str] = set()

    def _raw(self, name: str) -> str | None:
        self.asked.add(name)
        return self.source.get(name, "").strip() or None

    def text(self, name: str, default: str) -> str:
        return self._raw(name) or default

    def optional(self, name: str) -> str | None:
        return self._raw(name)

    def flag(self, name: str, default: bool) -> bool:
        raw = self._raw(name)
        if raw is None:
            return default
        if raw.lower() in ("1", "true", "yes", "on"):
            return True
        if raw.lower() in ("0", "false", "no", "off"):
            return False
        raise BadEnvironment(f"{name}={raw!r} is neither true nor false; write 1 or 0")

    def whole(self, name: str, default: int, *, low: int, high: int) -> int:
        raw = self._raw(name)
        if raw is None:
            return default
        try:
            value = int(raw)
        except ValueError:
            raise BadEnvironment(f"{name}={raw!r} is no whole number") from None
        if not low <= value <= high:
            raise BadEnvironment(f"{name}={value} is outside {low} to {high}")
        return value

    def choice(self, name: str, default: str, options: tuple[str, ...]) -> str:
        value = self._raw(name) or default
        if value not in options:
            raise BadEnvironment(f"{name}={value!r} is none of {', '.join(options)}")
        return value

    def listed(self, name: str, default: list[str]) -> list[str]:
        raw = self._raw(name)
        return default if raw is None else [part.strip() for part in raw.split(",") if part.strip()]

    def path(self, name: str, default: Path) -> Path:
        raw = self._raw(name)
        return default if raw is None else Path(raw).expanduser().absolute()

    def secret(self, name: str) -> str | None:
        """The value of ``name``, or of the file that ``name_FILE`` names; both at once are refused."""
        value, file = self._raw(name), self._raw(f"{name}_FILE")
        if value and file:
            raise BadEnvironment(f"{name} and {name}_FILE are both set; keep one")
        if file is None:
            return value
        try:
            return Path(file).read_text("utf-8").strip() or None
        except (OSError, UnicodeDecodeError) as error:
            raise BadEnvironment(f"{name}_FILE={file!r} cannot be read: {type(error).__name__}") from None
