"""What a table opens without: it is brought up behind the screens, one after the other, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack

Close = Callable[[], None]
Step = Callable[[], Iterable[Close]]  # brings something up; how it is closed


class Later:
    """Takes its steps while the table already serves."""

    def __init__(self, steps: Mapping[str, Step], failed: Callable[[str, Exception], bool]) -> None:
        """Nothing happens before `begin`. `failed(step, why)`: whether the table goes on without it."""
        self._steps, self._failed = dict(steps), failed
        self._up, self._ending = ExitStack(), threading.Event()
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._work, name="later", daemon=True)

    def begin(self) -> None:
        """Take the first step now."""
        self._thread.start()

    def close(self) -> None:
        """Take no further step; close what is up, the newest first. Raises what the table could not go on without."""
        self._ending.set()
        if self._thread.ident is not None:
            self._thread.join()
        with self._up:
            if self._fault is not None:
                raise self._fault

    def _work(self) -> None:
        for name, step in self._steps.items():
            if self._ending.is_set():
                return
            try:
                for close in step():
                    self._up.callback(close)
            except Exception as fault:  # of whatever kind: it is said, or raised where the table ends
                if not self._failed(name, fault):
                    self._fault = fault
                    return
