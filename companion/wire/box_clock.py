"""A box's ticks on our clock, and how wrong that may be at most. Pure.

Each fence and its answer bound the relation from both sides: the box cannot have heard the fence before the last
byte could be there, nor answered later than its answer came. So all readings together leave a corridor; the
estimate is its middle, the uncertainty half its width. Nothing is assumed of the line's delays, however they jump
and however they differ in the two directions; assumed is only that a quartz keeps its rate (but for WANDER).
"""

from __future__ import annotations

from companion.table.things import value

SECOND = 1_000_000_000
KEEP = 30 * SECOND  # readings older than this are forgotten
WANDER = 1e-6  # how much a rate may change within that time
MOST = 6e-3  # the worst rate: boards with a ceramic resonator are sold with 0.5 %
_HALF = 1 << 31
_MASK = (1 << 32) - 1


@value
class Moment:
    """A time on our clock, ns, give or take `unc`."""

    at: int
    unc: int


class BoxClock:
    """The corridor of one box between two starts of it."""

    def __init__(self, hz: int) -> None:
        """Ticks a second, by the box's own word."""
        self._tick = SECOND / hz  # ns
        self._base = 0  # ticks of the first reading
        self._zero = 0  # our time of the first reading
        self._newest = 0  # the newest ticks, without their wrap
        self._low: list[tuple[float, float]] = []  # (box's ns since base, ours minus the box's): not less
        self._high: list[tuple[float, float]] = []  # not more
        self._rates = (-MOST, MOST)
        self._stale = False
        self.readings = 0

    def read(self, sent: int, heard: int, said: int, got: int, there: int = 0, back: int = 0) -> None:
        """A fence left at `sent` and its answer came at `got` (ns); `there`, `back`: ns on the wire at least."""
        if not self.readings:
            self._base = self._newest = heard
            self._zero = sent
        first, last = self._long(heard), self._long(said)
        self._newest = max(self._newest, last)
        x, y = (first - self._base) * self._tick, (last - self._base) * self._tick
        self._append(self._low, (x, sent + there - self._zero - x), 1.0)
        self._append(self._high, (y, got - back - self._zero - y), -1.0)
        self._stale = True
        self.readings += 1

    def when(self, ticks: int) -> Moment | None:
        """The time of a tick within half an hour; None while nothing bounds it."""
        if not self.readings:
            return None
        if self._stale:
            self._fit()
        slow, fast = self._rates
        x = (self._long(ticks) - self._base) * self._tick
        low, high = float("-inf"), float("inf")
        for px, py in self._low:  # from each point with the rate that says the least
            low = max(low, py + (x - px) * (slow if x >= px else fast))
        for px, py in self._high:
            high = min(high, py + (x - px) * (fast if x >= px else slow))
        middle, unc = (low + high) / 2, abs(high - low) / 2
        return Moment(self._zero + round(x + middle), round(unc) + 1)

    def ticks(self, at: int) -> int:
        """The box's ticks at a time of ours, as 32 bit; 0 before the first reading."""
        if not self.readings:
            return 0
        near = self.when(self._newest)
        assert near is not None, "there are readings"
        ahead = (at - near.at) / (1 + self.rate)
        return (self._newest + round(ahead / self._tick)) & _MASK

    @property
    def rate(self) -> float:
        """How much slower the box's clock runs than it says: 1e-6 is one part in a million."""
        if self._stale:
            self._fit()
        return (self._rates[0] + self._rates[1]) / 2

    def _long(self, ticks: int) -> int:
        """Ticks without their wrap: those nearest to the newest."""
        return self._newest + ((ticks - self._newest + _HALF) & _MASK) - _HALF

    def _append(self, hull: list[tuple[float, float]], point: tuple[float, float], sign: float) -> None:
        """Keep the points that bound: those on the corridor's convex side."""
        while hull and hull[0][0] < point[0] - KEEP:
            del hull[0]
        x, y = point
        if hull and x <= hull[-1][0]:  # readings may be answered in one tick
            if sign * y <= sign * hull[-1][1]:
                return
            hull.pop()
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2], hull[-1]
            if sign * ((y1 - y0) * (x - x0) - (y - y0) * (x1 - x0)) > 0:
                break
            hull.pop()
        hull.append(point)

    def _fit(self) -> None:
        """The slowest and the fastest rate that fit all readings; if none does, the old ones are wrong."""
        self._stale = False
        while True:
            slow, fast = -MOST, MOST
            for x, low in self._low:
                for y, high in self._high:
                    if y > x:
                        fast = min(fast, (high - low) / (y - x))
                    elif y < x:
                        slow = max(slow, (low - high) / (x - y))
            if slow <= fast + WANDER or len(self._low) == len(self._high) == 1:
                self._rates = (min(slow, fast) - WANDER, max(slow, fast) + WANDER)
                return
            del self._low[: len(self._low) // 2]
            del self._high[: len(self._high) // 2]
