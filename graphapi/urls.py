from django.urls import path

from graphapi import views
from graphapi.pages import artifact, scope, search

urlpatterns = [
    path("", views.start, name="start"),
    path("context/", search.search, name="context"),
    path("context/<slug:project>/", search.project_home, name="project"),
    path("context/<slug:project>/backlog", scope.backlog, name="backlog"),
    path("context/<slug:project>/drift", scope.drift, name="drift"),
    path("context/<slug:project>/deltas", scope.deltas, name="deltas"),
    path("context/<slug:project>/binding", scope.binding, name="binding"),
    path("context/<slug:project>/open", artifact.open_artifact, name="open-artifact"),
    path("context/<slug:project>/a/<path:artifact_id>", artifact.artifact, name="artifact"),
    path("context/<slug:project>/graph/<path:artifact_id>", artifact.neighbourhood, name="neighbourhood"),
    path("pulse", views.pulse, name="pulse"),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
]
