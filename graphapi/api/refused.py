"""What cannot be answered, as the one refusal shape under its HTTP status (004 section 5, one refusal shape)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from rest_framework.exceptions import MethodNotAllowed, NotFound
from rest_framework.response import Response

from graphapi.domain.refusals import MethodRefused, Refusal, SignInRequired, UnknownRoute
from graphapi.reads.refused import REFUSED, as_refusal

DOCS = "/api/docs"


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer to ``error``, or None for a bug, which goes on up."""
    if isinstance(error, MethodNotAllowed):
        return _answer(MethodRefused(str(error.detail), fix="use GET", method=context["request"].method))
    if isinstance(error, Http404 | NotFound):
        path = context["request"].path
        return _answer(UnknownRoute(f"{path!r} is no address here", fix=f"{DOCS} lists them"))
    if not isinstance(error, REFUSED):
        return None
    refusal = as_refusal(error)
    if isinstance(refusal, SignInRequired):
        return _answer(refusal, **{"WWW-Authenticate": 'Session realm="revetly"'})
    return _answer(refusal)


def _answer(refusal: Refusal, **headers: str) -> Response:
    return Response(refusal.as_payload(), status=refusal.http_status, headers=headers)
