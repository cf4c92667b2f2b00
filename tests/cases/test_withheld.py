"""What a project withholds: read, on record, and its words nowhere."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from graphapi.domain.artifact import SourceArtifact
from graphapi.ingest.checkup import project_check
from graphapi.models import IngestPass, Project
from graphapi.reads.artifact import get_artifact
from graphapi.reads.reader import Reader
from tests.contract.backends import Backend
from tests.everywhere import texts
from tests.repo import ALL, Repo

Ingest = Callable[..., IngestPass]
BODY = "This body must reach no provider, no index, no page."
WITHHOLD = '[extraction]\nwithhold = ["conversations/private/**"]\n'


class Recorder:
    """A reader that keeps what it is sent: where a provider would stand."""

    def __init__(self) -> None:
        self.sent: list[SourceArtifact] = []

    def read(self, artifact: SourceArtifact) -> None:
        self.sent.append(artifact)


@pytest.mark.requirement("withheld.read-and-kept")
def test_a_withheld_note_is_read_and_on_record_as_withheld_with_its_id(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project
) -> None:
    ingest()
    entry = project.ledger.get(artifact_id="CONV-103")
    assert (entry.withheld, entry.title, entry.kind, entry.path) == (
        True, "", "doc", "conversations/private/CONV-103.md",
    )  # fmt: skip
    assert list(project.ledger.filter(withheld=True).values_list("artifact_id", flat=True)) == ["CONV-103"]
    node = graph.get("CONV-103")
    assert (node.withheld, node.title, node.body, dict(node.metadata)) == (True, "", "", {})
    record = get_artifact(Reader(graph.store), artifact_id="CONV-103")
    assert (record["in_context"], record["withheld"]["artifacts"], "body" in record, "title" in record) == (
        False,
        ["CONV-103"],
        False,
        False,
    )


@pytest.mark.requirement("withheld.never-sent")
def test_no_reader_is_handed_a_withheld_note_and_no_other_note_carries_its_words(dirty: Repo, ingest: Ingest) -> None:
    dirty.item("CONV-104", "Its neighbour, CONV-103, says more.", folder="conversations", related=["CONV-103"])
    dirty.item("CONV-105", "Answers CONV-104.", folder="conversations/private", related=["CONV-104"])
    dirty.commit()
    recorder = Recorder()
    ingest(readers=[recorder])
    sent = {artifact.artifact_id for artifact in recorder.sent}
    assert "CONV-104" in sent
    assert not sent & {"CONV-103", "CONV-105"}
    assert not any(words in str(artifact) for artifact in recorder.sent for words in (BODY, "Answers CONV-104"))


@pytest.mark.requirement("withheld.never-sent")
def test_a_withheld_text_is_in_no_table_no_store_no_file_no_log_and_no_page(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project, backend: Backend, caplog: Any, instance_is: Any,
    settings: Any,
) -> None:  # fmt: skip
    settings.BOUND = "127.0.0.1:8000"
    caplog.set_level(logging.DEBUG)
    secret = "sj\u00f8kart-seksten"
    dirty.item(
        "CONV-110", f"The words {secret} stand here.", folder="conversations/private", title=f"{secret} plan",
        owner=secret, status=secret, review_log="[{at: 2026-01-01, action: noted, reason: " + secret + "}]",
    )  # fmt: skip
    # Files that cannot be read are named as well, and the names must not quote them.
    dirty.write("conversations/private/a.md", f"---\nid: [{secret}\n---\n")
    dirty.write("conversations/private/b.md", f"---\nid: CONV-111\nsee: *{secret}\n---\n")
    dirty.write("conversations/private/c.md", f"---\nid: {secret} words\n---\n")
    dirty.write("conversations/private/d.md", f"---\nid: CONV-112\ncaptured_at: {secret}\nstatus: @{secret}\n---\nx\n")
    dirty.write("conversations/private/e.md", f"# {secret}\n\nNo block.\n")
    dirty.commit()
    ingest()
    found = [place for place, text in texts(project, graph.store, backend) if BODY in text or secret in text]
    assert found == []
    assert BODY not in caplog.text
    assert secret not in caplog.text
    for page in ("/", *(f"/context/{project.name}/a/{i}" for i in ("CONV-103", "CONV-110", "CONV-112"))):
        words = Client().get(page).content.decode()
        assert BODY not in words
        assert secret not in words
    assert graph.store.search_artifacts(graph.ns, secret) == []
    assert "CONV-103" not in {hit.artifact_id for hit in graph.store.search_artifacts(graph.ns, "provider index page")}
    assert not [f for f in project_check(project).findings if secret in f.message]


def test_a_note_withheld_later_leaves_every_place_it_was_in(
    repo: Repo, ingest: Ingest, graph: Any, project: Project, backend: Backend
) -> None:
    secret = f"hemmelig-{project.namespace}"
    repo.item("CONV-1", f"Words: {secret}.", folder="conversations/private", title=f"{secret} plan", status=secret)
    repo.item("DEC-1", "x", folder="decisions", title="A decision", supersedes=["CONV-1"])
    repo.commit()
    ingest()
    assert [place for place, text in texts(project, graph.store, backend) if secret in text]
    repo.write("revetly.toml", ALL + WITHHOLD)
    repo.commit()
    ingest()
    held = [place for place, text in texts(project, graph.store, backend) if secret in text]
    assert held == []
    assert graph.store.search_artifacts(graph.ns, secret) == []
    assert graph.edges("DEC-1") == {("DEC-1", "supersedes", "CONV-1")}


def test_a_note_no_longer_withheld_is_read_again(repo: Repo, ingest: Ingest, graph: Any) -> None:
    repo.write("revetly.toml", ALL + WITHHOLD)
    repo.item("CONV-1", "Held back for a while.", folder="conversations/private")
    repo.commit()
    ingest()
    assert graph.get("CONV-1").body == ""
    repo.write("revetly.toml", ALL)
    repo.commit()
    ingest()
    assert "Held back for a while." in graph.get("CONV-1").body


@pytest.mark.parametrize("pattern", ["!", "[", "#private", "/", " ", "./conversations/**", "x\\\\", "[z-a]"])
def test_a_pattern_that_can_match_nothing_stops_the_pass_before_anything_is_read(
    dirty: Repo, ingest: Ingest, graph: Any, pattern: str
) -> None:
    dirty.write("revetly.toml", ALL + f'[extraction]\nwithhold = ["{pattern}"]\n')
    row = ingest()
    assert row.state == "failed"
    assert "extraction.withhold" in row.error
    assert graph.ids() == set()


def test_a_pattern_holds_a_name_however_its_accents_are_spelt(repo: Repo, ingest: Ingest, project: Project) -> None:
    repo.write("revetly.toml", ALL + '[extraction]\nwithhold = ["conversations/priv\u00e9/**"]\n')
    repo.item("CONV-1", "x", folder="conversations/prive\u0301")
    repo.item("CONV-2", "x", folder="conversations/priv\u00e9")
    repo.commit()
    ingest()
    assert set(project.ledger.filter(withheld=True).values_list("artifact_id", flat=True)) == {"CONV-1", "CONV-2"}


@pytest.mark.requirement("withheld.never-sent")
def test_a_link_to_a_withheld_note_does_not_carry_its_words(
    dirty: Repo, ingest: Ingest, graph: Any, project: Project, backend: Backend
) -> None:
    (dirty.root / "docs").mkdir(exist_ok=True)
    (dirty.root / "docs/open.md").symlink_to("../conversations/private/CONV-103.md")
    dirty.commit()
    recorder = Recorder()
    row = ingest(readers=[recorder])
    assert ("docs/open.md", "symlink") in {(f["path"], f["code"]) for f in row.findings}
    assert not [place for place, text in texts(project, graph.store, backend) if BODY in text]
    assert not any(BODY in artifact.body for artifact in recorder.sent)
