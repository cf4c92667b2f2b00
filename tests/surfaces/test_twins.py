"""Each read's command is the same code behind another door: the same answer, with no client and no server."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from graphapi.models import Project
from graphapi.reads.catalogue import ARTIFACT, BACKLOG, HEALTH, SCOPE, SEARCH
from graphapi.reads.reader import Reader
from tests.repo import Repo

requirement = pytest.mark.requirement
ROOT = Path(__file__).resolve().parents[2]

DRIFT, DELTAS, BINDING = ({"question": question} for question in ("drift", "deltas", "binding"))
EPIC, STORY = {"artifact_id": "EPIC-001"}, {"artifact_id": "STORY-001"}
TWINS = [
    ("search berth", SEARCH, {"query": "berth"}, "STORY-001"),
    ("search berth --limit 2 --kind pbi --kind doc --deleted include", SEARCH,
     {"query": "berth", "limit": 2, "kind": ["pbi", "doc"], "deleted": "include"}, "DEC-001"),
    ("inspect STORY-001", ARTIFACT, STORY, "The bell rings"),
    ("inspect STORY-001 --full", ARTIFACT, {**STORY, "history_after": ""}, "supersedes"),
    ("inspect STORY-001 --deleted include", ARTIFACT, {**STORY, "deleted": "include"}, "→"),
    ("branch EPIC-001", ARTIFACT, {**EPIC, "depth": "declared"}, "  STORY-002"),
    ("branch EPIC-001 --depth 0", ARTIFACT, {**EPIC, "depth": 0}, "Arrivals"),
    ("backlog", BACKLOG, {}, "STORY-002"),
    ("backlog --status done --status draft --pbi-type story --limit 1", BACKLOG,
     {"status": ["done", "draft"], "pbi_type": ["story"], "limit": 1}, "--cursor"),
    ("drift", SCOPE, DRIFT, "It is damp"),
    ("drift EPIC-001 --depth 1", SCOPE, {**DRIFT, **EPIC, "depth": 1}, "STORY-002"),
    ("deltas --since 2026-01-05", SCOPE, {**DELTAS, "since": "2026-01-05"}, "created"),
    ("deltas EPIC-001 --clock ingest", SCOPE, {**DELTAS, **EPIC, "clock": "ingest"}, "ingest"),
    ("binding STORY-001", SCOPE, {**BINDING, **STORY}, "Light every berth by night."),
    ("binding --topic berth", SCOPE, {**BINDING, "topic": "berth"}, "topic-match"),
    ("binding --path a.py", SCOPE, {**BINDING, "path": "a.py"}, "no"),
    ("status", HEALTH, {}, "green"),
    ("status --capture PASS-none", HEALTH, {"capture": "PASS-none"}, "unknown"),
]  # fmt: skip


@requirement("catalogue.shell-twins", "catalogue.twins-same-code")
@pytest.mark.parametrize(("command", "read", "arguments", "shown"), TWINS, ids=[c for c, *_ in TWINS])
def test_a_command_prints_for_people_and_as_json_what_its_read_answers(
    seen, store, revetly, command, read, arguments, shown
) -> None:
    printed = json.loads(revetly(*command.split(), "--json").stdout)
    assert printed == json.loads(json.dumps(read(Reader(store), **arguments)))
    assert shown in revetly(*command.split()).output


@requirement("catalogue.twins-same-code")
def test_status_of_several_projects_is_one_answer_over_all_of_them(seen, store, revetly, tmp_path) -> None:
    revetly("init", str(seen.root.parent / "other"), code=1)
    Project.objects.create(name="other", namespace="t-other", root=str(Repo(tmp_path / "other").root))
    spanning = json.loads(revetly("status", "--json").stdout)
    assert spanning == json.loads(json.dumps(HEALTH(Reader(store), projects=["product", "other"])))
    said = revetly("status").output
    assert "product" in said and "other" in said and "never read" in said
    assert "other" not in revetly("status", "--project", "product").output


@requirement("catalogue.twins-no-client")
def test_no_command_opens_a_connection(seen, backend, revetly, monkeypatch) -> None:
    if backend.name != "sqlite" or connection.vendor != "sqlite":
        pytest.skip("the graph or the database is itself behind a socket")

    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("a command of a lite instance on this machine connected to something")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for command, *_ in TWINS:
        revetly(*command.split())


@requirement("catalogue.twins-no-client")
def test_a_fresh_process_answers_with_nothing_else_running(tmp_path) -> None:
    repo = Repo(tmp_path / "product", None)
    repo.write("docs/how.md", "# How a berth is lit — søndag\n\nBy night.\n")
    repo.commit()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("REVETLY_")}
    environment["REVETLY_HOME"] = str(tmp_path / "home")
    for command in (["init", str(repo.root)], ["ingest"], ["search", "berth"]):
        done = subprocess.run(
            [sys.executable, "-m", "revetly_site", *command], cwd=ROOT, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert "docs/how.md" in done.stdout
    # An output that cannot write the summary's … shows that; JSON stands in the letters there are.
    environment |= {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for options in ([], ["--json"]):
        command = [sys.executable, "-m", "revetly_site", "search", "berth", *options]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.isascii() and "docs/how.md" in done.stdout


def test_what_a_source_says_is_printed_as_text_whatever_it_holds(seen, ingest, revetly, monkeypatch) -> None:
    seen.item("STORY-003", "A [bold]quay[/] \u202e \\", title='"[red]Quay[/red] \\e]0;owned\\a \\\\"')
    seen.commit()
    ingest()
    monkeypatch.setenv("COLUMNS", "200")
    for command in ("search quay", "inspect STORY-003 --full", "backlog", "branch STORY-003", "deltas"):
        said = revetly(*command.split()).output
        assert "[red]Quay[/red]" in said
        assert not {"\x1b", "\x07", "\u202e"} & set(said)
    assert "[bold]quay[/]" in revetly("inspect", "STORY-003").output


@requirement("refusals.one-shape")
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["search", " "], "bad-arguments"),
        (["search", "a", "--limit", "51"], "bad-arguments"),
        (["search", "a", "--project", "nobody"], "unknown-project"),
        (["inspect", "STORY-404"], "unknown-artifact"),
        (["inspect", "STORY-001", "--history-after", "nonsense"], "cursor-gone"),
        (["branch", "STORY-001", "--depth", "deep"], "bad-arguments"),
        (["backlog", "--cursor", "nonsense"], "cursor-gone"),
        (["drift", "STORY-404"], "unknown-artifact"),
        (["deltas", "--clock", "wall"], "bad-arguments"),
        (["binding"], "bad-arguments"),
        (["binding", "STORY-001", "--topic", "berth"], "bad-arguments"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, list) else v,
)
def test_a_command_that_is_refused_says_so_in_one_line_and_as_the_one_shape(seen, revetly, command, code) -> None:
    refused = revetly(*command, "--json", code=1)
    body = json.loads(refused.stdout)
    assert list(body) == ["refusal"] and body["refusal"]["code"] == code
    assert body["refusal"]["detail"] and body["refusal"]["fix"]
    assert revetly(*command, code=1).stderr.count("\n") == 1


def test_a_title_too_long_for_a_row_breaks_neither_page_nor_command(seen, ingest, revetly, client) -> None:
    seen.item("STORY-009", "The slipway.", title="Slipway " + "x" * 3000)
    seen.commit()
    ingest()
    for command in ("search slipway", "backlog", "branch STORY-009", "deltas"):
        assert "STORY-009" in revetly(*command.split()).output
    for address in ("/context/?query=slipway", "/context/product/backlog", "/context/product/deltas"):
        page = client.get(address)
        text = page.content.decode()
        assert page.status_code == 200 and "STORY-009" in text and "[&#x27;" not in text, address
