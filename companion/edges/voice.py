"""What is heard: espeak-ng where it is installed, otherwise silence; the captions are on the screens anyway.

Sentences are spoken once into a folder and played from there. A count is one sound with its beats in place,
so their rhythm is the sound card's. What is not measured yet: how long a player takes until it is heard.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Condition, Thread

from companion.table.breath import Breath, Sentence, drawn, said
from companion.table.things import CompanionError, value
from companion.wire import clips

SECOND = 1_000_000_000
KEPT = 500  # spoken clips in the folder, some 50 kB each
LONGEST = 30  # seconds of one sentence
VOICES = {"en": "en-gb", "de": "de"}
Synth = Callable[[str, str], bytes]  # text and language to a WAV file


class VoiceError(CompanionError, OSError):
    """A sentence could not be spoken; the text says what the program said."""


class Silence:
    """No voice: nothing is said, nothing is waited for."""

    def say(self, text: str, lang: str, lane: str) -> None:
        """Say nothing."""

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        """Count in silence; the clock rings all the same."""

    def hush(self) -> None:
        """Cut nothing off."""

    def close(self) -> None:
        """Close nothing."""


@value
class _Count:
    """A count to be spoken: its beats and when it begins."""

    beats: tuple[str, ...]
    start: int  # monotonic ns
    seconds: float
    lang: str


class Speaker(Silence):
    """Speech in a thread of its own: every call returns at once.

    `trouble` hears what is wrong with the voice, and "" when it is well again.
    """

    def __init__(
        self, synth: Synth, player: Sequence[str], folder: Path, trouble: Callable[[str], None] | None = None
    ) -> None:
        """`player`: a command that plays the WAV file named after it; `folder`: where clips are kept."""
        self._synth, self._player, self._folder = synth, tuple(player), folder
        self._trouble, self._ill = trouble or (lambda _: None), ""
        self._wake = Condition()
        self._breath = Breath()
        self._count: _Count | None = None
        self._playing: subprocess.Popen[bytes] | None = None
        self._counting = False  # whether what plays is a count
        self._closed = False
        folder.mkdir(parents=True, exist_ok=True)
        self._prune()
        self._thread = Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str, lang: str, lane: str) -> None:
        """Speak a sentence when what is being said is over, unless a newer one makes it stale."""
        with self._wake:
            self._breath = said(self._breath, Sentence(text, lang, lane), time.monotonic_ns())
            self._wake.notify()

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        """Speak beats at even steps from `start_ns`; whatever else is being said gives way."""
        with self._wake:
            self._count, self._breath = _Count(beats, start_ns, seconds, lang), Breath()
            self._stop()
            self._wake.notify()

    def hush(self) -> None:
        """Cut a count off, begun or not."""
        with self._wake:
            self._count = None
            if self._counting:
                self._stop()
            self._wake.notify()

    def close(self) -> None:
        """Fall silent and end the thread."""
        with self._wake:
            self._closed = True
            self._stop()
            self._wake.notify()
        self._thread.join()

    def _stop(self) -> None:
        if self._playing is not None:
            self._playing.kill()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closed or self._count or self._breath.waiting)
                if self._closed:
                    return
                count = self._count
                self._breath, sentence = (self._breath, None) if count else drawn(self._breath)
            try:
                if count is not None:
                    self._speak_count(count)
                elif sentence is not None:
                    self._play(self._spoken(sentence.text, sentence.lang), None)
                self._tell("")
            except (CompanionError, OSError, subprocess.SubprocessError) as fault:
                self._tell(str(fault))
            with self._wake:
                if self._count is count:
                    self._count = None

    def _speak_count(self, count: _Count) -> None:
        beats = [clips.clip(self._spoken(beat, count.lang).read_bytes()) for beat in count.beats]
        sound = clips.counted(beats, count.seconds)
        with self._wake:
            while self._count is count and not self._closed and time.monotonic_ns() < count.start:
                self._wake.wait((count.start - time.monotonic_ns()) / SECOND)
        path = self._folder / f"count-{os.getpid()}.wav"
        path.write_bytes(clips.wav(clips.later(sound, time.monotonic_ns() - count.start)))
        self._play(path, count)

    def _spoken(self, text: str, lang: str) -> Path:
        """The clip of a sentence, spoken now if it is new."""
        name = hashlib.sha256(f"{lang}\n{text}".encode()).hexdigest()[:32]
        path = self._folder / f"{name}.wav"
        if not path.exists():
            content = self._synth(text, lang)
            draft = path.with_suffix(f".{os.getpid()}")
            draft.write_bytes(content)
            draft.replace(path)  # whole or not at all
        return path

    def _play(self, path: Path, count: _Count | None) -> None:
        """Play a file to its end, or until it is stopped."""
        command = [*self._player, str(path)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            with self._wake:
                self._playing, self._counting = process, count is not None
                if self._closed or self._count is not count:  # called off while it started
                    process.kill()
            try:
                _, words = process.communicate(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            finally:
                with self._wake:
                    self._playing, self._counting = None, False
        if process.returncode > 0:  # below 0: killed by us
            said_it = words.decode(errors="replace").strip()
            raise VoiceError(f"{self._player[0]}: {said_it or 'no sound came'}")

    def _tell(self, ill: str) -> None:
        if ill != self._ill:
            self._ill = ill
            self._trouble(ill)

    def _prune(self) -> None:
        """Keep the newest clips."""
        found = sorted(self._folder.glob("*.wav"), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in found[KEPT:]:
            old.unlink(missing_ok=True)


def espeak(text: str, lang: str) -> bytes:
    """A sentence spoken by espeak-ng, as a WAV file. VoiceError if it cannot."""
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        command = ["espeak-ng", "-v", VOICES.get(lang, lang), "-s", "160", "-w", file.name, "--stdin"]
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=LONGEST, check=False)
        content = Path(file.name).read_bytes()
    if done.returncode or not content:
        raise VoiceError(f"espeak-ng: {done.stderr.decode(errors='replace').strip() or 'no sound came'}")
    return content


def voice(folder: Path | None = None, trouble: Callable[[str], None] | None = None) -> Silence:
    """The best voice this machine has. `trouble` hears what is missing, and later what is wrong with it."""
    player = _player()
    needs = {"espeak-ng": shutil.which("espeak-ng"), "alsa-utils": player}
    lack = [name for name, there in needs.items() if not there]
    if player is None or lack:
        if trouble is not None:
            trouble(f"no voice, captions only: `apt install {' '.join(lack)}`")
        return Silence()
    return Speaker(espeak, player, folder or _cache(), trouble)


def _player() -> tuple[str, ...] | None:
    """A program that plays a WAV file: by the desktop's sound server if it runs, else by ALSA itself."""
    server = Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere")) / "pulse" / "native"
    if shutil.which("paplay") and ("PULSE_SERVER" in os.environ or server.exists()):
        return ("paplay",)
    return ("aplay", "-q") if shutil.which("aplay") else None


def _cache() -> Path:
    """Where spoken clips are kept between evenings."""
    usual = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(usual) / "companion" / "voice"
