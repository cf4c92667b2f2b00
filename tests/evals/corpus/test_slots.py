"""What each read slot must answer, worked out here a second time from the files."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.corpus import build
from evals.corpus.corpus import assemble
from evals.corpus.plan import plan

from .tree import SEEDS, of_folder, of_type, pages, pages_by_id

every_seed = pytest.mark.parametrize("seed", SEEDS)
both_sizes = pytest.mark.parametrize("size", ["full", "small"])


@pytest.mark.requirement("gold.slots")
@both_sizes
@every_seed
def test_a_branch_is_everything_beneath_an_epic_at_its_depth(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    by_id = pages_by_id(corpus)

    def depth_under(id_: str, epic: str) -> int | None:
        depth = 0
        while id_ != epic:
            if "parent" not in by_id[id_].meta:
                return None
            id_, depth = by_id[id_].meta["parent"], depth + 1
        return depth

    epics = [epic.id for epic in of_type(corpus, "epic")]
    assert [branch.epic for branch in corpus.gold.slots.branches] == epics
    for branch in corpus.gold.slots.branches:
        depths = {p.id: depth_under(p.id, branch.epic) for p in of_folder(corpus, "backlog")}
        expected = {id_: depth for id_, depth in depths.items() if depth}
        assert {row.id: row.depth for row in branch.descendants} == expected
        assert list(branch.children) == sorted(id_ for id_, depth in expected.items() if depth == 1)


@pytest.mark.requirement("gold.slots")
@both_sizes
@every_seed
def test_the_departures_are_those_of_the_records_with_reason_and_decider(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    read = [
        (r.meta["delivers"], r.id, int(v["criterion"]), v["text"], v["reason"], v["decided_by"])
        for r in of_folder(corpus, "deliveries")
        for v in r.meta["verdicts"]
        if v["verdict"] == "departed"
    ]
    told = [(d.story, d.record, d.criterion, d.text, d.reason, d.decided_by) for d in corpus.gold.slots.departures]
    assert told == read
    assert len(read) == (2 if size == "full" else 1)


@pytest.mark.requirement("gold.slots")
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(), size=st.sampled_from(["full", "small"]))
def test_a_window_is_half_open_on_the_planted_dates(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    for window in corpus.gold.slots.windows:
        since, until = datetime.fromisoformat(window.since), datetime.fromisoformat(window.until)
        assert list(window.ids) == [f.artifact_id for f in corpus.artifacts if since <= f.date < until]


@pytest.mark.requirement("gold.slots")
@every_seed
def test_the_windows_hold_three_then_a_week_then_the_last_four_then_nothing(seed: int) -> None:
    corpus = build(seed, "full")
    dates = {file.artifact_id: file.date for file in corpus.artifacts}
    three, week, last, none = corpus.gold.slots.windows
    assert len(three.ids) == 3
    assert datetime.fromisoformat(three.since) == dates[three.ids[0]]
    assert datetime.fromisoformat(three.until) in dates.values()
    assert 3 <= len(week.ids) <= 7
    assert len(last.ids) == 4
    assert none.ids == ()


@pytest.mark.requirement("gold.slots")
@both_sizes
@every_seed
def test_what_binds_a_story_is_what_is_linked_with_it_or_with_what_it_hangs_under(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    by_id = pages_by_id(corpus)
    linked: dict[str, set[str]] = {}
    for edge in corpus.gold.edges:
        linked.setdefault(edge.source, set()).add(edge.target)
        linked.setdefault(edge.target, set()).add(edge.source)
    stories = [story.id for story in of_type(corpus, "story")]
    assert [row.story for row in corpus.gold.slots.binding] == stories
    for row in corpus.gold.slots.binding:
        scope = [row.story]
        while parent := by_id[scope[-1]].meta.get("parent"):
            scope.append(parent)
        credit = {note: member for member in reversed(scope) for note in linked.get(member, ())}
        for type_, rows in (("decision", row.decisions), ("conversation", row.notes)):
            expected = {note: member for note, member in credit.items() if by_id[note].meta.get("type") == type_}
            assert {reached.id: reached.through for reached in rows} == expected
        held = "".join(by_id[reached.id].body for reached in row.notes)
        expected_keys = {s.key for s in corpus.gold.statements if s.passage in held}
        assert set(row.statements) == expected_keys
        assert len(row.statements) == len(expected_keys)


@pytest.mark.requirement("gold.slots")
@every_seed
def test_some_stories_are_bound_by_a_decision_on_their_epic_alone(seed: int) -> None:
    rows = build(seed, "full").gold.slots.binding
    through = {reached.through.split("-")[0] for row in rows for reached in row.decisions}
    assert through == {"STORY", "EPIC"}


@pytest.mark.requirement("gold.slots")
@both_sizes
@every_seed
def test_current_truth_names_each_superseded_story_and_its_successor(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    read = {(old, story.id) for story in of_type(corpus, "story") for old in story.meta.get("supersedes", [])}
    assert {(row.superseded, row.successor) for row in corpus.gold.slots.current_truth} == read
    assert len(read) == (2 if size == "full" else 1)
    assert read <= set(corpus.gold.successors.items())


@pytest.mark.requirement("corpus.question-set-neutral")
@every_seed
def test_question_material_changes_no_other_gold_and_no_slot(seed: int) -> None:
    whole = build(seed, "full")
    without = assemble(plan(seed, "full"), None)
    assert without.gold.slots == whole.gold.slots
    assert without.gold.statements == whole.gold.statements
    assert without.gold.decoy_sentences == whole.gold.decoy_sentences
    assert without.gold.noise == whole.gold.noise
    assert without.gold.questions == ()
    eight = [artifact for artifact in whole.gold.artifacts if artifact not in without.gold.artifacts]
    assert len(eight) == 8
    assert [a for a in whole.gold.artifacts if a not in eight] == list(without.gold.artifacts)
    (pair,) = set(whole.gold.edges) - set(without.gold.edges)
    assert set(without.gold.edges) <= set(whole.gold.edges)
    assert pair.relation == "supersedes"
    assert {pair.source, pair.target} <= {artifact.id for artifact in eight}
    assert [f.text for f in without.artifacts] == [
        f.text for f in whole.artifacts if f.artifact_id not in {a.id for a in eight}
    ]
    assert [
        s.passage
        for s in whole.gold.statements
        for p in pages(whole)
        if p.id in {a.id for a in eight} and s.passage in p.body
    ] == []
