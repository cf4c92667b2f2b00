"""The opaque cursors of listings: where a page ended, as text that only this engine reads (004 section 5, paging)."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from graphapi.domain.refusals import CursorGone


def cursor_of(*parts: str | int) -> str:
    """``parts`` as one token that passes through an address unchanged."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).rstrip(b"=").decode()


def parts_of(cursor: str, shape: Sequence[type], *, fix: str) -> list[Any]:
    """What :func:`cursor_of` was given. Raises :class:`CursorGone` for a text that no page served."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        parts = json.loads(raw.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        parts = None
    if not isinstance(parts, list) or [type(part) for part in parts] != list(shape):
        raise CursorGone("this cursor was served by no page", fix=fix)
    return parts


def mark_of(*values: Any) -> str:
    """A short digest by which a cursor knows again what it stood on."""
    text = json.dumps(values, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
