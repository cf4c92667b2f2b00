"""Settings from the environment: loud where wrong, silent about secrets; combinations as system checks."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.core import checks

from revetly_site.env import BadEnvironment, Environment
from revetly_site.logs import JsonFormatter

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda e: e.flag("A", False), "neither true nor false"),
        (lambda e: e.whole("A", 1, low=1, high=9), "no whole number"),
        (lambda e: e.choice("A", "x", ("x", "y")), "none of x, y"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_naming_the_variable(call, said) -> None:
    with pytest.raises(BadEnvironment) as refused:
        call(Environment({"A": "perhaps"}))
    assert "A='perhaps'" in str(refused.value) and said in str(refused.value)


def test_a_number_outside_its_bounds_is_refused() -> None:
    with pytest.raises(BadEnvironment, match="A=10 is outside 1 to 9"):
        Environment({"A": "10"}).whole("A", 1, low=1, high=9)


@pytest.mark.parametrize("value", ["", "   "])
def test_a_variable_set_to_nothing_counts_as_unset(value) -> None:
    env = Environment({"A": value})
    assert (env.flag("A", True), env.whole("A", 3, low=1, high=9), env.listed("A", ["x"]), env.optional("A")) == (
        True, 3, ["x"], None,
    )  # fmt: skip


def test_lists_and_flags_are_read_as_people_write_them() -> None:
    env = Environment({"A": "one, two ,,three", "B": "Yes", "C": "off"})
    assert env.listed("A", []) == ["one", "two", "three"]
    assert (env.flag("B", False), env.flag("C", True)) == (True, False)


def test_a_secret_comes_from_its_variable_or_its_file_and_not_from_both(tmp_path) -> None:
    file = tmp_path / "secret"
    file.write_text("hush\n")
    assert Environment({"A": "loud"}).secret("A") == "loud"
    assert Environment({"A_FILE": str(file)}).secret("A") == "hush"
    assert Environment({}).secret("A") is None
    with pytest.raises(BadEnvironment, match="both set") as refused:
        Environment({"A": "loud", "A_FILE": str(file)}).secret("A")
    assert "loud" not in str(refused.value) and "hush" not in str(refused.value)
    with pytest.raises(BadEnvironment, match="A_FILE=.*cannot be read"):
        Environment({"A_FILE": str(tmp_path / "none")}).secret("A")


def command(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("REVETLY_")}
    return subprocess.run(
        [sys.executable, "-m", "revetly_site", "status"], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**kept, "REVETLY_HOME": str(tmp_path / "home"), **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"REVETLY_GRAPH": "postgres"}, "revetly: REVETLY_GRAPH='postgres' is none of sqlite, neo4j\n"),
        ({"REVETLY_GRAPH": "neo4j"}, "revetly: revetly.E001: REVETLY_GRAPH=neo4j and no REVETLY_NEO4J_URL; "),
        (
            {"REVETLY_DATABASE_URL": "nonsense://u:hunter2@h/d"},
            "revetly: REVETLY_DATABASE_URL is no database address; ",
        ),
        (
            {"REVETLY_DATABASE_URL": "mysql://u:hunter2@h/d"},
            "revetly: REVETLY_DATABASE_URL is neither postgres:// nor ",
        ),
        ({"REVETLY_HOME": "/dev/null"}, "revetly: REVETLY_HOME='/dev/null' cannot be made: "),
        ({"REVETLY_HOME": "/proc/none"}, "revetly: REVETLY_HOME='/proc/none' cannot be made: "),
        ({}, "revetly: the database: no such table: graphapi_project; run `python manage.py migrate`\n"),
    ],
)
def test_a_command_whose_settings_do_not_add_up_ends_with_one_line_and_no_secret(tmp_path, environment, said) -> None:
    done = command(tmp_path, **environment)
    assert done.returncode == 1
    assert said in done.stderr and "Traceback" not in done.stderr and "hunter2" not in done.stderr


def test_init_is_a_first_command_like_any_other(tmp_path) -> None:
    from tests.repo import Repo

    repo = Repo(tmp_path / "product", None)
    repo.write("docs/how.md", "# How\n")
    repo.commit()
    kept = {k: v for k, v in os.environ.items() if not k.startswith("REVETLY_")}
    for arguments in (["init", str(repo.root)], ["ingest"]):
        done = subprocess.run(
            [sys.executable, "-m", "revetly_site", *arguments], cwd=ROOT, capture_output=True, text=True, check=False,
            env={**kept, "REVETLY_HOME": str(tmp_path / "home")},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "home").stat().st_mode & 0o077 == 0


def test_a_neo4j_that_is_not_there_is_said_within_seconds(tmp_path) -> None:
    began = time.monotonic()
    environment = {
        "REVETLY_GRAPH": "neo4j",
        "REVETLY_NEO4J_URL": "bolt://127.0.0.1:1",
        "REVETLY_NEO4J_PASSWORD": "hush",
    }
    kept = {k: v for k, v in os.environ.items() if not k.startswith("REVETLY_")}
    from tests.repo import Repo

    repo = Repo(tmp_path / "product")
    for arguments in (["init", str(repo.root)], ["audit-links"]):
        done = subprocess.run(
            [sys.executable, "-m", "revetly_site", *arguments], cwd=ROOT, capture_output=True, text=True, check=False,
            env={**kept, "REVETLY_HOME": str(tmp_path / "home"), **environment},
        )  # fmt: skip
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "Neo4j at bolt://127.0.0.1:1: it does not answer" in done.stderr and "hush" not in done.stderr
    assert time.monotonic() - began < 20


def test_a_fresh_home_makes_its_own_key_once_readable_by_its_owner_alone(tmp_path) -> None:
    command(tmp_path)
    key = tmp_path / "home/secret_key"
    made = key.read_text()
    assert len(made) > 40 and key.stat().st_mode & 0o077 == 0
    command(tmp_path)
    assert key.read_text() == made


def found(settings, **changes) -> set[str]:
    for name, value in changes.items():
        setattr(settings, name, value)
    return {m.id.removeprefix("revetly.") for m in checks.run_checks(tags=["revetly"])}


@pytest.mark.parametrize(
    ("changes", "ids"),
    [
        ({}, set()),
        ({"GRAPH": "neo4j", "NEO4J_URL": None, "NEO4J_PASSWORD": None}, {"E001", "E003"}),
        ({"GRAPH": "neo4j", "NEO4J_URL": "http://x", "NEO4J_PASSWORD": "p"}, {"E002"}),
        ({"GRAPH": "neo4j", "NEO4J_URL": "bolt://x", "NEO4J_PASSWORD": "p"}, set()),
        ({"NEO4J_URL": "bolt://x"}, {"W001"}),
        ({"REDIS_URL": "http://x"}, {"E004"}),
        ({"DEBUG": True, "ALLOWED_HOSTS": ["example.com"]}, {"E005"}),
        ({"ALLOWED_HOSTS": ["*"]}, {"E006"}),
    ],
)
def test_combinations_that_do_not_add_up_are_checks_with_ids(settings, changes, ids) -> None:
    base = {"REDIS_URL": "redis://localhost:6379/0", "ALLOWED_HOSTS": ["localhost"]}
    assert found(settings, **{**base, **changes}) == ids


def test_postgres_without_redis_is_a_warning(settings, monkeypatch) -> None:
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    assert "W002" in found(settings, REDIS_URL=None)


def test_a_log_line_is_one_json_object_with_its_trace() -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        record = logging.LogRecord("a", logging.ERROR, "f", 1, "said %s", ("so",), sys.exc_info())
    line = json.loads(JsonFormatter().format(record))
    assert (line["level"], line["message"]) == ("ERROR", "said so") and "ValueError: broken" in line["trace"]
