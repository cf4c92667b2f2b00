"""`python manage.py revetly …`: Django's door to the same command tree."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from revetly_site.cli import main


class Command(BaseCommand):
    help = "Revetly's own commands; the same as the `revetly` program."
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        main(argv[2:], program="revetly")

    def handle(self, *args: Any, **options: Any) -> None:
        main(list(args))
