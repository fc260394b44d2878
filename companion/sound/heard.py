"""When a sample of the stream is heard: the map from moments to samples, learnt from what the device says. Pure.

A device is asked, block after block, when what it is given now will be heard. Its answers wobble, by bursts of blocks
and by threads that come late; when it stood still, with nothing to play, all later samples are heard later.
"""

from __future__ import annotations

from companion.sound.clips import RATE

SECOND = 1_000_000_000
BLOCK = 120  # samples that a device is given at a time: 2.5 ms
_JUMP = 20_000_000  # ns: a larger difference is no wobble, if the device holds no more than that
_SPARE = 4  # blocks: so many more than it holds it may take at once when it is filled
_MEMORY = 50  # blocks: over so many answers the map is smoothed, or more
_SURE = 8  # a map that rests upon fewer answers is a guess
_SLACK = RATE // 500  # samples: so far a count may be off an old map,
_FINE = RATE // 8000  # so far off one that still becomes better,
_ROUGH = RATE // 100  # and so far off a guess


class Heard:
    """What the device says of when it gives samples out, smoothed, and the measured delay on top of it.

    The more a device holds, the longer its bursts may be, and the longer it is listened to.
    """

    def __init__(self, delay: int) -> None:
        """`delay` ns from what the device says until the ear."""
        self.delay, self.lead = delay, 0.0
        self._origin: float | None = None  # when sample 0 was (or would have been) given out, ns
        self._odd = 0  # how many answers in a row were no wobble
        self._holds = _SPARE  # blocks, when the device is full
        self._seen = 0  # answers the map rests upon; below 0: so many are still too late, it is being filled

    def note(self, at: int, now: int, lead: float) -> None:
        """Sample `at` is asked for `now` and, says the device, is given out `lead` ns later."""
        origin = now + lead - at * SECOND / RATE
        if self._origin is None:
            self._origin, self.lead = origin, lead
            self._holds = max(_SPARE, round(lead * RATE / SECOND / BLOCK))
            self.anew()
        self.lead += (lead - self.lead) / _MEMORY
        if self._seen < 0:
            self._seen += 1
            return
        off = origin - self._origin
        self._odd = self._odd + 1 if self._seen and abs(off) > max(_JUMP, self.lead) else 0
        if self._odd >= self._holds:  # a gap of which nobody told; by now the device is nearly full again
            self._odd, self._seen = 0, -_SPARE
        elif not self._odd:
            self._seen += 1
            self._origin += off / min(self._seen, self._memory)

    @property
    def _memory(self) -> int:
        """Over how many answers the map is smoothed: over some bursts."""
        return max(_MEMORY, 4 * self._holds)

    def anew(self) -> None:
        """The device stood still, and is filled again: what was known of it holds no more."""
        if self._seen >= 0:
            self._seen = -self._holds - _SPARE
        self._odd = 0

    def drift(self, moment: int, placed: int) -> int:
        """By how many samples what was placed for a moment must be moved; 0 while that may be wobble.

        An old map wobbles a little, while what was placed by it is even: if it is far off, there was a gap of which
        nobody told. A young one becomes better with each answer, and what was placed by it follows.
        """
        if self._seen < 1:
            return 0
        off = self.place(moment) - placed
        answers = min(self._seen, self._memory)
        wobble = BLOCK * self._holds**2 // (32 * answers)  # left of bursts half as long as what it holds
        if self._seen < 2 * self._memory:
            return off if abs(off) > max(wobble, _FINE if self._seen >= _SURE else _ROUGH) else 0
        if abs(off) > max(4 * wobble, _SLACK):
            self.anew()
        return 0

    def place(self, moment: int) -> int:
        """The sample that is heard at a moment (monotonic ns)."""
        origin = self._origin if self._origin is not None else float(moment)
        return round((moment - self.delay - origin) * RATE / SECOND)
