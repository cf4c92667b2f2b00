"""The plan of the question material: eight decision notes, four commits and the withdrawal, after everything else.

Specification: "The corpus". In: a full base plan, which is read for its last date and its numbering alone. Out: an
``Asked``. It draws from streams of its own, so the base is the same with and without it.
"""

from __future__ import annotations

from datetime import datetime

from .ask_shapes import CodeChange
from .asked import SUPERSEDED, WHYS, WITHDRAWN
from .draw import Draw
from .gitids import commit_id, tree_id
from .layout import Asked, Base, CodeCommit, Entry, Withdrawal
from .material import CREW, DecisionText, Person
from .paths import path_of
from .plan import Calendar

README = "# Harbourmaster\n\nThe service behind the charts: search, reservations, the office screens and the bills.\n"


def plan_asked(base: Base) -> Asked:
    """Plan what the planted questions need."""
    draw = Draw(base.seed, base.size, "asked")
    midnight = base.entries[-1].date.replace(hour=0, minute=0)
    calendar = Calendar(Draw(base.seed, base.size, "asked dates"), midnight)
    whys = draw.shuffled(WHYS)
    number = sum(entry.kind == "decision" for entry in base.entries)
    entries: list[Entry] = []

    def note(text: DecisionText, supersedes: tuple[str, ...] = ()) -> str:
        id_ = f"DEC-{number + len(entries) + 1:03d}"
        author, date = draw.pick(CREW), calendar.next()
        entries.append(Entry(id_, "decision", text.title, date, author, text, supersedes=supersedes))
        return id_

    why_notes = tuple((why.query, note(why.note)) for why in whys)
    retired = note(SUPERSEDED.fallen)
    successor = note(SUPERSEDED.standing, supersedes=(retired,))
    # The fallen and the standing answer are both there until the withdrawal, in either order.
    if draw.below(2):
        fallen = note(WITHDRAWN.fallen)
        standing = note(WITHDRAWN.standing)
    else:
        standing = note(WITHDRAWN.standing)
        fallen = note(WITHDRAWN.fallen)
    when = [(draw.pick(CREW), calendar.next()) for _ in whys]
    commits = _commits([why.change for why in draw.shuffled(WHYS)], when)
    path = path_of(next(entry for entry in entries if entry.id == fallen))
    withdrawal = Withdrawal(fallen, path, calendar.next(), draw.pick(CREW), f"Withdraw {fallen}\n")
    return Asked(tuple(entries), commits, withdrawal, why_notes, retired, successor, standing)


def _commits(changes: list[CodeChange], when: list[tuple[Person, datetime]]) -> tuple[CodeCommit, ...]:
    """The code repository's history. Its first commit brings in the whole service, with the first change made."""
    files = {"README.md": README, **{change.path: change.before for change in changes}}
    commits: list[CodeCommit] = []
    for change, (author, date) in zip(changes, when, strict=True):
        files[change.path] = change.after
        held = tuple(sorted(files.items()))
        message = f"{change.subject}\n\n{change.body}\n"
        parent = commits[-1].sha if commits else None
        sha = commit_id(tree_id(held), parent, author, date, message)
        commits.append(CodeCommit(sha, date, author, message, held, change))
    return tuple(commits)
