"""The gold's edges, held against a reading of the files that knows nothing of the plan."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evals.corpus.corpus as corpus_module
from evals.corpus import Corpus, build

from .tree import BACKLOG_ID, COMMIT_ID, ID, SEEDS, names_title, of_folder, of_type, pages

every_seed = pytest.mark.parametrize("seed", SEEDS)
both_sizes = pytest.mark.parametrize("size", ["full", "small"])
Triples = set[tuple[str, str, str]]


def read_edges(corpus: Corpus) -> Triples:
    """Every edge that the files declare: their frontmatter, and each id that stands whole in a body."""
    found: Triples = set()
    for page in pages(corpus):
        meta = page.meta
        found |= {
            (page.id, meta[key], relation)
            for key, relation in (("parent", "parent"), ("delivers", "delivers"))
            if key in meta
        }
        found |= {(page.id, target, "cites") for target in meta.get("cited_sources", [])}
        found |= {(page.id, target, "supersedes") for target in meta.get("supersedes", [])}
        found |= {(page.id, target, "references") for target in meta.get("related", []) if BACKLOG_ID.fullmatch(target)}
        found |= {(page.id, target, "references") for target in ID.findall(page.body)}
    return found


def gold_edges(corpus: Corpus) -> Triples:
    return {(edge.source, edge.target, edge.relation) for edge in corpus.gold.edges}


@pytest.mark.requirement("gold.edges")
@both_sizes
@every_seed
def test_the_gold_lists_exactly_the_edges_that_the_files_declare_each_once(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    assert gold_edges(corpus) == read_edges(corpus)
    assert len(corpus.gold.edges) == len(gold_edges(corpus))
    assert {relation for _, _, relation in gold_edges(corpus)} == {
        "parent",
        "cites",
        "supersedes",
        "delivers",
        "references",
    }


@pytest.mark.requirement("gold.edges")
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(), size=st.sampled_from(["full", "small"]))
def test_for_any_seed_the_gold_is_what_the_files_declare(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    assert gold_edges(corpus) == read_edges(corpus)


@pytest.mark.requirement("gold.edges")
@both_sizes
@every_seed
def test_every_edge_joins_two_artifacts_and_none_joins_one_to_itself(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    ids = {page.id for page in pages(corpus)}
    for source, target, _ in gold_edges(corpus):
        assert {source, target} <= ids
        assert source != target


@pytest.mark.requirement("gold.edges")
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(), size=st.sampled_from(["full", "small"]))
def test_no_body_and_no_commit_message_carries_the_title_of_an_artifact(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    titles = [artifact.title for artifact in (*corpus.gold.artifacts, *corpus.gold.commits)]
    assert len({title.casefold() for title in titles}) == len(titles)
    bodies = [(page.id, page.body) for page in pages(corpus)]
    bodies += [(commit.artifact_id, commit.message.partition("\n")[2]) for commit in corpus.commits]
    found = [(id_, title) for id_, body in bodies for title in titles if names_title(title, body)]
    assert found == []


@pytest.mark.requirement("gold.edges")
def test_the_title_check_above_sees_a_title_through_case_and_line_breaks() -> None:
    assert names_title("Remember my boat", "They said: remember\n my BOAT, please.")
    assert not names_title("Remember my boat", "Remember my boats")


@pytest.mark.requirement("gold.edges")
@both_sizes
@every_seed
def test_a_file_carries_the_title_and_id_that_the_gold_gives_it(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    assert [(p.id, p.meta["title"]) for p in pages(corpus)] == [(a.id, a.title) for a in corpus.gold.artifacts]
    for page in pages(corpus):
        assert page.path.rpartition("/")[2].startswith(page.id)


@pytest.mark.requirement("gold.edges")
@every_seed
def test_no_prose_and_no_message_names_a_commit(seed: int) -> None:
    corpus = build(seed, "full")
    texts = [file.text for file in corpus.files] + [commit.message for commit in corpus.commits]
    for text in texts:
        assert not COMMIT_ID.search(text)
        assert [commit.sha for commit in corpus.commits if commit.sha[:7] in text] == []


@pytest.mark.requirement("corpus.cites-and-mentions")
@both_sizes
@every_seed
def test_stories_cite_notes_and_notes_name_stories(seed: int, size: str) -> None:
    corpus = build(seed, size)  # type: ignore[arg-type]
    base_decisions = 4 if size == "full" else 1
    for story in of_type(corpus, "story"):
        assert [cited for cited in story.meta["cited_sources"] if cited.startswith(("CONV-", "DEC-"))]
    notes = of_type(corpus, "conversation") + of_folder(corpus, "decisions")[:base_decisions]
    for note in notes:
        assert [id_ for id_ in ID.findall(note.body) if id_.startswith("STORY-")]


@pytest.mark.requirement("corpus.cites-and-mentions")
@every_seed
def test_a_story_cites_only_what_was_there_before_it(seed: int) -> None:
    corpus = build(seed, "full")
    dates = {file.artifact_id: file.date for file in corpus.artifacts}
    for story in of_type(corpus, "story"):
        assert len(story.meta["cited_sources"]) == len(set(story.meta["cited_sources"]))
        assert all(dates[cited] < dates[story.id] for cited in story.meta["cited_sources"])


@pytest.mark.requirement("gold.from-structure")
@both_sizes
def test_a_renderer_that_writes_nothing_leaves_the_gold_as_it_is(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = build(7, size)  # type: ignore[arg-type]
    monkeypatch.setattr(corpus_module, "body", lambda entry: "")
    monkeypatch.setattr(corpus_module, "frontmatter", lambda entry: "")
    blank = build(7, size)  # type: ignore[arg-type]
    assert {file.text for file in blank.artifacts} == {""}
    assert blank.gold == written.gold
    assert blank.gold.edges
    assert blank.digest != written.digest
