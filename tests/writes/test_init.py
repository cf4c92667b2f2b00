"""`revetly init`: what it writes from what is there, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphapi.domain.project_config import FILE_NAME, ProjectConfig, read_config
from graphapi.domain.refusals import BadArguments, NotAWorkingTree, SettingRefused
from graphapi.models import Project
from graphapi.writes.project_setup import project_init
from tests.repo import Repo

pytestmark = pytest.mark.django_db


@pytest.fixture
def bare(tmp_path: Path) -> Repo:
    """A repository that declares nothing yet."""
    return Repo(tmp_path / "My Product", config=None)


def initialised(repo: Repo) -> ProjectConfig:
    made = project_init(repo.root)
    assert (made.created, made.wrote) == (True, str(repo.root / FILE_NAME))
    return read_config(repo.root)


def test_a_backlog_and_its_families_are_found_by_the_ids_its_files_carry(bare: Repo) -> None:
    for number in range(3):
        bare.write(f"backlog/a{number}.md", f"---\ntitle: x\nid: 'TICKET-{number}'\n---\n")
    bare.write("backlog/WISH-9-named.md", "# No block\n")
    bare.commit()
    config = initialised(bare)
    assert config.backlog is not None
    assert (config.backlog.path, config.backlog.families) == ("backlog", ("TICKET", "WISH"))
    assert config.connectors.notes is None
    assert config.connectors.commits is not None
    assert config.connectors.commits.repositories == {"My-Product": "."}
    assert config.is_lite


@pytest.mark.parametrize("folder", ["docs/adr", "adr", "doc/decisions", "docs/decisions"])
def test_folders_of_decisions_are_notes(bare: Repo, folder: str) -> None:
    bare.write(f"{folder}/0001-record.md", "# Record\n")
    bare.write("README.md", "# Read me\n")
    bare.commit()
    config = initialised(bare)
    assert config.backlog is None
    assert config.connectors.notes is not None
    assert config.connectors.notes.paths == [folder]
    assert config.connectors.documents is not None
    assert "README.md" in config.connectors.documents.paths


def test_a_tree_with_nothing_but_code_reads_its_commits(bare: Repo) -> None:
    bare.write("main.py", "print()\n")
    bare.commit()
    config = initialised(bare)
    assert (config.backlog, config.connectors.documents) == (None, None)
    assert config.connectors.commits is not None


def test_an_empty_repository_gets_a_file_that_parses(bare: Repo) -> None:
    assert initialised(bare).connectors.commits is not None


@pytest.mark.parametrize(
    "name", ["a b", "søknad 日本", 'quo"te', "back\\slash", "new\nline", "--dash", "...", "UPPER.Case", "x" * 200]
)
def test_a_root_of_any_name_gets_a_file_that_parses_and_a_project_name_of_its_own(tmp_path: Path, name: str) -> None:
    repo = Repo(tmp_path / name, config=None)
    repo.write('docs/it\'s "here".md', "# x\n")
    repo.write("backlog/\u00e9-1.md", "---\nid: '\u00c9\"X-1'\n---\n")
    made = project_init(repo.root)
    assert read_config(repo.root).backlog is not None
    assert made.project.name.isascii()
    assert 0 < len(made.project.name) <= 63


def test_a_declared_file_that_stands_is_left_byte_for_byte(bare: Repo) -> None:
    raw = b'\xef\xbb\xbf# mine\r\n[backlog]\r\npath   = "items"\r\n'
    bare.write(FILE_NAME, raw)
    made = project_init(bare.root)
    assert (made.wrote, made.declares) == (None, ["backlog"])
    assert (bare.root / FILE_NAME).read_bytes() == raw


@pytest.mark.parametrize("raw", [b"", b"[backlog\n", b"[backlog]\nfolder = 'x'\n", b"\xff"])
def test_a_declared_file_that_is_bad_is_refused_by_name_and_left_and_no_project_is_made(bare: Repo, raw: bytes) -> None:
    bare.write(FILE_NAME, raw)
    with pytest.raises(SettingRefused, match=r"revetly\.toml"):
        project_init(bare.root)
    assert (bare.root / FILE_NAME).read_bytes() == raw
    assert not Project.objects.exists()


def test_a_folder_that_is_no_working_tree_a_file_and_nothing_at_all_are_refused(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "file").write_text("x")
    for name in ("plain", "file", "absent"):
        with pytest.raises(NotAWorkingTree, match=name):
            project_init(tmp_path / name)
    assert not (tmp_path / "plain" / FILE_NAME).exists()


def test_a_bare_repository_is_refused(tmp_path: Path, bare: Repo) -> None:
    bare.git("init", "-q", "--bare", str(tmp_path / "bare.git"))
    with pytest.raises(NotAWorkingTree):
        project_init(tmp_path / "bare.git")


def test_a_second_run_says_the_same_and_writes_nothing(bare: Repo, tmp_path: Path) -> None:
    first = project_init(bare.root)
    raw = (bare.root / FILE_NAME).read_bytes()
    (tmp_path / "link").symlink_to(bare.root)
    for path in (bare.root, bare.root / "docs" / "..", tmp_path / "link"):
        again = project_init(path)
        assert (again.project.pk, again.created, again.wrote) == (first.project.pk, False, None)
    assert Project.objects.count() == 1
    assert (bare.root / FILE_NAME).read_bytes() == raw


def test_a_name_that_is_taken_is_refused_with_whose_it_is_and_nothing_is_written(bare: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "elsewhere" / "My Product", config=None)
    project_init(other.root)
    with pytest.raises(BadArguments, match="elsewhere"):
        project_init(bare.root)
    assert not (bare.root / FILE_NAME).exists()
    assert project_init(bare.root, name="mine").project.name == "mine"


@pytest.mark.parametrize("name", ["My", "a b", "-a", "ø", "a/b", "x" * 64])
def test_a_name_that_is_no_name_is_refused_and_nothing_is_written(bare: Repo, name: str) -> None:
    with pytest.raises(BadArguments):
        project_init(bare.root, name=name)
    assert not (bare.root / FILE_NAME).exists()


def test_a_folder_of_a_bigger_repository_can_be_a_project(bare: Repo) -> None:
    bare.write("teams/one/backlog/STORY-1.md", "---\nid: STORY-1\n---\n")
    bare.write("backlog/EPIC-1.md", "---\nid: EPIC-1\n---\n")
    bare.commit()
    project_init(bare.root / "teams/one")
    config = read_config(bare.root / "teams/one")
    assert config.backlog is not None
    assert config.backlog.families == ("STORY",)
