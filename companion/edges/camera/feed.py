"""Keeps a source giving: the newest frame only, stale ones thrown away, faults named, and back by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing

from companion.edges.camera.frames import Frame, Source
from companion.edges.camera.words import CameraError, say

PATIENCE_S = 2.0  # a camera that opens must give a frame within this
AGAIN_S = (0.2, 0.5, 1.0, 2.0)  # pauses between tries; the last one is repeated
STALE_NS = 400_000_000  # a frame older than this tells nothing of the table now
REST_S = 1.0  # when nobody took a frame for so long, frames pass undecoded

Trouble = Callable[[str], None]


class Feed:
    """Frames of a source on demand. Calling it gives the next fresh frame, or None after two seconds."""

    def __init__(
        self, make: Callable[[], Source], trouble: Trouble = lambda _: None, *, lang: str = "en",
        patience_s: float = PATIENCE_S, again_s: tuple[float, ...] = AGAIN_S,
    ) -> None:  # fmt: skip
        """`make` gives the source anew for each try; `trouble` is told what is wrong, "" when it is well."""
        self._make, self._trouble, self._lang = make, trouble, lang
        self._patience, self._again = patience_s, again_s
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._round = 0  # of the thread that reads; an older one that hangs in its driver is left behind
        self._source: Source | None = None  # that is open
        self._wanted = time.monotonic()
        self._told = ""
        self._closed = False
        self.ignored: tuple[str, ...] = ()  # what the camera does not obey, in words
        self._start()

    def __call__(self) -> Frame | None:
        """The next frame that is not stale. None: none came in time, and why is told."""
        deadline = time.monotonic() + self._patience
        with self._news:
            self._wanted = time.monotonic()
            while True:
                frame, self._frame = self._frame, None
                self._news.notify_all()
                if frame is not None and (not self._live() or time.monotonic_ns() - frame.at < STALE_NS):
                    return frame
                left = deadline - time.monotonic()
                if left <= 0 or self._closed:
                    break
                self._news.wait(left)
            if self._source is not None and not self._closed:  # it opened, and hangs
                name = self._source.name
                self._say(say(self._lang, "no_frame", {"source": name, "seconds": f"{self._patience:g}"}))
                self._start()
        return None

    def close(self) -> None:
        """Give the source back."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._thread.join(timeout=self._patience)

    def _live(self) -> bool:
        return self._source is None or self._source.live

    def _start(self) -> None:
        self._round += 1
        self._source = None
        self._thread = threading.Thread(target=self._work, args=(self._round,), name="frames", daemon=True)
        self._thread.start()

    def _mine(self, number: int) -> bool:
        return number == self._round and not self._closed

    def _work(self, number: int) -> None:
        failed = 0
        while self._mine(number):
            began, fault = self._try(number)
            failed = 0 if began else failed + 1
            with self._news:
                if self._mine(number):
                    self._source = self._frame = None
                    self._say(fault)
                    self._news.wait_for(
                        lambda: not self._mine(number), self._again[min(failed, len(self._again) - 1)]
                    )

    def _try(self, number: int) -> tuple[bool, str]:
        """Open the source, read it to its end, close it: whether it gave a frame, and why it gives no more."""
        try:
            with closing(self._make()) as source:
                ignored = source.open()
                return self._read(number, source, ignored), say(self._lang, "gone", {"source": source.name})
        except CameraError as error:
            return False, error.told(self._lang)
        except Exception as error:  # drivers and libraries raise what they like; this thread must live on
            why = f"{type(error).__name__}: {error}"
            return False, say(self._lang, "failed", {"why": why})

    def _read(self, number: int, source: Source, ignored: tuple[tuple[str, dict[str, str]], ...]) -> bool:
        """Read until it ends; whether there was a frame at all."""
        with self._news:
            if not self._mine(number):
                return False
            self._source = source
            self.ignored = tuple(self._ignored(name, values) for name, values in ignored)
        began = False
        while self._mine(number):
            wanted = not source.live or time.monotonic() - self._wanted < REST_S
            frame = source.read(wanted)
            if frame is None:
                return began
            with self._news:
                if not self._mine(number):
                    return began
                self._take(frame, wanted, source, number)
                began = True
        return began

    def _take(self, frame: Frame, wanted: bool, source: Source, number: int) -> None:
        """Offer a frame: the newest replaces one not taken; a file waits until it is."""
        self._say("")
        if not wanted:
            return
        self._frame = frame
        self._news.notify_all()
        if not source.live:
            self._news.wait_for(lambda: self._frame is None or not self._mine(number))

    def _ignored(self, name: str, values: dict[str, str]) -> str:
        words = {
            **values, "what": say(self._lang, f"what_{name}"), "remedy": say(self._lang, f"remedy_{name}"),
        }  # fmt: skip
        return say(self._lang, "ignored", words)

    def _say(self, text: str) -> None:
        """Tell what is wrong, once; when it is well, what the camera ignores is all that is left to tell."""
        told = text or "; ".join(self.ignored)
        if told != self._told:
            self._told = told
            self._trouble(told)
