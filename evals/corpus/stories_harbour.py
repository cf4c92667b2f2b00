"""Harbourmaster's stories for the harbour, STORY-007 to STORY-014: the office, the pontoons and the money.

Specification: "The corpus". Which of them are delivered, what they cite and when they were written come from the seed.
"""

from __future__ import annotations

from .material import BacklogText, Departure

HARBOUR_STORIES: tuple[BacklogText, ...] = (
    BacklogText(
        "STORY-007",
        "story",
        "Wall screen for the office",
        "office-wall-screen",
        (
            "As the harbour office I want a screen that lists the boats due in today, so that whoever picks up the "
            "radio knows the answer without asking.",
        ),
        parent="FEAT-003",
        labels=("office",),
        criteria=(
            "Every boat expected today is listed with its berth and its hour.",
            "A boat that has tied up moves to the bottom within a minute.",
            "The list can be read from the far side of the counter.",
        ),
        departure=Departure(2, "Boats move when a hand ticks them off, since no sensor could be trusted in a swell."),
        shipped="The screen has hung over the counter since the first week.",
    ),
    BacklogText(
        "STORY-008",
        "story",
        "Handover for late boats",
        "late-boat-handover",
        (
            "As the evening watch I want to leave word about boats still at sea, so that the night watch knows whom "
            "to wait up for.",
        ),
        parent="FEAT-003",
        labels=("office",),
        criteria=(
            "A late boat carries the last thing it said and when.",
            "The night watch sees the late boats first.",
        ),
        departure=Departure(2, "Late boats stand second, after boats in distress, at the night watch's own wish."),
        shipped="Both watches used it from the first night and threw the notebook away.",
    ),
    BacklogText(
        "STORY-009",
        "story",
        "Tick off boats on the walk",
        "tick-off-boats",
        (
            "As a harbour hand I want to walk the pontoons with a tablet and tick off the boats I see, so that the "
            "evening count is done when I am back.",
        ),
        parent="FEAT-004",
        labels=("rounds",),
        criteria=(
            "Boats are listed in the order they lie along the pontoon.",
            "A tick made without signal is kept and sent later.",
            "A boat nobody expected can be added with its name alone.",
        ),
        departure=Departure(
            3, "The form asks for a length as well, because the price cannot be worked out without it."
        ),
        shipped="The hands walked their first round with it in the rain.",
    ),
    BacklogText(
        "STORY-010",
        "story",
        "Broken cleats and dead lamps",
        "broken-cleats",
        ("As a harbour hand I want to photograph what is broken, so that the repair list writes itself.",),
        parent="FEAT-004",
        status="draft",
        labels=("rounds",),
        criteria=(
            "A photograph is kept with the berth it was taken at.",
            "The repair list shows what has been open longest first.",
        ),
    ),
    BacklogText(
        "STORY-011",
        "story",
        "Plain receipt by mail",
        "plain-receipt",
        ("As a visitor I want a receipt in my mailbox, so that I can hand it to the boat's treasurer.",),
        parent="FEAT-005",
        status="parked",
        labels=("payment",),
        criteria=(
            "A receipt is mailed on the morning of departure.",
            "It lists nights, power and water apart from one another.",
        ),
    ),
    BacklogText(
        "STORY-012",
        "story",
        "Receipts people can read",
        "readable-receipts",
        (
            "As a visitor from abroad I want my receipt in my own language, with every line explained, so that I do "
            "not have to ask at the desk.",
        ),
        parent="FEAT-005",
        status="in-progress",
        labels=("payment",),
        supersedes=("STORY-011",),
        criteria=(
            "The receipt is in the language that the stay was booked in.",
            "Every line says what it is for in one short sentence.",
            "The same receipt can be opened again for a year.",
        ),
    ),
    BacklogText(
        "STORY-013",
        "story",
        "Paper list for bad mornings",
        "paper-list",
        ("As the harbour office I want today's list on paper at six, so that a dead router does not stop the day.",),
        parent="EPIC-002",
        labels=("office",),
        criteria=(
            "The sheet is in the printer by six.",
            "It fits on two sides at the busiest marina.",
        ),
        departure=Departure(2, "August runs to three sides; a smaller type was tried and nobody could read it."),
        shipped="The printer woke up by itself on the first morning, to some applause.",
    ),
    BacklogText(
        "STORY-014",
        "story",
        "Ask for part of the price up front",
        "part-up-front",
        ("As a marina I want some of the money when a place is reserved, so that a no-show costs somebody something.",),
        parent="EPIC-003",
        status="ready",
        labels=("payment",),
        criteria=(
            "The amount asked for is shown before anything else is typed.",
            "What was paid is taken off the bill at departure.",
        ),
    ),
)
