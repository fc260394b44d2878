"""Green cards: swap two glasses, take a card, look at a glass alone while the camera looks away."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wine.floor import closed, used
from companion.games.wine.rules_glasses import MIDDLE, guarded
from companion.games.wine.state import (
    Glass,
    State,
    Went,
    current,
    face_of,
    glass_word,
    pointed,
    ruled,
    slot_names,
    table_of,
)
from companion.table.cues import Choose, Cue, Press
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, Player

LOOKS = ("auditor", "meteorologist")  # nothing is to be chosen first


def glasses(state: State) -> tuple[str, ...]:
    """The glasses that the green card in play may touch: not the protected ones, by the ruling not the middle."""
    table, player = table_of(state), current(state)
    name = face_of(state, state.card)
    free = (
        ruled(state, 20, "any_two")
        if name in ("tipsy_taster", "sneaky_taster")
        else ruled(state, 33, "any_glass")
    )
    owners = [*state.order, *([MIDDLE] if ruled(state, 34, "middle_too") else [])]
    out = []
    for owner in owners:
        for slot, option in enumerate(slot_names(owner, range(1, len(state.rows[owner]) + 1)), start=1):
            others_vintage = owner in state.vintage and owner != player
            aged = owner != MIDDLE and guarded(replace(table, vintage=frozenset()), owner, slot)
            if free or not (others_vintage or aged):
                out.append(option)
    return tuple(out)


def done(state: State, did: Say, *says: Say) -> Step[State]:
    """The green card is spent; the turn goes on."""
    assert state.card is not None, "a green card was played"
    return step(closed(used(state, state.card)), did, *says, phase="resume")


def enter_swap(state: State) -> Step[State]:
    """Two glasses are wanted; with less there is nothing to swap."""
    if len(glasses(state)) < 2:
        return done(state, state.did, Say("say.no_target"))
    return Step(state, (Say("say.swap_which", {"name": current(state)}),))


def legal_swap(state: State) -> tuple[Cue, ...]:
    """The first glass, then the second."""
    first = None if state.target is None else f"{state.target[0]}:{state.target[1]}"
    return (
        Choose(
            current(state),
            "swap" if first is None else "swap_with",
            tuple(g for g in glasses(state) if g != first),
        ),
    )


def apply_swap(state: State, move: Move) -> Step[State] | Refusal:
    """Two different glasses change places, unseen by everybody."""
    cue = legal_swap(state)[0]
    chosen = _chosen(cue, move)
    if isinstance(chosen, Refusal):
        return chosen
    if state.target is None:
        return step(state, Say("did.pointed", _place(state, chosen)), target=chosen)
    one, two = state.target, chosen
    values: dict[str, str | int] = {
        "name": current(state), "owner": glass_word(one[0]), "slot": one[1],
        "other": glass_word(two[0]), "place": two[1],
    }  # fmt: skip
    if face_of(state, state.card) == "sneaky_taster":
        pair = {state.rows[owner][slot - 1] for owner, slot in (one, two)}
        after = replace(state, unsure=state.unsure | pair)
        return step(after, Say("did.sneaky", values), Say("say.sneaky", values), phase="under_the_table")
    return done(_swapped(state, one, two), Say("did.swapped", values), Say("say.swap", values))


def _place(state: State, glass: tuple[Player, int]) -> dict[str, str | int]:
    return {"name": current(state), "owner": glass_word(glass[0]), "slot": glass[1]}


def _swapped(state: State, one: tuple[Player, int], two: tuple[Player, int]) -> State:
    """Two glasses in each other's place."""
    here, there = state.rows[one[0]][one[1] - 1], state.rows[two[0]][two[1] - 1]
    rows = dict(state.rows)
    for (owner, slot), glass in ((one, there), (two, here)):
        row: list[Glass] = list(rows[owner])
        row[slot - 1] = glass
        rows[owner] = tuple(row)
    went = (*state.went, Went(state.turns, there, one[0]), Went(state.turns, here, two[0]))
    return replace(state, rows=rows, went=went)


def _chosen(cue: Cue, move: Move) -> tuple[Player, int] | Refusal:
    """The glass that was chosen among those offered."""
    assert isinstance(cue, Choose), "a glass is asked for"
    if not isinstance(move, Chosen) or move.cue != cue.what or move.player != cue.player:
        return Refusal("WINE-TIP-03", "not_waited_for", aloud=False)
    if move.option not in cue.options:
        owner = move.option.rpartition(":")[0]
        return Refusal("WINE-AMB-20", "protected_or_not_there", {"name": cue.player, "owner": owner or "-"})
    return pointed(move.option)


def legal_under(state: State) -> tuple[Cue, ...]:
    """Under the table nobody sees anything, the camera neither."""
    return (Press(current(state), BID, "cue.back"),)


def apply_under(state: State, move: Move) -> Step[State] | Refusal:
    """The two glasses lie in their places again, swapped or not."""
    fault = _turns_button(state, move)
    if isinstance(fault, Refusal):
        return fault
    return done(state, Say("did.back", {"name": current(state)}), Say("say.back"))


def _turns_button(state: State, move: Move) -> Refusal | None:
    """Why this does not end what one player does alone: only his own button does."""
    if not isinstance(move, Pressed):
        return Refusal("WINE-OEN-02", "not_waited_for", aloud=False)
    if move.player != state.turn:
        values: dict[str, str | int] = {"name": move.player, "turn": current(state)}
        return Refusal("WINE-TUR-01", "not_your_turn", values)
    return None


def victims(state: State) -> tuple[Player, ...]:
    """Whose hand a Grape Picker may reach into."""
    vain = ruled(state, 35, "allowed_in_vain")
    alive = (player for player in state.order if state.rows[player] and player != state.turn)
    return tuple(p for p in alive if vain or state.hands[p] > 0)


def enter_grape(state: State) -> Step[State]:
    """From whose hand? With all hands empty there is no target."""
    if not victims(state):
        return done(state, state.did, Say("say.no_target"))
    return Step(state, (Say("say.pick_from", {"name": current(state)}),))


def legal_grape(state: State) -> tuple[Cue, ...]:
    """The others with cards in hand."""
    return (Choose(current(state), "pick", victims(state)),)


def apply_grape(state: State, move: Move) -> Step[State] | Refusal:
    """A random card changes hands, unseen by the others."""
    player = current(state)
    if not isinstance(move, Chosen) or move.cue != "pick" or move.player != player:
        return Refusal("WINE-GRP-01", "not_waited_for", aloud=False)
    victim = Player(move.option)
    if victim not in victims(state):
        return Refusal("WINE-AMB-35", "nothing_to_pick", {"name": player, "owner": victim})
    took = min(1, state.hands[victim])
    hands = {**state.hands, victim: state.hands[victim] - took}
    hands[player] += took
    values: dict[str, str | int] = {"name": player, "owner": victim}
    return done(
        replace(state, hands=hands, picked=bool(took)), Say("did.picked", values), Say("say.picked", values)
    )


def enter_oenologist(state: State) -> Step[State]:
    """Which glass? With all of them protected there is nothing to look at."""
    if not glasses(state):
        return done(state, state.did, Say("say.no_target"))
    return Step(state, (Say("say.look_which", {"name": current(state)}),))


def legal_oenologist(state: State) -> tuple[Cue, ...]:
    """The glasses that may be looked at."""
    return (Choose(current(state), "look", glasses(state)),)


def apply_oenologist(state: State, move: Move) -> Step[State] | Refusal:
    """A glass is chosen: from now on the camera looks away."""
    chosen = _chosen(legal_oenologist(state)[0], move)
    if isinstance(chosen, Refusal):
        return chosen
    values = _place(state, chosen)
    return step(state, Say("did.looks", values), Say("say.look", values), phase="looking", target=chosen)


def enter_looks(state: State) -> Step[State]:
    """Auditor and Meteorologist: the player looks alone."""
    name = face_of(state, state.card)
    key = "say.audit" if name == "auditor" else "say.weather"
    if name == "meteorologist" and ruled(state, 23, "any_order"):
        key = "say.weather_order"
    values: dict[str, str | int] = {"name": current(state), "count": min(3, state.pile.cards)}
    return Step(replace(state, phase="looking"), (Say(key, values),))


def legal_looking(state: State) -> tuple[Cue, ...]:
    """No zone at all while somebody looks alone; his button ends it."""
    return (Press(current(state), BID, "cue.looked"),)


def apply_looking(state: State, move: Move) -> Step[State] | Refusal:
    """Everything is back in its place."""
    fault = _turns_button(state, move)
    if isinstance(fault, Refusal):
        return fault
    return done(state, Say("did.looked", {"name": current(state)}), Say("say.camera_back"))
