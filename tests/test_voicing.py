"""Nothing is said that has no clip, in no game and no language; and the commands that make and measure them."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion import voicing
from companion.cli import main
from companion.config import Config, Voice, parse
from companion.edges.voice import Silence, Store, VoiceError, calibrate
from companion.shelf import LANGS, phrases
from companion.sim.evenings import evening
from companion.sim.evenings import folders as sims
from companion.sound.envelope import Offset
from companion.sound.pieces import cleaned, cut, fixed, spoken
from companion.voicing import calibrated, listing, rendered, voice_of, wanted
from companion.wiring import NAMES, simulate


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_VOICE", str(tmp_path / "voice"))
    return tmp_path / "voice"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", sorted(phrases()))
def test_every_spoken_phrase_has_a_clip_for_each_of_its_pieces(game: str, lang: str) -> None:
    rendered_ahead = set(wanted(lang).words)
    texts = phrases()[game].texts[lang]
    lacking = [key for key, text in texts.items() if spoken(key) and not set(fixed(text)) <= rendered_ahead]
    assert lacking == []


@pytest.mark.parametrize("game", sorted(phrases()))
def test_every_phrase_has_a_translation_with_the_same_placeholders(game: str) -> None:
    def shape(lang: str) -> dict[str, set[str]]:
        return {
            key: {name for _, name, _, _ in string.Formatter().parse(text) if name}
            for key, text in phrases()[game].texts[lang].items()
        }

    assert shape("en") == shape("de")


def test_sung_syllables_are_known_as_such_and_counted_words_are_words() -> None:
    for lang in LANGS:
        assert {"KO!", "A!", "LA!", "KU!", "KA!", "KÖNIG!"} <= wanted(lang).beats <= set(wanted(lang).words)
        assert all(beat.isupper() for beat in wanted(lang).beats)
    assert {"Three", "two", "one!"} <= set(wanted("en").words)


class Listener(Silence):
    """Writes down what would be said without a clip."""

    def __init__(self, lang: str) -> None:
        self.known = {*wanted(lang).words, *NAMES}
        self.missing: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.said = 0

    def say(self, parts: tuple[str, ...], lang: str, lane: str) -> None:
        pieces, missing = cut(parts, self.known.__contains__)
        self.said += bool(pieces)
        if missing:
            self.missing[parts] = missing

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        assert {cleaned(beat) for beat in beats} <= self.known


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", sims())
def test_a_whole_evening_is_spoken_from_clips_alone(game: str, lang: str) -> None:
    ears = Listener(lang)
    players = min(evening(game).many, 5)
    simulate(
        game, players, 11, mess=0.1, options=evening(game).options(0, players, {}), trace=ears, lang=lang
    )
    assert ears.missing == {} and ears.said > 10


@pytest.fixture
def spoken_here(monkeypatch: pytest.MonkeyPatch, spoken_wav: bytes) -> list[str]:
    """An engine that hums, and keeps the words."""
    said: list[str] = []

    def hum(words: str, lang: str) -> bytes:
        said.append(words)
        return spoken_wav

    monkeypatch.setattr("companion.edges.voice.store.engine", lambda make: hum)
    few = voicing.Wanted(("KO!", "führt mit"), frozenset({"KO!"}))
    monkeypatch.setattr(voicing, "wanted", lambda lang: few)
    return said


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["voice", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


def test_the_command_renders_what_is_lacking_and_no_more(spoken_here: list[str], at_home: Path) -> None:
    assert "de: 3 clips made by espeak 160, 3 in all" in run("--lang", "de", "--name", "Mia")
    assert sorted(spoken_here) == ["KO!", "Mia", "führt mit"]
    assert "de: 0 clips" in run("--lang", "de")
    assert "de: 2 clips made by espeak 120" in run("--lang", "de", "--rate", "120")
    assert "de: 0 clips made by espeak 120" in run("--lang", "de")  # the rate is kept
    assert str(at_home / "own") in run("--lang", "de")


def test_a_voice_file_speaks_one_language_only() -> None:
    assert "which with --lang" in run("--model", "thorsten.onnx")


def test_a_missing_program_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    where, error = run("--lang", "de").splitlines(keepends=True)
    assert "MB" in where and error == "Error: espeak-ng is missing: `sudo apt install espeak-ng`\n"


def test_the_list_names_each_phrase_its_file_and_what_is_missing() -> None:
    lines = run("--list", "--lang", "de").splitlines()
    assert "de koala beat.ko: ko.wav 'KO!' MISSING" in lines
    assert lines == list(listing("de")) and len(lines) == len(set(lines))
    assert not any("ruling." in line or "did." in line for line in lines)


@pytest.mark.parametrize("way", ["--calibrate", "--tap"])
def test_a_measured_delay_is_kept_for_its_device(
    way: str, monkeypatch: pytest.MonkeyPatch, at_home: Path
) -> None:
    asked: list[tuple[str, ...]] = []

    def found(*devices: str) -> Offset:
        asked.append(devices)
        return Offset(83_400_000, 600_000, 15)

    monkeypatch.setattr(calibrate, "by_microphone", found)
    monkeypatch.setattr(calibrate, "by_tapping", found)
    assert "83.4 ms" in run(way, "--device", "HDMI")
    assert asked[0][0] == "HDMI"
    assert json.loads((at_home / "calibration.json").read_text()) == {"HDMI": 83.4}
    assert voicing._delay_ms(Voice(device="HDMI")) == 83.4
    assert voicing._delay_ms(Voice(device="USB")) == 0.0
    assert voicing._delay_ms(Voice(device="HDMI", delay_ms=5)) == 5


def test_a_calibration_that_hears_nothing_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def deaf(*_: str) -> Offset:
        raise VoiceError("the ticks were not made out: turn the speaker up")

    monkeypatch.setattr(calibrate, "by_microphone", deaf)
    with pytest.raises(VoiceError, match="turn the speaker up"):
        calibrated("", "", tap=False)


@pytest.mark.parametrize("content", ["", "[]", '{"": "x"'])
def test_a_broken_calibration_is_none(content: str, at_home: Path) -> None:
    at_home.mkdir()
    (at_home / "calibration.json").write_text(content)
    assert voicing._delay_ms(Voice()) == 0.0


class Asked:
    """What a speaker is asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.given: dict[str, Any] = {}
        monkeypatch.setattr(voicing, "speaker", self)

    def __call__(self, wanted: Mapping[str, voicing.Wanted], **given: Any) -> Silence:
        self.given = {"wanted": wanted, **given}
        return Silence()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    yield Asked(monkeypatch)


def test_a_table_without_a_voice_has_none(asked: Asked) -> None:
    assert type(voice_of(Config(voice=False), "en", print)) is Silence and asked.given == {}


def test_quiet_mode_drops_chatter_and_lowers_the_rest(asked: Asked) -> None:
    voice_of(parse('[voice]\nmode = "quiet"\nloud = { chime = 0.9 }\ndevice = "USB"', "x"), "de", print)
    loud = asked.given["loud"]
    assert loud["chatter"] == 0 and loud["prompt"] < loud["countdown"] < 1 and loud["chime"] == 0.9
    assert asked.given["device"] == "USB" and list(asked.given["wanted"]) == ["de"]


def test_child_mode_speaks_slower_with_longer_pauses_from_clips_of_its_own(
    asked: Asked, spoken_here: list[str], at_home: Path
) -> None:
    rendered("de", voicing.Make(rate=150))
    voice_of(Config(voice=Voice(mode="child")), "de", print)
    want = asked.given["wanted"]["de"]
    assert want.make.rate == 120 and want.own == at_home / "own"
    assert asked.given["pauses"] > 1 and asked.given["folder"] != at_home
    assert Store(at_home, "de").make.rate == 150


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('[voice]\nmode = "loud"', "mode"),
        ("[voice]\nloud = { gossip = 1.0 }", "countdown, prompt, chatter, chime"),
        ("[voice]\nloud = { prompt = 2.0 }", "0 to 1"),
        ("[voice]\ndelay_ms = 5000.0", "delay_ms"),
        ("[voice]\nbuffer_ms = 0.5", "buffer_ms"),
        ("[voice]\nspeed = 3", "knows no 'speed'"),
    ],
)
def test_wrong_settings_of_the_voice_are_named(text: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        parse(text, "companion.toml")
