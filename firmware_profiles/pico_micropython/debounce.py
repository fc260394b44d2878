"""One switch: raw edges in, presses and releases out. The first edge counts, its bounce does not.

The same rules as companion/wire/debounce.py, for MicroPython; times are us that never wrap.
"""

LOCKOUT = 8000


class Contact:
    """A switch: what has been told, the newest level and since when, the end of the lockout."""

    def __init__(self, held=False):
        self.down = self.level = held
        self.since = self.lock = 0

    def settled(self, now):
        """The time of a release that has lasted long enough by now, or None."""
        if not self.down or self.level or now < max(self.lock, self.since + LOCKOUT):
            return None
        self.down = False
        return self.since

    def seen(self, at, level):
        """An edge to a level. A list of (down, at)."""
        told = []
        up = self.settled(at)
        if up is not None:
            told.append((False, up))
        if level != self.level:
            self.level = level
            self.since = at
            if level and not self.down:
                self.down = True
                self.lock = at + LOCKOUT
                told.append((True, at))
        return told

    def looked(self, now, level):
        """Look at the level itself: an open switch is let go, a closed one tells nothing. As settled."""
        up = self.settled(now)
        if self.down and self.level and not level:
            self.level = False
            self.since = now
        return up
