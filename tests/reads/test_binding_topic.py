"""What a topic matches and what it gathers from there (004 section 2b, a topic scope)."""

from __future__ import annotations

import dataclasses

import pytest

from graphapi.reads import topic as topic_module
from graphapi.reads.binding import binding, topic_notes
from graphapi.reads.corpus import Corpus
from graphapi.reads.inferences import Concept
from tests.reads.binding_answers import decision, ids, row, states
from tests.reads.model import Inferred

requirement = pytest.mark.requirement


def matched(answer) -> list[str]:
    return [m["artifact_id"] for m in answer["scope"]["matched"]]


@requirement("topic.own-words", "topic.bm25-stemmed")
def test_a_topic_is_looked_up_in_titles_and_bodies_on_the_stem_of_its_words(repo, ingest, reader) -> None:
    decision(repo, "DEC-000", "Every berth is booked by phone.")
    repo.item("STORY-001", "Nothing of it.", title="Booked berths on one screen")
    repo.item("STORY-002", "Something else.", labels=["booking", "berths"])
    repo.commit()
    ingest()
    answer = binding(reader, topic="booking berths")
    assert set(matched(answer)) == {"DEC-000", "STORY-001"}
    assert answer["scope"]["topic"] == "booking berths"


@requirement("topic.no-model-text")
def test_what_a_model_wrote_matches_no_topic(repo, ingest, project, store, reader) -> None:
    repo.item("CONV-001", "They talked.", folder="conversations")
    repo.commit()
    ingest()
    states(store, project, "CONV-001", "zeppelin moorings", fact="zeppelin")
    model = Inferred(
        found=["CONV-001"], named=[Concept("zeppelin", "A zeppelin.")], paragraphs={"CONV-001": "About a zeppelin."}
    )
    full = dataclasses.replace(reader, inferences=model)
    answer = binding(full, topic="zeppelin")
    assert matched(answer) == [] and answer["statements"] == []
    assert model.calls == []


@requirement("topic.title-weighted")
def test_a_word_in_a_title_weighs_more_than_one_in_a_body(repo, ingest, reader) -> None:
    repo.item("STORY-001", "The lantern hangs over there.", title="Some plain words here")
    repo.item("STORY-002", "Some plain words here and there.", title="The lantern hangs")
    for number in range(8):
        repo.item(f"BUG-00{number}", "Filler prose of the harbour.", title=f"Filler {number} of it")
    repo.commit()
    ingest()
    assert matched(binding(reader, topic="lantern"))[0] == "STORY-002"


@requirement("topic.word-share")
def test_a_short_note_about_it_goes_before_a_long_record_and_before_one_word_repeated(repo, ingest, reader) -> None:
    filler = "plain prose about nothing in particular and more of it " * 250
    repo.item("STORY-001", f"deposit {filler} refund {filler} winter", title="A long record")
    repo.item("STORY-002", "deposit deposit deposit deposit deposit", title="One word over and over")
    decision(repo, "DEC-000", "The deposit is no refund.\nNot in winter.", title="A short note")
    for number in range(8):
        repo.item(f"BUG-00{number}", filler[:200], title=f"Filler {number}")
    repo.commit()
    ingest()
    answer = binding(reader, topic="deposit refund winter")
    assert matched(answer)[0] == "DEC-000"
    assert "STORY-002" not in matched(answer)


@requirement("topic.reach", "topic.weaker-matches")
def test_only_what_carries_most_of_the_words_the_best_match_carries_is_kept(repo, ingest, reader) -> None:
    decision(repo, "DEC-000", "Storm deposit refund winter.")
    decision(repo, "DEC-001", "Storm deposit refund.")
    for number in range(7):
        repo.item(f"STORY-00{number}", "A storm came over the harbour wall.")
    repo.commit()
    ingest()
    answer = binding(reader, topic="storm deposit refund winter")
    assert matched(answer) == ["DEC-000", "DEC-001"]
    assert answer["scope"]["weaker_matches"] == 7


@requirement("topic.weaker-matches")
def test_matches_beyond_the_weighed_ones_are_counted_too(repo, ingest, reader, monkeypatch) -> None:
    monkeypatch.setattr(topic_module, "TOPIC_ROOM", 3)
    decision(repo, "DEC-000", "Storm deposit.")
    for number in range(7):
        repo.item(f"STORY-00{number}", "A storm came over the harbour wall.")
    repo.commit()
    ingest()
    answer = binding(reader, topic="storm deposit")
    assert (matched(answer), answer["scope"]["weaker_matches"]) == (["DEC-000"], 7)


@requirement("topic.walk")
def test_what_a_match_cites_is_served_though_it_shares_no_word_with_the_topic(repo, ingest, reader) -> None:
    repo.item("STORY-001", "Berths by phone.", cited_sources=["DEC-000"])
    decision(repo, "DEC-000", "Never on a Sunday.")
    repo.commit()
    ingest()
    answer = binding(reader, topic="berths phone")
    assert matched(answer) == ["STORY-001"]
    assert (row(answer, "DEC-000")["bears_on"], row(answer, "DEC-000")["method"]) == ("STORY-001", "cites")


@requirement("topic.note-itself")
def test_a_matched_decision_note_is_a_statement_that_bears_on_itself(repo, ingest, reader) -> None:
    decision(repo, "DEC-001", "Berths are booked by phone.")
    decision(repo, "DEC-000", "Berths are booked, phone or not.", cited_sources=["DEC-001"])
    repo.commit()
    ingest()
    answer = binding(reader, topic="berths booked phone")
    for note in ("DEC-000", "DEC-001"):
        assert (row(answer, note)["method"], row(answer, note)["bears_on"]) == ("topic-match", note)
    assert row(answer, "DEC-001")["also_bears_on"] == ["DEC-000"]


@requirement("topic.stopwords")
@pytest.mark.parametrize("topic", ["is it to do", "of", "a b c", "?!", "at on by"])
def test_a_topic_without_a_usable_word_matches_nothing_and_says_why(repo, ingest, reader, topic) -> None:
    decision(repo, "DEC-000", "It is to do of a at on by b c.")
    repo.commit()
    ingest()
    answer = binding(reader, topic=topic)
    assert answer["scope"]["matched"] == [] and answer["statements"] == []
    assert "no" in answer["scope"]["note"] and "names an artifact" in answer["scope"]["note"]


@requirement("topic.thin-no-note")
def test_a_usable_word_that_nothing_carries_matches_nothing_without_that_note(harbour, reader) -> None:
    harbour()
    answer = binding(reader, topic="zeppelin")
    assert answer["scope"]["matched"] == [] and "note" not in answer["scope"]
    assert answer["scope"]["weaker_matches"] == 0


@requirement("deleted.include", "deleted.only")
def test_a_topic_finds_withdrawn_notes_only_when_they_are_asked_for(repo, ingest, reader) -> None:
    decision(repo, "DEC-000", "Berths are booked by phone.")
    decision(repo, "DEC-001", "Berths are booked by phone.")
    repo.commit()
    ingest()
    (repo.root / "decisions/DEC-001.md").unlink()
    repo.commit()
    ingest()
    assert ids(binding(reader, topic="booked berths")) == ["DEC-000"]
    assert set(ids(binding(reader, topic="booked berths", deleted="include"))) == {"DEC-000", "DEC-001"}
    only = binding(reader, topic="booked berths", deleted="only")
    assert ids(only) == ["DEC-001"] and row(only, "DEC-001")["deleted"] is True


def test_the_notes_a_topic_matches_are_to_be_had_without_the_walk(repo, ingest, project, reader) -> None:
    repo.item("STORY-001", "Berths are booked by phone.", cited_sources=["DEC-002"])
    decision(repo, "DEC-000", "Berths are booked by phone.")
    decision(repo, "DEC-002", "Never on a Sunday.")
    repo.commit()
    ingest()
    corpus = Corpus(reader.store, [project], several=False)
    [found] = topic_notes(reader, corpus, "booked berths by phone")
    assert (found["artifact_id"], found["method"], found["bears_on"]) == ("DEC-000", "topic-match", "DEC-000")
    assert topic_notes(reader, corpus, "is it") == []
