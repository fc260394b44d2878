"""The auction: presses claim, cards bid, a count that nobody answers ends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.koala.floor import call_fault, claimed, cleared, laid, lies_about, next_claim, pause_cues
from companion.games.koala.play_collect import spoils
from companion.games.koala.rules_auction import (
    bar,
    bid_fault,
    cards_needed,
    cost,
    left_aside,
    next_bid,
    over,
    reach,
    taken,
)
from companion.games.koala.rules_seats import is_white
from companion.games.koala.state import (
    MIDDLE,
    Claim,
    Floor,
    State,
    auction,
    booked,
    cave_zone,
    faces,
    own_cave,
    ruled,
    words,
)
from companion.table.cues import Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Move, Pressed, Rang, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, CALL, CardId, Player, Words


def legal(state: State) -> tuple[Cue, ...]:
    """Every hand that could bid, the middle, and the clocks of the window."""
    cues: list[Cue] = []
    if not state.middle.ran_out:
        cues = [Press(p, BID, "cue.bid") for p in state.setting.players if press_fault(state, p) is None]
    need, face = next_bid(state.lead), _face(state)
    cues.append(Show(MIDDLE, Expect(need, (face,), spoils(state), seen=lies_about(state.middle))))
    cues.extend(pause_cues(state, state.middle, state.phase == "call"))
    return tuple(cues)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """A press, cards in the middle, or a clock."""
    if isinstance(move, Pressed):
        return _call(state, move) if move.button == CALL else _press(state, move)
    if isinstance(move, Shown) and move.zone == MIDDLE:
        floor = laid(state, state.middle, move.cards, spoils(state))
        return floor if isinstance(floor, Refusal) else _judge(replace(state, middle=floor))
    if isinstance(move, Rang):
        return _rang(state, move)
    return Refusal("KOALA-AUC-01", "auction_runs", {"food": f"@{_face(state)}"})


def press_fault(state: State, player: Player) -> Refusal | None:
    """Why a player's press cannot become a bid; None if it may (what he lays is judged later)."""
    now, need = auction(state), next_bid(state.lead)
    barred = bar(now, player)
    if barred is not None or reach(now, player) >= need:
        return barred
    values: Words = {"name": player, "need": need, "hand": reach(now, player)}
    return Refusal("KOALA-AUC-05", "more_cards_than_hand", values)


def _face(state: State) -> str:
    assert state.food is not None, "an auction has a food"
    return state.deck.face(state.food)


def _call(state: State, move: Pressed) -> Step[State] | Refusal:
    if state.phase == "call":
        return Refusal("KOALA-AUC-16", "already_counting", aloud=False)
    fault = call_fault(state, state.middle, move.player)
    return fault or step(state, Say("did.call", {"name": move.player}), phase="call")


def _press(state: State, move: Pressed) -> Step[State] | Refusal:
    if state.middle.ran_out:
        return Refusal("KOALA-AMB-30", "auction_over", {"name": move.player})
    fault = press_fault(state, move.player)
    if fault is not None:
        return fault
    floor = claimed(state, state.middle, move)
    if isinstance(floor, Refusal):
        return floor
    pressed = Say("did.pressed", {"name": move.player})
    if floor.fresh:
        return _judge(replace(state, middle=floor))
    first = floor.claims[0].players
    if move.player not in first:
        return step(state, pressed, Say("say.waits", {"name": move.player}), middle=floor)
    said = Say("say.lay", {"name": _names(first), "need": next_bid(state.lead), "food": f"@{_face(state)}"})
    return step(state, pressed, said, middle=floor)


def _names(players: Sequence[Player]) -> str:
    return " + ".join(players)


def _judge(state: State) -> Step[State]:
    """What lies in the middle against what the first claim may bid."""
    floor = state.middle
    shown = Say("did.shown", {"cards": words(state, floor.fresh)})
    if not floor.fresh:
        return step(state, Say("did.taken_back"))
    if not floor.claims:
        return step(state, shown, Say("say.press_first", {"count": len(floor.fresh)}))
    claim = floor.claims[0]
    bidders = frozenset(claim.players)
    need = cards_needed(auction(state), bidders)
    fresh, crowd = floor.fresh, len(floor.claims) > 1
    if crowd:  # several people lay at once: what fits the first claim is his, if exactly that many fit
        right = tuple(c for c in fresh if state.deck.face(c) == _face(state))
        if len(right) > need:
            return step(state, shown, Say("say.separate", {"name": _names(claim.players), "need": need}))
        fresh = right if len(right) == need else fresh
    fault = bid_fault(auction(state), bidders, faces(state, fresh))
    if fault is None:
        return _accept(state, claim, fresh)
    if fault.code.startswith("bid_must_be_") and len(fresh) < need:
        return step(state, shown)  # still laying: the lay clock decides
    return _invalid(state, claim, fault)


def _invalid(state: State, claim: Claim, fault: Refusal) -> Step[State]:
    """The bid is invalid: its cards go back, the next claim gets the floor; a count that ran out ends it.

    By the Italian edition's ruling the cards are lost instead.
    """
    cards = state.middle.fresh
    values = {
        **fault.values,
        "name": _names(claim.players),
        "cards": words(state, cards) or "-",
        "why": f"@why.{fault.stem}",
    }
    if ruled(state, 22, "discard") and cards:
        now = cost(auction(state), frozenset(claim.players), len(cards))
        floor = replace(next_claim(state.middle), fresh=(), spent=(*state.middle.spent, *cards))
        state = replace(booked(state, now), middle=floor)
        said = Say("say.bid_lost", values)
    else:
        state = replace(state, middle=next_claim(state.middle, cards))
        said = Say("say.take_back", values)
    if state.phase == "call" and ruled(state, 31, "any_bid_cancels"):
        again = replace(state.middle, quiet=False, ran_out=False, lap=state.middle.lap + 1)
        state = replace(state, phase="auction", middle=again)
    done = step(state, Say("did.invalid", values), said)
    return _over_if_ran_out(done)


def _over_if_ran_out(done: Step[State]) -> Step[State]:
    state = done.state
    if state.middle.claims or not state.middle.ran_out:
        return done
    closed = close(state, "did.call_ended")
    return Step(closed.state, (*done.says, *closed.says))


def _accept(state: State, claim: Claim, cards: tuple[CardId, ...]) -> Step[State]:
    """A valid bid: it leads, the count is cancelled, and the auction closes if nobody can outbid it."""
    count, floor = len(cards), state.middle
    kept = tuple(card for card in floor.fresh if card not in cards)
    floor = replace(
        next_claim(replace(floor, fresh=())), strays=(*floor.strays, *kept),
        quiet=False, ran_out=False, lap=floor.lap + 1,
    )  # fmt: skip
    now = taken(auction(state), frozenset(claim.players), count)
    bid = next_bid(state.lead)
    values: Words = {"name": _names(claim.players), "count": bid, "next": bid + 1}
    after = step(
        booked(state, now), Say("did.bid", values), Say("say.leads", values), phase="auction", middle=floor,
        pot=(*state.pot, *cards), lead=now.lead,
    )  # fmt: skip
    if not over(replace(now, unseen=_copies_left(after.state))):
        return after
    closed = close(after.state, "did.nobody_can")
    return Step(closed.state, (Say("say.highest", values), *closed.says))


def _copies_left(state: State) -> int:
    """How many cards of the food at auction nobody has seen yet: none can be bid beyond these."""
    face = _face(state)
    gone = {*state.bonus, *state.pot, *state.discarded, *state.middle.spent, *state.action.spent}
    seen = sum(1 for cave in state.caves for card in cave if state.deck.face(card) == face)
    seen += sum(1 for card in gone if state.deck.face(card) == face) + 1
    return sum(1 for card in state.deck.cards if card.face == face) - seen


def _rang(state: State, move: Rang) -> Step[State] | Refusal:
    """The lay clock takes the floor from who lays nothing; quiet and pause lead to the count; its end."""
    floor, name = state.middle, move.clock.name
    if name == "quiet":
        return step(state, Say("did.quiet"), middle=replace(floor, quiet=True))
    if name == "pause":
        return step(state, Say("did.call", {"name": str(state.starter)}), phase="call")
    if name == "call":
        if floor.claims:
            return step(state, Say("did.call_ended"), middle=replace(floor, ran_out=True))
        return close(state, "did.call_ended")
    claim, need = floor.claims[0], next_bid(state.lead)
    if floor.fresh:
        return _invalid(state, claim, Refusal("KOALA-AUC-19", f"bid_must_be_{need}", {"need": need}))
    said = Say("say.nothing_laid", {"name": _names(claim.players)})
    return _over_if_ran_out(step(state, Say("did.lapsed"), said, middle=next_claim(floor)))


def close(state: State, why: str) -> Step[State]:
    """The auction is over: the last bidder collects, or the card is set aside for the next winner."""
    floor: Floor = cleared(state.middle)
    late = tuple(c for c in floor.strays if c not in state.middle.strays)
    says = [Say("say.late_cards", {"cards": words(state, late)})] if late else []
    face = _face(state)
    if state.lead is None:
        assert state.food is not None, "an auction has a food"
        aside = Say("say.set_aside", {"food": f"@{face}"})
        bonus = left_aside(state.bonus, state.food, state.rulings)
        floor = replace(floor, spent=(*floor.spent, *(c for c in state.bonus if c not in bonus)))
        return step(
            state, Say(why), *says, aside, phase="reveal", bonus=bonus, food=None, first_card=False,
            middle=floor,
        )  # fmt: skip
    winners = _names(sorted(state.lead.bidders, key=lambda p: not is_white(state.seats, p)))
    count = 1 + len(state.pot) + len(state.bonus)
    place = cave_zone(own_cave(state, min(state.lead.bidders)))
    said = Say("say.wins", {"name": winners, "count": count, "place": f"@zone.{place}"})
    return step(state, Say(why), *says, said, phase="split", middle=floor)
