"""Names become "Player 1" wherever they stand, secrets vanish, and a game without names comes to the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from companion.edges import journal
from companion.shelf import shelf
from companion.table import crank
from companion.table.events import Chosen, Opened, Pressed, Setting, Shown
from companion.table.things import BID, CardId, Player, Zone
from companion.wire import journal_line
from companion.wire.nameless import of_address, veil

HERE = Path(__file__).parents[1] / "playthroughs"
EXPECTED = json.loads((HERE / "expected.json").read_text("utf-8"))
ADA, LENA = Player("Ada"), Player("Ada Lena")
OPENED = Opened(Setting("koala", (ADA, LENA), {"teams": {"A": ["Ada", "Ada Lena"]}}, 1))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_game_of_nameless_players_comes_to_the_same(name: str) -> None:
    events = journal.read(HERE / name)
    covered = veil(events)
    session = crank.recall(shelf(), [covered.event(event) for event in events])
    assert session is not None
    totals = {
        "+".join(covered.names[each] for each in group.split("+")): points
        for group, points in EXPECTED[name]["totals"].items()
        if set(group.split("+")) <= set(covered.names)
    }
    assert totals and totals.items() <= dict(crank.score(session).totals).items()
    lines = "\n".join(journal_line.encode(covered.event(event)).decode() for event in events)
    assert not re.search("|".join(EXPECTED[name]["players"]), lines)


def test_names_are_covered_alone_beside_others_and_beside_cards() -> None:
    covered = veil([OPENED])
    assert covered.event(OPENED) == Opened(
        Setting(
            "koala",
            (Player("Player 1"), Player("Player 2")),
            {"teams": {"A": ["Player 1", "Player 2"]}},
            1,
        )
    )
    assert covered.event(Chosen(ADA, "give", "Ada Lena:birdbear:03")) == Chosen(
        Player("Player 1"), "give", "Player 2:birdbear:03"
    )
    assert covered.event(Pressed(ADA, BID, 5, 1, (ADA, LENA))) == Pressed(
        Player("Player 1"), BID, 5, 1, (Player("Player 1"), Player("Player 2"))
    )
    shown = Shown(Zone("middle"), (CardId("pizza-01"),))
    assert covered.event(shown) == shown


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ada Lena and Ada bid; Adas card", "Player 2 and Player 1 bid; Player 1s card"),
        ("/home/ada/x: ADA!", "/home/[left out]/x: Player 1!"),
        ("/home/otto: in /home/otto/x", "/home/[left out]: in /home/[left out]/x"),
        ("Adapter", "Adapter"),
        ("PIN 123456, 654321", "PIN [left out], 654321"),
        ("http://me:word@phone:8080", "http://[left out]@phone:8080"),
        ("no rtsp://user:p@ss@cam/1 now", "no rtsp://[left out]@cam/1 now"),
        ("rtsp://u:a/b@h/x", "rtsp://[left out]@h/x"),
        ("'http://cam/v?user=bob&password=geheim': gone", "'http://cam/v?[left out]': gone"),
        ("Ada  Lena, ADA\tLENA", "Player 2, Player 2"),
    ],
)
def test_free_text_is_covered_word_by_word(said: str, told: str) -> None:
    assert veil([OPENED], secrets=("123456", "")).text(said) == told


def test_a_person_may_be_called_like_what_stands_for_another_one() -> None:
    people = tuple(Player(name) for name in ("Player 2", "Player", "1"))
    covered = veil([Opened(Setting("koala", people, {}, 1))])
    assert covered.text("Player 2, Player, 1") == "Player 1, Player 2, Player 3"


@pytest.mark.parametrize("name", ["J\u00f6rg", "Jo\u0308rg"])
def test_a_name_is_found_however_its_letters_are_put_together(name: str) -> None:
    covered = veil([], (name,))
    assert covered.text("Jo\u0308rg and J\u00f6rg, J\u00d6RG") == "Player 1 and Player 1, Player 1"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("rtsp://user:p@ssword@cam/1", {"user:p@ssword", "p@ssword"}),
        ("rtsp://u:a/b@h/x", {"u:a/b"}),
        ("http://cam/v?user=bob&password=geheim", {"user=bob&password=geheim", "geheim"}),
        ("http://me:g%40heim@cam/v", {"me:g%40heim", "g%40heim", "g@heim"}),
        ("/dev/video0", set()),
        ("0", set()),
    ],
)
def test_what_nobody_else_may_know_of_an_address_is_looked_for_alone_too(
    address: str, words: set[str]
) -> None:
    assert set(of_address(address)) == words
