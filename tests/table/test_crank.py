"""The crank: one event in, a session and its effects out; every step can be undone, redone, mended."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from companion.shelf import shelf
from companion.table import crank
from companion.table.crank import BadJournal, Turn
from companion.table.cues import Choose, Press, Show, Wait
from companion.table.effects import Arm, Blink, Disarm, Lamp, Say, Watch
from companion.table.events import (
    Chosen,
    Clock,
    Corrected,
    Event,
    Move,
    Opened,
    Pressed,
    Rang,
    Setting,
    Shown,
    Undone,
)
from companion.table.game import Game, Refusal, Score, Step, Table
from companion.table.session import Box, Session
from companion.table.things import BID, Card, CardId, Deck, Player, Zone

MIA, PAUL = Player("Mia"), Player("Paul")
TRAY = Zone("tray")


@dataclass(frozen=True)
class Heap:
    """A game of three cards: show them one by one, press to end; a clock runs beside it."""

    cards: tuple[CardId, ...] = ()
    done: bool = False
    lap: int = 0


def _legal(heap: Heap) -> tuple[Any, ...]:
    if heap.done:
        return ()
    return Show(TRAY), Press(MIA, BID, "done"), Wait(Clock("tick", heap.lap), 2.0, ("a", "b"))


def _apply(heap: Heap, move: Move) -> Step[Heap] | Refusal:
    if isinstance(move, Shown):
        if len(move.cards) > 3:
            return Refusal("HEAP-1", "too_many")
        return Step(replace(heap, cards=move.cards, lap=heap.lap + 1), (Say("seen"),))
    if isinstance(move, Pressed):
        return Step(replace(heap, done=True)) if heap.cards else Refusal("HEAP-2", "nothing_there")
    return Step(replace(heap, lap=heap.lap + 1))


GAME: Game[Heap] = Game(
    "heap", lambda setting, deck: Step(Heap()), _legal, _apply, lambda heap: Score((), {}, ()),
    lambda heap, viewer: {"cards": list(heap.cards), "done": heap.done},
)  # fmt: skip
SHELF = {"heap": Box(GAME, Deck("heap", (Card(CardId("x"), "x", "x", 1),)))}
OPENED = Opened(Setting("heap", (MIA, PAUL), {}))


def turn(session: Session | None, event: Event) -> Turn:
    answer = crank.advance(SHELF, session, event)
    assert isinstance(answer, Turn), answer
    return answer


def shown(*cards: str) -> Shown:
    return Shown(TRAY, tuple(CardId(card) for card in cards))


def played(*events: Event) -> Session:
    session = turn(None, OPENED).session
    for event in events:
        session = turn(session, event).session
    return session


def cards(session: Session) -> object:
    return crank.look(session, Table())["cards"]


def test_levels_follow_from_the_cues_alone() -> None:
    opened = turn(None, OPENED)
    assert opened.effects == (
        Lamp(MIA, "open"), Lamp(PAUL, "off"), Watch((TRAY,)), Arm(Clock("tick", 0), 2.0, ("a", "b"))
    )  # fmt: skip
    after = turn(opened.session, shown("x"))
    assert after.effects == (Disarm(Clock("tick", 0)), Arm(Clock("tick", 1), 2.0, ("a", "b")), Say("seen"))


def test_a_reading_that_had_put_a_misread_one_right_is_passed_over_when_that_is_corrected() -> None:
    def apply(heap: Heap, move: Move) -> Step[Heap] | Refusal:
        same = isinstance(move, Shown) and move.cards == heap.cards
        return Refusal(crank.SAME, "nothing_new", aloud=False) if same else _apply(heap, move)

    shelf = {"heap": replace(SHELF["heap"], game=replace(GAME, apply=apply))}
    session: Session | None = None
    for event in (OPENED, shown("y"), shown("x"), Corrected(2, (CardId("x"),))):
        answer = crank.advance(shelf, session, event)
        assert isinstance(answer, Turn)
        session = answer.session
    assert session is not None and cards(session) == ["x"]


def test_whoever_leads_or_is_out_shows_it_unless_he_is_asked() -> None:
    game = replace(GAME, standing=lambda heap: {MIA: "lead", PAUL: "out"})
    opened = crank.advance({"heap": replace(SHELF["heap"], game=game)}, None, OPENED)
    assert isinstance(opened, Turn)
    assert opened.effects[:2] == (Lamp(MIA, "lead"), Lamp(PAUL, "out"))


def test_the_winners_lamps_lead_at_the_end() -> None:
    game = replace(GAME, score=lambda heap: Score((), {}, ("Paul",)))
    session = Turn(played(shown("x")), ()).session
    session = replace(session, box=replace(session.box, game=game))
    done = crank.advance(SHELF, session, Pressed(MIA, BID, 5))
    assert isinstance(done, Turn) and Lamp(PAUL, "lead") in done.effects and Lamp(MIA, "off") in done.effects


def test_the_end_of_a_game_puts_everything_out() -> None:
    done = turn(played(shown("x")), Pressed(MIA, BID, 5))
    assert done.session.over
    assert done.effects == (Disarm(Clock("tick", 1)), Lamp(MIA, "off"), Watch(()), Blink(MIA, "seen"))


def test_waking_brings_back_what_the_cues_want() -> None:
    session = played(shown("x"))
    assert crank.wake(session) == (
        Lamp(MIA, "open"), Lamp(PAUL, "off"), Watch((TRAY,)), Arm(Clock("tick", 1), 2.0, ("a", "b"))
    )  # fmt: skip


def test_a_stale_ring_answers_nothing() -> None:
    session = played(shown("x"))
    stale = crank.advance(SHELF, session, Rang(Clock("tick", 0)))
    assert isinstance(stale, Refusal) and not stale.aloud
    assert turn(session, Rang(Clock("tick", 1))).session.state.lap == 2


def test_a_refusal_leaves_the_session_as_it_was() -> None:
    session = played()
    refusal = crank.advance(SHELF, session, Pressed(MIA, BID, 5))
    assert refusal == Refusal("HEAP-2", "nothing_there")


def test_undo_and_redo_reach_every_step_also_past_the_end() -> None:
    session = played(shown("x"), shown("x", "y"), Pressed(MIA, BID, 5))
    back = turn(session, Undone(2)).session
    assert cards(back) == ["x"] and not back.over and back.last == 5
    again = turn(back, Undone(4)).session
    assert again.over and again.state == session.state
    assert turn(back, shown("x", "z")).session.last == 6


def test_going_back_and_forward_are_said_as_what_they_are() -> None:
    session = played(shown("x"), Rang(Clock("tick", 1)), shown("x", "y"), Pressed(MIA, BID, 5))
    said = {to: keys(turn(session, Undone(to))) for to in (4, 3, 2, 1)}
    assert said == {4: ["undone"], 3: ["undone_far"], 2: ["undone_far"], 1: ["undone_far"]}
    back = turn(session, Undone(2)).session
    assert keys(turn(back, Undone(5))) == ["redone"]
    by_clock = played(shown("x"), Rang(Clock("tick", 1)))  # what a clock did is no step of anybody's
    assert keys(turn(by_clock, Undone(1))) == ["undone"]


def keys(turn: crank.Turn) -> list[str]:
    return [each.key for each in turn.effects if isinstance(each, Say)]


def test_undo_to_nowhere_is_refused() -> None:
    session = played(shown("x"))
    for number in (0, 2, 9):
        assert isinstance(crank.advance(SHELF, session, Undone(number)), Refusal)


def test_a_mended_reading_plays_the_later_steps_again() -> None:
    session = played(shown("x"), Rang(Clock("tick", 1)), Pressed(MIA, BID, 5))
    mended = turn(session, Corrected(2, (CardId("y"),))).session
    assert cards(mended) == ["y"] and mended.over
    assert cards(turn(mended, Undone(4)).session) == ["x"]


def test_a_mended_reading_is_known_as_one_also_after_the_next_correction() -> None:
    session = played(shown("x"), Rang(Clock("tick", 1)), shown("x", "y"))
    once = turn(session, Corrected(2, (CardId("y"),))).session
    assert [node.mended for node in once.path()] == [False, False, True, False]
    twice = turn(once, Corrected(once.head.number, (CardId("z"),))).session
    assert [node.mended for node in twice.path()] == [True, False, True, False]
    assert not any(node.mended for node in turn(twice, Undone(4)).session.path())


def test_a_correction_that_a_later_step_cannot_follow_is_refused() -> None:
    session = played(shown("x"), Pressed(MIA, BID, 5))
    refusal = crank.advance(SHELF, session, Corrected(2, ()))
    assert isinstance(refusal, Refusal) and refusal.values == {"number": 3}
    assert (
        refusal.cause is not None and refusal.cause.code == "nothing_there"
    )  # told beside it, in its own words
    assert isinstance(crank.advance(SHELF, session, Corrected(3, ())), Refusal)
    assert isinstance(crank.advance(SHELF, session, Corrected(77, ())), Refusal)


def test_a_journal_folds_to_the_same_session() -> None:
    events: list[Event] = [
        OPENED,
        shown("x"),
        shown("y"),
        Undone(2),
        shown("z"),
        Corrected(5, (CardId("q"),)),
    ]
    session = crank.recall(SHELF, events)
    assert session is not None and cards(session) == ["q"] and session.last == len(events)


def test_a_journal_that_does_not_fit_names_its_event() -> None:
    with pytest.raises(BadJournal, match="event 2 .*Pressed.* nothing_there"):
        crank.recall(SHELF, [OPENED, Pressed(MIA, BID, 5)])


def test_no_second_game_while_one_is_under_way_and_no_unknown_one() -> None:
    session = played()
    assert isinstance(crank.advance(SHELF, session, OPENED), Refusal)
    unknown = crank.advance(SHELF, None, Opened(Setting("chess", (MIA,), {})))
    assert isinstance(unknown, Refusal) and unknown.code == "no_such_game"
    assert turn(played(shown("x"), Pressed(MIA, BID, 5)), OPENED).session.last == 4


def test_nobody_answers_what_he_was_not_asked_in_any_game() -> None:
    """Whatever a game would take from anybody: the crank lets through only answers to open questions."""
    for name, box in shelf().items():
        names = tuple(Player(each) for each in ("Mia", "Paul", "Ada"))
        turn = crank.advance(shelf(), None, Opened(Setting(name, names, {}, 1)))
        if not isinstance(turn, Turn):
            continue
        session = turn.session
        asked = {(cue.player, cue.what) for cue in session.cues if isinstance(cue, Choose)}
        for player in (*names, Player("a stranger")):
            for what in {cue.what for cue in session.cues if isinstance(cue, Choose)} | {
                "row",
                "die",
                "pile",
                "starter",
            }:
                for option in ("yes", "no", "1", "Mia"):
                    answer = crank.advance(shelf(), session, Chosen(player, what, option))
                    assert (player, what) in asked or isinstance(answer, Refusal), (name, player, what)
        assert box.game.name == name


def test_a_private_reading_is_corrected_only_while_it_is_the_newest_step() -> None:
    """Later, whether another glass would have fitted back then would tell what was seen in secret."""
    box = shelf()["koala"]
    secret = {**shelf(), "koala": replace(box, game=replace(box.game, private=("middle",)))}
    session = None
    for event in (
        Opened(Setting("koala", tuple(Player(each) for each in ("Mia", "Paul", "Ada")), {}, 1)),
        Pressed(Player("Mia"), BID, 1), Pressed(Player("Mia"), BID, 2), Shown(Zone("middle"), (CardId("pizza-01"),)),
    ):  # fmt: skip
        turn = crank.advance(secret, session, event)
        assert isinstance(turn, Turn)
        session = turn.session
    assert session is not None
    wish = Corrected(session.last, (CardId("hamburger-01"),))
    assert isinstance(crank.advance(secret, session, wish), Turn)
    later = crank.advance(secret, session, Pressed(Player("Paul"), BID, 3))
    assert isinstance(later, Turn)
    refused = crank.advance(secret, later.session, wish)
    assert isinstance(refused, Refusal) and refused.code == "no_such_reading"


def test_nobody_is_called_like_a_word_that_stands_where_names_stand() -> None:
    opened = Opened(Setting("wine", tuple(Player(each) for each in ("middle", "Mia", "Paul")), {}, 1))
    refused = crank.advance(shelf(), None, opened)
    assert isinstance(refused, Refusal) and refused.code == "name_is_a_word"
