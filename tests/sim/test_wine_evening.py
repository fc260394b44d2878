"""The simulated table of wine: glasses are never lost, mistakes change nothing and are named, the counts agree."""

from __future__ import annotations

from typing import Any

import pytest

from companion.edges.voice import Silence
from companion.shelf import deck
from companion.sim.evening import Rig
from companion.sim.wine import evening as wine
from companion.sim.wine.physical import MIDDLE, Cellar
from companion.table.luck import Luck
from companion.table.things import Player
from companion.wiring import simulate

DECK = deck("wine")


@pytest.mark.parametrize("players", range(2, 7))
def test_the_counts_agree_for_every_number_of_players(players: int) -> None:
    for number in (0, 1):
        result = simulate("wine", players, seed=players, options=wine.options(number, players, {}))
        assert result.differences == () and len(result.winners) == 1


@pytest.mark.parametrize("players", range(2, 7))
def test_the_counts_agree_with_mistakes_and_the_whole_extension(players: int) -> None:
    result = simulate("wine", players, seed=60 + players, options={"extension": "all"}, mess=0.15)
    assert result.differences == () and len(result.winners) == 1


@pytest.mark.parametrize("number", range(2, 3 * len(wine.UNUSUAL), 6))
def test_the_counts_agree_under_unusual_rulings(number: int) -> None:
    players = 2 + number % 3
    result = simulate(
        "wine", players, seed=number, options=wine.options(number, players, {"extension": "all"}), mess=0.1
    )
    assert result.differences == (), result.options


@pytest.mark.parametrize("players", [2, 3])
def test_the_variant_with_glasses_in_the_middle_ends_right(players: int) -> None:
    result = simulate("wine", players, seed=players, options={"variant_2_3": True}, mess=0.1)
    assert result.differences == () and result.options["variant_2_3"] is True


def test_a_very_messy_table_still_ends_right_and_the_same_seed_plays_the_same_game() -> None:
    assert simulate("wine", 4, seed=5, mess=0.4).differences == ()
    assert simulate("wine", 4, seed=9, mess=0.1) == simulate("wine", 4, seed=9, mess=0.1)


class Said(Silence):
    """A voice that is listened to."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def say(self, parts: tuple[str, ...], lang: str, lane: str) -> None:
        self.texts.append(" ".join(parts))


NAMED = {  # what people hear, in English, when somebody errs so
    "wrong card": ("back",), "not in turn": ("turn",), "two cards": ("one card at a time",),
    "drawn too early": ("put it back", "discard"), "two cards drawn": ("one card at a time",),
    "draws over the limit": ("discard",), "own glass": ("not your own", "middle"), "stop by another": ("may stop",),
    "wrong card for stop": ("only stop",), "wrong row": ("turn yours",), "two glasses": ("one glass only",),
    "another chooses": ("chooses",), "no such glass": ("not to be had",),
    "left face up": ("face down",), "late stop": ("too late",), "pressed twice": ("already",),
    "card taken back": ("until it is done",),
}  # fmt: skip
SEALED = "too many cards offered"  # said aloud, it would tell the offers before it


def test_every_kind_of_mistake_is_named_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the voice says between a mistake and its mending names it."""
    heard: dict[str, list[str]] = {}
    voice = Said()
    made = wine.Persons.mistake

    def mistake(self: wine.Persons, kind: str, undo: Any = None) -> bool:
        heard.setdefault(kind, []).append(str(len(voice.texts)))
        return made(self, kind, undo)

    monkeypatch.setattr(wine.Persons, "mistake", mistake)
    found: dict[str, int] = {}
    for seed in range(9):
        voice = Said()
        heard.clear()
        assert (
            simulate(
                "wine", 3 + seed % 4, seed=seed, mess=0.3, options={"extension": "all"}, trace=voice
            ).differences
            == ()
        )
        for kind, places in heard.items():
            for place in places:
                after = " ".join(voice.texts[int(place) : int(place) + 3]).lower()
                told = any(word in after for word in NAMED.get(kind.lower(), ("more than",)))
                assert told == (kind.lower() != SEALED), (kind, after)
                found[kind] = found.get(kind, 0) + 1
    assert len(found) >= 14 and sum(found.values()) > 120, found


def test_people_at_the_table_never_lose_a_card() -> None:
    mia, paul = Player("Mia"), Player("Paul")
    table = Cellar(DECK, (mia, paul), Luck(1), {"extra.farandole": 2, "variant_2_3": True})
    everything = sorted(table.everything())
    assert everything == sorted(card.id for card in DECK.cards) and len(table.pile) == 54
    table.serve(True)
    table.deal()
    assert [len(table.rows[owner]) for owner in (mia, paul, MIDDLE)] == [2, 2, 3] and len(table.served) == 7
    assert not any(table.kind(card) == "black" for card in table.hands[mia] + table.hands[paul])
    table.give(table.rows[paul][0], mia)
    table.lose(table.rows[MIDDLE][1])
    table.swap(table.rows[mia][0], table.rows[MIDDLE][0])
    table.lay(mia, table.hands[mia][0])
    table.bury(table.turn_up())
    table.drawn.clear()
    assert sorted(table.everything()) == everything


def test_a_companion_that_counts_wrong_is_found_out() -> None:
    """The other witness is not the companion's echo."""
    mia, paul = Player("Mia"), Player("Paul")
    table = Cellar(DECK, (mia, paul), Luck(1), {})
    table.serve(False)
    people = wine.Persons(table, _nobody(), 0.0, {})
    view: dict[str, Any] = {
        "phase": "draw", "rows": [{"player": "Mia", "glasses": 3}, {"player": "Paul", "glasses": 2}],
        "hands": {"Mia": 0, "Paul": 1}, "pile": 52, "black": 14, "lost": 0, "middle": None, "chance": 26.9,
    }  # fmt: skip
    faults = wine.count(table, people, view).differences
    assert len(faults) == 2 and "row of Paul" in faults[0] and "hand of Paul" in faults[1]


def _nobody() -> Rig:
    return object()  # type: ignore[return-value]  # nobody asks it anything here
