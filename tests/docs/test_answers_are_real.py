"""Every answer printed in the documents is the one the read gives, and every constant is the one in the code."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

import graphapi.ranking
import graphapi.reads
from evals.corpus import build, withdraw, write
from graphapi.ingest.passes import run_pass
from graphapi.models import IngestPass, Project
from graphapi.reads.artifact import get_artifact
from graphapi.reads.authoring import get_authoring_context
from graphapi.reads.backlog import list_backlog
from graphapi.reads.health import context_health
from graphapi.reads.reader import Reader
from graphapi.reads.scope import get_scope
from graphapi.reads.search import search_context
from graphapi.store.factory import open_store
from tests.docs.answers import FENCE, with_answers

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(p.name for p in DOCS.glob("*.md") if FENCE.search(p.read_text("utf-8")))
READS = {
    f.__name__: f
    for f in (search_context, get_artifact, list_backlog, get_scope, get_authoring_context, context_health)
}


def ask_corpus(tmp_path: Path) -> Any:
    """The corpus of seed 7, read, its note withdrawn, and read again: what the documents quote from."""
    corpus = build(7, "full")
    write(corpus, tmp_path / "harbourmaster")
    store = open_store("sqlite", path=tmp_path / "graph.sqlite3")
    project = Project.objects.create(name="harbourmaster", namespace="harbour", root=str(tmp_path / "harbourmaster"))
    assert run_pass(project, store).state == "green"
    withdraw(corpus, tmp_path / "harbourmaster")
    assert run_pass(project, store).state == "green"

    def ask(read: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """``given`` brings something about first, ``pick`` shows those keys alone, ``budget`` is in bytes."""
        asked = dict(arguments)
        given, pick, budget = asked.pop("given", None), asked.pop("pick", None), asked.pop("budget", 32 * 1024)
        with transaction.atomic():
            if given is not None:
                GIVEN[given](project)
            answer = READS[read](Reader(store, budget=budget), **asked)
            transaction.set_rollback(True)
        return {k: answer[k] for k in pick} if pick else answer

    return ask


def _floor(project: Project) -> None:
    notes = {"floor": date(2025, 1, 1), "gaps": ["2025-02-10/2025-02-14"], "partial": True}
    project.sources.filter(source="notes").update(**notes)


GIVEN: dict[str, Callable[[Project], object]] = {
    "a floor": _floor,
    "a failed pass": lambda p: IngestPass.objects.create(
        project=p, state="failed", error="the disk is full", finished_at=datetime(2026, 6, 1, 10, tzinfo=UTC)
    ),
    "a withheld note": lambda p: p.ledger.filter(artifact_id="CONV-001").update(withheld=True),
}


@pytest.mark.parametrize("page", PAGES)
def test_every_answer_in_the_documents_is_the_one_the_read_gives(page, db, home, tmp_path, request) -> None:
    text = (DOCS / page).read_text("utf-8")
    now = with_answers(text, ask_corpus(tmp_path))
    if request.config.getoption("--write-answers"):
        (DOCS / page).write_text(now, encoding="utf-8")
    else:
        assert now == text, f"docs/{page} quotes an answer that is no longer given; run make answers"


def test_every_read_has_a_literal_answer_on_the_page_of_payloads() -> None:
    page = (DOCS / "payloads.md").read_text("utf-8")
    asked = [(m["read"], m["arguments"]) for m in FENCE.finditer(page)]
    assert {read for read, _ in asked} == set(READS)
    for question in ("drift", "deltas", "binding"):
        assert any(read == "get_scope" and f'"question": "{question}"' in a for read, a in asked), question
    for mode in ("depth", "history_after"):
        assert any(read == "get_artifact" and mode in a for read, a in asked), mode


def constants() -> dict[str, str]:
    """Public numbers and switches of the reads and of the ranking, by module and name."""
    out = {}
    for package in (graphapi.reads, graphapi.ranking):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(found.name)
            for name, value in vars(module).items():
                if name.isupper() and not name.startswith("_") and isinstance(value, bool | int | float):
                    where = f"{found.name.removeprefix('graphapi.')}.{name}"
                    if re.search(rf"^{name}(: [\w\[\]]+)? = ", Path(str(module.__file__)).read_text("utf-8"), re.M):
                        out[where] = repr(value)
    return out


def test_every_constant_is_on_the_page_of_payloads_with_its_value() -> None:
    page = (DOCS / "payloads.md").read_text("utf-8")
    listed = dict(re.findall(r"^\| `((?:reads|ranking)\.[\w.]+)` \| `([^`]+)` \|", page, re.M))
    assert listed == constants()
