"""Pins that cannot be had at the start, as while another program holds them, are asked for until they can."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.edges.gpio import PinError
from companion.running.parts import Places

RETRY_S = 5.0


class Pins:
    """The places' pins, now or later. `close` gives back whatever there is."""

    def __init__(
        self, claim: Callable[[], Places], have: Callable[[Places], None], tell: Callable[[str], None],
        every_s: float = RETRY_S,
    ) -> None:  # fmt: skip
        """`have`: they are there; `tell`: why not, once for each reason, and "" when they have come after all."""
        self._claim, self._have, self._tell, self._every = claim, have, tell, every_s
        self._told, self._places, self._end = "", list[Places](), threading.Event()
        self._thread: threading.Thread | None = None
        if not self._tried():
            self._thread = threading.Thread(target=self._again, name="pins", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Ask no more, give back what is there."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()
        for places in self._places:
            places.close()

    def _again(self) -> None:
        while not self._end.wait(self._every) and not self._tried():
            pass

    def _tried(self) -> bool:
        try:
            places = self._claim()
        except PinError as fault:
            if str(fault) != self._told:
                self._told = str(fault)
                self._tell(self._told)
            return False
        self._places.append(places)
        self._have(places)
        if self._told:
            self._tell("")
        return True
