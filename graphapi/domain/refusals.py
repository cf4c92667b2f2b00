"""Refusals: what the engine will not do, why, and what to do instead. Every code is listed in docs/errors.md."""

from __future__ import annotations

from typing import Any, ClassVar


class Refusal(Exception):
    """The base of every refusal: a stable ``code``, a ``detail`` for people, a ``fix``, and the HTTP status of it."""

    code: ClassVar[str] = "refused"
    http_status: ClassVar[int] = 400

    def __init__(self, detail: str, *, fix: str, **extra: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.fix = fix
        self.extra = extra

    def as_payload(self) -> dict[str, Any]:
        """The one refusal shape of every surface: ``{"refusal": {"code", "detail", "fix", …}}`` (004 section 5)."""
        return {"refusal": {"code": self.code, "detail": self.detail, "fix": self.fix, **self.extra}}


class SettingRefused(Refusal):
    """A declaration the engine will not run on. ``setting`` names it: a key of revetly.toml or a REVETLY_ variable."""

    code = "refused"

    def __init__(self, detail: str, *, fix: str, setting: str | None = None, **extra: Any) -> None:
        if setting is not None:
            extra["setting"] = setting
        super().__init__(detail, fix=fix, **extra)
        self.setting = setting


class UnknownProject(Refusal):
    code = "unknown-project"
    http_status = 404


class UnknownArtifact(Refusal):
    code = "unknown-artifact"
    http_status = 404


class UnknownSource(Refusal):
    code = "unknown-source"
    http_status = 404


class BadArguments(Refusal):
    code = "bad-arguments"


class SignInRequired(Refusal):
    """Beyond loopback, nobody reads without saying who they are."""

    code = "sign-in-required"
    http_status = 401


class UnknownRoute(Refusal):
    """An address under /api/ that answers nothing."""

    code = "unknown-route"
    http_status = 404


class MethodRefused(Refusal):
    """The address is there, and it is read, never written."""

    code = "method-refused"
    http_status = 405


class CursorGone(Refusal):
    """The row or entry that a cursor stands on is no longer there; a listing does not begin again by itself."""

    code = "cursor-gone"
    http_status = 410


class NotAWorkingTree(Refusal):
    code = "not-a-working-tree"


class PassRunning(Refusal):
    """Another pass on this project holds its lock."""

    code = "pass-running"
    http_status = 409


class PassFailed(Refusal):
    """The pass ended as failed; what it had read before stands."""

    code = "pass-failed"
    http_status = 500


class StoreDown(Refusal):
    """The graph store does not answer."""

    code = "store-unavailable"
    http_status = 503


class DirtyTarget(Refusal):
    """The file to be written holds changes that nobody committed."""

    code = "dirty-target"
    http_status = 409


class LockHeld(Refusal):
    code = "lock-held"
    http_status = 409
