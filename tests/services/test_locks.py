"""The lock of a project on PostgreSQL."""

from __future__ import annotations

import pytest
from django.db import connection

from graphapi.domain.refusals import PassRunning
from graphapi.models import Project
from graphapi.store.locks import is_locked, project_lock

pytestmark = pytest.mark.services


def test_the_lock_is_postgres_own_and_is_free_the_moment_it_is_let_go(db, home) -> None:
    assert connection.vendor == "postgresql", "the services lane runs on PostgreSQL"
    one = Project.objects.create(name="one", namespace="one", root="/srv/one")
    other = Project.objects.create(name="other", namespace="other", root="/srv/other")
    for _ in range(50):
        with project_lock(one):
            with pytest.raises(PassRunning), project_lock(one):
                pass
            assert is_locked(one) and not is_locked(other)
        assert not is_locked(one)
    assert not (home / "locks").exists()
