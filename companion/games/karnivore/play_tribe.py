"""The tribe phase: skulls first, then cards, dice, crowns, spears and hunts in any order (KARN-TRI, SKU, USE)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.karnivore import rules_hunt, rules_tribe
from companion.games.karnivore.play_card import backstab, cleared, effects, play_cues, play_new
from companion.games.karnivore.play_dice import sand_cues
from companion.games.karnivore.play_hunt import ask_hunt, declare
from companion.games.karnivore.play_place import shown, took
from companion.games.karnivore.rules_dice import symbols
from companion.games.karnivore.rules_setup import PLACED, TRIBE
from companion.games.karnivore.state import (
    PLAY,
    State,
    Todo,
    counted,
    face,
    lefts,
    row,
    ruled,
    token,
    told,
    tribe_zone,
    turn_of,
    untoken,
    wanted,
    with_turn,
    workbears,
)
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, CardId, Player, Words


def enter_skulls(state: State) -> Step[State] | None:
    """The skull step ends when no skull is left or nobody can take one."""
    if rules_tribe.skull_places(state.bears, turn_of(state), state.rulings):
        return None
    spare = state.pool.get("skull", 0)
    if spare and ruled(state, 10, "cost_a_card"):
        lost = min(spare, state.hands[state.player])
        hands = {**state.hands, state.player: state.hands[state.player] - lost}
        pool = {die: count for die, count in state.pool.items() if die != "skull"}
        said = Say("say.skull_cards", {"name": state.player, "count": lost})
        after = replace(
            state, phase="tribe", skulls_over=True, hands=hands, blind=state.blind + lost, pool=pool
        )
        return Step(after, (said,) if lost else ())
    return Step(replace(state, phase="tribe", skulls_over=True))


def legal_skulls(state: State) -> tuple[Cue, ...]:
    """Where the next skull may go."""
    places = rules_tribe.skull_places(state.bears, turn_of(state), state.rulings)
    spare = ("spare",) if ruled(state, 22, "may_spare") else ()
    options = (*(token(card) for card in places), *spare)
    return Choose(state.player, "skull", options), *play_cues(state), *sand_cues(state)


def apply_skulls(state: State, move: Move) -> Step[State] | Refusal:
    """A skull lies on a card: it activates it or blocks it."""
    if not isinstance(move, Chosen) or move.cue != "skull":
        loud = isinstance(move, Pressed) and move.player == state.player
        return Refusal("KARN-SKU-02", "skulls_first", {"count": state.pool.get("skull", 0)}, loud)
    if move.option == "spare" and ruled(state, 22, "may_spare"):
        return _spared(state)
    return _assigned(state, "skull", told(move.option), "skulls")


def _spared(state: State) -> Step[State]:
    """By another ruling a skull may be left out: it lies aside, unused."""
    pool = {die: left for die, n in state.pool.items() if (left := n - (die == "skull"))}
    return step(state, Say("did.spared"), pool=pool)


def _assigned(state: State, die: str, card: CardId, resume: str) -> Step[State] | Refusal:
    """A die on a card, and the effect at once."""
    turn = rules_tribe.assign(state.bears, turn_of(state), die, card, state.rulings)
    if isinstance(turn, Refusal):
        return turn
    values: Words = {"name": state.player, "die": f"@{die}", "card": face(state, card)}
    after = with_turn(state, turn)
    if card in turn.skulled:
        after = replace(after, counts=counted(state, "skulled", state.player))
        return step(after, Say("did.blocked", values), Say("say.blocked", values), phase=resume)
    gained = turn.spears - state.spears
    said = [Say("say.activated", values)]
    if gained:
        said.append(Say("say.spears", {"name": state.player, "card": face(state, card), "count": gained}))
    return step(after, Say("did.assigned", values), *said, **effects(after, state.player, card, resume))


def dice_ways(state: State) -> tuple[str, ...]:
    """Every die that a card of the tribe would take now."""
    turn = turn_of(state)
    return tuple(
        f"{die}:{token(card)}"
        for die in state.pool
        if die != "skull"
        for card in turn.cards
        if rules_tribe.cannot_take(state.bears, turn, die, card, state.rulings) is None
    )


def reopened(state: State) -> tuple[str, ...]:
    """Skulls that may be placed again, by the ruling that a card which comes later reopens the step."""
    if not ruled(state, 23, "reopens"):
        return ()
    places = rules_tribe.skull_places(state.bears, turn_of(state), state.rulings)
    return tuple(f"skull:{token(card)}" for card in places)


def ways(state: State) -> tuple[str, ...]:
    """All that the player may do by a word: dice on cards, spears aside, two crowns, a hunt, the end."""
    skulls = reopened(state)
    if skulls:
        return (*skulls, "spare") if ruled(state, 22, "may_spare") else skulls
    options = list(dice_ways(state))
    if any("spear" in symbols(die) for die in state.pool):
        options.append("aside")
    if state.pool.get("card"):
        options.append("card")  # a face of the second edition: assumed to draw a card
    if state.pool.get("crown", 0) >= 2 and stealable(state):
        options.append("crowns")
    if can_hunt(state):
        options.append("hunt")
    if ruled(state, 3, "rerolls_any_time") and state.hands[state.player] and state.pool:
        options.append("reroll")
    return (*options, "end")


def can_hunt(state: State) -> bool:
    """Whether spears and workbears suffice for the next dish."""
    want = wanted(state, state.player)
    enough = state.spears >= rules_hunt.spears_needed(state.rulings)
    return bool(want) and enough and not rules_hunt.missing(want, workbears(state, state.player))


def stealable(state: State) -> tuple[str, ...]:
    """The koalas of all other tribes, for two crowns."""
    if len(state.tribes[state.player]) >= TRIBE and ruled(state, 15, "not_into_a_full_tribe"):
        return ()
    return tuple(
        f"{player}:{token(card)}" for player in state.order if player != state.player
        for card in state.tribes[player]
    )  # fmt: skip


def legal(state: State) -> tuple[Cue, ...]:
    """Cards into the tribe, cards on the hunt place, every way to use dice; a press ends the turn."""
    placed = tuple(dict.fromkeys(c.face for c in state.deck.cards if c.kind in PLACED))
    expect = Expect(None, placed, row(state, state.player), first=lefts(state))
    cues: list[Cue] = [Choose(state.player, "act", ways(state))]
    cues.append(Show(tribe_zone(state, state.player), expect))
    if not reopened(state):
        cues.append(Press(state.player, BID, "cue.end_turn"))
    return (*cues, *play_cues(state), *sand_cues(state))


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """One action of the tribe phase."""
    if isinstance(move, Shown) and move.zone == tribe_zone(state, state.player):
        return shown(state, move.cards)
    if isinstance(move, Shown) and move.zone == PLAY:
        return _staged(state, move)
    if isinstance(move, Pressed):
        if move.player != state.player or move.button != BID:
            return Refusal("KARN-TRN-02", "not_your_turn", {"name": move.player, "turn": state.player})
        return _end(state)
    if not isinstance(move, Chosen) or move.cue != "act":
        return Refusal("KARN-TRI-01", "not_waited_for", aloud=False)
    return _done(state, move.option)


def _done(state: State, option: str) -> Step[State] | Refusal:
    """What was chosen: a word, or a die and a card."""
    turn = turn_of(state)
    if option == "end":
        return _end(state)
    if option == "aside":
        after = rules_tribe.set_aside(state.bears, turn, 1, state.rulings)
        if isinstance(after, Refusal):
            return after
        did = Say("did.aside", {"name": state.player, "count": after.spears})
        return step(with_turn(state, after), did, Say("say.aside", {"count": after.spears}))
    if option == "spare" and option in ways(state):
        return _spared(state)
    waits = rules_tribe.skulls_wait(state.bears, turn, state.rulings)
    if waits is not None and not option.startswith("skull:"):
        return waits
    if option == "crowns" and option in ways(state):
        return step(state, Say("did.crowns"), Say("say.crowns", {"name": state.player}), phase="crowns")
    if option == "hunt":
        return ask_hunt(state)
    if option in ("card", "reroll") and option in ways(state):
        return _card_face(state) if option == "card" else _paid_again(state)
    die, _, rest = option.partition(":")
    if not rest or told(rest) not in state.deck.by_id:
        return Refusal("KARN-TRI-01", "not_possible", {"option": option})
    return _assigned(state, die, told(rest), "tribe")


def _card_face(state: State) -> Step[State]:
    """The second edition's card face: assumed to draw a card."""
    pool = {die: left for die, n in state.pool.items() if (left := n - (die == "card"))}
    todo = (_todo(state, "draw", 1),)
    after = replace(state, pool=pool, todo=todo, resume="tribe", skulls_over=True)
    return step(after, Say("did.card_face", {"name": state.player}), phase="effect")


def _paid_again(state: State) -> Step[State]:
    """By the ruling that dice may be rolled again at any time: a card is paid for it."""
    player = state.player
    hands = {**state.hands, player: state.hands[player] - 1}
    after = replace(
        state, hands=hands, blind=state.blind + 1, todo=(_todo(state, "reroll", 5),), resume="tribe",
        counts=counted(state, "rerolls", player),
    )  # fmt: skip
    return step(after, Say("did.paid", {"name": player}), phase="effect")


def _todo(state: State, kind: str, n: int) -> Todo:
    return Todo(kind, n, state.player, state.kings[state.player])


def _end(state: State) -> Step[State] | Refusal:
    """The turn ends, unless a skull can still be placed."""
    waits = rules_tribe.skulls_wait(state.bears, turn_of(state), state.rulings)
    if waits is not None:
        return waits
    return step(state, Say("did.ended", {"name": state.player}), phase="sweep")


def _staged(state: State, move: Shown) -> Step[State] | Refusal:
    """The hunt place was seen: own workbears declare a hunt, anything else is a card from hand."""
    waits = rules_tribe.skulls_wait(state.bears, turn_of(state), state.rulings)
    mine = tuple(card for card in move.cards if card in state.tribes[state.player])
    if mine and waits is None:
        if set(mine) <= set(state.stage):
            return cleared(state, move.cards)
        if play_new(state, tuple(card for card in move.cards if card not in mine)):
            return Refusal("KARN-BAC-04", "one_after_the_other", {"count": len(move.cards)})
        return declare(replace(state, stage=move.cards), mine)
    return backstab(state, move)


def legal_crowns(state: State) -> tuple[Cue, ...]:
    """Which koala comes over, for two crowns."""
    return (Choose(state.player, "crowns", (*stealable(state), "back")),)


def apply_crowns(state: State, move: Move) -> Step[State] | Refusal:
    """A koala of another tribe, or none after all."""
    if not isinstance(move, Chosen) or move.cue != "crowns" or move.player != state.player:
        return Refusal("KARN-USE-03", "choose_koala", {"name": state.player}, isinstance(move, Pressed))
    if move.option == "back":
        return step(state, Say("did.back"), phase="tribe")
    card = untoken(move.option)
    return took(state, Player(move.option.removesuffix(f":{token(card)}")), card)
