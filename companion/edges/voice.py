"""What is heard: espeak-ng where it is installed, otherwise silence; the captions are on the screens anyway."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from queue import Empty, Queue

SECOND = 1_000_000_000
LANGUAGES = {"en": "en-gb", "de": "de"}


class Silence:
    """No voice: nothing is said, nothing is waited for."""

    def say(self, text: str, lang: str, lane: str) -> None:
        """Say nothing."""

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        """Count in silence; the clock rings all the same."""

    def hush(self) -> None:
        """Nothing to cut off."""

    def close(self) -> None:
        """Nothing to close."""


class Espeak(Silence):
    """Speech by espeak-ng in a thread of its own: a sentence is dropped when a newer one is waiting."""

    def __init__(self, command: str) -> None:
        """`command`: the program's path."""
        self._command = command
        self._queue: Queue[tuple[str, str, int] | None] = Queue()
        self._round = 0
        self._speaking: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str, lang: str, lane: str) -> None:
        """Speak a sentence as soon as the one before it is over."""
        del lane  # one voice, one queue
        if self._queue.qsize() > 2:  # nobody wants late news
            self._drain()
        self._queue.put((text, lang, 0))

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        """Speak beats at even steps on the monotonic clock."""
        self._drain()
        step = round(seconds * SECOND / len(beats))
        for number, beat in enumerate(beats):
            self._queue.put((beat, lang, start_ns + number * step))

    def hush(self) -> None:
        """Cut off what is being said and forget what was to be said."""
        self._drain()
        speaking = self._speaking
        if speaking is not None:
            speaking.kill()

    def close(self) -> None:
        """Stop speaking and end the thread."""
        self.hush()
        self._queue.put(None)
        self._thread.join(timeout=2)

    def _drain(self) -> None:
        self._round += 1
        while True:
            try:
                self._queue.get_nowait()
            except Empty:
                return

    def _work(self) -> None:
        while (said := self._queue.get()) is not None:
            text, lang, at = said
            before = self._round
            while at and time.monotonic_ns() < at and self._round == before:
                time.sleep(min(0.01, max(0.0, (at - time.monotonic_ns()) / SECOND)))
            if self._round == before or not at:
                self._speak(text, lang)

    def _speak(self, text: str, lang: str) -> None:
        line = [self._command, "-v", LANGUAGES.get(lang, lang), "-s", "170", "--", text]
        try:
            self._speaking = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603  # the program found on the path, the text after "--"
            self._speaking.wait(timeout=15)
        except (OSError, subprocess.TimeoutExpired):
            if self._speaking is not None:
                self._speaking.kill()
        finally:
            self._speaking = None


def voice() -> Silence:
    """The best voice this machine has."""
    command = shutil.which("espeak-ng")
    return Silence() if command is None else Espeak(command)
