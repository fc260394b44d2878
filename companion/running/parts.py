"""The house's ports when a table really runs: screens for several, and devices that may come later or never."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from companion import config
from companion.ears import Ears
from companion.edges.gpio import Board, ButtonPin, LampPin, pi_factory
from companion.edges.gpiod_pins import OneRequest, one_request
from companion.edges.screen import Screen
from companion.house import House, News, Trouble
from companion.running.eyes import Sight
from companion.running.places import TABLE_KEY, place_of, seated
from companion.running.preflight import Roll
from companion.running.records import Chronicle
from companion.table.photo_finish import Press
from companion.table.session import Session
from companion.table.things import BID, CALL, Deck, Player, Zone

if TYPE_CHECKING:  # a camera may never come: what it needs is loaded with it
    from companion.edges.camera import Camera

CAMERA_LAMP = Player("camera")  # no player: a place of its own among the lamps
LOST_FOR = 5_000_000_000  # ns that a loss of edges stands on the screens at least


class Shows(Protocol):
    """Whatever is told of each new state."""

    def show(self, session: Session | None, news: News) -> None:
        """Show this."""


class Both:
    """Screens, history and, at a simulated table, the persons' ears."""

    def __init__(
        self, screen: Screen, ears: Ears, chronicle: Chronicle, further: Iterable[Shows] = ()
    ) -> None:
        """Show everything to all of them; `further`: others that are to see it, too."""
        self._all: tuple[Shows, ...] = (screen, ears, chronicle, *further)

    def show(self, session: Session | None, news: News) -> None:
        """Show this."""
        for each in self._all:
            each.show(session, news)


class Optional:
    """Lamps and eyes that may come later or never: a table without them plays on."""

    def __init__(self) -> None:
        """Nothing is there yet."""
        self.lamps: Any = None
        self.camera: Camera | None = None
        self.sight: Sight | None = None  # what the operator sees through it
        self.zones: tuple[Zone, ...] = ()
        self._watching = Lock()  # the camera may come while the house says where to look
        self.looks = False  # whether the camera does
        self.camera_lamp: Callable[[str], None] = lambda _: None
        self.roll = Roll()
        self.boxes_seen: Callable[[], float | None] = lambda: None  # likewise of the button boxes
        self.deck: Callable[[], Deck | None] = lambda: None  # of the game under way

    def equip(self, camera: Camera, marker_px: tuple[float, float]) -> None:
        """A camera has come: it watches what is to be watched, and the operator looks through it."""
        if self.sight is not None:
            self.sight.zones = lambda: self.zones
            self.sight.camera, self.sight.marker_px = camera, marker_px
        with self._watching:
            self.camera = camera
            self._watch(camera, ())

    def camera_seen(self) -> float | None:
        """When the camera's thread was last seen alive, monotonic s; None: it has nothing to do."""
        return None if self.camera is None else self.camera.seen

    def looking(self, looks: bool) -> None:
        """The camera has begun to look, or has looked away: its lamp says so."""
        self.looks = looks
        self.camera_lamp("open" if looks else "off")

    def shine(self, player: Player, look: str) -> None:
        """A lamp's level."""
        if self.lamps is not None:
            self.lamps.shine(player, look)

    def blink(self, player: Player, look: str) -> None:
        """A lamp's answer."""
        if self.lamps is not None:
            self.lamps.blink(player, look)

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        """Winks with a count."""
        if self.lamps is not None:
            self.lamps.beat(player, start, phases)

    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...]) -> None:
        """Where to look."""
        with self._watching:
            self.zones = zones
            if self.camera is not None:
                self._watch(self.camera, anew)

    def _watch(self, camera: Camera, anew: tuple[Zone, ...]) -> None:
        playing = self.deck()
        if playing is not None:
            camera.play(playing)
        camera.watch(self.zones, anew)
        if not self.zones and self.sight is not None and self.sight.secret():
            camera.rest()


class Places:
    """Buttons and lamps by places at the table: who sits at a place is known when a game is open."""

    def __init__(self, house: House, chosen: config.Config, roll: Roll | None = None) -> None:
        """Claim the pins of all places; PinError names the one that cannot be had. `roll` hears every press, too."""
        self._house, self._roll = house, roll or Roll()
        self._alarm: int | None = None  # when edges were lost, monotonic ns
        keys = [ButtonPin(Player(number), BID, seat.button) for number, seat in chosen.seats.items()]
        if chosen.call_button is not None:
            keys.append(ButtonPin(TABLE_KEY, CALL, chosen.call_button))
        lamps = [LampPin(Player(n), seat.lamp) for n, seat in chosen.seats.items() if seat.lamp is not None]
        if chosen.camera_lamp is not None:
            lamps.append(LampPin(CAMERA_LAMP, chosen.camera_lamp))
        factory = pi_factory() if chosen.pins == "lgpio" else self._one_request(keys, lamps)
        self._board = Board(factory, keys, lamps, self._pressed)
        self._roll.wired([key.player for key in keys])
        self._roll.held.append(self._board.down)
        self._board.start()
        self.close = self._board.close

    def _one_request(self, keys: list[ButtonPin], lamps: list[LampPin]) -> OneRequest:
        return one_request([key.pin for key in keys], [lamp.pin for lamp in lamps], self._lost)

    def _lost(self, edges: int) -> None:
        """The kernel dropped edges, nobody can say whose; or no edge comes any more (0). Never silence."""
        self._alarm = time.monotonic_ns() if edges else None  # the deaf stay deaf
        key = "buttons.dropped" if edges else "buttons.deaf"
        self._house.put(
            Trouble("pins", self._house.phrases[""].text(self._house.lang, key, {"count": edges}))
        )

    def _pressed(self, press: Press) -> None:
        """A place's press is its player's; the table's call button speaks for the starting player."""
        self._roll.pressed(press.player, press.at)
        if self._alarm is not None and press.at - self._alarm > LOST_FOR:
            self._alarm = None
            self._house.put(Trouble("pins", ""))
        player = seated(self._house, press.player)
        if player is not None:
            self._house.put(replace(press, player=player))

    def shine(self, player: Player, look: str) -> None:
        """A player's lamp is that of his place."""
        self._board.shine(place_of(self._house, player), look)

    def blink(self, player: Player, look: str) -> None:
        """A lamp's answer."""
        self._board.blink(place_of(self._house, player), look)

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        """Winks with a count."""
        self._board.beat(place_of(self._house, player), start, phases)
