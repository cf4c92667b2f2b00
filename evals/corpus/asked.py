"""What the planted questions ask, and the notes and commits that exist for them alone.

Specification: "The corpus" and "Retrieval scores". None of this material names a backlog id.
"""

from __future__ import annotations

from .ask_shapes import AuthoringAsked, CodeChange, PairAsked, TopicAsked, WhyAsked
from .material import DecisionText

TOPICS: tuple[TopicAsked, ...] = (
    TopicAsked(
        "card-numbers",
        "Do we keep skippers' card numbers anywhere?",
        "card numbers",
        "only the payment provider's token may be kept",
    ),
    TopicAsked(
        "refund",
        "How much does somebody get back for a cancelled booking?",
        "cancelled booking",
        "in full up to seven days before arrival",
    ),
    TopicAsked(
        "waiting-list",
        "Who comes first on the waiting list when the marina is full?",
        "waiting list",
        "by the hour of the request",
    ),
    TopicAsked(
        "electricity",
        "How do visitors pay for shore electricity?",
        "shore electricity",
        "from the pedestal meter",
    ),
    TopicAsked("gate-code", "How often does the gate code change?", "gate code", "every night at midnight"),
    TopicAsked(
        "passenger-lists",
        "When do we have to get rid of passenger lists?",
        "passenger lists",
        "within forty-eight hours of departure",
    ),
    TopicAsked(
        "tide-service",
        "How fast do we expect the tide service to be?",
        "tide service",
        "within two seconds even on a spring-tide weekend",
    ),
    TopicAsked(
        "july-stays",
        "How many nights do boats usually stay in July?",
        "nights in July",
        "nine boats in ten stay two nights or fewer",
    ),
)

WHYS: tuple[WhyAsked, ...] = (
    WhyAsked(
        "Why did we take the countdown off the payment page?",
        "mistyped twice as often while a clock was running",
        DecisionText(
            "Payment without a countdown",
            "The payment page shows no countdown. Whoever runs out of time is told so afterwards, in one sentence.",
            "In the spring trial, card details were mistyped twice as often while a clock was running beside them.",
            ("A slower clock: it was still a clock.",),
        ),
        CodeChange(
            "harbour/payment_page.py",
            'SECTIONS = ("summary", "countdown", "card")\n',
            'SECTIONS = ("summary", "card")\n',
            "Take the countdown off the payment page",
            "Drops the countdown section from the payment page and the script that drove it.",
        ),
    ),
    WhyAsked(
        "Why do the chart tiles come from our own server?",
        "shut out three marinas on the first sunny Saturday",
        DecisionText(
            "Chart tiles served at home",
            "Chart tiles are copied to our own server each week and served from there.",
            "The public tile host shut out three marinas on the first sunny Saturday for asking too often.",
            ("Pay the public host for more: its terms forbid harbour charts.",),
        ),
        CodeChange(
            "harbour/tiles.py",
            'TILE_HOST = "https://tiles.example.org"\n',
            'TILE_HOST = "/tiles"\n',
            "Serve the chart tiles from our own server",
            "The chart asks our own server for its tiles. A weekly job copies them over.",
        ),
    ),
    WhyAsked(
        "Why are boat names compared without accents?",
        "turned two Breton crews away at the gate",
        DecisionText(
            "Accents in boat names do not count",
            "Two boat names that differ in accents alone are one boat.",
            "The national register drops every accent, and a strict comparison turned two Breton crews away at the "
            "gate.",
            ("Ask crews to spell their boat as the register does: nobody knows how it does.",),
        ),
        CodeChange(
            "harbour/names.py",
            "def same_boat(left: str, right: str) -> bool:\n    return left == right\n",
            "from unicodedata import combining, normalize\n\n\n"
            "def bare(name: str) -> str:\n"
            '    return "".join(c for c in normalize("NFD", name.casefold()) if not combining(c))\n\n\n'
            "def same_boat(left: str, right: str) -> bool:\n    return bare(left) == bare(right)\n",
            "Compare boat names without accents",
            "Boat names are stripped of accents and case before they are compared.",
        ),
    ),
    WhyAsked(
        "Why was the nightly count moved to four in the morning?",
        "its boats were missing from every figure",
        DecisionText(
            "Counting after the fleet has left",
            "The nightly count runs at four in the morning.",
            "The fishing fleet leaves at about three. With the count at two, its boats were missing from every figure "
            "for the day they sailed.",
            ("Count twice and subtract: two numbers, and an argument every week.",),
        ),
        CodeChange(
            "harbour/schedule.py",
            "NIGHTLY_COUNT_HOUR = 2\n",
            "NIGHTLY_COUNT_HOUR = 4\n",
            "Move the nightly count to four in the morning",
            "Changes the hour of the nightly count from two to four in the schedule.",
        ),
    ),
)

SUPERSEDED = PairAsked(
    "What does a boat pay when it overstays?",
    "one more full night as soon as noon has passed",
    fallen=DecisionText(
        "Overstaying costs by the hour",
        "A boat that overstays pays a tenth of the night's price for each hour begun after noon.",
        "It seemed fair to charge for exactly what was used.",
        ("A warning and no charge: the popular places never came free.",),
    ),
    standing=DecisionText(
        "Overstaying costs a whole night",
        "A boat that overstays pays for one more full night as soon as noon has passed.",
        "Charging an overstay hour by hour led to a quarrel at the counter nearly every day in the first month.",
        ("Leave it to the watch: every watch would charge differently.",),
    ),
    topic="overstays",
)

WITHDRAWN = PairAsked(
    "How long do we keep things that crews leave behind?",
    "ninety days in the cupboard behind the counter",
    fallen=DecisionText(
        "Left-behind things go to the police",
        "Things that crews leave behind are kept for a week and then taken to the police station.",
        "The office is small, and the station is on the way home.",
        ("Post them on: nobody would pay the postage.",),
    ),
    standing=DecisionText(
        "Left-behind things wait for their crews",
        "Things that crews leave behind are kept for ninety days in the cupboard behind the counter.",
        "Most crews come past again within the same summer and ask for their oilskins.",
        ("Sell them for the lifeboats: kind, until somebody asks for a sextant back.",),
    ),
)

AUTHORING: tuple[AuthoringAsked, ...] = (
    AuthoringAsked("show a skipper which berths are deep enough for the boat at low water", "STORY-001"),
    AuthoringAsked("a screen in the office that lists the boats due in today", "STORY-007"),
    AuthoringAsked("let the hands tick off boats on a tablet while they walk the pontoons", "STORY-009"),
    AuthoringAsked("take some of the money already when a place is reserved", "STORY-014"),
    AuthoringAsked("reserve a berth by text message without having an account", "STORY-006", retired="STORY-004"),
)
