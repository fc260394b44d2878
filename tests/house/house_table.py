"""A house with every port as one list of what it did, in virtual time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.edges.clocks import StillClocks
from companion.house import House, News, Pace
from companion.shelf import phrases, shelf
from companion.table.events import Event, Opened, Pressed, Setting, Shown
from companion.table.photo_finish import MS
from companion.table.session import Session
from companion.table.things import BID, CardId, Player, Zone

NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada", "Ben"))


MIDDLE = Zone("middle")


class Devices:
    """Every port at once: keeps what the house does, in order."""

    def __init__(self, old: tuple[Event, ...] = ()) -> None:
        self.did: list[str] = []
        self.rows: list[Event] = list(old)
        self.news = News()
        self.full = False
        self.beats: list[tuple[Player, int, tuple[int, ...]]] = []
        self.slow = 0  # ns from an order to the ear

    def append(self, number: int, event: Event) -> None:
        if self.full:
            raise OSError("disk full")
        assert number == len(self.rows) + 1
        self.rows.append(event)
        self.did.append(f"write {type(event).__name__}")

    def events(self) -> Iterator[Event]:
        yield from self.rows

    def close(self) -> None:
        self.did.append("close")

    def shine(self, player: Player, look: str) -> None:
        self.did.append(f"lamp {player} {look}")

    def blink(self, player: Player, look: str) -> None:
        self.did.append(f"blink {player} {look}")

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        self.beats.append((player, start, phases))

    def say(self, parts: tuple[str, ...], lang: str, lane: str) -> None:
        self.did.append(f"say {''.join(parts)}")

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        self.did.append(f"count {' '.join(beats)}")

    def hush(self) -> None:
        self.did.append("hush")

    def stop(self) -> None:
        self.did.append("stop")

    def again(self) -> None:
        self.did.append("again")

    def chime(self, seat: int) -> None:
        self.did.append(f"chime {seat}")

    def tune(self, loud: Mapping[str, float]) -> None:
        self.did.append(f"tune {dict(loud)}")

    def know(self, names: tuple[str, ...], lang: str) -> None:
        self.did.append(f"know {' '.join(names)} in {lang}")

    def lead(self) -> int:
        return self.slow

    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...]) -> None:
        self.did.append(f"watch {' '.join(zones)}")

    def show(self, session: Session | None, news: News) -> None:
        self.news = news


class Evening:
    """A house in virtual time with a game of Koala at its first auction."""

    def __init__(self, old: tuple[Event, ...] = (), pace: Pace | None = None) -> None:
        self.clocks, self.devices = StillClocks(1_000 * MS), Devices(old)
        d = self.devices
        self.house = House(shelf(), phrases(), d, self.clocks, lamps=d, voice=d, eyes=d, screens=d, pace=pace)

    def put(self, *events: Event) -> Evening:
        for event in events:
            self.house.put(event)
            self.house.step()
        return self

    def later(self, ms: float) -> Evening:
        """Time passes, each due thing in its turn."""
        until = self.clocks.now() + round(ms * MS)
        while (due := self.house.next_due()) is not None and due <= until:
            self.clocks.advance_to(due)
            self.house.step()
        self.clocks.advance_to(until)
        self.house.step()
        return self

    def state(self) -> object:
        assert self.house.session is not None
        return self.house.session.state

    def phase(self) -> str:
        return str(getattr(self.state(), "phase"))  # noqa: B009  # the state is the game's own


def auction(pace: Pace | None = None) -> Evening:
    evening = Evening(pace=pace)
    return evening.put(
        Opened(Setting("koala", NAMES, {})), Pressed(NAMES[0], BID, 1), Pressed(NAMES[0], BID, 2),
        Shown(MIDDLE, (CardId("pizza-01"),)),
    )  # fmt: skip
