"""Harbourmaster's backlog: three epics, five features, fourteen stories, and their words.

Specification: "The corpus". Which stories are delivered, what they cite and when they were written come from the seed.
No title here may stand in anybody's body, or the linker would rightly see a mention.
"""

from __future__ import annotations

from .material import BacklogText, Departure

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

STORIES: tuple[BacklogText, ...] = (
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

# The small corpus: one epic's branch with a supersession and two stories that can be delivered.
SMALL_IDS: tuple[str, ...] = ("EPIC-001", "FEAT-001", "FEAT-002", "STORY-001", "STORY-004", "STORY-005", "STORY-006")
