"""Clips on disk: one WAV for each piece of speech of a language, and an index with their audible onsets.

Own recordings lie in `own/` beside them, named by their words ("fuehrt_mit.wav"); they come before any program's.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path

import msgspec
import numpy as np

from companion.edges.voice.synth import Engine, Make, VoiceError, engine
from companion.sound.clips import BadClip, Clip, clip, levelled, trimmed, wav
from companion.table.things import value

_HEAD = 44  # bytes of a WAV file as we write it, before its samples
_AT_HAND = 300  # clips kept in memory, some 100 kB each
_LONGEST_NAME = 80  # characters of a file name
_SPELL = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
Told = Callable[[int, int], None]  # how many of how many are rendered


@value
class Entry:
    """A clip of the index. `onset` and `length` in samples; `made` says by what."""

    file: str
    onset: int
    length: int
    made: str


@value
class _Index:
    make: Make = Make()
    clips: Mapping[str, Entry] = field(default_factory=dict)


def home() -> Path:
    """Where clips are kept."""
    usual = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(os.environ.get("COMPANION_VOICE") or Path(usual) / "companion" / "voice")


def slug(words: str) -> str:
    """How an own recording of these words is called, without ".wav"."""
    spelled = re.sub(r"[^0-9a-z]+", "_", words.casefold().translate(_SPELL)).strip("_")
    return spelled[:_LONGEST_NAME].strip("_") or "_"


class Store:
    """The clips of one language."""

    def __init__(self, folder: Path, lang: str, own: Path | None = None) -> None:
        """Read the index, if there is one; a broken one is as good as none: clips can be made anew.

        `own`: where recordings lie, if not in `own/` of this folder.
        """
        self.lang, self.folder, self.own = lang, folder / lang, (own or folder / "own") / lang
        self._index = _Index()
        try:
            content = (self.folder / "clips.json").read_bytes()
            self._index = msgspec.json.decode(content, type=_Index)
        except (OSError, msgspec.DecodeError):
            self._index = _Index()
        self._loaded: dict[str, Clip] = {}

    @property
    def make(self) -> Make:
        """By what the clips of this language are made."""
        return self._index.make

    @property
    def clips(self) -> Mapping[str, Entry]:
        """The index by words."""
        return self._index.clips

    def find(self, words: str) -> Clip | None:
        """A clip, from memory or disk; None if there is none that can be read."""
        known = self._loaded.get(words)
        entry = self._index.clips.get(words)
        if known is not None or entry is None:
            return known
        try:
            content = (self.folder / entry.file).read_bytes()[_HEAD:]
        except OSError:
            return None
        samples = np.frombuffer(content[: len(content) // 2 * 2], "<i2") / np.float32(32767)
        found = self._loaded[words] = Clip(samples.astype(np.float32), entry.onset)
        if len(self._loaded) > _AT_HAND:
            del self._loaded[next(iter(self._loaded))]
        return found

    def warm(self) -> None:
        """Ask the system to read all clips ahead, so that the first use of one waits for no disk."""
        for entry in self._index.clips.values():
            with suppress(OSError), (self.folder / entry.file).open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_WILLNEED)

    def lacking(self, words: Iterable[str], make: Make | None = None) -> tuple[str, ...]:
        """Of these words the ones without a clip of this make (or of an own recording that is newer)."""
        made = str(make or self.make)
        return tuple(each for each in dict.fromkeys(words) if not self._current(each, made))

    def _current(self, words: str, made: str) -> bool:
        entry = self._index.clips.get(words)
        own = self._recording(words)
        want = f"own {own.stat().st_mtime_ns}" if own is not None else made
        return entry is not None and entry.made == want and (self.folder / entry.file).is_file()

    def _recording(self, words: str) -> Path | None:
        path = self.own / f"{slug(words)}.wav"
        return path if path.is_file() else None

    def render(
        self, words: Iterable[str], make: Make | None = None, *, beats: frozenset[str] = frozenset(),
        speak: Engine | None = None, told: Told = lambda _, __: None,
    ) -> int:  # fmt: skip
        """Make what is lacking, several at a time; how many were made. VoiceError names what is missing or wrong."""
        make = make or self.make
        want = self.lacking(words, make)
        if not want:
            return 0
        if speak is None and any(self._recording(each) is None for each in want):
            speak = engine(make)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._index = replace(self._index, make=make)
        made = dict(self._index.clips)
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            try:
                rendered = pool.map(lambda each: self._one(each, make, each in beats, speak), want)
                for number, (each, entry) in enumerate(zip(want, rendered, strict=True), 1):
                    made[each] = entry
                    self._loaded.pop(each, None)
                    told(number, len(want))
            finally:  # what was made before a fault is kept
                pool.shutdown(cancel_futures=True)
                self._index = replace(self._index, clips=made)
                _whole(self.folder / "clips.json", msgspec.json.format(msgspec.json.encode(self._index)))
        return len(want)

    def _one(self, words: str, make: Make, beat: bool, speak: Engine | None) -> Entry:
        own = self._recording(words)
        if own is None:
            assert speak is not None, "an engine was found for what is not recorded"
            content, made = speak(words, f"{self.lang}-beat" if beat else self.lang), str(make)
        else:
            content, made = own.read_bytes(), f"own {own.stat().st_mtime_ns}"
        try:
            sound = levelled(trimmed(clip(content)))
        except BadClip as fault:
            raise VoiceError(f"{own or make.engine}: {fault}") from fault
        if not len(sound.samples):
            raise VoiceError(f"{own or make.engine}: {words!r} is silent")
        name = f"{slug(words)[:40]}-{hashlib.sha256(words.encode()).hexdigest()[:8]}.wav"
        _whole(self.folder / name, wav(sound.samples))
        return Entry(name, sound.onset, len(sound.samples), made)


def _whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    draft = path.with_suffix(f"{path.suffix}.{os.getpid()}")
    draft.write_bytes(content)
    draft.replace(path)
