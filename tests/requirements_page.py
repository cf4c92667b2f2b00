"""docs/requirements.md, written from the markers: which behaviour of the catalogue is held by which test."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

HEAD = """# Requirements held

Written from the tests' markers by `make requirements`; a test keeps it current. Each line is a behaviour's id and the
tests that fail when it is broken.
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-requirements", metavar="FILE", help="Write the page of held requirements, and run nothing."
    )
    parser.addoption(
        "--write-answers", action="store_true", help="Write the answers into the documents, as they are now."
    )


def page(items: list[pytest.Item]) -> str:
    """The page for these collected tests."""
    held: dict[str, set[str]] = defaultdict(set)
    for item in items:
        for mark in item.iter_markers("requirement"):
            for requirement in mark.args:
                held[requirement].add(sentence(item))
    lines = [f"| `{requirement}` | {'; '.join(sorted(tests))} |" for requirement, tests in sorted(held.items())]
    return "\n".join([HEAD, "| requirement | what its tests say |", "|---|---|", *lines]) + "\n"


def sentence(item: pytest.Item) -> str:
    """The test's name as the sentence it is."""
    name = getattr(item, "originalname", None) or item.name
    return name.removeprefix("test_").replace("_", " ")


def pytest_collection_finish(session: pytest.Session) -> None:
    target = session.config.getoption("--write-requirements")
    if target:
        Path(target).write_text(page(session.items), encoding="utf-8")
