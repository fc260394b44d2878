"""Chance as a value: a generator that returns its successor instead of changing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from companion.table.things import value

T = TypeVar("T")
_MASK = (1 << 64) - 1


@value
class Luck:
    """A SplitMix64 stream (Steele, Lea, Flood 2014): the same seed gives the same luck everywhere."""

    seed: int

    def draw(self) -> tuple[int, Luck]:
        """One 64-bit number and the next luck."""
        seed = (self.seed + 0x9E3779B97F4A7C15) & _MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31), Luck(seed)

    def below(self, n: int) -> tuple[int, Luck]:
        """A fair number from 0 to n-1 (rejecting the uneven rest) and the next luck."""
        top = (1 << 64) - (1 << 64) % n
        number, luck = self.draw()
        while number >= top:
            number, luck = luck.draw()
        return number % n, luck

    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], Luck]:
        """All items in a fair random order, and the next luck."""
        out = list(items)
        luck: Luck = self
        for i in range(len(out) - 1, 0, -1):
            j, luck = luck.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return tuple(out), luck
