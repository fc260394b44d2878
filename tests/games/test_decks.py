"""Decks and markers: every card its own code, no code twice over all games, none that a tile could imitate."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import decks
from companion.shelf import deck, folders
from companion.table.things import BadDeck, Card, CardId, Deck
from companion.vision.markers import IMITABLE_5X5

RANGES = Path(__file__).parents[2] / "companion" / "games" / "markers.toml"


def ranges() -> dict[str, tuple[int, int]]:
    raw = tomllib.loads(RANGES.read_text("utf-8"))["ranges"]
    return {name: (first, last) for name, (first, last) in raw.items()}


def test_each_range_holds_as_many_printable_codes_as_its_game_has_things() -> None:
    spans, needs = ranges(), tomllib.loads(RANGES.read_text("utf-8"))["needs"]
    assert set(needs) == set(spans)
    for name, (first, last) in spans.items():
        printable = set(range(first, last + 1)) - IMITABLE_5X5
        assert len(printable) >= needs[name], name


def test_ranges_do_not_overlap_and_stay_in_the_dictionary() -> None:
    spans = sorted(ranges().values())
    assert spans[0][0] >= 0 and spans[-1][1] <= 999
    assert all(before[1] < after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize("folder", folders())
def test_each_deck_keeps_to_its_range_and_to_codes_no_tile_could_imitate(folder: str) -> None:
    cards, plates = ranges()[folder], ranges()[f"{folder}_plates"]
    found = deck(folder)
    dice = ranges().get(f"{folder}_dice", cards)
    for card in found.cards:
        first, last = dice if card.kind == "die" else cards
        assert first <= card.marker <= last, card
    markers = [marker for plate in found.plates for marker in plate.markers]
    assert all(plates[0] <= marker <= plates[1] for marker in markers)
    assert not IMITABLE_5X5 & {*markers, *(card.marker for card in found.cards)}


def test_a_marker_or_card_given_twice_is_named() -> None:
    card = Card(CardId("a-01"), "a", "food", 7)
    with pytest.raises(BadDeck, match="the marker 7 is given twice"):
        Deck("x", (card, Card(CardId("b-01"), "b", "food", 7)))
    with pytest.raises(BadDeck, match="the id a-01 is given twice"):
        Deck("x", (card, Card(CardId("a-01"), "a", "food", 8)))


def test_a_wrong_deck_file_is_named_by_its_place() -> None:
    with pytest.raises(BadDeck, match="mine.toml: the entry 'faces' is missing"):
        decks.parse('game = "x"', "mine.toml")
    with pytest.raises(BadDeck, match="mine.toml: no TOML: Invalid value"):
        decks.parse("game = ", "mine.toml")


@given(st.text(max_size=60))
def test_any_text_is_a_deck_or_a_clear_error(text: str) -> None:
    try:
        decks.parse(text)
    except BadDeck as fault:
        assert str(fault).startswith("deck.toml: ")
