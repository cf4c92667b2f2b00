"""How the OpenAPI schema describes a read: its arguments, its payload, and the refusals under each status."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, cast

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from graphapi.api.shapes import shape_of
from graphapi.domain.refusals import BadArguments, Refusal, SettingRefused, SignInRequired, StoreDown, UnknownProject
from graphapi.reads.catalogue import Argument, Read

# What any read may refuse with; a read of the catalogue names its own beside these.
COMMON: tuple[type[Refusal], ...] = (BadArguments, SettingRefused, SignInRequired, UnknownProject, StoreDown)


class RefusalBody(serializers.Serializer[Any]):
    """Why there is no answer. Further keys name what the refusal is about."""

    code = serializers.CharField(help_text="Stable; docs/errors.md lists them.")
    detail = serializers.CharField(help_text="What was refused.")
    fix = serializers.CharField(help_text="What to call in its place.")


class Refused(serializers.Serializer[Any]):
    """The one shape of every refusal."""

    refusal = RefusalBody()


class ReadSchema(AutoSchema):
    """Of a view that has a ``read``."""

    @property
    def read(self) -> Read:
        view: Any = self.view
        return cast(Read, view.read)

    def get_operation_id(self) -> str:
        return self.read.name

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular calls it
        return self.read.says

    def get_tags(self) -> list[str]:
        return ["reads"]

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Nothing on loopback, the session's cookie elsewhere."""
        return [{}, {"session": []}]

    def get_request_serializer(self) -> None:
        return None

    def get_override_parameters(self) -> list[Any]:
        return [_parameter(a, in_address=f"{{{a.name}}}" in self.path) for a in self.read.arguments]

    def get_response_serializers(self) -> Any:
        answers = [shape_of(answer) for answer in self.read.answers]
        body = answers[0] if len(answers) == 1 else {"anyOf": answers}
        out: dict[int, OpenApiResponse] = {200: OpenApiResponse(body, description="The answer.")}
        for status, codes in refusal_codes(self.read).items():
            out[status] = OpenApiResponse(Refused, description=f"Refused: {', '.join(codes)}.")
        return out


def refusal_codes(read: Read) -> dict[int, list[str]]:
    """The codes ``read`` may refuse with, by HTTP status."""
    out: dict[int, list[str]] = defaultdict(list)
    for kind in (*COMMON, *read.refusals):
        if kind.code not in out[kind.http_status]:
            out[kind.http_status].append(kind.code)
    return dict(sorted(out.items()))


def _parameter(argument: Argument, *, in_address: bool) -> OpenApiParameter:
    return OpenApiParameter(
        argument.name,
        type=_type(argument),
        location=OpenApiParameter.PATH if in_address else OpenApiParameter.QUERY,
        required=argument.required,
        description=argument.says,
        default=argument.default,
        style="form" if argument.form == "list" else None,
        explode=True if argument.form == "list" else None,
    )


def _type(argument: Argument) -> dict[str, Any]:
    text: dict[str, Any] = {"type": "string"} | ({"enum": list(argument.choices)} if argument.choices else {})
    if argument.form == "list":
        return {"type": "array", "items": text}
    if argument.form == "depth":
        return {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "string", "enum": ["declared"]}]}
    if argument.form == "whole":
        return {"type": "integer", "minimum": argument.low, "maximum": argument.high}
    return text | ({"minLength": 1} if argument.required and not argument.choices else {})
