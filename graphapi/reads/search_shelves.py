"""How the shelves of a search give way to the byte budget, the inferred half first (004 section 5, inferred_cap)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphapi.reads.budget import READ_BUDGET, Rows, Shelf, size, tell
from graphapi.reads.search_inferred import sentences

# Concepts whose sentences go before they do: a name with half its paragraph is worth more than no name.
CONCEPTS_KEPT = 2

FEWER = "a narrower query or fewer kinds read the rest"
ALL = "inferred='all' lifts the cap"


@dataclass(slots=True)
class FactTail:
    """The rows of ``holder["facts"]`` behind the declared relations, from the end."""

    holder: dict[str, Any]

    def give(self, excess: int) -> bool:
        rows, declared = self.holder["facts"], self.holder["deterministic_facts"]
        gone = _taken(rows, declared, excess)
        tell(self.holder, "truncated_facts", READ_BUDGET, gone, len(rows) - declared, FEWER)
        return gone > 0


@dataclass(slots=True)
class StatedFacts:
    """The declared relations, from the end; what counts them keeps step."""

    holder: dict[str, Any]

    def give(self, excess: int) -> bool:
        rows = self.holder["facts"]
        gone = _taken(rows, 0, excess)
        self.holder["deterministic_facts"] = len(rows)
        tell(self.holder, "facts_truncated", READ_BUDGET, gone, len(rows), FEWER)
        return gone > 0


@dataclass(slots=True)
class Sentences:
    """What is left of the concepts' paragraphs, a sentence at a time; a concept without one goes with its last."""

    holder: dict[str, Any]

    def give(self, excess: int) -> bool:
        rows = self.holder["concepts"]
        if not rows:
            return False
        regained = gone = 0
        while rows and regained < excess:
            before = size(rows[-1])
            said = sentences(rows[-1]["summary"])
            if len(said) > 1:
                rows[-1]["summary"] = " ".join(said[:-1])
                rows[-1].setdefault("summary_sentences_total", len(said))
                regained += max(before - size(rows[-1]), 0)
            else:
                rows.pop()
                regained, gone = regained + before + 1, gone + 1
        tell(self.holder, "truncated_concepts", READ_BUDGET, gone, len(rows), FEWER)
        return True


@dataclass(slots=True)
class InferredSummaries:
    """``inferred_summary`` off the artifacts rows, the last row's first."""

    holder: dict[str, Any]

    def give(self, excess: int) -> bool:
        having = [row for row in self.holder["artifacts"] if "inferred_summary" in row]
        regained = gone = 0
        while having and (gone == 0 or regained < excess):
            row = having.pop()
            regained += size(row.pop("inferred_summary")) + len('"inferred_summary":,')
            row.pop("inferred_summary_sentences_total", None)
            gone += 1
        tell(self.holder, "truncated_inferred_summaries", READ_BUDGET, gone, len(having), FEWER)
        return gone > 0


def shelves_in_cut_order(holder: dict[str, Any]) -> list[Shelf]:
    """What gives way in a search's answer: nothing that a source stated while anything inferred is left."""
    inferred: list[Shelf] = [FactTail(holder)]
    if isinstance(holder["concepts"], list):
        inferred.append(Rows(holder["concepts"], holder, "truncated_concepts", FEWER, keep=CONCEPTS_KEPT))
        inferred += [Sentences(holder), InferredSummaries(holder)]
    return [
        *inferred,
        Rows(holder["passages"], holder, "passages_truncated", FEWER),
        StatedFacts(holder),
        Rows(holder["artifacts"], holder, "truncated", FEWER),
    ]


def _taken(rows: list[Any], keep: int, excess: int) -> int:
    """Take rows from the end for ``excess`` bytes, at least one where there is one past ``keep``."""
    gone = regained = 0
    while len(rows) > keep and (gone == 0 or regained < excess):
        regained += size(rows.pop()) + 1
        gone += 1
    return gone
