#!/usr/bin/env bash
# The suite against real services: stores on SQLite and Neo4j, Django on PostgreSQL, tasks on Redis, pages in Chromium.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck disable=SC1091
source services/run/env
export REVETLY_TEST_SERVICES=1
exec python -m pytest -n "${WORKERS:-2}" "$@"
