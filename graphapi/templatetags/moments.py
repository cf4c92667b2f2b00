"""How a page says a time: how long ago, with the exact time where the reader points."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()
_STEPS = ((86400 * 365, "year"), (86400 * 30, "month"), (86400, "day"), (3600, "hour"), (60, "minute"))


def ago(when: datetime, now: datetime) -> str:
    """``3 hours ago``; times to come and times within a minute read ``just now``."""
    seconds = int((now - when) / timedelta(seconds=1))
    for size, unit in _STEPS:
        if seconds >= size:
            count = seconds // size
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"


@register.filter
def moment(text: str | None) -> SafeString | str:
    """How long ago, from the fixed-width text of a payload; nothing from nothing, any other text as it stands."""
    return _time(text, lambda when, now: ago(when, now))


@register.filter
def day(text: str | None) -> SafeString | str:
    """The day, where rows are compared by it, in the same way."""
    return _time(text, lambda when, now: when.strftime("%Y-%m-%d"))


def _time(text: str | None, shown: Callable[[datetime, datetime], str]) -> SafeString | str:
    if not text:
        return ""
    try:
        when = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return text
    now = datetime.now(UTC)
    exact = f"{when.strftime('%Y-%m-%d %H:%M:%S UTC')}, {ago(when, now)}"
    return format_html('<time datetime="{}" title="{}">{}</time>', text, exact, shown(when, now))
