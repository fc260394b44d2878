"""Phase 2: every white koala who can is asked for a feast, the starting player's cave first."""

from __future__ import annotations

from dataclasses import replace

from companion.games.koala.play_collect import differs
from companion.games.koala.rules_feast import Feast, Feasting, fault, offers, order
from companion.games.koala.state import State, all_foods, cave_zone, foods, own_cave, question_clock, ruled
from companion.table.cues import Choose, Cue, Expect, Press, Show, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Rang, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step
from companion.table.things import BID, CardId, Player


def enter(state: State) -> Step[State]:
    """Ask the next white koala who can hold a feast; when all were asked, the action cards come."""
    assert state.starter is not None, "a feast follows an auction"
    queue = order(state.seats, state.starter) if state.back == "new" else state.queue
    while queue and not allowed(state, queue[0]):
        queue = queue[1:]
    if not queue:
        return Step(replace(state, phase="action_wait", queue=(), back="", walks=(), slid=()))
    after = replace(state, queue=queue, back="", asked=state.asked + 1)
    if queue != state.queue:
        return Step(after)  # whose turn it is has changed: the phase is entered once more, and asks then
    return Step(after, (_question(after),))


def allowed(state: State, player: Player) -> tuple[str, ...]:
    """The foods a white koala may eat now."""
    left = 1 if ruled(state, 12, "virtual_feasts") else state.feast_cards_left
    return offers(foods(state, own_cave(state, player)), left)


def _question(state: State) -> Say:
    listed = ", ".join(f"@{food}" for food in allowed(state, state.queue[0]))
    return Say("say.feast", {"name": state.queue[0], "foods": listed})


def legal(state: State) -> tuple[Cue, ...]:
    """Which food, or none; asked again after a while, never passed over silently."""
    player = state.queue[0]
    options = (*allowed(state, player), "no")
    return Choose(player, "feast", options), Wait(question_clock(state), seconds(state, "ask_s"))


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """Yes to a food, no, or no answer yet."""
    player = state.queue[0]
    if isinstance(move, Rang) and ruled(state, 35, "skipped"):
        return step(state, Say("did.no_feast", {"name": player}), queue=state.queue[1:])
    if isinstance(move, Rang):
        return step(state, Say("did.asked_again"), _question(state), asked=state.asked + 1)
    if not isinstance(move, Chosen) or move.cue != "feast":
        return Refusal("KOALA-FEA-01", "feast_first", {"name": player}, aloud=isinstance(move, Pressed))
    if move.player != player:
        return Refusal("KOALA-FEA-03", "feast_out_of_order", {"name": move.player, "turn": player})
    if move.option == "no":
        did = Say("did.no_feast", {"name": player})
        return step(state, did, queue=state.queue[1:])
    assert state.starter is not None, "a feast follows an auction"
    now = Feasting(state.seats, state.starter, all_foods(state), state.feast_cards_left)
    refusal = fault(now, Feast(player, move.option), state.rulings)
    if refusal is not None:
        return refusal
    said = Say("say.eat", {"name": player, "food": f"@{move.option}"})
    did = Say("did.feast", {"name": player, "food": f"@{move.option}"})
    return step(state, did, said, phase="feast_eat", feasting=move.option)


def _rest(state: State) -> tuple[CardId, ...]:
    cave = own_cave(state, state.queue[0])
    return tuple(card for card in state.caves[cave] if state.deck.face(card) != state.feasting)


def legal_eat(state: State) -> tuple[Cue, ...]:
    """The cave without a card of the food eaten; a press says so where no camera sees it."""
    player = state.queue[0]
    cave = own_cave(state, player)
    expect = Expect(lying=state.caves[cave], exactly=_rest(state))
    return Show(cave_zone(cave), expect), Press(player, BID, "cue.eaten")


def apply_eat(state: State, move: Move) -> Step[State] | Refusal:
    """All cards of the food are gone: one feast card, however many they were."""
    player = state.queue[0]
    cave = own_cave(state, player)
    rest = _rest(state)
    if isinstance(move, Shown) and move.zone == cave_zone(cave):
        difference = differs(state, move.cards, rest, state.caves[cave])
        if difference is not None:
            return difference
    elif not (isinstance(move, Pressed) and move.player == player and move.button == BID):
        return Refusal("KOALA-FEA-05", "feast_discard_all", {"name": player}, aloud=False)
    eaten = tuple(card for card in state.caves[cave] if card not in rest)
    caves = (*state.caves[:cave], rest, *state.caves[cave + 1 :])
    feasts = {**state.feasts, player: state.feasts[player] + 1}
    left = max(0, state.feast_cards_left - 1)
    did = Say("did.ate", {"name": player, "count": len(eaten), "food": f"@{state.feasting}"})
    said = Say("say.feast_card", {"name": player, "count": feasts[player]})
    return step(
        state, did, said, phase="feast", caves=caves, feasts=feasts, feast_cards_left=left, feasting=None,
        discarded=(*state.discarded, *eaten),
    )  # fmt: skip
