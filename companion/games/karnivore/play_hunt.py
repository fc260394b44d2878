"""A hunt: which workbears, the animal to the hunter, who leaves, and the menu laid anew (KARN-HUN, REM, VIC)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.karnivore import rules_hunt, rules_tribe
from companion.games.karnivore.play_setup import menu_read
from companion.games.karnivore.rules_setup import DISHES
from companion.games.karnivore.state import (
    MENU,
    SAME,
    State,
    counted,
    face,
    faces,
    row,
    ruled,
    shown_back,
    token,
    told,
    tribe_zone,
    turn_of,
    wanted,
    with_turn,
    workbears,
)
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, CardId, Words


def ask_hunt(state: State) -> Step[State] | Refusal:
    """A hunt is wanted: propose the workbears, the smallest set that suffices first."""
    bears = workbears(state, state.player)
    fault = _fault(state, bears)
    if fault is not None:
        return fault
    groups = rules_hunt.choices(wanted(state, state.player), bears)
    said = Say("say.hunt_with", {"name": state.player, "cards": faces(state, groups[0])})
    return step(state, Say("did.hunting", {"name": state.player}), said, phase="hunt")


def _fault(state: State, bears: dict[CardId, tuple[str, ...]]) -> Refusal | None:
    """Why these workbears cannot hunt the next dish."""
    progress = len(state.hunted[state.player])
    menu = dict(zip(DISHES, state.menu, strict=True))
    want = wanted(state, state.player)
    use = rules_hunt.sharing(want, bears)
    dish = rules_hunt.next_dish(progress) or ""
    return rules_hunt.declared(dish, progress, menu, want, bears, use, state.spears, state.rulings)


def legal_hunt(state: State) -> tuple[Cue, ...]:
    """Every set of workbears that suffices and wastes none."""
    groups = rules_hunt.choices(wanted(state, state.player), workbears(state, state.player))
    options = tuple("+".join(token(card) for card in group) for group in groups)
    return (Choose(state.player, "bears", (*options, "back")),)


def apply_hunt(state: State, move: Move) -> Step[State] | Refusal:
    """With these workbears, or not now."""
    if not isinstance(move, Chosen) or move.cue != "bears" or move.player != state.player:
        return Refusal("KARN-HUN-04", "choose_bears", {"name": state.player}, isinstance(move, Pressed))
    if move.option == "back":
        return step(state, Say("did.back"), phase="tribe")
    return declare(state, tuple(told(part) for part in move.option.split("+")))


def declare(state: State, laid: tuple[CardId, ...]) -> Step[State] | Refusal:
    """The hunt: exactly the spears it costs are spent, the animal goes to the hunter."""
    gives = _gives(state, laid)
    if isinstance(gives, Refusal):
        return gives
    used = tuple(card for card in laid if gives[card])
    idle = tuple(card for card in laid if not gives[card])  # they stay in the tribe
    player, done = state.player, len(state.hunted[state.player])
    animal = state.menu[done]
    assert animal is not None, "an empty place cannot be hunted"
    values: Words = {"name": player, "animal": face(state, animal), "dish": f"@{DISHES[done]}"}
    spears = 0 if ruled(state, 7, "lost") else state.spears - rules_hunt.spears_needed(state.rulings)
    menu = (*state.menu[:done], None, *state.menu[done + 1 :])
    after = replace(
        state, spears=spears, hunted={**state.hunted, player: (*state.hunted[player], animal)}, menu=menu,
        counts=counted(state, "hunts", player), skulls_over=True,
    )  # fmt: skip
    said = Say("say.hunted", values)
    if done + 1 == len(DISHES):
        cleaned = _cleaned(after, used) if ruled(state, 17, "cleaned_up") else after
        return step(cleaned, Say("did.hunted", values), said, Say("say.winner", {"name": player}),
                    phase="over", winner=player)  # fmt: skip
    gone = (*used, *rules_tribe.leaving(state.bears, turn_of(after), state.rulings, hunted=True))
    says = [Say("say.leave", {"name": player, "cards": faces(state, gone)})]
    if idle:
        says.append(Say("say.take_back", {"card": faces(state, idle)}))
    return step(after, Say("did.hunted", values), said, *says, phase="clear", gone=gone, place=done)


def _gives(state: State, laid: tuple[CardId, ...]) -> dict[CardId, tuple[str, ...]] | Refusal:
    """What each of these workbears gives to the hunt, or why they cannot hunt."""
    able = workbears(state, state.player)
    strange = next((card for card in laid if card not in able), None)
    if strange is not None:
        known = state.deck.by_id.get(strange)
        word = f"@{known.face}" if known is not None else str(strange)
        return Refusal("KARN-HUN-04", "no_such_workbear", {"card": word})
    bears = {card: able[card] for card in laid}
    return _fault(state, bears) or rules_hunt.sharing(wanted(state, state.player), bears)


def _cleaned(state: State, used: tuple[CardId, ...]) -> State:
    gone = (*used, *rules_tribe.leaving(state.bears, turn_of(state), state.rulings, hunted=True))
    after = with_turn(state, rules_tribe.without(turn_of(state), gone))
    return replace(after, discarded=(*state.discarded, *gone))


def legal_clear(state: State) -> tuple[Cue, ...]:
    """The tribe without those who leave."""
    lying = row(state, state.player)
    exactly = tuple(card for card in lying if card not in state.gone)
    zone = tribe_zone(state, state.player)
    return Show(zone, Expect(lying=lying, exactly=exactly)), Press(state.player, BID, "cue.cleared")


def left(state: State, move: Move) -> State | Refusal:
    """The state after those who leave are gone: seen, or said by a press."""
    if isinstance(move, Shown) and move.zone == tribe_zone(state, state.player):
        still = tuple(card for card in state.gone if card in move.cards)
        if still:
            return Refusal("KARN-REM-01", "still_there", {"cards": faces(state, still)}, aloud=False)
        stay = [c for c in state.tribes[state.player] if c not in state.gone and c not in move.cards]
        if stay:
            return Refusal("KARN-REM-01", "put_back", {"cards": faces(state, stay)}, aloud=bool(move.cards))
    elif not isinstance(move, Pressed) or move.button != BID or move.player != state.player:
        return Refusal("KARN-REM-01", "clear_first", {"name": state.player}, aloud=isinstance(move, Pressed))
    after = with_turn(state, rules_tribe.without(turn_of(state), state.gone))
    dice = {card: on for card, on in state.dice.items() if card not in state.gone}
    return replace(
        after, dice=dice, skulled=tuple(card for card in state.skulled if card not in state.gone), gone=(),
        discarded=(*state.discarded, *state.gone), left=(*state.left, *state.gone),
    )  # fmt: skip


def apply_clear(state: State, move: Move) -> Step[State] | Refusal:
    """Used workbears and activated huntbears are gone; the menu is laid anew, where the pile still can."""
    after = left(state, move)
    if isinstance(after, Refusal):
        return after
    did = Say("did.cleared", {"name": state.player, "count": len(state.gone)})
    if state.animals == 0:
        return step(after, did, Say("say.no_animals"), phase="tribe", place=None)
    assert state.place is not None, "a dish was hunted"
    return step(after, did, Say("say.refill", {"dish": f"@{DISHES[state.place]}"}), phase="refill")


def legal_refill(state: State) -> tuple[Cue, ...]:
    """The menu with a new animal in the empty place, and the pile's next back."""
    lying = tuple(card for card in state.menu if card is not None)
    kinds = tuple(dict.fromkeys(c.face for c in state.deck.cards if c.kind in ("animal", "back")))
    return (Show(MENU, Expect(2 if state.animals > 1 else 1, kinds, lying)),)


def apply_refill(state: State, move: Move) -> Step[State] | Refusal:
    """The new animal is that dish for all others; the third symbol may have changed."""
    if not isinstance(move, Shown) or move.zone != MENU:
        return Refusal("KARN-HUN-14", "menu_first", aloud=isinstance(move, Shown | Pressed))
    read = menu_read(state, tuple(card for card in move.cards if card != state.back))
    if isinstance(read, Refusal):
        return read
    animals, back = read
    old = tuple(card for card in state.menu if card is not None)
    new = tuple(card for card in animals if card not in old)
    lost = tuple(card for card in old if card not in animals)
    if lost:
        return Refusal("KARN-HUN-15", "put_back", {"cards": faces(state, lost)}, aloud=bool(move.cards))
    if not new:
        return SAME
    if len(new) > 1:
        return Refusal("KARN-HUN-14", "one_animal", {"count": len(new)})
    more = state.animals > 1
    if more and back is None:
        return Refusal("KARN-HUN-07", "back_wanted", aloud=False)
    if not more and (back is not None or state.back in move.cards):
        return Refusal("KARN-AMB-08", "pile_is_empty", aloud=False)
    return _laid(state, new[0], back)


def _laid(state: State, animal: CardId, back: CardId | None) -> Step[State]:
    assert state.place is not None, "a dish was hunted"
    before = shown_back(state)
    menu = (*state.menu[: state.place], animal, *state.menu[state.place + 1 :])
    after = replace(state, menu=menu, back=back, last_back=before, animals=state.animals - 1, place=None)
    now = shown_back(after)
    third = Say("say.third", {"symbol": f"@{now}"}) if now is not None else Say("say.no_third")
    new = Say("say.new_dish", {"animal": face(state, animal), "dish": f"@{DISHES[state.place]}"})
    return step(after, Say("did.refilled", {"animal": face(state, animal)}), new, third, phase="tribe")
