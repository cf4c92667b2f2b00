from django.urls import URLPattern, path, re_path

from graphapi.api.docs import SchemaView, docs
from graphapi.api.views import NoRoute, ReadView
from graphapi.reads.catalogue import ARTIFACT, AUTHORING, BACKLOG, HEALTH, SCOPE, SEARCH

ROUTES = {
    "search": SEARCH,
    "artifacts/<path:artifact_id>": ARTIFACT,
    "backlog": BACKLOG,
    "scope": SCOPE,
    "authoring": AUTHORING,
    "health": HEALTH,
}

urlpatterns: list[URLPattern] = [
    *(path(f"v1/{route}", ReadView.as_view(read=read), name=f"api-{read.name}") for route, read in ROUTES.items()),
    path("schema", SchemaView.as_view(), name="api-schema"),
    path("docs", docs, name="api-docs"),
    # Anything at all, line breaks in an address included.
    re_path("", NoRoute.as_view(), name="api-nothing"),
]
