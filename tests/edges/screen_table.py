"""A table with its screens, as tests open it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from companion.edges.archive import Archive
from companion.edges.clocks import StillClocks
from companion.edges.screen import Screen
from companion.edges.voice import Silence
from companion.house import House
from companion.printing import printed_for_screen
from companion.shelf import phrases, shelf
from companion.table.events import Event, Opened, Pressed, Setting, Shown
from companion.table.things import BID, CardId, Player, Zone
from companion.wire.journal_line import encode

PIN = "271828"
NAMES = ("Mia", "Paul", "Ada", "Ben")
HERE = {"origin": "http://localhost"}
SHELF, PHRASES = shelf(), phrases()
GAME: dict[str, Any] = {
    "id": "0123", "game": "koala", "on": 1_790_000_000, "players": ["Mia", "Paul", "Ada"], "options": {}, "seed": 1,
    "totals": {"Mia+Ada": 5, "Paul": 2}, "winners": ["Mia+Ada"], "notes": [], "mended": 1, "events": 9,
    "lines": [{"who": "Mia", "points": 1, "rule": "KOALA-SCO-06", "why": "score.feasts", "values": {"count": 1}}],
    "rounds": [], "tales": [{"key": "tale.walker", "values": {"name": "Ada", "count": 3}}], "made_up": False,
}  # fmt: skip


class Dark:
    """No lamps, no eyes."""

    def shine(self, player: Player, look: str) -> None: ...
    def blink(self, player: Player, look: str) -> None: ...
    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None: ...
    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...] = ()) -> None: ...


class Written:
    """A journal that any thread may write: here the house has no thread of its own."""

    def __init__(self) -> None:
        self.rows: list[Event] = []

    def append(self, number: int, event: Event) -> None:
        assert number == len(self.rows) + 1
        self.rows.append(event)

    def events(self) -> Iterator[Event]:
        return iter(self.rows)

    def close(self) -> None: ...


class Spyglass:
    """A camera that sees nothing much."""

    def state(self, lang: str) -> dict[str, Any]:
        return {"none": True, "words": {"title": lang}}

    def picture(self) -> bytes:
        return b"\xff\xd8"

    def rule(self, number: int, marker: int | None) -> None: ...

    def bundle(self) -> tuple[str, bytes]:
        return "b.zip", b"PK"


class Desk:
    """A deck that can be entered."""

    def games(self) -> list[str]:
        return ["koala"]

    def words(self, lang: str) -> dict[str, str]:
        return {"lang": lang}

    def written(self, game: str) -> str:
        return f'game = "{game}"'

    def state(self, *asked: Any) -> dict[str, Any]:
        return {"asked": len(asked)}

    enter = remove = take = undo = seen = state


class Table:
    """A screen, a house that answers at once, and a browser."""

    def __init__(self) -> None:
        self.clocks = StillClocks(1_000_000_000)
        self.held: list[Callable[[], None]] | None = None  # while a list: the house takes its time
        self.archive = Archive(None)
        self.archive.keep(GAME, encode(Opened(Setting("koala", tuple(map(Player, NAMES)), {}, 1))))
        self.screen = Screen(
            self._put, PHRASES, PIN, now=self.clocks.now, shelf=SHELF, archive=self.archive,
            printer=printed_for_screen, looking=Spyglass(), decks=Desk(),
        )  # fmt: skip
        self.screen.at("http://192.0.2.7:8080")
        dark = Dark()
        self.house = House(
            SHELF, PHRASES, Written(), self.clocks, lamps=dark, voice=Silence(), eyes=dark, screens=self.screen,
        )  # fmt: skip
        self.browser = TestClient(self.screen.app, base_url="http://localhost", follow_redirects=False)

    def _put(self, event: Any, reply: Any) -> None:
        def hear() -> None:
            self.house.put(event, reply)
            self.house.step()

        hear() if self.held is None else self.held.append(hear)

    def open(self) -> None:
        self.house.put(Opened(Setting("koala", tuple(Player(name) for name in NAMES), {}, 1)))
        self.house.step()

    @property
    def code(self) -> str:
        """What stands on the table screen."""
        with self.look("table") as line:
            return str(state(line)["join"]["code"])

    def enter(self) -> None:
        assert self.browser.post("/op/pin", json={"pin": PIN}, headers=HERE).status_code == 200

    def look(self, page: str = "op") -> AbstractContextManager[WebSocketTestSession]:
        return self.browser.websocket_connect(
            f"ws://localhost/ws?page={page}", subprotocols=["table.v1"], headers=HERE
        )


def state(line: WebSocketTestSession, fits: Callable[[Any], bool] = lambda _: True) -> Any:
    """The next state that fits."""
    while True:
        told = line.receive_json()
        if told["t"] == "state" and fits(told):
            return told


def answer(line: WebSocketTestSession) -> Any:
    """The next answer."""
    while True:
        told = line.receive_json()
        if told["t"] == "ack":
            return told


def wish(line: WebSocketTestSession, do: str, args: Any, rev: int, name: str = "a" * 32) -> Any:
    line.send_json({"t": "cmd", "id": name, "rev": rev, "do": do, "args": args})
    return answer(line)


def play_to_auction(table: Table, opened: bool = False) -> None:
    """Mia begins, deals and turns up a pizza."""
    if not opened:
        table.open()
    for event in (
        Pressed(Player("Mia"), BID, 1),
        Pressed(Player("Mia"), BID, 2),
        Shown(Zone("middle"), (CardId("pizza-01"),)),
    ):
        table.house.put(event)
        table.house.step()
    assert table.house.session is not None
    assert table.house.session.state.phase == "auction"
