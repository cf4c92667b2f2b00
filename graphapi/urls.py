from django.urls import path

from graphapi import views

urlpatterns = [
    path("", views.start, name="start"),
    path("context/<slug:project>/open", views.open_artifact, name="open-artifact"),
    path("context/<slug:project>/a/<path:artifact_id>", views.artifact, name="artifact"),
    path("pulse", views.pulse, name="pulse"),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
]
