"""docs/http-api.md is held to the schema, and its answer to a real one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evals.corpus import build, write
from graphapi.api.docs import described
from graphapi.ingest.passes import run_pass
from graphapi.models import Project

PAGE = (Path(__file__).resolve().parents[2] / "docs/http-api.md").read_text("utf-8")


def sections() -> dict[str, str]:
    """The text about each address."""
    parts = re.split(r"\n### `GET ([^`]+)`\n", PAGE.split("\n## One answer")[0])
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_page_names_the_addresses_of_the_schema_and_no_other() -> None:
    assert set(sections()) == set(described()["paths"])


@pytest.mark.parametrize("path", sections())
def test_the_page_names_each_parameter_and_each_refusal_of_an_address(path) -> None:
    operation = described()["paths"][path]["get"]
    said = sections()[path]
    assert re.findall(r"^\| `(\w+)`", said, re.M) == [p["name"] for p in operation["parameters"]]
    assert f"`{operation['operationId']}`" in said
    refused = re.findall(r"(\d{3}) ((?:`[a-z-]+`(?:, )?)+)", said)
    assert {status: set(re.findall(r"`([a-z-]+)`", codes)) for status, codes in refused} == {
        status: set(answer["description"].removeprefix("Refused: ").rstrip(".").split(", "))
        for status, answer in operation["responses"].items()
        if status != "200"
    }


@pytest.fixture
def demo(db: None, home: Path, tmp_path: Path, instance_is: Any, settings: Any) -> None:
    settings.BOUND = "127.0.0.1:8000"
    write(build(7, "full"), tmp_path / "harbourmaster")
    project = Project.objects.create(name="harbourmaster", namespace="t-http-api", root=str(tmp_path / "harbourmaster"))
    run_pass(project, instance_is)
    yield
    instance_is.clear("t-http-api")


def test_the_answer_and_the_refusal_on_the_page_are_what_is_answered(demo, client) -> None:
    answer, refusal = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.S))
    given = client.get("/api/v1/artifacts/STORY-004").json()
    given["freshness"]["oldest_read_at"] = answer["freshness"]["oldest_read_at"]
    assert (given, list(given)) == (answer, list(answer))
    assert client.get("/api/v1/artifacts/story-004").json() == refusal
