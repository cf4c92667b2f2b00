"""The OpenAPI schema, and a page for people that is drawn from it: no script, no other origin."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import quote, urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from graphapi.access.reach import reader_required
from graphapi.api.views import JsonView
from graphapi.reads.catalogue import READS, Read

# Neither says what its methods take.
_yaml: Any = OpenApiYamlRenderer()


class SchemaView(JsonView):
    """JSON, or YAML with ``?format=yaml``."""

    schema = None

    def get(self, request: Request) -> HttpResponseBase:
        schema = described()
        if request.query_params.get("format") != "yaml":
            return Response(schema)
        return HttpResponse(_yaml.render(schema), content_type="application/yaml; charset=utf-8")


def described() -> dict[str, Any]:
    """The OpenAPI schema of every address."""
    schema: dict[str, Any] = cast(Any, SchemaGenerator)().get_schema(request=None, public=True)
    return schema


@reader_required
def docs(request: HttpRequest) -> HttpResponse:
    return render(request, "graphapi/api_docs.html", {"operations": operations(), "section": "api"})


def operations() -> list[dict[str, Any]]:
    """Each operation of the schema as the page shows it: address, parameters, keys of the answer, refusals, example."""
    by_name = {read.name: read for read in READS}
    return [
        {
            "name": operation["operationId"],
            "path": path,
            "says": operation["description"],
            "parameters": [_parameter(p) for p in operation["parameters"]],
            "answers": _answers(operation["responses"]["200"]["content"]["application/json"]["schema"]),
            "refusals": [
                {"status": status, "says": answer["description"]}
                for status, answer in operation["responses"].items()
                if status != "200"
            ],
            "example": example_address(path, by_name[operation["operationId"]]),
        }
        for path, methods in described()["paths"].items()
        for operation in methods.values()
    ]


def example_address(path: str, read: Read) -> str:
    """A call of ``read`` that can be tried as it stands."""
    rest = dict(read.example)
    for name in [n for n in rest if f"{{{n}}}" in path]:
        path = path.replace(f"{{{name}}}", quote(str(rest.pop(name))))
    return path + (f"?{urlencode(rest)}" if rest else "")


def _parameter(parameter: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": parameter["name"],
        "where": "address" if parameter["in"] == "path" else "query",
        "needed": parameter.get("required", False),
        "takes": _takes(parameter["schema"]),
        "says": parameter.get("description", ""),
    }


def _takes(schema: dict[str, Any]) -> str:
    """What a parameter takes, in words."""
    if "oneOf" in schema:
        return " or ".join(map(_takes, schema["oneOf"]))
    if schema["type"] == "array":
        return f"{_takes(schema['items'])}, repeated for several"
    if "enum" in schema:
        return " or ".join(schema["enum"])
    if schema["type"] == "integer":
        ends = (
            f"{schema.get('minimum', '')}–{schema['maximum']}" if "maximum" in schema else f"from {schema['minimum']}"
        )
        default = f", {schema['default']} unless given" if "default" in schema else ""
        return f"number {ends}{default}"
    return "text"


def _answers(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The keys of each form the answer takes, those that are always there apart from those that are not."""
    out = []
    for form in schema.get("anyOf", [schema]):
        needed = form.get("required", [])
        others = [key for key in form.get("properties", {}) if key not in needed]
        out.append(
            {"title": form.get("title", ""), "says": form.get("description", ""), "always": needed, "sometimes": others}
        )
    return out
