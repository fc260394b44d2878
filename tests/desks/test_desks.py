"""The owner's decks as the page enters them: every wrong field is named with its remedy, every change goes back."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import shelf
from companion.desks import Desks, Faulty, Words, form, formed
from companion.desks.karnivore import entered
from companion.edges.screen.german import german
from companion.games.karnivore import cards
from companion.vision.markers import draw

BEAR: dict[str, Any] = {
    "name": {"en": "Roarbear", "de": "Röhrbär"}, "kind": "huntbear", "count": 2, "markers": [], "symbols": ["spear"],
    "most": 2, "ops": [{"op": "spears", "n": 2, "who": "self"}], "effect": {"en": "Gain two spears.", "de": ""},
}  # fmt: skip
NUMBERS = {"animal": 5, "wife": 8, "house": 6, "church": 8, "knight": 16, "vp2": 6, "vp3": 6, "vp4": 4}


@pytest.fixture
def desks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desks]:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path))
    _forget()
    yield Desks()
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    shelf.deck.cache_clear()
    shelf.phrases.cache_clear()


def _picture(*codes: int) -> bytes:
    sheet = np.full((300, 300 * len(codes)), 235, np.uint8)
    for place, code in enumerate(codes):
        mark = draw("aruco-5x5-1000", code, 10, quiet=1)
        sheet[60 : 60 + mark.shape[0], 60 + 300 * place : 60 + 300 * place + mark.shape[1]] = mark
    return bytes(cv2.imencode(".png", sheet)[1])


def test_forms_are_found_by_their_files_and_both_languages_say_the_same() -> None:
    assert formed() == ("karnivore", "kukakoenig")
    texts = {
        lang: tomllib.loads((files("companion.desks") / f"words.{lang}.toml").read_text("utf-8"))
        for lang in ("en", "de")
    }
    assert texts["en"].keys() == texts["de"].keys()
    for key, text in texts["en"].items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", texts["de"][key])), key


def test_a_card_is_entered_kept_in_one_file_and_played_with(desks: Desks) -> None:
    told = desks.enter("karnivore", "", BEAR, "en")
    assert told["ok"], told
    kept = shelf.deck("karnivore")
    assert dict(kept.facts["roarbear"]) == {
        "name": {"en": "Roarbear", "de": "Röhrbär"}, "symbols": ["spear"], "most": 2,
        "ops": [{"op": "spears", "n": 2}], "effect": {"en": "Gain two spears.", "de": "Gain two spears."},
        "source": "owner",
    }  # fmt: skip
    assert sum(card.face == "roarbear" for card in kept.cards) == 2
    assert shelf.phrases()["karnivore"].text("de", "roarbear") == "Röhrbär"
    shown = desks.state("karnivore", "de")["values"]["roarbear"]
    assert shown["ops"] == [{"op": "spears", "n": 2, "who": "self"}] and shown["count"] == 2
    again = desks.enter("karnivore", "roarbear", {**shown, "count": 3}, "de")
    assert again["ok"], again
    codes = [card.marker for card in shelf.deck("karnivore").cards if card.face == "roarbear"]
    assert codes[:2] == shown["markers"] and len(set(codes)) == 3


@pytest.mark.parametrize(
    ("change", "field", "says"),
    [
        ({"name": {}}, "name", "Der Name fehlt"), ({"name": {"en": "Bärb" * 11}}, "name", "höchstens 40"),
        ({"name": {"en": "Barbearian"}}, "name", "schon eine Karte"), ({"kind": "dragon"}, "kind", "Wählt die Art"),
        ({"symbols": []}, "symbols", "Kreuzt an"), ({"most": 12}, "most", "von 1 bis 9"),
        ({"most": 1.5}, "most", "ganze Zahl"), ({"count": None}, "count", "Zählt die Karten"),
        ({"count": 400}, "count", "von 1 bis 40"), ({"markers": [1]}, "markers", "Aufkleber 1 "),
        ({"ops": [{"op": "fly"}]}, "ops", "Wirkung 1"), ({"ops": [{"op": "draw", "n": 0}]}, "ops", "wie viele"),
        ({"kind": "workbear", "animals": []}, "animals", "Tiersymbole fehlen"),
        ({"kind": "animal", "pair": ["fish"]}, "pair", "genau zwei Symbole"),
        ({"kind": "back", "of": ["fish", "bird"]}, "of", "genau ein Symbol"),
        ({"effect": {"en": "x" * 301}}, "effect", "höchstens 300"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_at_its_field_and_nothing_is_kept(
    desks: Desks, tmp_path: Path, change: dict[str, Any], field: str, says: str
) -> None:
    told = desks.enter("karnivore", "", {**BEAR, **change}, "de")
    assert not told["ok"]
    assert list(told["faults"]) == [field] and says in told["faults"][field]
    assert list(tmp_path.iterdir()) == []


def test_the_last_change_is_taken_back_and_comes_again(desks: Desks) -> None:
    assert not desks.state("karnivore", "en")["undo"] and not desks.undo("karnivore", "en")["ok"]
    desks.enter("karnivore", "", BEAR, "en")
    desks.enter("karnivore", "roarbear", {**BEAR, "count": 4}, "en")
    assert desks.undo("karnivore", "en")["ok"]
    assert sum(card.face == "roarbear" for card in shelf.deck("karnivore").cards) == 2
    assert desks.undo("karnivore", "en")["ok"]
    assert sum(card.face == "roarbear" for card in shelf.deck("karnivore").cards) == 4
    assert desks.remove("karnivore", "roarbear", "en")["ok"]
    assert "roarbear" not in shelf.deck("karnivore").facts
    assert desks.undo("karnivore", "en")["ok"] and "roarbear" in shelf.deck("karnivore").facts


def test_the_first_change_taken_back_gives_the_deck_that_came_with_the_companion(desks: Desks) -> None:
    desks.enter("kukakoenig", "numbers", {**NUMBERS, "stays": []}, "en")
    assert not shelf.deck("kukakoenig").made_up
    assert "came with the companion" in desks.undo("kukakoenig", "en")["text"]
    assert shelf.deck("kukakoenig").made_up and not shelf.own_deck("kukakoenig").is_file()
    assert desks.undo("kukakoenig", "en")["ok"] and not shelf.deck("kukakoenig").made_up


def test_what_is_exported_is_imported_and_another_games_file_is_refused(desks: Desks) -> None:
    desks.enter("karnivore", "", BEAR, "en")
    desks.enter("kukakoenig", "numbers", {**NUMBERS, "stays": ["church"]}, "en")
    mine, others = desks.written("karnivore"), desks.written("kukakoenig")
    desks.remove("karnivore", "roarbear", "en")
    assert desks.take("karnivore", mine, "en")["ok"] and "roarbear" in shelf.deck("karnivore").facts
    for game, text in (
        ("karnivore", others),
        ("kukakoenig", mine),
        ("karnivore", "not = [toml"),
        ("kukakoenig", ""),
    ):
        told = desks.take(game, text, "de")
        assert not told["ok"] and told["text"].startswith("Das passt nicht: "), told
    assert desks.take("kukakoenig", others, "en")["ok"]
    short = others.replace("made_up = false", "made_up = false", 1).split("[[faces]]")
    told = desks.take("kukakoenig", "[[faces]]".join(short[:3] + short[4:]), "en")
    assert not told["ok"] and "112" in told["text"]


def test_a_new_sticker_makes_a_new_card_and_one_of_a_made_up_card_is_taken_from_it(desks: Desks) -> None:
    fish = next(card.marker for card in shelf.deck("karnivore").cards if card.face == "fishbear")
    before = sum(card.face == "fishbear" for card in shelf.deck("karnivore").cards)
    assert desks.enter("karnivore", "", {**BEAR, "count": 1, "markers": [fish]}, "en")["ok"]
    now = shelf.deck("karnivore")
    assert now.by_marker[fish].face == "roarbear"
    assert sum(card.face == "fishbear" for card in now.cards) == before - 1


def test_a_name_that_the_game_says_already_becomes_another_word(desks: Desks) -> None:
    assert desks.enter("karnivore", "", {**BEAR, "name": {"de": "Left"}}, "en")["ok"]
    assert shelf.phrases()["karnivore"].text("en", "left") == "left"
    assert shelf.phrases()["karnivore"].text("en", "left_card") == "Left"


def test_a_card_in_a_picture_is_found_with_its_entry(desks: Desks) -> None:
    fish = next(card.marker for card in shelf.deck("karnivore").cards if card.face == "fishbear")
    die = next(card.marker for card in shelf.deck("karnivore").cards if card.kind == "die")
    told = desks.seen("karnivore", "en", _picture(fish, die, 700))
    assert told["cards"] == [
        {"marker": fish, "entry": "fishbear", "title": "Fishbear"}, {"marker": 700, "entry": "", "title": ""}
    ]  # fmt: skip
    assert "näher" in desks.seen("karnivore", "de", _picture(1))["text"]
    assert not desks.seen("karnivore", "en", b"no picture")["ok"]
    assert "photo" in desks.seen("karnivore", "en")["text"]  # no camera
    shown = cv2.imdecode(np.frombuffer(_picture(fish), np.uint8), cv2.IMREAD_GRAYSCALE)
    looking = Desks(grey=lambda: np.asarray(shown, np.uint8))
    assert [card["entry"] for card in looking.seen("karnivore", "en")["cards"]] == ["fishbear"]


def test_a_deck_that_is_played_with_stays_as_it_is(desks: Desks) -> None:
    desks.enter("karnivore", "", BEAR, "en")
    playing = Desks(busy=lambda game: game == "karnivore")
    for told in (
        playing.enter("karnivore", "", BEAR, "de"), playing.remove("karnivore", "roarbear", "de"),
        playing.undo("karnivore", "de"), playing.take("karnivore", desks.written("karnivore"), "de"),
    ):  # fmt: skip
        assert not told["ok"] and "Spielt das Spiel zu Ende" in told["text"]
    assert "roarbear" in shelf.deck("karnivore").facts


def test_a_folder_that_cannot_be_written_is_named(desks: Desks, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "file" / "decks"))
    told = desks.enter("karnivore", "", BEAR, "en")
    assert not told["ok"] and str(tmp_path / "file") in told["text"]


@pytest.mark.parametrize(
    ("change", "field", "says"),
    [
        ({"wife": None}, "wife", "Read it off"), ({"church": 0}, "church", "from 1 to 112"),
        ({"animal": 6}, "animal", "There are 5 of each animal"), ({"knight": 17}, "", "1 too many"),
        ({"vp4": 1}, "", "3 too few"),
    ],
)  # fmt: skip
def test_eight_numbers_that_cannot_be_are_refused_at_their_field(
    desks: Desks, change: dict[str, Any], field: str, says: str
) -> None:
    told = desks.enter("kukakoenig", "numbers", {**NUMBERS, "stays": [], **change}, "en")
    assert not told["ok"] and list(told["faults"]) == [field] and says in told["faults"][field]


def test_eight_numbers_are_kept_with_what_stays_and_are_shown_again(desks: Desks) -> None:
    fresh = desks.state("kukakoenig", "en")
    assert (
        fresh["made_up"] and fresh["values"]["numbers"]["wife"] is None
    )  # nobody takes a made-up number for read
    assert desks.enter("kukakoenig", "numbers", {**NUMBERS, "stays": ["church", "vp"]}, "en")["ok"]
    now = desks.state("kukakoenig", "de")
    assert not now["made_up"]
    assert now["values"]["numbers"] == {**NUMBERS, "stays": ["church", "vp"]}
    facts = shelf.deck("kukakoenig").facts
    assert facts["king"]["stays"] and not facts["farmer"]["stays"] and not facts["knight"]["stays"]
    assert not desks.remove("kukakoenig", "numbers", "en")["ok"]


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 900) | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)  # a busy machine is no fault
@given(st.fixed_dictionaries({key: PLAIN | st.just(value) for key, value in BEAR.items()}))
def test_whatever_is_sent_is_a_deck_or_a_fault_with_a_field(sent: dict[str, Any]) -> None:
    words = Words("karnivore", "de")
    try:
        made = entered(shelf.deck("karnivore"), "", sent, words)
    except Faulty as fault:
        assert all(fault.faults.values())
    else:
        assert form("karnivore").read(form("karnivore").written(made), "x.toml").by_id == made.by_id


def _full(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_a_change_that_could_not_be_kept_leaves_the_one_before_it_to_be_taken_back(
    desks: Desks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desks.enter("karnivore", "", BEAR, "en")
    desks.enter("karnivore", "roarbear", {**BEAR, "count": 4}, "en")
    before = (tmp_path / "karnivore.before").read_text("utf-8")
    with monkeypatch.context() as disk:
        disk.setattr("companion.desks.keep_deck", _full)
        told = desks.enter("karnivore", "roarbear", {**BEAR, "count": 5}, "en")
    assert not told["ok"] and "Permission denied" in told["text"]
    assert (tmp_path / "karnivore.before").read_text("utf-8") == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["karnivore.before", "karnivore.toml"]
    assert desks.undo("karnivore", "en")["ok"]
    assert sum(card.face == "roarbear" for card in shelf.deck("karnivore").cards) == 2


@pytest.mark.parametrize("where", ["read_text", "unlink", "replace", "open"])
def test_an_undo_in_a_folder_that_takes_nothing_says_so_and_loses_nothing(
    desks: Desks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    desks.enter("karnivore", "", BEAR, "en")
    old = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert old["karnivore.before"] == b""
    with monkeypatch.context() as disk:
        disk.setattr(Path, where, _full)
        told = desks.undo("karnivore", "de")
    assert not told["ok"] and "Permission denied" in told["text"] and "nicht nach" in told["text"]
    if where != "replace":  # the deck is gone by then; so is nothing that can be told apart
        assert old.items() <= {file.name: file.read_bytes() for file in tmp_path.iterdir()}.items()


def test_whatever_is_wrong_with_a_deck_or_a_picture_is_german_on_a_german_page(desks: Desks) -> None:
    text = desks.written("karnivore").replace("symbols = [", 'strange = 1\nsymbols = ["wing", ', 3)
    for told in (
        desks.take("karnivore", text, "de")["text"],
        desks.take("karnivore", desks.written("kukakoenig"), "de")["text"],
        desks.remove("karnivore", "nobody", "de")["text"],
        desks.remove("kukakoenig", "numbers", "de")["text"],
        desks.seen("karnivore", "de", b"GIF89a")["text"],
        desks.enter("karnivore", "", {**BEAR, "count": 40}, "de")["text"],
    ):
        assert not re.search(r"\b(is|are|the|none|known|knows|neither)\b", told), told


def test_every_fault_of_a_karnivore_deck_has_its_german_sentence() -> None:
    strange: dict[str, Any] = {
        "strange": 1, "most": 99, "window": "x", "symbols": ["x"], "animals": [""],
        "ops": [{"op": "x"}, {"op": "spears", "n": 0}, {"op": "spears", "who": "x"}],
    }  # fmt: skip
    told = {
        fault
        for kind in (*cards.ALL_KINDS, "nothing")
        for facts in ({}, strange, {"most": "x"})
        for fault in cards._face(kind, facts)
    }
    assert len(told) > 12
    assert [each for each in told if german(f"face: {each}") == f"face: {each}"] == []
