"""Who may read before any token exists: everybody on loopback, elsewhere whoever is signed in (design: security, 1)."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from graphapi.access.caller import ANYBODY, Caller

P = ParamSpec("P")


def bound_to_loopback() -> bool:
    """Whether the product's own command bound this process to loopback. A process that was not told its address (a
    bare ASGI server) is taken to be reachable from anywhere."""
    bound: str | None = settings.BOUND
    if not bound:
        return False
    host = bound.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def may_read(user: Any) -> bool:
    return bound_to_loopback() or bool(getattr(user, "is_authenticated", False))


def caller_of(user: Any) -> Caller:
    """Whoever is signed in, by name. Grants narrow a caller once tokens carry them; until then none is narrowed."""
    return Caller(subject=user.get_username()) if user.is_authenticated else ANYBODY


def reader_required(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """A page for whoever may read; anybody else is sent to sign in."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if may_read(request.user):
            return view(request, *args, **kwargs)
        return redirect_to_login(request.get_full_path())

    return guarded
