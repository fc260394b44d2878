"""The voice of a table that opens before it can speak: what is said until then is said when the voice has come."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from threading import Lock

from companion.house import Voice

UNSAID = 6  # sentences that are still said when the voice has come: more would be heard too late to be of use


class Mouth:
    """Silent until the voice has come, then the voice. A count that began in silence is taken up where it stands."""

    def __init__(self, awaited: bool) -> None:
        """`awaited`: whether a voice is to come at all."""
        self._awaited, self._lock = awaited, Lock()  # what is kept and what is ordered goes together
        self._voice: Voice | None = None
        self._loud: dict[str, float] = {}
        self._known: tuple[tuple[str, ...], str] | None = None
        self._unsaid = deque[tuple[tuple[str, ...], str, str]](maxlen=UNSAID)
        self._counted: tuple[tuple[str, ...], int, float, str] | None = None

    def comes(self, voice: Voice) -> None:
        """The voice is there: it learns what was ordered before. From any thread."""
        with self._lock:
            if self._loud:
                voice.tune(self._loud)
            if self._known is not None:
                voice.know(*self._known)
            for sentence in self._unsaid:
                voice.say(*sentence)
            if self._counted is not None:
                voice.count(*self._counted)
            self._unsaid.clear()
            self._voice = voice

    @property
    def sounds(self) -> bool | None:
        """Whether there is sound now; None where none is wanted."""
        if self._voice is None:
            return False if self._awaited else None
        sounds: bool | None = getattr(self._voice, "sounds", None)
        return sounds

    def say(self, parts: tuple[str, ...], lang: str, lane: str) -> None:
        """Speak a sentence, now or when the voice has come."""
        with self._lock:
            if self._voice is None:
                self._unsaid.append((parts, lang, lane))
            else:
                self._voice.say(parts, lang, lane)

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        """Speak beats at even steps."""
        with self._lock:
            self._counted = beats, start_ns, seconds, lang
            self._now(lambda voice: voice.count(beats, start_ns, seconds, lang))

    def hush(self) -> None:
        """Cut a running count off."""
        with self._lock:
            self._counted = None
            self._now(lambda voice: voice.hush())

    def stop(self) -> None:
        """What was said is no longer true."""
        with self._lock:
            self._unsaid.clear()
            self._now(lambda voice: voice.stop())

    def again(self) -> None:
        """Say the last thing once more."""
        self._now(lambda voice: voice.again())

    def chime(self, seat: int) -> None:
        """Answer a press; one that is not heard at once is none."""
        self._now(lambda voice: voice.chime(seat))

    def tune(self, loud: Mapping[str, float]) -> None:
        """Set the volume of lanes."""
        with self._lock:
            self._loud.update(loud)
            self._now(lambda voice: voice.tune(loud))

    def know(self, names: tuple[str, ...], lang: str) -> None:
        """Players join."""
        with self._lock:
            self._known = names, lang
            self._now(lambda voice: voice.know(names, lang))

    def lead(self) -> int:
        """How long before its first beat a count must be ordered, ns."""
        return 0 if self._voice is None else self._voice.lead()

    def _now(self, order: Callable[[Voice], None]) -> None:
        if self._voice is not None:
            order(self._voice)
