"""A recorded game can be followed with closed eyes: all of its speech is there, in time, and nothing overlaps."""

from __future__ import annotations

import io
import wave
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.edges.clocks import StillClocks
from companion.edges.voice import Store
from companion.sound.clips import RATE
from companion.sound.envelope import onsets
from companion.tasks.recording import SECOND, Recorder
from companion.voicing import wanted


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
    said = heard(out.read_bytes())
    assert len(said) > 300  # a welcome, prompts, chimes, counts
    assert max(after - before for before, after in pairwise(said)) < 15  # nobody sits in silence for long
