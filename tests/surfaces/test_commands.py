"""The command tree: what a person types, and what a failing command says."""

from __future__ import annotations

import json

import click
import pytest

from graphapi.models import Project
from graphapi.store.port import StoreUnavailable
from revetly_site.cli import tree
from tests.repo import Repo

requirement = pytest.mark.requirement


@pytest.fixture
def read(repo, project, revetly):
    repo.item("EPIC-001", type="epic", title="Arrivals by night")
    repo.item("STORY-001", "As DEC-404 says.", parent="EPIC-001", status="ready", owner="ada")
    repo.item("DEC-001", folder="decisions", revises=["STORY-001"])
    repo.commit()
    revetly("ingest")
    return repo


def test_ingest_says_what_it_read_and_ends_well(read, revetly) -> None:
    said = revetly("ingest").output
    assert "green" in said and "3 unchanged" in said
    payload = json.loads(revetly("ingest", "--json").output)
    assert (payload["state"], payload["counts"]["unchanged"]) == ("green", 3)


def test_a_dry_run_lists_what_would_be_read_and_writes_nothing(read, revetly, project, graph) -> None:
    read.item("STORY-002")
    read.item("STORY-001", "New words.")
    payload = json.loads(revetly("ingest", "--dry-run", "--json").output)
    backlog = next(s for s in payload["sources"] if s["source"] == "backlog")
    assert (backlog, payload["provider_calls"]) == ({"source": "backlog", "listed": 3, "changed": 2}, 0)
    assert project.passes.count() == 1 and graph.ids() == {"EPIC-001", "STORY-001", "DEC-001"}
    assert "Nothing was read." in revetly("ingest", "--dry-run").output


def test_a_failed_pass_ends_with_one_line_and_code_one(read, revetly) -> None:
    read.write("revetly.toml", "[llm\n")
    result = revetly("ingest", code=1)
    assert result.stderr.startswith("revetly: the pass failed:") and result.stderr.count("\n") == 1
    assert "revetly.toml" in result.stderr


def test_inspect_shows_the_words_the_links_both_ways_and_the_marks(read, revetly) -> None:
    record = json.loads(revetly("inspect", "STORY-001", "--full", "--json").output)
    assert record["body"].strip() == "As DEC-404 says."
    assert (record["parent"], record["owner"], record["status"]) == ("EPIC-001", "ada", "ready")
    assert record["revised_by"] == [{"id": "DEC-001"}]
    assert {(row["direction"], row["relation"], row["artifact_id"]) for row in record["links"]} == {
        ("out", "parent", "EPIC-001"),
        ("in", "revises", "DEC-001"),
    }
    assert "project" not in record, "with one project declared no answer carries the key"
    brief = json.loads(revetly("inspect", "STORY-001", "--json").output)
    assert brief["declared_links"] == {"parent": ["EPIC-001"]} and "links" not in brief
    said = revetly("inspect", "STORY-001", "--full").output
    assert "Title of STORY-001" in said and "Arrivals by night" in said and "revised by DEC-001" in said


def test_inspect_of_several_projects_says_which_one_answered(read, revetly, tmp_path) -> None:
    other = Repo(tmp_path / "other")
    revetly("init", str(other.root))
    assert json.loads(revetly("inspect", "STORY-001", "--json").output)["project"] == "product"
    refused = revetly("inspect", "STORY-001", "--project", "other", code=1)
    assert refused.stderr.startswith("revetly: 'STORY-001' is no artifact")


def test_an_unknown_id_is_refused_in_one_line_and_as_a_payload(read, revetly) -> None:
    result = revetly("inspect", "STORY-404", "--json", code=1)
    assert json.loads(result.stdout)["refusal"]["code"] == "unknown-artifact"
    assert result.stderr.count("\n") == 1


def test_status_prints_the_truth_per_source_and_works_with_the_graph_down(read, revetly, monkeypatch) -> None:
    def down():
        raise StoreUnavailable("down")

    for module in ("passes", "reads"):
        monkeypatch.setattr(f"graphapi.cli.{module}.instance_store", down)
    report = json.loads(revetly("status", "--json").output)
    assert report["artifacts"] == {"live": 3, "by_kind": {"doc": 1, "pbi": 2}, "deleted": 0, "withheld": 0}
    assert {s["source"]: s["listed"] for s in report["sources"]} == {
        "backlog": 2, "notes": 1, "deliveries": 0, "documents": 0,
    }  # fmt: skip
    assert report["unresolved"]["listed"] == [
        {"artifact_id": "STORY-001", "relation": "references", "target": "DEC-404", "reason": "unknown"}
    ]
    said = revetly("status").output
    assert "green" in said and "3 artifacts (1 doc, 2 pbi)" in said and "1 ids resolve to nothing" in said


def test_a_graph_that_is_down_is_one_line_and_code_one(read, revetly, monkeypatch) -> None:
    def down():
        raise StoreUnavailable("the graph store does not answer")

    monkeypatch.setattr("graphapi.cli.reads.instance_store", down)
    result = revetly("audit-links", code=1)
    assert result.stderr.startswith("revetly: the graph store does not answer; ") and result.stderr.count("\n") == 1


def test_audit_links_counts_by_method_and_names_what_resolves_to_nothing(read, revetly) -> None:
    audit = json.loads(revetly("audit-links", "--json").output)
    assert {row["method"]: row["count"] for row in audit["methods"]} == {"parent": 1, "revises": 1}
    assert audit["links"] == 2
    assert "DEC-404" in revetly("audit-links").output


def test_nothing_declared_is_refused_saying_how_to_begin(revetly) -> None:
    for command in (["status"], ["ingest"], ["inspect", "X-1"], ["check"], ["backfill"], ["audit-links"]):
        result = revetly(*command, code=1)
        assert result.stderr == (
            "revetly: no project is declared here; run `revetly init PATH` on a git working tree\n"
        )


def test_a_date_that_is_none_is_refused_by_its_flag(read, revetly) -> None:
    assert "--to" in revetly("backfill", "--to", "soon", code=1).stderr


def test_init_then_ingest_needs_no_hand_editing(revetly, tmp_path) -> None:
    repo = Repo(tmp_path / "My Shop", None)
    repo.write("docs/adr/0001-first.md", "# Keep one till\n\nBecause.\n")
    repo.write("src/main.py", "print()\n")
    repo.commit("Begin")
    made = json.loads(revetly("init", str(repo.root), "--json").output)
    assert (made["project"], made["created"]) == ("my-shop", True)
    payload = json.loads(revetly("ingest", "--json", "--project", "my-shop").output)
    assert payload["state"] == "green" and payload["counts"]["listed"] == 2


def test_the_demo_reads_a_whole_product_and_can_be_run_twice(revetly, home) -> None:
    rows = json.loads(revetly("demo", "--no-serve", "--json").output)
    assert rows[0]["project"] == "harbourmaster" and rows[0]["counts"]["listed"] == 58
    assert rows[1]["counts"]["deleted"] == 1
    assert Project.objects.get(is_default=True).name == "harbourmaster"
    again = json.loads(revetly("demo", "--no-serve", "--json").output)
    assert again[0]["counts"]["written"] == 0 and again[0]["state"] == "green"
    for name in Project.objects.values_list("namespace", flat=True):
        from graphapi.store.instance import instance_store

        instance_store().clear(name)


def _commands(group: click.Group, at: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    out = [at]
    for name, command in sorted(group.commands.items()):
        out += _commands(command, (*at, name)) if isinstance(command, click.Group) else [(*at, name)]
    return out


@requirement("connect.console-script")
def test_manage_py_revetly_is_the_same_tree_with_the_same_flags_and_exit_codes(db, capsys) -> None:
    from django.core.management import execute_from_command_line

    from revetly_site.cli import main

    def said(call, *arguments: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as ended:
            call(list(arguments))
        out = capsys.readouterr()
        return ended.value.code, out.out, out.err

    tries = [(*path, "--help") for path in _commands(tree())] + [("inspect",), ("nonsense",), ("status",)]
    assert len(tries) > 10
    for arguments in tries:
        one = said(main, *arguments)
        other = said(lambda given: execute_from_command_line(["manage.py", "revetly", *given]), *arguments)
        assert one == other
    assert said(main, "inspect")[0] == 2 and said(main, "status")[0] == 1


@requirement("connect.console-script")
def test_djangos_own_check_and_migrate_are_still_djangos(db, capsys) -> None:
    from django.core.management import call_command, get_commands

    assert get_commands()["check"] == get_commands()["migrate"] == "django.core"
    call_command("check")
    said = capsys.readouterr()
    assert "System check identified" in said.out + said.err
