"""A simulated game as it sounds: the voice's desk in virtual time, written into a WAV file, its words beside it."""

from __future__ import annotations

import wave
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from companion.edges.journal import Journal
from companion.edges.voice import Silence, Store, home
from companion.house import House
from companion.shelf import deck
from companion.sim.evening import Result, Told, play
from companion.sim.evenings import evening
from companion.sound.clips import RATE, pcm
from companion.sound.desk import Desk, Sounded
from companion.sound.transcript import HEAD, vtt
from companion.table.events import Setting
from companion.table.luck import Luck
from companion.table.things import Player
from companion.tasks.simulating import seated, won_by
from companion.telling import BadOption, given_options
from companion.voicing import wanted
from companion.wiring import NAMES, StillRig
from companion.writing import WAV, save, writable

SECOND = 1_000_000_000
BLOCK = RATE // 10
USUAL = 4  # players, where nobody says how many
ACT_S = 0.9  # that a person takes for anything, beside listening
ANSWER_S = 0.5  # after a clock has rung: nobody answers at once
LISTEN_S = 8.0  # longest that persons listen before they go on


class _Clock(Protocol):
    def now(self) -> int:
        """The virtual time, ns."""


class Recorder(Silence):
    """The voice of a table in virtual time: what would be heard is written down as far as time has come."""

    def __init__(self, file: wave.Wave_write, store: Store) -> None:
        """Write into an open WAV file; clips from a store."""
        self.sounds: list[Sounded] = []
        self._file = file
        self._desk = Desk(lambda _, words: store.find(words), heard=self.sounds.append)
        self._clock: _Clock | None = None
        self._start = 0
        self.missing: set[str] = set()

    def listen(self, clock: _Clock) -> None:
        """From now on time passes."""
        self._clock, self._start = clock, clock.now()

    def caught_up(self) -> None:
        """Write what was heard until now."""
        now = self._place(self._clock.now()) if self._clock is not None else 0
        while self._desk.at < now:
            self._file.writeframes(pcm(self._desk.block(min(BLOCK, now - self._desk.at))))

    def _place(self, moment: int) -> int:
        return (moment - self._start) * RATE // SECOND

    @property
    def now(self) -> int:
        """How many samples are written."""
        return self._desk.at

    @property
    def busy(self) -> bool:
        """Whether something is being said, or will be; a count is no speech: it is answered while it runs."""
        return self._desk.talking

    def say(self, parts: tuple[str, ...], lang: str, lane: str) -> None:
        """Speak a sentence."""
        self.caught_up()
        spoken = self._desk.spoken(parts, lang, lane)
        self.missing.update(spoken.missing)
        self._desk.say(spoken)

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        """Count."""
        self.caught_up()
        self._desk.count(self._desk.beats(beats, lang, seconds), self._place(start_ns), seconds)

    def hush(self) -> None:
        """Cut the count off."""
        self.caught_up()
        self._desk.hush()

    def stop(self) -> None:
        """Forget what was said."""
        self.caught_up()
        self._desk.stop()

    def chime(self, seat: int) -> None:
        """A player's chime."""
        self.caught_up()
        self._desk.chime(seat)


class _Table(StillRig):
    """A table at which persons hear what a clock has brought before they act."""

    def wait(self) -> bool:
        """Go to the next deadline, and listen."""
        rang = super().wait()
        voice = self.house.voice
        if rang and isinstance(voice, Recorder):
            _attentive(self, voice, ANSWER_S)
        return rang


def passed(house: House, clocks: Any, until: int) -> None:
    """Let virtual time pass; each due thing in its turn."""
    while (due := house.next_due()) is not None and due <= until:
        clocks.advance_to(due)
        house.step()
    clocks.advance_to(until)
    house.step()


def recorded(
    game: str, file: Path, *, players: int, seed: int, mess: float, lang: str,
    options: Mapping[str, object],
) -> tuple[Result, float, set[str]]:  # fmt: skip
    """Play a game and write how it sounds; its result, seconds of sound, and words that no clip was there for."""
    played = evening(game)
    names = tuple(Player(name) for name in NAMES[:players])
    writable(file, "--record", over=WAV)  # before an hour of speech is rendered for it
    beside = beside_of(file)
    writable(beside, "--record", over=HEAD.encode())
    if not file.exists():
        save(file, b"", "--record")
    want, store = wanted(lang), Store(home(), lang)
    store.render((*want.words, *names), beats=want.beats)
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        voice = Recorder(out, store)
        rig = _Table(Setting(game, names, options, seed), Journal(None), voice, lang=lang)
        voice.listen(rig.clocks)
        try:
            _attentive(rig, voice, ACT_S)
            body = played.seat(deck(played.folder), names, Luck(seed), options)
            result = play(
                played, rig, body, Told(), mess=mess, after_act=lambda: _attentive(rig, voice, ACT_S)
            )
            passed(rig.house, rig.clocks, rig.clocks.now() + round(LISTEN_S * SECOND))
            voice.caught_up()
        finally:
            rig.close()
        save(beside, vtt(voice.sounds, names), "--record", over=HEAD.encode())
        return result, out.getnframes() / RATE, voice.missing


def beside_of(file: Path) -> Path:
    """The file for the words of a recording. BadOption: the recording is called as if it were no WAV file."""
    if file.suffix.lower() != ".wav":
        raise BadOption(
            f"--record {file}: a recording is a WAV file. Name it {file.with_suffix('.wav').name}"
        )
    return file.with_suffix(".vtt")


def written(game: str, file: Path, lang: str, given: Mapping[str, Any]) -> str:
    """`companion sim GAME --record FILE.wav`: what was written, and what of it had no clip."""
    played = evening(game)
    players = seated(game, given["players"] or max(played.few, min(USUAL, played.many)))
    options = played.options(0, players, given_options(given["options"], given["teams"], game))
    result, seconds, missing = recorded(
        game, file, players=players, seed=given["seed"], mess=given["mess"], lang=lang, options=options
    )
    lack = f"; without a clip: {', '.join(sorted(missing))}" if missing else ""
    won = won_by(result, lang)
    words = beside_of(file).name
    return (
        f"{file} (its words: {words}): {seconds / 60:.1f} minutes, {result.events} events, winner {won}{lack}"
    )


def _attentive(rig: StillRig, voice: Recorder, least: float) -> None:
    """Persons take their time, so many seconds at least, and listen until all is said, but not for ever."""
    passed(rig.house, rig.clocks, rig.clocks.now() + round(least * SECOND))
    until = rig.clocks.now() + round(LISTEN_S * SECOND)
    voice.caught_up()
    while voice.busy and rig.clocks.now() < until:
        passed(rig.house, rig.clocks, rig.clocks.now() + SECOND // 10)
        voice.caught_up()
