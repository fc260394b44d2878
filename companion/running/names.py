"""The names under which this machine may be addressed: a network may come up, or change, long after the start."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from threading import Lock

FRESH_S = 5.0
ALONE = ("127.0.0.1", "::1")  # served there, this machine only hears it


def now_known() -> tuple[str, ...]:
    """The names of this machine, and the address that its network gave it, which stands last."""
    name = socket.gethostname()
    hosts = [name, f"{name}.local"]
    try:  # no packet is sent: this only asks which address would be used
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            hosts.append(str(probe.getsockname()[0]))
    except OSError:
        pass  # no network: localhost is enough
    return tuple(hosts)


def address(host: str, port: int) -> str:
    """How a browser writes it: an IPv6 address stands in brackets, for it has colons of its own."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class Names:
    """The names as they are now, looked up at most every five seconds. Any thread may ask."""

    def __init__(
        self,
        look: Callable[[], tuple[str, ...]] = now_known,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` in monotonic seconds."""
        self._look, self._clock, self._lock = look, clock, Lock()
        self._known, self._until = tuple[str, ...](), float("-inf")

    def __call__(self) -> tuple[str, ...]:
        """All of them."""
        with self._lock:
            if self._clock() >= self._until:
                self._known, self._until = self._look(), self._clock() + FRESH_S
            return self._known

    def join(self, where: str, port: int) -> Callable[[], str]:
        """The address at which a phone finds a table served on `where`: this machine's only, or in the network."""
        return lambda: address(where if where in ALONE else self()[-1], port)
