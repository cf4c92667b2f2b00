"""The drafting bundle's backlog: which items, and how short a row is (004 section 2b, get_authoring_context)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphapi.domain.refusals import BadArguments
from graphapi.ingest.passes import run_pass
from graphapi.ranking import retrieval
from graphapi.reads.authoring import get_authoring_context
from graphapi.reads.search import search_context
from tests.reads.deliveries import ids
from tests.reads.model import Inferred

KEYWORD = "keyword (english stemming)"


def bundle(reader: Any, intent: str = "mooring fee", **arguments: Any) -> dict[str, Any]:
    return get_authoring_context(reader, intent=intent, **arguments)


@pytest.fixture(autouse=True)
def titles_of_their_own(repo, monkeypatch) -> None:
    """No two items share a word of their titles, so that the feedback leg reaches only what a test means it to."""
    plain = repo.item

    def item(artifact_id: str, body: str = "", **keys: Any) -> Any:
        return plain(artifact_id, body, **{"title": artifact_id.replace("-", ""), **keys})

    monkeypatch.setattr(repo, "item", item)


def criteria(*texts: str) -> str:
    return "## Acceptance criteria\n\n" + "".join(f"- {text}\n" for text in texts)


@pytest.mark.requirement("authoring.parts", "authoring.backlog-keyword", "catalogue.authoring-bundle")
def test_a_bundle_has_the_nearest_items_what_is_related_and_what_binds(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "Pay the mooring fee.", type="story", status="ready", cited_sources=["DEC-001", "CONV-001"])
    repo.item("STORY-002", "Draw the berth map.", type="story")
    repo.item("DEC-001", "## Decision\nCards alone.", folder="decisions")
    repo.item("CONV-001", "The mooring fee was talked over.", folder="conversations")
    repo.commit("plan", "2026-02-01")
    ingest()
    answer = bundle(reader)
    assert list(answer)[:3] == ["backlog", "binding", "related"]
    assert [(row["artifact_id"], row["method"]) for row in answer["backlog"]] == [("STORY-001", KEYWORD)]
    assert answer["backlog"][0]["declared_links"] == {"cites": ["CONV-001", "DEC-001"]}
    assert ids(answer["binding"]["statements"]) == ["DEC-001"]
    assert ids(answer["related"]["artifacts"]) == ["CONV-001"]
    assert answer["related"]["artifacts"][0]["source_uri"] == "conversations/CONV-001.md"
    assert "ranking" not in answer


@pytest.mark.requirement("authoring.row-keys")
def test_a_row_is_a_slim_brief(repo, project, ingest, reader) -> None:
    repo.item("EPIC-001", type="epic")
    body = "Pay the mooring fee.\n\n" + criteria("In one tap.")
    repo.item("STORY-001", body, type="story", status="ready", parent="EPIC-001", owner="ada", labels=["pay"])
    repo.commit("plan", "2026-02-01")
    ingest()
    assert bundle(reader, "mooring fee tap")["backlog"] == [{
        "artifact_id": "STORY-001", "title": "STORY001", "status": "ready", "parent": "EPIC-001",
        "method": KEYWORD, "acceptance_criteria": ["In one tap."], "declared_links": {"parent": ["EPIC-001"]},
        "body": f"\n{body}\n",
    }]  # fmt: skip


@pytest.mark.requirement("authoring.row-body-head")
@pytest.mark.parametrize(("length", "cut"), [(200, False), (201, True)])
def test_the_head_of_a_body_is_two_hundred_characters(repo, project, ingest, reader, length, cut) -> None:
    body = ("mooring fee " + "é" * 300)[:length]
    repo.write("backlog/STORY-001.md", f"---\nid: STORY-001\ntitle: t\n---\n{body}")
    repo.commit("plan", "2026-02-01")
    ingest()
    row = bundle(reader)["backlog"][0]
    assert row["body"] == body[:200]
    assert ("body_truncated" in row) is cut
    if cut:
        assert (row["body_truncated"]["whole"], row["body_truncated"]["listed"]) == (201, 200)


@pytest.mark.requirement("authoring.row-criteria-room", "authoring.row-links-room")
def test_criteria_and_links_have_a_room_each(repo, project, ingest, reader) -> None:
    many = [f"Criterion {n} of the fee." for n in range(200)]
    cited = [f"CONV-{n:03}" for n in range(300)]
    for note in cited:
        repo.item(note, "talk", folder="conversations")
    repo.item("STORY-001", "mooring\n\n" + criteria(*many), type="story", cited_sources=["CONV-001", "CONV-002"])
    repo.item("STORY-002", "mooring\n\n" + criteria("One.", "Two."), type="story", cited_sources=cited)
    repo.commit("plan", "2026-02-01")
    ingest()
    rows = {row["artifact_id"]: row for row in bundle(reader, "mooring")["backlog"]}
    first, second = rows["STORY-001"], rows["STORY-002"]
    listed = first["acceptance_criteria"]
    assert 0 < len(listed) < 200
    assert listed == many[: len(listed)]
    told = first["acceptance_criteria_truncated"]
    assert (told["whole"], told["listed"]) == (200, len(listed))
    assert first["declared_links"] == {"cites": ["CONV-001", "CONV-002"]}
    assert "declared_links_truncated" not in first
    assert second["acceptance_criteria"] == ["One.", "Two."]
    assert "acceptance_criteria_truncated" not in second
    there = second["declared_links"]["cites"]
    assert 0 < len(there) < 300
    assert there == cited[: len(there)]
    assert (second["declared_links_truncated"]["whole"], second["declared_links_truncated"]["listed"]) == (
        300, len(there),
    )  # fmt: skip
    assert {"reason", "note"} <= set(told) & set(second["declared_links_truncated"])


def test_a_criteria_heading_that_yields_none_says_so(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "mooring\n\n## Acceptance criteria\n\nIn a paragraph.", type="story")
    repo.commit("plan", "2026-02-01")
    ingest()
    row = bundle(reader, "mooring")["backlog"][0]
    assert (row["acceptance_criteria"], row["criteria_unparsed"]) == ([], True)


@pytest.mark.requirement("method.feedback-bundle")
def test_an_intent_in_other_words_than_a_storys_reaches_it(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "Mooring fee. The tariff tariff tariff table lists each pontoon.", type="story")
    repo.item("STORY-002", "The tariff table in winter.", type="story")
    repo.item("STORY-003", "Nothing of the sort.", type="story")
    repo.commit("plan", "2026-02-01")
    ingest()
    found = [(row["artifact_id"], row["method"]) for row in bundle(reader)["backlog"]]
    assert found == [("STORY-001", KEYWORD), ("STORY-002", "keyword (english stemming, feedback terms)")]


@pytest.mark.requirement(
    "revises.mark-rows", "revises.mark-not-gathered", "revises.mark-entries", "revises.mark-constant",
    "revises.scope-mark-lever", "authoring.revised-by-row",
)  # fmt: skip
def test_a_revised_item_is_marked_as_its_own_record_marks_it(repo, project, ingest, reader, monkeypatch) -> None:
    repo.item("STORY-001", "mooring\n\n" + criteria("One.", "Two."), type="story")
    revises = "[{id: STORY-001, criteria: [2], criteria_fp: [00000000]}]"
    repo.item("DEC-001", "Unlike words.", folder="decisions", captured_at="2026-02-02", revises=revises)
    repo.commit("decide", "2026-02-02")
    repo.item("DEC-002", "Other words.", folder="decisions", captured_at="2026-02-03", revises="[STORY-001]")
    repo.commit("decide", "2026-02-03")
    ingest()
    row = bundle(reader, "mooring")["backlog"][0]
    assert row["revised_by"] == [{"id": "DEC-002"}, {"id": "DEC-001", "criteria": [2], "criterion_changed": True}]
    found = search_context(reader, query="mooring", kind="pbi")
    assert found["artifacts"][0]["revised_by"] == row["revised_by"]
    monkeypatch.setattr(retrieval, "REVISED_BY_MARK", False)
    unmarked = bundle(reader, "mooring")
    assert "revised_by" not in unmarked["backlog"][0]
    assert "revised" not in unmarked["binding"]["scope"]


@pytest.mark.requirement("authoring.row-marks", "deleted.out-of-authoring", "deleted.include", "deleted.only")
def test_a_row_keeps_what_says_not_to_build_on_it(repo, project, ingest, reader) -> None:
    repo.item("STORY-001", "mooring fee", type="story", status="ready")
    repo.item("STORY-002", "mooring fee", type="story", supersedes=["STORY-001"])
    repo.item("STORY-003", "mooring fee", type="story", status="discarded", discard_reason="too dear")
    repo.item("STORY-004", "mooring fee", type="story")
    repo.commit("plan", "2026-02-01")
    ingest()
    (repo.root / "backlog/STORY-004.md").unlink()
    repo.commit("drop", "2026-02-10")
    ingest()
    rows = {row["artifact_id"]: row for row in bundle(reader)["backlog"]}
    assert set(rows) == {"STORY-001", "STORY-002", "STORY-003"}
    assert rows["STORY-001"]["superseded_by"] == "STORY-002"
    assert (rows["STORY-003"]["status"], rows["STORY-003"]["discard_reason"]) == ("discarded", "too dear")
    assert "STORY-004" not in json.dumps(bundle(reader))
    asked = {row["artifact_id"]: row for row in bundle(reader, deleted="include")["backlog"]}
    assert asked["STORY-004"]["deleted"] is True
    assert (asked["STORY-004"]["deleted_at"], asked["STORY-004"]["deleted_clock"]) == (
        "2026-02-10T00:00:00Z", "source-declared",
    )  # fmt: skip
    assert ids(bundle(reader, deleted="only")["backlog"]) == ["STORY-004"]


@pytest.mark.requirement("projects.questions-reach-imports", "projects.unimported-unreached")
def test_a_bundle_reaches_what_the_project_imports(another, store, reader) -> None:
    engine, theirs = another("engine")
    product, ours = another("product", imports=[engine], default=True)
    ours.item("STORY-001", "mooring fee", type="story", cited_sources=["DEC-900"])
    ours.commit("ours", "2026-02-01")
    theirs.item("STORY-001", "mooring fee of theirs", type="story")
    theirs.item("DEC-900", "## Decision\nCards alone.", folder="decisions")
    theirs.commit("theirs", "2026-02-01")
    for each in (engine, product):
        assert run_pass(each, store).state == "green"
    answer = bundle(reader)
    assert answer["project"] == "product"
    assert {(row["artifact_id"], row["project"]) for row in answer["backlog"]} == {
        ("STORY-001", "product"), ("STORY-001", "engine"),
    }  # fmt: skip
    assert [(r["artifact_id"], r["project"]) for r in answer["binding"]["statements"]] == [("DEC-900", "engine")]
    alone = bundle(reader, project="engine")
    assert {row["project"] for row in alone["backlog"]} == {"engine"}
    assert alone["binding"]["statements"] == []


@pytest.mark.requirement("lite.stated-half", "authoring.backlog-keyword")
def test_a_full_instance_names_the_leg_and_serves_the_same_stated_half(repo, project, ingest, reader, store) -> None:
    repo.item("STORY-001", "mooring fee", type="story", cited_sources=["DEC-001"])
    repo.item("STORY-002", "Something else.", type="story")
    repo.item("DEC-001", "## Decision\nCards alone.", folder="decisions")
    repo.commit("plan", "2026-02-01")
    ingest()
    full = bundle(type(reader)(store, inferences=Inferred(found=["STORY-002"])))
    assert [(row["artifact_id"], row["method"]) for row in full["backlog"]] == [
        ("STORY-001", KEYWORD), ("STORY-002", retrieval.RECIPE_ARTIFACT),
    ]  # fmt: skip
    lite = bundle(reader)
    assert full["backlog"][:1] == lite["backlog"]
    assert full["binding"]["statements"] == lite["binding"]["statements"]
    assert lite["binding"]["inferred_statements"] == {"absent": True, "reason": "lite"}


@pytest.mark.parametrize(
    "wrong", [{"intent": " "}, {"limit": 0}, {"limit": 21}, {"inferred": "some"}, {"deleted": "y"}]
)
def test_an_argument_out_of_bounds_is_refused(repo, project, ingest, reader, wrong) -> None:
    with pytest.raises(BadArguments) as refused:
        bundle(reader, **wrong)
    assert next(iter(wrong)) in refused.value.detail
