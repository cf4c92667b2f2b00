"""The items, records and flips to done that a drift read is about, fetched in batches (004 section 2b, Drift)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphapi.domain.dates import as_text, parse_when
from graphapi.domain.links import DELIVERS
from graphapi.models import HistoryEntry
from graphapi.reads.corpus import Corpus, Key
from graphapi.reads.drift_verdicts import Delivery
from graphapi.reads.scope_members import batches, stated_links
from graphapi.store.port import BATCH_ROWS, Deleted, StoredArtifact

ITEM = "pbi"
RECORD = "delivery-record"
DONE = "done"
# How review logs word the flip: a word of its own, or a step of the status that names where it led.
DONE_STEPS = frozenset({"done", "shipped", "ship", "status:done"})
STATUS_STEPS = frozenset({"status", "set-status", "set_status", "status-changed", "status_changed", "flip"})


@dataclass(frozen=True, slots=True)
class Window:
    """Half open: ``since`` is in it, ``until`` is not. Either may be None; with both None every time is in it, and so
    is what has none."""

    since: str | None
    until: str | None

    @property
    def open(self) -> bool:
        return self.since is None and self.until is None

    def holds(self, at: str | None) -> bool:
        if at is None:
            return self.open
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)

    def is_past(self, at: str | None) -> bool:
        """Whether a time is before the window's end: what was known when it closed."""
        return self.until is None or at is None or at < self.until


@dataclass(frozen=True, slots=True)
class Gathered:
    """``items`` by key, with bodies where something was delivered. ``deliveries`` of each, whenever they were made."""

    items: Mapping[Key, StoredArtifact]
    deliveries: Mapping[Key, list[Delivery]]

    @property
    def done(self) -> list[Key]:
        return [key for key, item in self.items.items() if item.status == DONE]

    def has_record(self, key: Key) -> bool:
        """Whether a record delivers the item; a withdrawn one is a record only where deleted work was asked for."""
        return key in self.deliveries


def gather_rooted(corpus: Corpus, members: Sequence[Key], *, deleted: Deleted) -> Gathered:
    """Drift material of the work items among ``members``."""
    items: dict[Key, StoredArtifact] = {}
    for part in batches(members, BATCH_ROWS):
        items |= corpus.get(part, bodies=False)
    return _with_deliveries(corpus, {k: a for k, a in items.items() if _in_state(a, deleted)}, deleted)


def gather_whole(corpus: Corpus, window: Window, *, deleted: Deleted) -> Gathered:
    """Drift material of the projects' own work: what is done, and what a record dated in the window delivers."""
    items: dict[Key, StoredArtifact] = {}
    for place in range(len(corpus.projects)):
        items |= {Key(place, a.artifact_id): a for a in _done(corpus, place, deleted)}
    records = [key for place in range(len(corpus.projects)) for key in _records(corpus, place, window, deleted)]
    delivered = stated_links(corpus, records, deleted=deleted, direction="out", relations=[DELIVERS])
    missing = list(dict.fromkeys(e.target for e in delivered if e.target not in items))
    for part in batches(missing, BATCH_ROWS):
        items |= {k: a for k, a in corpus.get(part, bodies=False).items() if _in_state(a, deleted)}
    return _with_deliveries(corpus, items, deleted)


def _in_state(artifact: StoredArtifact, deleted: Deleted) -> bool:
    return artifact.kind == ITEM and (deleted != "exclude" or not artifact.deleted)


def _done(corpus: Corpus, place: int, deleted: Deleted) -> Iterable[StoredArtifact]:
    after = None
    while True:
        page = corpus.store.list_artifacts(
            corpus.namespace(place), kinds=[ITEM], statuses=[DONE], deleted=deleted, after=after, limit=BATCH_ROWS,
            bodies=False,
        )  # fmt: skip
        yield from page
        if len(page) < BATCH_ROWS:
            return
        after = (page[-1].sort_key, page[-1].artifact_id)


def _records(corpus: Corpus, place: int, window: Window, deleted: Deleted) -> list[Key]:
    """Records by the time their source gives them, from the ledger's index."""
    rows = corpus.projects[place].ledger.filter(kind=RECORD)
    if deleted == "exclude":
        rows = rows.filter(deleted_at=None)
    if window.since is not None:
        rows = rows.filter(source_created_at__gte=parse_when(window.since))
    if window.until is not None:
        rows = rows.filter(source_created_at__lt=parse_when(window.until))
    return [Key(place, i) for i in rows.order_by("pk").values_list("artifact_id", flat=True)]


def _with_deliveries(corpus: Corpus, items: dict[Key, StoredArtifact], deleted: Deleted) -> Gathered:
    edges = stated_links(corpus, list(items), deleted=deleted, direction="in", relations=[DELIVERS])
    edges = [e for e in edges if e.target in items]
    records: dict[Key, StoredArtifact] = {}
    for part in batches(dict.fromkeys(e.source for e in edges), BATCH_ROWS):
        records |= corpus.get(part)
    deliveries: dict[Key, list[Delivery]] = defaultdict(list)
    for edge in edges:
        record = records.get(edge.source)
        if record is not None and record.kind == RECORD:
            deliveries[edge.target].append(Delivery(edge.target, edge.source, record))
    for part in batches(deliveries, BATCH_ROWS):
        items |= corpus.get(part)
    return Gathered(items, deliveries)


def done_flips(corpus: Corpus, keys: Collection[Key]) -> dict[Key, list[str]]:
    """When each item's own review log says it became done, oldest first; a flip the log does not date is left out."""
    out: dict[Key, list[str]] = defaultdict(list)
    for part in batches(keys, BATCH_ROWS):
        for place, project in enumerate(corpus.projects):
            ids = [key.artifact_id for key in part if key.place == place]
            steps = HistoryEntry.objects.filter(project=project, artifact_id__in=ids, at__isnull=False)
            for artifact_id, at, action, detail in steps.order_by("at", "position").values_list(
                "artifact_id", "at", "action", "detail"
            ):
                if is_done_flip(action, detail):
                    out[Key(place, artifact_id)].append(as_text(at) or "")
    return out


def is_done_flip(action: str, detail: Any) -> bool:
    """Whether a step of a review log is the flip to done: ``done``, ``shipped``, or ``status`` with ``to: done``."""
    word = action.strip().casefold()
    if word in DONE_STEPS:
        return True
    led_to = [detail.get("to"), detail.get("status")] if isinstance(detail, Mapping) else []
    return word in STATUS_STEPS and DONE in [x.strip().casefold() for x in led_to if isinstance(x, str)]
