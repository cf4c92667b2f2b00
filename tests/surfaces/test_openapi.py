"""Calls made from the OpenAPI schema, well-formed and malformed: what is documented is what answers."""

from __future__ import annotations

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

# That two arguments exclude each other, and which names a project has, no schema can say.
EXCLUDED = [positive_data_acceptance]


@pytest.fixture
def schema(seen):
    """The schema as the application serves it, called in this process and within this test's transaction."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/schema", get_wsgi_application())
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=lambda mode: mode.value)
def test_every_call_the_schema_allows_or_forbids_is_answered_as_it_says(schema, mode) -> None:
    seen = set()

    for operation in [result.ok() for result in schema.get_all_operations()]:

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=12, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        def call(case) -> None:
            seen.add((case.operation.label, case.call_and_validate(excluded_checks=EXCLUDED).status_code))

        call()
    assert len({label for label, _ in seen}) == 6
    assert {status for _, status in seen} & ({200} if mode is GenerationMode.POSITIVE else {400})
