"""A glass is asked for, and what was shown lies face down again before the game goes on."""

from __future__ import annotations

from companion.games.wine.floor import (
    closed,
)
from companion.games.wine.rules_glasses import MIDDLE
from companion.games.wine.state import State, current, glass_word, is_glass, owner_of, row_zone, ruled
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.figures import number
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, Player


def ask(state: State, owner: Player, say: Say, phase: str = "show") -> Step[State]:
    """One row must show a glass now."""
    return step(state, state.did, say, phase=phase, asked=(owner,), shown={}, chooser=owner)


def lies_down(state: State, did: Say, owners: tuple[Player, ...], *says: Say) -> Step[State]:
    """The card is done with; the rows that showed a glass must be face down before the game goes on."""
    return step(closed(state), did, *says, phase="down" if owners else "resume", down=owners)


def legal_down(state: State) -> tuple[Cue, ...]:
    """Rows that must be face down; the owner, for the middle the player at turn, may say so by button."""
    cues: list[Cue] = [Show(row_zone(state, owner), Expect(0, exactly=())) for owner in state.down]
    owners = dict.fromkeys(current(state) if owner == MIDDLE else owner for owner in state.down)
    return (*cues, *(Press(owner, BID, "cue.down") for owner in owners))


def apply_down(state: State, move: Move) -> Step[State] | Refusal:
    """A row without a glass face up is done."""
    if isinstance(move, Shown):
        owner = owner_of(state, move.zone)
        if owner not in state.down:
            return Refusal("TABLE-SAME", "nothing_new", aloud=False)
        if any(is_glass(state, card) for card in move.cards):
            return Refusal("WINE-THI-04", "turn_down", {"name": glass_word(owner)}, aloud=False)
    elif isinstance(move, Pressed) and move.button == BID:
        mine = move.player if move.player in state.down else MIDDLE
        owner = mine if mine != MIDDLE or move.player == state.turn else None
        if owner not in state.down:
            return Refusal("WINE-THI-04", "not_waited_for", aloud=False)
    else:
        return Refusal("WINE-THI-04", "not_waited_for", aloud=False)
    left = tuple(other for other in state.down if other != owner)
    did = Say("did.row_down", {"name": glass_word(owner)})
    return step(state, did, down=left) if left else step(state, did, down=(), phase="resume")


def named(state: State, owner: Player, slot: int | None = None) -> dict[str, str | int]:
    """Who is at turn and whose glass it is, for a sentence."""
    end = "@end.left" if ruled(state, 18, "left_end") else "@end.right"
    values: dict[str, str | int] = {"name": current(state), "owner": glass_word(owner), "end": end}
    return values if slot is None else {**values, "slot": slot}


def fallen(before: State, after: State) -> tuple[Say, ...]:
    """Who is out now."""
    key = "say.out_deck" if ruled(after, 7, "hand_into_deck") else "say.out"
    return tuple(Say(key, {"name": player}) for player in after.out if player not in before.out)


def legal_which(state: State) -> tuple[Cue, ...]:
    """The places of the row that shows the glass."""
    assert state.chooser is not None, "somebody is asked"
    return (Choose(state.chooser, "place", tuple(str(s + 1) for s in range(len(state.rows[state.chooser])))),)


def chosen_place(state: State, move: Move) -> int | Refusal:
    """The place that was named by whoever is asked."""
    owner = state.chooser
    if not isinstance(move, Chosen) or move.cue != "place" or move.player != owner or owner is None:
        return Refusal("WINE-SOM-03", "not_waited_for", aloud=False)
    slot = number(move.option)
    if not 1 <= slot <= len(state.rows[owner]):
        return Refusal(
            "WINE-SOM-03",
            "no_such_glass",
            {"name": owner, "slot": move.option, "count": len(state.rows[owner])},
        )
    return slot
