"""What stays on record about a source after a reading: its floor, its gaps, whether it was whole (004 section 5)."""

from __future__ import annotations

from datetime import datetime

from graphapi.connectors.base import SourceReading
from graphapi.domain.spans import Span, joined
from graphapi.models import Project, SourceState


def keep_reading(project: Project, reading: SourceReading, *, counts: dict[str, int], at: datetime) -> SourceState:
    """Record a reading that ended, found nothing changed or not."""
    state, created = SourceState.objects.get_or_create(project=project, source=reading.source)
    first = created or not state.cursor
    state.last_read_at, state.failed, state.error = at, False, ""
    state.complete = reading.complete
    state.counts = counts
    if reading.complete:
        state.cursor = reading.cursor
        state.declared_floor = reading.declared_floor
        state.view_from = reading.view_from
        spans = [Span.parse(text) for text in state.gaps]
        state.gaps = [str(span) for span in joined([*spans, *reading.new_gaps])]
        # The floor is the earliest day ever read back to; listing from a later one leaves it where it was.
        if first or (reading.floor is not None and state.floor is not None and reading.floor < state.floor):
            state.floor = reading.floor
        elif reading.floor is not None and state.floor is None and reading.new_gaps:
            state.floor = min(gap.start for gap in reading.new_gaps)
        elif reading.floor is None:
            # Read to its beginning: nothing above it is unread either.
            state.floor, state.gaps = None, []
    state.save()
    return state


def keep_failure(project: Project, source: str, error: str) -> None:
    """Record that a source could not be read; what it was read to before stands."""
    SourceState.objects.update_or_create(
        project=project, source=source, defaults={"failed": True, "error": error, "complete": False}
    )
