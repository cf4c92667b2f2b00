"""revetly.toml: every key it takes, and a refusal that names the file, the key and what to do for all it does not."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from graphapi.domain.project_config import ProjectConfig, parse_config, read_config
from graphapi.domain.refusals import SettingRefused

FILE = Path("/product/revetly.toml")
EVERY_KEY = """
[llm]
provider = "none"
model = "m"
small_model = "s"
base_url = "https://x"
api_key_env = "KEY"
[embedding]
provider = "none"
model = "e"
dim = 768
base_url = "https://x"
api_key_env = "KEY"
[backlog]
path = "backlog"
families = ["EPIC", "STORY"]
parents = { story = ["epic"] }
[connectors.notes]
paths = ["conversations", "decisions"]
[connectors.deliveries]
paths = ["deliveries"]
[connectors.documents]
paths = ["docs", "README.md"]
[connectors.commits]
repositories = { app = "code", site = "../site" }
since = "2024-01-01"
[extraction]
concepts = "open"
tiers = { doc = "statements", pbi = "index" }
withhold = ["conversations/private/**"]
aliases = { "Berth map" = ["mooring plan"] }
[ranking]
half_life_days = 90
[ranking.provenance]
ai-derived = 0.5
[backend]
adapter = "repository"
tracker_note = false
"""


def parsed(text: str) -> ProjectConfig:
    return parse_config(text.encode(), FILE)


def refusal(text: str | bytes) -> SettingRefused:
    with pytest.raises(SettingRefused) as caught:
        parse_config(text if isinstance(text, bytes) else text.encode(), FILE)
    assert str(FILE) in caught.value.detail
    assert caught.value.fix
    return caught.value


def test_every_key_of_the_design_is_read() -> None:
    config = parsed(EVERY_KEY)
    assert config.backlog is not None
    assert config.backlog.families == ("EPIC", "STORY")
    assert config.connectors.commits is not None
    assert config.connectors.commits.repositories == {"app": "code", "site": "../site"}
    assert config.connectors.commits.since == date(2024, 1, 1)
    assert config.extraction.aliases == {"Berth map": ["mooring plan"]}
    assert config.ranking.provenance == {"ai-derived": 0.5}
    assert (config.backend.tracker_note, config.is_lite) == (False, True)


def test_a_file_with_one_source_takes_every_default() -> None:
    config = parsed("[backlog]\n")
    assert config.backlog is not None
    assert (config.backlog.path, config.backlog.families) == ("backlog", ("EPIC", "FEAT", "STORY", "BUG"))
    assert config.backlog.parents["story"] == ["feature", "epic"]
    assert (config.ranking.half_life_days, config.backend.adapter, config.is_lite) == (180, "repository", True)
    assert config.connectors.commits is None


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_byte_order_mark_and_crlf_are_read(mark: bytes, end: bytes) -> None:
    assert parse_config(mark + b"[backlog]\npath = 'items'\n".replace(b"\n", end), FILE).backlog is not None


@pytest.mark.parametrize("since", ['"2024-01-01"', "2024-01-01", "2024-01-01T08:30:00Z", '"1 Jan 2024"', '"2024/1/1"'])
def test_since_is_a_toml_date_or_text_in_any_form_a_date_is_read_in(since: str) -> None:
    commits = parsed(f'[connectors.commits]\nrepositories = ["."]\nsince = {since}\n').connectors.commits
    assert commits is not None
    assert commits.since == date(2024, 1, 1)


def test_a_list_of_repositories_is_named_by_their_folders() -> None:
    commits = parsed('[connectors.commits]\nrepositories = [".", "libs/core", "../site"]\n').connectors.commits
    assert commits is not None
    assert commits.repositories == {"root": ".", "core": "libs/core", "site": "../site"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[backlogs]\n", "backlogs"),
        ("paths = 1\n", "paths"),
        ("[backlog]\npaths = ['x']\n", "backlog.paths"),
        ("[connectors.note]\npaths = ['x']\n", "connectors.note"),
        ("[connectors.notes]\npaths = ['x']\npath = 'x'\n", "connectors.notes.path"),
        ("[backlog]\n[extraction]\ntiers = { story = 'index' }\n", "extraction.tiers.story"),
        ("[backlog]\n[llm]\napi_key = 'x'\n", "llm.api_key"),
    ],
)
def test_an_unknown_key_is_refused_by_name(text: str, key: str) -> None:
    refused = refusal(text)
    assert key in refused.detail
    assert str(refused.setting).startswith(key)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("backlog = 1\n", "backlog"),
        ("[backlog]\npath = 1\n", "backlog.path"),
        ("[backlog]\nfamilies = 'EPIC'\n", "backlog.families"),
        ("[backlog]\nfamilies = [1]\n", "backlog.families.0"),
        ("[backlog]\nparents = { story = 'epic' }\n", "backlog.parents.story"),
        ("[connectors.notes]\n", "connectors.notes.paths"),
        ("[connectors.notes]\npaths = []\n", "connectors.notes.paths"),
        ("[connectors.notes]\npaths = 'docs'\n", "connectors.notes.paths"),
        ("[connectors.commits]\n", "connectors.commits.repositories"),
        ("[connectors.commits]\nrepositories = []\n", "connectors.commits.repositories"),
        ("[connectors.commits]\nrepositories = 'code'\n", "connectors.commits.repositories"),
        ("[connectors.commits]\nrepositories = [1]\n", "connectors.commits.repositories"),
        ("[connectors.commits]\nrepositories = ['.']\nsince = 'soon'\n", "connectors.commits.since"),
        ("[connectors.commits]\nrepositories = ['.']\nsince = '03/04/2013'\n", "connectors.commits.since"),
        ("[connectors.commits]\nrepositories = ['.']\nsince = 20240101\n", "connectors.commits.since"),
        ("[backlog]\n[llm]\nprovider = 'cohere'\n", "llm.provider"),
        ("[backlog]\n[embedding]\ndim = '768'\n", "embedding.dim"),
        ("[backlog]\n[embedding]\ndim = 0\n", "embedding.dim"),
        ("[backlog]\n[extraction]\nconcepts = 'some'\n", "extraction.concepts"),
        ("[backlog]\n[extraction]\ntiers = { pbi = 'all' }\n", "extraction.tiers.pbi"),
        ("[backlog]\n[extraction]\nwithhold = 'x'\n", "extraction.withhold"),
        ("[backlog]\n[extraction]\naliases = { a = 'b' }\n", "extraction.aliases.a"),
        ("[backlog]\n[ranking]\nhalf_life_days = 0\n", "ranking.half_life_days"),
        ("[backlog]\n[ranking]\nhalf_life_days = inf\n", "ranking.half_life_days"),
        ("[backlog]\n[ranking]\nhalf_life_days = nan\n", "ranking.half_life_days"),
        ("[backlog]\n[ranking.provenance]\nx = nan\n", "ranking.provenance.x"),
        ("[backlog]\n[backend]\nadapter = 'jira'\n", "backend.adapter"),
        ("[backlog]\n[backend]\ntracker_note = 'no'\n", "backend.tracker_note"),
        ("[backlog]\n[backend]\ntracker_note = 1\n", "backend.tracker_note"),
    ],
)
def test_a_value_of_the_wrong_type_or_size_is_refused_by_its_key(text: str, key: str) -> None:
    refused = refusal(text)
    assert f": {key}" in refused.detail
    assert str(refused.setting).startswith(key)


def test_of_several_faults_the_first_is_named_and_the_others_counted() -> None:
    assert "(and 2 more)" in refusal("[backlog]\npath = 1\n[llm]\nmodel = 2\nprovider = 'x'\n").detail


@pytest.mark.parametrize("path", ["/etc", "../other", "a/../../b", "..", "", " ", "a\\\\b", "a\\u0000b"])
def test_a_folder_outside_the_root_is_refused(path: str) -> None:
    assert refusal(f'[backlog]\npath = "{path}"\n').setting == "backlog.path"
    assert refusal(f'[connectors.documents]\npaths = ["docs", "{path}"]\n').setting == "connectors.documents.paths.1"


def test_a_folder_is_read_in_its_plain_spelling() -> None:
    config = parsed('[backlog]\npath = "./a//b/"\n[connectors.documents]\npaths = ["."]\n')
    assert config.backlog is not None
    assert config.backlog.path == "a/b"


@pytest.mark.parametrize("real", ["llm", "embedding"])
def test_exactly_one_real_provider_is_refused_naming_the_other(real: str) -> None:
    other = {"llm": "embedding", "embedding": "llm"}[real]
    for rest in ("", f'[{other}]\nprovider = "none"\n'):
        refused = refusal(f'[backlog]\n[{real}]\nprovider = "openai"\n{rest}')
        assert refused.setting == f"{other}.provider"
        assert f"[{real}]" in refused.detail
        assert f"[{other}]" in refused.detail
    assert not parsed('[backlog]\n[llm]\nprovider = "openai"\n[embedding]\nprovider = "azure"\n').is_lite


@pytest.mark.parametrize("tracker", ["github", "azure_devops", "todoist"])
def test_a_tracker_is_refused_by_name_until_it_is_built(tracker: str) -> None:
    assert refusal(f"[backlog]\n[connectors.{tracker}]\n").setting == f"connectors.{tracker}"
    assert refusal(f"[backlog]\n[backend]\nadapter = '{tracker}'\n").setting == "backend.adapter"


@pytest.mark.parametrize("text", ["", "\n# nothing\n", '[llm]\nprovider = "none"\n', "[connectors]\n", "\ufeff"])
def test_a_file_that_declares_no_source_is_refused(text: str) -> None:
    assert "declares no source" in refusal(text).detail


def test_two_repositories_of_one_name_are_refused_with_the_way_to_name_them() -> None:
    detail = refusal('[connectors.commits]\nrepositories = ["a/code", "b/code"]\n').detail
    assert "code" in detail
    assert '{ name = "path" }' in detail


@pytest.mark.parametrize("name", ["my code", "a,b", "a/b", "..", "-x", "", "x" * 101, "a@b"])
def test_a_repository_whose_name_cannot_stand_in_an_id_is_refused(name: str) -> None:
    assert repr(name) in refusal(f'[connectors.commits]\nrepositories = {{ "{name}" = "code" }}\n').detail


def test_a_repository_without_a_path_is_refused() -> None:
    assert "app" in refusal('[connectors.commits]\nrepositories = { app = "" }\n').detail


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        (b"[backlog\n", "line 1"),
        (b"[backlog]\npath = \n", "line 2"),
        (b"[backlog]\n[backlog]\n", "not TOML"),
        (b"[connectors.commits]\nrepositories = ['.']\nsince = 2024-02-30\n", "line 3"),
        (b"[backlog]\npath = 'caf\xe9'\n", "line 2"),
        (b"\xff\xfe[\x00", "UTF-8"),
        (b"[embedding]\ndim = " + b"1" * 5000, "not TOML"),
        (b"a = " + b"[" * 100_000, "deep"),
        (b"#" * (1024 * 1024 + 1), "1 MiB"),
    ],
)
def test_a_file_that_is_no_toml_is_refused_with_the_place(raw: bytes, word: str) -> None:
    assert word in refusal(raw).detail


def test_a_file_that_is_not_there_is_refused_with_the_command_that_writes_one(tmp_path: Path) -> None:
    with pytest.raises(SettingRefused) as caught:
        read_config(tmp_path)
    assert str(tmp_path / "revetly.toml") in caught.value.detail
    assert "revetly init" in caught.value.fix


def test_a_folder_in_the_files_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "revetly.toml").mkdir()
    with pytest.raises(SettingRefused, match=r"revetly\.toml cannot be read"):
        read_config(tmp_path)
