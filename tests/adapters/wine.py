"""Wine's rule cases: each kind of case mapped to rule functions, their answers to the keys of `expect`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games.wine import rules_black, rules_deck, rules_hand, rules_turn
from companion.games.wine.options import EXTENSION, settle_options
from companion.games.wine.rules_glasses import Done, Table, winner
from companion.table.game import Refusal
from companion.table.things import Player

Given = Mapping[str, Any]
Event = Mapping[str, Any]
Events = Sequence[Event]
Answer = dict[str, Any] | Refusal
UNORDERED: set[str] = set()


def rulings(given: Given) -> Mapping[str, object]:
    """The table's rulings; a wrong one is a mistake in the case."""
    settled = settle_options(given.get("options", {}))
    assert not isinstance(settled, Refusal), settled
    return settled


def _unknown(event: Event) -> ValueError:
    return ValueError(f"unknown event {event.get('e')!r} in {dict(event)!r}")


def setup(given: Given, _: Events) -> Answer:
    """Deck, glasses and the chance of black after the deal."""
    extension = given.get("extension") or {}
    if extension == "all":
        extension = EXTENSION
    elif not isinstance(extension, Mapping):
        extension = Counter(() if extension == "none" else extension)
    variant = bool(given.get("variant_2_3", False))
    glasses = given.get("glasses", given.get("counts", rules_deck.GLASSES))
    served = rules_deck.serve(given["n"], extension, variant, glasses)
    if isinstance(served, Refusal):
        return served
    in_play = served.glasses_each * given["n"] + served.middle
    return {
        "deck": served.pile.cards, "black": served.pile.black, "pct_black": rules_deck.chance(served.pile),
        "hand": rules_deck.HAND, "glasses_each": served.glasses_each, "middle": served.middle,
        "glasses_in_play": in_play, "per_type": served.per_type,
    }  # fmt: skip


# A hand card goes into the middle of the deck; somebody's turn begins: the words that a case may use.
BACK = {"return", "returned", "back", "put_back", "thief_back", "thief_failed", "into_deck"}
BACK |= {"back_to_deck", "back_to_middle", "back_into_deck"}
NEXT = {"turn", "turn_start", "turn_begins", "start_turn", "next_turn", "next"}


def percent(given: Given, events: Events) -> Answer:
    """The chance of black before and after each card."""
    pile = rules_deck.counted(given["deck"], given["black"])
    if isinstance(pile, Refusal):
        return pile
    table = rulings(given)
    chances = [rules_deck.chance(pile, table)]
    for event in events:
        if event["e"] == "draw":
            after = rules_deck.drawn(pile, event["card"], bool(event.get("used", False)))
            if isinstance(after, Refusal):
                return after
            pile = after
        elif event["e"] in BACK:
            pile = rules_deck.returned(pile)
        else:
            raise _unknown(event)
        chances.append(rules_deck.chance(pile, table))
    return {"pct": chances, "deck": pile.cards, "black": pile.black}


def deal(given: Given, events: Events) -> Answer:
    """Cards dealt one by one; black ones go back."""
    dealing = rules_deck.begin_deal(given["players"], given["deck"])
    for event in events:
        after = rules_deck.deal(dealing, event["to"], event["class"])
        if isinstance(after, Refusal):
            return after
        dealing = after
    return {"missing": dealing.missing, "deck": dealing.deck, "black_returned": dealing.black_returned}


def _played(turn: rules_turn.Turn, event: Event) -> rules_turn.Turn | Refusal:
    """A card from hand; a Grape Picker brings one in its stead."""
    after = rules_turn.play(turn, event["card"], bool(event.get("just_picked", False)))
    if isinstance(after, Refusal) or event["card"] != "grape_picker":
        return after
    return replace(after, hand=after.hand + 1)


def turn(given: Given, events: Events) -> Answer:
    """One player's turn, card by card."""
    now = rules_turn.Turn(
        given["hand"], given.get("first_round", given.get("round", 2) == 1), rulings=rulings(given)
    )
    acts: dict[str, Callable[[rules_turn.Turn, Event], rules_turn.Turn | Refusal]] = {
        "play": _played,
        "discard": lambda t, _: rules_turn.discard(t),
        "draw": lambda t, e: rules_turn.draw(t, e["card"], bool(e.get("shown", True))),
        "end": lambda t, _: rules_turn.end(t),
    }
    for event in events:
        if event["e"] not in acts:
            raise _unknown(event)
        then = acts[event["e"]](now, event)
        if isinstance(then, Refusal):
            return then
        now = then
    return {"hand": now.hand, "drawn": now.drawn, "black": list(now.black), "ended": now.ended}


def _spread(given: Given) -> Table:
    """A table as given: counts, who has Vintage, which slot lies under the Ageing card."""
    glasses = {Player(name): count for name, count in given["glasses"].items()}
    order = tuple(Player(name) for name in given.get("order", glasses))
    vintage = frozenset(
        Player(name) for name, kind in given.get("protected", {}).items() if kind == "vintage"
    )
    aged = {Player(name): _slot(slots[0]) for name, slots in given.get("ageing", {}).items() if slots}
    out = tuple(player for player in order if not glasses.get(player))
    return Table(
        order, glasses, given.get("hands", {}), vintage, aged, given.get("middle", 0),
        given.get("eliminated_glasses", 0), out, rulings(given),
    )  # fmt: skip


def _slot(said: Any, absent: Any = 1) -> Any:
    """A slot's number: cases write 2 or "2"."""
    if said is None:
        return absent
    return int(said) if str(said).isdecimal() else said


def _raised(event: Event) -> dict[Player, rules_hand.Raised]:
    return {
        Player(name): rules_hand.Raised(shown.get("t"), shown.get("wine"), _slot(shown.get("slot"), None))
        for name, shown in event.get("reveals", {}).items()
    }


TABLE: dict[str, Callable[[Table, Event], Done | Refusal]] = {
    "thief": lambda t, e: rules_hand.thief(
        t, e["by"], e["wine"], e["target"], _slot(e.get("slot")), e.get("reveal"), e.get("stop_by")
    ),
    "sommelier": lambda t, e: rules_black.sommelier(t, e["by"], e["wine"], e.get("show"), _slot(e.get("slot"), None)),
    "lobbyists": lambda t, e: rules_black.lobbyists(
        t, e["by"], e["wine"], e.get("target"), _slot(e.get("slot")), e.get("reveal"),
        e.get("chosen_by"), _slot(e.get("chosen_slot"), None),
    ),
    "wine_fair": lambda t, e: rules_black.wine_fair(t, e["by"], e.get("shown", {})),
    "farandole": lambda t, e: rules_black.farandole(t, e["by"]),
    "auction": lambda t, e: rules_black.auction(t, e["by"], e.get("offers", {}), e.get("decides")),
    "charity": lambda t, e: rules_hand.charity(
        t, e["by"], e.get("giver"), e.get("to"), _slot(e.get("slot"), None), e.get("giver_chosen_by")
    ),
    "blind_test": lambda t, e: rules_hand.blind_test(
        t, e["by"], e["target"], _slot(e.get("slot")), e["announced"], e.get("reveal")
    ),
    "contest": lambda t, e: rules_hand.contest(t, e["by"], e["wine"], _raised(e)),
    "vintage": lambda t, e: rules_hand.vintage(t, e["by"]),
    "ageing": lambda t, e: rules_hand.ageing(t, e["by"], _slot(e.get("slot"))),
}  # fmt: skip


RETURNS = {"thief": "thieves"}  # whose note "back_to_deck" means a card of another name


def table(given: Given, events: Events) -> Answer:
    """Glasses, hands and who is left after each event in turn."""
    now, notes, back = _spread(given), [], []
    for event in events:
        if event["e"] in NEXT:
            now = rules_hand.vintage_ended(now, event.get("by") or event["player"])
            continue
        if event["e"] not in TABLE:
            raise _unknown(event)
        done = TABLE[event["e"]](now, event)
        if isinstance(done, Refusal):
            return done
        now = done.table
        notes.append(done.note)
        if done.note == "back_to_deck":
            back.append(RETURNS.get(event["e"], event["e"]))
    before = _spread(given).out
    return {
        "glasses": dict(now.glasses), "out": [p for p in now.out if p not in before], "notes": notes,
        "hands": dict(now.hands), "winner": winner(now), "middle": now.middle, "back_to_deck": back,
        "eliminated_glasses": now.lost, "protected": dict.fromkeys(now.vintage, "vintage"),
        "ageing": {player: [str(slot)] for player, slot in now.aged.items()},
    }  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """One kind of case: its rule functions, the words of `given` and of events."""

    answer: Callable[[Given, Events], Answer]
    given: frozenset[str]
    event: frozenset[str] = frozenset()


def _kind(answer: Callable[[Given, Events], Answer], given: str, event: str = "") -> Kind:
    return Kind(answer, frozenset(given.split()) | {"options"}, frozenset(event.split()))


KINDS = {
    "setup": _kind(setup, "n variant_2_3 extension glasses counts"),
    "percent": _kind(percent, "deck black", "e card used shown by target"),
    "deal": _kind(deal, "players deck", "e to class"),
    "turn": _kind(turn, "round first_round hand", "e card just_picked shown by from"),
    "table": _kind(
        table, "glasses order hands protected ageing middle eliminated_glasses variant_2_3",
        "e by player wine target slot reveal stop_by show chosen_by chosen_slot shown offers decides giver to "
        "giver_chosen_by announced reveals",
    ),
}  # fmt: skip
