"""What the screens are told and serve: states, words, decks, history, sheets."""

from __future__ import annotations

import socket
import threading
import urllib.request
from pathlib import Path

import pytest
from screen_table import (
    GAME,
    HERE,
    NAMES,
    PHRASES,
    PIN,
    SHELF,
    Table,
    play_to_auction,
    state,
)
from starlette.websockets import WebSocketDisconnect

from companion.edges import screen as screen_package
from companion.edges.archive import ArchiveError
from companion.edges.screen import Screen, ScreenError, sockets
from companion.edges.screen.pages import words


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
        "op": ["op.css", "op.js", "opening.js", "cards.js"],
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
