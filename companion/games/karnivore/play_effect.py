"""A card's effect, one thing after the other: what the companion can book it books, the rest people answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.games.karnivore import rules_dice
from companion.games.karnivore.play_card import discard_new, hand_faces
from companion.games.karnivore.play_dice import dice_words, marked, roll_cues, rolled
from companion.games.karnivore.rules_setup import TRIBE
from companion.games.karnivore.rules_tribe import added_to
from companion.games.karnivore.state import (
    DISCARD,
    Guest,
    State,
    Todo,
    counted,
    face,
    pile_draw,
    row,
    ruled,
    taken_from,
    token,
    told,
    tribe_zone,
    untoken,
)
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, CardId, Player, Words


def enter(state: State) -> Step[State] | None:
    """Book what needs no answer; the effect is over when nothing is left."""
    if not state.todo:
        done = () if state.played is None else (state.played,)
        return Step(
            replace(state, phase=state.resume, resume="", played=None, discarded=(*state.discarded, *done))
        )
    todo = state.todo[0]
    rest = replace(state, todo=state.todo[1:])
    values: Words = {"name": todo.player, "card": face(state, todo.card), "count": todo.n}
    if todo.kind == "spears":
        more = todo.n if todo.player == state.player else 0
        return Step(replace(rest, spears=state.spears + more), (Say("say.spears", values),))
    if todo.kind == "draw":
        return pile_draw(rest, todo.player, todo.n)
    if todo.kind == "protect":
        return Step(replace(rest, protected=state.protected | {todo.player}), (Say("say.protected", values),))
    if not possible(state, todo):
        return Step(rest, (Say("say.no_effect", values),))
    if todo.kind == "reroll" and state.free == 0:
        return Step(replace(state, free=todo.n, marks=(), lifted=False, lying=()), (Say("say.free", values),))
    return None


def possible(state: State, todo: Todo) -> bool:
    """Whether a part of an effect can do anything at all."""
    if todo.kind == "discard":
        return state.hands[todo.player] > 0
    if todo.kind == "steal_card":
        return bool(victims(state, todo))
    if todo.kind == "move_koala":
        return bool(movable(state, todo))
    if todo.kind == "reroll":
        by_book = ruled(state, 14, "rulebook_wins")
        return todo.player == state.player and bool(state.pool) and not by_book
    return True


def victims(state: State, todo: Todo) -> tuple[str, ...]:
    """From whose hand a card may be stolen."""
    return tuple(
        player
        for player in state.order
        if player != todo.player and state.hands[player] > 0 and player not in state.protected
    )


def movable(state: State, todo: Todo) -> tuple[str, ...]:
    """Which koalas may come over: of all other tribes that are not protected."""
    return tuple(
        f"{player}:{token(card)}"
        for player in state.order
        if player != todo.player and player not in state.protected
        for card in state.tribes[player]
    )


def legal(state: State) -> tuple[Cue, ...]:
    """The question that the effect asks."""
    todo = state.todo[0]
    player = todo.player
    if todo.kind == "steal_card":
        return (Choose(player, "steal_card", (*victims(state, todo), "none")),)
    if todo.kind == "move_koala":
        return (Choose(player, "move_koala", (*movable(state, todo), "none")),)
    if todo.kind == "discard":
        return Show(DISCARD, Expect(owed(state, todo), hand_faces(state))), Press(
            player, BID, "cue.discarded"
        )
    if todo.kind == "reroll":
        size = sum(state.pool.values())
        again = Choose(player, "again", (*pool_options(state), "none"))
        return (*roll_cues(pooled(state), size), again)
    return Press(player, BID, "cue.done"), Choose(player, "other", ("done",))


def owed(state: State, todo: Todo) -> int:
    """How many cards are still to be discarded for an effect."""
    return min(todo.n, state.hands[todo.player])


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The answer to the effect's question."""
    answers: dict[str, Callable[[State, Todo, Move], Step[State] | Refusal]] = {
        "steal_card": _steal, "move_koala": _move, "discard": _discard, "reroll": _reroll, "other": _other,
    }  # fmt: skip
    todo = state.todo[0]
    if isinstance(move, Chosen | Pressed) and move.player != todo.player:
        return Refusal("KARN-ASS-02", "effect_first", {"name": todo.player, "card": face(state, todo.card)})
    return answers[todo.kind](state, todo, move)


def _asks(state: State, todo: Todo) -> Refusal:
    values: Words = {"name": todo.player, "card": face(state, todo.card)}
    return Refusal("KARN-ASS-02", "effect_first", values, aloud=False)


def _steal(state: State, todo: Todo, move: Move) -> Step[State] | Refusal:
    """One card of a hand into another, unseen."""
    if not isinstance(move, Chosen) or move.cue != "steal_card":
        return _asks(state, todo)
    if move.option == "none":
        return _over(state, Say("did.declined", {"name": todo.player}))
    if move.option not in victims(state, todo):
        return Refusal("KARN-ASS-02", "not_possible", {"option": move.option})
    victim, hands = Player(move.option), dict(state.hands)
    hands[victim] -= 1
    hands[todo.player] += 1
    values: Words = {"name": todo.player, "other": victim}
    after = replace(state, hands=hands, counts=counted(state, "stolen", todo.player))
    return _over(after, Say("did.stole_card", values), Say("say.stole_card", values))


def _move(state: State, todo: Todo, move: Move) -> Step[State] | Refusal:
    """A koala changes its tribe; a full tribe makes room first."""
    if not isinstance(move, Chosen) or move.cue != "move_koala":
        return _asks(state, todo)
    if move.option == "none":
        return _over(state, Say("did.declined", {"name": todo.player}))
    if move.option not in movable(state, todo):
        return Refusal("KARN-ASS-02", "not_possible", {"option": move.option})
    card = untoken(move.option)
    victim = Player(move.option.removesuffix(f":{token(card)}"))
    after = replace(taken_from(state, victim, card), counts=counted(state, "stolen", todo.player))
    values: Words = {"name": todo.player, "other": victim, "card": face(state, card)}
    return joined(
        replace(after, todo=state.todo[1:]), todo.player, card, "effect", Say("did.moved", values),
        Say("say.moved", values),
    )  # fmt: skip


def joined(state: State, player: Player, card: CardId, back: str, did: Say, *says: Say) -> Step[State]:
    """A koala comes to a tribe, as the eighth only once another has gone."""
    if len(state.tribes[player]) >= TRIBE:
        room = Say("say.room", {"name": player, "card": face(state, card)})
        return step(state, did, *says, room, phase="room", guest=Guest(player, card, back))
    tribes = {**state.tribes, player: (*state.tribes[player], card)}
    return step(state, did, *says, phase=back, tribes=tribes)


def legal_room(state: State) -> tuple[Cue, ...]:
    """Who controls the tribe says which koala goes, or takes it away."""
    assert state.guest is not None, "a koala waits before a full tribe"
    player, card = state.guest.player, state.guest.card
    return (
        Choose(player, "remove", tuple(token(each) for each in removable(state))),
        Show(tribe_zone(state, player), Expect(None, (), row(state, player, card))),
    )


def removable(state: State) -> tuple[CardId, ...]:
    """Which koalas may go: none under a skull, and the new one only by another ruling."""
    assert state.guest is not None, "a koala waits before a full tribe"
    koalas = state.tribes[state.guest.player]
    new = (state.guest.card,) if ruled(state, 24, "the_new_one_too") else ()
    return (*(card for card in koalas if card not in state.skulled), *new)


def apply_room(state: State, move: Move) -> Step[State] | Refusal:
    """The eighth koala takes the place of one."""
    guest = state.guest
    assert guest is not None, "a koala waits before a full tribe"
    koalas = state.tribes[guest.player]
    if isinstance(move, Shown) and move.zone == tribe_zone(state, guest.player):
        gone = [card for card in (*koalas, guest.card) if card not in move.cards]
        if len(gone) != 1:
            values: Words = {"name": guest.player, "count": TRIBE}
            return Refusal("KARN-PLA-08", "eighth_needs_removal", values, aloud=len(gone) > 1)
        remove = gone[0]
    elif isinstance(move, Chosen) and move.cue == "remove" and move.player == guest.player:
        remove = told(move.option)
    else:
        return Refusal("KARN-PLA-08", "room_first", {"name": guest.player}, aloud=isinstance(move, Chosen))
    added = added_to(koalas, guest.card, state.skulled, state.rulings, remove)
    if isinstance(added, Refusal):
        return added
    after = taken_from(state, guest.player, remove)
    values = {"name": guest.player, "card": face(state, remove)}
    return step(
        after, Say("did.made_room", values), Say("say.made_room", values), phase=guest.back, guest=None,
        tribes={**after.tribes, guest.player: added}, discarded=(*state.discarded, remove),
        left=(*state.left, remove),
    )  # fmt: skip


def _discard(state: State, todo: Todo, move: Move) -> Step[State] | Refusal:
    """Hand cards on the discard pile, shown or only told."""
    count = owed(state, todo)
    seen: tuple[CardId, ...] = ()
    if isinstance(move, Shown) and move.zone == DISCARD:
        new = discard_new(state, move.cards)
        if isinstance(new, Refusal | Step):
            return new
        if len(new) != count:
            return Refusal(
                "KARN-BAC-04", "discard_count", {"name": todo.player, "count": len(new), "need": count}
            )
        seen = new
    elif not isinstance(move, Pressed) or move.button != BID:
        return _asks(state, todo)
    hands = {**state.hands, todo.player: state.hands[todo.player] - count}
    after = replace(
        state, hands=hands, discarded=(*state.discarded, *seen), blind=state.blind + count - len(seen),
        looked=True,
    )  # fmt: skip
    return _over(after, Say("did.discarded", {"name": todo.player, "count": count}))


def pool_options(state: State) -> tuple[str, ...]:
    """The dice not yet used, as answers."""
    return tuple(f"{place}:{die}" for place, die in enumerate(_pool_dice(state), start=1))


def _pool_dice(state: State) -> tuple[str, ...]:
    return tuple(die for die, count in sorted(state.pool.items()) for _ in range(count))


def pooled(state: State) -> State:
    """The state with the unused dice in the cup: what a re-roll by an effect works on."""
    return replace(state, cup=replace(state.cup, dice=_pool_dice(state)))


def _reroll(state: State, todo: Todo, move: Move) -> Step[State] | Refusal:
    """Unused dice are rolled once more, as many as the effect allows."""
    size = sum(state.pool.values())
    if isinstance(move, Chosen) and move.cue == "again":
        if move.option == "none":
            return _over(replace(state, free=0, marks=()), Say("did.declined", {"name": todo.player}))
        step_ = marked(state, move.option, pool_options(state))
        if isinstance(step_, Step) and len(step_.state.marks) > state.free:
            return Refusal("KARN-ASS-02", "too_many_dice", {"count": state.free})
        return step_
    got = rolled(pooled(state), move, size)
    if isinstance(got, Step):
        after = got.state
        if not after.phase.endswith("_done"):
            return Step(replace(after, cup=state.cup), got.says)
        got = after.typed
        state = replace(state, luck=after.luck, typed=())
    if isinstance(got, Refusal):
        return got
    return _rolled_again(state, todo, got)


def _rolled_again(state: State, todo: Todo, got: tuple[str, ...]) -> Step[State] | Refusal:
    before = _pool_dice(state)
    kept = [die for place, die in enumerate(before) if place not in state.marks]
    lost = rules_dice.lacking(kept, got) if state.marks else rules_dice.lacking(before, got)[state.free :]
    if lost:
        return Refusal("KARN-DIC-02", "dice_kept", {"dice": dice_words(lost)})
    pool = rules_dice.counted(got)
    words: Words = {"name": todo.player, "dice": dice_words(got)}
    after = replace(state, pool=pool, free=0, marks=(), typed=(), lying=(), lifted=False, tray=got)
    return _over(after, Say("did.rolled", words), Say("say.rolled", {"dice": words["dice"]}))


def _other(state: State, todo: Todo, move: Move) -> Step[State] | Refusal:
    """People did what the card says."""
    done = isinstance(move, Pressed) or (isinstance(move, Chosen) and move.option == "done")
    return _over(state, Say("did.effect", {"card": face(state, todo.card)})) if done else _asks(state, todo)


def _over(state: State, did: Say, *says: Say) -> Step[State]:
    return step(replace(state, todo=state.todo[1:]), did, *says)
