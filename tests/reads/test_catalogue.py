"""The one table of the reads: what it refuses before anything is asked, for every door alike."""

from __future__ import annotations

from typing import Any

import pytest

from graphapi.domain.refusals import BadArguments
from graphapi.reads.catalogue import READS
from graphapi.reads.reader import Reader

SPOILED: list[tuple[str, dict[str, Any]]] = [
    ("query", {"query": "berth\0map"}),
    ("query", {"query": "half \ud83d"}),
    ("query", {"query": 7}),
    ("kind", {"query": "x", "kind": ["pbi", 3]}),
    ("limit", {"query": "x", "limit": "5"}),
    ("limit", {"query": "x", "limit": True}),
    ("projects", {"query": "x", "projects": ["a\0"]}),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("named", "arguments"), SPOILED)
def test_a_value_that_no_argument_can_be_is_refused_by_the_arguments_name(named, arguments) -> None:
    read = next(r for r in READS if r.name == "search_context")
    with pytest.raises(BadArguments) as caught:
        read(Reader(store=None), **arguments)  # type: ignore[arg-type]
    assert caught.value.detail.startswith(named)
