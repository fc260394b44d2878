"""One glass is turned over before everybody, judged by the card that asked for it, and turned down again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.games.wine import rules_black, rules_hand
from companion.games.wine.floor import (
    closed,
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
from companion.games.wine.rules_deck import returned
from companion.games.wine.rules_glasses import MIDDLE
from companion.games.wine.state import (
    State,
    current,
    face_of,
    glass_word,
    is_glass,
    owner_of,
    row_zone,
    ruled,
    slot_names,
    step,
    table_of,
    with_deed,
)
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.things import BID, Player

Judge = Callable[[State], Step[State]]


def ask(state: State, owner: Player, say: Say, phase: str = "show") -> Step[State]:
    """One row must show a glass now."""
    return step(state, state.did, say, phase=phase, asked=(owner,), shown={}, chooser=owner)


def legal(state: State) -> tuple[Cue, ...]:
    """Every row: a glass in the one asked, none in the others."""
    return rows_cues(state, state.asked)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The glass that is seen is judged; one turned over elsewhere is named by its row."""
    if not isinstance(move, Shown):
        return Refusal("WINE-THI-02", "not_waited_for", aloud=False)
    after = turned(state, move, 0.0)
    if isinstance(after, Refusal):
        return after
    return JUDGES[face_of(after, after.card)](after)


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


def _values(state: State, owner: Player, slot: int | None = None) -> dict[str, str | int]:
    values: dict[str, str | int] = {"name": current(state), "owner": glass_word(owner)}
    return values if slot is None else {**values, "slot": slot}


def _thief(state: State) -> Step[State]:
    player, card = current(state), state.card
    assert state.target is not None and state.wine is not None and card is not None, "a thief has a target"
    owner, slot = state.target
    done = rules_hand.robbed(table_of(state), player, state.wine, owner, slot, content(state, owner))
    after = counted(remembered(state, owner, slot), done)
    values = _values(state, owner, slot)
    if done.note == "stolen":
        after = used(with_deed(moved(after, owner, slot, player), player, "thief_right"), card)
        return lies_down(
            after, Say("did.stolen", values), (owner,), *_fallen(state, after), Say("say.stolen", values)
        )
    after = with_deed(after, player, "thief_wrong")
    if done.note == "back_to_deck":
        after = replace(after, pile=returned(after.pile))
        return lies_down(after, Say("did.kept", values), (owner,), Say("say.thief_into_deck", values))
    if after.hands[owner] == state.hands[owner]:
        after = used(after, card)
        return lies_down(after, Say("did.kept", values), (owner,), Say("say.kept_discard", values))
    return lies_down(after, Say("did.kept", values), (owner,), Say("say.kept", values))


def _fallen(before: State, after: State) -> tuple[Say, ...]:
    """Who is out now."""
    return tuple(Say("say.out", {"name": player}) for player in after.out if player not in before.out)


def _sommelier(state: State) -> Step[State]:
    player = current(state)
    values = _values(state, player)
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
        state, Say("did.showed", _values(state, owner)), said, phase=phase, asked=(), chooser=owner, wine=None
    )


def legal_which(state: State) -> tuple[Cue, ...]:
    """The places of the row that shows the glass."""
    assert state.chooser is not None, "somebody is asked"
    return (Choose(state.chooser, "place", tuple(str(s + 1) for s in range(len(state.rows[state.chooser])))),)


def chosen_place(state: State, move: Move) -> int | Refusal:
    """The place that was named by whoever is asked."""
    owner = state.chooser
    if not isinstance(move, Chosen) or move.cue != "place" or move.player != owner or owner is None:
        return Refusal("WINE-SOM-03", "not_waited_for", aloud=False)
    if not move.option.isdecimal() or not 1 <= int(move.option) <= len(state.rows[owner]):
        return Refusal(
            "WINE-SOM-03",
            "no_such_glass",
            {"name": owner, "slot": move.option, "count": len(state.rows[owner])},
        )
    return int(move.option)


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
    values = _values(state, owner, slot)
    return lies_down(
        after,
        Say("did.lost", values),
        (owner,),
        Say("say.lost", values),
        *_fallen(state, after),
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


def _lobbyists(state: State) -> Step[State]:
    player, table = current(state), table_of(state)
    assert state.target is not None, "lobbyists have a target"
    owner, slot = state.target
    values = _values(state, owner, slot)
    state = remembered(state, owner, slot)
    if content(state, owner) == state.wine:
        after = gone(counted(state, rules_black.hit(table, owner, slot)), owner, slot)
        after = with_deed(after, player, "lobby_right")
        fell = _fallen(state, after)
        return lies_down(
            after, Say("did.lost", values), (owner,), Say("say.lobby_hit", values), *fell, *into_deck(state)
        )
    after = with_deed(state, player, "lobby_wrong")
    if ruled(state, 25, "right_end"):
        after = _to_right_end(after, owner, slot)
    if rules_black.spared(table, player):
        spared = Say("say.spared", values)
        return lies_down(after, Say("did.showed", values), (owner,), spared, *into_deck(state))
    chooser = rules_black.chooser_of(table, player, owner)
    said = Say("say.fine", {"name": player, "chooser": chooser})
    return step(
        after, Say("did.showed", values), said, phase="fine", asked=(), shown={}, wine=None, chooser=chooser,
        down=(owner,),
    )  # fmt: skip


def _to_right_end(state: State, owner: Player, slot: int) -> State:
    """By the ruling a glass that was shown in vain goes to the right end of its row."""
    row = state.rows[owner]
    return replace(state, rows={**state.rows, owner: (*row[: slot - 1], *row[slot:], row[slot - 1])})


def legal_fine(state: State) -> tuple[Cue, ...]:
    """Any glass of the drawer, but never the one under the Ageing card."""
    assert state.chooser is not None, "somebody chooses"
    player = current(state)
    slots = [s + 1 for s in range(len(state.rows[player])) if state.aged.get(player) != s + 1]
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
    if move.option not in cue.options:
        return Refusal(
            "WINE-LOB-04", "no_such_glass", {"name": player, "slot": move.option, "count": len(cue.options)}
        )
    slot = int(move.option.rpartition(":")[2])
    done = rules_black.fined(table_of(state), player, cue.player, slot)
    assert not isinstance(done, Refusal), "only glasses that may be lost are offered"
    after = gone(counted(state, done), player, slot)
    values = _values(state, player, slot)
    return lies_down(
        after,
        Say("did.lost", values),
        state.down,
        Say("say.fined", values),
        *_fallen(state, after),
        *into_deck(state),
    )


def _blind(state: State) -> Step[State]:
    player, card = current(state), state.card
    assert state.target is not None and card is not None, "a Blind Test has a target"
    owner, slot = state.target
    done = rules_hand.tested(table_of(state), player, owner, slot, str(state.wine), content(state, owner))
    after = used(counted(remembered(state, owner, slot), done), card)
    values = _values(state, owner, slot)
    if done.note == "kept":
        after = with_deed(after, owner, "blind_right")
        return lies_down(after, Say("did.kept", values), (owner,), Say("say.blind_kept", values))
    after = with_deed(moved(after, owner, slot, player), owner, "blind_wrong")
    return lies_down(
        after, Say("did.stolen", values), (owner,), *_fallen(state, after), Say("say.blind_won", values)
    )


def _ageing(state: State) -> Step[State]:
    player, card = current(state), state.card
    assert state.target is not None and card is not None, "Ageing has a glass"
    slot = state.target[1]
    aged = {**state.aged, player: slot} if len(state.rows[player]) > 1 else state.aged
    after = replace(remembered(state, player, slot), aged=aged, spent=state.spent | {card})
    values = _values(state, player, slot)
    return lies_down(after, Say("did.aged", values), (player,), Say("say.aged", values))


JUDGES: dict[str, Judge] = {
    "thieves": _thief, "sommelier": _sommelier, "lobbyists": _lobbyists, "blind_test": _blind,
    "ageing": _ageing,
}  # fmt: skip
