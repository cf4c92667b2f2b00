"""Real answers inside the documents: a fenced block that names a read holds what it answers on the seeded corpus.

A block opens with ```` ```json search_context {"query": "…"} ````. What varies from run to run (the time of a pass, its
handle, where the root lies) stands as one fixed sample of its kind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

FENCE = re.compile(r"^```json (?P<read>[a-z_]+) (?P<arguments>\{[^\n]*\})\n(?P<answer>.*?)^```$", re.M | re.S)
_TIME = "2026-06-01T09:00:00Z"
# A value under one of these keys depends on when and where the pass ran.
VARIES = {
    **dict.fromkeys(("oldest_read_at", "last_read_at", "started_at", "finished_at"), _TIME),
    **dict.fromkeys(("first_ingested_at", "ingested_at"), _TIME),
    "handle": "PASS-0123456789abcdef", "seconds": 1.0, "root": "/srv/harbourmaster", "namespace": "harbourmaster",
    "corpus_revision": "0123456789abcdef",
}  # fmt: skip

Ask = Callable[[str, dict[str, Any]], dict[str, Any]]


def settled(value: Any) -> Any:
    """``value`` with a sample in place of everything that varies, and with counts in the order of their names:
    PostgreSQL keeps no other of a pass's counts."""
    if isinstance(value, dict):
        found = {k: VARIES[k] if k in VARIES and v is not None else settled(v) for k, v in value.items()}
        return found | {"counts": _by_name(found["counts"])} if "counts" in found else found
    return [settled(v) for v in value] if isinstance(value, list) else value


def _by_name(value: Any) -> Any:
    return {k: _by_name(value[k]) for k in sorted(value)} if isinstance(value, dict) else value


def rendered(value: Any, indent: int = 0) -> str:
    """JSON a person can read: one line for what fits on one, an entry a line otherwise."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or len(flat) + indent <= 110:
        return flat
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        rows = [f"{pad}{json.dumps(k, ensure_ascii=False)}: {rendered(v, indent + 2)}" for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(pad + rendered(v, indent + 2) for v in value) + "\n" + " " * indent + "]"


def with_answers(page: str, ask: Ask) -> str:
    """``page`` with every such block holding the answer there is now."""

    def block(found: re.Match[str]) -> str:
        answer = settled(ask(found["read"], json.loads(found["arguments"])))
        return f"```json {found['read']} {found['arguments']}\n{rendered(answer)}\n```"

    return FENCE.sub(block, page)
