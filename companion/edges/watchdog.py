"""What systemd is told: ready, alive, and how it is. Fed only while every part that must live does.

The protocol is one datagram a message (sd_notify(3)); the packages for it are old or do not build.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Mapping

Alive = Callable[[], float | None]  # when a part was last seen alive, monotonic s; None: it has nothing to do
PATIENCE_S = 3.0  # a part that was silent for longer hangs: a card that is busy with itself may take two
EVERY_S = 0.5


class Notify:
    """Messages to whoever started us; silent where nobody listens."""

    def __init__(self, address: str | None = None) -> None:
        """`address`: the socket's path, by default the one systemd names."""
        self._address = address if address is not None else os.environ.get("NOTIFY_SOCKET", "")
        if self._address.startswith("@"):  # an abstract socket
            self._address = "\0" + self._address[1:]

    def say(self, *lines: str) -> bool:
        """Send lines such as READY=1; whether somebody took them."""
        if not self._address:
            return False
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.sendto("\n".join(lines).encode(), self._address)
        except OSError:
            return False  # whoever started us is gone or deaf: the table plays on
        return True


class Watchdog:
    """Says WATCHDOG=1 while every part is alive, and names the one that is not."""

    def __init__(
        self, notify: Notify, parts: Mapping[str, Alive], now: Callable[[], float] = time.monotonic,
        every_s: float = EVERY_S,
    ) -> None:  # fmt: skip
        """`parts`: for each that must live, when it was last seen to."""
        self._notify, self._parts, self._now, self._every = notify, dict(parts), now, every_s
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Feed from a thread of its own."""
        self._thread = threading.Thread(target=self._work, name="watchdog", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Say that we stop."""
        self._stop.set()
        self._notify.say("STOPPING=1")
        if self._thread is not None:
            self._thread.join(timeout=5)

    def feed(self) -> tuple[str, ...]:
        """Feed once if all are well, else have the table started anew; the parts that hang."""
        now = self._now()
        hanging = tuple(
            name for name, alive in self._parts.items()
            if (last := alive()) is not None and now - last > PATIENCE_S
        )  # fmt: skip
        if hanging:  # waiting for the unit's own patience to end would only make it later
            self._notify.say(f"STATUS=hangs: {', '.join(hanging)}", "WATCHDOG=trigger")
        else:
            self._notify.say("WATCHDOG=1")
        return hanging

    def _work(self) -> None:
        while not self._stop.wait(self._every):
            self.feed()
