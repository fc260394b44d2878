"""What history keeps of a game: the same game by the same name, its rounds, its tales."""

from __future__ import annotations

from companion.edges.journal import Journal
from companion.shelf import deck, shelf
from companion.sim.evening import Told, play
from companion.sim.koala.evening import EVENING, seat
from companion.table import crank
from companion.table.crank import Turn
from companion.table.events import Opened, Setting, Undone
from companion.table.luck import Luck
from companion.table.record import name_of, record
from companion.table.session import Session
from companion.table.things import Player
from companion.wiring import StillRig

NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada", "Ben"))


def played(seed: int = 3) -> Session:
    rig = StillRig(Setting("koala", NAMES, {}, seed), Journal(None))
    play(EVENING, rig, seat(deck("koala"), NAMES, Luck(seed), {}), Told())
    rig.close()
    return rig.session()


def test_the_rounds_end_with_the_final_totals_and_the_tales_name_people_who_play() -> None:
    kept = record(played())
    assert kept["rounds"][-1]["totals"] == kept["totals"]
    assert [row["round"] for row in kept["rounds"]] == list(range(1, len(kept["rounds"]) + 1))
    assert kept["tales"]
    named = [tale["values"]["name"] for tale in kept["tales"] if "name" in tale["values"]]
    assert named
    for name in named:
        assert set(name.split(" + ")) <= set(NAMES)


def test_an_undone_and_mended_game_keeps_its_name_another_one_has_its_own() -> None:
    session = played()
    back = crank.advance(shelf(), session, Undone(session.last - 3))
    assert isinstance(back, Turn)
    assert name_of(back.session) == name_of(session)
    opened = [crank.advance(shelf(), None, Opened(Setting("koala", NAMES, {}, 3), on)) for on in (0, 1)]
    names = {name_of(turn.session) for turn in opened if isinstance(turn, Turn)}
    assert len(names) == 2


def test_the_round_that_was_put_right_is_marked() -> None:
    session = played()
    assert record(session)["mended"] == 0
    third = next(node for node in session.path() if node.state.round == 3)
    back = crank.advance(shelf(), session, Undone(third.number))
    assert isinstance(back, Turn)
    assert [row["mended"] for row in record(back.session)["rounds"]] == [0, 0, 1]
    forth = crank.advance(shelf(), back.session, Undone(session.head.number))
    assert isinstance(forth, Turn)
    assert record(forth.session)["mended"] == 0  # the played course is whole again
