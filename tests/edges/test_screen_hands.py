"""What whoever leads does on a page: answers, corrections, steps, volumes, rests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from screen_table import (
    HERE,
    NAMES,
    PHRASES,
    PIN,
    Table,
    answer,
    play_to_auction,
    state,
    wish,
)
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from companion.edges.screen import Screen, levels, sockets
from companion.running.records import Loudness
from companion.table.events import Pressed
from companion.table.things import BID, Player


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
