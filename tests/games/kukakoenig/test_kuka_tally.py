"""Score only: collections under the camera, both scorings, what goes back to the box, and cards seen twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.games.kukakoenig.rules_score import by_type, held
from companion.scanning.kukakoenig import heaps, noted, options, scanned
from companion.shelf import deck, shelf
from companion.sim.handfuls import Lens
from companion.table.crank import Turn, advance, look, score
from companion.table.events import Chosen, Opened, Pressed, Setting, Shown
from companion.table.game import Refusal, Table
from companion.table.luck import Luck
from companion.table.session import Session
from companion.table.things import BID, CardId, Player, Zone
from companion.telling import BadOption

DECK = deck("kukakoenig")
CARDS = tuple(card.id for card in DECK.cards if card.kind != "number")
MIA, PAUL = Player("Mia"), Player("Paul")
LOOK = Zone("look")


def opened(**given: object) -> Session:
    turn = advance(shelf(), None, Opened(Setting("kukakoenig-tally", (MIA, PAUL), given)))
    assert isinstance(turn, Turn), turn
    return turn.session


def on(session: Session, *events: Any) -> Session:
    for event in events:
        turn = advance(shelf(), session, event)
        assert isinstance(turn, Turn), turn
        session = turn.session
    return session


def view(session: Session) -> Any:
    return look(session, Table())


NEXT = Pressed(MIA, BID, 0)


def test_the_first_scoring_tells_points_and_what_goes_back() -> None:
    """KUKA-END1-04: the list of red crosses, card by card."""
    session = on(
        opened(), Shown(LOOK, ("king-01", "king-02", "farmer-01")), NEXT, Shown(LOOK, ("church-01",)), NEXT
    )
    assert session.over
    seen = view(session)
    assert seen["back_to_box"] == {"Mia": ["farmer"], "Paul": ["church"]}
    assert seen["score"]["totals"] == {"Mia": 1, "Paul": 10}
    assert seen["score"]["winners"] == []


def test_a_second_scoring_adds_the_noted_points_and_names_the_winner() -> None:
    session = on(
        opened(scorings="second", noted={"Mia": 40, "Paul": 30}), NEXT, Shown(LOOK, ("church-01",)), NEXT
    )
    assert view(session)["score"]["totals"] == {"Mia": 40, "Paul": 40}
    assert view(session)["score"]["winners"] == ["Mia", "Paul"]
    assert view(session)["back_to_box"] == {}


def test_both_scorings_are_counted_one_after_the_other() -> None:
    first = on(
        opened(scorings="both"), Shown(LOOK, ("king-01", "king-02")), NEXT, Shown(LOOK, ("vp4-01",)), NEXT
    )
    assert view(first)["place"] == "second:Mia"
    done = on(first, Shown(LOOK, ("king-01", "king-02", "king-03")), NEXT, NEXT)
    assert score(done).totals == {"Mia": 5, "Paul": 4}
    assert view(done)["score"]["winners"] == ["Mia"]


def test_a_card_seen_in_two_collections_is_asked_about() -> None:
    session = on(opened(), Shown(LOOK, ("king-01",)), NEXT, Shown(LOOK, ("king-01", "king-02")), NEXT)
    (question,) = session.cues
    assert question.what == "where:king-01"  # type: ignore[union-attr]  # the only cue is a question
    done = on(session, Chosen(MIA, "where:king-01", "first:Paul"))
    assert done.over
    assert view(done)["score"]["totals"] == {"Mia": 0, "Paul": 1}


def test_portions_add_up_and_a_place_is_counted_anew_or_gone_back_to() -> None:
    session = on(opened(), Shown(LOOK, ("king-01",)), Shown(LOOK, ("king-01", "king-02", "number_3-01")))
    assert view(session)["places"][0]["cards"] == ["king", "king"]
    again = on(session, Chosen(MIA, "tally", "clear"))
    assert view(again)["places"][0]["cards"] == []
    back = on(session, NEXT, Chosen(MIA, "tally", "back"))
    assert view(back)["place"] == "first:Mia"
    for cards, code in ((("joker",), "foreign_card"), (("king-01",), "nothing_new")):
        answer = advance(shelf(), session, Shown(LOOK, tuple(map(CardId, cards))))
        assert isinstance(answer, Refusal) and answer.code == code


@pytest.mark.parametrize(
    "given",
    [{"scorings": "third"}, {"noted": {"Mia": 1, "Paul": 2}}, {"scorings": "second", "noted": {"Mia": 1}},
     {"scorings": "second", "noted": {"Mia": "x", "Paul": 2}}, {"KUKA-AMB-99": 1}],
)  # fmt: skip
def test_a_tally_that_cannot_be_is_refused(given: dict[str, object]) -> None:
    answer = advance(shelf(), None, Opened(Setting("kukakoenig-tally", (MIA, PAUL), given)))
    assert isinstance(answer, Refusal)
    alone = advance(shelf(), None, Opened(Setting("kukakoenig-tally", (MIA,), {})))
    assert isinstance(alone, Refusal) and alone.code == "player_count"


def saved(lens: Lens, cards: tuple[CardId, ...], stem: Path) -> str:
    files = []
    for number, (grey, _) in enumerate(lens.pictures(cards, "rows")):
        file = stem.with_name(f"{stem.name}-{number}.png")
        cv2.imwrite(str(file), grey)
        files.append(str(file))
    return ",".join(files)


def scan(words: list[str], **given: Any) -> tuple[bool, str]:
    told: list[str] = []
    usual = {"camera": None, "second": False, "both": False, "noted": (), "lang": "en", "as_json": False}
    sure = scanned(tuple(words), {**usual, **given}, told.append)
    return sure, "\n".join(told)


def test_pictures_of_collections_are_scored_as_they_truly_are(tmp_path: Path) -> None:
    """Both scorings of an evening played without the companion."""
    mixed, luck = Luck(5).shuffle(CARDS)
    piles = {"1:Mia": mixed[:15], "1:Paul": mixed[15:30], "2:Mia": mixed[30:52], "2:Paul": mixed[52:70]}
    lens = Lens(DECK, luck)
    words = [f"{who}={saved(lens, cards, tmp_path / who.replace(':', '-'))}" for who, cards in piles.items()]
    sure, told = scan(words, as_json=True)
    answer = json.loads(told)
    assert sure and answer["sure"] and answer["phase"] == "over"
    truth = dict.fromkeys(("Mia", "Paul"), 0)
    for number in "12":
        tables = {Player(p): held(DECK.by_id[c] for c in piles[f"{number}:{p}"]) for p in truth}
        for lines in by_type(tables).values():
            for line in lines:
                truth[line.who] += line.points
    assert answer["score"]["totals"] == truth
    back = [DECK.face(card) for card in piles["1:Mia"] if not DECK.facts[DECK.face(card)]["stays"]]
    assert sorted(answer["back_to_box"]["Mia"]) == sorted(back)


def test_a_scan_in_words_lists_what_goes_back(tmp_path: Path) -> None:
    lens = Lens(DECK, Luck(1))
    mia = saved(lens, ("king-01", "farmer-01", "farmer-02"), tmp_path / "mia")  # type: ignore[arg-type]  # plain names
    paul = saved(lens, ("knight-01",), tmp_path / "paul")  # type: ignore[arg-type]  # plain names
    sure, told = scan([f"Mia={mia}", f"Paul={paul}"])
    assert sure
    assert "Mia: back into the box, 2 in all: 2 × farmer" in told
    sure, told = scan([f"Mia={mia}", f"Paul={paul}"], noted=("Mia=1", "Paul=50"), lang="de")
    assert sure and "Paul" in told.splitlines()[-1]


@pytest.mark.parametrize(
    "words",
    [["Mia"], ["3:Mia=a.png"], ["=a.png"], ["Mia=a.png", "Mia=b.png"], ["1:Mia=a.png", "Paul=b.png"], []],
)
def test_wrong_arguments_of_a_scan_are_named(words: list[str]) -> None:
    with pytest.raises(BadOption):
        options(heaps(words), False, {})
        scan(words)


def test_noted_points_are_names_and_numbers() -> None:
    assert noted(["Mia=40", "Paul=3"]) == {"Mia": 40, "Paul": 3}
    for wrong in ("Mia", "Mia=x", "=4"):
        with pytest.raises(BadOption, match="--noted"):
            noted([wrong])
