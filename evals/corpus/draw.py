"""Draws from a seed that come out alike on every Python.

``random.Random`` promises the same ``random()`` for the same seed from release to release; ``shuffle``, ``sample`` and
``choice`` promise nothing of the kind and did change. So only ``random()`` is called here, and a string seed is hashed
by ``random`` itself (SHA-512), which ``PYTHONHASHSEED`` does not touch.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from .material import Size

T = TypeVar("T")


class Draw:
    """One stream of draws for one purpose. Streams do not disturb each other: a draw more in one moves no other."""

    def __init__(self, seed: int, size: Size, purpose: str) -> None:
        self._random = random.Random(f"{seed}:{size}:{purpose}")

    def below(self, n: int) -> int:
        """A whole number from 0 to ``n - 1``."""
        return int(self._random.random() * n)

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        """One of ``items``."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """``items`` in a drawn order (Fisher and Yates)."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """``count`` of ``items``, or all where there are fewer, in the order they were given."""
        chosen = sorted(self.shuffled(range(len(items)))[:count])
        return [items[i] for i in chosen]
