"""The corpus's artifacts: how many of each, how they hang together, what the delivery records say."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.corpus import build

from .tree import SEEDS, criteria, of_folder, of_type, pages, pages_by_id

every_seed = pytest.mark.parametrize("seed", SEEDS)


@pytest.mark.requirement("corpus.total")
@every_seed
def test_the_full_corpus_is_54_artifact_files_and_4_commits(seed: int) -> None:
    corpus = build(seed, "full")
    counts = Counter(page.meta.get("type", "delivery") for page in pages(corpus))
    assert counts == {"epic": 3, "feature": 5, "story": 14, "conversation": 14, "decision": 12, "delivery": 6}
    assert len(corpus.artifacts) == 54
    assert len(corpus.commits) == 4
    assert len({page.id for page in pages(corpus)}) == 54


@pytest.mark.requirement("corpus.backlog")
@every_seed
def test_the_backlog_folder_holds_three_epics_five_features_and_fourteen_stories(seed: int) -> None:
    counts = Counter(page.id.split("-")[0] for page in of_folder(build(seed, "full"), "backlog"))
    assert counts == {"EPIC": 3, "FEAT": 5, "STORY": 14}


@pytest.mark.requirement("corpus.hierarchy")
@every_seed
def test_features_hang_under_epics_and_two_stories_hang_straight_under_an_epic(seed: int) -> None:
    corpus = build(seed, "full")
    by_id = pages_by_id(corpus)
    assert all("parent" not in epic.meta for epic in of_type(corpus, "epic"))
    parents = {
        kind: [by_id[p.meta["parent"]].meta["type"] for p in of_type(corpus, kind)] for kind in ("feature", "story")
    }
    assert Counter(parents["feature"]) == {"epic": 5}
    assert Counter(parents["story"]) == {"feature": 12, "epic": 2}


@pytest.mark.requirement("corpus.story-supersession")
@every_seed
def test_two_stories_supersede_a_story_of_an_earlier_date(seed: int) -> None:
    corpus = build(seed, "full")
    dates = {file.artifact_id: file.date for file in corpus.artifacts}
    pairs = [(story.id, old) for story in of_type(corpus, "story") for old in story.meta.get("supersedes", [])]
    assert len(pairs) == len({new for new, _ in pairs}) == len({old for _, old in pairs}) == 2
    for new, old in pairs:
        assert old.startswith("STORY-")
        assert dates[old] < dates[new]


@pytest.mark.requirement("corpus.deliveries")
@every_seed
def test_six_records_rule_every_criterion_of_a_done_story_and_two_of_them_depart(seed: int) -> None:
    corpus = build(seed, "full")
    by_id = pages_by_id(corpus)
    records = of_folder(corpus, "deliveries")
    assert len(records) == 6
    departed = []
    for record in records:
        story = by_id[record.meta["delivers"]]
        ruled = [(int(v["criterion"]), v["text"]) for v in record.meta["verdicts"]]
        assert ruled == list(enumerate(criteria(story.body), start=1))
        assert story.meta["status"] == "done"
        departed += [v for v in record.meta["verdicts"] if v["verdict"] == "departed"]
        assert {v["verdict"] for v in record.meta["verdicts"]} <= {"held", "departed"}
    assert len(departed) == 2
    assert all(v["reason"] and v["decided_by"] for v in departed)
    with_one = [r for r in records if any(v["verdict"] == "departed" for v in r.meta["verdicts"])]
    assert len(with_one) == 2


@pytest.mark.requirement("corpus.deliveries")
@every_seed
def test_every_done_story_has_exactly_one_record(seed: int) -> None:
    corpus = build(seed, "full")
    done = sorted(story.id for story in of_type(corpus, "story") if story.meta["status"] == "done")
    assert done == sorted(record.meta["delivers"] for record in of_folder(corpus, "deliveries"))


@every_seed
def test_every_story_has_two_to_four_criteria_and_a_status_of_the_six(seed: int) -> None:
    corpus = build(seed, "full")
    for story in of_type(corpus, "story"):
        assert 2 <= len(criteria(story.body)) <= 4
    for item in of_folder(corpus, "backlog"):
        assert item.meta["status"] in ("draft", "ready", "in-progress", "done", "parked", "discarded")


@pytest.mark.requirement("corpus.decision-notes")
@every_seed
def test_four_of_the_twelve_decision_notes_stand_apart_and_none_carries_a_planted_statement(seed: int) -> None:
    corpus = build(seed, "full")
    notes = of_folder(corpus, "decisions")
    asked = {id_ for q in corpus.gold.questions for id_ in (*q.answers, q.retired, q.withdrawn) if id_}
    assert len(notes) == 12
    assert len([note for note in notes if note.id not in asked]) == 4
    for note in notes:
        assert note.meta["decided_by"]
        assert [h for h in ("## Decision", "## Why", "## Alternatives") if h not in note.body] == []
        assert [s.passage for s in corpus.gold.statements if s.passage in note.body] == []


@pytest.mark.requirement("corpus.git-dates")
@every_seed
def test_a_note_and_a_record_state_the_very_date_that_their_commit_carries(seed: int) -> None:
    corpus = build(seed, "full")
    dates = {file.artifact_id: file.date for file in corpus.artifacts}
    stated = {p.id: p.meta.get("captured_at") or p.meta.get("delivered_at") for p in pages(corpus)}
    read = {id_: datetime.fromisoformat(text) for id_, text in stated.items() if text}
    assert len(read) == 14 + 12 + 6
    assert read == {id_: dates[id_] for id_ in read}


@pytest.mark.requirement("corpus.small")
@every_seed
def test_the_small_corpus_is_a_dozen_artifacts_with_one_of_every_kind_and_nothing_asked(seed: int) -> None:
    corpus = build(seed, "small")
    counts = Counter(page.meta.get("type", "delivery") for page in pages(corpus))
    assert 10 <= sum(counts.values()) <= 14
    assert set(counts) == {"epic", "feature", "story", "conversation", "decision", "delivery"}
    assert corpus.commits == ()
    assert corpus.withdrawal is None
    assert corpus.gold.questions == ()
    assert corpus.gold.withdrawn == ()
    toml = next(file.text for file in corpus.files if file.path == "revetly.toml")
    assert "connectors.commits" not in toml


@pytest.mark.requirement("corpus.small")
@every_seed
def test_every_structural_score_and_slot_of_the_small_corpus_has_something_to_score(seed: int) -> None:
    gold = build(seed, "small").gold
    assert {edge.relation for edge in gold.edges} == {"parent", "cites", "supersedes", "delivers", "references"}
    assert {statement.type for statement in gold.statements} == {"Decision", "Assumption", "Constraint"}
    assert gold.decoy_sentences
    assert gold.noise
    assert all(branch.descendants for branch in gold.slots.branches)
    assert gold.slots.branches
    assert gold.slots.departures
    assert gold.slots.current_truth
    assert any(window.ids for window in gold.slots.windows)
    assert any(row.decisions for row in gold.slots.binding)
    assert any(row.statements for row in gold.slots.binding)


@pytest.mark.requirement("corpus.small")
def test_a_size_of_another_name_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="medium"):
        build(7, "medium")  # type: ignore[arg-type]


@pytest.mark.requirement("corpus.total", "corpus.deliveries", "corpus.hierarchy")
@settings(max_examples=30, deadline=None)
@given(seed=st.integers())
def test_any_seed_at_all_gives_the_same_counts(seed: int) -> None:
    corpus = build(seed, "full")
    assert len(corpus.artifacts) == 54
    assert len(corpus.gold.slots.departures) == 2
    assert len(of_folder(corpus, "deliveries")) == 6
    dates = [file.date for file in corpus.artifacts]
    assert dates == sorted(set(dates))
