"""How a page names an artifact: its id, leading to its page, with its project where that is another one."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def to_artifact(context: Context, artifact_id: str, project: str | None = "", text: str = "") -> SafeString:
    """A link to the page of ``artifact_id`` in ``project``, or in the page's own one. ``text`` in place of the id."""
    here = getattr(context.get("project"), "name", "")
    shown = format_html("{}", text) if text else format_html('<span class="id">{}</span>', artifact_id)
    away = format_html(' <span class="tag">{}</span>', project) if project and project != here else SafeString("")
    try:
        address = reverse("artifact", args=[project or here, artifact_id])
    except NoReverseMatch:
        # A source may name what can be no address: it is shown as it stands.
        return format_html("{}{}", shown, away)
    return format_html('<a href="{}">{}</a>{}', address, shown, away)


@register.filter
def after_title(row: dict[str, Any]) -> str:
    """A search row's summary without the title that begins it."""
    return str(row.get("summary", "")).removeprefix(str(row.get("title", ""))).strip()


@register.filter
def in_words(key: str) -> str:
    """A payload's key as words."""
    return key.replace("_", " ")


@register.filter
def shallow(depth: int) -> int:
    """A depth as far as a tree is indented: what lies deeper stands under what is at this one."""
    return min(depth, 6)


@register.filter
def close(words: str) -> str:
    """An excerpt with its lines close together."""
    return "\n".join(line for line in words.splitlines() if line.strip())
