"""The dice phase: rolled in the tray, tapped or rolled by the companion; paid with hand cards, then locked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.games.karnivore import rules_dice
from companion.games.karnivore.options import sand
from companion.games.karnivore.play_card import discard_new, hand_faces, late_cues, late_throw, play_cues
from companion.games.karnivore.rules_dice import Cup
from companion.games.karnivore.rules_setup import DICE
from companion.games.karnivore.rules_tribe import skull_places
from companion.games.karnivore.state import DISCARD, SAME, TRAY, State, counted, ruled, shown_back, turn_of
from companion.table.cues import Choose, Cue, Expect, Press, Roll, Show, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Clock, Move, Pressed, Rolled, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, CardId

NOT_NOW = Refusal("KARN-DIC-01", "roll_first", aloud=False)


def enter_turn(state: State) -> Step[State]:
    """A turn begins: nothing is used, blocked or gathered yet; the player's own protection ends."""
    player = state.player
    return step(
        state, state.did, Say("say.roll", {"name": player}), phase="roll", cup=Cup(state.hands[player]), marks=(),
        typed=(), lying=(), lifted=state.turns == 0, pool={}, dice={}, skulled=(), spears=0, skulls_over=False,
        third_then=shown_back(state), protected=state.protected - {player}, turns=state.turns + 1,
        sand_over=False,
    )  # fmt: skip


def dice_words(dice: Sequence[str]) -> str:
    """Dice as a list of words, counted by whoever shows them."""
    return ", ".join(f"@{die}" for die in sorted(dice))


def sand_cues(state: State) -> tuple[Cue, ...]:
    """The sand timer of the turn, where the table wants one."""
    seconds = sand(state.rulings)
    if not seconds or state.sand_over:
        return ()
    return (Wait(Clock("turn", state.turns), seconds),)


def asked(state: State) -> int:
    """How many dice are to be rolled now; 0 while nobody has said which."""
    return DICE if state.phase == "roll" else len(state.marks)


def roll_cues(state: State, size: int) -> tuple[Cue, ...]:
    """The tray, and the same by hand: each die tapped, or rolled by the companion."""
    cues: list[Cue] = [Roll(TRAY, size)]
    if asked(state):
        sides = tuple(dict.fromkeys(rules_dice.faces(state.rulings)))
        back = ("back",) if state.typed else ()
        cues.append(Choose(state.player, "dice", ("by_chance", *sides, *back)))
    if state.lying:
        cues.append(Press(state.player, BID, "cue.rolled"))
    return tuple(cues)


def legal_roll(state: State) -> tuple[Cue, ...]:
    """Five dice."""
    return (*roll_cues(state, DICE), *play_cues(state), *sand_cues(state), *late_cues(state))


def apply_roll(state: State, move: Move) -> Step[State] | Refusal:
    """The first roll; until it, a card that the player before has thrown may still be seen."""
    if isinstance(move, Shown) and move.zone == DISCARD and late_cues(state):
        return late_throw(state, move)
    got = rolled(state, move, DICE)
    if isinstance(got, Refusal | Step):
        return got
    cup = rules_dice.roll(Cup(state.hands[state.player]), got, state.rulings)
    return cup if isinstance(cup, Refusal) else _decided(state, cup, "did.rolled")


def rolled(state: State, move: Move, size: int) -> tuple[str, ...] | Step[State] | Refusal:
    """The faces rolled, all of them known; or what the move does on the way there."""
    if isinstance(move, Rolled):
        return _read(state, move.faces, size)
    if isinstance(move, Pressed) and move.button == BID and move.player == state.player and state.lying:
        return state.lying
    if isinstance(move, Chosen) and move.cue == "dice":
        return _typed(state, move, size)
    if isinstance(move, Pressed) and move.player == state.player:
        return Refusal("KARN-DIC-01", "roll_first", {"name": state.player})
    return NOT_NOW


def _read(state: State, seen: tuple[str, ...], size: int) -> tuple[str, ...] | Step[State] | Refusal:
    """What lies in the tray: fewer dice mean that they are being rolled; a full set is a roll, or the old one."""
    sides = rules_dice.faces(state.rulings)
    strange = next((die for die in seen if die not in sides), None)
    if strange is not None:
        return Refusal("KARN-CMP-08", "unknown_face", {"face": f"@{strange}"})
    if len(seen) > size:
        values = {"count": len(seen), "need": size}
        untouched = state.cup.dice and not Counter(state.cup.dice) - Counter(seen)  # that is no news
        return Refusal("KARN-CMP-07", "five_dice", values, aloud=not untouched)
    if len(seen) < size:
        if state.lifted and Counter(seen) == Counter(state.tray):
            return SAME
        return step(state, Say("did.lifted"), lifted=True, tray=seen, lying=())
    if state.lifted or (state.phase != "roll" and Counter(seen) != Counter(state.cup.dice)):
        return seen
    if Counter(seen) == Counter(state.lying):
        return SAME
    return step(state, Say("did.lying"), tray=seen, lying=seen)


def _typed(state: State, move: Chosen, size: int) -> tuple[str, ...] | Step[State] | Refusal:
    """One die tapped, taken back, or all that are missing rolled by the companion."""
    need, sides = asked(state), rules_dice.faces(state.rulings)
    if not need:
        return Refusal("KARN-AMB-20", "choose_dice", {"name": state.player})
    if move.option == "back":
        return step(state, Say("did.back"), typed=state.typed[:-1])
    typed, luck = state.typed, state.luck
    if move.option == "by_chance":
        while len(typed) < need:
            number, luck = luck.below(len(sides))
            typed = (*typed, sides[number])
    elif move.option in sides:
        typed = (*typed, move.option)
    else:
        return Refusal("KARN-CMP-08", "unknown_face", {"face": move.option})
    if len(typed) < need:
        return step(state, Say("did.typed", {"die": f"@{move.option}"}), typed=typed, luck=luck)
    kept = [die for place, die in enumerate(state.cup.dice) if place not in state.marks]
    typed = (*(kept if need < size else ()), *typed)
    return step(state, state.did, phase=f"{state.phase}_done", typed=typed, luck=luck)


def enter_done(state: State) -> Step[State]:
    """All dice were tapped or rolled by the companion: as if they had been read."""
    phase = state.phase.removesuffix("_done")
    before, got = replace(state, phase=phase, typed=()), state.typed
    first = Cup(state.hands[state.player])
    cup = rules_dice.roll(first, got, state.rulings) if phase == "roll" else again(before, got)
    assert isinstance(cup, Cup), "tapped dice are dice of this table, as many as were asked"
    return _decided(before, cup, "did.rolled")


def _decided(state: State, cup: Cup, did: str) -> Step[State]:
    """The dice lie: ask for the next decision, or go on where none is left."""
    cup = replace(cup, dice=tuple(sorted(cup.dice)))
    words = dice_words(cup.dice)
    said = Say("say.rolled", {"dice": words})
    phase = "locked" if cup.locked else "decide"
    return step(
        state, Say(did, {"name": state.player, "dice": words}), said, phase=phase, cup=cup, marks=(), typed=(),
        tray=cup.dice, lying=(), lifted=False,
    )  # fmt: skip


def enter_decide(state: State) -> Step[State] | None:
    """The last card was played away: no re-roll can be paid any more, so the dice are locked."""
    if state.hands[state.player] > 0 or (state.cup.paid == 0 and ruled(state, 25, "accepts_first")):
        return None
    return Step(replace(state, phase="locked", cup=replace(state.cup, locked=True)))


def legal_decide(state: State) -> tuple[Cue, ...]:
    """Accept the dice, or say which go again and pay a card: shown on the discard pile, or told."""
    options = ["accept"]
    cues: list[Cue] = [Press(state.player, BID, "cue.accept")]
    if state.hands[state.player] > 0:
        options += ["pay", *_dice_options(state)]
        if ruled(state, 16, "face_up"):
            cues.append(Show(DISCARD, Expect(1, hand_faces(state))))
    return (Choose(state.player, "reroll", tuple(options)), *cues, *play_cues(state), *sand_cues(state))


def _dice_options(state: State) -> list[str]:
    return [f"{place}:{die}" for place, die in enumerate(state.cup.dice, start=1)]


def apply_decide(state: State, move: Move) -> Step[State] | Refusal:
    """A die is marked, a card is paid, or the dice are accepted."""
    cup = replace(state.cup, hand=state.hands[state.player])
    if isinstance(move, Pressed) and move.button == BID and move.player == state.player:
        return _accepted(state, cup)
    if isinstance(move, Shown) and move.zone == DISCARD:
        if ruled(state, 16, "face_down"):
            return Refusal("KARN-AMB-16", "paid_face_down", {"name": state.player})
        return _shown_payment(state, cup, move)
    if not isinstance(move, Chosen) or move.cue != "reroll":
        return Refusal("KARN-DIC-04", "dice_first", {"name": state.player}, aloud=False)
    if move.option == "accept":
        return _accepted(state, cup)
    if move.option == "pay":
        return rules_dice.may_reroll(cup) or _paid(state, None)
    return marked(state, move.option, _dice_options(state))


def marked(state: State, option: str, options: Sequence[str]) -> Step[State] | Refusal:
    """A die is marked to be rolled again, or no longer."""
    if option not in options:
        return Refusal("KARN-DIC-02", "bad_die_index", {"count": len(options)})
    place = list(options).index(option)
    marks = tuple(m for m in state.marks if m != place) if place in state.marks else (*state.marks, place)
    return step(state, Say("did.marked", {"count": len(marks)}), marks=tuple(sorted(marks)), typed=())


def _accepted(state: State, cup: Cup) -> Step[State] | Refusal:
    done = rules_dice.accept(cup)
    if isinstance(done, Refusal):
        return done
    return step(state, Say("did.accepted", {"name": state.player}), phase="locked", cup=done, marks=())


def _shown_payment(state: State, cup: Cup, move: Shown) -> Step[State] | Refusal:
    new = discard_new(state, move.cards)
    if isinstance(new, Refusal | Step):
        return new
    return rules_dice.may_reroll(cup, len(new)) or _paid(state, new[0])


def _paid(state: State, card: CardId | None) -> Step[State]:
    """A card is on the discard pile; now the dice are rolled again."""
    player = state.player
    hands = {**state.hands, player: state.hands[player] - 1}
    said = (
        Say("say.reroll", {"name": player, "count": len(state.marks)})
        if state.marks
        else Say("say.which_dice")
    )
    did = Say("did.paid", {"name": player})
    return step(
        state, did, said, phase="reroll", hands=hands, typed=(), lying=(), lifted=False,
        discarded=(*state.discarded, *([card] if card else [])), blind=state.blind + (card is None),
        counts=counted(state, "rerolls", player),
    )  # fmt: skip


def legal_reroll(state: State) -> tuple[Cue, ...]:
    """The tray, or the marked dice by hand; until they lie it may still be said which."""
    wasted = ("none",) if ruled_waste(state) else ()
    which = Choose(state.player, "again", (*_dice_options(state), *wasted))
    return (*roll_cues(state, DICE), which, *play_cues(state), *sand_cues(state))


def ruled_waste(state: State) -> bool:
    """Whether at this table a card may be paid for nothing."""
    return state.rulings.get("KARN-AMB-20") == "card_may_be_wasted"


def apply_reroll(state: State, move: Move) -> Step[State] | Refusal:
    """The dice are rolled again; those not marked must have stayed."""
    if isinstance(move, Chosen) and move.cue == "again":
        if move.option == "none" and ruled_waste(state):
            return _decided(state, _locked_without_cards(state), "did.rolled")
        return marked(state, move.option, _dice_options(state))
    got = rolled(state, move, DICE)
    if isinstance(got, Refusal | Step):
        return got
    cup = again(state, got)
    return cup if isinstance(cup, Refusal) else _decided(state, cup, "did.rolled")


def _locked_without_cards(state: State) -> Cup:
    hand = state.hands[state.player]
    return replace(state.cup, hand=hand, paid=state.cup.paid + 1, locked=hand == 0)


def again(state: State, got: Sequence[str]) -> Cup | Refusal:
    """The dice after a re-roll: which were rolled is known from the marks, else all may have been."""
    cup = replace(state.cup, hand=state.hands[state.player] + 1)  # the card is paid already
    marks = state.marks or tuple(range(len(cup.dice)))
    kept = Counter(die for place, die in enumerate(cup.dice) if place not in marks)
    lost = kept - Counter(got)
    if lost:
        return Refusal("KARN-DIC-02", "dice_kept", {"dice": dice_words(tuple(lost.elements()))})
    return rules_dice.reroll(cup, marks, tuple((Counter(got) - kept).elements()), state.rulings)


def enter_locked(state: State) -> Step[State]:
    """The dice are locked: skulls first, where there are any."""
    after = replace(state, pool=rules_dice.counted(state.cup.dice), phase="skulls", marks=(), left=())
    count = after.pool.get("skull", 0)
    if not count:
        return Step(after)
    places = skull_places(after.bears, turn_of(after), after.rulings)
    said = Say("say.skulls", {"name": state.player, "count": count}) if places else Say("say.no_skull_place")
    return Step(after, (said,))
