"""The screens' and the voice's place at a simulated table: what was said, for the persons to hear."""

from __future__ import annotations

from collections import deque

from companion.house import News
from companion.table.effects import Say
from companion.table.session import Session


class Ears:
    """Hears what screens show and the voice says: told by the house's thread, asked by the persons'."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        self.said = deque[Say]()
        self._last: tuple[Say, ...] = ()

    def show(self, session: Session | None, news: News) -> None:
        """Take note of new captions."""
        del session  # persons see it on the table screen
        old, now = self._last, news.captions
        if now is not old:  # captions that are added to, as by how close a race was, are heard once
            added = old and len(now) > len(old) and all(a is b for a, b in zip(old, now, strict=False))
            self._last = now
            self.said.extend(now[len(old) :] if added else now)

    def heard(self) -> tuple[Say, ...]:
        """What was said since the last time. What is said meanwhile is heard now or the next time, never lost."""
        return tuple(self.said.popleft() for _ in range(len(self.said)))
