"""Harbourmaster's backlog: three epics, five features and fourteen stories.

Specification: "The corpus". Which stories are delivered, what they cite and when they were written come from the seed.
No title here may stand in anybody's body, or the linker would rightly see a mention.
"""

from __future__ import annotations

from .material import BacklogText
from .stories_harbour import HARBOUR_STORIES
from .stories_visitors import VISITOR_STORIES

EPICS: tuple[BacklogText, ...] = (
    BacklogText(
        "EPIC-001",
        "epic",
        "Booking a place from the water",
        "booking-from-the-water",
        (
            "A skipper who is two hours out should know where tonight's mooring is before the sails come down. "
            "Today that takes a radio call, a pencil and some luck.",
            "Harbourmaster lets the crew see what is free, choose, pay and steer straight in.",
        ),
        status="in-progress",
        labels=("visitors",),
    ),
    BacklogText(
        "EPIC-002",
        "epic",
        "Running the harbour office day",
        "harbour-office-day",
        (
            "The office opens with a kettle, a phone and a wall of paper slips. Everything that the slips do should "
            "be on one screen by the end of the season, and nobody should have to learn a manual for it.",
        ),
        status="in-progress",
        labels=("office",),
    ),
    BacklogText(
        "EPIC-003",
        "epic",
        "Getting paid without chasing",
        "paid-without-chasing",
        (
            "Marinas lose a few nights' income each week to boats that slip out at dawn. The money side should look "
            "after itself, and a receipt should be something people are glad to get.",
        ),
        status="ready",
        labels=("money",),
    ),
)

FEATURES: tuple[BacklogText, ...] = (
    BacklogText(
        "FEAT-001",
        "feature",
        "Finding a place that fits",
        "finding-a-place",
        ("Search by boat, by date and by depth, on a chart that people already know how to read.",),
        parent="EPIC-001",
        status="in-progress",
    ),
    BacklogText(
        "FEAT-002",
        "feature",
        "Visitor reservation flow",
        "reservation-flow",
        ("From the first tap to a confirmed mooring, with as few questions as a tired crew will answer.",),
        parent="EPIC-001",
        status="in-progress",
    ),
    BacklogText(
        "FEAT-003",
        "feature",
        "Who is in and who is due",
        "in-and-due",
        ("The office's picture of the day: boats moored, boats expected, boats that have gone quiet.",),
        parent="EPIC-002",
        status="in-progress",
    ),
    BacklogText(
        "FEAT-004",
        "feature",
        "Rounds along the pontoons",
        "pontoon-rounds",
        ("Whatever the hands see on their walk should reach the office before they do.",),
        parent="EPIC-002",
        status="ready",
    ),
    BacklogText(
        "FEAT-005",
        "feature",
        "Nightly charges and receipts",
        "charges-and-receipts",
        ("Metered power, water and the night itself, added up once and explained in plain words.",),
        parent="EPIC-003",
        status="ready",
    ),
)

STORIES: tuple[BacklogText, ...] = VISITOR_STORIES + HARBOUR_STORIES

# The small corpus: one epic's branch with a supersession and two stories that can be delivered.
SMALL_IDS: tuple[str, ...] = ("EPIC-001", "FEAT-001", "FEAT-002", "STORY-001", "STORY-004", "STORY-005", "STORY-006")
