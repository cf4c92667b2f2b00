"""The documents are held to the code: what one says and the other lacks fails here."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from graphapi.domain import refusals
from graphapi.domain.config_sections import Connectors, ProjectConfig
from revetly_site import settings as _settings

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("graphapi", "revetly_site", "reviews", "evals")


def documented(page: str, section: str, pattern: str) -> set[str]:
    """The code-formatted names in the first column of the tables of one section."""
    text = (ROOT / "docs" / page).read_text("utf-8").split(f"\n## {section}", 1)[1].split("\n## ", 1)[0]
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell) if re.fullmatch(pattern, name)}


def test_every_variable_that_settings_read_is_documented_and_no_other() -> None:
    assert documented("settings.md", "The instance", r"REVETLY_\w+") == _settings.env.asked


def keys(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        inner = next((a for a in (field.annotation, *getattr(field.annotation, "__args__", ())) if _is_table(a)), None)
        if inner is not None:
            yield from keys(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def _is_table(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def test_every_key_of_a_projects_file_is_documented_and_no_other() -> None:
    found = set(keys(ProjectConfig))
    assert "connectors.commits.since" in found and len(Connectors.model_fields) == 7
    assert documented("settings.md", "A project", r"[a-z_.]+") == found


def subclasses(kind: type) -> Iterator[type]:
    for child in kind.__subclasses__():
        yield child
        yield from subclasses(child)


@pytest.mark.requirement("refusals.stable-code")
def test_every_refusal_code_is_documented_and_no_other() -> None:
    found = {kind.code for kind in (refusals.Refusal, *subclasses(refusals.Refusal))}
    assert documented("errors.md", "Refusals", r"[a-z-]+") == found


def literals(*names: str) -> set[str]:
    """First arguments, where they are texts, of calls by these names in the product's code."""
    out = set()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and node.args:
                    called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                    first = node.args[0]
                    if called in names and isinstance(first, ast.Constant) and isinstance(first.value, str):
                        out.add(first.value)
    return out


def test_every_finding_code_is_documented_and_no_other() -> None:
    known = documented("errors.md", "Findings", r"[a-z0-9-]+")
    found = literals("Finding", "note", "BlockError")
    assert len(found) > 30
    assert found - known == set(), "a code the page lacks"
    assert known - texts() == set(), "a code the product does not know"


def texts() -> set[str]:
    """Every text that stands in the product's code."""
    trees = (ast.parse(p.read_text("utf-8")) for package in PACKAGES for p in (ROOT / package).rglob("*.py"))
    return {
        n.value for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }


def test_every_system_check_is_documented_and_no_other() -> None:
    source = (ROOT / "graphapi/checks.py").read_text("utf-8")
    found = {f"revetly.{n}" for n in re.findall(r'_error\(\s*"(E\d+)"', source)} | set(
        re.findall(r"revetly\.W\d+", source)
    )
    assert documented("errors.md", "System checks", r"revetly\.[EW]\d+") == found


def test_the_page_of_held_requirements_is_current(tmp_path) -> None:
    written = tmp_path / "requirements.md"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", "--write-requirements", str(written), "tests"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert (ROOT / "docs/requirements.md").read_text("utf-8") == written.read_text("utf-8"), "run make requirements"


def test_the_readme_names_every_command() -> None:
    from revetly_site.cli import tree

    named = set(re.findall(r"`([a-z-]+)(?= |`)", (ROOT / "README.md").read_text("utf-8")))
    assert set(tree().commands) <= named


def test_the_readme_names_no_command_that_is_not_there() -> None:
    from revetly_site.cli import tree

    text = (ROOT / "README.md").read_text("utf-8")
    named = set(re.findall(r"\.venv/bin/revetly ([a-z-]+)", text))
    assert named and named <= set(tree().commands)


def test_the_compose_file_and_the_image_set_only_variables_that_exist() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8") + (ROOT / "Dockerfile").read_text("utf-8")
    named = set(re.findall(r"REVETLY_[A-Z0-9_]+", text))
    assert named and named <= _settings.env.asked
