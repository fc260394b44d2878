"""Auction: everybody offers hand cards at once, by counted presses or on a phone; sealed until all are in."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wine import rules_black
from companion.games.wine.floor import closed, counted, into_deck
from companion.games.wine.rules_glasses import alive
from companion.games.wine.state import State, Went, clock, current, ruled, table_of
from companion.table.cues import Choose, Cue, Press, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Rang
from companion.table.figures import number
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step
from companion.table.things import BID, Player


def enter(state: State) -> Step[State]:
    """Without an eliminated glass the card goes back; else the offers begin."""
    if not state.lost:
        back = Say("say.auction_back")
        return Step(replace(closed(state), phase="resume"), (back, *into_deck(state)))
    which = "@lost.first" if ruled(state, 21, "first_lost") else "@lost.last"
    values: dict[str, str | int] = {"seconds": round(seconds(state, "offer_s")), "which": which}
    return Step(state, (Say("say.auction", values),))


def legal(state: State) -> tuple[Cue, ...]:
    """A press for each card offered, or the number on the own phone; the clock ends it."""
    bidders = [player for player in alive(table_of(state)) if player not in state.answered]
    presses = (Press(player, BID, "cue.offer") for player in bidders if state.hands[player] > 0)
    choices = (
        Choose(player, "offer", tuple(str(n) for n in range(state.hands[player] + 1)), secret=True)
        for player in bidders
    )
    return (*presses, *choices, Wait(clock(state, "offer"), seconds(state, "offer_s")))


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """An offer, another press, or the end of the time."""
    if isinstance(move, Rang):
        return _closed(state, Say("did.offers_closed"))
    if not isinstance(move, Pressed | Chosen):
        return Refusal("WINE-AUC-01", "not_waited_for", aloud=False)
    player = move.player
    if player in state.answered:
        return Refusal("WINE-AUC-01", "already_offered", {"name": player})
    # The title of the step is the same whatever is offered: an offer is sealed.
    did = Say("did.offers", {"name": player})
    if isinstance(move, Pressed):
        offer = state.offers.get(player, 0) + 1
        fault = rules_black.offer_fault(table_of(state), player, offer)
        return fault or step(state, did, offers={**state.offers, player: offer})
    offer = number(move.option, -1)
    if move.cue != "offer" or offer < 0:
        return Refusal("WINE-AUC-01", "not_waited_for", aloud=False)
    fault = rules_black.offer_fault(table_of(state), player, offer)
    if fault is not None:
        return fault
    offers, answered = {**state.offers, player: offer}, state.answered | {player}
    after = replace(state, offers=offers, answered=answered)
    return _closed(after, did) if answered >= set(alive(table_of(state))) else step(after, did)


def _closed(state: State, did: Say) -> Step[State]:
    """All offers lie open."""
    tied = rules_black.leading(table_of(state), state.offers)
    if len(tied) == 1:
        return _won(state, tied[0], did)
    values: dict[str, str | int] = {
        "name": current(state), "names": ", ".join(tied), "count": state.offers.get(tied[0], 0)
    }  # fmt: skip
    return step(state, did, Say("say.auction_tie", values), phase="auction_tie")


def legal_tie(state: State) -> tuple[Cue, ...]:
    """Whoever drew the card decides among equals."""
    return (Choose(current(state), "winner", rules_black.leading(table_of(state), state.offers)),)


def apply_tie(state: State, move: Move) -> Step[State] | Refusal:
    """The drawer's word."""
    tied = rules_black.leading(table_of(state), state.offers)
    if isinstance(move, Pressed):
        return Refusal("WINE-AUC-01", "offers_closed", {"name": move.player})
    if not isinstance(move, Chosen) or move.cue != "winner":
        return Refusal("WINE-AUC-04", "not_waited_for", aloud=False)
    if move.player != state.turn or move.option not in tied:
        code = f"drawer_decides:{','.join(tied)}"
        return Refusal("WINE-AUC-04", code, {"name": current(state), "names": ", ".join(tied)})
    return _won(state, Player(move.option), Say("did.decided", {"name": move.player, "owner": move.option}))


def _won(state: State, won: Player, did: Say) -> Step[State]:
    """The eliminated glass is his, for the cards he offered; the Auction card leaves the game."""
    done = rules_black.auction(table_of(state), current(state), state.offers, won)
    assert not isinstance(done, Refusal), "offers were checked one by one"
    place = 0 if ruled(state, 21, "first_lost") else len(state.lost) - 1
    glass = state.lost[place]
    row = (glass, *state.rows[won]) if ruled(state, 18, "left_end") else (*state.rows[won], glass)
    after = replace(
        counted(state, done), lost=(*state.lost[:place], *state.lost[place + 1 :]),
        rows={**state.rows, won: row}, went=(*state.went, Went(state.turns, glass, won)),
    )  # fmt: skip
    if state.card is not None:
        after = replace(after, spent=after.spent | {state.card})
    values: dict[str, str | int] = {"name": won, "count": state.offers.get(won, 0)}
    said = "say.auction_all_pay" if ruled(state, 28, "all_pay") else "say.auction_won"
    return step(closed(after), did, Say(said, values), phase="resume")
