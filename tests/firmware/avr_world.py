"""An AVR board in simavr and the host's end of its line, in virtual time, through a USB chip with 1 ms frames."""

from __future__ import annotations

from avr import Avr

from companion.wire.box_link import MS, BoxLink, Signal

STEP = MS // 8


class AvrWorld:
    """One board, one link. USB carries bytes at the full milliseconds only, in both directions."""

    def __init__(self, ppm: float, framing: int = MS) -> None:
        self.avr, self.now, self.framing = Avr(ppm), 50 * MS, framing
        self.avr.run(self.now)
        self.avr.said.clear()  # the host opens the port now
        self.link = BoxLink(self.now)
        self.heard: list[tuple[Signal, int]] = []

    def run(self, until: int) -> None:
        """Let board and host live; what the host hears goes to `heard` with its time."""
        while self.now < until:
            self.now += STEP
            self.avr.run(self.now)
            frame = self.now % self.framing == 0
            if frame and self.avr.said:
                come = bytes(byte for at, byte in self.avr.said if at <= self.now)
                self.avr.said = self.avr.said[len(come) :]
                self._keep(self.link.received(come, self.now))
            if self.link.due() <= self.now:
                self._keep(self.link.tick(self.now))
            if self.link.outgoing:
                leaves = -(-(self.now + 1) // self.framing) * self.framing
                self.avr.hear(leaves, bytes(self.link.outgoing))
                self.link.outgoing.clear()

    def close(self) -> None:
        self.avr.close()

    def _keep(self, signals: list[Signal]) -> None:
        self.heard += [(signal, self.now) for signal in signals]
