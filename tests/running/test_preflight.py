"""Before an evening: each button is called, each ill is named with its remedy, and the verdict is said aloud."""

from __future__ import annotations

import string
import tomllib
from importlib.resources import files
from typing import Any

import pytest

from companion import config
from companion.edges.clocks import StillClocks
from companion.edges.journal import Journal
from companion.edges.mock_pins import MockPins
from companion.edges.voice import Silence
from companion.house import House, News
from companion.running import parts, real
from companion.running.preflight import PATIENCE_S, Preflight, Roll
from companion.shelf import LANGS, phrases, shelf
from companion.sound.pieces import cut
from companion.table.session import Session
from companion.voicing import wanted

MS = 1_000_000
WELL = {"level": "good", "code": "disk", "text": "", "remedy": ""}
LOW = {"level": "bad", "code": "power_low", "text": "too low", "remedy": "another supply"}
CLEAR = {"zones": [{"grade": "good", "px": 20.0, "advice": []}], "advice": [], "wrong": []}


class Table:
    """A table whose parts are as a test wants them."""

    def __init__(self, lang: str = "en", **given: Any) -> None:
        self.said: list[str] = []
        self.chimes: list[int] = []
        self.now, self.roll = 100.0, Roll()
        self.health: dict[str, str] = given.get("health", {})
        self.flight = Preflight(
            self.roll, findings=lambda _: given.get("findings", [WELL]), sight=lambda _: given.get("sight", CLEAR), camera=given.get("camera", True),
            health=lambda: self.health, sounds=lambda: given.get("sounds", True), chime=self.chimes.append,
            say=lambda told: self.said.append("".join(told)), words=phrases()[""], lang=lang, now=lambda: self.now,
        )  # fmt: skip

    def press(self, place: str) -> None:
        self.now += 1
        self.roll.pressed(place, int(self.now * 1e9))

    def levels(self, do: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for item in self.flight.preflight(do, "en")["items"]:
            found.setdefault(item["topic"], set()).add(item["level"])
            assert bool(item["remedy"]) == (item["level"] in ("warn", "bad")), item
        return found


def test_each_button_is_waited_for_answered_and_then_the_evening_begins() -> None:
    table = Table()
    table.roll.wired(["1", "2", "table"])
    assert table.levels("begin")["buttons"] == {"wait"}
    for place in ("2", "1", "1"):
        table.press(place)
    assert table.levels("look")["buttons"] == {"wait"} and table.chimes == [1, 0]
    table.press("table")
    last = table.flight.preflight("look", "en")
    assert last["over"] and {item["level"] for item in last["items"]} == {"good"}
    assert table.said == ["Before we begin: press your button once, everybody.", "All is well. We can begin."]


def test_after_a_minute_or_at_a_word_the_silent_are_named() -> None:
    for how in ("patience", "end"):
        table = Table("de")
        table.roll.wired(["1", "2"])
        table.flight.preflight("begin", "de")
        table.press("1")
        table.now += PATIENCE_S if how == "patience" else 0
        told = table.flight.preflight("look" if how == "patience" else "end", "de")
        assert told["over"] and "Platz 2 hat noch nicht gedrückt" in [item["text"] for item in told["items"]]
        assert table.said[-1] == "Es kann losgehen, aber seht bitte nach: die Knöpfe."


def test_stuck_and_chattering_buttons_are_named() -> None:
    table = Table()
    table.roll.wired(["1", "2"])
    table.roll.held.append(lambda: ["2"])
    table.flight.preflight("begin", "en")
    table.press("1")
    table.roll.pressed("1", int(table.now * 1e9) + 20 * MS)
    table.flight.preflight("look", "en")
    table.now += 5
    assert table.levels("look")["buttons"] == {"bad", "warn"}
    assert table.said[-1] == "Not yet. Please look at the buttons."


@pytest.mark.parametrize(
    ("given", "topic", "level", "said"),
    [
        ({"sounds": False, "health": {"voice": "no device"}}, "sound", "warn", "the sound"),
        ({"sounds": None}, "sound", "good", "All is well"),
        ({"camera": False}, "camera", "good", "All is well"),
        ({"health": {"camera": "unplugged"}}, "camera", "bad", "the camera"),
        ({"sight": {**CLEAR, "zones": [{"grade": "poor", "px": 20, "advice": ["turn the lamp"]}]}}, "camera", "warn", "the camera"),
        ({"sight": {**CLEAR, "zones": [{"grade": "good", "px": 10, "advice": []}]}}, "markers", "warn", "the size of the markers"),
        ({"sight": {**CLEAR, "zones": [{"grade": "bad", "px": 7, "advice": ["lower"]}]}}, "markers", "bad", "the camera, the size"),
        ({"findings": [WELL, LOW]}, "power", "bad", "the power"),
        ({"health": {"mqtt": "no broker"}}, "device", "warn", "the devices"),
    ],
)  # fmt: skip
def test_each_ill_has_its_colour_its_remedy_and_is_said(
    given: dict[str, Any], topic: str, level: str, said: str
) -> None:
    table = Table(**given)
    assert table.levels("begin")[topic] == {level}
    assert said in table.said[-1] and len(table.said) == 2


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("given", "level"), [({}, "good"), ({"health": {"mqtt": "no"}}, "warn"), ({"findings": [LOW]}, "bad")]
)
def test_the_verdict_stands_first_on_the_page_in_its_own_language(
    given: dict[str, Any], level: str, lang: str
) -> None:
    table = Table(**given)
    begun = table.flight.preflight("begin", lang)
    last = begun if begun["over"] else table.flight.preflight("end", lang)
    verdicts = [item for item in last["items"] if item["topic"] == "verdict"]
    key = {"good": "green", "warn": "amber", "bad": "red"}[level]
    assert verdicts == last["items"][:1] and verdicts[0]["level"] == level
    assert verdicts[0]["text"].startswith(phrases()[""].texts[lang][f"preflight.{key}"].partition("{")[0])


@pytest.mark.parametrize("lang", LANGS)
def test_all_of_it_is_spoken_from_clips_that_are_there(lang: str) -> None:
    known, words = set(wanted(lang).words), phrases()[""]
    topics = [text for key, text in words.texts[lang].items() if key.startswith("preflight.topic.")]
    assert len(topics) == 8
    for key in ("begin", "green", "amber", "red"):
        _, missing = cut(
            words.parts(lang, f"preflight.{key}", {"what": ", ".join(topics)}), known.__contains__
        )
        assert missing == ()


def test_both_languages_say_the_same_with_the_same_values() -> None:
    texts = [
        tomllib.loads((files("companion.running") / f"words.{lang}.toml").read_text("utf-8"))
        for lang in LANGS
    ]
    assert texts[0].keys() == texts[1].keys()
    for key in texts[0]:
        names = [{name for _, name, _, _ in string.Formatter().parse(text[key]) if name} for text in texts]
        assert names[0] == names[1], key


def test_a_camera_that_rests_is_given_time_for_its_first_picture() -> None:
    table = Table(sight={"none": True})
    assert table.levels("begin")["camera"] == table.levels("look")["camera"] == {"wait"}
    table.now += 10
    assert table.levels("look")["camera"] == {"bad"}
    assert table.said[-1] == "Not yet. Please look at the camera."


class Nobody:
    """No screen."""

    def show(self, session: Session | None, news: News) -> None:
        """Shows nothing."""


def test_presses_on_pins_are_heard_though_no_game_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    pins = MockPins()
    monkeypatch.setattr(parts, "pi_factory", lambda: pins.factory)
    later: Any = parts.Optional()
    house = House(
        shelf(), phrases(), Journal(None), StillClocks(0), lamps=later, voice=Silence(), eyes=later, screens=Nobody()
    )  # fmt: skip
    (close,) = real.hands(
        house, later, config.parse("[seats.1]\nbutton = 2\n[seats.2]\nbutton = 3\n", "here")
    )
    try:
        heard: list[str] = []
        later.roll.begin(heard.append)
        pins.press(3, at=1_000)
        assert heard == ["2"] and later.roll.found(2_000).silent == ("1",)
    finally:
        close()


def test_only_a_wish_to_begin_calls_the_roll() -> None:
    table = Table()
    table.roll.wired(["1"])
    for do in ("look", "end"):
        assert table.flight.preflight(do, "en") == {"over": True, "items": []}
    table.flight.preflight("begin", "en")
    assert table.flight.preflight("end", "en")["over"]
    told = len(table.said)
    assert table.flight.preflight("look", "en") == {"over": True, "items": []}  # another page, a moment later
    assert len(table.said) == told == 2


def test_what_a_device_says_in_english_is_german_on_a_german_page() -> None:
    gone = "unplugged: press on a phone meanwhile, and put its plug in again"
    table = Table("de", health={"box left": gone, "camera": gone, "voice": gone}, sounds=False)
    texts = " ".join(item["text"] for item in table.flight.preflight("begin", "de")["items"])
    assert texts.count("ausgesteckt: drückt solange am Handy") == 3 and "Kasten left" in texts
    assert "unplugged" not in texts
