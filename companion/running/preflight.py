"""Before an evening, in a minute: buttons, sound, camera, markers, disk, power: green, amber or red, and what to do.

It is shown on the operator's page and said aloud.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from threading import Lock
from typing import Any

from companion.edges.screen.german import told
from companion.running.words import said
from companion.table import roll_call
from companion.table.phrases import Phrases
from companion.table.roll_call import Found, RollCall

GOOD, WAITS, WARN, BAD = "good", "wait", "warn", "bad"
PATIENCE_S = 60
WAKING_S = 8  # a camera that rests while no game is open gives its first picture within
WELL_PX, LEAST_PX = 13, 9  # a card's marker in the picture: reads well; is still read
Item = dict[str, str]  # topic, level, text, remedy


class Roll:
    """Which buttons there are, and which of them were pressed since the roll was called. Any thread may tell."""

    def __init__(self) -> None:
        """Nobody was called yet."""
        self._lock, self._call, self._at = Lock(), RollCall(), 0
        self._wired: dict[str, None] = {}
        self._heard: Callable[[str], None] = lambda _: None
        self.held: list[Callable[[], Collection[str]]] = []  # which are down now, by each kind of wiring

    def wired(self, places: Collection[str]) -> None:
        """These places have a button."""
        with self._lock:
            self._wired.update(dict.fromkeys(places))

    def pressed(self, place: str, at: int) -> None:
        """A button went down."""
        with self._lock:
            first = place not in self._call.order
            self._call = roll_call.released(roll_call.pressed(self._call, place, at), place)
        if first:
            self._heard(place)

    def begin(self, heard: Callable[[str], None]) -> None:
        """Call the roll anew; `heard`: a place has answered for the first time."""
        with self._lock:
            self._call, self._heard = RollCall(known=tuple(self._wired)), heard

    def found(self, now: int) -> Found:
        """What is known by now."""
        down = {place for held in self.held for place in held()}
        with self._lock:
            for place in self._call.known:
                if place in down:
                    self._call = roll_call.held(self._call, place, now)
                else:
                    self._call = roll_call.released(self._call, place)
            return roll_call.found(self._call, now)


class Preflight:
    """The device's doctor for the operator's page, and the pre-flight. `say` and `chime` are the voice's."""

    def __init__(
        self, roll: Roll, *, findings: Callable[[str], list[dict[str, str]]],
        sight: Callable[[str], Mapping[str, Any] | None],
        camera: bool, health: Callable[[], Mapping[str, str]], sounds: Callable[[], bool | None],
        say: Callable[[tuple[str, ...]], None], chime: Callable[[int], None], words: Phrases, lang: str,
        now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """`findings(lang)`: the doctor's. `sight(lang)`: what the camera sees. `sounds`: None where none is wanted."""
        self._roll, self._findings, self._sight, self._camera = roll, findings, sight, camera
        self._health, self._sounds, self._words, self._lang = health, sounds, words, lang
        self._say, self._chime, self._now = say, chime, now
        self._lock = Lock()  # two pages may ask at the same time
        self._begun: float | None = None
        self._machine: list[dict[str, str]] = []

    def __call__(self, lang: str) -> list[dict[str, str]]:
        """What the doctor finds."""
        return self._findings(lang)

    def preflight(self, do: str, lang: str) -> dict[str, Any]:
        """At "begin" the roll is called; "look" again and again; "end", or a minute, ends it with a verdict aloud.

        Where none was begun there is nothing to look at: a second page, or one that comes late, calls nobody.
        """
        with self._lock:
            return self._asked(do, lang)

    def _asked(self, do: str, lang: str) -> dict[str, Any]:
        if do == "begin":
            self._begun = self._now()
            self._roll.begin(self._heard)
            self._machine = [each for each in self._findings(lang) if each["level"] != GOOD]
            self._speak("preflight.begin")
        if self._begun is None:
            return {"over": True, "items": []}
        over = do == "end" or self._now() - self._begun >= PATIENCE_S
        items = self._items(lang, over)
        over = over or not any(item["level"] == WAITS for item in items)
        if over:
            self._begun = None
            _, key, what = self._verdict(items, self._lang)
            self._speak(key, what=what)
            level, key, what = self._verdict(items, lang)
            remedy = "" if level == GOOD else said(lang, "preflight_verdict_do")
            text = self._words.text(lang, key, {"what": what})
            items = [{"topic": "verdict", "level": level, "text": text, "remedy": remedy}, *items]
        return {"over": over, "items": items}

    def _heard(self, place: str) -> None:
        if place.isdecimal():
            self._chime(int(place) - 1)

    def _items(self, lang: str, over: bool) -> list[Item]:
        return [
            *self._buttons(lang, over), self._sound(lang), *self._pictures(lang, over),
            *({"topic": _topic(each["code"]), "level": each["level"], "text": each["text"], "remedy": each["remedy"]}
              for each in self._machine),
            *(self._item("device", WARN, lang, device=told(device, lang), why=why)
              for device, why in self._ills(lang).items() if device not in ("voice", "camera")),
        ] + ([] if self._machine else [self._item("machine", GOOD, lang)])  # fmt: skip

    def _item(self, topic: str, level: str, lang: str, key: str = "", **values: object) -> Item:
        name = key or topic
        remedy = "" if level in (GOOD, WAITS) else said(lang, f"preflight_{name}_do", **values)
        return {
            "topic": topic,
            "level": level,
            "text": said(lang, f"preflight_{name}", **values),
            "remedy": remedy,
        }

    def _buttons(self, lang: str, over: bool) -> list[Item]:
        found = self._roll.found(int(self._now() * 1e9))
        items = [self._item("buttons", BAD, lang, "stuck", place=place) for place in found.stuck]
        items += [self._item("buttons", WARN, lang, "chatters", place=place) for place in found.chattering]
        level = WARN if over else WAITS
        items += [self._item("buttons", level, lang, "silent", place=place) for place in found.silent]
        if not found.order and not items:
            return [self._item("buttons", GOOD, lang, "no_buttons")]
        return items or [self._item("buttons", GOOD, lang, count=len(found.order))]

    def _sound(self, lang: str) -> Item:
        sounds, why = self._sounds(), self._ills(lang).get("voice", "")
        if sounds is None:
            return self._item("sound", GOOD, lang, "no_voice")
        return self._item("sound", GOOD if sounds else WARN, lang, "sound" if sounds else "mute", why=why)

    def _ills(self, lang: str) -> dict[str, str]:
        """What is wrong with the devices: some of them say it in English."""
        return {device: told(why, lang) for device, why in self._health().items()}

    def _since(self) -> float:
        return self._now() - (self._begun or 0.0)

    def _pictures(self, lang: str, over: bool) -> list[Item]:
        """The glare map and the size of the markers, as the camera sees them now."""
        if not self._camera:
            return [self._item("camera", GOOD, lang, "no_camera")]
        seen, why = self._sight(lang), self._ills(lang).get("camera", "")
        if not why and (seen is None or seen.get("none")) and not over and self._since() < WAKING_S:
            return [
                self._item("camera", WAITS, lang, "waking")
            ]  # it was asked for its first picture just now
        if why or seen is None or seen.get("none"):
            return [self._item("camera", BAD, lang, "blind", why=why or "-")]
        level = {"good": GOOD, "poor": WARN, "bad": BAD}
        advice = (
            [text for zone in seen["zones"] for text in zone["advice"]]
            + list(seen["advice"])
            + list(seen["wrong"])
        )
        worst = max(
            (level[zone["grade"]] for zone in seen["zones"]), key=(GOOD, WARN, BAD).index, default=GOOD
        )
        if advice and worst == GOOD:
            worst = WARN
        items = [
            self._item("camera", worst, lang, "glare" if worst != GOOD else "camera", advice=" ".join(advice))
        ]
        sizes = [float(zone["px"]) for zone in seen["zones"] if zone["px"]]
        if sizes:
            px = min(sizes)
            grade = GOOD if px >= WELL_PX else WARN if px >= LEAST_PX else BAD
            items.append(
                self._item("markers", grade, lang, "small" if grade != GOOD else "markers", px=f"{px:.0f}")
            )
        return items

    def _verdict(self, items: list[Item], lang: str) -> tuple[str, str, str]:
        """All is well, or what to look at, the worst first: level, phrase, names of the parts."""
        for level, key in ((BAD, "preflight.red"), (WARN, "preflight.amber")):
            topics = dict.fromkeys(item["topic"] for item in items if item["level"] == level)
            if topics:
                return (
                    level,
                    key,
                    ", ".join(self._words.text(lang, f"preflight.topic.{topic}") for topic in topics),
                )
        return GOOD, "preflight.green", ""

    def _speak(self, key: str, **values: str) -> None:
        self._say(self._words.parts(self._lang, key, values))


def _topic(code: str) -> str:
    """Which part of the device a finding of the doctor is about, as it is said aloud."""
    for topic, beginnings in {
        "power": ("power", "too_hot"), "disk": ("disk", "card", "journal"),
        "camera": ("camera", "old_camera", "no_picam"),
        "sound": ("no_port", "no_sound", "no_espeak"), "buttons": ("no_lgpio", "lgpio", "pins", "no_pi"),
    }.items():  # fmt: skip
        if code.startswith(beginnings):
            return topic
    return "machine"
