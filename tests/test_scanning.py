"""Score only: finished tables counted from pictures are scored as they truly are, or asked about."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion.games.koala.finished import finished
from companion.scanning.koala import heaps, scanned
from companion.shelf import deck
from companion.sim.handfuls import STYLES, Lens
from companion.table.luck import Luck
from companion.table.things import CardId
from companion.telling import BadOption

DECK = deck("koala")
FOODS = ("pizza", "hamburger", "spaghetti")
SEATS = (("Mia", "Paul"), ("Ada", None), (None, None), ("Ben", None), ("Cleo", "Emil"), ("Finn", None))


def finished_table(seed: int, folder: Path, style: str) -> tuple[list[str], dict[str, object]]:
    """Pictures of a random finished table of six caves as arguments of a scan, and the truth."""
    luck = Luck(seed)
    foods, luck = luck.shuffle([card.id for card in DECK.cards if card.kind == "food"])
    feasts, luck = luck.shuffle([card.id for card in DECK.cards if card.kind == "feast"])
    lens, words, caves = Lens(DECK, luck), [], []
    for place, (white, black) in enumerate(SEATS):
        count, luck = luck.below(13)
        held, foods = foods[:count], foods[count:]
        files = save(lens, held, folder / f"s{seed}-{place}", style)
        names = "+".join(name for name in (white, black) if name) or "-"
        words.append(f"{names}={','.join(files)}")
        faces = [DECK.face(card) for card in held]
        food = {each: faces.count(each) for each in FOODS}
        caves.append({"id": "abcdef"[place], "white": white, "black": black, "food": food})
    files = save(lens, feasts[:2], folder / f"s{seed}-feast", "handful")
    words.append(f"feast:Ada={','.join(files)}")
    return words, {"caves": caves, "feasts": {"Ada": 2}}


def save(lens: Lens, cards: tuple[CardId, ...], stem: Path, style: str) -> list[str]:
    files = []
    for number, (grey, _) in enumerate(lens.pictures(cards, style)):
        file = stem.with_name(f"{stem.name}-{number}.png")
        cv2.imwrite(str(file), grey)
        files.append(str(file))
    return files


def scan(words: list[str]) -> tuple[bool, dict[str, object]]:
    told: list[str] = []
    sure = scanned(tuple(words), {"camera": None, "teams": False, "lang": "en", "as_json": True}, told.append)
    answer: dict[str, object] = json.loads(told[-1])
    return sure, answer


@pytest.mark.parametrize("seed", range(3))
def test_a_finished_table_is_scored_as_it_is(seed: int, tmp_path: Path) -> None:
    words, truth = finished_table(seed, tmp_path, STYLES[seed % len(STYLES)])
    sure, answer = scan(words)
    expected = finished(truth)
    assert sure
    score = answer["score"]
    assert isinstance(score, dict)
    assert score["totals"] == expected["group_points"] and score["winners"] == expected["winners"]


def test_a_card_seen_at_two_seats_is_asked_about_and_not_scored(tmp_path: Path) -> None:
    lens, food = Lens(DECK, Luck(5)), [card.id for card in DECK.cards if card.face == "pizza"]
    words = [
        f"{name}={','.join(save(lens, tuple(cards), tmp_path / name, 'rows'))}"
        for name, cards in (("Mia", food[:3]), ("Paul", food[2:4]), ("Ada", food[4:5]))
    ]
    sure, answer = scan(words)
    assert not sure and answer["open"] == [{"what": f"where:{food[2]}", "options": ["cave:a", "cave:b"]}]
    assert answer["score"] is None


def test_from_pictures_nobody_is_told_to_press_and_german_is_german(tmp_path: Path) -> None:
    lens, food = Lens(DECK, Luck(6)), [card.id for card in DECK.cards if card.kind == "food"]
    words = [
        f"{name}={','.join(save(lens, tuple(food[at : at + 2]), tmp_path / name, 'rows'))}"
        for at, name in ((0, "Mia"), (2, "Paul"), (4, "Ada"))
    ]
    told: list[str] = []
    assert scanned(
        tuple(words), {"camera": None, "teams": False, "lang": "de", "as_json": False}, told.append
    )
    assert any(line.endswith("insgesamt") for line in told) and not any(
        line.endswith("total") for line in told
    )
    assert not any("Kamera" in line or line.rstrip(".").isdecimal() for line in told), told


def test_arguments_that_are_no_seats_are_named() -> None:
    with pytest.raises(BadOption, match="a seat has one name"):
        heaps(["A+B+C=x.png"])
    with pytest.raises(BadOption, match="feast:NAME"):
        heaps(["meal:Mia=x.png"])
    with pytest.raises(BadOption, match="no-such.png"):
        scan(["Mia=no-such.png", "Paul=", "Ada="])
    assert [heap.people for heap in heaps(["a.png", "Mia=b.png,c.png", "-="])] == [("1",), ("Mia",), (None,)]
