"""What is planted in conversation notes: thirty statements, eight decoy sentences, noise names and a decoy ticket.

Specification: "The corpus". Every seed plants the same sentences; only their places move. Assumptions and constraints
each carry the condition or the figure that qualifies them, as an extraction prompt asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .material import Statement

DECISIONS: tuple[Statement, ...] = (
    Statement(
        "refund",
        "Decision",
        "We will refund a cancelled booking in full up to seven days before arrival and half of it after that.",
    ),
    Statement(
        "waiting-list",
        "Decision",
        "We decided to order the waiting list by the hour of the request and never by the size of the boat.",
    ),
    Statement(
        "electricity",
        "Decision",
        "We are going to bill shore electricity from the pedestal meter instead of a flat nightly rate.",
    ),
    Statement("draught", "Decision", "We decided to offer places by draught first and by length second."),
    Statement(
        "phone-desk",
        "Decision",
        "The desk keeps its phone line, and we will enter every call in the calendar that the website uses.",
    ),
    Statement(
        "reminder",
        "Decision",
        "We chose to send one message at noon on the day before arrival and no other reminders.",
    ),
    Statement("tax", "Decision", "We agreed to show prices with tax included on every screen a skipper sees."),
    Statement(
        "winter",
        "Decision",
        "We are moving winter storage out of the calendar and into a contract of its own.",
    ),
    Statement("languages", "Decision", "We settled on English, Dutch and German for the first season."),
    Statement(
        "outage",
        "Decision",
        "We agreed that a marina without a connection works from the sheet printed at six that morning.",
    ),
)

ASSUMPTIONS: tuple[Statement, ...] = (
    Statement(
        "july-stays",
        "Assumption",
        "Our working belief is that nine boats in ten stay two nights or fewer in July.",
    ),
    Statement(
        "tide-service",
        "Assumption",
        "We expect the tide service to answer within two seconds even on a spring-tide weekend.",
    ),
    Statement(
        "signal",
        "Assumption",
        "We assume that most skippers still have a phone signal when they pass the outer breakwater.",
    ),
    Statement(
        "soundings",
        "Assumption",
        "We take it that every marina measures its depths again at least once each spring.",
    ),
    Statement(
        "tablets",
        "Assumption",
        "The plan presumes that harbour hands share one tablet for each pontoon.",
    ),
    Statement(
        "price-first",
        "Assumption",
        "Nobody has checked it, but we believe visiting crews look at the price before the showers.",
    ),
    Statement(
        "register",
        "Assumption",
        "It is assumed that the length in the national register is the length a boat moors with.",
    ),
    Statement(
        "other-boats",
        "Assumption",
        "We suppose that fewer than one booking in twenty is made for somebody else's boat.",
    ),
    Statement("fuel", "Assumption", "The forecast rests on the guess that fuel stays off the site until next year."),
    Statement(
        "deposit",
        "Assumption",
        "We think crews will accept a deposit as long as it comes off the first night's price.",
    ),
)

CONSTRAINTS: tuple[Statement, ...] = (
    Statement(
        "card-numbers",
        "Constraint",
        "Harbourmaster must never store a skipper's card number; only the payment provider's token may be kept.",
    ),
    # Read as a decision by every model that was tried, and honestly so: somebody chose the fifteen minutes.
    Statement(
        "berth-hold",
        "Constraint",
        "A berth is held for fifteen minutes while its skipper pays, and then it goes back on the map.",
        also=("Decision",),
    ),
    Statement(
        "passenger-lists",
        "Constraint",
        "Passenger lists must be deleted within forty-eight hours of departure under the port authority's rule.",
    ),
    Statement(
        "gate-code",
        "Constraint",
        "The gate code must change every night at midnight, however many boats are in.",
    ),
    Statement(
        "pilotage",
        "Constraint",
        "No boat over twenty-four metres may be booked online, because the pilotage law requires a call.",
    ),
    Statement(
        "sunlight",
        "Constraint",
        "Anything read on a pontoon has to stay legible in direct sunlight at arm's length.",
    ),
    Statement(
        "price-notice",
        "Constraint",
        "A new price must be published at least thirty days before it applies, as the harbour act demands.",
    ),
    Statement("servers", "Constraint", "The whole service has to run on the two servers that the port already owns."),
    Statement(
        "customs",
        "Constraint",
        "The report to customs cannot leave later than one hour after a foreign boat has tied up.",
    ),
    Statement(
        "page-weight",
        "Constraint",
        "No page may weigh more than three hundred kilobytes over the island marinas' satellite link.",
    ),
)

STATEMENTS: tuple[Statement, ...] = DECISIONS + ASSUMPTIONS + CONSTRAINTS

# Two of each type for the small corpus, the berth sentence among them.
SMALL_STATEMENTS: tuple[Statement, ...] = DECISIONS[:2] + ASSUMPTIONS[:2] + CONSTRAINTS[:2]

# Worded like reasoning, asserting nothing: open questions, and options that nobody has taken.
DECOY_SENTENCES: tuple[str, ...] = (
    "Should a skipper be able to swap places after paying, or is that a call to the office?",
    "We could charge catamarans one and a half times the length rate, or leave them as they are.",
    "Is it worth asking for insurance papers before somebody's first stay?",
    "One option on the table is a loyalty card for crews who come back every year.",
    "Perhaps the map could open on the fuel dock, or perhaps on the visitors' pontoon.",
    "Would it help to let two boats raft up on one booking when the marina is full?",
    "We might drop the fax number from the footer, or we might wait for the autumn.",
    "What would happen if the list of boats were sorted by mast height?",
)
STATEMENTS_PER_DECOY = 3


@dataclass(frozen=True)
class NoiseName:
    """A name a model may take for a concept, and the aside that carries it."""

    shape: Literal["sha", "path", "version", "identifier"]
    name: str
    aside: str


NOISE_NAMES: tuple[NoiseName, ...] = (
    NoiseName("sha", "9f3c2ab", "The log line on the printout ended in 9f3c2ab, and the rest had been torn off."),
    NoiseName(
        "path",
        "harbour/pontoons/map_cache.py",
        "Jonas had harbour/pontoons/map_cache.py open on the big screen for most of the hour.",
    ),
    NoiseName("version", "v2.14.0", "The demo tablet on the table was still showing v2.14.0 in its corner."),
    NoiseName("identifier", "BerthHoldTimer", "The trace on the whiteboard stopped at BerthHoldTimer."),
)

DECOY_TICKET = "HMB-4711"
TICKET_ASIDE = f"Somebody read out {DECOY_TICKET} from the old desk system, which nobody in the room could open."
