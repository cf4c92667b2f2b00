"""What stands in the conversation notes: statements, decoys and noise, and where each seed puts them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.corpus import Corpus, build

from .tree import ID, SEEDS, of_folder, of_type, pages, pages_by_id

every_seed = pytest.mark.parametrize("seed", SEEDS)
BERTH = "A berth is held for fifteen minutes while its skipper pays, and then it goes back on the map."


def per_note(corpus: Corpus) -> list[int]:
    """How many planted statements each conversation note's body holds, counted in the files."""
    passages = [statement.passage for statement in corpus.gold.statements]
    return [sum(passage in note.body for passage in passages) for note in of_folder(corpus, "conversations")]


@pytest.mark.requirement("corpus.conversations")
@every_seed
def test_fourteen_conversation_notes_state_nought_to_three_statements_each_and_thirty_in_all(seed: int) -> None:
    counts = per_note(build(seed, "full"))
    assert len(counts) == 14
    assert set(counts) <= {0, 1, 2, 3}
    assert sum(counts) == 30


@pytest.mark.requirement("corpus.conversations", "corpus.thirty-sentences")
@settings(max_examples=30, deadline=None)
@given(seed=st.integers())
def test_any_seed_at_all_plants_thirty_statements_three_to_a_note_at_most(seed: int) -> None:
    counts = per_note(build(seed, "full"))
    assert (len(counts), sum(counts)) == (14, 30)
    assert max(counts) <= 3


@pytest.mark.requirement("corpus.thirty-sentences", "gold.statements")
@every_seed
def test_each_passage_stands_once_in_the_whole_tree_in_the_note_that_the_gold_names(seed: int) -> None:
    corpus = build(seed, "full")
    by_id = pages_by_id(corpus)
    whole = "\n".join(file.text for file in corpus.files) + "\n".join(c.message for c in corpus.commits)
    for statement in corpus.gold.statements:
        assert whole.count(statement.passage) == 1
        assert statement.passage in by_id[statement.note].body
        assert by_id[statement.note].meta["type"] == "conversation"
    types = Counter(statement.type for statement in corpus.gold.statements)
    assert types == {"Decision": 10, "Assumption": 10, "Constraint": 10}


@pytest.mark.requirement("corpus.thirty-sentences")
def test_every_planted_passage_is_one_sentence() -> None:
    for statement in build(7, "full").gold.statements:
        assert statement.passage.endswith(".")
        assert statement.passage.count(".") == 1


@pytest.mark.requirement("corpus.layout-from-seed")
def test_another_seed_moves_both_the_counts_and_the_sentences() -> None:
    seven, eleven = build(7, "full"), build(11, "full")
    assert per_note(seven) != per_note(eleven)
    places = [{s.passage: s.note for s in corpus.gold.statements} for corpus in (seven, eleven)]
    assert sum(places[0][passage] != places[1][passage] for passage in places[0]) > 15


@pytest.mark.requirement("corpus.sentences-shared")
@every_seed
def test_every_seed_plants_the_same_sentences_under_the_same_types(seed: int) -> None:
    def planted(corpus: Corpus) -> set[tuple[str, str]]:
        return {(statement.type, statement.passage) for statement in corpus.gold.statements}

    assert planted(build(seed, "full")) == planted(build(23, "full"))
    assert planted(build(seed, "small")) == planted(build(23, "small"))


@pytest.mark.requirement("gold.either-type")
@every_seed
def test_the_berth_sentence_is_one_of_the_ten_constraints_and_may_be_read_as_a_decision(seed: int) -> None:
    statements = build(seed, "full").gold.statements
    berth = next(statement for statement in statements if statement.passage == BERTH)
    assert berth.type == "Constraint"
    assert berth.accepts == ("Constraint", "Decision")
    assert sum(statement.type == "Constraint" for statement in statements) == 10
    assert all(statement.accepts[0] == statement.type for statement in statements)
    assert sum(len(statement.accepts) > 1 for statement in statements) == 1


@pytest.mark.requirement("corpus.decoy-sentences", "gold.decoys")
@every_seed
def test_eight_decoy_sentences_stand_in_the_notes_that_the_gold_names_and_are_no_statement(seed: int) -> None:
    corpus = build(seed, "full")
    by_id = pages_by_id(corpus)
    whole = "\n".join(file.text for file in corpus.files)
    decoys = corpus.gold.decoy_sentences
    assert len({decoy.sentence for decoy in decoys}) == len(decoys) == 8
    for decoy in decoys:
        assert decoy.sentence in by_id[decoy.note].body
        assert by_id[decoy.note].meta["type"] == "conversation"
        assert whole.count(decoy.sentence) == 1
    assert {decoy.sentence for decoy in decoys}.isdisjoint({s.passage for s in corpus.gold.statements})


@pytest.mark.requirement("corpus.decoy-sentences")
@every_seed
def test_every_seed_places_the_same_eight_decoys(seed: int) -> None:
    def placed(of: int) -> set[str]:
        return {decoy.sentence for decoy in build(of, "full").gold.decoy_sentences}

    assert placed(seed) == placed(23)


@pytest.mark.requirement("corpus.decoy-rate")
@pytest.mark.parametrize(("size", "places"), [("full", [3, 6, 9, 12, 15, 18, 21, 24]), ("small", [3, 6])])
@every_seed
def test_one_decoy_follows_every_third_planted_statement_in_note_order(seed: int, size: str, places: list[int]) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    passages = {statement.passage for statement in corpus.gold.statements}
    decoys = {decoy.sentence for decoy in corpus.gold.decoy_sentences}
    seen, after, previous = 0, [], ""
    for note in sorted(of_type(corpus, "conversation"), key=lambda note: note.id):
        for line in note.body.splitlines():
            said = line.partition("): ")[2]
            if said in passages:
                seen += 1
            elif said in decoys:
                after.append(seen)
                assert previous in passages
            previous = said or previous
    assert after == places


@pytest.mark.requirement("corpus.decoy-ticket", "gold.decoys")
@pytest.mark.parametrize("size", ["full", "small"])
@every_seed
def test_the_decoy_ticket_stands_in_a_conversation_and_is_declared_nowhere(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    ticket = corpus.gold.decoy_ticket
    assert ticket == "HMB-4711"
    assert [note.meta["type"] for note in pages(corpus) if ticket in note.body] == ["conversation"]
    assert [note.path for note in pages(corpus) if ticket in repr(note.meta) or ticket in note.path] == []
    assert ticket not in repr(corpus.gold.edges)
    assert ticket not in {artifact.id for artifact in (*corpus.gold.artifacts, *corpus.gold.commits)}


@pytest.mark.requirement("corpus.noise-decoys", "gold.decoys")
@every_seed
def test_one_noise_name_of_each_shape_stands_in_a_note_and_is_no_title_and_no_id(seed: int) -> None:
    corpus = build(seed, "full")
    assert sorted(noise.shape for noise in corpus.gold.noise) == ["identifier", "path", "sha", "version"]
    shas = [commit.sha for commit in corpus.commits]
    for noise in corpus.gold.noise:
        assert [p.meta["type"] for p in pages(corpus) if noise.name in p.body] == ["conversation"]
        assert [p.id for p in pages(corpus) if noise.name in repr(p.meta)] == []
        assert [sha for sha in shas if sha.startswith(noise.name)] == []
        assert not ID.search(noise.name)
        assert [c.path for commit in corpus.commits for c in (commit.change,) if noise.name in commit.message] == []
