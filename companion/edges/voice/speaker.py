"""The table's end of the voice: sends orders to the voice's own process, starts it anew when it is gone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread

from companion.edges.voice.store import Store, home
from companion.edges.voice.synth import Make, VoiceError
from companion.edges.voice.words import silent, told
from companion.table.things import value
from companion.wire import voice_line as line

SECOND = 1_000_000_000
RETRY_S = (1.0, 2.0, 5.0)  # before the voice is started anew; the last one again and again
SPARE = 15_000_000  # ns that an order may take to the voice's process, on top of its delay
EARLY = 20  # orders that wait for the first process
MANY = 40  # clips that take so long that people should know
QUIET_LEAD = 30_000_000  # ns before a count's first beat where nothing is heard: the lamps keep the same beat
_PROCESS = (sys.executable, "-m", "companion.edges.voice.stream")
Trouble = Callable[[str], None]


class Silence:
    """No voice: nothing is said, nothing is waited for."""

    def say(self, parts: tuple[str, ...], lang: str, lane: str) -> None:
        """Say nothing."""

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        """Count in silence; the clock rings all the same."""

    def hush(self) -> None:
        """Cut no count off."""

    def stop(self) -> None:
        """Forget nothing."""

    def again(self) -> None:
        """Repeat nothing."""

    def chime(self, seat: int) -> None:
        """Sound no chime."""

    def tune(self, loud: Mapping[str, float]) -> None:
        """Set no volume."""

    def know(self, names: tuple[str, ...], lang: str) -> None:
        """Learn no names."""

    def lead(self) -> int:
        """How long before its first beat a count must be ordered, ns; nothing is heard, so it may begin at once."""
        return 0

    def close(self) -> None:
        """Close nothing."""


@value
class Wanted:
    """What one language needs at hand: all words, the sung syllables among them, how they are made, own recordings."""

    words: tuple[str, ...]
    beats: frozenset[str] = frozenset()
    make: Make | None = None  # None: as the clips that are there
    own: Path | None = None


class Speaker(Silence):
    """Orders to the voice's process. Every call returns at once; without the process it does nothing.

    While the first process starts, orders wait for it. Those of which only the moment counts wait for nothing.
    `trouble` hears what is wrong with the voice, and "" when it is well again.
    """

    def __init__(
        self, folder: Path, wanted: Mapping[str, Wanted], *, trouble: Trouble | None = None,
        command: Sequence[str] = _PROCESS, loud: Mapping[str, float] | None = None,
        retry_s: Sequence[float] = RETRY_S, lang: str = "en",
    ) -> None:  # fmt: skip
        """`folder`: where clips are kept; `wanted`: what each language needs; `command`: the voice's process.

        `lang`: in which troubles are told.
        """
        self._folder, self._wanted, self._command = folder, dict(wanted), tuple(command)
        self._trouble, self._ills = trouble or (lambda _: None), {"clips": "", "sound": ""}
        self._told, self._lang, self._rendering = "", lang, Lock()
        self._loud, self._retry = dict(loud or {}), tuple(retry_s)
        self._lock, self._ending = Lock(), Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._delay = QUIET_LEAD
        self._early: deque[line.Order] | None = deque(maxlen=EARLY)  # until there has been a process
        self._missed: dict[str, set[str]] = {}
        self._names: tuple[str, ...] = ()
        self.stutters, self._sounds = 0, False
        self._keeper = Thread(target=self._keep, name="voice", daemon=True)
        self._keeper.start()
        self._makers = [self._make(lang) for lang in self._wanted]

    def say(self, parts: tuple[str, ...], lang: str, lane: str) -> None:
        """Speak a sentence when what is being said is over, unless a newer one makes it stale."""
        self._send(line.Say(parts, lang, lane))

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        """Speak beats at even steps from `start_ns`; whatever else is being said gives way."""
        self._send(line.Count(beats, start_ns, seconds, lang))

    def hush(self) -> None:
        """Cut a count off, begun or not."""
        self._send(line.Hush())

    def stop(self) -> None:
        """Forget what is being said: something was put right."""
        self._send(line.Stop())

    def again(self) -> None:
        """Repeat the last thing said, if there is sound now."""
        if self._sounds:
            self._send(line.Again())

    def chime(self, seat: int) -> None:
        """Sound a player's chime at once; without sound now, never: a process that comes up would sound all at once."""
        if self._sounds:
            self._send(line.Chime(seat))

    def tune(self, loud: Mapping[str, float]) -> None:
        """Set the volume of lanes, 0 (mute) to 1; kept when the voice is started anew."""
        self._loud.update(loud)
        self._send(line.Tune(dict(self._loud)))

    def know(self, names: tuple[str, ...], lang: str) -> None:
        """Players join: their names are rendered now, so that no round waits for it."""
        self._names = names
        self._makers.append(self._make(lang))

    @property
    def sounds(self) -> bool:
        """Whether there is sound now."""
        return self._sounds

    def lead(self) -> int:
        """How long before its first beat a count must be ordered, ns."""
        return self._delay + SPARE if self._process is not None else QUIET_LEAD

    def close(self) -> None:
        """Fall silent, end process and threads."""
        self._ending.set()
        process = self._process
        if process is not None:
            process.kill()
        for thread in (self._keeper, *self._makers):
            thread.join()

    def _send(self, order: line.Order) -> None:
        with self._lock:
            if self._early is None:
                self._write(order)
            else:
                self._early.append(order)

    def _write(self, order: line.Order) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        content = line.line(order)
        with suppress(OSError, ValueError):  # it is gone; the keeper knows it
            if process.stdin.write(content) != len(content):
                process.kill()  # it does not read any more: a new one will

    def _keep(self) -> None:
        """Start the process, read its reports; start it anew when it ends."""
        tries = 0
        while not self._ending.is_set():
            try:
                lived = self._live()
            except OSError as fault:
                lived = False
                with self._lock:
                    self._early = None
                self._ill("sound", silent(self._lang, str(fault)))
            tries = 0 if lived else tries + 1
            self._ending.wait(self._retry[min(tries, len(self._retry) - 1)])

    def _live(self) -> bool:
        """One life of the process; whether it ever sounded."""
        lived = False
        pipe = subprocess.PIPE
        with subprocess.Popen(self._command, stdin=pipe, stdout=pipe, bufsize=0) as process:
            assert process.stdin is not None and process.stdout is not None, "both are pipes"
            os.set_blocking(process.stdin.fileno(), False)
            try:
                with self._lock:  # no order comes before what a new process must know
                    self._process = process
                    self._at_hand()
                if self._ending.is_set():
                    process.kill()
                for content in iter(process.stdout.readline, b""):
                    lived = self._hear(content) or lived
            finally:
                process.kill()
                with self._lock:
                    self._process, self._sounds = None, False
                    self._delay = QUIET_LEAD
        if not self._ending.is_set() and not self._ills["sound"]:
            self._ill("sound", silent(self._lang, told(self._lang, "gone")))
        return lived

    def _at_hand(self) -> None:
        """What a new process must know; the first one, what was ordered before it came, too. The lock is held."""
        known = (line.Tune(dict(self._loud)), *(self._loads(lang) for lang in self._wanted))
        for order in (*known, *(self._early or ())):
            self._write(order)
        self._early = None

    def _loads(self, lang: str) -> line.Load:
        beats = self._wanted[lang].beats if lang in self._wanted else ()
        return line.Load(str(self._folder), lang, tuple(sorted(beats)))

    def _hear(self, content: bytes) -> bool:
        """Take a report in; whether it says that there is sound."""
        with suppress(line.BadOrder):
            report = line.report(content)
            if isinstance(report, line.Well):
                self._delay, self.stutters, self._sounds = report.delay, report.stutters, True
                self._ill("sound", "")
                return True
            if isinstance(report, line.Ill):
                self._ill("sound", silent(self._lang, told(self._lang, report.why, report.detail)))
            else:
                self._missed.setdefault(report.lang, set()).update(report.words)
        return False

    def _make(self, lang: str) -> Thread:
        """Render what a language lacks, beside the game."""
        thread = Thread(target=self._render, args=(lang,), name="voice clips", daemon=True)
        thread.start()
        return thread

    def _render(self, lang: str) -> None:
        wanted = self._wanted.get(lang, Wanted(()))
        with self._rendering:  # one after the other: each writes the whole index
            words = (*wanted.words, *self._names, *sorted(self._missed.pop(lang, set())))
            store = Store(self._folder, lang, wanted.own)
            lacking = len(store.lacking(words, wanted.make))
            try:
                if lacking > MANY:
                    self._ill("clips", told(self._lang, "preparing", str(lacking)))
                store.render(words, wanted.make, beats=wanted.beats)
                self._ill("clips", "")
            except (VoiceError, OSError) as fault:
                self._ill("clips", silent(self._lang, str(fault)))
        self._send(self._loads(lang))

    def _ill(self, part: str, text: str) -> None:
        """Tell what is wrong, once, and when all is well again."""
        with self._lock:
            self._ills[part] = text
            now = next((ill for ill in self._ills.values() if ill), "")
            before, self._told = self._told, now
        if now != before:
            self._trouble(now)


def speaker(
    wanted: Mapping[str, Wanted], *, folder: Path | None = None, trouble: Trouble | None = None,
    delay_ms: float = 0.0, loud: Mapping[str, float] | None = None, device: str = "", pauses: float = 1.0,
    buffer_ms: float = 10.0,
) -> Speaker:  # fmt: skip
    """The voice of this machine. `delay_ms`: what a calibration found on top of what the device says of itself."""
    command = [*_PROCESS, "--delay-ms", f"{delay_ms:.3f}", "--pauses", f"{pauses:.2f}"]
    command += ["--buffer-ms", f"{buffer_ms:.1f}", *(["--device", device] if device else [])]
    lang = next(iter(wanted), "en")
    return Speaker(folder or home(), wanted, trouble=trouble, command=command, loud=loud, lang=lang)
