"""The owner's cards: entered, checked, kept as one file that reads back as it was written."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.decking import karnivore as decking
from companion.games.karnivore import cards, workshop
from companion.games.karnivore.cards import Op, Told
from companion.shelf import deck
from companion.table.things import BadDeck

DECK = deck("karnivore")
SPEARS: dict[str, Any] = {"symbols": ["spear"], "ops": [{"op": "spears", "n": 3}]}


def test_the_sample_deck_is_whole_and_says_that_it_is_made_up() -> None:
    assert DECK.made_up
    assert cards.faults(DECK) == ()
    assert workshop.counts(DECK) == {
        "workbear": 32, "huntbear": 22, "villagebear": 20, "backstabbear": 30, "king": 6, "animal": 18, "back": 18, "die": 30
    }  # fmt: skip
    box = cards.in_play(DECK, {})
    kinds = [card.kind for card in DECK.cards if card.id in box]
    assert [kinds.count(kind) for kind in ("workbear", "huntbear", "villagebear", "backstabbear", "animal", "back")] == [
        24, 16, 16, 24, 14, 14
    ]  # fmt: skip


def test_the_faces_that_the_rulebook_gives_are_right() -> None:
    """Barbearian: a spear, three spears; Luchabear: a skull, one spear; Pathfindbear: a koala, one spear."""
    bears = cards.bears(DECK)
    told = {face: (b.kind, b.symbols, b.spears) for face, b in ((DECK.face(c), b) for c, b in bears.items())}
    assert told["barbearian"][1:] == (("spear",), 3)
    assert told["luchabear"] == ("huntbear", ("skull",), 1)
    assert told["pathfindbear"] == ("huntbear", ("koala",), 1)
    assert told["freebootbear"][1] == ("koala",)
    assert "skull" not in told["subearhero"][1]


def test_a_face_is_entered_changed_and_taken_away() -> None:
    codes = workshop.free(DECK, decking.printable(), 2)
    made = workshop.entered(DECK, "roarbear", "huntbear", SPEARS, codes)
    assert [card.marker for card in made.cards if card.face == "roarbear"] == list(codes)
    assert cards.told(made, "roarbear") == Told((Op("spears", 3),))
    assert "roarbear-01" in cards.in_play(made, {})  # the owner's cards are played with first
    moved = workshop.entered(made, "fishbear", "workbear", {"animals": ["fish"]}, codes[:1])
    assert [card.marker for card in moved.cards if card.face == "roarbear"] == [codes[1]]
    assert workshop.removed(made, "roarbear").cards == DECK.cards
    own = workshop.only_own(made)
    assert workshop.counts(own) == {"huntbear": 2, "die": 30}
    assert not own.made_up


@pytest.mark.parametrize(
    ("face", "kind", "facts", "says"),
    [("Roar Bear", "huntbear", SPEARS, "no name for a face"), ("roarbear", "huntbear", {}, "symbols are missing"),
     ("roarbear", "huntbear", {"symbols": ["sword"]}, "'sword' is none of"), ("w", "workbear", {}, "animals are missing"),
     ("roarbear", "huntbear", {**SPEARS, "ops": [{"op": "fly"}]}, "is none of spears"), ("a", "animal", {"symbols": ["fish"]}, "two symbols"),
     ("roarbear", "huntbear", {**SPEARS, "ops": [{"op": "draw", "n": 99}]}, "n is a number"), ("b", "back", {}, "of is missing"),
     ("roarbear", "huntbear", {**SPEARS, "most": 0}, "most is a number"), ("roarbear", "huntbear", {**SPEARS, "colour": "red"}, "knows no 'colour'"),
     ("s", "backstabbear", {"window": "never"}, "own or any"), ("s", "backstabbear", {"ops": [{"op": "draw", "who": "me"}]}, "self or others"),
     ("s", "bear", {}, "kind 'bear'"), ("roarbear", "huntbear", {"symbols": "spear"}, "must be a list")],
)  # fmt: skip
def test_what_is_wrong_with_a_face_is_named(face: str, kind: str, facts: dict[str, Any], says: str) -> None:
    with pytest.raises(BadDeck, match=says):
        workshop.entered(DECK, face, kind, facts, [700])


def test_a_face_needs_a_marker_and_there_are_not_endlessly_many() -> None:
    with pytest.raises(BadDeck, match="no marker"):
        workshop.entered(DECK, "roarbear", "huntbear", SPEARS, [])
    with pytest.raises(BadDeck, match="codes are free"):
        workshop.free(DECK, [413, 700], 2)
    with pytest.raises(BadDeck, match="there is no face"):
        workshop.removed(DECK, "nobear")


def test_a_written_deck_reads_back_as_it_was() -> None:
    assert workshop.read(workshop.written(DECK), "x") == DECK


@given(
    st.text(min_size=1, max_size=30), st.integers(1, 9), st.lists(st.sampled_from(cards.OPS), max_size=3),
    st.sampled_from(["self", "others"]),
)  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_any_words_survive_the_file(text: str, most: int, ops: list[str], who: str) -> None:
    facts = {
        "symbols": ["koala"], "most": most, "effect": {"en": text, "de": text[::-1]},
        "ops": [{"op": op, "n": 2, "who": who} for op in ops],
    }  # fmt: skip
    made = workshop.entered(DECK, "roarbear", "villagebear", facts, [700])
    assert workshop.read(workshop.written(made), "x") == made


@given(
    st.dictionaries(
        st.text(max_size=8), st.one_of(st.text(max_size=4), st.integers(), st.lists(st.text(max_size=3)))
    )
)
@settings(max_examples=60, deadline=None)
def test_any_facts_are_good_or_named(facts: dict[str, Any]) -> None:
    try:
        workshop.entered(DECK, "roarbear", "huntbear", facts, [700])
    except BadDeck as fault:
        assert str(fault).startswith("roarbear: ")


def test_another_games_deck_or_a_broken_one_is_named() -> None:
    with pytest.raises(BadDeck, match="a deck of koala"):
        workshop.read('game = "koala"\nfaces = []', "x.toml")
    with pytest.raises(BadDeck, match="x.toml: barbearian: symbols are missing"):
        workshop.read(
            'game = "karnivore"\n[[faces]]\nface = "barbearian"\nkind = "huntbear"\nmarkers = [1]', "x.toml"
        )


def test_the_command_keeps_one_file_and_gives_it_out_again(tmp_path: Any, monkeypatch: Any) -> None:
    from companion import shelf

    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path))
    shelf.deck.cache_clear()
    shelf.phrases.cache_clear()

    def run(*words: str) -> Any:
        return CliRunner().invoke(decking.command, words)

    try:
        assert "partly made up" in run().output
        entered = run("roarbear", "--kind", "huntbear", "--count", "2", "--symbol", "spear", "--op", "spears 2",
                      "--name", "Roarbear", "Röhrbär")  # fmt: skip
        assert entered.exit_code == 0, entered.output
        assert "24 huntbear" in entered.output
        assert shelf.phrases()["karnivore"].text("de", "roarbear") == "Röhrbär"
        assert run("roarbear", "--most", "2").exit_code == 0
        assert dict(shelf.deck("karnivore").facts["roarbear"])["most"] == 2
        out = tmp_path / "mine.toml"
        assert run("--export", str(out)).exit_code == 0
        assert run("roarbear", "--remove").exit_code == 0
        assert "22 huntbear" in run().output
        assert "24 huntbear" in run("--import", str(out)).output
        assert isinstance(run("nobear").exception, BadDeck)
        assert isinstance(run("nobear", "--kind", "huntbear", "--op", "fly").exception, BadDeck)
    finally:
        monkeypatch.undo()
        shelf.deck.cache_clear()
        shelf.phrases.cache_clear()


def test_a_card_held_into_a_picture_is_named(tmp_path: Any) -> None:
    import cv2
    import numpy as np

    from companion.vision.markers import draw

    sheet = np.full((400, 400), 235, np.uint8)
    code = draw(
        "aruco-5x5-1000",
        DECK.by_id[next(c.id for c in DECK.cards if c.face == "barbearian")].marker,
        10,
        quiet=1,
    )
    sheet[60 : 60 + code.shape[0], 60 : 60 + code.shape[1]] = code
    path = tmp_path / "card.png"
    cv2.imwrite(str(path), sheet)
    told = CliRunner().invoke(decking.command, ["--image", str(path)])
    assert "barbearian, huntbear" in told.output, told.output
    cv2.imwrite(str(path), np.full((200, 200), 235, np.uint8))
    assert "no marker is seen" in CliRunner().invoke(decking.command, ["--image", str(path)]).output
