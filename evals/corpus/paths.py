"""Where each artifact's file lies in the project."""

from __future__ import annotations

from .layout import Entry
from .material import BacklogText

FOLDERS = {
    "epic": "backlog",
    "feature": "backlog",
    "story": "backlog",
    "conversation": "conversations",
    "decision": "decisions",
    "delivery": "deliveries",
}


def path_of(entry: Entry) -> str:
    """The path of an entry's file from the project's root, such as ``backlog/STORY-001-free-places-by-depth.md``."""
    slug = f"-{entry.content.slug}" if isinstance(entry.content, BacklogText) else ""
    return f"{FOLDERS[entry.kind]}/{entry.id}{slug}.md"
