"""What may leave a game of Karnivore Koala: all of it lies open on the table, hands are only counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.games.karnivore import cards, rules_dice, rules_hunt
from companion.games.karnivore.options import mode
from companion.games.karnivore.rules_setup import DICE, DISHES, HAND, TRIBE
from companion.games.karnivore.state import (
    LETTERS,
    State,
    faces,
    shown_back,
    third,
    token,
    tribe_zone,
    wanted,
    workbears,
)
from companion.table.cues import Choose, Press
from companion.table.effects import Say
from companion.table.game import Score, View, Viewer
from companion.table.plain import plain_say, plain_score
from companion.table.things import CardId, Player

Cues = tuple[object, ...]
EARLY = ("starter", "menu", "kings", "deal")


def view(state: State, viewer: Viewer, cues: Cues, score: Score) -> View:
    """The table as plain data. Nothing in it depends on a hand, so every viewer gets the same."""
    del viewer  # the companion never knows a hand
    waiting = dict.fromkeys(cue.player for cue in cues if isinstance(cue, Press | Choose))
    return {
        "game": "karnivore", "phase": state.phase, "round": state.round, "mode": mode(state.rulings),
        "starter": None if state.phase == "starter" else state.order[0],
        "turn": None if state.phase in EARLY else state.player,
        "waiting_for": list(waiting), "players": list(state.setting.players),
        "tribes": [_tribe(state, player) for player in state.order],
        "hands": dict(state.hands), "pile": state.pile, "discard": len(state.discarded) + state.blind,
        "discard_top": state.deck.face(state.discarded[-1]) if state.discarded else None,
        "menu": [_dish(state, place) for place in range(len(DISHES))],
        "third": third(state), "back": shown_back(state), "animals": state.animals,
        "dice": _dice(state), "spears": state.spears, "spears_needed": rules_hunt.spears_needed(state.rulings),
        "needs": [need(state, player) for player in state.order],
        "odds": odds(state), "effect": _effect(state), "leaving": [state.deck.face(c) for c in state.gone],
        "answers": _answers(state), "places": {tribe_zone(state, player): player for player in state.order},
        "counts": {what: dict(line) for what, line in state.counts.items()},
        "prompt": plain_say(prompt(state)), "did": plain_say(state.did),
        "score": None if state.winner is None else plain_score(score),
    }  # fmt: skip


def _tribe(state: State, player: Player) -> dict[str, object]:
    """A tribe: workbears left of the king, the others right of it; seven at most."""
    koalas, king = state.tribes[player], state.kings.get(player)
    left = [card for card in koalas if state.bears[card].kind == "workbear"]
    right = [card for card in koalas if card not in left]
    return {
        "player": player, "place": LETTERS[state.order.index(player)],
        "king": None if king is None else _card(state, king),
        "left": [_card(state, card) for card in left], "right": [_card(state, card) for card in right],
        "free": TRIBE - len(koalas), "protected": player in state.protected,
        "hunted": [state.deck.face(animal) for animal in state.hunted[player]],
        "progress": len(state.hunted[player]),
    }  # fmt: skip


def _card(state: State, card: CardId) -> dict[str, object]:
    bear = state.bears[card]
    facts: Mapping[str, Any] = state.deck.facts.get(state.deck.face(card), {})
    return {
        "id": token(card), "face": state.deck.face(card), "kind": bear.kind, "symbols": list(bear.symbols),
        "most": bear.most, "animals": list(bear.animals), "text": dict(facts.get("effect", {})),
        "dice": list(state.dice.get(card, ())), "skull": card in state.skulled, "leaves": card in state.gone,
    }  # fmt: skip


def _dish(state: State, place: int) -> dict[str, object]:
    animal = state.menu[place]
    return {
        "dish": DISHES[place], "animal": None if animal is None else state.deck.face(animal),
        "symbols": [] if animal is None else list(cards.front(state.deck, animal)),
        "third": place == 1 or mode(state.rulings) == "expert",
    }  # fmt: skip


def _dice(state: State) -> dict[str, object]:
    """The five dice: all while they may be rolled, then those not used yet."""
    rolling = state.phase in ("roll", "decide", "reroll")
    lying = list(state.cup.dice) if rolling else [d for d, n in sorted(state.pool.items()) for _ in range(n)]
    used = [die for taken in state.dice.values() for die in taken]
    return {
        "lying": lying, "marked": list(state.marks), "typed": list(state.typed), "used": used,
        "locked": not rolling, "seen": list(state.tray if rolling else ()),
    }  # fmt: skip


def _answers(state: State) -> dict[str, dict[str, list[str]]]:
    """What was answered of a question so far: dice marked for a re-roll, faces tapped."""
    pool = [f"{place}:{die}" for place, die in enumerate(state.cup.dice, start=1)]
    if state.phase == "effect":
        pool = [f"{place}:{die}" for place, die in enumerate(sorted(Counter(state.pool).elements()), start=1)]
    marked = [pool[place] for place in state.marks if place < len(pool)]
    asked = {"reroll": {"marked": marked}, "again": {"marked": marked}, "dice": {"given": list(state.typed)}}
    return {cue: told for cue, told in asked.items() if any(told.values())}


def need(state: State, player: Player) -> dict[str, object]:
    """What a player needs for the next dish: symbols, which of them lack a workbear, spears."""
    progress = len(state.hunted[player])
    want = wanted(state, player)
    bears = workbears(state, player)
    lacking = rules_hunt.missing(want, bears)
    spears = rules_hunt.spears_needed(state.rulings)
    have = state.spears if player == state.player else 0
    fits = bool(want) and not lacking
    groups = rules_hunt.choices(want, bears) if fits else ()
    return {
        "player": player, "dish": rules_hunt.next_dish(progress), "required": list(want),
        "missing": list(lacking), "symbols_ok": fits, "spears_missing": max(0, spears - have),
        "can_hunt": fits and have >= spears, "with": [state.deck.face(card) for card in (groups or ((),))[0]],
        "may_win": fits and progress + 1 == len(DISHES),
    }  # fmt: skip


def odds(state: State) -> list[dict[str, object]]:
    """Chances in hundredths of a percent: the spears of a hunt, and no skull; with the re-rolls one can pay.

    Faces tapped so far count as rolled. A re-roll under way is paid: dice not marked stay for this roll.
    """
    if state.phase not in ("roll", "decide", "reroll"):
        return []
    spears, hand = rules_hunt.spears_needed(state.rulings), state.hands[state.player]
    stays = _stays(state)
    rolled = DICE - len(stays)
    have = sum("spear" in rules_dice.symbols(die) for die in stays)
    if state.phase != "roll" and have >= spears:
        return []
    told = []
    if state.phase != "decide":
        what = "spears" if state.phase == "roll" else "spears_now"
        told.append(_chance(what, spears, _enough(state, spears - have, rolled, 0, 0)))
    if hand:
        told.append(
            _chance("spears_paid", hand, _enough(state, spears - have, rolled, len(stays) - have, hand))
        )
    if state.phase == "roll":
        clean = 0 if "skull" in stays else 1 - rules_dice.chance(1, rolled, "skull", state.rulings)
        told.append(_chance("no_skull", 0, clean))
    return told


def _stays(state: State) -> tuple[str, ...]:
    """The dice that lie for good in the roll under way: those not marked, and what was tapped of the others."""
    if state.phase == "decide":
        return state.cup.dice
    if state.phase == "roll":
        return state.typed
    marks = state.marks or [
        n for n, die in enumerate(state.cup.dice) if "spear" not in rules_dice.symbols(die)
    ]
    return (*(die for place, die in enumerate(state.cup.dice) if place not in marks), *state.typed)


def _enough(state: State, need: int, rolled: int, missed: int, cards: int) -> Any:
    """The chance of so many spears: `rolled` dice are rolled now, `missed` ones only if a card is paid for it."""

    def most(count: int, dice: int, rerolls: int) -> Any:
        return rules_dice.chance_with(count, dice, rerolls, "spear", state.rulings)

    def exactly(count: int) -> Any:
        return most(count, rolled, cards) - (most(count + 1, rolled, cards) if count < rolled else 0)

    return sum(exactly(n) * most(need - n, missed, cards - 1) for n in range(rolled + 1))


def _chance(what: str, count: int, chance: Any) -> dict[str, object]:
    return {"what": what, "count": count, "chance": round(chance * 10_000)}


def _effect(state: State) -> dict[str, object] | None:
    """The card whose effect is being carried out, with its text."""
    if state.phase != "effect" or not state.todo:
        return None
    todo = state.todo[0]
    card = state.deck.face(todo.card)
    facts: Mapping[str, Any] = state.deck.facts.get(card, {})
    return {
        "player": todo.player, "card": card, "op": todo.kind, "n": todo.n, "text": dict(facts.get("effect", {}))
    }  # fmt: skip


def prompt(state: State) -> Say:
    """What the table should do now, in one sentence."""
    values: dict[str, str | int] = {"name": state.player}
    phase = state.phase
    if phase == "kings":
        values["name"] = ", ".join(player for player in state.order if player not in state.kings)
    elif phase == "reroll":
        values["count"] = len(state.marks)
        return Say("prompt.reroll" if state.marks else "prompt.reroll_any", values)
    elif phase == "skulls":
        values["count"] = state.pool.get("skull", 0)
    elif phase == "tribe":
        values["count"] = state.spears
    elif phase == "effect" and state.todo:
        todo = state.todo[0]
        values = {"name": todo.player, "card": f"@{state.deck.face(todo.card)}", "count": todo.n}
        return Say(f"prompt.effect_{todo.kind}", values)
    elif phase == "room" and state.guest is not None:
        values = {"name": state.guest.player, "card": f"@{state.deck.face(state.guest.card)}"}
    elif phase == "whose" and state.played is not None:
        values["card"] = f"@{state.deck.face(state.played)}"
    elif phase in ("clear", "sweep"):
        values["cards"] = faces(state, state.gone)
    elif phase == "refill":
        values["dish"] = "-" if state.place is None else f"@{DISHES[state.place]}"
    elif phase in ("keep", "draw"):
        values["count"] = state.drawn if phase == "draw" else max(0, HAND - state.hands[state.player])
    elif phase == "over":
        values = {"names": str(state.winner)}
    return Say(f"prompt.{phase}", values)
