"""Settings for the conversation notes, and the four decision notes that belong to the backlog.

Specification: "The corpus". The settings state no decision, assumption or constraint: all that a note states is what
the seed plants in it.
"""

from __future__ import annotations

from .material import DecisionText, TalkText

TALKS: tuple[TalkText, ...] = (
    TalkText(
        "Morning round with the north crew",
        "We met the north crew at the fuel dock and walked the long pontoon out and back. The wind was up and half of "
        "the notes are wet.",
        ("There was a seal asleep by the crane, and everybody stopped to look.", "The walk took forty minutes."),
        "We ended at the coffee hut.",
    ),
    TalkText(
        "Thursday call with the desk",
        "A call with the two people who answer the phone. They had a list ready and we went down it in order.",
        ("The line dropped once and came back.", "The list had eleven lines and we got through nine."),
        "The rest of the list was kept for another day.",
    ),
    TalkText(
        "Lunch in the chandlery",
        "Tomas had asked the chandler what visitors complain about while they are buying rope. He wrote down the "
        "answers between two sandwiches.",
        ("A customer came in for a shackle and stayed to listen.", "The chandler drew a little map on a paper bag."),
        "The paper bag is pinned up in the office.",
    ),
    TalkText(
        "Planning table in March",
        "The whole crew was at the planning table, with the season's calendar taped along its edge.",
        ("Ruth brought last year's logbook for comparison.", "The tape did not hold and the calendar fell down twice."),
        "The calendar was rolled up and put behind the door.",
    ),
    TalkText(
        "Visit to the island marina",
        "We took the early ferry and spent a day at the island marina, most of it in the harbour master's kitchen.",
        ("The ferry back was an hour late.", "The kitchen has the best view of the entrance."),
        "Photographs of the noticeboard are in the shared folder.",
    ),
    TalkText(
        "Retrospective after the boat show",
        "The stand at the boat show had been busy for three days. We sat down while it was all still fresh.",
        ("Two hundred stickers were handed out.", "The demo screen was mistaken for a fish finder more than once."),
        "Everybody went home early.",
    ),
    TalkText(
        "Interview with two live-aboards",
        "Mirela spoke with a couple who have lived on their ketch for six years and have seen more harbours than we "
        "ever will.",
        ("They kept a list of good bakeries by port.", "The dog slept through the whole conversation."),
        "They sailed for the canal the next day.",
    ),
    TalkText(
        "Whiteboard hour on money",
        "One hour, one whiteboard, and everybody who has ever had to explain a bill at the counter.",
        ("The blue pen ran dry in the middle.", "Someone had drawn an anchor in the corner, and it was left there."),
        "The whiteboard was photographed and wiped.",
    ),
    TalkText(
        "Night watch debrief",
        "Ruth sat down with the night watch when their shift ended, before the first phone call of the day.",
        ("It had been a quiet night with one loose dinghy.", "The kettle was on the whole time."),
        "The dinghy's owner came by with biscuits.",
    ),
    TalkText(
        "Questions from the port authority",
        "A polite visit by two people from the port authority. They asked and we answered.",
        ("They admired the new signs at the entrance.", "Their visit is a yearly one and lasts an hour."),
        "They left a folder of leaflets.",
    ),
    TalkText(
        "Paper prototype on the quay",
        "We put six paper screens on an upturned crate and let passing crews poke at them with a pencil.",
        ("One screen blew into the basin and was fished out.", "Nine crews took part, three of them twice."),
        "The screens are drying on the radiator.",
    ),
    TalkText(
        "Support inbox on a Friday",
        "We read the week's messages aloud, one after another, and sorted them into three piles.",
        ("The middle pile was the tallest.", "One message was a thank-you and was read twice."),
        "The piles were counted and put away.",
    ),
    TalkText(
        "Kick-off with the southern basin",
        "The southern basin joins in the summer. This was the first time that both offices sat in one room.",
        ("Half an hour went on finding out who knows whom.", "They brought a chart from before the new mole."),
        "The chart was lent to us until the autumn.",
    ),
    TalkText(
        "Walk-through before the season",
        "Jonas clicked through everything there is while the rest of us called out what we saw.",
        ("The projector hummed.", "The walk-through was recorded on somebody's phone."),
        "We stopped when the projector got too warm.",
    ),
)

DECISION_NOTES: tuple[DecisionText, ...] = (
    DecisionText(
        "Places keep their painted numbers",
        "A mooring is called by the letter of its pontoon and the number painted on the planks, in every screen, "
        "message and receipt.",
        "Crews look for what is painted in front of them. Two numbering schemes would put a stranger's boat on "
        "somebody's own mooring.",
        (
            "Number all moorings afresh from the entrance: tidy on a screen, wrong on the planks.",
            "Give them names: charming, and impossible to say over the radio.",
        ),
        epic="EPIC-001",
    ),
    DecisionText(
        "One supplier for heights of tide",
        "Heights of tide come from the hydrographic office's feed and from nowhere else.",
        "Two feeds differed by a hand's breadth at the northern sill, and nobody could say which of them was right.",
        ("Average the two: a figure that neither supplier would stand by.",),
    ),
    DecisionText(
        "Watches change at seven",
        "The office day begins and ends at seven in the morning, in every count and in every list.",
        "The people at the counter have always changed over at seven, and a day that ends at midnight splits the "
        "night watch's boats in two.",
        (
            "Midnight: what a computer would choose.",
            "Noon, as hotels have it: the office is at its busiest then.",
        ),
        epic="EPIC-002",
    ),
    DecisionText(
        "Bills are numbered per marina",
        "Each marina numbers its own bills from one each year, with its own letters in front.",
        "The tax office audits a marina and not the product. A gap in a shared series could not be explained by "
        "either of two marinas.",
        ("One series for all: simple for us, and a long letter to the tax office every spring.",),
        epic="EPIC-003",
    ),
)
