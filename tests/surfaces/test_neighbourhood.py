"""The picture of an artifact's neighbours: places worked out by arithmetic alone."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graphapi.pages.neighbourhood import BOX, MIDDLE, NEIGHBOURS, WIDTH, Neighbour, neighbours, picture


def link(direction: str, artifact_id: str, relation: str = "cites", **more: Any) -> dict[str, Any]:
    title = f"Title of {artifact_id}"
    stated = {"relation": relation, "method": relation}
    return {"direction": direction, "artifact_id": artifact_id, "title": title, **stated, **more}


def test_a_neighbour_is_one_box_a_side_with_every_relation_that_joins_it() -> None:
    found = neighbours([link("out", "A"), link("out", "A", "references"), link("in", "A"), link("in", "B")])
    assert [(n.side, n.artifact_id, n.names) for n in found] == [
        ("out", "A", "cites, references"), ("in", "A", "cites"), ("in", "B", "cites"),
    ]  # fmt: skip


def test_stated_and_inferred_are_told_apart_and_a_stated_link_counts_over_an_inferred_one() -> None:
    inferred = {"inferred": True, "method": None}
    found = neighbours([link("out", "A", **inferred), link("out", "B", **inferred), link("out", "B")])
    assert [(n.artifact_id, n.stated) for n in found] == [("A", False), ("B", True)]
    assert found[0].methods == "inferred"


def test_a_link_that_ended_or_was_retracted_is_not_drawn_and_a_deleted_neighbour_is_marked() -> None:
    found = neighbours([link("out", "A", invalid_at="2026-01-01T00:00:00Z"), link("out", "B", retracted=True),
                        link("in", "C", other_deleted=True)])  # fmt: skip
    assert [(n.artifact_id, n.deleted) for n in found] == [("C", True)]


def test_two_projects_may_use_one_id() -> None:
    found = neighbours([link("out", "A", project="one"), link("out", "A", project="two")])
    assert [n.project for n in found] == ["one", "two"]


def test_past_what_can_be_read_the_rest_is_counted() -> None:
    drawn = picture(neighbours([link("out", f"S-{n}") for n in range(NEIGHBOURS + 3)]))
    assert (len(drawn.boxes), drawn.left_out) == (NEIGHBOURS, 3)


def test_who_names_it_stands_on_the_left_and_whom_it_names_on_the_right() -> None:
    drawn = picture(neighbours([link("in", "A"), link("out", "B")]))
    left, right = drawn.boxes
    assert left.x < drawn.middle["x"] < right.x
    assert left.line.startswith(f"M{left.x + BOX.width} ") and left.line.endswith(
        f" {drawn.middle['x']} {drawn.height // 2}"
    )
    assert right.line.startswith(f"M{drawn.middle['x'] + MIDDLE.width} ") and right.line.endswith(
        f" {right.x} {right.y + BOX.height // 2}"
    )


@given(st.lists(st.sampled_from(["in", "out"]), max_size=60))
def test_no_box_leaves_the_picture_and_none_covers_another(sides) -> None:
    found = [
        Neighbour(side, f"S-{n}", "t" * n, None, False, [("cites", "cites")], True) for n, side in enumerate(sides)
    ]
    drawn = picture(found)
    for box in drawn.boxes:
        assert box.x >= 0 and box.x + BOX.width <= WIDTH == drawn.width
        assert box.y >= 0 and box.y + BOX.height <= drawn.height
    places = sorted((box.x, box.y) for box in drawn.boxes)
    assert all(a[0] != b[0] or b[1] - a[1] >= BOX.height for a, b in zip(places, places[1:], strict=False))
    assert drawn.left_out == max(0, len(sides) - NEIGHBOURS)
