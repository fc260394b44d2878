"""One glass is turned over before everybody and judged by the card that asked for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.games.wine import rules_black, rules_hand
from companion.games.wine.floor import (
    content,
    counted,
    gone,
    into_deck,
    moved,
    remembered,
    rows_cues,
    turned,
    used,
)
from companion.games.wine.play_down import fallen, lies_down, named
from companion.games.wine.play_lost import lost
from companion.games.wine.rules_deck import returned
from companion.games.wine.state import State, current, face_of, glass_word, ruled, table_of, with_deed
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.events import Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import Player

Judge = Callable[[State], Step[State]]


def legal(state: State) -> tuple[Cue, ...]:
    """Every row: a glass in the one asked, none in the others."""
    return rows_cues(state, state.asked)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The glass that is seen is judged; one turned over elsewhere is named by its row."""
    if not isinstance(move, Shown):
        owner = None if state.target is None else state.target[0]
        if isinstance(move, Pressed) and move.player == owner and face_of(state, state.card) == "thieves":
            return Refusal("WINE-STO-01", "stop_too_late", {"name": move.player})
        return Refusal("WINE-THI-02", "not_waited_for", aloud=False)
    after = turned(state, move, 0.0)
    if isinstance(after, Refusal):
        return after
    return JUDGES[face_of(after, after.card)](after)


def _thief(state: State) -> Step[State]:
    player, card = current(state), state.card
    assert state.target is not None and state.wine is not None and card is not None, "a thief has a target"
    owner, slot = state.target
    done = rules_hand.robbed(table_of(state), player, state.wine, owner, slot, content(state, owner))
    after = counted(remembered(state, owner, slot), done)
    values = named(state, owner, slot)
    if done.note == "stolen":
        after = used(with_deed(moved(after, owner, slot, player), player, "thief_right"), card)
        return lies_down(
            after, Say("did.stolen", values), (owner,), *fallen(state, after), Say("say.stolen", values)
        )
    after = with_deed(after, player, "thief_wrong")
    if done.note == "back_to_deck":
        after = replace(after, pile=returned(after.pile))
        return lies_down(after, Say("did.kept", values), (owner,), Say("say.thief_into_deck", values))
    if after.hands[owner] == state.hands[owner]:
        after = used(after, card)
        return lies_down(after, Say("did.kept", values), (owner,), Say("say.kept_discard", values))
    return lies_down(after, Say("did.kept", values), (owner,), Say("say.kept", values))


def _sommelier(state: State) -> Step[State]:
    player = current(state)
    values = named(state, player)
    if content(state, player) == state.wine:
        after = with_deed(state, player, "sommelier_right")
        return lies_down(
            after, Say("did.showed", values), (player,), Say("say.right", values), *into_deck(state)
        )
    if ruled(state, 8, "second_try") and not state.tried and len(state.rows[player]) > 1:
        again = Say("say.second_try", values)
        return step(state, Say("did.showed", values), again, tried=True, asked=(), phase="second_try")
    return _which(with_deed(state, player, "sommelier_wrong"), player, "sommelier_lost")


def _which(state: State, owner: Player, phase: str) -> Step[State]:
    """Which place was that glass? Needed only where it leaves the row, and only if there are several."""
    if len(state.rows[owner]) == 1:
        return lost(replace(state, asked=()), owner, 1)
    said = Say("say.which", {"name": owner})
    return step(
        state, Say("did.showed", named(state, owner)), said, phase=phase, asked=(), chooser=owner, wine=None
    )


def _lobbyists(state: State) -> Step[State]:
    player, table = current(state), table_of(state)
    assert state.target is not None, "lobbyists have a target"
    owner, slot = state.target
    values = named(state, owner, slot)
    state = remembered(state, owner, slot)
    if content(state, owner) == state.wine:
        after = gone(counted(state, rules_black.hit(table, owner, slot)), owner, slot)
        after = with_deed(after, player, "lobby_right")
        fell = fallen(state, after)
        return lies_down(
            after, Say("did.lost", values), (owner,), Say("say.lobby_hit", values), *fell, *into_deck(state)
        )
    after, aside = with_deed(state, player, "lobby_wrong"), tuple[Say, ...]()
    if ruled(state, 25, "right_end"):
        after = _to_right_end(after, owner, slot)
        aside = (Say("say.to_right_end", {"owner": glass_word(owner)}),)
    if rules_black.spared(table, player):
        spared = Say("say.spared", values)
        return lies_down(after, Say("did.showed", values), (owner,), spared, *aside, *into_deck(state))
    chooser = rules_black.chooser_of(table, player, owner)
    said = Say("say.fine", {"name": player, "chooser": chooser})
    return step(
        after, Say("did.showed", values), *aside, said, phase="fine", asked=(), shown={}, wine=None, chooser=chooser,
        down=(owner,),
    )  # fmt: skip


def _to_right_end(state: State, owner: Player, slot: int) -> State:
    """By the ruling a glass that was shown in vain goes to the right end of its row."""
    row, aged = state.rows[owner], dict(state.aged)
    if aged.get(owner, 0) > slot:
        aged[owner] -= 1
    rows = {**state.rows, owner: (*row[: slot - 1], *row[slot:], row[slot - 1])}
    return replace(state, rows=rows, aged=aged)


def _blind(state: State) -> Step[State]:
    player, card = current(state), state.card
    assert state.target is not None and card is not None, "a Blind Test has a target"
    owner, slot = state.target
    done = rules_hand.tested(table_of(state), player, owner, slot, str(state.wine), content(state, owner))
    after = used(counted(remembered(state, owner, slot), done), card)
    values = named(state, owner, slot)
    if done.note == "kept":
        after = with_deed(after, owner, "blind_right")
        return lies_down(after, Say("did.kept", values), (owner,), Say("say.blind_kept", values))
    after = with_deed(moved(after, owner, slot, player), owner, "blind_wrong")
    return lies_down(
        after, Say("did.stolen", values), (owner,), *fallen(state, after), Say("say.blind_won", values)
    )


def _ageing(state: State) -> Step[State]:
    player, card = current(state), state.card
    assert state.target is not None and card is not None, "Ageing has a glass"
    slot = state.target[1]
    aged = rules_hand.covered(table_of(state), player, slot).aged
    after = replace(remembered(state, player, slot), aged=aged, spent=state.spent | {card})
    values = named(state, player, slot)
    return lies_down(after, Say("did.aged", values), (player,), Say("say.aged", values))


JUDGES: dict[str, Judge] = {
    "thieves": _thief, "sommelier": _sommelier, "lobbyists": _lobbyists, "blind_test": _blind,
    "ageing": _ageing,
}  # fmt: skip
