"""The picture of an artifact and its neighbours: plain arithmetic, from links to the places of what is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Side = Literal["in", "out"]
NEIGHBOURS = 40
"""Past this a picture is no longer read; the table of the record lists every link."""

WIDTH = 960
STEP, MARGIN = 66, 12
_TITLE_LETTERS, _LABEL_LETTERS = 38, 20


@dataclass(frozen=True, slots=True)
class Size:
    width: int
    height: int


BOX, MIDDLE = Size(270, 48), Size(124, 40)


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
    """A neighbour's box, the line between it and the middle, and where that line's label stands."""

    neighbour: Neighbour
    x: int
    y: int
    line: str
    label: str
    label_x: int
    anchor: str
    title: str
    label_y: int

    @property
    def text_x(self) -> int:
        return self.x + 10

    @property
    def name_y(self) -> int:
        return self.y + 20

    @property
    def title_y(self) -> int:
        return self.y + 38


@dataclass(frozen=True, slots=True)
class Picture:
    """``middle`` are the place and the size of the artifact's own box, and where its id stands."""

    width: int
    height: int
    middle: dict[str, int]
    boxes: tuple[Box, ...]
    left_out: int
    box: Size = BOX

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
    center = height // 2
    boxes = [*_column(left, MARGIN, center), *_column(right, WIDTH - MARGIN - BOX.width, center)]
    middle = {
        "x": (WIDTH - MIDDLE.width) // 2, "y": center - MIDDLE.height // 2, "width": MIDDLE.width,
        "height": MIDDLE.height, "text_x": WIDTH // 2, "text_y": center + 5,
    }  # fmt: skip
    return Picture(WIDTH, height, middle, tuple(boxes), len(found) - len(shown))


def _column(members: Sequence[Neighbour], x: int, center: int) -> list[Box]:
    top = center - len(members) * STEP // 2 + (STEP - BOX.height) // 2
    return [_box(member, x, top + place * STEP, center) for place, member in enumerate(members)]


def _box(neighbour: Neighbour, x: int, y: int, center: int) -> Box:
    """Lines run the way the link is stated: from who says so to what is named. A label stands on the side of its line
    that the bend leaves free."""
    incoming = neighbour.side == "in"
    outer = (x + BOX.width if incoming else x, y + BOX.height // 2)
    inner = (WIDTH // 2 - MIDDLE.width // 2 if incoming else WIDTH // 2 + MIDDLE.width // 2, center)
    (x1, y1), (x2, y2) = (outer, inner) if incoming else (inner, outer)
    bend = (x1 + x2) // 2
    return Box(
        neighbour, x, y, f"M{x1} {y1}C{bend} {y1} {bend} {y2} {x2} {y2}", _short(neighbour.names, _LABEL_LETTERS),
        outer[0] + 8 if incoming else outer[0] - 8, "start" if incoming else "end",
        _short(neighbour.title, _TITLE_LETTERS), outer[1] + (15 if outer[1] > center else -6),
    )  # fmt: skip


def _short(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1].rstrip()}…"
