"""Whether the reads put the answer first, on the seeded corpus and without a model: ``python -m benchmarks.retrieval``.

Asks the planted questions of each seed (000, "What the scores mean") of the functions every surface calls, at their own
limits, on a lite instance, after the withdrawal. Prints each figure by seed and its mean. A figure is reported, not
judged; what must hold whatever the ranking is that the withdrawn note is never served, and that exits with 1.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import defaultdict
from typing import Any

from django.core.management import call_command

from benchmarks.own_instance import HOME
from evals.corpus import build, withdraw, write
from graphapi.ingest.passes import run_pass
from graphapi.models import Project
from graphapi.reads.authoring import get_authoring_context
from graphapi.reads.reader import instance_reader
from graphapi.reads.scope import get_scope
from graphapi.reads.search import search_context
from graphapi.store.instance import instance_store

SEEDS = (7, 11, 13, 17, 19)


def planted(seed: int) -> Any:
    """The corpus of ``seed`` as the default project, read, its note withdrawn, and read again."""
    corpus, root = build(seed, "full"), HOME / f"seed-{seed}"
    write(corpus, root)
    Project.objects.all().delete()
    project = Project.objects.create(name=f"seed-{seed}", namespace=f"retrieval-{seed}", root=str(root))
    run_pass(project, instance_store())
    withdraw(corpus, root)
    run_pass(project, instance_store())
    return corpus


class Asked:
    """The questions of one corpus put to the reads, and what was counted on the way."""

    def __init__(self, corpus: Any) -> None:
        self.gold, self.reader = corpus.gold, instance_reader()
        self.successors, self.withdrawn = self.gold.successors, set(self.gold.withdrawn)
        self.scores: dict[str, list[float]] = defaultdict(list)
        self.counts = dict.fromkeys(
            ("retired above successor", "commit above the decision", "withdrawn served", "retired served unmarked"), 0
        )
        self.misses: list[str] = []

    def figures(self) -> dict[str, Any]:
        for question in self.gold.questions:
            (self._search if question.is_search else self._drafting)(question)
            if question.topic:
                self._binding(get_scope(self.reader, question="binding", topic=question.topic)["statements"])
        return {name: statistics.mean(values) for name, values in self.scores.items()} | self.counts

    def _search(self, question: Any) -> None:
        found, answers = search_context(self.reader, query=question.text), set(question.answers)
        ids = [row["artifact_id"] for row in found["artifacts"]]
        ranks = [ids.index(a) + 1 for a in answers if a in ids]
        self.scores["MRR"].append(1 / min(ranks) if ranks else 0.0)
        self.scores["P@3"].append(len(answers & set(ids[:3])) / min(3, len(answers)))
        quoted = [plain(p["excerpt"]) for p in found["passages"] if p["artifact_id"] in answers]
        self.scores["excerpt hit"].append(float(any(plain(question.stretch or "") in text for text in quoted)))
        if question.distractor in ids:
            above = not ranks or ids.index(question.distractor) < min(ranks) - 1
            self.counts["commit above the decision"] += above
        self._withdrawn(found["artifacts"], found["passages"])
        self.counts["withdrawn served"] += sum(len(self.withdrawn & set(f["endpoints"])) for f in found["facts"])
        self._retired(ids)
        if not ranks or min(ranks) > 1:
            self.misses.append(
                f"{question.id}: {sorted(answers)} at {min(ranks) if ranks else 'none'}; first {ids[:3]}"
            )

    def _drafting(self, question: Any) -> None:
        bundle, answers = get_authoring_context(self.reader, intent=question.text), set(question.answers)
        ids = [row["artifact_id"] for row in bundle["backlog"]]
        self.scores["authoring top-3"].append(float(bool(answers & set(ids[:3]))))
        self.scores["binding non-empty"].append(float(bool(bundle["binding"]["statements"])))
        self._withdrawn(bundle["backlog"])
        self._binding(bundle["binding"]["statements"])
        self._retired(ids)
        if not answers & set(ids[:3]):
            self.misses.append(f"{question.id}: {sorted(answers)} not among {ids[:3]}")

    def _binding(self, rows: list[dict[str, Any]]) -> None:
        self._withdrawn(rows)
        whole = [row for row in rows if "passage" in row]
        self.counts["retired served unmarked"] += sum(
            1 for row in whole if row["artifact_id"] in self.successors and "superseded_by" not in row
        )

    def _withdrawn(self, *shelves: list[dict[str, Any]]) -> None:
        self.counts["withdrawn served"] += sum(row["artifact_id"] in self.withdrawn for s in shelves for row in s)

    def _retired(self, ids: list[str]) -> None:
        self.counts["retired above successor"] += sum(
            1
            for old, new in self.successors.items()
            if old in ids and (new not in ids or ids.index(old) < ids.index(new))
        )


def plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    rows: dict[int, dict[str, Any]] = {}
    misses: list[str] = []
    for seed in options.seeds:
        asked = Asked(planted(seed))
        rows[seed] = asked.figures()
        misses += [f"seed {seed}  {line}" for line in asked.misses]
    names = list(next(iter(rows.values())))
    print(f"{'figure':<28}{'mean':>8}" + "".join(f"{f'seed {s}':>10}" for s in rows))
    for name in names:
        values = [row[name] for row in rows.values()]
        print(f"{name:<28}{statistics.mean(values):>8.3f}" + "".join(f"{v:>10.3f}" for v in values))
    print("\n".join(misses))
    return int(any(row["withdrawn served"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
