from django.apps import AppConfig


class GraphConfig(AppConfig):
    name = "graphapi"
    verbose_name = "Context"

    def ready(self) -> None:
        # Registering is the import's whole effect: checks name settings that do not add up, and a removed project takes
        # its graph with it.
        from graphapi import checks  # noqa: F401
        from graphapi.ingest import removal  # noqa: F401
