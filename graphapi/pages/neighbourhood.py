"""The picture of an artifact and its neighbours: plain arithmetic, from links to the places of what is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Side = Literal["in", "out"]
NEIGHBOURS = 40
"""Past this a picture is no longer read; the table of the record lists every link."""

WIDTH, BOX_WIDTH, BOX_HEIGHT, STEP, MARGIN = 960, 270, 48, 66, 12
_TITLE_LETTERS, _LABEL_LETTERS = 38, 20


@dataclass(slots=True)
class Neighbour:
    """One artifact on one side, with every relation that joins it to the middle one."""

    side: Side
    artifact_id: str
    title: str
    project: str | None
    deleted: bool = False
    relations: list[tuple[str, str]] = field(default_factory=list)
    stated: bool = False

    @property
    def names(self) -> str:
        return ", ".join(dict.fromkeys(relation for relation, _ in self.relations))

    @property
    def methods(self) -> str:
        return ", ".join(dict.fromkeys(method for _, method in self.relations))


@dataclass(frozen=True, slots=True)
class Box:
    """A neighbour's box, the line from it to the middle, and where that line's label stands."""

    neighbour: Neighbour
    x: int
    y: int
    line: str
    label: str
    label_x: int
    label_y: int
    anchor: str
    title: str

    @property
    def text_x(self) -> int:
        return self.x + 10


@dataclass(frozen=True, slots=True)
class Picture:
    width: int
    height: int
    middle_x: int
    middle_y: int
    boxes: tuple[Box, ...]
    left_out: int

    @property
    def neighbours(self) -> list[Neighbour]:
        return [box.neighbour for box in self.boxes]


def neighbours(links: Iterable[Mapping[str, Any]]) -> list[Neighbour]:
    """The artifacts at the far ends of a record's live links, each once a side, in the order served."""
    found: dict[tuple[str, str | None, str], Neighbour] = {}
    for link in links:
        if link.get("invalid_at") or link.get("retracted"):
            continue
        side: Side = "in" if link["direction"] == "in" else "out"
        key = (side, link.get("project"), link["artifact_id"])
        near = found.setdefault(key, Neighbour(side, link["artifact_id"], link.get("title") or "", link.get("project")))
        near.relations.append((link["relation"], link.get("method") or "inferred"))
        near.stated = near.stated or not link.get("inferred")
        near.deleted = near.deleted or bool(link.get("other_deleted"))
    return list(found.values())


def picture(found: Sequence[Neighbour]) -> Picture:
    """Who names the artifact on the left, the artifact in the middle, whom it names on the right."""
    shown = found[:NEIGHBOURS]
    left = [n for n in shown if n.side == "in"]
    right = [n for n in shown if n.side == "out"]
    height = max(len(left), len(right), 1) * STEP + 2 * MARGIN
    boxes = [*_column(left, MARGIN, height), *_column(right, WIDTH - MARGIN - BOX_WIDTH, height)]
    return Picture(WIDTH, height, WIDTH // 2, height // 2, tuple(boxes), len(found) - len(shown))


def _column(members: Sequence[Neighbour], x: int, height: int) -> list[Box]:
    top = (height - len(members) * STEP) // 2 + (STEP - BOX_HEIGHT) // 2
    return [_box(member, x, top + place * STEP, height // 2) for place, member in enumerate(members)]


def _box(neighbour: Neighbour, x: int, y: int, middle_y: int) -> Box:
    incoming = neighbour.side == "in"
    inner_x, center_y = (x + BOX_WIDTH if incoming else x), y + BOX_HEIGHT // 2
    # The line ends short of the middle, where its arrow head or its tail has room.
    near_x = WIDTH // 2 - 62 if incoming else WIDTH // 2 + 62
    bend = (inner_x + near_x) // 2
    ends = ((inner_x, center_y), (near_x, middle_y))
    (x1, y1), (x2, y2) = ends if incoming else tuple(reversed(ends))
    return Box(
        neighbour, x, y, f"M{x1} {y1}C{bend} {y1} {bend} {y2} {x2} {y2}",
        _short(neighbour.names, _LABEL_LETTERS), inner_x + 6 if incoming else inner_x - 6, center_y - 5,
        "start" if incoming else "end", _short(neighbour.title, _TITLE_LETTERS),
    )  # fmt: skip


def _short(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1].rstrip()}…"
