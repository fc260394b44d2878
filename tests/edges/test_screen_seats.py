"""Phones sit down, keep their seats, and are freed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from screen_table import (
    HERE,
    PIN,
    Table,
    state,
    wish,
)
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocketDisconnect

from companion.edges.screen import Keep, rights
from companion.edges.screen.pages import words
from companion.edges.screen.rights import OPERATOR, Rights
from companion.table.things import Player


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
