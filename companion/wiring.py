"""From settings to a running table: the only file that names concrete devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.boxed import BoxFingers, Plan
from companion.ears import Ears
from companion.edges.camera import FAMILY, deck_ids
from companion.edges.clocks import StillClocks
from companion.edges.gpio import Board, ButtonPin, LampPin
from companion.edges.journal import Journal
from companion.edges.mock_pins import MockPins
from companion.edges.voice import Silence
from companion.house import House
from companion.shelf import deck, phrases, shelf
from companion.sim.evening import Body, Evening, Result, Rig, Told, play
from companion.sim.evenings import evening
from companion.sim.picture import Picture
from companion.table.crank import Turn, look
from companion.table.effects import Say
from companion.table.events import Chosen, Event, Opened, Pressed, Setting, Shown
from companion.table.game import Refusal, Seat, View
from companion.table.luck import Luck
from companion.table.photo_finish import MS, Press
from companion.table.session import Session
from companion.table.things import BID, CALL, Button, CardId, CompanionError, Deck, Player, Zone
from companion.vision.gaze import Eyes, Gaze, gazed
from companion.vision.read import Reader
from companion.vision.scene import Rules, Scene
from companion.vision.settle import Rule, Settle, Sighting, settled, watch

NAMES = (
    "Mia", "Paul", "Ada", "Ben", "Cleo", "Emil", "Finn", "Greta", "Hugo", "Ida",
    "Jan", "Kira", "Leo", "Maja", "Nils", "Oda", "Pia", "Quirin", "Rosa", "Sami",
    "Tilda", "Uwe", "Vera", "Wim", "Xenia", "Yara", "Zoe", "Anton", "Britta", "Carl",
    "Dora", "Elif", "Fritz", "Gina", "Henk", "Ines", "Jonas", "Klara", "Lars", "Mona",
)  # fmt: skip
WIRED = 10  # players of the simulated table who have a button; the others have their phones
FIRST_PIN, CALL_PIN, FIRST_LAMP = 2, 12, 16  # on the simulated table's header: as firmware_profiles/pi_gpio
FRAMES, SURE = 12, 3  # frames at most for one look; frames alike that end it
HOLD = 9 * MS  # how long a simulated finger stays down
SECOND = 1_000 * MS
PATIENCE = 80  # times 5 ms that a press on a box may take


class BadSetting(CompanionError, ValueError):
    """A game cannot be opened so; the text says why."""


class Looks:
    """The camera's place in virtual time: remembers what is to be watched."""

    def __init__(self) -> None:
        """Nothing is watched."""
        self.zones: tuple[Zone, ...] = ()
        self._anew: set[Zone] = set()

    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...]) -> None:
        """Watch these zones from now on."""
        self._anew |= {*anew, *(zone for zone in zones if zone not in self.zones)}
        self.zones = zones

    def anew(self) -> tuple[Zone, ...]:
        """The zones to be said again, though nothing may have changed in them; they are forgotten."""
        anew, self._anew = tuple(zone for zone in self.zones if zone in self._anew), set()
        return anew


class Fingers:
    """Simulated fingers on gpiozero pins: every press is an edge with a kernel's time."""

    def __init__(self, players: tuple[Player, ...], house: House) -> None:
        """Wire a button and a lamp for each player, and the call button of the table."""
        self._house, self._pins, self._caller = house, MockPins(), Player("")
        self._keys = {player: FIRST_PIN + i for i, player in enumerate(players[:WIRED])}
        keys = [ButtonPin(player, BID, pin) for player, pin in self._keys.items()]
        lamps = [LampPin(player, FIRST_LAMP + i) for i, player in enumerate(self._keys)]
        table = ButtonPin(Player("table"), CALL, CALL_PIN)
        self.board = Board(self._pins.factory, (*keys, table), lamps, self._edge, house.clocks.now)

    def press(self, player: Player, button: Button, at: int) -> None:
        """Press and release at a moment in monotonic ns; no pin: a tap on the phone, or a key of a number pad."""
        if player not in self._keys or button not in (BID, CALL):
            self._house.put(Pressed(player, button, at))
            return
        self._caller = player
        self._pins.press(self._keys[player] if button == BID else CALL_PIN, at, HOLD)

    def _edge(self, press: Press) -> None:
        """The call button belongs to the table: it speaks for whoever pressed it."""
        self._house.put(replace(press, player=self._caller) if press.button == CALL else press)


class _StrictHouse(House):
    """Where a game's fault ends everything: a simulated evening is there to find it."""

    def failed(self, event: Event, fault: Exception) -> None:
        """Raise it."""
        del event  # the fault says enough
        raise fault


class StillRig:
    """The companion in virtual time: nothing waits for a real second."""

    def __init__(
        self, setting: Setting, journal: Journal, trace: Any = None, boxes: Plan | None = None,
        lang: str = "en",
    ) -> None:  # fmt: skip
        """Open the game; with boxes, their clocks are read for some seconds first."""
        self.clocks, self.ears, self.looks = StillClocks(1_000 * MS), Ears(), Looks()
        self.fingers: Fingers | BoxFingers | None = None
        self.house: House = _StrictHouse(
            shelf(), phrases(), journal, self.clocks, lamps=self, voice=trace or Silence(), eyes=self.looks,
            screens=self.ears, lang=lang,
        )  # fmt: skip
        if boxes is None:
            self.fingers = Fingers(setting.players, self.house)
        else:
            self.fingers = BoxFingers(setting.players, self.house, boxes, setting.seed)
            self._pass(3 * SECOND)
        answers: list[Turn | Refusal] = []
        self.house.put(Opened(setting), answers.append)
        self.house.step()
        if isinstance(answers[0], Refusal):
            self.close()
            told = phrases()[setting.game].text("en", f"no.{answers[0].stem}", answers[0].values)
            raise BadSetting(told)

    def shine(self, player: Player, look: str) -> None:
        """A lamp's level, on its pin."""
        if self.fingers is not None:
            self.fingers.board.shine(player, look)

    def blink(self, player: Player, look: str) -> None:
        """A lamp's answer, on its pin."""
        if self.fingers is not None:
            self.fingers.board.blink(player, look)

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        """Winks with a count, on its pin."""
        if self.fingers is not None:
            self.fingers.board.beat(player, start, phases)

    def session(self) -> Session:
        """The game under way."""
        assert self.house.session is not None, "the game was opened"
        return self.house.session

    def watched(self) -> tuple[Zone, ...]:
        """The zones that the camera looks at now."""
        return self.looks.zones

    def anew(self) -> tuple[Zone, ...]:
        """The zones to be said again."""
        return self.looks.anew()

    def heard(self) -> tuple[Say, ...]:
        """What the voice has said since the last time."""
        return self.ears.heard()

    def own(self, player: Player) -> View:
        """What the player's phone shows him."""
        return look(self.session(), Seat(player))

    def press(self, player: Player, button: Button, after_ns: int = 0) -> None:
        """Press, so many ns from now."""
        assert self.fingers is not None, "the table is wired"
        self.fingers.press(player, button, self.clocks.now() + after_ns)

    def choose(self, player: Player, cue: str, option: str) -> None:
        """Answer on a phone."""
        self.house.put(Chosen(player, cue, option))

    def show(self, zone: Zone, cards: tuple[CardId, ...]) -> None:
        """A zone has come to rest."""
        self.house.put(Shown(zone, cards))

    def settle(self) -> None:
        """Take in what happened; 20 ms later every press on a pin is ripe, and soon after it one on a box."""
        self.house.step()
        self._pass(20 * MS)
        for _ in range(PATIENCE):
            if not self.house.presses.waiting and getattr(self.fingers, "flying", 0) == 0:
                return
            self._pass(5 * MS)

    def wait(self) -> bool:
        """Go to the next deadline."""
        due = self.house.next_due()
        if due is None:
            return False
        self._pass(due - self.clocks.now())
        return True

    def _pass(self, ns: int) -> None:
        """Let time pass: boxes live, the house takes in what they say."""
        until = self.clocks.now() + ns
        boxes = self.fingers if isinstance(self.fingers, BoxFingers) else None
        while boxes is not None:
            soon = self.clocks.now() + MS // 10  # the house may wait for something that is not due by itself
            due = min(boxes.world.due(), max(soon, self.house.next_due() or until))
            if due >= until:
                break
            self.clocks.advance_to(due)
            boxes.run(self.clocks.now())
            self.house.step()
        self.clocks.advance_to(until)
        if boxes is not None:
            boxes.run(until)
        self.house.step()

    def close(self) -> None:
        """Give the pins back, close the journal."""
        if self.fingers is not None:
            self.fingers.board.close()
        self.house.journal.close()


class Pictured:
    """Eyes on: every change is drawn as camera frames, read by the reader, and believed once at rest."""

    def __init__(self, table_deck: Deck, played: Evening, seed: int) -> None:
        """Set the camera up above the table."""
        self._deck = table_deck
        self._camera = Picture(table_deck, Luck(seed), played.spots)
        reader = Reader(FAMILY, deck_ids(table_deck), (12.0, 34.0))
        self._eyes, self._gaze = Eyes(reader, Rules(table_deck, reader.look)), Gaze()
        self._settle = Settle(Rule(frames=2, agree=2, dwell_ns=40 * MS))
        self._now = 0
        self._done: object = None  # a scene of which everything was said
        self.misread = 0

    def look(self, body: Body, rig: Rig) -> bool:
        """Take frames until something has come to rest, or until three in a row show only what was said."""
        zones, anew = rig.watched(), rig.anew()
        self._settle = watch(watch(self._settle, [z for z in zones if z not in anew]), zones)
        self._done = None if anew else self._done
        lying = {zone: tuple(cards) for zone, cards in body.zones.items()}
        scene = (zones, tuple(lying.get(zone) for zone in zones))
        known = 0
        for _ in range(FRAMES if zones and scene != self._done else 0):
            self._gaze = gazed(self._gaze, self._camera.shot(lying), self._eyes)
            seen = (self._gaze.scene or Scene()).sighting
            self._now += 50 * MS
            self._settle, shown = settled(self._settle, seen, self._now)
            for each in shown:
                self.misread += len(set(each.cards) - set(lying.get(each.zone, ())))
                rig.show(each.zone, each.cards)
            if shown:
                return True
            known = known + 1 if all(_known(self._settle, seen, zone) for zone in zones) else 0
            if known == SURE:
                self._done = scene
                return False
        return False


def _known(settle: Settle, seen: Sighting, zone: Zone) -> bool:
    """Whether a frame shows of a zone what was said of it last."""
    said, now = settle.zones[zone].said, seen.cards.get(zone)
    return said is not None and now is not None and set(said) == set(now)


def simulate(
    game: str, players: int, seed: int, *, mess: float = 0.0, eyes: bool = False,
    options: Mapping[str, object] | None = None, journal: Path | None = None, trace: Any = None,
    boxes: Plan | None = None, lang: str = "en", after_act: Callable[[], None] = lambda: None,
) -> Result:  # fmt: skip
    """Play one whole game at full speed on the simulated table. `after_act` is called after each act."""
    played, names, chosen = evening(game), tuple(Player(name) for name in NAMES[:players]), options or {}
    rig = StillRig(Setting(game, names, chosen, seed), Journal(journal), trace, boxes, lang)
    try:
        cards = deck(played.folder)
        sight = Pictured(cards, played, seed) if eyes else Told()
        body = played.seat(cards, names, Luck(seed), chosen)
        return play(played, rig, body, sight, mess=mess, after_act=after_act)
    finally:
        rig.close()
