"""Glasses that are lost: after a wrong one at the Sommelier, or because the Lobbyists were wrong."""

from __future__ import annotations

from companion.games.wine import rules_black
from companion.games.wine.floor import (
    counted,
    gone,
    into_deck,
    remembered,
)
from companion.games.wine.play_down import chosen_place, fallen, lies_down, named
from companion.games.wine.state import (
    State,
    current,
    is_glass,
    owner_of,
    pointed,
    row_zone,
    slot_names,
    table_of,
)
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, Player


def apply_which(state: State, move: Move) -> Step[State] | Refusal:
    """The glass that was shown wrongly at a Sommelier is lost."""
    slot = chosen_place(state, move)
    if isinstance(slot, Refusal):
        return slot
    assert state.chooser is not None, "chosen_place knows who was asked"
    return lost(state, state.chooser, slot)


def lost(state: State, owner: Player, slot: int) -> Step[State]:
    """A Sommelier's drawer loses the glass he showed."""
    done = rules_black.sommelier(table_of(state), owner, "the one served", "another", slot)
    assert not isinstance(done, Refusal), "the drawer has a glass"
    after = gone(counted(remembered(state, owner, slot), done), owner, slot)
    values = named(state, owner, slot)
    return lies_down(
        after,
        Say("did.lost", values),
        (owner,),
        Say("say.lost", values),
        *fallen(state, after),
        *into_deck(state),
    )


def legal_second(state: State) -> tuple[Cue, ...]:
    """The wrong glass goes down first."""
    return Show(row_zone(state, current(state)), Expect(0, exactly=())), Press(
        current(state), BID, "cue.down"
    )


def apply_second(state: State, move: Move) -> Step[State] | Refusal:
    """Then another one may be shown."""
    player = current(state)
    seen_down = (
        isinstance(move, Shown)
        and owner_of(state, move.zone) == player
        and not any(is_glass(state, card) for card in move.cards)
    )
    pressed = isinstance(move, Pressed) and move.player == player
    if not seen_down and not pressed:
        return Refusal("WINE-AMB-08", "not_waited_for", aloud=False)
    return step(state, Say("did.row_down", {"name": player}), phase="show", asked=(player,), shown={})


def legal_fine(state: State) -> tuple[Cue, ...]:
    """Any glass of the drawer, but never the one under the Ageing card."""
    assert state.chooser is not None, "somebody chooses"
    player = current(state)
    places = range(1, len(state.rows[player]) + 1)
    slots = [s for s in places if rules_black.fine_fault(table_of(state), player, s) is None]
    return (Choose(state.chooser, "fine", slot_names(player, slots)),)


def apply_fine(state: State, move: Move) -> Step[State] | Refusal:
    """The drawer of wrong lobbyists loses the glass that the target player chose, unseen."""
    cue = legal_fine(state)[0]
    assert isinstance(cue, Choose), "there is one question"
    player = current(state)
    if not isinstance(move, Chosen) or move.cue != "fine":
        return Refusal("WINE-LOB-04", "not_waited_for", aloud=False)
    if move.player != cue.player:
        values: dict[str, str | int] = {"name": move.player, "chooser": cue.player}
        return Refusal("WINE-LOB-04", "chooser_is", values)
    owner, slot = pointed(move.option)
    done = rules_black.fined(table_of(state), player, cue.player, slot if owner == player else 0)
    if isinstance(done, Refusal):
        return done
    after = gone(counted(state, done), player, slot)
    values = named(state, player, slot)
    return lies_down(
        after,
        Say("did.lost", values),
        state.down,
        Say("say.fined", values),
        *fallen(state, after),
        *into_deck(state),
    )
