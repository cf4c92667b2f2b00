from django.apps import AppConfig


class GraphConfig(AppConfig):
    name = "graphapi"
    verbose_name = "Context"

    def ready(self) -> None:
        # Registering is the import's whole effect: the checks name settings that do not add up.
        from graphapi import checks  # noqa: F401
