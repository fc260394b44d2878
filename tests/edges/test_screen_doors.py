"""Who gets through which door of the screens: rights, PINs, strange names and sites."""

from __future__ import annotations

import pytest
from screen_table import (
    GAME,
    HERE,
    PIN,
    Table,
    state,
    wish,
)
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from companion.edges.screen.rights import OPERATOR, ROUTES, TABLE, Rights

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
