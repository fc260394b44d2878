"""An action card is carried out: its owner decides, people move, food changes its cave."""

from __future__ import annotations

from dataclasses import replace

from companion.games.koala.play_collect import differs
from companion.games.koala.rules_seats import CAVES, WHITE, Moved, Path, execute, possible
from companion.games.koala.state import State, all_foods, cave_zone, own_cave, ruled
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, CALL, CardId, Player, Words


def options(state: State) -> tuple[str, ...]:
    """Every way the card at hand may be carried out; Sticky Fingers "may", so its owner may decline."""
    assert state.card is not None and state.owner is not None, "a card is being carried out"
    face = state.deck.face(state.card)
    ways = possible(face, state.seats, all_foods(state), state.owner, state.rulings)
    may_decline = face == "sticky_fingers" or ruled(state, 6, "all_optional")
    return (*ways, "decline") if may_decline else ways


def legal_do(state: State) -> tuple[Cue, ...]:
    """The owner's decision: target and direction, cave, or cave and food."""
    assert state.card is not None and state.owner is not None, "a card is being carried out"
    return (Choose(state.owner, f"act.{state.deck.face(state.card)}", options(state)),)


def apply_do(state: State, move: Move) -> Step[State] | Refusal:
    """Carry the card out as its owner decides."""
    assert state.card is not None and state.owner is not None, "a card is being carried out"
    face = state.deck.face(state.card)
    if not isinstance(move, Chosen) or move.cue != f"act.{face}":
        aloud = isinstance(move, Pressed) and move.player == state.owner
        return Refusal("KOALA-ACT-05", "owner_decides", {"name": state.owner, "card": f"@{face}"}, aloud)
    if move.player != state.owner:
        return Refusal("KOALA-ACT-05", "owner_decides", {"name": state.owner, "card": f"@{face}"})
    did = Say("did.decided", {"name": state.owner, "card": f"@{face}", "option": move.option})
    if move.option == "decline" and move.option in options(state):
        return step(state, did, Say("say.declined", {"name": state.owner}), **_done(state))
    moved = execute(face, state.seats, all_foods(state), state.owner, move.option, state.rulings)
    if isinstance(moved, Refusal):
        return moved
    if move.option not in options(state):
        return Refusal("KOALA-ACT-05", "no_such_question", {"option": move.option})
    if face == "sticky_fingers":
        return _steal(state, did, move.option)
    walkers = tuple(dict.fromkeys((*(walk.player for walk in moved.walks), *moved.slid_forward)))
    return step(
        state, did, *_told(face, move.option, moved), phase="move", seats=moved.seats, walks=moved.walks,
        slid=moved.slid_forward, unsettled=walkers, starter=_starter(state, moved),
    )  # fmt: skip


def _told(face: str, option: str, moved: Moved) -> tuple[Say, ...]:
    """Who goes where; that everybody moves on is one sentence, however many they are."""
    slides = tuple(Say("say.slides", {"name": player}) for player in moved.slid_forward)
    if face == "ring_a_roses":
        return Say("say.ring", {"way": f"@{option}"}), *slides
    return *(_walked(walk, moved.seats[walk.end].white) for walk in moved.walks), *slides


def _walked(walk: Path, other: Player | None) -> Say:
    values: Words = {"name": walk.player, "place": f"@zone.cave:{CAVES[walk.end]}"}
    if walk.becomes == WHITE or other is None:
        return Say("say.walk_white", values)
    return Say("say.walk_black", {**values, "other": other})


def _starter(state: State, moved: Moved) -> Player | None:
    """The starting player is a person; by the other ruling the role stays with the seat."""
    if ruled(state, 21, "with_the_person") or state.starter is None:
        return state.starter
    return moved.seats[own_cave(state, state.starter)].white or state.starter


def _done(state: State) -> dict[str, object]:
    return {"phase": state.back, "card": None, "owner": None, "unsettled": (), "stolen": ()}


def legal_move(state: State) -> tuple[Cue, ...]:
    """Each mover presses when he sits; the starting player may say it for all."""
    assert state.starter is not None, "a round has a starting player"
    movers = tuple(Press(player, BID, "cue.moved", own=True) for player in state.unsettled)
    return (*movers, Press(state.starter, CALL, "cue.all_moved"))


def apply_move(state: State, move: Move) -> Step[State] | Refusal:
    """One mover sits; when all do the game goes on."""
    if not isinstance(move, Pressed):
        return Refusal("KOALA-MOV-02", "not_waited_for", aloud=False)
    if move.button == CALL and move.player == state.starter:
        return step(state, Say("did.all_moved"), **_done(state))
    if move.player not in state.unsettled:
        return Refusal("KOALA-MOV-02", "movers_first", {"names": ", ".join(state.unsettled)}, aloud=False)
    left = tuple(player for player in state.unsettled if player != move.player)
    did = Say("did.moved", {"name": move.player})
    if left:
        return step(state, did, unsettled=left)
    return step(state, did, **_done(state))


def _steal(state: State, did: Say, option: str) -> Step[State]:
    letter, food = option.split(":")
    stolen = tuple(card for card in state.caves[CAVES.index(letter)] if state.deck.face(card) == food)
    values: Words = {
        "name": str(state.owner), "count": len(stolen), "food": f"@{food}", "place": f"@zone.cave:{letter}"
    }  # fmt: skip
    return step(state, did, Say("say.steal", values), phase="take", stolen=stolen)


def _after_theft(state: State) -> tuple[int, tuple[CardId, ...]]:
    cave = own_cave(state, Player(str(state.owner)))
    return cave, (*state.caves[cave], *state.stolen)


def legal_take(state: State) -> tuple[Cue, ...]:
    """The thief's cave with the stolen food."""
    cave, wanted = _after_theft(state)
    return Show(cave_zone(cave), Expect(lying=state.caves[cave], exactly=wanted)), Press(
        Player(str(state.owner)), BID, "cue.taken"
    )


def apply_take(state: State, move: Move) -> Step[State] | Refusal:
    """The stolen cards lie in the thief's cave."""
    cave, wanted = _after_theft(state)
    if isinstance(move, Shown) and move.zone == cave_zone(cave):
        fault = differs(state, move.cards, wanted, state.caves[cave])
        if fault is not None:
            return fault
    elif not (isinstance(move, Pressed) and move.player == state.owner and move.button == BID):
        return Refusal("KOALA-ACT-08", "not_waited_for", aloud=False)
    caves = tuple(tuple(card for card in held if card not in state.stolen) for held in state.caves)
    caves = (*caves[:cave], wanted, *caves[cave + 1 :])
    did = Say("did.stole", {"name": str(state.owner), "count": len(state.stolen)})
    return Step(replace(step(state, did, **_done(state)).state, caves=caves))
