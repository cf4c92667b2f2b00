"""Loaded before Django's settings: the suite reads nothing of the machine's own instance.

In the services lane (``REVETLY_TEST_SERVICES=1``) the database is PostgreSQL, and what the lane's file names
is real.
"""

from __future__ import annotations

import os
import tempfile

for _name in [n for n in os.environ if n.startswith("REVETLY_") and not n.startswith("REVETLY_TEST_")]:
    del os.environ[_name]
os.environ["REVETLY_HOME"] = tempfile.mkdtemp(prefix="revetly-test-")
os.environ["REVETLY_SECRET_KEY"] = "only-for-tests-and-long-enough-to-be-a-key-0123456789"
# A person's own git configuration (signing, hooks, line endings) is no part of a test.
os.environ["GIT_CONFIG_GLOBAL"] = os.environ["GIT_CONFIG_SYSTEM"] = os.devnull
if os.environ.get("REVETLY_TEST_SERVICES") == "1":
    os.environ["REVETLY_DATABASE_URL"] = os.environ["REVETLY_TEST_DATABASE_URL"]
