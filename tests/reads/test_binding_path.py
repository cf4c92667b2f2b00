"""Which commits a path leads to, and the work they name or delivered (004 section 2b, binding by path)."""

from __future__ import annotations

import subprocess

import pytest

from graphapi.domain.refusals import BadArguments
from graphapi.ingest.passes import run_pass
from graphapi.models import LedgerEntry, Project, UnresolvedReference
from graphapi.reads.behind import NEVER_HELD, NOBODY_NAMED, NONE_DECLARED
from graphapi.reads.binding import binding
from graphapi.vendors import git_file_log
from tests.reads.binding_answers import decision, ids
from tests.repo import ALL, Repo

requirement = pytest.mark.requirement


@pytest.fixture
def app(repo):
    """A repository of code inside the project's folder, declared as ``app`` at ``code/app``."""
    repo.write(".gitignore", "code/\n")
    repo.write("revetly.toml", f'{ALL}[connectors.commits]\nrepositories = {{ app = "code/app" }}\n')
    for number in range(1, 9):
        repo.item(f"STORY-00{number}")
    repo.commit()
    return Repo(repo.root / "code/app", config=None)


def touch(app: Repo, message: str, path: str = "src/berths.py", when: str | None = None) -> str:
    """One more commit to ``path``."""
    old = (app.root / path).read_text() if (app.root / path).exists() else ""
    app.write(path, old + f"line {len(old)}\n")
    return app.commit(message, when)


def stories(answer) -> list[str]:
    return [r["artifact_id"] for r in answer["behind"] if "commits" in r]


@requirement("path.git-follow", "path.repos")
def test_the_commits_come_from_git_as_it_is_now_in_every_repository_and_across_renames(
    repo, app, ingest, reader, tmp_path
) -> None:
    lib = Repo(tmp_path / "lib", config=None)
    repo.write("revetly.toml", f'{ALL}[connectors.commits]\nrepositories = {{ app = "code/app", lib = "../lib" }}\n')
    repo.commit()
    app.write("old.py", "a long enough first line to tell a rename by\nand another\n")
    app.commit("STORY-001: begin", "2026-02-01")
    app.write("src/.keep", "")
    app.git("mv", "old.py", "src/berths.py")
    app.commit("STORY-002: move", "2026-02-05")
    touch(lib, "STORY-003: the same path elsewhere", when="2026-02-03")
    ingest()
    touch(app, "STORY-004: after the pass", when="2026-02-09")
    answer = binding(reader, path="src/berths.py")
    assert set(stories(answer)) == {"STORY-001", "STORY-002", "STORY-003", "STORY-004"}
    assert answer["path"]["repos"] == [
        {"repository": "app", "file": "src/berths.py", "first": "2026-02-01T00:00:00Z", "last": "2026-02-09T00:00:00Z"},
        {"repository": "lib", "file": "src/berths.py", "first": "2026-02-03T00:00:00Z", "last": "2026-02-03T00:00:00Z"},
    ]


@requirement("path.written-forms")
def test_a_path_may_carry_the_repositorys_name_or_declared_path(app, ingest, reader) -> None:
    touch(app, "STORY-001: begin")
    ingest()
    answers = [
        binding(reader, path=p)
        for p in ("src/berths.py", "app/src/berths.py", "code/app/src/berths.py", "./src//berths.py",
                  f"{app.root}/src/berths.py")
    ]  # fmt: skip
    assert stories(answers[0]) == ["STORY-001"]
    for answer in answers:
        assert (answer["behind"], answer["path"]) == (answers[0]["behind"], answers[0]["path"])


@pytest.mark.parametrize(
    "name", ["-rf.py", "a file.py", "ünï/cödé.py", "*.py", ":(top)x.py", 'quo"te.py', "new\nline.py"]
)
def test_an_odd_name_is_one_file_and_no_option_or_pattern(app, ingest, reader, name) -> None:
    touch(app, "STORY-001: odd", name)
    touch(app, "STORY-002: plain", "x.py")
    ingest()
    assert stories(binding(reader, path=name)) == ["STORY-001"]


@requirement("path.no-history")
@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../product/revetly.toml", ".", "src", "no/such.py", "app", "app/../../x"]
)
def test_a_path_no_repository_ever_had_has_nothing_behind_it_and_says_why(app, ingest, reader, path) -> None:
    touch(app, "STORY-001: begin", "a.py")
    ingest()
    answer = binding(reader, path=path)
    assert answer["behind"] == [] and answer["path"] == {"repos": [], "reason": NEVER_HELD}
    assert answer["statements"] == [] and "more_ranked" not in answer


@requirement("path.no-history")
def test_a_project_that_declares_no_repository_says_so(repo, ingest, reader) -> None:
    repo.item("STORY-001")
    repo.commit()
    ingest()
    answer = binding(reader, path="src/berths.py")
    assert (answer["behind"], answer["path"]) == ([], {"repos": [], "reason": NONE_DECLARED})


@requirement("path.no-history")
def test_a_repository_that_is_gone_or_empty_or_too_slow_fails_no_read(app, ingest, reader, monkeypatch) -> None:
    ingest()
    assert binding(reader, path="a.py")["path"]["reason"] == NEVER_HELD
    touch(app, "nobody's work", "a.py")
    assert binding(reader, path="a.py")["path"]["reason"] == NOBODY_NAMED

    def slow(*arguments, **options):
        raise subprocess.TimeoutExpired("git", 1)

    with monkeypatch.context() as patched:
        patched.setattr(git_file_log.GitRepository, "head", lambda self: "HEAD")
        patched.setattr(git_file_log.GitRepository, "is_partial", lambda self: False)
        patched.setattr("graphapi.vendors.git.subprocess.run", slow)
        answer = binding(reader, path="a.py")
    assert answer["behind"] == [] and "seconds" in answer["path"]["unread"][0]["why"]
    app.root.rename(app.root.with_name("moved"))
    answer = binding(reader, path="a.py")
    assert answer["path"]["unread"][0]["repository"] == "app" and "reason" in answer["path"]


@requirement("path.resolve-message")
def test_a_commit_resolves_to_the_items_its_message_names_and_to_nothing_else(repo, app, ingest, reader) -> None:
    decision(repo, "DEC-001")
    repo.commit()
    touch(app, "STORY-001: begin, as DEC-001 and STORY-0020 have it\n\nAlso STORY-003. story-004 is no id.")
    ingest()
    assert stories(binding(reader, path="src/berths.py")) == ["STORY-001", "STORY-003"]


@requirement("path.resolve-delivery")
@pytest.mark.parametrize("written", [40, 12, 7])
def test_a_commit_that_a_delivery_record_lists_counts_for_what_that_record_delivers(
    repo, app, ingest, reader, written
) -> None:
    sha = touch(app, "tidy up")
    repo.item("DEL-001", folder="deliveries", delivers=["STORY-005"], implemented_by=[f'"{sha[:written]}"'])
    repo.item("DEL-002", folder="deliveries", delivers=["STORY-006"], implemented_by=['"0123456789"'])
    repo.commit()
    ingest()
    assert stories(binding(reader, path="src/berths.py")) == ["STORY-005"]


@requirement("path.nothing-stored")
def test_a_path_read_writes_nothing_to_the_graph_or_the_database(app, ingest, project, store, reader) -> None:
    touch(app, "STORY-001: begin")
    ingest()

    def everything():
        rows = [list(m.objects.order_by("pk").values()) for m in (LedgerEntry, Project, UnresolvedReference)]
        held = sorted(store.artifact_digests(project.namespace)), sorted(store.link_digests(project.namespace))
        return rows, held, store.counts(project.namespace)

    before = everything()
    assert stories(binding(reader, path="src/berths.py")) == ["STORY-001"]
    assert everything() == before


@requirement("path.not-combined")
@pytest.mark.parametrize("other", [{"artifact_id": "STORY-001"}, {"topic": "berths"}, {"depth": 1}])
def test_a_path_combines_with_no_other_scope_nor_a_depth(app, ingest, reader, other) -> None:
    with pytest.raises(BadArguments) as refused:
        binding(reader, path="src/berths.py", **other)
    assert "path" in refused.value.detail and next(iter(other)) in refused.value.detail


@requirement("path.lite-full")
def test_on_a_lite_instance_no_part_of_what_is_behind_a_file_reads_absent(repo, app, ingest, reader) -> None:
    repo.item("STORY-001", cited_sources=["DEC-001"])
    decision(repo, "DEC-001")
    repo.commit()
    touch(app, "STORY-001: begin")
    ingest()
    answer = binding(reader, path="src/berths.py")
    assert "absent" not in repr((answer["behind"], answer["path"], answer["scope"]))
    assert [r["artifact_id"] for r in answer["behind"]] == ["STORY-001", "DEC-001"]
    assert ids(answer) == ["DEC-001"]


def test_an_imported_projects_repositories_are_asked_too_and_each_names_its_project(
    repo, app, ingest, project, another, store, reader, tmp_path
) -> None:
    engine, other = another("engine")
    project.imports.add(engine)
    lib = Repo(tmp_path / "lib", config=None)
    other.write("revetly.toml", f'{ALL}[connectors.commits]\nrepositories = {{ lib = "../lib" }}\n')
    other.item("STORY-001", title="The engine's own")
    other.item("ENG-1")
    other.commit()
    touch(lib, "STORY-001: begin")
    touch(lib, "ENG-1: and STORY-007 of the product")
    ingest()
    run_pass(engine, store)
    answer = binding(reader, path="src/berths.py", project="product")
    assert answer["path"]["repos"][0]["project"] == "engine"
    assert {(r["artifact_id"], r["project"]) for r in answer["behind"]} == {
        ("STORY-001", "engine"),
        ("ENG-1", "engine"),
        ("STORY-007", "product"),
    }
    assert binding(reader, path="src/berths.py", project="engine")["path"]["repos"]


@requirement("path.story-commits", "path.weight-sum")
def test_a_commit_that_stands_in_a_repository_and_its_clone_counts_once(repo, app, ingest, reader) -> None:
    repo.write("revetly.toml", f'{ALL}[connectors.commits]\nrepositories = {{ app = "code/app", lib = "code/lib" }}\n')
    repo.commit()
    touch(app, "STORY-001: begin")
    touch(app, "STORY-002: more")
    app.git("clone", "-q", f"file://{app.root}", str(app.root.with_name("lib")))
    touch(app, "STORY-002: once more")
    ingest()
    answer = binding(reader, path="src/berths.py")
    assert [r["repository"] for r in answer["path"]["repos"]] == ["app", "lib"]
    assert {r["artifact_id"]: r["commits"] for r in answer["behind"]} == {"STORY-001": 1, "STORY-002": 2}


@requirement("path.resolve-delivery", "path.weight-delivery")
@pytest.mark.parametrize("written", ["{sha}", "{sha:.12}", "lib@{sha:.12}"])
def test_a_record_of_any_project_read_delivers_for_a_commit_of_anothers_repository(
    repo, app, ingest, project, another, store, reader, tmp_path, written
) -> None:
    engine, other = another("engine")
    project.imports.add(engine)
    lib = Repo(tmp_path / "lib", config=None)
    other.write("revetly.toml", f'{ALL}[connectors.commits]\nrepositories = {{ lib = "../lib" }}\n')
    other.item("ENG-1")
    here, there = touch(lib, "tidy"), touch(app, "tidy", when="2026-03-01")
    other.item("DEL-001", folder="deliveries", delivers=["ENG-1"], implemented_by=[f'"{there}"'])
    other.commit()
    named = written.replace("{sha:.12}", here[:12]).replace("{sha}", here)
    repo.item("DEL-001", folder="deliveries", delivers=["STORY-005", "ENG-1"], implemented_by=[f'"{named}"'])
    repo.commit()
    ingest()
    run_pass(engine, store)
    answer = binding(reader, path="src/berths.py", project="product")
    assert {(r["artifact_id"], r["project"], r["commits"]) for r in answer["behind"]} == {
        ("STORY-005", "product", 1),
        ("ENG-1", "engine", 2),
    }
