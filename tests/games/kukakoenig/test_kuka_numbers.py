"""The owner's deck: eight numbers that sum to 112, what stays, and a deck file that reads back as it was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion import shelf
from companion.decking.kukakoenig import command, green
from companion.games import decks
from companion.games.kukakoenig.numbers import NUMBERS, counted, owned, written
from companion.games.kukakoenig.rules_deck import OPEN
from companion.table.game import Refusal
from companion.table.things import Deck
from companion.telling import BadOption

FILE = Path(shelf.__file__).parent / "games" / "kukakoenig" / "deck.toml"
SHIPPED = decks.parse(FILE.read_text("utf-8"), str(FILE))
RIGHT = {"animal": 5, "wife": 8, "house": 6, "church": 8, "knight": 16, "vp2": 6, "vp3": 6, "vp4": 4}


@st.composite
def splits(draw: st.DrawFn) -> dict[str, int]:
    cuts = sorted(draw(st.lists(st.integers(1, 53), min_size=6, max_size=6, unique=True)))
    return {
        "animal": 5,
        **dict(zip(OPEN, (b - a for a, b in zip([0, *cuts], [*cuts, 54], strict=True)), strict=True)),
    }


def test_the_shipped_deck_has_112_cards_and_says_that_it_is_made_up() -> None:
    """KUKA-CMP-01, KUKA-CMP-02: 58 cards fixed; the other 54 are not told by any rulebook."""
    assert SHIPPED.made_up and "MADE UP" in SHIPPED.source
    playing = [card for card in SHIPPED.cards if card.kind != "number"]
    assert len(playing) == 112 and len(SHIPPED.cards) - len(playing) == 8
    assert sum(card.face in OPEN for card in playing) == 54


@given(splits())
def test_any_split_of_54_becomes_a_deck_that_keeps_the_other_stickers(split: dict[str, int]) -> None:
    made = owned(SHIPPED, split)
    assert isinstance(made, Deck)
    assert not made.made_up
    for face in OPEN:
        assert sum(card.face == face for card in made.cards) == split[face]
    fixed = {card for card in SHIPPED.cards if card.face not in OPEN}
    assert fixed <= set(made.cards)
    assert {card.marker for card in made.cards} == {card.marker for card in SHIPPED.cards}
    read = decks.parse(written(made))
    assert (read.cards, read.plates, read.made_up, read.source) == (
        made.cards,
        made.plates,
        False,
        made.source,
    )
    assert {f: told.get("stays") for f, told in read.facts.items() if "stays" in told} == {
        face: told["stays"] for face, told in made.facts.items()
    }


@pytest.mark.parametrize(
    ("change", "code"),
    [({"vp4": 5}, "sum_must_be_112"), ({"animal": 4}, "animal_must_be_5"), ({"wife": 0}, "number_missing")],
)
def test_wrong_numbers_are_refused_by_name(change: dict[str, int], code: str) -> None:
    found = counted({**RIGHT, **change})
    assert isinstance(found, Refusal) and found.code == code
    assert isinstance(owned(SHIPPED, {**RIGHT, **change}), Refusal)


def test_kings_stay_and_farmers_go_whatever_is_said() -> None:
    """KUKA-CMP-03, 05."""
    assert green((), ()) == ("king", "animals", "knight")
    assert green(("church",), ("knight",)) == ("king", "animals", "church")
    for stays, goes in ((("farmer",), ()), ((), ("king",)), (("church",), ("church",))):
        with pytest.raises(BadOption):
            green(stays, goes)


def test_the_command_keeps_the_deck_and_the_next_game_uses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path))
    shelf.deck.cache_clear()
    try:
        runner = CliRunner()
        done = runner.invoke(command, [*(str(RIGHT[name]) for name in NUMBERS), "--stays", "church"])
        assert done.exit_code == 0, done.output
        own = shelf.deck("kukakoenig")
        assert not own.made_up
        assert own.facts["church"]["stays"] is True
        asked = runner.invoke(command, [], input="\n".join(str(RIGHT[name]) for name in NUMBERS) + "\n")
        assert asked.exit_code == 0 and "112 cards" in asked.output
        assert "knight 16, stays" in runner.invoke(command, ["--show"]).output
        few = runner.invoke(command, ["5", "8"])
        assert isinstance(few.exception, BadOption)
        wrong = runner.invoke(command, [*(str(RIGHT[name] + 1) for name in NUMBERS)])
        assert isinstance(wrong.exception, BadOption)
    finally:
        shelf.deck.cache_clear()
