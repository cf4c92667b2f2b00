"""Where the benchmarks find Neo4j: the services lane's own, from ``services/run/env`` or the environment."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

ENV = Path(__file__).resolve().parent.parent / "services/run/env"


def load() -> bool:
    """Take over the lane's variables where it is up. Whether Neo4j is there."""
    if ENV.exists():
        for name, value in re.findall(r"export (\w+)='([^']*)'", ENV.read_text()):
            os.environ.setdefault(name, value)
    return "REVETLY_TEST_NEO4J_URL" in os.environ


def neo4j_driver() -> Any:
    import neo4j

    password = Path(os.environ["REVETLY_TEST_NEO4J_PASSWORD_FILE"]).read_text().strip()
    auth = (os.environ.get("REVETLY_TEST_NEO4J_USER", "neo4j"), password)
    return neo4j.GraphDatabase.driver(os.environ["REVETLY_TEST_NEO4J_URL"], auth=auth, notifications_min_severity="OFF")


def warm_up_neo4j() -> None:
    """A few hundred writes, so that the first measured one does not pay for the server's own start."""
    driver = neo4j_driver()
    for _ in range(20):
        driver.execute_query("UNWIND range(1, 500) AS n CREATE (:WarmUp {n: n, text: 'words ' + n})")
    driver.execute_query("MATCH (n:WarmUp) DETACH DELETE n")
    driver.close()
