"""Who may read over HTTP, and as whom: everybody on loopback, elsewhere whoever is signed in (design: security, 1)."""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from graphapi.access.reach import may_read
from graphapi.domain.refusals import SignInRequired

SIGN_IN = "/admin/login/"


class Session(BaseAuthentication):
    """The sign-in of the pages. There is no CSRF check, since nothing that answers here changes anything."""

    def authenticate(self, request: Request) -> tuple[object, None] | None:
        user = request._request.user
        return (user, None) if user.is_authenticated else None


class MayRead(BasePermission):
    """Raises :class:`SignInRequired` itself, so that the one translator of refusals answers."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if may_read(request.user):
            return True
        raise SignInRequired(
            "nobody is signed in, and this server answers beyond loopback", fix=f"sign in at {SIGN_IN}"
        )
