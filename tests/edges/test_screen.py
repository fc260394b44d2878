"""The screens with their real server, a real house and a real game of Koala; only the wire to a browser is short."""

from __future__ import annotations

import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from companion.edges import screen as screen_package
from companion.edges.archive import Archive, ArchiveError
from companion.edges.clocks import StillClocks
from companion.edges.screen import Keep, Screen, ScreenError, levels, rights, sockets
from companion.edges.screen.pages import words
from companion.edges.screen.rights import OPERATOR, ROUTES, TABLE, Rights
from companion.edges.voice import Silence
from companion.house import House
from companion.printing import printed_for_screen
from companion.running.records import Loudness
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


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    with made.browser:
        yield made


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


# --- who may do what ---------------------------------------------------------------------------------


LAST = ("/op/code", "/op/leave")  # after these other requests need another code, another cookie
POSTED: dict[str, dict[str, str]] = {
    "/print/{game}.pdf": {"map": ""},
    "/op/tempo": {"paused": "no"}, "/op/doctor": {"do": "look"},
    "/op/look/rule": {"number": "1", "marker": ""}, "/op/lock": {"locked": "no"}, "/op/voice": {"again": "yes"},
    "/op/preview": {"of": "4", "cards": ""}, "/op/likely": {"of": "4"}, "/op/decks/{game}/enter": {"entry": "a"}, "/op/decks/{game}/remove": {"entry": "a"},
    "/history/count": {"id": "0123", "counts": "no"}, "/history/forget": {"player": "Otto"},
    "/op/pin": {"pin": PIN}, "/op/release": {"player": "Mia"}, "/j/claim": {"code": "", "name": "Mia"},
}  # fmt: skip


def all_routes(routes: list[BaseRoute]) -> list[tuple[str, str]]:
    found = []
    for route in routes:
        if isinstance(route, Route):
            found += [(route.path, method) for method in sorted(route.methods or ()) if method != "HEAD"]
        else:
            assert isinstance(route, WebSocketRoute), "a new kind of route needs a test of its rights"
            found.append((route.path, "WS"))
    return found


def test_every_route_has_an_entry_among_the_rights_and_no_entry_is_left_over(table: Table) -> None:
    assert {path for path, _ in all_routes(table.screen.app.routes)} == set(ROUTES)


@pytest.mark.parametrize("role", [TABLE, OPERATOR])
def test_every_route_opens_to_the_roles_it_names_and_to_no_other(table: Table, role: str) -> None:
    if role == OPERATOR:
        table.enter()
    table.open()
    POSTED["/j/claim"]["code"] = table.code
    filled = {"panels/{name}": "panels/koala.js", "{name}": "icon.svg", "{lang}": "de", "{game}": "koala",
              "{form}": "games.csv", "{id}": GAME["id"]}  # fmt: skip
    for path, method in sorted(
        all_routes(table.screen.app.routes), key=lambda each: LAST.index(each[0]) if each[0] in LAST else -1
    ):
        if method == "WS":
            continue
        url = path
        for hole, content in filled.items():
            url = url.replace(hole, content)
        if role == TABLE:
            table.browser.cookies.clear()  # the PIN route gives a cookie to whoever knows the PIN
        told = table.browser.request(
            method, url, headers=HERE, json=POSTED.get(path) if method == "POST" else None
        )
        allowed = ROUTES[path] in (TABLE, role)
        assert (told.status_code in (200, 307)) is allowed, (path, role, told.status_code)
        assert allowed or told.status_code == 403


def claim(table: Table, name: str, code: str | None = None) -> int:
    """A phone without a cookie asks for a seat; the cookie stays with the browser."""
    table.browser.cookies.delete("companion_seat")
    told = table.browser.post("/j/claim", json={"code": code or table.code, "name": name}, headers=HERE)
    return told.status_code


def test_a_phone_sees_its_own_cues_and_answers_only_for_its_player(table: Table) -> None:
    table.open()
    assert claim(table, "Mia") == 200
    with table.look("seat") as line:
        told = state(line)
        assert (told["role"], told["me"]) == ("seat:Mia", "Mia")
        assert {cue["player"] for cue in told["cues"]} == {"Mia"}
        assert "steps" not in told
        other = wish(line, "press", {"player": "Paul", "button": "bid"}, told["rev"])
        assert (other["ok"], other["code"]) == (False, "role")
        for do, args, name in (("undo", {"to": 1}, "d"), ("show", {"zone": "middle", "cards": []}, "e")):
            other = wish(line, do, args, told["rev"], name=name * 32)
            assert (other["ok"], other["code"]) == (False, "role")
        assert wish(line, "press", {"player": "Mia", "button": "bid"}, told["rev"], name="c" * 32)["ok"]


def test_a_seat_is_claimed_once_until_it_is_given_up_or_freed(table: Table) -> None:
    table.open()
    assert claim(table, "Mia") == 200
    assert claim(table, "Mia") == 409
    assert claim(table, "Otto") == 409  # does not play
    table.enter()
    assert table.browser.post("/op/release", json={"player": "Mia"}, headers=HERE).status_code == 200
    assert claim(table, "Mia") == 200
    assert table.browser.post("/seat/leave", headers=HERE).status_code == 200
    assert claim(table, "Mia") == 200


def test_a_phone_whose_seat_is_freed_is_shown_out(table: Table) -> None:
    table.open()
    assert claim(table, "Mia") == 200
    table.enter()
    with table.look("seat") as line:
        state(line)
        assert table.browser.post("/op/release", json={"player": "Mia"}, headers=HERE).status_code == 200
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                line.receive_json()
        assert closed.value.code == 4403


def test_a_wrong_code_opens_no_seat_and_guessing_is_slow(table: Table) -> None:
    table.open()
    assert [claim(table, "Mia", "0000") for _ in range(5)] == [403, 403, 403, 403, 429]
    assert claim(table, "Mia") == 429  # also the right one waits then


def test_a_name_waits_for_its_game_and_names_without_letters_do_not(table: Table) -> None:
    assert claim(table, " Änne ") == 200
    with table.look("seat") as line:
        assert (state(line)["me"], state(line)["view"]) == ("Änne", None)
    assert claim(table, "a+b") == 400


def test_seats_outlive_a_restart_and_are_kept_as_hashes() -> None:
    kept = Remembering()
    before = Rights(PIN, lambda: 0.0, kept)
    token = before.claim(before.code.lower(), Player("Mia"), phone())
    assert isinstance(token, str)
    assert token not in str(kept.held)
    after = Rights(PIN, lambda: 0.0, kept)
    assert (after.code, after.seat(phone(token)), after.seat(phone())) == (before.code, "Mia", None)


class Remembering(Keep):
    """Seats as a file keeps them."""

    def __init__(self) -> None:
        self.held: dict[str, str] = {}

    def load(self) -> dict[str, str]:
        return dict(self.held)

    def save(self, seats: Mapping[str, str]) -> None:
        self.held = dict(seats)


def phone(token: object = "") -> HTTPConnection:
    return HTTPConnection({"type": "http", "headers": [(b"cookie", f"companion_seat={token}".encode())]})


@pytest.mark.parametrize("course", [[True], [True, False], [True, False, True]])
def test_a_lock_outlives_a_restart_and_so_does_its_end(course: list[bool]) -> None:
    kept = Remembering()
    door = Rights(PIN, lambda: 0.0, kept)
    mine = door.claim(door.code, Player("Mia"), phone())
    for locked in course:
        door.lock(locked)
    again = Rights(PIN, lambda: 0.0, kept)
    assert (again.locked, again.seats, again.code) == (course[-1], ("Mia",), door.code)
    assert again.seat(phone(mine)) == "Mia"
    assert isinstance(again.claim(again.code, Player("Ben"), phone()), rights.No if course[-1] else str)
    again.renew()
    again.release(Player("Mia"))
    assert Rights(PIN, lambda: 0.0, kept).locked is course[-1]  # whatever else is kept later


def test_however_many_names_came_before_whoever_plays_sits_down() -> None:
    kept = Remembering()
    door, playing = Rights(PIN, lambda: 0.0, kept), tuple(Player(f"P{number}") for number in range(40))
    tokens = [door.claim(door.code, player, phone(), playing) for player in playing[:39]]
    for number in range(3 * rights.MOST_SEATS):
        assert isinstance(door.claim(door.code, Player(f"Guest {number}"), phone(), playing), str)
        assert len(door.seats) <= rights.MOST_SEATS
    assert isinstance(door.claim(door.code, playing[39], phone(), playing), str)
    assert set(playing) < set(door.seats)
    assert [door.seat(phone(token)) for token in tokens] == list(playing[:39])  # nobody who plays lost his
    newest = [f"Guest {number}" for number in range(3 * rights.MOST_SEATS)][-20:]
    assert [seat for seat in door.seats if seat.startswith("Guest")] == newest  # the oldest went
    assert len(Rights(PIN, lambda: 0.0, kept).seats) == rights.MOST_SEATS


def test_each_reason_for_no_seat_has_words_of_its_own() -> None:
    everybody = tuple(Player(f"P{number}") for number in range(rights.MOST_SEATS + 1))
    door = Rights(PIN, lambda: 0.0)
    tokens = [door.claim(door.code, player, phone(), everybody) for player in everybody]
    assert tokens[-1] is rights.No.FULL and rights.No.FULL not in tokens[:-1]
    assert door.claim(door.code, everybody[0], phone(tokens[1]), everybody) is rights.No.TAKEN
    assert door.seat(phone(tokens[1])) == everybody[1]  # who is refused another one keeps his
    assert isinstance(door.claim(door.code, everybody[-1], phone(tokens[1]), everybody), str)
    door.lock(True)
    assert door.claim(door.code, Player("Otto"), phone(), everybody) is rights.No.LOCKED
    for lang in ("en", "de"):
        told = words(lang)
        assert len({told[f"join.{no.value}"] for no in rights.No}) == len(rights.No)


def test_a_phone_is_told_that_the_seats_are_locked(table: Table) -> None:
    table.open()
    table.enter()
    assert table.browser.post("/op/lock", json={"locked": "yes"}, headers=HERE).status_code == 200
    told = table.browser.post("/j/claim", json={"code": table.code, "name": "Mia"}, headers=HERE)
    assert (told.status_code, told.json()) == (409, {"why": "locked"})


def test_a_path_that_nobody_thought_of_is_open_to_nobody() -> None:
    assert not rights.may(OPERATOR, "/op/secret")


@pytest.mark.parametrize("page", ["table", "op"])
@pytest.mark.parametrize("entered", [False, True])
def test_the_line_shows_the_operators_view_only_to_his_page_and_cookie(
    table: Table, page: str, entered: bool
) -> None:
    table.open()
    if entered:
        table.enter()
    with table.look(page) as line:
        if page == "op" and not entered:
            with pytest.raises(WebSocketDisconnect) as closed:
                line.receive_json()
            assert closed.value.code == 4401
            return
        told = state(line)
        assert told["role"] == (OPERATOR if page == "op" else TABLE)
        assert ("cues" in told) is (page == "op")


def test_a_table_screen_cannot_act_even_with_the_operators_cookie(table: Table) -> None:
    table.open()
    table.enter()
    with table.look("table") as line:
        told = wish(line, "press", {"player": "Mia", "button": "bid"}, state(line)["rev"])
        assert (told["ok"], told["code"]) == (False, "role")


def test_leaving_ends_the_role_of_the_page_that_is_open(table: Table) -> None:
    table.enter()
    with table.look() as line:
        state(line)
        assert table.browser.post("/op/leave", headers=HERE).status_code == 200
        with pytest.raises(WebSocketDisconnect):
            while True:
                line.receive_json()
    assert table.browser.get("/op/steps").status_code == 403


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1:80:80",
        "",
        "localhost:x",
        b"localhost:\xb2",
        "localhost:99999",
        "[::2]",
        "::1",
    ],
)
def test_a_page_under_a_strange_name_gets_nothing(table: Table, host: str | bytes) -> None:
    assert table.browser.get("/table", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8080", "127.0.0.1:9", "[::1]:8080", "[::1]"])
def test_a_page_under_our_own_names_is_served(table: Table, host: str) -> None:
    assert table.browser.get("/table", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["[::1]:8080", "[::1]", "127.0.0.1:8080"])
def test_what_a_page_under_an_address_of_ours_sends_is_taken(table: Table, host: str) -> None:
    headers = {"host": host, "origin": f"http://{host}"}
    assert table.browser.post("/op/pin", json={"pin": PIN}, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://localhost", "http://localhost:81"]
)
def test_nothing_is_taken_from_another_sites_page(table: Table, origin: str | None) -> None:
    headers = {} if origin is None else {"origin": origin}
    assert table.browser.post("/op/pin", json={"pin": PIN}, headers=headers).status_code == 403
    with (
        pytest.raises((WebSocketDisconnect, WebSocketDenialResponse)),
        table.browser.websocket_connect("ws://localhost/ws", headers=headers),
    ):
        pass  # pragma: no cover


def test_every_answer_carries_the_strict_headers(table: Table) -> None:
    for path in (
        "/table",
        "/nowhere",
        "/static/table.js",
        "/op/steps",
        "/phrases/xx",
        "/deck/xx",
        "/static/..",
    ):
        headers = table.browser.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_the_operators_cookie_is_out_of_reach_of_scripts_and_other_sites(table: Table) -> None:
    told = table.browser.post("/op/pin", json={"pin": PIN}, headers=HERE)
    cookie = told.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert PIN not in cookie


def test_after_five_wrong_pins_even_the_right_one_waits_and_the_wait_doubles() -> None:
    clock = [0.0]
    door = Rights(PIN, lambda: clock[0])
    assert [door.try_pin("000000") for _ in range(5)] == [0.0, 0.0, 0.0, 0.0, 60.0]
    assert door.try_pin(PIN) == 60.0
    clock[0] = 61.0
    assert [door.try_pin("000000") for _ in range(5)][-1] == 120.0
    clock[0] = 182.0
    assert isinstance(door.try_pin(PIN), str)


def test_slow_guessing_is_never_faster_than_five_a_minute() -> None:
    clock, tries = [0.0], 0
    door = Rights(PIN, lambda: clock[0])
    while clock[0] < 3600:
        tries += door.try_pin("1") == 0.0
        clock[0] += 1.0
    assert tries <= 5 * 60


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b'{"pin":1}', "application/json"), (b"{", "application/json"), (b'{"pin":"271828"}', "text/plain"),
     (b'{"pin":"' + b"1" * 2000 + b'"}', "application/json"), (b"{}", "application/json"), (b"\xff", "application/json")],
)  # fmt: skip
def test_what_is_no_pin_is_refused_unread(table: Table, content: bytes, kind: str) -> None:
    told = table.browser.post("/op/pin", content=content, headers={**HERE, "content-type": kind})
    assert told.status_code == 400


# --- what is shown -----------------------------------------------------------------------------------


def test_a_screen_that_comes_late_sees_the_game_as_it_stands(table: Table) -> None:
    with table.look("table") as line:
        assert state(line)["view"] is None
        table.open()
        told = state(line, lambda each: each["view"] is not None)
    assert told["view"]["players"] == list(NAMES)
    assert told["captions"][0]["key"] == "say.welcome"
    with table.look("table") as line:
        assert state(line)["view"] == told["view"]


def test_clocks_are_told_as_deadlines_on_the_clock_that_stamps_the_state(table: Table) -> None:
    play_to_auction(table)
    with table.look("table") as line:
        told = state(line)
    (clock,) = told["clocks"]
    assert clock["name"] == "quiet"
    assert clock["ends"] - told["now"] == clock["total"] == 2000


def test_a_slow_screen_gets_the_newest_state_and_no_backlog(table: Table) -> None:
    table.open()
    with table.look("table") as line:
        state(line)
        for _ in range(50):
            table.screen.show(table.house.session, table.house.news)
        play_to_auction(table, opened=True)
        seen = 1
        while state(line)["view"]["phase"] != "auction":
            seen += 1
        assert seen < 10


def test_the_words_of_the_screens_are_the_same_in_both_languages() -> None:
    english, german = words("en"), words("de")
    assert english.keys() == german.keys()
    for key in english:
        assert holes(english[key]) == holes(german[key]), key


def holes(text: str) -> set[str]:
    return {part.partition("}")[0] for part in text.split("{")[1:]}


def test_every_word_that_the_pages_ask_for_exists(table: Table) -> None:
    known = words("en")
    folder = Path(screen_package.__file__).parents[1] / "static"
    for path in (*folder.glob("*.js"), *folder.glob("panels/*.js")):
        name, script = path.name, path.read_text("utf-8")
        for part in script.split('w("')[1:]:
            assert part.partition('"')[0] in known, (name, part[:20])


@pytest.mark.parametrize("page", ["table", "op", "seat", "j", "history", "print", "help"])
def test_a_page_names_no_other_address_and_holds_no_inline_script_or_style(table: Table, page: str) -> None:
    shared = ["look.css", "live.js", "text.js", "pictures.js", "preact-htm.js", "icon.svg"]
    own = {
        "table": [
            "table.css",
            "table.js",
            "people.js",
            "panels.js",
            "panels/koala.js",
            "clock.js",
            "score.js",
        ],
        "op": ["op.css", "op.js", "cards.js"],
        "seat": ["phone.css", "seat.js", "people.js", "panels.js", "clock.js"],
        "j": ["phone.css", "join.js"],
        "history": ["op.css", "history.js"],
        "print": ["op.css", "print.js"],
        "help": ["op.css", "help.js"],
    }
    texts = [table.browser.get(f"/{page}").text, table.browser.get("/phrases/de").text]
    if page not in ("j", "print", "help"):
        texts.append(max((table.browser.get(f"/phrases/de/{game}").text for game in SHELF), key=len))
    texts += [table.browser.get(f"/static/{name}").text for name in (*shared, *own[page])]
    for text in texts:
        assert "https://" not in text
        assert "http://" not in text.replace("http://www.w3.org/", "")
    assert "<script>" not in texts[0]
    assert "style=" not in texts[0]


def test_a_corrections_effect_is_shown_before_it_is_made(table: Table) -> None:
    play_to_auction(table)
    table.enter()
    session = table.house.session
    assert session is not None
    told = table.browser.post(
        "/op/preview", json={"of": str(session.last), "cards": "hamburger-01"}, headers=HERE
    ).json()
    assert told["prompt"]["values"]["food"] == "@hamburger"
    assert table.house.session is session  # nothing was done
    wrong = table.browser.post("/op/preview", json={"of": "1", "cards": ""}, headers=HERE).json()
    assert wrong["refusal"]["key"] == "no.no_such_reading"


def test_of_a_misread_card_the_three_likeliest_others_are_offered_that_the_game_allows(table: Table) -> None:
    play_to_auction(table)
    table.enter()
    session = table.house.session
    assert session is not None
    found = table.browser.post("/op/likely", json={"of": str(session.last)}, headers=HERE).json()["likely"]
    assert 1 < len(found) <= 3
    assert len({each["in"].rpartition("-")[0] for each in found}) == len(found)  # of each face one
    for each in found:
        assert each["out"] == "pizza-01" and "pizza-01" not in each["cards"]
        told = table.browser.post(
            "/op/preview", json={"of": str(session.last), "cards": ",".join(each["cards"])}, headers=HERE
        ).json()
        assert told["after"] == each["totals"] and told["prompt"] == each["prompt"]
    assert table.house.session is session  # nothing was done
    assert table.browser.post("/op/likely", json={"of": "1"}, headers=HERE).json() == {"likely": []}


# --- the quiet pages ---------------------------------------------------------------------------------


def test_history_is_exported_and_mended_only_by_the_operator(table: Table) -> None:
    assert [game["id"] for game in table.browser.get("/history/games").json()["games"]] == ["0123"]
    assert table.browser.get("/history/export/games.csv").status_code == 403
    assert table.browser.post("/history/forget", json={"player": "Mia"}, headers=HERE).status_code == 403
    table.enter()
    rows = table.browser.get("/history/export/games.csv").text.splitlines()
    assert rows[0].startswith("date_utc,game") and len(rows) == 1 + 2 + 1
    assert table.browser.get("/history/export/games.json").json()[0]["totals"] == GAME["totals"]
    table.browser.post("/history/count", json={"id": "0123", "counts": "no"}, headers=HERE)
    assert table.browser.get("/history/games").json()["games"][0]["counts"] is False
    assert table.browser.post("/history/forget", json={"player": "Mia"}, headers=HERE).json() == {"games": 1}
    assert "Mia" not in table.browser.get("/history/games").text


def test_an_archive_that_cannot_be_used_is_told_in_words(table: Table) -> None:
    table.archive.close()
    with pytest.raises(ArchiveError):
        table.archive.games()
    for path in ("/history/games", "/history/replay/0123", "/history/bgstats/0123.svg"):
        answer = table.browser.get(path)
        assert answer.status_code == 503, path
        assert "Move the file away" in answer.text


def test_a_finished_game_becomes_a_code_for_bg_stats(table: Table) -> None:
    assert table.browser.get("/history/bgstats/0123.svg").text.count("<svg") == 1
    assert table.browser.get("/history/bgstats/none.svg").status_code == 404


def test_the_print_shop_prints_and_says_what_it_cannot(table: Table) -> None:
    told = table.browser.get("/print/koala.pdf?paper=a4&labels=70x37&parts=stickers&cards=1-30&mm=12&lang=de")
    assert told.content.startswith(b"%PDF") and told.headers["content-type"] == "application/pdf"
    for wish in (
        "mm=3",
        "mm=x",
        "paper=a0",
        "cards=9-3",
        "labels=1x1",
        "labels=67x25",
        "parts=cake",
        "lang=fr",
        "x=1",
    ):
        answer = table.browser.get(f"/print/koala.pdf?{wish}")
        assert (answer.status_code, "Traceback" in answer.text) == (400, False), wish
    assert table.browser.get("/print/chess.pdf").status_code == 400
    assert "koala" in table.browser.get("/print/games").json()


# --- what can be done --------------------------------------------------------------------------------


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


def test_a_whole_auction_is_answered_by_hand(table: Table) -> None:
    table.enter()
    with table.look() as line:
        assert wish(line, "open", {"game": "koala", "players": list(NAMES)}, 0, "0" * 32)["ok"]
        steps: list[tuple[str, Any]] = [
            ("press", {"player": "Paul", "button": "bid"}),
            ("press", {"player": "Paul", "button": "bid"}),
            ("show", {"zone": "middle", "cards": ["pizza-01"]}),
            ("press", {"player": "Mia", "button": "bid"}),
            ("show", {"zone": "middle", "cards": ["pizza-01", "pizza-02"]}),
        ]
        for number, (do, args) in enumerate(steps, 1):
            assert wish(line, do, args, number, f"{number:032x}")["rev"] == number + 1
        told = state(line, lambda each: each["rev"] == 6)
        assert told["view"]["middle"]["leader"] == ["Mia"]
        assert {cue["is"] for cue in told["cues"]} == {"press", "show", "wait"}
        waiting = next(cue for cue in told["cues"] if cue["is"] == "wait")
        assert wish(line, "ring", {"name": waiting["name"], "lap": waiting["lap"]}, 6, "f" * 32)["ok"]


def test_a_refused_wish_says_why_and_changes_nothing(table: Table) -> None:
    play_to_auction(table)
    table.enter()
    with table.look() as line:
        told = wish(line, "press", {"player": "Nobody", "button": "bid"}, state(line)["rev"])
        assert told["refusal"]["key"] == "no.unknown_player"
        assert wish(line, "show", {"zone": "middle", "cards": ["joker-01"]}, 4, "b" * 32)["code"] == "bad"
        assert state(line)["rev"] == 4


def test_a_wish_that_is_said_twice_is_done_once_and_answered_twice(table: Table) -> None:
    play_to_auction(table)
    table.enter()
    with table.look() as line:
        first = wish(line, "press", {"player": "Mia", "button": "bid"}, 4)
        assert wish(line, "press", {"player": "Mia", "button": "bid"}, 4) == first
    assert table.house.session is not None
    assert table.house.session.last == 5


def test_no_answer_comes_before_the_house_has_it(table: Table) -> None:
    play_to_auction(table)
    table.enter()
    table.held = []
    with table.look() as line:
        state(line)
        line.send_json(
            {"t": "cmd", "id": "c" * 32, "rev": 4, "do": "press", "args": {"player": "Mia", "button": "bid"}}
        )
        line.send_json(
            {"t": "cmd", "id": "c" * 32, "rev": 4, "do": "press", "args": {"player": "Mia", "button": "bid"}}
        )
        line.send_text("an answer to this comes at once")
        assert answer(line)["code"] == "bad"
        assert len(table.held) == 1
        table.held[0]()
        assert answer(line)["rev"] == 5


def test_a_wish_for_an_older_state_is_refused_with_the_new_one(table: Table) -> None:
    play_to_auction(table)
    table.enter()
    with table.look() as line:
        assert wish(line, "undo", {"to": 2}, 3)["code"] == "stale"
        assert state(line)["rev"] == 4
        assert wish(line, "press", {"player": "Mia", "button": "bid"}, 2, "d" * 32)["code"] == "stale"


def test_a_press_that_crosses_with_another_ones_still_counts(table: Table) -> None:
    play_to_auction(table)
    table.enter()
    with table.look() as line:
        assert wish(line, "press", {"player": "Mia", "button": "bid"}, 4, "1" * 32)["ok"]
        assert wish(line, "press", {"player": "Ada", "button": "bid"}, 4, "2" * 32)["ok"]


def test_a_misread_card_is_mended_and_the_mending_taken_back(table: Table) -> None:
    play_to_auction(table)
    table.enter()
    with table.look() as line:
        reading = next(step for step in state(line)["steps"] if "cards" in step)
        assert (reading["zone"], reading["cards"]) == ("middle", ["pizza-01"])
        assert wish(line, "correct", {"of": reading["n"], "cards": ["hamburger-01"]}, 4, "1" * 32)["ok"]
        told = state(line, lambda each: each["rev"] == 5)
        assert told["view"]["middle"]["food"] == "hamburger"
        assert next(cue for cue in told["cues"] if cue["is"] == "show")["lying"] == ["hamburger-01"]
        assert [step["cards"] for step in told["steps"] if step.get("mended")] == [["hamburger-01"]]
        (before,) = told["left"]
        assert wish(line, "undo", {"to": before["n"]}, 5, "2" * 32)["ok"]
        assert state(line, lambda each: each["rev"] == 6)["view"]["middle"]["food"] == "pizza"


def test_steps_are_undone_by_name_and_done_again(table: Table) -> None:
    play_to_auction(table)
    table.enter()
    with table.look() as line:
        told = state(line)
        assert [step["did"]["key"] for step in told["steps"]][-1] == "did.opened"
        assert wish(line, "undo", {"to": 2}, 4, "1" * 32)["ok"]
        back = state(line, lambda each: each["rev"] == 5)
        assert [step["n"] for step in back["steps"]] == [2, 1]
        assert [step["n"] for step in back["ahead"]] == [3, 4]
        assert wish(line, "undo", {"to": 4}, 5, "2" * 32)["ok"]
        again = state(line, lambda each: each["rev"] == 6)
        assert again["view"] == told["view"]
        assert again["ahead"] == []
    assert [step["n"] for step in table.browser.get("/op/steps").json()] == [4, 3, 2, 1]


def test_all_games_and_their_options_can_be_chosen(table: Table) -> None:
    table.enter()
    games = {each["game"]: each["options"] for each in table.browser.get("/op/games").json()}
    assert set(games) == set(SHELF)
    assert {"id": "teams", "default": False, "allowed": [False, True], "phrase": "teams"} in games["koala"]
    assert len(table.browser.get("/deck/koala").json()["cards"]) == len(SHELF["koala"].deck.cards)


def test_a_deck_tells_the_symbols_on_each_face_as_a_list_and_none_where_there_are_none(table: Table) -> None:
    told = {card[1]: card[3] for card in table.browser.get("/deck/karnivore").json()["cards"]}
    facts = SHELF["karnivore"].deck.facts
    pair = next(face for face in facts if len(list(facts[face].get("symbols", ()))) == 2)
    one = next(face for face in facts if isinstance(facts[face].get("of"), str))
    assert told[pair] == facts[pair]["symbols"] and told[one] == [facts[one]["of"]]
    assert all(card[3] == [] for card in table.browser.get("/deck/koala").json()["cards"])


# --- limits ------------------------------------------------------------------------------------------


def test_a_screen_that_talks_too_much_is_parted_with(table: Table) -> None:
    with table.look("table") as line:
        state(line)
        for _ in range(200):
            line.send_text("x")
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                line.receive_json()
        assert closed.value.code == 1008


def test_more_screens_than_the_limit_are_turned_away_and_the_others_stay(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SOCKETS", 1)
    with table.look("table") as line:
        state(line)
        with table.look("table") as other, pytest.raises(WebSocketDisconnect) as closed:
            other.receive_json()
        assert closed.value.code == 1013
        table.open()
        state(line, lambda each: each["view"] is not None)


def test_the_server_runs_in_its_own_thread_and_says_when_its_port_is_taken(table: Table) -> None:
    screen = Screen(lambda event, reply: None, PHRASES, PIN)
    port = screen.serve("127.0.0.1", 0)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as told:
            assert told.read() == b"ok"
        with pytest.raises(ScreenError, match=f"port {port}.*--port {port + 1}"):
            Screen(lambda event, reply: None, PHRASES, PIN).serve("127.0.0.1", port)
    finally:
        screen.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "screen"]
    with socket.create_server(("127.0.0.1", port)):
        pass  # the port is free again


# --- the voice -----------------------------------------------------------------------------------------


def test_the_operator_may_have_the_last_words_again_and_other_volumes() -> None:
    asked: list[tuple[bool, dict[str, float]]] = []
    screen = Screen(
        lambda event, reply: None, PHRASES, PIN, ask=lambda again, loud: asked.append((again, dict(loud)))
    )  # fmt: skip
    with TestClient(screen.app, base_url="http://localhost", headers=HERE) as page:
        assert page.post("/op/voice", json={"again": "yes"}).status_code == 403
        assert page.post("/op/pin", json={"pin": PIN}).status_code == 200
        assert page.post("/op/voice", json={"again": "yes"}).status_code == 200
        assert page.post("/op/voice", json={"chatter": "0", "chime": "0.3"}).json() == {
            "loud": {"chatter": "0", "chime": "0.3"}
        }
        for wrong in ({}, {"gossip": "0"}, {"prompt": "2"}, {"prompt": "nan"}, {"again": "no"}):
            assert page.post("/op/voice", json=wrong).status_code == 400
        assert page.get("/op/voice").json()["loud"] == {"chatter": "0", "chime": "0.3"}
    assert asked == [(True, {}), (False, {"chatter": 0.0, "chime": 0.3})]


def test_volumes_are_those_of_the_last_evening_and_what_is_none_is_left_out(tmp_path: Path) -> None:
    kept = Loudness(tmp_path / "j.loud.json")
    for loud in ({"chatter": "0"}, {"chime": "0.3"}):
        screen = Screen(lambda event, reply: None, PHRASES, PIN, volumes=kept)
        with TestClient(screen.app, base_url="http://localhost", headers=HERE) as page:
            page.post("/op/pin", json={"pin": PIN})
            assert page.post("/op/voice", json=loud).status_code == 200
    assert kept.load() == {"chatter": "0", "chime": "0.3"}
    assert levels({**kept.load(), "gossip": "1", "prompt": "nan"}) == {"chatter": 0.0, "chime": 0.3}
    for broken in (b"", b"[1]", b'{"chatter": 1}'):
        (tmp_path / "j.loud.json").write_bytes(broken)
        assert levels(kept.load()) == {}


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ({"paused": "yes"}, [(True, None)]), ({"stretch": "1.5"}, [(None, 1.5)]),
        ({"paused": "no", "stretch": "2"}, [(False, 2.0)]), ({"stretch": "0"}, []), ({"paused": "maybe"}, []),
        ({}, []), ({"speed": "2"}, []),
    ],
)  # fmt: skip
def test_the_operator_lets_the_table_rest_and_gives_more_time(
    body: dict[str, str], asked: list[tuple[bool | None, float | None]]
) -> None:
    heard: list[tuple[bool | None, float | None]] = []
    screen = Screen(
        lambda event, reply: None, PHRASES, PIN, tempo=lambda paused, stretch: heard.append((paused, stretch))
    )
    with TestClient(screen.app, base_url="http://localhost") as page:
        assert page.post("/op/tempo", json=body, headers=HERE).status_code == 403
        assert page.post("/op/pin", json={"pin": PIN}, headers=HERE).status_code == 200
        assert page.post("/op/tempo", json=body, headers=HERE).status_code == (200 if asked else 400)
    assert heard == asked


def test_a_screen_whose_view_cannot_be_made_is_closed_and_does_not_look_alive(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.open()
    with table.look("table") as line:
        state(line)

        def broken(*_: object) -> None:
            raise LookupError("a view of a broken game")

        monkeypatch.setattr(sockets.crank, "look", broken)
        with pytest.raises(WebSocketDisconnect) as closed:
            table.house.put(Pressed(Player("Mia"), BID, 1))
            table.house.step()
            while True:
                line.receive_json()
        assert closed.value.code == 1011
