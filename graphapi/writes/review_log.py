"""Adding one entry to a block's ``review_log``, in the style it is written in and with no other line touched."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from io import StringIO
from typing import Any

from ruamel.yaml import YAML

from graphapi.domain.frontmatter import Block, BlockError, read_block

KEY = "review_log"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_KEY_LINE = re.compile(r"""(?P<key>(?P<q>["']?)review_log(?P=q)[ \t]*:)(?P<rest>[^\r\n]*)""")
_EMPTY_FLOW = re.compile(r"[ \t]*\[[ \t]*\](?=[ \t]*(?:#|$))")
_REMARK = re.compile(r"[ \t]*(?:#|$)")


def with_entry(block: str, entry: Mapping[str, Any], newline: str) -> str:
    """``block`` with ``entry`` last in its log. Raises :class:`BlockError` where the log is none, is given twice, or is
    written in a way that an entry cannot be added to."""
    before = read_block(block)
    line = before.lines.get(KEY, 1)
    held = before.values.get(KEY)
    if any(key == KEY for key, _ in before.twice):
        raise BlockError("review-log", "review_log is given twice; mend it first", line)
    if held is not None and not isinstance(held, list):
        raise BlockError("review-log", "review_log is not a list of entries; mend it first", line)
    out: str | None
    if KEY not in before.lines:
        out = block + f"{KEY}:{newline}" + _rendered(entry, "", newline)
    else:
        out = _into(block, before, entry, newline)
    expected = {**before.values, KEY: [*(held or []), dict(entry)]}
    # Whatever way the block is written in: what it says now is what it said, and the entry.
    if out is None or _says(out) != expected:
        raise BlockError("review-log", "review_log is written in a way no entry can be added to; spread it out", line)
    return out


def _says(block: str) -> dict[str, Any] | None:
    try:
        return read_block(block).values
    except BlockError:
        return None


def _into(block: str, before: Block, entry: Mapping[str, Any], newline: str) -> str | None:
    lines = [line for line in _LINE.findall(block) if line]
    first = before.lines[KEY] - 2
    end = min([n - 2 for n in before.lines.values() if n - 2 > first], default=len(lines))
    found = _KEY_LINE.match(lines[first])
    if found is None:
        return None
    rest = found["rest"]
    if emptied := _EMPTY_FLOW.match(rest):
        lines[first] = found["key"] + rest[emptied.end() :] + lines[first][found.end() :]
        lines.insert(first + 1, _rendered(entry, "", newline))
    elif rest.lstrip(" \t").startswith("["):
        return _into_flow("".join(lines[:first]), "".join(lines[first:end]), "".join(lines[end:]), entry)
    elif _REMARK.match(rest):
        at, indent = _end_of_list(lines, first + 1, end)
        lines.insert(at, _rendered(entry, indent, newline))
    else:
        return None
    return "".join(lines)


def _into_flow(head: str, value: str, tail: str, entry: Mapping[str, Any]) -> str | None:
    at = value.rfind("]")
    comma = "" if value[:at].rstrip().endswith(",") else ","
    return f"{head}{value[:at].rstrip()}{comma} {json.dumps(entry, ensure_ascii=False)}{value[at:]}{tail}"


def _end_of_list(lines: list[str], first: int, end: int) -> tuple[int, str]:
    """Where the list ends among these lines, and how its dashes are indented; blank lines and remarks after it are not
    its own."""
    dash = next((line for line in lines[first:end] if line.lstrip(" ").startswith("-")), "-")
    indent = dash[: len(dash) - len(dash.lstrip(" "))]
    while end > first:
        text = lines[end - 1].rstrip()
        deeper = len(text) - len(text.lstrip(" ")) > len(indent)
        if text and (deeper or not text.lstrip(" ").startswith("#")):
            break
        end -= 1
    return end, indent


def _rendered(entry: Mapping[str, Any], indent: str, newline: str) -> str:
    out = StringIO()
    yaml = YAML()
    yaml.default_flow_style = False
    yaml.width = 10_000
    yaml.indent(mapping=2, sequence=2, offset=0)
    yaml.dump([dict(entry)], out)
    return "".join(f"{indent}{line}{newline}" for line in out.getvalue().split("\n") if line)
