from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("graphapi.urls")),
    path("api/", include("graphapi.api.urls")),
    path("admin/", admin.site.urls),
]
