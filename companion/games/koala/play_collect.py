"""After the auction: who paid what, who starts, and the winner takes the cards into the cave."""

from __future__ import annotations

from dataclasses import replace

from companion.games.koala.rules_auction import held, new_starters, paid, shares
from companion.games.koala.state import (
    State,
    auction,
    booked,
    cave_zone,
    own_cave,
    place_of,
    question_clock,
    ruled,
    words,
)
from companion.table.cues import Choose, Cue, Expect, Press, Show, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Rang, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step  # fmt: skip
from companion.table.things import BID, CardId, Player


def enter_split(state: State) -> Step[State]:
    """Ask who paid what of a joint bid, unless the hands leave one answer only, or are empty whatever it is."""
    while state.splits:
        white, black, count = state.splits[0]
        ways = _ways(state)
        if len(ways) > 1 and held(auction(state), (white, black)) > 0:
            said = Say("say.split", {"white": white, "black": black, "count": count})
            return Step(state, (said,))
        state = _paid(state, ways[0])
    return Step(replace(state, phase="new_starter", asked=state.asked + 1))


def legal_split(state: State) -> tuple[Cue, ...]:
    """The possible shares: white's + black's."""
    return (Choose(state.splits[0][0], "split", _ways(state)),)


def apply_split(state: State, move: Move) -> Step[State] | Refusal:
    """White (or the operator) says who paid how many."""
    if not isinstance(move, Chosen) or move.cue != "split":
        return late(state, move)
    if move.option not in _ways(state):
        return Refusal("KOALA-AUC-08", "no_such_share", {"option": move.option})
    white, black, _ = state.splits[0]
    did = Say("did.split", {"white": white, "black": black, "shares": move.option})
    return step(_paid(state, move.option), did)


def _ways(state: State) -> tuple[str, ...]:
    count = state.splits[0][2]
    return tuple(f"{mine}+{count - mine}" for mine in shares(auction(state)))


def _paid(state: State, shares: str) -> State:
    white, black, _ = state.splits[0]
    mine, yours = (int(share) for share in shares.split("+"))
    left = booked(state, paid(auction(state), {white: mine, black: yours}))
    return replace(left, splits=state.splits[1:])


def enter_starter(state: State) -> Step[State]:
    """A single winner starts; a koalation is asked, by default its white koala starts."""
    pair = _pair(state)
    if len(pair) == 1 or ruled(state, 7, "white"):
        return Step(replace(state, phase="collect", starter=pair[0]))
    return Step(state, (Say("say.who_starts", {"white": pair[0], "black": pair[1]}),))


def legal_starter(state: State) -> tuple[Cue, ...]:
    """Either of the koalation says which of them; white when the clock rings."""
    pair = _pair(state)
    asked = (Choose(player, "starter", pair) for player in pair)
    return *asked, Wait(question_clock(state), seconds(state, "starter_s"))


def apply_starter(state: State, move: Move) -> Step[State] | Refusal:
    """The koalation's choice, or its white koala after a while."""
    pair = _pair(state)
    if isinstance(move, Rang):
        chosen = pair[0]
    elif isinstance(move, Chosen) and move.cue == "starter" and move.option in pair:
        chosen = Player(move.option)
    else:
        return late(state, move)
    return step(state, Say("did.starter", {"name": chosen}), phase="collect", starter=chosen)


def _pair(state: State) -> tuple[Player, ...]:
    assert state.lead is not None, "somebody won the auction"
    return new_starters(state.lead.bidders, state.seats)


def late(state: State, move: Move) -> Refusal:
    """A bid or card after the end of the auction: named and taken back, nothing else changes."""
    if isinstance(move, Pressed) and move.button == BID:
        mine = state.lead is not None and move.player in state.lead.bidders
        return Refusal("KOALA-AMB-30", "auction_over", {"name": move.player}, aloud=not mine)
    return Refusal("KOALA-AMB-30", "not_waited_for", aloud=False)


def spoils(state: State) -> tuple[CardId, ...]:
    """What the winner takes: the bonus, the revealed card and all bids."""
    assert state.food is not None, "an auction was won"
    return (*state.bonus, state.food, *state.pot)


def legal_collect(state: State) -> tuple[Cue, ...]:
    """The winner's cave with all its cards; a press says so where no camera sees it."""
    assert state.starter is not None, "the winner starts"
    cave = own_cave(state, state.starter)
    wanted = (*state.caves[cave], *spoils(state))
    return Show(cave_zone(cave), Expect(lying=state.caves[cave], exactly=wanted)), Press(
        state.starter, BID, "cue.taken"
    )


def apply_collect(state: State, move: Move) -> Step[State] | Refusal:
    """The cave was seen (or the winner says so): the cards are his, the feast begins."""
    assert state.starter is not None, "the winner starts"
    cave = own_cave(state, state.starter)
    wanted = (*state.caves[cave], *spoils(state))
    if isinstance(move, Shown) and move.zone == cave_zone(cave):
        fault = differs(state, move.cards, wanted, state.caves[cave])
        if fault is not None:
            return fault
    elif not (isinstance(move, Pressed) and move.player == state.starter and move.button == BID):
        return late(state, move)
    caves = (*state.caves[:cave], wanted, *state.caves[cave + 1 :])
    did = Say("did.collected", {"name": state.starter, "count": len(spoils(state))})
    return step(
        state, did, phase="feast", caves=caves, food=None, bonus=(), pot=(), lead=None, queue=(), back="new",
    )  # fmt: skip


def differs(
    state: State, shown: tuple[CardId, ...], wanted: tuple[CardId, ...], before: tuple[CardId, ...]
) -> Refusal | None:
    """How a cave differs from what it should hold, by name; None if it is right.

    Seen again as it was before, it is nothing new: silent.
    """
    if set(shown) == set(wanted):
        return None
    missing = tuple(card for card in wanted if card not in shown)
    extra = tuple(card for card in shown if card not in wanted)
    if set(shown) == set(before):
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    unknown = [card for card in extra if card not in state.deck.by_id]
    if unknown:
        return Refusal("KOALA-CMP-01", "foreign_card", {"card": unknown[0]})
    if extra:
        place = place_of(state, extra[0]) or "@zone.hand"
        return Refusal("KOALA-AUC-12", "cave_has_more", {"cards": words(state, extra), "place": place})
    return Refusal("KOALA-AUC-12", "cave_misses", {"cards": words(state, missing)})
