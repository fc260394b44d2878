"""A network that comes up later: the table is found under its new address, by the door and on every screen."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from companion.edges.screen import Screen, app
from companion.shelf import phrases

PHRASES = phrases()
LATE = "192.168.4.7"


def test_a_name_that_comes_later_is_let_in_and_one_that_goes_is_turned_away() -> None:
    known = ["Koala-Pi"]
    screen = Screen(lambda event, reply: None, PHRASES, "1", hosts=lambda: tuple(known))
    with TestClient(screen.app, base_url=f"http://{LATE}:8080") as page:
        origin = {"origin": f"http://{LATE}:8080"}
        assert page.get("/table").status_code == 403
        with (
            pytest.raises((WebSocketDisconnect, WebSocketDenialResponse)),
            page.websocket_connect(f"ws://{LATE}:8080/ws?page=table", headers=origin),
        ):
            pass
        known.append(LATE)
        assert page.get("/table").status_code == 200
        assert page.get("/table", headers={"host": "KOALA-PI:8080"}).status_code == 200
        with page.websocket_connect(f"ws://{LATE}:8080/ws?page=table", headers=origin) as line:
            assert line.receive_json()
        known.remove(LATE)
        assert page.get("/table").status_code == 403
        assert page.get("/table", headers={"host": "localhost"}).status_code == 200


def test_every_screen_is_told_where_phones_find_the_table_once_that_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app, "FOLLOW_S", 0.001)
    address = ["http://koala-pi.local:8080"]
    screen = Screen(lambda event, reply: None, PHRASES, "1")
    screen.at(lambda: address[0])
    with TestClient(screen.app, base_url="http://localhost") as page:
        before = page.get("/join.svg").content
        with page.websocket_connect(
            "ws://localhost/ws?page=table", headers={"origin": "http://localhost"}
        ) as line:
            while line.receive_json().get("join", {}).get("at") != "koala-pi.local:8080/j":
                pass
            address[0] = f"http://{LATE}:8080"
            while line.receive_json().get("join", {}).get("at") != f"{LATE}:8080/j":
                pass
        assert page.get("/join.svg").content != before
