"""The mixing desk: orders in, blocks of sound out. Its time is the number of samples mixed so far. Pure.

Everything is mixed into one endless stream at sample positions, so a rhythm is as even as the sound card's own
clock, and the first sound after an hour of silence begins like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from companion.sound import chimes
from companion.sound import lanes as policy
from companion.sound.clips import RATE, Clip, Samples, drawn_out, onset
from companion.sound.lanes import Lanes, Line
from companion.sound.pieces import cut
from companion.table.things import value

FADE = RATE // 400  # 2.5 ms: what is cut off ends without a click
LOUD: Mapping[str, float] = {"countdown": 1.0, "prompt": 0.85, "chatter": 0.6, "chime": 0.5}
BARE = "sound"  # the lane of what is neither said nor anybody's chime: it is never cut off
Find = Callable[[str, str], Clip | None]  # language and words to a clip
_NEVER = 2**62
_SILENCE = np.zeros(0, np.float32)


@value
class Beat:
    """A sound at a place: `at` is where it begins, in samples."""

    at: int
    sound: Samples
    words: str = ""


@value
class Sounded:
    """What was heard: from one sample to another, in which lane, its words; whether it was cut off.

    A chime has the number of its seat for words, a bare sound has none.
    """

    at: int
    ends: int
    lane: str
    words: str
    cut: bool = False


@value
class Spoken:
    """A line with its sound, ready to be mixed."""

    line: Line
    sound: Samples
    missing: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)  # each is itself; arrays are not compared by ==
class _Voice:
    """A sound being mixed."""

    sound: Samples
    at: int  # where its first sample belongs
    gain: float
    lane: str
    words: str
    heard: int  # from where on it is heard: later than `at`, if it came late
    ends: int = field(default=_NEVER)  # where it falls silent, if it was cut off

    def sounded(self) -> Sounded:
        """What was heard of it."""
        ends = self.at + len(self.sound)
        return Sounded(self.at, min(ends, self.ends), self.lane, self.words, self.ends < ends)


class Desk:
    """Lanes and mixer. One thread orders and takes blocks; `spoken` and `beats` may be asked by another."""

    def __init__(
        self, find: Find, loud: Mapping[str, float] = LOUD, pauses: float = 1.0,
        heard: Callable[[Sounded], None] = lambda _: None,
    ) -> None:  # fmt: skip
        """`find` gives clips; `loud` the volume of each lane (0: mute); pauses are so many times as long.

        `heard` is told of each sound once it has ended.
        """
        self.at = 0  # samples mixed so far
        self.lanes = Lanes()
        self._find, self._pauses, self._heard = find, pauses, heard
        self._loud: dict[str, float] = {}
        self._voices: list[_Voice] = []
        self._sounds: dict[Line, Samples] = {}
        self.tune(loud)

    def tune(self, loud: Mapping[str, float]) -> None:
        """New volumes; a lane at 0 is mute, in the middle of a word."""
        self._loud = {**LOUD, **self._loud, **loud}
        mute = frozenset(lane for lane, level in self._loud.items() if level <= 0.0)
        self._cut(*mute)
        self.lanes = policy.muted(self.lanes, mute, self.at)

    def spoken(self, parts: tuple[str, ...], lang: str, lane: str) -> Spoken:
        """A sentence as one sound, from the clips of its pieces."""
        pieces, missing = cut(parts, lambda words: self._find(lang, words) is not None)
        sounds: list[Samples] = []
        for piece in pieces:
            found = self._find(lang, piece.words)
            assert found is not None, "it was known a moment ago"
            lead = found.onset if sounds else 0  # the pause counts from sound to sound
            sounds += [
                np.zeros(max(0, round(piece.pause * self._pauses * RATE / 1000) - lead), np.float32),
                found.samples,
            ]
        sound = np.concatenate(sounds) if sounds else _SILENCE
        return Spoken(Line((lang, *parts), lane, len(sound)), sound, missing)

    def beats(self, words: tuple[str, ...], lang: str, seconds: float) -> tuple[Beat, ...]:
        """The beats of a count, placed from the first one's onset; the last one sounds until the end."""
        whole = round(seconds * RATE)
        out: list[Beat] = []
        for number, each in enumerate(words):
            start, end = number * whole // len(words), (number + 1) * whole // len(words)
            sound = self.spoken((each,), lang, "countdown").sound
            if not len(sound):
                continue  # no clip: this beat is silent, the others stay in their places
            found = Clip(sound, onset(sound))
            if number + 1 == len(words):
                found = drawn_out(found, end - start)
            out.append(Beat(start - found.onset, found.samples[: found.onset + end - start], each))
        return tuple(out)

    def say(self, spoken: Spoken) -> None:
        """A sentence came."""
        if len(spoken.sound):
            self._sounds[spoken.line] = spoken.sound
            self.lanes = policy.said(self.lanes, spoken.line, self.at)

    def count(self, beats: tuple[Beat, ...], start: int, seconds: float) -> None:
        """A count whose first beat is heard at `start`; what is late already begins in its middle.

        One that is over already only calls off the one that runs.
        """
        end = start + round(seconds * RATE)
        if end <= self.at:
            self.hush()
            return
        self._cut("countdown")
        self.lanes = policy.counted(self.lanes, start, end)
        for beat in beats:
            self._begin(beat.sound, start + beat.at, "countdown", beat.words)

    @property
    def counted(self) -> int | None:
        """Where the running count begins; None if none runs."""
        return self.lanes.count[0] if self.lanes.count else None

    def shift(self, by: int) -> None:
        """Move the beats to come, and the end of the one that sounds, by so many samples (earlier: below 0)."""
        self.lanes = policy.shifted(self.lanes, by)
        for voice in self._voices:
            if voice.lane != "countdown" or voice.ends <= self.at + FADE:
                continue  # no beat, or one of a count that is being cut off
            if voice.at > self.at:
                voice.at, voice.heard = voice.at + by, self.at
            else:
                end = voice.ends if voice.ends < _NEVER else voice.at + len(voice.sound)
                voice.ends = max(self.at + FADE, end + by)

    def hush(self) -> None:
        """The count is called off."""
        self._cut("countdown")
        self.lanes = policy.hushed(self.lanes, self.at)

    def stop(self) -> None:
        """All that was said is no longer true."""
        self._cut(*policy.LANES[1:])
        self.lanes = policy.stopped(self.lanes, self.at)

    def again(self) -> None:
        """Repeat the last breath."""
        before, self.lanes = self.lanes, policy.again(self.lanes, self.at)
        if before is not self.lanes:
            self._cut(*policy.LANES[1:])

    def chime(self, seat: int) -> None:
        """A player's chime, at once; it may sound over anything, and what comes after it waits for its end."""
        self._begin(chimes.chime(seat), self.at, "chime", str(seat))
        if self._loud["chime"] > 0.0:
            self.lanes = policy.chimed(self.lanes, self.at + chimes.heard(seat))

    def sound(self, sounds: Iterable[tuple[int, Samples]]) -> None:
        """Sounds at their places (samples), beside everything else."""
        for at, each in sounds:
            self._voices.append(_Voice(each, at, LOUD["chime"], BARE, "", self.at))

    @property
    def talking(self) -> bool:
        """Whether a sentence is being spoken, or waits to be; counts and chimes are none."""
        spoken = (v for v in self._voices if v.lane not in ("countdown", "chime", BARE))
        return bool(self.lanes.waiting) or any(min(v.ends, v.at + len(v.sound)) > self.at for v in spoken)

    def block(self, frames: int) -> Samples:
        """The next samples of the stream."""
        self._next_lines(self.at + frames)
        out = np.zeros(frames, np.float32)
        for voice in self._voices:
            _add(out, voice, self.at)
        self.at += frames
        ended = [v for v in self._voices if min(v.ends, v.at + len(v.sound)) <= self.at]
        self._voices = [v for v in self._voices if v not in ended]
        for voice in ended:
            if voice.ends > voice.at and voice.gain > 0.0:
                self._heard(voice.sounded())
        return out

    def _next_lines(self, until: int) -> None:
        while True:
            self.lanes, deed = policy.step(self.lanes, self.at, until)
            if deed.cut:
                self._cut(*policy.LANES[1:])
            if deed.begin is None:
                break
            said = deed.begin
            self._begin(self._sounds[said], deed.at, said.lane, "".join(said.words[1:]))
        kept = {due.line for due in self.lanes.waiting} | set(self.lanes.last)
        self._sounds = {line: sound for line, sound in self._sounds.items() if line in kept}

    def _begin(self, sound: Samples, at: int, lane: str, words: str) -> None:
        gain = self._loud.get(lane, self._loud["chatter"])
        self._voices.append(_Voice(sound, at, gain, lane, words, self.at))

    def _cut(self, *lanes: str) -> None:
        for voice in self._voices:
            if voice.lane in lanes or (voice.lane not in (*LOUD, BARE) and "chatter" in lanes):
                voice.ends = min(voice.ends, self.at + FADE)


def _add(out: Samples, voice: _Voice, now: int) -> None:
    """Mix what falls into this block; what is cut off fades, and so does what begins in its middle."""
    first, last = max(voice.at, now), min(voice.at + len(voice.sound), voice.ends, now + len(out))
    if last <= first:
        return
    part = voice.sound[first - voice.at : last - voice.at] * voice.gain
    if voice.ends < _NEVER:
        part = part * np.clip((voice.ends - np.arange(first, last)) / FADE, 0.0, 1.0)
    if voice.at < voice.heard:
        part = part * np.clip((np.arange(first, last) - voice.heard) / FADE, 0.0, 1.0)
    out[first - now : last - now] += part.astype(np.float32)
