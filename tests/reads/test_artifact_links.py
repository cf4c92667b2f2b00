"""The links of a full record: stated before inferred, deleted and retracted ones marked (004 sections 2b and 5)."""

from __future__ import annotations

import dataclasses

import pytest

from graphapi.domain.refusals import BadArguments
from graphapi.reads.artifact import get_artifact
from graphapi.reads.backlog import list_backlog
from graphapi.reads.health import context_health
from graphapi.reads.inferences import InferredEdge
from graphapi.reads.inferred_links import EDGES_OF_ONE
from tests.contract.rows import link
from tests.reads.model import Inferred

requirement = pytest.mark.requirement
NOW = "2026-03-01T00:00:00Z"


@pytest.fixture
def tied(repo, ingest, store, namespace):
    """STORY-1 has a live link out and one in, a link into a deleted item, and one that was never true."""
    repo.item("EPIC-1")
    repo.item("STORY-1", "See STORY-2.", parent="EPIC-1")
    repo.item("STORY-2")
    repo.item("STORY-3")
    repo.item("DEC-1", folder="decisions", revises=["{id: STORY-1, criteria: [1]}"])
    repo.commit("all", "2026-02-01")
    ingest()
    (repo.root / "backlog/STORY-2.md").unlink()
    repo.commit("drop", "2026-02-02")
    ingest()
    wrong = link(namespace, "STORY-1", "STORY-3", "same_as", fact="")
    store.link(namespace, [wrong])
    store.retire_links(namespace, [wrong.key], at=NOW, reason="retracted: another customer's story")


def links(reader, **asked):
    return get_artifact(reader, artifact_id="STORY-1", **asked)["links"]


def ends(rows):
    return [(row["relation"], row["artifact_id"], row["direction"]) for row in rows]


@requirement("artifact.full-links")
def test_links_go_both_ways_with_what_they_say_and_how_it_was_stated(tied, reader) -> None:
    out, back = links(reader, history_after="")
    assert out == {
        "relation": "parent", "artifact_id": "EPIC-1", "title": "Title of EPIC-1", "direction": "out",
        "method": "parent", "fact": "Title of STORY-1 (STORY-1) is part of Title of EPIC-1 (EPIC-1)",
        "stated_at": "2026-02-01T00:00:00Z",
    }  # fmt: skip
    assert (back["relation"], back["artifact_id"], back["direction"], back["criteria"]) == (
        "revises",
        "DEC-1",
        "in",
        [1],
    )
    full = get_artifact(reader, artifact_id="STORY-1", history_after="")
    assert full["deterministic_links"] == 2
    assert full["inferred_links"] == {"absent": True, "reason": "lite"}


@requirement("artifact.full-deleted")
@requirement("deleted.other-deleted")
@requirement("deleted.include")
def test_include_adds_deleted_and_retracted_links_to_the_live_ones_marked(tied, reader) -> None:
    rows = links(reader, deleted="include")
    assert sorted(ends(rows)) == [
        ("parent", "EPIC-1", "out"), ("references", "STORY-2", "out"), ("revises", "DEC-1", "in"),
        ("same_as", "STORY-3", "out"),
    ]  # fmt: skip
    into = next(row for row in rows if row["artifact_id"] == "STORY-2")
    assert into["other_deleted"] is True
    assert [row["artifact_id"] for row in rows if "other_deleted" in row] == ["STORY-2"]
    assert "history_entries" in get_artifact(reader, artifact_id="STORY-1", deleted="include"), "it is the full record"


@requirement("artifact.retracted-marked")
def test_a_link_that_was_never_true_is_marked_with_its_reason_and_shown_only_when_asked_for(tied, reader) -> None:
    for state in ("include", "only"):
        (wrong,) = [row for row in links(reader, deleted=state) if row["artifact_id"] == "STORY-3"]
        assert (wrong["retracted"], wrong["reason"], wrong["invalid_at"]) == (True, "another customer's story", NOW)
        assert "invalid_reason" not in wrong
    assert "STORY-3" not in {row["artifact_id"] for row in links(reader, history_after="")}
    assert "same_as" not in get_artifact(reader, artifact_id="STORY-1")["declared_links"]
    assert not [
        row for row in links(reader, deleted="include") if row.get("retracted") and row["artifact_id"] != "STORY-3"
    ]


@requirement("artifact.deleted-only")
@requirement("deleted.only")
def test_only_serves_the_withdrawn_links_alone(tied, reader) -> None:
    assert sorted(row["artifact_id"] for row in links(reader, deleted="only")) == ["STORY-2", "STORY-3"]


@requirement("deleted.other-values-refused")
@pytest.mark.parametrize("deleted", ["yes", "", "Include", True])
def test_another_value_of_deleted_is_refused_by_name(tied, reader, deleted) -> None:
    with pytest.raises(BadArguments, match="deleted="):
        get_artifact(reader, artifact_id="STORY-1", deleted=deleted)


def test_a_link_its_source_no_longer_states_is_served_ended_and_not_as_retracted(tied, repo, ingest, reader) -> None:
    repo.item("STORY-1", "Says nothing.")
    repo.commit()
    ingest()
    assert "EPIC-1" not in {row["artifact_id"] for row in links(reader, history_after="")}
    (ended,) = [row for row in links(reader, deleted="only") if row["artifact_id"] == "EPIC-1"]
    assert ended["invalid_at"]
    assert ended["invalid_reason"]
    assert "retracted" not in ended


@requirement("deleted.by-id")
@requirement("deleted.marks")
@requirement("deleted.clock-beside-date")
def test_a_deleted_artifact_answers_by_its_id_marked_with_its_links(tied, repo, ingest, reader) -> None:
    (repo.root / "backlog/STORY-1.md").unlink()
    repo.commit("drop it", "2026-02-03")
    ingest()
    brief = get_artifact(reader, artifact_id="STORY-1")
    assert (brief["title"], brief["body"].strip()) == ("Title of STORY-1", "See STORY-2.")
    marks = {key: brief[key] for key in ("deleted", "deleted_at", "deleted_clock")}
    assert marks == {"deleted": True, "deleted_at": "2026-02-03T00:00:00Z", "deleted_clock": "source-declared"}
    assert brief["declared_links"] == {"parent": ["EPIC-1"], "references": ["STORY-2"]}
    rows = links(reader, history_after="")
    assert ("parent", "EPIC-1", "out") in ends(rows)
    assert ("revises", "DEC-1", "in") in ends(rows)
    assert "STORY-3" not in {row["artifact_id"] for row in rows}


@requirement("deleted.unknown-date")
@requirement("deleted.no-clock-is-found")
def test_a_deletion_without_a_date_has_none_and_one_without_a_clock_is_a_found_one(
    repo, ingest, reader, store, project
):
    repo.item("STORY-1")
    repo.commit()
    ingest()
    held = get_artifact(reader, artifact_id="STORY-1")
    assert "deleted" not in held
    shown = lambda **gone: get_artifact(_with(reader, **gone), artifact_id="STORY-1")  # noqa: E731
    undated = shown(deleted=True)
    assert undated["deleted"] is True
    assert not {"deleted_at", "deleted_clock"} & undated.keys()
    unclocked = shown(deleted=True, deleted_at=NOW)
    assert (unclocked["deleted_at"], unclocked["deleted_clock"]) == (NOW, "found")


def _with(reader, **changes):
    """A reader of the same store in which every artifact reads with ``changes``: what older releases left on record."""

    class Older:
        def __getattr__(self, name):
            return getattr(reader.store, name)

        def get(self, *args, **kwargs):
            return [dataclasses.replace(row, **changes) for row in reader.store.get(*args, **kwargs)]

    return dataclasses.replace(reader, store=Older())


EDGES = [
    InferredEdge("k1", "STORY-1", "STORY-3", "depends_on", "Title of STORY-1 needs STORY-3", stated_at=NOW),
    InferredEdge("k2", "STORY-3", "STORY-1", "blocks", "the crane is older than the quay", sources_retired=True),
]


@requirement("stated.links")
@requirement("artifact.full-links")
@requirement("artifact.full-record-agrees")
def test_on_a_full_instance_inferred_links_follow_the_stated_ones_and_say_so(tied, reader) -> None:
    full_reader = dataclasses.replace(
        reader, inferences=Inferred(read=EDGES, paragraphs={"STORY-1": "One. Two. Three."})
    )
    full = get_artifact(full_reader, artifact_id="STORY-1", history_after="")
    stated, inferred = full["links"][: full["deterministic_links"]], full["links"][full["deterministic_links"] :]
    assert [row["method"] for row in stated] == ["parent", "revises"]
    assert inferred == [
        {
            "relation": "depends_on", "artifact_id": "STORY-3", "title": "Title of STORY-3", "direction": "out",
            "method": "inferred", "fact": EDGES[0].fact, "inferred": True, "stated_at": NOW,
        },
        {
            "relation": "blocks", "artifact_id": "STORY-3", "title": "Title of STORY-3", "direction": "in",
            "method": "inferred", "fact": EDGES[1].fact, "inferred": True, "unnamed_endpoints": True,
            "sources_retired": True,
        },
    ]  # fmt: skip
    assert "inferred_links" not in full
    assert full["inferred_summary"] == "One. Two."
    cut = full["truncated_inferred_summaries"]
    assert (cut["reason"], cut["whole"], cut["listed"]) == ("inferred-cap", 3, 2)
    whole = get_artifact(full_reader, artifact_id="STORY-1", history_after="", inferred="all")
    assert whole["inferred_summary"] == "One. Two. Three."
    assert "truncated_inferred_summaries" not in whole
    brief = get_artifact(full_reader, artifact_id="STORY-1")
    assert (brief["full_record"]["inferred_links"], brief["full_record"]["inferred_summary"]) == (2, True)
    assert brief["declared_links"] == {"parent": ["EPIC-1"]}
    assert len(get_artifact(full_reader, artifact_id="STORY-1", deleted="only")["links"]) == 2


@requirement("stated.title-mention-side")
def test_a_link_that_a_rule_read_in_prose_is_on_the_stated_side(repo, ingest, reader) -> None:
    repo.item("STORY-1", "As the harbour plan says, and as DEC-1 does.")
    repo.item("STORY-3", "It.", title="The harbour plan")
    repo.item("DEC-1", "So it is.", folder="decisions")
    repo.commit()
    ingest()
    full_reader = dataclasses.replace(reader, inferences=Inferred(read=EDGES))
    full = get_artifact(full_reader, artifact_id="STORY-1", history_after="")
    methods = [row["method"] for row in full["links"]]
    assert methods[: full["deterministic_links"]] == ["explicit-ref", "title-mention"]
    assert set(methods[full["deterministic_links"] :]) == {"inferred"}


def test_inferred_links_past_their_cap_are_counted(tied, reader) -> None:
    many = [InferredEdge(f"k{n}", "STORY-1", "STORY-3", "r", "f") for n in range(EDGES_OF_ONE + 5)]

    class Counting(Inferred):
        def edges(self, namespace, ids, *, limit):
            return dataclasses.replace(super().edges(namespace, ids, limit=limit), total=len(many))

    full_reader = dataclasses.replace(reader, budget=10**6, inferences=Counting(read=many))
    full = get_artifact(full_reader, artifact_id="STORY-1", history_after="")
    cut = full["links_truncated"]
    assert (cut["reason"], cut["whole"], cut["listed"]) == ("inferred-cap", len(many) + 2, EDGES_OF_ONE + 2)


@requirement("lite.inferred-half")
@requirement("lite.stated-half")
def test_a_lite_instance_serves_the_same_stated_half_and_says_that_the_other_is_absent(tied, reader) -> None:
    full_reader = dataclasses.replace(reader, inferences=Inferred(read=EDGES))
    for asked in ({}, {"history_after": ""}, {"deleted": "include"}, {"depth": 1}):
        lite = get_artifact(reader, artifact_id="STORY-1", **asked)
        full = get_artifact(full_reader, artifact_id="STORY-1", **asked)
        halves = ("inferred_links", "full_record", "inferred")
        assert {k: v for k, v in lite.items() if k not in halves} == {
            k: v[: full["deterministic_links"]] if k == "links" else v for k, v in full.items() if k not in halves
        }
        absent = lite.get("inferred_links") or lite.get("inferred") or lite["full_record"]["inferred_links"]
        assert absent == {"absent": True, "reason": "lite"}


@requirement("lite.words-never-used")
def test_no_value_of_a_lite_answer_of_these_reads_claims_what_it_has_not(tied, reader) -> None:
    small = dataclasses.replace(reader, budget=1500)
    answers = [
        *(get_artifact(r, artifact_id="STORY-1", **asked) for r in (reader, small)
          for asked in ({}, {"history_after": ""}, {"deleted": "include"}, {"depth": "declared"})),
        list_backlog(reader), list_backlog(small, deleted="include"), context_health(reader), context_health(small),
    ]  # fmt: skip
    values = [text.lower() for answer in answers for text in _texts(answer)]
    assert len(values) > 100
    assert not [v for v in values if any(word in v for word in ("semantic", "vector", "inferred", "concept"))]


def _texts(value):
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)
