"""Words: what a query finds, and what it cannot be made to do."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphapi.store.port import ArtifactHit, GraphStore
from tests.contract.rows import NOW, artifact, link, plant, statement


def write(store: GraphStore, namespace: str, **titles: str) -> None:
    """Artifacts by id with these titles; the namespace gets rows enough for no word to stand in half of them."""
    rows = [artifact(i, title=title) for i, title in titles.items()]
    rows += [artifact(f"FILL-{n}", title=f"filler{n}") for n in range(len(rows) + 2)]
    store.upsert_artifacts(namespace, rows, now=NOW)


def found(store: GraphStore, namespace: str, query: str) -> list[str]:
    return [hit.artifact_id for hit in store.search_artifacts(namespace, query)]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("allocating", "the allocation of berths"),
        ("allocation", "berths were allocated"),
        ("berths", "one berth"),
        ("mooring", "moored vessels"),
        ("CRANES", "a crane"),
        ("relational", "relations between ships"),
    ],
)
def test_words_match_by_their_english_stem(store: GraphStore, namespace: str, query: str, text: str) -> None:
    write(store, namespace, HIT=text, MISS="something else entirely")
    assert found(store, namespace, query) == ["HIT"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("billing", "see src/billing.py"),
        ("billing", "the billing_rules table"),
        ("rules", "the billing_rules table"),
        ("py", "see src/billing.py"),
        ("src/billing.py", "billing in general"),
        ("billing_rules", "rules of all sorts"),
        ("anna", "Anna's berth"),
        ("4711", "invoice no. 4711/b"),
        ("v2", "the api/v2 route"),
    ],
)
def test_paths_and_names_are_found_by_their_parts(store: GraphStore, namespace: str, query: str, text: str) -> None:
    write(store, namespace, HIT=text, MISS="something else entirely")
    assert found(store, namespace, query) == ["HIT"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("naive", "a naïve reading"),
        ("naïve", "a naive reading"),
        ("RÉSUMÉ", "the resume of it"),
        ("re\u0301sume\u0301", "the résumé of it"),
        ("Zürich", "harbour of ZURICH"),
        ("Ｗide", "Ｗide letters"),
        ("порт", "морской Порт"),
        ("λιμάνι", "ΤΟ ΛΙΜΆΝΙ"),
        ("配船計画", "配船計画 一覧"),
    ],
)
def test_case_and_accents_do_not_count_in_any_script(store: GraphStore, namespace: str, query: str, text: str) -> None:
    write(store, namespace, HIT=text, MISS="something else entirely")
    assert found(store, namespace, query) == ["HIT"]


@pytest.mark.parametrize("query", ["", "   ", "the and of", "The AND not Or", "?!…", "\u0301", "🚢", "_", '"', "()"])
def test_a_query_without_a_word_to_look_for_finds_nothing(store: GraphStore, namespace: str, query: str) -> None:
    write(store, namespace, A="the ship and the sea or not")
    store.link(namespace, [link(namespace, "A", "FILL-0", fact="the and not")])
    assert store.search_artifacts(namespace, query) == []
    assert store.search_facts(namespace, query) == []


def test_any_word_may_match_and_more_words_stand_higher(store: GraphStore, namespace: str) -> None:
    write(store, namespace, ONE="pilot boards", TWO="pilot boards vessel", NONE="tide table")
    assert found(store, namespace, "vessel pilot zeppelin") == ["TWO", "ONE"]


def test_stopwords_neither_match_nor_weigh(store: GraphStore, namespace: str) -> None:
    write(store, namespace, A="the quay", B="the crane", C="to be or not to be")
    with_stopwords = store.search_artifacts(namespace, "the quay of a and to be")
    assert with_stopwords == store.search_artifacts(namespace, "quay")
    assert [hit.artifact_id for hit in with_stopwords] == ["A"]


OPERATORS = [
    "crane NOT tide",
    "crane AND zeppelin",
    "crane NEAR tide",
    "NEAR(crane zeppelin, 2)",
    "crane*",
    "title:crane",
    "title : crane",
    "marks:1 crane",
    "{title body}: crane",
    "-crane",
    "+zeppelin crane",
    "^crane",
    "crane^4",
    "crane~2",
    '"crane zeppelin"',
    'crane"',
    "crane'",
    "crane\\",
    "\\",
    "crane)",
    "(crane",
    "((crane) AND (zeppelin))",
    "crane && zeppelin",
    "crane || zeppelin",
    "!crane",
    "[a TO z] crane",
    "/cra.*/ crane",
    "crane; DROP TABLE artifacts",
    "crane $lucene {x}",
    "crane\x00",
    "crane\n\t\r tide",
]


@pytest.mark.parametrize("query", OPERATORS)
def test_no_operator_in_a_query_is_obeyed(store: GraphStore, namespace: str, query: str) -> None:
    write(store, namespace, A="crane", B="cranial crank")
    store.link(namespace, [link(namespace, "A", "B", fact="crane")])
    assert found(store, namespace, query) == ([] if query == "\\" else ["A"])
    assert len(store.search_facts(namespace, query)) == (query != "\\")


def test_words_that_name_operators_are_words(store: GraphStore, namespace: str) -> None:
    write(store, namespace, A="near the pier", B="title page", C="a match", D="from a to z")
    assert found(store, namespace, "NEAR") == ["A"]
    assert found(store, namespace, "TITLE") == ["B"]
    assert found(store, namespace, "MATCH") == ["C"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_no_query_breaks_the_search_or_finds_what_lacks_its_words(
    store: GraphStore, namespace: str, query: str
) -> None:
    if not store.get(namespace, ["A"]):
        write(store, namespace, A="qqxjz", B="zzqqx")
        store.link(namespace, [link(namespace, "A", "B", fact="qqxjz")])
    for hit in store.search_artifacts(namespace, query):
        assert any(word in query.lower() for word in ("qqxjz", "zzqqx", "filler")), hit
    assert store.search_facts(namespace, query) == [] or "qqxjz" in query.lower()


@pytest.mark.parametrize("word", ["\U0001e900\U0001e901\U0001e902", "²", "½", "①", "ↀ"])
def test_a_word_that_an_analyzer_may_make_nothing_of_finds_nothing_it_should_not(
    store: GraphStore, namespace: str, word: str
) -> None:
    write(store, namespace, A="crane")
    store.link(namespace, [link(namespace, "A", "FILL-0", fact="crane")])
    assert found(store, namespace, word) == store.search_facts(namespace, word) == []
    assert found(store, namespace, f"{word} crane") == ["A"]


def test_a_page_of_text_is_a_query(store: GraphStore, namespace: str) -> None:
    write(store, namespace, A="crane")
    page = "crane " + " ".join(f"word{n}" for n in range(5000))
    assert found(store, namespace, page) == ["A"]


def test_the_title_weighs_more_than_the_body(store: GraphStore, namespace: str) -> None:
    rows = [
        artifact("BODY", title="one thing", body="pilotage words words"),
        artifact("TITLE", title="pilotage thing", body="one words words"),
        *(artifact(f"FILL-{n}", title=f"filler{n} thing", body="one words words") for n in range(6)),
    ]
    store.upsert_artifacts(namespace, rows, now=NOW)
    first, second = store.search_artifacts(namespace, "pilotage")
    assert (first.artifact_id, second.artifact_id) == ("TITLE", "BODY")
    assert first.score > second.score * 1.2


def test_a_short_match_stands_before_a_long_one(store: GraphStore, namespace: str) -> None:
    write(store, namespace, LONG="tugboat " + "and many other words about the sea " * 20, SHORT="tugboat rota")
    assert found(store, namespace, "tugboat") == ["SHORT", "LONG"]


def test_hits_carry_title_kind_and_falling_scores(store: GraphStore, namespace: str) -> None:
    rows = [artifact("A", title="berth Plan", kind="doc"), artifact("B", title="other", body="berth " + "pad " * 50)]
    rows += [artifact(f"FILL-{n}", title="filler") for n in range(6)]
    store.upsert_artifacts(namespace, rows, now=NOW)
    hits = store.search_artifacts(namespace, "berth")
    assert [(hit.artifact_id, hit.title, hit.kind) for hit in hits] == [
        ("A", "berth Plan", "doc"),
        ("B", "other", "pbi"),
    ]
    assert hits[0].score > hits[1].score > 0


def test_equal_scores_stand_in_natural_order_whatever_order_they_were_written_in(
    store: GraphStore, namespace: str
) -> None:
    ids = [f"S-{n}" for n in (10, 9, 2, 100, 33, 1)] + ["s-1"]
    plant_rows = [artifact(i, title="quayside", sort_key=artifact(i).sort_key) for i in ids]
    store.upsert_artifacts(namespace, plant_rows, now=NOW)
    assert found(store, namespace, "quayside") == ["S-1", "s-1", "S-2", "S-9", "S-10", "S-33", "S-100"]


def test_a_limit_that_cuts_through_equal_scores_keeps_the_first_by_natural_order(
    store: GraphStore, namespace: str
) -> None:
    store.upsert_artifacts(namespace, [artifact(f"S-{n}", title="quayside") for n in range(200, 0, -1)], now=NOW)
    hits = store.search_artifacts(namespace, "quayside", limit=3)
    assert [hit.artifact_id for hit in hits] == ["S-1", "S-2", "S-3"]


def test_equal_facts_stand_by_rank_then_source(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "A-10", "A-9", "B")
    rows = [
        link(namespace, "A-10", "B", fact="same words", rank=10),
        link(namespace, "A-9", "B", fact="same words", rank=10),
        link(namespace, "A-10", "B", "cites", fact="same words", rank=5),
    ]
    store.link(namespace, rows)
    store.put_statements(namespace, [statement(namespace, "A-9", "x", fact="same words")])
    hits = store.search_facts(namespace, "words")
    assert [(hit.rank, hit.source_id) for hit in hits] == [(5, "A-10"), (10, "A-9"), (10, "A-10"), (500, "A-9")]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_of_nothing_finds_nothing(store: GraphStore, namespace: str, limit: int) -> None:
    write(store, namespace, A="crane")
    assert store.search_artifacts(namespace, "crane", limit=limit) == []
    assert store.search_facts(namespace, "crane", limit=limit) == []


def test_a_rewritten_artifact_is_found_by_its_new_words_only(store: GraphStore, namespace: str) -> None:
    write(store, namespace, A="lighthouse keeper", B="pier")
    store.upsert_artifacts(namespace, [artifact("A", title="harbour pilot")], now=NOW)
    assert found(store, namespace, "lighthouse") == []
    assert found(store, namespace, "pilot") == ["A"]


def test_a_blank_title_and_body_are_written_and_never_found(store: GraphStore, namespace: str) -> None:
    store.upsert_artifacts(namespace, [artifact("A", withheld=True), artifact("B", title="pier")], now=NOW)
    assert found(store, namespace, "pier A withheld") == ["B"]


def test_only_links_with_a_fact_are_in_the_fact_index(store: GraphStore, namespace: str) -> None:
    plant(store, namespace, "A", "B", "C")
    rows = [
        link(namespace, "A", "B", fact="A delivers B"),
        link(namespace, "A", "C", "cites", fact=""),
        link(namespace, "B", "C", "mentions", fact="  \n"),
    ]
    store.link(namespace, rows)
    (hit,) = store.search_facts(namespace, "delivers cites mentions A B C", deleted="include")
    assert (hit.kind, hit.key, hit.source_id, hit.target_id) == ("link", rows[0].key, "A", "B")
    assert (hit.relation, hit.method, hit.rank, hit.fact) == ("parent", "parent", rows[0].rank, "A delivers B")


def test_a_link_that_loses_its_fact_leaves_the_fact_index_and_one_that_gains_a_fact_enters_it(
    store: GraphStore, namespace: str
) -> None:
    plant(store, namespace, "A", "B")
    store.link(namespace, [link(namespace, "A", "B", fact="lantern")])
    store.link(namespace, [link(namespace, "A", "B", fact="")])
    assert store.search_facts(namespace, "lantern", deleted="include") == []
    store.link(namespace, [link(namespace, "A", "B", fact="lantern again")])
    assert [hit.fact for hit in store.search_facts(namespace, "lantern")] == ["lantern again"]


def test_scores_are_numbers_of_one_answer(store: GraphStore, namespace: str) -> None:
    write(store, namespace, A="crane")
    (hit,) = store.search_artifacts(namespace, "crane")
    assert isinstance(hit, ArtifactHit)
    assert isinstance(hit.score, float)
