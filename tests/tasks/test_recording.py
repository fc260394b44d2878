"""A recorded game can be followed with closed eyes: all of its speech is there, in time, and nothing overlaps."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.edges.clocks import StillClocks
from companion.edges.voice import Store
from companion.house.deeds import Deeds
from companion.sim.evenings import evening, folders
from companion.sound.clips import RATE, wav
from companion.sound.envelope import onsets
from companion.table.effects import Say
from companion.table.session import Session
from companion.tasks.recording import SECOND, Recorder, recorded
from companion.voicing import wanted
from companion.wiring import simulate


@pytest.fixture
def store(tmp_path: Path, spoken_wav: bytes) -> Store:
    made = Store(tmp_path, "de")
    made.render(("KO!", "A!", "LA!", "Mia", "führt mit", "3"), speak=lambda words, lang: spoken_wav)
    return made


def heard(content: bytes) -> list[float]:
    """The seconds at which sounds begin."""
    with wave.open(io.BytesIO(content)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / np.float32(32768)
    return [round(float(at) / RATE, 2) for at in onsets(samples)]


def test_what_is_said_counted_and_cut_off_is_written_where_it_was_in_time(store: Store) -> None:
    out, clocks = io.BytesIO(), StillClocks(5 * SECOND)
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        voice = Recorder(file, store)
        voice.listen(clocks)
        clocks.advance_to(6 * SECOND)
        voice.say(("Mia", " führt mit ", "3", "."), "de", "prompt")
        assert voice.busy
        clocks.advance_to(9 * SECOND)
        voice.count(("KO!", "A!", "LA!"), 9 * SECOND, 3.0, "de")
        clocks.advance_to(10 * SECOND + SECOND // 2)
        voice.hush()
        clocks.advance_to(12 * SECOND)
        voice.chime(0)
        voice.say(("Zoé",), "de", "prompt")
        clocks.advance_to(13 * SECOND)
        voice.stop()
        voice.caught_up()
        assert not voice.busy and voice.missing == {"Zoé"}
    said = heard(out.getvalue())
    assert said[0] == 1.0 and [at for at in said if at > 3] == [4.0, 5.0, 7.0]
    assert wanted("de").words


def test_a_whole_game_is_recorded_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoken_wav: bytes
) -> None:
    monkeypatch.setenv("COMPANION_VOICE", str(tmp_path))
    monkeypatch.setattr("companion.edges.voice.store.engine", lambda make: lambda words, lang: spoken_wav)
    out = tmp_path / "evening.wav"
    arguments = ["sim", "koala", "--record", str(out), "--lang", "de", "--players", "3", "--seed", "3"]
    told = CliRunner().invoke(main, arguments)
    assert told.exit_code == 0 and "minutes" in told.output and "without a clip" not in told.output
    assert told.output.startswith(f"{out} (its words: evening.vtt): ")
    said = heard(out.read_bytes())
    assert len(said) > 300  # a welcome, prompts, chimes, counts
    assert max(after - before for before, after in pairwise(said)) < 15  # nobody sits in silence for long
    beside = [
        cue.partition("\n")[2].strip() for cue in out.with_suffix(".vtt").read_text("utf-8").split("\n\n")
    ]
    assert beside[1:3] == [
        "<v prompt>Koala zu 3.",
        "<v prompt>Wer sieht einem Koala am ähnlichsten? Drück deinen Knopf.",
    ]
    assert beside[3].startswith("<v chime>♪ ")  # nobody presses before he has heard the question
    assert {"<v countdown>KO!", "<v countdown>A!", "<v countdown>LA!"} <= set(beside)
    assert beside[-1].startswith("<v prompt>Gewonnen: ")


def long_as_spoken(words: str, lang: str) -> bytes:
    """A hum that lasts as long as such words do: 75 ms for each letter."""
    del lang
    time = np.arange(round((0.2 + 0.075 * len(words)) * RATE)) / RATE
    return wav((0.4 * np.cos(2 * np.pi * 180 * time)).astype(np.float32))


@pytest.fixture
def hums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_VOICE", str(tmp_path))
    monkeypatch.setattr("companion.edges.voice.store.engine", lambda make: long_as_spoken)
    return tmp_path


RESULTS = {
    "koala": (
        "say.begins", "say.auction", "say.leads", "say.highest", "say.wins", "say.walk_black", "say.walk_white",
        "say.ring", "say.slides", "say.steal", "say.declined", "say.feast_card", "say.set_aside", "say.points",
        "say.winner", "say.winners",
    ),
    "kukakoenig": (
        "say.takes", "say.collide", "say.goes", "say.gets_nothing", "say.thirteen", "say.scored", "say.scored_none",
        "say.so_far", "say.return", "say.last_round", "say.last_round_box", "say.totals", "say.winner", "say.winners",
    ),
    "karnivore": (  # not say.activated: whoever laid the die knows it, and what comes of it may overtake it
        "say.begins", "say.rolled", "say.skull_cards", "say.blocked", "say.moved", "say.stole_card",
        "say.backstab", "say.hunted", "say.new_dish", "say.third", "say.winner",
    ),
}  # fmt: skip
FULL = {
    "koala": 1.0,
    "kukakoenig": 0.62,
    "karnivore": 0.8,
}  # the most of a game's time that sentences may take


@pytest.mark.parametrize("game", RESULTS)
def test_with_closed_eyes_every_result_of_a_game_is_heard_whole_and_soon(
    game: str, hums: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ordered: list[tuple[float, str]] = []
    voices: list[Recorder] = []
    played = game
    speak = Deeds.speak

    def noted(deeds: Deeds, says: Iterable[Say], session: Session | None, game: str | None = None) -> None:
        told = tuple(says)
        assert len({(say.key, *map(str, say.values.items())) for say in told}) == len(told), "said twice"
        speak(deeds, told, session, game)
        assert isinstance(deeds.voice, Recorder)
        voices[:] = [deeds.voice]
        now = deeds.voice.now / RATE
        words = deeds.phrases[played]
        ordered.extend((now, words.text("en", s.key, s.values)) for s in told if s.key in RESULTS[played])

    monkeypatch.setattr(Deeds, "speak", noted)
    options = {"teams": True} if game == "koala" else {}
    result, _, missing = recorded(
        game, hums / "x.wav", players=4, seed=3, mess=0.0, lang="en", options=options
    )
    assert not missing and result.differences == () and len(ordered) > 60
    lines = [sound for sound in voices[0].sounds if sound.lane == "prompt"]
    for at, text in ordered:
        whole = [s for s in lines if s.words == text and not s.cut and -0.1 <= s.at / RATE - at < 9]
        assert whole, (at, text)
    for before, after in pairwise(sorted(lines, key=lambda each: each.at)):
        assert before.ends <= after.at or before.cut, "two sentences at once"
    share = sum(line.ends - line.at for line in lines) / max(line.ends for line in lines)
    assert share <= FULL[game], f"sentences fill {share:.0%} of the time"


def test_what_stands_where_the_words_would_go_is_not_written_over(hums: Path) -> None:
    (hums / "x.vtt").write_text("my own notes")
    told = CliRunner().invoke(main, ["sim", "koala", "--record", str(hums / "x.wav"), "--players", "3"])
    assert told.exit_code == 1 and "x.vtt: exists already" in told.output
    assert (hums / "x.vtt").read_text() == "my own notes" and not (hums / "x.wav").exists()


@pytest.mark.parametrize("game", folders())
def test_no_turn_of_any_game_says_the_same_words_twice(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[tuple[Say, ...]] = []
    speak = Deeds.speak

    def noted(deeds: Deeds, says: Iterable[Say], session: Session | None, of: str | None = None) -> None:
        turns.append(tuple(says))
        speak(deeds, turns[-1], session, of)

    monkeypatch.setattr(Deeds, "speak", noted)
    simulate(game, max(3, evening(game).few), 5, mess=0.1)
    twice = [turn for turn in turns if any(turn.count(say) > 1 for say in turn)]
    assert len(turns) > 20 and not twice


@pytest.mark.parametrize("name", ["evening.vtt", "evening", "evening.mp3"])
def test_a_recording_that_is_called_as_no_wav_file_is_refused_before_the_work(
    name: str, tmp_path: Path
) -> None:
    told = CliRunner().invoke(main, ["sim", "koala", "--record", str(tmp_path / name)])
    assert told.exit_code == 1 and "Name it evening.wav" in told.output
    assert list(tmp_path.iterdir()) == []
