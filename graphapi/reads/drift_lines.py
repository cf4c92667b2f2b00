"""The lines of a drift answer: each item's deliveries judged, each verdict as it was given (004 section 2b, Drift)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphapi.domain.artifact import natural_key
from graphapi.domain.criteria import Criteria, read_criteria
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.drift_gather import DONE, Gathered, Window
from graphapi.reads.drift_verdicts import Delivery, Departure, Ruled, position_of, rule
from graphapi.reads.marks import bounded, deletion
from graphapi.store.port import Deleted, StoredArtifact

_VERDICT_KEYS = ("text", "verdict", "reason", "decided_by")


@dataclass(slots=True)
class Lines:
    """``rows`` by the answer's own names. ``delivered`` counts the items with a delivery in the window, and
    ``undated_done`` the done ones without a record whose flip nothing dates."""

    rows: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {
            "departures": [], "done_without_record": [], "unruled": [], "no_criteria_declared": [], "clean": [],
        }
    )  # fmt: skip
    delivered: int = 0
    undated_done: int = 0


def lines_of(
    corpus: Corpus, gathered: Gathered, window: Window, deleted: Deleted, flips: Mapping[Key, list[str]]
) -> Lines:
    """Every line, in natural order of the items' ids. A delivery is judged together with those made before the window
    closed; a departure is listed where its own delivery is in the window."""
    lines = Lines()
    for key in sorted(gathered.items, key=lambda k: (natural_key(k.artifact_id), k.artifact_id, k.place)):
        item = gathered.items[key]
        made = [d for d in gathered.deliveries.get(key, ()) if _asked(item, d, deleted) and window.is_past(d.at)]
        within = [d for d in made if window.holds(d.at)]
        if within:
            lines.delivered += 1
            _delivered(lines, corpus, item, made, within)
        elif item.status == DONE and not gathered.has_record(key):
            _done(lines, corpus, key, item, window, deleted, flips.get(key, []))
    return lines


def _asked(item: StoredArtifact, delivery: Delivery, deleted: Deleted) -> bool:
    return deleted != "only" or item.deleted or delivery.artifact.deleted


def _delivered(
    lines: Lines, corpus: Corpus, item: StoredArtifact, made: list[Delivery], within: list[Delivery]
) -> None:
    criteria = read_criteria(item.body)
    count = len(criteria.items)
    ruled = rule(made, criteria.items)
    inside = {d.record for d in within}
    lines.rows["departures"] += [
        _departure(corpus, item, d, count) for d in ruled.departures if d.delivery.record in inside
    ]
    newest = max(within, key=lambda d: d.order)
    name, rest = _settled(item, newest, criteria, ruled, hidden=any(d.artifact.withheld for d in made))
    if name:
        lines.rows[name].append(bounded(_row(corpus, item, newest) | rest))


def _settled(
    item: StoredArtifact, newest: Delivery, criteria: Criteria, ruled: Ruled, *, hidden: bool
) -> tuple[str, dict[str, Any]]:
    """Which list the item itself belongs to, and what its row says there; none where its departures say all."""
    if item.withheld:
        return "unruled", {"criteria": [], "withheld": True}
    if not criteria.items:
        shipped = newest.artifact.metadata.get("notes")
        rest: dict[str, Any] = {"shipped": shipped} if isinstance(shipped, str) and shipped else {}
        rest |= {"criteria_unparsed": True} if criteria.unparsed else {}
        return "no_criteria_declared", rest | ({"withheld": True} if hidden else {})
    if ruled.unruled:
        return "unruled", {"criteria": list(ruled.unruled)} | ({"withheld": True} if hidden else {})
    return ("clean", {"criteria": len(criteria.items)}) if ruled.clean else ("", {})


def _row(corpus: Corpus, item: StoredArtifact, delivery: Delivery) -> dict[str, Any]:
    row: dict[str, Any] = {"artifact_id": delivery.item.artifact_id, **corpus.label(delivery.item)}
    row |= {"title": item.title, "status": item.status, "record": delivery.record.artifact_id}
    if delivery.at is not None:
        row["delivered_at"] = delivery.at
        # What a withheld record states is not held here, so neither is whether its time is its own.
        if not delivery.states_its_time and not delivery.artifact.withheld:
            row["delivered_at_from"] = "git"
    if delivery.artifact.deleted:
        row["record_deleted"] = True
    return row | deletion(item)


def _departure(corpus: Corpus, item: StoredArtifact, departure: Departure, criteria: int) -> dict[str, Any]:
    row = _row(corpus, item, departure.delivery)
    verdict, position = departure.verdict, position_of(departure.verdict)
    if "criterion" in verdict:
        row["criterion"] = verdict["criterion"]
    # A withheld item's criteria cannot be read, so whether it declares this one is not known.
    if not item.withheld and (position is None or not 1 <= position <= criteria):
        row["criterion_declared"] = False
    row |= {key: verdict[key] for key in _VERDICT_KEYS if verdict.get(key) not in (None, "")}
    if departure.held_later is not None:
        row["held_later"] = departure.held_later
    return bounded(row)


def _done(
    lines: Lines, corpus: Corpus, key: Key, item: StoredArtifact, window: Window, deleted: Deleted,
    flips: Iterable[str],
) -> None:  # fmt: skip
    if deleted == "only" and not item.deleted:
        return
    dated = list(flips)
    inside = [at for at in dated if window.holds(at)]
    if not inside and not window.open:
        lines.undated_done += not dated
        return
    row: dict[str, Any] = {"artifact_id": key.artifact_id, **corpus.label(key)}
    row |= {"title": item.title, "status": item.status}
    if inside:
        row["done_at"] = inside[-1]
    lines.rows["done_without_record"].append(bounded(row | deletion(item)))
