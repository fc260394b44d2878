"""Simulated fingers on virtual button boxes, in virtual time or, with a thread, in real time."""

from __future__ import annotations

from threading import Condition, Thread

from companion.house import House, Trouble
from companion.sim.box_world import BoxWorld
from companion.sim.boxes import MS, BadFault, Faults, faults
from companion.table.events import Pressed
from companion.table.photo_finish import Closed, Gone, Press
from companion.table.things import BID, CALL, Button, Player, value
from companion.wire.box_link import Down, Lost, Met, Shut, Signal, Silent
from companion.wire.foreign import whole_number

SECOND = 1_000 * MS
HELD = 9 * MS  # how long a simulated finger stays down
LOST_FOR = 30 * SECOND  # how long it is told that presses were lost
WIRED = 10  # players who have a button; the others have their phones


@value
class Plan:
    """Which boxes a simulated table has: how many, and what goes wrong with them."""

    count: int
    wrong: Faults


def plan(boxes: str | None, knobs: str | None) -> Plan | None:
    """From the command line: "virtual:3" and "drop=1%,jitter=16ms". BadFault names what is wrong."""
    if boxes is None:
        if knobs:
            raise BadFault("--faults is about boxes: say --boxes virtual:3, too")
        return None
    kind, _, count = boxes.partition(":")
    number = whole_number(count, 1, 10)
    if kind != "virtual" or number is None:
        raise BadFault(f"--boxes {boxes}: a simulated table has virtual:1 to virtual:10")
    return Plan(number, faults(knobs or ""))


class BoxFingers:
    """The players' buttons on boxes: every press crosses the real line protocol, with its faults."""

    def __init__(self, players: tuple[Player, ...], house: House, chosen: Plan, seed: int) -> None:
        """Plug the boxes in; player after player gets a button at the next box."""
        self.board = self  # lamps and buttons are one, as on pins
        self._house, self._caller = house, Player("")
        self._lock, self._stopped, self._thread = Condition(), False, Thread(target=self._live, daemon=True)
        count = chosen.count
        self._call = WIRED // count + 1
        self._places = {p: (i % count, i // count) for i, p in enumerate(players[:WIRED])}
        self._players = {place: player for player, place in self._places.items()}
        self._looks: dict[Player, str] = {}
        self._ill: dict[str, int] = {}  # of which box something is told, and until when at least
        self.flying = 0  # presses made and not yet heard
        self.world = BoxWorld(count, chosen.wrong, seed, self._hear, house.clocks.now(), self._call + 1)
        house.presses.ask = self.close_to

    def start(self) -> None:
        """Live in real time; without it (virtual time) call `run`."""
        self._thread.start()

    def run(self, until: int) -> None:
        """Let the boxes live until then."""
        with self._lock:
            self.world.run(until)

    def press(self, player: Player, button: Button, at: int) -> None:
        """Press and release at a moment in monotonic ns; no box: a tap on the phone, or a key of a number pad."""
        place = self._places.get(player) if button in (BID, CALL) else None
        if place is None:
            self._house.put(Pressed(player, button, at))
            return
        with self._lock:
            self.flying += 1
            if button == BID:
                self.world.press(*place, at, HELD)
            else:
                self._caller = player
                self.world.press(0, self._call, at, HELD)
            self._lock.notify()

    def close_to(self, moment: int) -> None:
        """Ask every box to close up to a moment."""
        with self._lock:
            self.world.close_to(moment)
            self._lock.notify()

    def shine(self, player: Player, look: str) -> None:
        """A lamp's level, on its box."""
        with self._lock:
            self._looks[player] = look
            if player in self._places:
                self.world.shine(*self._places[player], look)
                self._lock.notify()

    def blink(self, player: Player, look: str) -> None:
        """A lamp's answer, on its box."""
        with self._lock:
            if player in self._places:
                self.world.blink(*self._places[player], look)
                self._lock.notify()

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        """Winks with a count, on its box."""
        with self._lock:
            if player in self._places:
                self.world.beat(*self._places[player], start, phases)
                self._lock.notify()

    def close(self) -> None:
        """Stop the thread, if there is one."""
        with self._lock:
            self._stopped = True
            self._lock.notify()
        if self._thread.is_alive():
            self._thread.join()

    def _live(self) -> None:
        with self._lock:
            while not self._stopped:
                self.world.run(self._house.clocks.now())
                wait = max(0, self.world.due() - self._house.clocks.now())
                self._lock.wait(min(wait, SECOND // 10) / SECOND)

    def _hear(self, name: str, signal: Signal, now: int) -> None:
        box = int(name.partition("-")[2]) - 1
        if isinstance(signal, Down | Shut) and self._ill.get(name, now + 1) <= now:
            self._told(name, "", now)  # it answers
        if isinstance(signal, Down):
            self._pressed(name, box, signal, now)
        elif isinstance(signal, Shut):
            self._house.put(Closed(name, signal.until, signal.unc))
        elif isinstance(signal, Met):
            self._told(name, "", now)
            for player, (at, lamp) in self._places.items():
                if at == box:
                    self.world.shine(box, lamp, self._looks.get(player, "off"))
        elif isinstance(signal, Silent):
            self._house.put(Gone(name))
            self._told(name, self._words("buttons.silent"), now)
        elif isinstance(signal, Lost):
            self._told(name, self._words("buttons.lost", count=signal.events), now + LOST_FOR)

    def _words(self, key: str, **values: int) -> str:
        return self._house.phrases[""].text(self._house.lang, key, values)

    def _told(self, name: str, text: str, until: int) -> None:
        """Tell what is wrong with a box, "" when nothing is; it stays told until then and until it answers."""
        if text:
            self._ill[name] = until
        else:
            self._ill.pop(name, None)
        self._house.put(Trouble(name, text))

    def _pressed(self, name: str, box: int, down: Down, now: int) -> None:
        self.flying = max(0, self.flying - 1)
        call = (box, down.button) == (0, self._call)
        player = self._caller if call else self._players.get((box, down.button))
        if player is not None:
            button = CALL if call else BID
            self._house.put(Press(player, button, down.at, down.unc, name, now, down.grain))
