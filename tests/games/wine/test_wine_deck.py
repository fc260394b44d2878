"""Glasses have ids that say nothing of their wine, and a deck file that gives ids gives one for each marker."""

from __future__ import annotations

from itertools import pairwise

import pytest
from wine_table import DECK

from companion.games import decks
from companion.table.things import BadDeck


def test_the_number_of_a_glass_says_nothing_of_its_wine() -> None:
    """Sorted by their numbers the wines come mixed, and each number comes once."""
    glasses = sorted((card.id, card.face) for card in DECK.cards if card.kind == "glass")
    assert [name for name, _ in glasses] == [f"glass-{n:02d}" for n in range(1, 19)]
    wines = [wine for _, wine in glasses]
    changes = sum(one != two for one, two in pairwise(wines))
    assert changes >= 8 and all(wine not in name for name, wine in glasses)


def test_ids_that_do_not_fit_the_markers_are_named() -> None:
    text = 'game = "x"\n[[faces]]\nface = "red"\nkind = "glass"\nids = ["glass-01"]\nmarkers = [1, 2]\n'
    with pytest.raises(BadDeck, match=r"mine\.toml: red: 1 ids for 2 markers"):
        decks.parse(text, "mine.toml")
    twice = text.replace('["glass-01"]', '["glass-01", "glass-01"]')
    with pytest.raises(BadDeck, match="the id glass-01 is given twice"):
        decks.parse(twice)
