"""`companion buttons`: every press live with its time, and the roll call that finds places and bad buttons."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from companion import config
from companion.edges.boxes import PORTS, Boxes
from companion.edges.gpio import Board, ButtonPin, PinError, pi_factory
from companion.table import roll_call
from companion.table.photo_finish import Press
from companion.table.roll_call import Found, RollCall
from companion.table.things import BID, CALL, Player
from companion.wire.box_link import Down, Met, Signal, Up

MS = 1_000_000
SECOND = 1_000 * MS
Echo = Callable[[str], None]
_WORDS = {
    "en": {
        "met": "{name}: {count} buttons, firmware {firmware}, started {boot} times",
        "down": "{time:>12.6f} s  {name} button {button} down, give or take {unc:.3f} ms",
        "up": "{time:>12.6f} s  {name} button {button} up",
        "pin": "{time:>12.6f} s  {name} down, give or take {unc:.3f} ms",
        "trouble": "{device}: {text}",
        "well": "{device}: well again",
        "roll": "Each player presses once, in the order of the places.",
        "listens": "Listening to boxes at {ports}; to {pins}. Ctrl-C ends it.",
        "pins": "pins {pins}",
        "no_pins": "no pins (none in the settings: --config companion.toml)",
        "ill_pins": "no pins (see above)",
        "no_box": "Nothing is plugged in at {port}. Look at the cable and the name: `ls /dev/tty*` before and after",
        "no_rule": "No box at {port}. Is it plugged in, and its udev rule installed? (firmware_profiles/README.md) "
        "Without the rule name it: --port /dev/ttyUSB0",
        "none": "Nothing was pressed. Is a box plugged in, and its udev rule installed? (firmware_profiles/README.md)",
        "place": "place {place}: {name}",
        "stuck": "{name} is STUCK: it is down all the time. Look for a short circuit, or a button pressed by its case",
        "silent": "{name} is SILENT: it was never pressed, or its wire is loose",
        "chattering": "{name} CHATTERS: one press counts as several. Change the button",
        "seats": "For companion.toml:",
    },
    "de": {
        "met": "{name}: {count} Tasten, Firmware {firmware}, {boot}-mal gestartet",
        "down": "{time:>12.6f} s  {name} Taste {button} gedrückt, auf {unc:.3f} ms genau",
        "up": "{time:>12.6f} s  {name} Taste {button} losgelassen",
        "pin": "{time:>12.6f} s  {name} gedrückt, auf {unc:.3f} ms genau",
        "trouble": "{device}: {text}",
        "well": "{device}: wieder in Ordnung",
        "roll": "Jede Person drückt einmal, in der Reihenfolge der Plätze.",
        "listens": "Gehört werden Boxen an {ports}; {pins}. Strg-C beendet.",
        "pins": "die Pins {pins}",
        "no_pins": "keine Pins (in den Einstellungen steht keiner: --config companion.toml)",
        "ill_pins": "keine Pins (siehe oben)",
        "no_box": "An {port} steckt nichts. Kabel und Name prüfen: `ls /dev/tty*` davor und danach",
        "no_rule": "Keine Box an {port}. Steckt sie, und ist ihre udev-Regel da? (firmware_profiles/README.md) "
        "Ohne die Regel nenne sie: --port /dev/ttyUSB0",
        "none": "Nichts wurde gedrückt. Steckt eine Box, und ist ihre udev-Regel da? (firmware_profiles/README.md)",
        "place": "Platz {place}: {name}",
        "stuck": "{name} KLEMMT: dauernd gedrückt. Kurzschluss suchen, oder klemmt der Taster im Gehäuse?",
        "silent": "{name} ist STUMM: nie gedrückt, oder das Kabel ist lose",
        "chattering": "{name} PRELLT: ein Druck zählt mehrfach. Taster tauschen",
        "seats": "Für companion.toml:",
    },
}


class Listening:
    """Presses and releases of all boxes and pins, told as they come."""

    def __init__(self, lang: str, echo: Echo, now: Callable[[], int] = time.monotonic_ns) -> None:
        """Nothing was heard yet."""
        self.call, self.seen = RollCall(), 0
        self._ill: set[str] = set()  # devices of which a trouble was told
        self._words, self._echo, self._now, self._start = _WORDS[lang], echo, now, now()

    def signal(self, name: str, signal: Signal) -> None:
        """A box has said something."""
        if isinstance(signal, Met):
            hello = signal.hello
            name = hello.name
            self._say("met", name=name, count=hello.buttons, firmware=hello.firmware, boot=hello.boot)
            known = tuple(f"{name} button {number + 1}" for number in range(hello.buttons))
            self.wired(known)
        elif isinstance(signal, Down):
            self.seen += 1
            self.call = roll_call.pressed(self.call, f"{name} button {signal.button + 1}", signal.at)
            self._say("down", name=name, button=signal.button + 1, **self._time(signal.at, signal.unc))
        elif isinstance(signal, Up):
            self.call = roll_call.released(self.call, f"{name} button {signal.button + 1}")
            self._say("up", name=name, button=signal.button + 1, **self._time(signal.at, 0))

    def levels(self, name: str, mask: int, buttons: int = 16) -> None:
        """What a box says is down now."""
        for number in range(buttons):
            if mask >> number & 1:
                self.call = roll_call.held(self.call, f"{name} button {number + 1}", self._now())

    def wired(self, names: Iterable[str]) -> None:
        """These buttons are there, though they may never be heard of."""
        self.call = replace(self.call, known=tuple(dict.fromkeys((*self.call.known, *names))))

    def held(self, names: Collection[str], down: Collection[str]) -> None:
        """Which of these buttons on pins are down now."""
        for name in names:
            at = self._now()
            self.call = (
                roll_call.held(self.call, name, at) if name in down else roll_call.released(self.call, name)
            )

    def pin(self, press: Press) -> None:
        """A pin's button was pressed; when it is up again, `held` says."""
        self.seen += 1
        self.call = roll_call.pressed(self.call, press.player, press.at)
        self._say("pin", name=press.player, **self._time(press.at, press.unc))

    def trouble(self, device: str, text: str) -> None:
        """A device says how it is."""
        if text:
            self._ill.add(device)
            self._say("trouble", device=device, text=text)
        elif device in self._ill:
            self._ill.discard(device)
            self._say("well", device=device)

    def begins(self, ports: Sequence[str], chosen: config.Config, board: Board | None) -> None:
        """Tell what is listened to, and which ports have nothing at them; who comes later is heard, too."""
        words = self._words
        wired = words["pins"].format(pins=", ".join(board.players)) if board is not None else ""
        none = words["ill_pins" if _keys(chosen) else "no_pins"]
        for port in ports:
            if not list(Path("/").glob(str(Path(port).absolute()).lstrip("/"))):
                self._say("no_rule" if "*" in port else "no_box", port=port)
        self._say("listens", ports=", ".join(ports), pins=wired or none)

    def found(self) -> Found:
        """What the roll call has found so far; buttons that nobody uses are silent only where places are meant."""
        return roll_call.found(self.call, self._now())

    def told(self, silent: bool) -> bool:
        """Tell places and bad buttons; whether all is well. `silent`: also those never pressed."""
        found = self.found()
        if not self.call.order and not found.stuck:
            self._say("none")
        for place, name in enumerate(found.order, 1):
            self._say("place", place=place, name=name)
        for kind, names in (
            ("stuck", found.stuck), ("silent", found.silent if silent else ()), ("chattering", found.chattering),
        ):  # fmt: skip
            for name in names:
                self._say(kind, name=name)
        self._tell_seats(found)
        return bool(found.order) and not found.stuck and not found.chattering

    def _tell_seats(self, found: Found) -> None:
        """The order as settings: which seat each button of a board has."""
        boards: dict[str, dict[int, int]] = {}
        for place, name in enumerate(found.order, 1):
            board, _, number = name.partition(" button ")
            if number:
                boards.setdefault(board, {})[int(number)] = place
        if boards:
            self._say("seats")
            self._echo("[boxes.seats]")
        for board, places in boards.items():
            seats = ", ".join(str(places.get(number, -1)) for number in range(1, max(places) + 1))
            self._echo(f'"{board}" = [{seats}]')

    def _time(self, at: int, unc: int) -> dict[str, float]:
        return {"time": (at - self._start) / SECOND, "unc": unc / MS}

    def _say(self, key: str, **words: object) -> None:
        self._echo(self._words[key].format(**words))


def listen(
    settings: Path | None, ports: tuple[str, ...], *, roll: bool, presses: int | None, lang: str, echo: Echo
) -> bool:
    """Tell what comes until Ctrl-C, or so many presses; whether every button that was used is well."""
    chosen = config.load(settings)
    heard = Listening(lang, echo)
    if roll:
        echo(_WORDS[lang]["roll"])
    boards = ports or (chosen.boxes.ports if chosen.boxes is not None else PORTS)
    boxes = Boxes(lambda *_: (), lambda _: None, heard.trouble, ports=boards, watch=heard.signal)
    board = _pins(chosen, heard)
    heard.begins(boards, chosen, board)
    try:
        while presses is None or heard.seen < presses:
            boxes.turn(SECOND // 10)
            for name, mask in boxes.levels().items():
                heard.levels(name, mask)
            if board is not None:
                heard.held(board.players, board.down())
    except KeyboardInterrupt:
        echo("")
    finally:
        boxes.close()
        if board is not None:
            board.close()
    return heard.told(silent=roll)


def _keys(chosen: config.Config) -> list[ButtonPin]:
    """The buttons on pins that the settings name."""
    keys = [ButtonPin(Player(f"GPIO{seat.button}"), BID, seat.button) for seat in chosen.seats.values()]
    if chosen.call_button is not None:
        keys.append(ButtonPin(Player(f"GPIO{chosen.call_button}"), CALL, chosen.call_button))
    return keys


def _pins(chosen: config.Config, heard: Listening) -> Board | None:
    """The settings' pins, if this machine has any."""
    keys = _keys(chosen)
    if not keys:
        return None
    try:
        board = Board(pi_factory(), keys, [], heard.pin)
    except PinError as fault:
        heard.trouble("pins", str(fault))
        return None
    heard.wired(board.players)
    board.start()
    return board
