"""The reads over HTTP. A view parses, calls the read that every other door calls, and hands on its payload."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import Http404
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from graphapi.access.reach import caller_of
from graphapi.api.parameters import arguments_of
from graphapi.api.policy import MayRead, Session
from graphapi.api.schema import ReadSchema
from graphapi.reads.catalogue import Read
from graphapi.reads.reader import instance_reader


class JsonAlways(BaseContentNegotiation):
    """There is one representation, so no client is turned away for what it says it accepts."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))


class JsonView(APIView):
    """JSON alone, read alone, for whoever may read."""

    http_method_names = ["get", "head"]
    authentication_classes = (Session,)
    permission_classes = (MayRead,)
    renderer_classes = (JSONRenderer,)
    parser_classes = ()
    content_negotiation_class = JsonAlways


class ReadView(JsonView):
    """One read of the catalogue, given to ``as_view``."""

    read: Read | None = None
    schema = ReadSchema()

    def get(self, request: Request, **address: str) -> Response:
        assert self.read is not None
        arguments = arguments_of(self.read, request.query_params, address)
        return Response(self.read(instance_reader(caller_of(request.user)), **arguments))


class NoRoute(JsonView):
    """Whatever else is asked under /api/."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise Http404
