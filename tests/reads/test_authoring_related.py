"""The search beside a drafting bundle: the same search, less what the backlog serves (004 section 2b)."""

from __future__ import annotations

from typing import Any

import pytest

from graphapi.reads.authoring import get_authoring_context
from graphapi.reads.inferences import Concept
from graphapi.reads.search import search_context
from tests.reads.deliveries import ids
from tests.reads.model import Inferred

SHELVES = ("artifacts", "passages", "facts")


def bundle(reader: Any, intent: str = "mooring fee", **arguments: Any) -> dict[str, Any]:
    return get_authoring_context(reader, intent=intent, **arguments)


@pytest.fixture
def planned(repo, project, ingest) -> None:
    for n in range(8):
        repo.item(f"STORY-00{n}", "The mooring fee.", type="story", title=f"Word{n}")
        repo.item(f"CONV-00{n}", "A talk of the mooring fee.", folder="conversations", title=f"Talk{n}")
    repo.commit("plan", "2026-02-01")
    ingest()


@pytest.mark.requirement("authoring.related-limit")
def test_related_is_a_search_at_the_bundles_own_limit(planned, reader) -> None:
    related = bundle(reader, limit=3)["related"]
    assert all(len(related[shelf]) <= 3 for shelf in SHELVES)
    found = search_context(reader, query="mooring fee", limit=3)
    kept = {**related, **{shelf: found[shelf] for shelf in ("artifacts", "passages")}}
    assert {key: kept[key] for key in found if key not in ("freshness", "history")} == {
        key: value for key, value in found.items() if key not in ("freshness", "history")
    }


@pytest.mark.requirement("authoring.related-no-repeat")
def test_what_the_backlog_serves_is_named_and_not_repeated(planned, reader) -> None:
    answer = bundle(reader, limit=5)
    found = search_context(reader, query="mooring fee", limit=5)
    nearest = ids(answer["backlog"])
    both = [i for i in dict.fromkeys([*ids(found["artifacts"]), *ids(found["passages"])]) if i in nearest]
    assert both
    assert answer["related"]["artifacts_in_backlog"] == both
    for shelf in ("artifacts", "passages"):
        assert answer["related"][shelf] == [row for row in found[shelf] if row["artifact_id"] not in nearest]


@pytest.mark.requirement("cap.bundle-related")
def test_related_is_under_the_inferred_cap_and_says_so(planned, reader, store) -> None:
    named = [Concept(f"thing {n}", "One. Two. Three. Four.") for n in range(20)]
    full = type(reader)(store, inferences=Inferred(named=named))
    related = bundle(full, limit=20)["related"]
    found = search_context(full, query="mooring fee", limit=20)
    for key in ("concepts", "inferred_cap", "truncated_concepts"):
        assert related[key] == found[key]
    assert related["truncated_concepts"]["reason"] == "inferred-cap"
    widened = bundle(full, limit=20, inferred="all")["related"]
    assert len(widened["concepts"]) == 20
    assert "inferred_cap" not in widened
