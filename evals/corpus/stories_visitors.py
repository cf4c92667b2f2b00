"""Harbourmaster's stories for visitors, STORY-001 to STORY-006: finding and reserving a place.

Specification: "The corpus". Which of them are delivered, what they cite and when they were written come from the seed.
"""

from __future__ import annotations

from .material import BacklogText, Departure

VISITOR_STORIES: tuple[BacklogText, ...] = (
    BacklogText(
        "STORY-001",
        "story",
        "Chart of free places by depth",
        "free-places-by-depth",
        (
            "As a skipper with a deep keel I want to see which free berths are deep enough for my boat at low water, "
            "so that I do not find out with my rudder.",
        ),
        parent="FEAT-001",
        labels=("map",),
        criteria=(
            "Berths too shallow for the entered draught are greyed out.",
            "The depth shown is the depth at the lowest tide of the stay.",
            "The chart redraws within one second of a new draught.",
        ),
        departure=Departure(
            3, "Old tablets need nearly two seconds, and the trial marinas said they could live with it."
        ),
        shipped="The chart went live for the two trial marinas on a quiet Tuesday.",
    ),
    BacklogText(
        "STORY-002",
        "story",
        "Remember my boat",
        "remember-my-boat",
        (
            "As a returning skipper I want my boat's length, beam and draught filled in for me, so that a search is "
            "one tap and not a form.",
        ),
        parent="FEAT-001",
        labels=("profile",),
        criteria=(
            "A boat saved once is offered on the next visit from the same phone.",
            "Removing the boat removes every measurement with it.",
        ),
        departure=Departure(1, "Phones in private mode forget the boat, and no way around that was found in time."),
        shipped="Returning crews were offered their own boat from the first morning on.",
    ),
    BacklogText(
        "STORY-003",
        "story",
        "Free weekends at a glance",
        "free-weekends",
        ("As a family planning ahead I want to see which weekends still have room, so that we can pick one together.",),
        parent="FEAT-001",
        status="parked",
        labels=("map",),
        criteria=(
            "Each of the next eight weekends shows how many berths are free.",
            "A weekend with none left offers the two nearest marinas.",
        ),
    ),
    BacklogText(
        "STORY-004",
        "story",
        "Reserve by text message",
        "reserve-by-text",
        (
            "As a skipper without an account I want to reserve a berth by sending a text message, so that I can do it "
            "from the cockpit with one hand.",
        ),
        parent="FEAT-002",
        status="discarded",
        labels=("visitors",),
        discard_reason="The gateway cost more per message than a night's margin.",
        criteria=(
            "A text with a boat name and a date is answered within a minute.",
            "The answer names the berth and the price of the night.",
        ),
    ),
    BacklogText(
        "STORY-005",
        "story",
        "Pay before the ropes go on",
        "pay-before-ropes",
        (
            "As a visitor I want to pay for tonight while I am still under way, so that arriving is only about "
            "fenders and lines.",
        ),
        parent="FEAT-002",
        labels=("payment",),
        criteria=(
            "A paid stay is confirmed on the phone and on the office screen at the same moment.",
            "A failed payment leaves no mooring reserved.",
            "The confirmation names the berth, the nights and the gate.",
        ),
        departure=Departure(
            1, "The office screen follows up to ten seconds later, which the office called good enough."
        ),
        shipped="Payment under way opened with the Whitsun weekend.",
    ),
    BacklogText(
        "STORY-006",
        "story",
        "Reserve from a shared link",
        "reserve-from-link",
        (
            "As a skipper without an account I want to reserve a berth from a link that the marina sends or prints, "
            "so that nobody has to sign up for one night.",
        ),
        parent="FEAT-002",
        status="ready",
        labels=("visitors",),
        supersedes=("STORY-004",),
        criteria=(
            "The link opens on a form with the marina and the date filled in.",
            "No account and no password are asked for.",
            "A link older than a season says so and offers the marina's phone number.",
        ),
    ),
)
