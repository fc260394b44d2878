"""What was heard, as a WebVTT file: when, in which lane, which words; whose chime. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.sound.clips import RATE
from companion.sound.desk import Sounded

HEAD = "WEBVTT"
NOTE, CUT = "♪", "—"  # a chime; what was cut off
_BARE = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": " "})


def vtt(sounds: Iterable[Sounded], names: Sequence[str]) -> str:
    """The transcript, in order of time; `names` of the seats, for their chimes."""
    cues = (_cue(sound, names) for sound in sorted(sounds, key=lambda each: (each.at, each.ends)))
    return "\n\n".join([HEAD, *cues]) + "\n"


def _cue(sound: Sounded, names: Sequence[str]) -> str:
    words = f"{NOTE} {names[int(sound.words)]}" if sound.lane == "chime" else sound.words
    words = " ".join(words.translate(_BARE).split())
    end = f" {CUT}" if sound.cut else ""
    return f"{_time(sound.at)} --> {_time(sound.ends)}\n<v {sound.lane}>{words}{end}"


def _time(sample: int) -> str:
    ms = max(0, sample) * 1000 // RATE
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"
