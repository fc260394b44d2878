"""Blue cards: Charity, Blind Test, Vintage and Ageing; the Contest is in play_fair."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wine import rules_hand
from companion.games.wine.floor import closed, counted, moved, used
from companion.games.wine.play_down import ask, fallen
from companion.games.wine.rules_deck import WINES
from companion.games.wine.rules_glasses import alive
from companion.games.wine.state import State, current, pointed, slot_names, table_of
from companion.table.cues import Choose, Cue
from companion.table.effects import Say
from companion.table.events import Chosen, Move
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import Player


def _spent(state: State, did: Say, *says: Say) -> Step[State]:
    assert state.card is not None, "a blue card was played"
    return step(closed(used(state, state.card)), did, *says, phase="resume")


def _chosen(cue: Cue, move: Move, rule: str) -> Chosen | Refusal:
    """The answer to the one question that is open."""
    assert isinstance(cue, Choose), "there is one question"
    if not isinstance(move, Chosen) or move.cue != cue.what or move.player != cue.player:
        return Refusal(rule, "not_waited_for", aloud=False)
    return move


def enter_vintage(state: State) -> Step[State]:
    """All glasses of the player are protected until the own next turn."""
    player = current(state)
    after = replace(
        state, vintage=rules_hand.vintaged(table_of(state), player).vintage, vintage_at=state.turns
    )
    return _spent(after, state.did, Say("say.vintage", {"name": player}))


def legal_ageing(state: State) -> tuple[Cue, ...]:
    """One of the own glasses."""
    player = current(state)
    return (Choose(player, "age", slot_names(player, range(1, len(state.rows[player]) + 1))),)


def enter_ageing(state: State) -> Step[State]:
    """Ask which glass."""
    return Step(state, (Say("say.age_which", {"name": current(state)}),))


def apply_ageing(state: State, move: Move) -> Step[State] | Refusal:
    """It is shown to everybody before the card covers it."""
    chosen = _chosen(legal_ageing(state)[0], move, "WINE-AGE-01")
    if isinstance(chosen, Refusal):
        return chosen
    player, slot = pointed(chosen.option)
    fault = rules_hand.ageing_fault(table_of(state), player, slot)
    if fault is not None:
        return fault
    values: dict[str, str | int] = {"name": player, "slot": slot, "turn": player, "owner": player}
    state = replace(state, target=(player, slot), did=Say("did.pointed", values))
    return ask(state, player, Say("say.age_show", values))


def _blind_targets(state: State) -> tuple[str, ...]:
    table, player = table_of(state), current(state)
    return tuple(
        f"{owner}:{slot}"
        for owner in alive(table)
        for slot in range(1, len(state.rows[owner]) + 1)
        if rules_hand.blind_fault(table, player, owner, slot) is None
    )


def enter_blind(state: State) -> Step[State]:
    """Ask whose glass is tested."""
    if not _blind_targets(state):
        return _spent(state, state.did, Say("say.all_protected"))
    return Step(state, (Say("say.blind_which", {"name": current(state)}),))


def legal_blind(state: State) -> tuple[Cue, ...]:
    """The glasses of others; then the owner's word."""
    if state.target is None:
        return (Choose(current(state), "glass", _blind_targets(state)),)
    return (Choose(state.target[0], "announce", WINES),)


def apply_blind(state: State, move: Move) -> Step[State] | Refusal:
    """A glass is pointed at, its owner says what is in it, then it is turned over."""
    player = current(state)
    chosen = _chosen(legal_blind(state)[0], move, "WINE-BLI-01")
    if isinstance(chosen, Refusal):
        return chosen
    if state.target is None:
        owner, slot = pointed(chosen.option)
        fault = rules_hand.blind_fault(table_of(state), player, owner, slot)
        if fault is not None:
            return fault
        values: dict[str, str | int] = {"name": player, "owner": owner, "slot": slot}
        said = Say("say.announce", values)
        return step(state, Say("did.pointed", values), said, target=(owner, slot), chooser=owner)
    if chosen.option not in WINES:
        return Refusal("WINE-BLI-01", "not_waited_for", aloud=False)
    owner, slot = state.target
    told: dict[str, str | int] = {"name": owner, "slot": slot, "turn": player}
    # What was announced is not in the title of the step: a glass that stays would be told by it.
    state = replace(state, wine=chosen.option, did=Say("did.announced", {"name": owner}))
    return ask(state, owner, Say("say.reveal", told))


def enter_charity(state: State) -> Step[State]:
    """Who has most must give; of equals the card's player names one."""
    giver = rules_hand.giver_of(table_of(state), current(state))
    if giver is None:
        return _spent(state, state.did, Say("say.all_protected"))
    if isinstance(giver, Refusal):
        return Step(state, (Say("say.charity_tie", {"name": current(state)}),))
    return _gives(state, giver)


def _gives(state: State, giver: Player) -> Step[State]:
    said = Say("say.charity", {"name": giver})
    return Step(replace(state, chooser=giver, phase="charity_to"), (said,))


def legal_charity(state: State) -> tuple[Cue, ...]:
    """Those with most glasses."""
    return (Choose(current(state), "giver", rules_hand.givers(table_of(state))),)


def apply_charity(state: State, move: Move) -> Step[State] | Refusal:
    """The card's player names the giver."""
    player = current(state)
    if isinstance(move, Chosen) and move.cue == "giver" and move.player != player:
        names = ", ".join(rules_hand.givers(table_of(state)))
        return Refusal("WINE-AMB-09", "tie_card_player_chooses", {"name": player, "names": names})
    chosen = _chosen(legal_charity(state)[0], move, "WINE-CHA-01")
    if isinstance(chosen, Refusal):
        return chosen
    giver = rules_hand.giver_of(table_of(state), player, Player(chosen.option), player)
    if isinstance(giver, Refusal):
        return giver
    assert giver is not None, "somebody has most glasses"
    state = replace(state, did=Say("did.decided", {"name": player, "owner": giver}))
    return _gives(state, giver)


def _giver(state: State) -> Player:
    assert state.chooser is not None, "somebody gives"
    return state.chooser


def legal_to(state: State) -> tuple[Cue, ...]:
    """Who gets it, then which glass it is."""
    giver = _giver(state)
    if state.target is None:
        return (Choose(giver, "to", tuple(p for p in alive(table_of(state)) if p != giver)),)
    places = range(1, len(state.rows[giver]) + 1)
    slots = [s for s in places if rules_hand.giving_fault(table_of(state), giver, s) is None]
    return (Choose(giver, "give", slot_names(giver, slots)),)


def apply_to(state: State, move: Move) -> Step[State] | Refusal:
    """A glass changes its owner unseen."""
    cue, giver = legal_to(state)[0], _giver(state)
    assert isinstance(cue, Choose), "there is one question"
    chosen = _chosen(cue, move, "WINE-CHA-01")
    if isinstance(chosen, Refusal):
        return chosen
    if state.target is None:
        to = Player(chosen.option)
        fault = rules_hand.charity_fault(table_of(state), giver, to)
        return fault or step(state, Say("did.gives_to", {"name": giver, "owner": to}), target=(to, 0))
    owner, slot = pointed(chosen.option)
    to = state.target[0]
    done = rules_hand.given(table_of(state), giver, to, slot if owner == giver else 0)
    if isinstance(done, Refusal):
        return done
    after = moved(counted(state, done), giver, slot, to)
    values: dict[str, str | int] = {"name": giver, "owner": to, "slot": slot}
    out = fallen(state, after)
    return _spent(after, Say("did.gave", values), Say("say.gives", values), *out)
