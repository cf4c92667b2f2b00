"""The nineteen planted questions and the notes and commits that serve them."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.corpus import Corpus, Question, build

from .tree import BACKLOG_ID, ID, SEEDS, flat, pages, pages_by_id

every_seed = pytest.mark.parametrize("seed", SEEDS)
QUESTION_WORDS = ("why", "did", "do", "does", "we", "was", "were", "are", "take", "took", "come")
SMALL_WORDS = {*QUESTION_WORDS, "the", "from", "to", "in", "at", "a", "of", "off", "our", "own", "on", "for", "it"}


def of_kind(corpus: Corpus, kind: str) -> list[Question]:
    return [question for question in corpus.gold.questions if question.kind == kind]


def stems(text: str) -> set[str]:
    """The words of a text that carry meaning, cut to four letters."""
    return {word[:4] for word in re.findall(r"[a-z]+", text.casefold()) if word not in SMALL_WORDS}


@pytest.mark.requirement("questions.kinds")
@every_seed
def test_nineteen_questions_of_five_kinds_fourteen_of_them_searches(seed: int) -> None:
    questions = build(seed, "full").gold.questions
    assert Counter(q.kind for q in questions) == {"topic": 8, "why": 4, "superseded": 1, "withdrawn": 1, "authoring": 5}
    assert sum(q.is_search for q in questions) == 14
    assert len({q.id for q in questions}) == len({q.text for q in questions}) == 19
    assert build(seed, "small").gold.questions == ()


@pytest.mark.requirement("questions.topic")
@every_seed
def test_a_topic_question_is_answered_by_the_note_that_holds_its_statement(seed: int) -> None:
    corpus = build(seed, "full")
    statements = {statement.key: statement for statement in corpus.gold.statements}
    for question in of_kind(corpus, "topic"):
        assert question.statement is not None
        passage = statements[question.statement].passage
        assert [page.id for page in pages(corpus) if passage in page.body] == list(question.answers)
        assert question.stretch in passage
        assert question.text != passage
    assert len({question.statement for question in of_kind(corpus, "topic")}) == 8


@pytest.mark.requirement("questions.topic", "questions.binding-topics")
def test_the_card_number_question_asks_its_words_and_its_answer_moves_with_the_seed() -> None:
    answers = []
    for seed in SEEDS:
        asked = [
            q for q in build(seed, "full").gold.questions if q.text == "Do we keep skippers' card numbers anywhere?"
        ]
        assert [q.topic for q in asked] == ["card numbers"]
        answers += asked[0].answers
    assert len(set(answers)) > 2


@pytest.mark.requirement("questions.binding-topics")
@every_seed
def test_the_topic_questions_and_the_superseded_one_name_nine_plain_topics(seed: int) -> None:
    questions = build(seed, "full").gold.questions
    with_topic = [q for q in questions if q.topic is not None]
    assert Counter(q.kind for q in with_topic) == {"topic": 8, "superseded": 1}
    assert len({q.topic for q in with_topic}) == 9
    assert [q.topic for q in with_topic if ID.search(q.topic or "")] == []


@pytest.mark.requirement("questions.why", "corpus.commit-distractors")
@every_seed
def test_a_why_question_has_one_note_that_says_why_and_one_commit_that_has_its_words(seed: int) -> None:
    corpus = build(seed, "full")
    by_id = pages_by_id(corpus)
    messages = {commit.artifact_id: commit.message for commit in corpus.commits}
    whys = of_kind(corpus, "why")
    assert sorted(q.distractor or "" for q in whys) == sorted(messages)
    for question in whys:
        (answer,) = question.answers
        assert by_id[answer].meta["type"] == "decision"
        assert question.stretch in by_id[answer].body.partition("## Why")[2].partition("## Alternatives")[0]
        shared = {id_: len(stems(question.text) & stems(text)) for id_, text in messages.items()}
        assert shared[question.distractor or ""] >= 0.75 * len(stems(question.text))
        assert max(shared, key=lambda id_: shared[id_]) == question.distractor


@pytest.mark.requirement("corpus.commit-distractors")
@every_seed
def test_no_commit_message_carries_the_stretch_of_any_question(seed: int) -> None:
    corpus = build(seed, "full")
    stretches = [q.stretch for q in corpus.gold.questions if q.stretch]
    assert len(stretches) == 14
    texts = [flat(text) for c in corpus.commits for text in (c.message, *(text for _, text in c.files))]
    assert [s for s in stretches for text in texts if flat(s) in text] == []
    assert [c.message for c in corpus.commits if re.search(r"\b(because|since|so that|why)\b", c.message)] == []


@pytest.mark.requirement("corpus.question-notes")
@every_seed
def test_eight_notes_serve_the_questions_and_all_are_there_before_the_withdrawal(seed: int) -> None:
    corpus = build(seed, "full")
    by_id = pages_by_id(corpus)
    why = [id_ for q in of_kind(corpus, "why") for id_ in q.answers]
    (pair,), (gone,) = of_kind(corpus, "superseded"), of_kind(corpus, "withdrawn")
    eight = [*why, *pair.answers, pair.retired, *gone.answers, gone.withdrawn]
    assert len(set(eight)) == 8
    dates = {file.artifact_id: file.date for file in corpus.artifacts}
    assert corpus.withdrawal is not None
    for id_ in eight:
        assert id_ is not None
        assert by_id[id_].meta["type"] == "decision"
        assert dates[id_] < corpus.withdrawal.date
    assert corpus.withdrawal.artifact_id == gone.withdrawn
    assert corpus.gold.withdrawn == (gone.withdrawn,)


@pytest.mark.requirement("questions.superseded", "corpus.question-notes")
@every_seed
def test_the_superseded_question_is_answered_by_the_later_note_and_names_the_earlier(seed: int) -> None:
    corpus = build(seed, "full")
    by_id = pages_by_id(corpus)
    (question,) = of_kind(corpus, "superseded")
    (newer,) = question.answers
    dates = {file.artifact_id: file.date for file in corpus.artifacts}
    assert question.retired is not None
    assert by_id[newer].meta["supersedes"] == [question.retired]
    assert dates[question.retired] < dates[newer]
    assert question.topic_notes == (question.retired, newer)
    assert corpus.gold.successors[question.retired] == newer


@pytest.mark.requirement("questions.withdrawn")
@every_seed
def test_the_withdrawn_question_is_answered_by_a_note_that_stays_and_names_the_other(seed: int) -> None:
    corpus = build(seed, "full")
    by_id = pages_by_id(corpus)
    (question,) = of_kind(corpus, "withdrawn")
    (live,) = question.answers
    assert question.withdrawn not in (None, live)
    shared = stems(by_id[live].body) & stems(by_id[question.withdrawn or ""].body)
    assert stems("things crews leave behind") <= shared
    touching = [e for e in corpus.gold.edges if question.withdrawn in (e.source, e.target)]
    assert touching == []


@pytest.mark.requirement("questions.authoring")
@every_seed
def test_an_authoring_question_is_answered_by_the_story_whose_words_it_comes_nearest_to(seed: int) -> None:
    corpus = build(seed, "full")
    stories = [page for page in pages(corpus) if page.meta.get("type") == "story"]
    for question in of_kind(corpus, "authoring"):
        (answer,) = question.answers
        shared = {s.id: len(stems(question.text) & stems(f"{s.meta['title']} {s.body}")) for s in stories}
        assert answer in shared
        best = max(count for id_, count in shared.items() if id_ != question.retired)
        assert shared[answer] == best
        assert ID.search(question.text) is None
        assert (question.topic, question.stretch) == (None, None)


@pytest.mark.requirement("questions.authoring-successor")
@every_seed
def test_one_authoring_question_is_about_a_superseded_story_and_its_successor_answers(seed: int) -> None:
    corpus = build(seed, "full")
    retired = [q for q in of_kind(corpus, "authoring") if q.retired is not None]
    assert len(retired) == 1
    assert retired[0].answers == (corpus.gold.successors[retired[0].retired or ""],)
    superseded = set(corpus.gold.successors)
    assert [q.id for q in corpus.gold.questions if superseded & set(q.answers)] == []
    old = pages_by_id(corpus)[retired[0].retired or ""]
    assert len(stems(retired[0].text) & stems(f"{old.meta['title']} {old.body}")) >= 4


@pytest.mark.requirement("questions.stretch")
@settings(max_examples=30, deadline=None)
@given(seed=st.integers())
def test_a_stretch_is_in_every_answering_body_alone_and_in_no_title(seed: int) -> None:
    corpus = build(seed, "full")
    titles = [flat(artifact.title) for artifact in (*corpus.gold.artifacts, *corpus.gold.commits)]
    bodies = [(page.id, flat(page.body)) for page in pages(corpus)]
    for question in corpus.gold.questions:
        if question.is_search:
            assert question.stretch
            holders = [id_ for id_, body in bodies if flat(question.stretch) in body]
            assert holders == list(question.answers)
            assert [
                title for title in titles if flat(question.stretch) in title or title in flat(question.stretch)
            ] == []


@pytest.mark.requirement("corpus.question-set-apart")
@every_seed
def test_the_question_notes_and_commits_name_no_backlog_id_and_come_after_all_else(seed: int) -> None:
    corpus = build(seed, "full")
    asked = {id_ for q in corpus.gold.questions if q.kind in ("why", "superseded", "withdrawn") for id_ in q.answers}
    asked |= {id_ for q in corpus.gold.questions if q.kind != "authoring" for id_ in (q.retired, q.withdrawn) if id_}
    files = {file.artifact_id: file for file in corpus.artifacts}
    assert len(asked) == 8
    texts = [files[id_].text for id_ in sorted(asked)] + [commit.message for commit in corpus.commits]
    texts += [text for commit in corpus.commits for _, text in commit.files]
    assert [text for text in texts if BACKLOG_ID.search(text)] == []
    late = [files[id_].date for id_ in sorted(asked)] + [commit.date for commit in corpus.commits]
    assert min(late) > max(file.date for id_, file in files.items() if id_ not in asked)
