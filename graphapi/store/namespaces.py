"""Namespaces and kinds as names that are safe inside a query: checked, or turned into digits."""

from __future__ import annotations

import hashlib

from graphapi.store.port import NAMESPACE


def check_namespace(namespace: str) -> str:
    """``namespace`` itself; ``ValueError`` when it is not one."""
    if not NAMESPACE.match(namespace):
        raise ValueError(f"not a graph namespace: {namespace!r} (1 to 64 letters, digits, '_' or '-')")
    return namespace


def digits(text: str) -> str:
    """A stand-in for ``text`` in an index: digits only, so that no tokenizer splits it and no stemmer shortens it."""
    return str(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big"))
