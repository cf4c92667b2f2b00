"""The same seed and size are the same files and commits, wherever and whenever they are made."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.corpus import Corpus, build, withdraw, write

from .tree import SEEDS, run_git, tree_digest

REPOSITORY = Path(__file__).resolve().parents[3]
TREES: dict[tuple[int, str], str] = {
    (7, "full"): "1e8da484e5a9d73bc1ce686df05a44faa4ad6fc8dd1eca8cc0ab23e21028d7ee",
    (11, "full"): "9e74781da80aef5f5f91d9f5a8fa9c12b19cbc360ffeb36d088325fde8f5b25c",
    (13, "full"): "b4cd10e5de7f3abd7370dedf4605ebcc86f4532c1e2ad6c980290442eb947b81",
    (17, "full"): "543356ff2742c37229f746fac1220888ac0499c1a55ed04418cad40ba2952211",
    (19, "full"): "e8d0d9cb5ebcb70b269f3a0001d15a9caead6ba6cd25f11f46759ee399359656",
    (7, "small"): "2665ba205fa197d7815ee4df301ea293638d3501a34d3aef16e55a289bfd4f86",
    (11, "small"): "a861485fdc11058db3ad26815db0ae73c12973eac3da6ed6aa7775c808b8fa91",
    (13, "small"): "7c7252f904193188554bab4dc38774481e91c10855f50799db19e8e17ec5a945",
    (17, "small"): "a5a9c6b157207eda74f8cfe59af4e06ff97222e2ef4acae3f29a6a69e0cb7ca7",
    (19, "small"): "545ce7543d69977955509f44005ead83992cf443d9ed3656e70e953cc04473c9",
}

# Generates with the clock and the network taken away, and while it plans with every file closed to it as well.
GENERATE = """
import datetime, json, locale, random, sys, time
from pathlib import Path

def closed(*_, **__):
    raise AssertionError("the clock was read")

class Stopped(datetime.datetime):
    now = today = utcnow = classmethod(closed)

class StoppedDay(datetime.date):
    today = classmethod(closed)

datetime.datetime, datetime.date = Stopped, StoppedDay
for name in ("time", "time_ns", "localtime", "gmtime", "strftime", "ctime"):
    setattr(time, name, closed)

planning = False

def watch(event, arguments):
    if event.startswith("socket."):
        raise AssertionError(f"the network was touched: {event}")
    reach = ("open", "import", "subprocess.", "os.", "pathlib.", "shutil.", "glob.")
    if planning and event.startswith(reach):
        raise AssertionError(f"planning touched the machine: {event} {arguments}")

from evals.corpus import build, withdraw, write
sys.addaudithook(watch)
planning = True
corpus = build(int(sys.argv[1]), sys.argv[2])
digest = corpus.digest
planning = False
write(corpus, Path(sys.argv[3]))
if corpus.withdrawal:
    write(corpus, Path(sys.argv[4]))
    withdraw(corpus, Path(sys.argv[4]))
print(digest)
"""

HOSTILE_GITCONFIG = """
[core]
    autocrlf = true
    eol = crlf
    hooksPath = {home}/hooks
    attributesFile = {home}/attributes
    excludesFile = {home}/ignore
[commit]
    gpgsign = true
[init]
    defaultBranch = trunk
    templateDir = {home}/template
[i18n]
    commitEncoding = latin1
[user]
    name = Caller
    email = caller@example.net
"""


def hostile_home(home: Path) -> Path:
    (home / "hooks").mkdir(parents=True)
    (home / "template" / "hooks").mkdir(parents=True)
    (home / ".gitconfig").write_text(HOSTILE_GITCONFIG.format(home=home))
    (home / "attributes").write_text("*.md text eol=crlf\n")
    (home / "ignore").write_text("*.md\n")
    for folder in ("hooks", "template/hooks"):
        for hook in ("pre-commit", "commit-msg", "reference-transaction", "post-checkout"):
            (home / folder / hook).write_text("#!/bin/sh\nexit 1\n")
            (home / folder / hook).chmod(0o755)
    return home


@pytest.mark.requirement("corpus.reproducible")
@pytest.mark.parametrize(("seed", "size"), [(seed, size) for seed in SEEDS for size in ("full", "small")])
def test_a_tree_and_its_commits_are_the_pinned_ones(seed: int, size: str, tmp_path: Path) -> None:
    write(build(seed, size), tmp_path / "tree")  # type: ignore[arg-type]
    assert tree_digest(tmp_path / "tree") == TREES[seed, size]


@pytest.mark.requirement("corpus.reproducible")
@pytest.mark.parametrize("size", ["full", "small"])
def test_a_seed_written_twice_is_equal_and_another_seed_gives_other_files(size: str, tmp_path: Path) -> None:
    for name, seed in (("one", 7), ("two", 7), ("other", 11)):
        write(build(seed, size), tmp_path / name)  # type: ignore[arg-type]
    assert tree_digest(tmp_path / "one") == tree_digest(tmp_path / "two") != tree_digest(tmp_path / "other")
    assert build(7, size) == build(7, size)  # type: ignore[arg-type]
    differing = [
        a.path
        for a, b in zip(build(7, size).artifacts, build(11, size).artifacts, strict=True)
        if a.text != b.text  # type: ignore[arg-type]
    ]
    assert len(differing) >= 9


@pytest.mark.requirement("corpus.generator", "corpus.reproducible", "gold.digest")
@pytest.mark.parametrize("size", ["full", "small"])
@pytest.mark.parametrize(
    "setting",
    [
        {"TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "1"},
        {"TZ": "America/St_Johns", "LANG": "C", "LC_ALL": "C", "PYTHONHASHSEED": "4242", "PYTHONUTF8": "0"},
    ],
    ids=["kiritimati", "st-johns"],
)
def test_no_clock_locale_network_hash_seed_or_file_of_the_caller_reaches_the_tree(
    setting: dict[str, str], size: str, tmp_path: Path
) -> None:
    home = hostile_home(tmp_path / "home")
    git = {"GIT_DIR": "/nowhere", "GIT_AUTHOR_NAME": "Caller", "GIT_COMMITTER_DATE": "2001-01-01T00:00:00Z"}
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_CONFIG_HOME": str(home), **git, **setting}
    arguments = [sys.executable, "-c", GENERATE, "7", size, str(tmp_path / "tree"), str(tmp_path / "read-twice")]
    done = subprocess.run(arguments, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == build(7, size).digest  # type: ignore[arg-type]
    assert tree_digest(tmp_path / "tree") == TREES[7, size]
    if size == "full":
        write(build(7, "full"), tmp_path / "here")
        withdraw(build(7, "full"), tmp_path / "here")
        assert tree_digest(tmp_path / "read-twice") == tree_digest(tmp_path / "here") != TREES[7, size]
    assert not (tmp_path / "tree" / ".git" / "hooks").exists()
    assert run_git(tmp_path / "tree", "config", "--local", "--list").find("caller") == -1


def variants(corpus: Corpus) -> dict[str, Corpus]:
    """The corpus with one small thing changed, by what was changed."""
    gold, files = corpus.gold, corpus.files
    question = dataclasses.replace(gold.questions[0], text=gold.questions[0].text.replace("anywhere", "somewhere"))
    body = dataclasses.replace(files[-1], text=files[-1].text.replace("crews", "boats", 1))
    later = dataclasses.replace(files[5], date=files[6].date)
    settings = dataclasses.replace(files[0], text=files[0].text + "\n")
    statement = dataclasses.replace(gold.statements[0], passage=gold.statements[0].passage + "!")
    message = dataclasses.replace(corpus.commits[0], message="Another message\n")
    assert corpus.withdrawal is not None
    return {
        "question": dataclasses.replace(
            corpus, gold=dataclasses.replace(gold, questions=(question, *gold.questions[1:]))
        ),
        "edge": dataclasses.replace(corpus, gold=dataclasses.replace(gold, edges=gold.edges[1:])),
        "sentence": dataclasses.replace(
            corpus, gold=dataclasses.replace(gold, statements=(statement, *gold.statements[1:]))
        ),
        "body": dataclasses.replace(corpus, files=(*files[:-1], body)),
        "date": dataclasses.replace(corpus, files=(*files[:5], later, *files[6:])),
        "settings": dataclasses.replace(corpus, files=(settings, *files[1:])),
        "commit": dataclasses.replace(corpus, commits=(message, *corpus.commits[1:])),
        "withdrawal": dataclasses.replace(
            corpus, withdrawal=dataclasses.replace(corpus.withdrawal, date=corpus.commits[0].date)
        ),
    }


@pytest.mark.requirement("gold.digest")
def test_the_digest_changes_with_any_word_edge_date_question_or_byte() -> None:
    corpus = build(7, "full")
    digests = {what: variant.digest for what, variant in variants(corpus).items()}
    assert len({corpus.digest, *digests.values()}) == 1 + len(digests)


@pytest.mark.requirement("gold.digest")
def test_each_seed_and_size_has_one_digest_of_its_own() -> None:
    digests = {(seed, size): build(seed, size).digest for seed in SEEDS for size in ("full", "small")}
    assert len(set(digests.values())) == 10
    assert digests[7, "full"] == build(7, "full").digest
