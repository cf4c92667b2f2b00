"""The order rules that come after the scores: a later decision is read before what it changes (004 section 5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from graphapi.ranking.candidates import Candidate, Key
from graphapi.ranking.moments import newest_first

Named = Mapping[Key, Collection[Key]]

# AC5, ACs 3, or one of three words; an underscore parts words here, as it does in the keyword index.
_CRITERIA = re.compile(r"(?<![^\W_])(?:acs?[ \t]?\d+|criterion|criteria|acceptance)(?![^\W_])", re.IGNORECASE)


def speaks_of_criteria(text: str) -> bool:
    """Whether a note's text names acceptance criteria: ``AC5``, ``ACs 3``, criterion, criteria or acceptance."""
    return _CRITERIA.search(text) is not None


def later_decisions_first(keys: Sequence[Key], candidates: Mapping[Key, Candidate], named: Named) -> list[Key]:
    """Each decision note moved directly above the first earlier decision it names, where it ranked below it.

    The earliest note moves first. A note later moved up can then only pass rows that must stand beneath it, so a chain
    ends newest first and no move undoes another.
    """
    order = list(keys)
    decisions = {key: c for key in keys if (c := candidates.get(key)) and c.is_decision}
    for key, note in sorted(decisions.items(), key=lambda row: newest_first(row[1].created), reverse=True):
        earlier = [k for k in named.get(key, ()) if k in decisions and note.is_later_than(decisions[k])]
        if earlier and (above := min(map(order.index, earlier))) < (at := order.index(key)):
            order.insert(above, order.pop(at))
    return order


def stories_beneath(
    keys: Sequence[Key], candidates: Mapping[Key, Candidate], limit: int, changes: Callable[[Candidate, Key], bool]
) -> list[Key]:
    """Each work item sunk to directly beneath the lowest later decision note inside ``limit`` that ``changes`` it.

    The lowest item moves first, so that items under one note keep their order. What stands inside ``limit`` stays
    inside it: a move only turns rows that already did.
    """
    order = list(keys)
    known = [candidates.get(key) for key in keys[: max(limit, 0)]]
    notes = [c for c in known if c and c.is_decision]
    for story in reversed([c for c in known if c and c.kind == "pbi"]) if notes else ():
        at = order.index(story.key)
        changing = [order.index(n.key) for n in notes if n.is_later_than(story) and changes(n, story.key)]
        if changing and (lowest := max(changing)) > at:
            order.insert(lowest, order.pop(at))
    return order


def with_notes_above(
    keys: Sequence[Key], limit: int, newest_note: Mapping[Key, Key], *, top: int, most: int
) -> tuple[list[Key], list[Key]]:
    """The first ``limit`` rows, each of the first ``top`` with its note directly above it where that was not gathered.

    At most ``most`` notes come in, each once, and none that would push its own row past ``limit``. Hands back the rows
    and the notes that came in.
    """
    order, brought, gathered = list(keys), list[Key](), set(keys)
    for key in keys[:top]:
        note, at = newest_note.get(key), order.index(key)
        if note is None or note in gathered or len(brought) >= most or at + 1 >= limit:
            continue
        order.insert(at, note)
        gathered.add(note)
        brought.append(note)
    return order[: max(limit, 0)], brought
