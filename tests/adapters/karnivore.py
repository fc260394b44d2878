"""Karnivore Koala's rule cases: each kind mapped to rule functions, their answers to the keys of `expect`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from karnivore_words import ENDS, GIVEN, THROWN, events_told, given_told

from companion.games.karnivore import rules_dice, rules_draw, rules_hunt, rules_setup, rules_tribe
from companion.games.karnivore.options import ruled, settle_options
from companion.games.karnivore.rules_setup import DISHES
from companion.games.karnivore.rules_tribe import Bear, Turn
from companion.table.game import Refusal
from companion.table.things import CardId

Given = Mapping[str, Any]
Events = Sequence[Mapping[str, Any]]
Answer = dict[str, Any] | Refusal
KING = CardId("king")
SWITCHES = {  # rulings that the rules call by a name of their own: on, off
    "rerolls_any_time": ("KARN-AMB-03", "rerolls_any_time", "locked"),
    "skulled_workbear_hunts": ("KARN-AMB-05", "skulled_workbear_hunts", "skulled_workbear_rests"),
}


def rulings(given: Given) -> Mapping[str, object]:
    """The table's options; mode, edition, the dice's preset and the switches may stand beside them."""
    beside = {key: given[key] for key in ("mode", "edition", "preset", *SWITCHES) if key in given}
    options: dict[str, object] = {}
    for name, chosen in {**given.get("options", {}), **beside}.items():
        if name in SWITCHES:
            ruling, on, off = SWITCHES[name]
            options[ruling] = on if chosen else off
        else:
            options["KARN-AMB-02" if name == "preset" else name] = chosen
    settled = settle_options(options)
    if isinstance(settled, Refusal):
        raise ValueError(f"given: {settled.code} {dict(settled.values)}")
    return settled


def setup(given: Given, _: Events) -> Answer:
    """What lies ready after the deal."""
    stock = rules_setup.setup(given["n"], rulings(given))
    if isinstance(stock, Refusal):
        return stock
    return {
        "koala_deck": stock.koala_deck, "animal_pile": stock.animal_pile, "kings_in_box": stock.kings_in_box
    }  # fmt: skip


def dice(given: Given, events: Events) -> Answer:
    """A dice phase."""
    cup, agreed = rules_dice.Cup(given["hand"]), rulings(given)
    for event in events:
        cards = event.get("discard", event.get("cards", 1))
        paid = cards if isinstance(cards, int) else len(cards)
        if event["e"] == "roll":
            after = rules_dice.roll(cup, event["dice"], agreed)
        elif event["e"] == "reroll":
            after = rules_dice.reroll(cup, event["which"], event["dice"], agreed, paid)
        else:
            after = rules_dice.accept(cup)
        if isinstance(after, Refusal):
            return after
        cup = after
    return {
        "dice": rules_dice.counted(cup.dice), "hand": cup.hand, "discarded": cup.paid, "locked": cup.locked
    }  # fmt: skip


@dataclass(frozen=True)
class Spread:
    """A tribe phase as a case tells it: the turn, the hand, the other tribes, what was thrown away."""

    bears: Mapping[CardId, Bear]
    turn: Turn
    hand: tuple[CardId, ...]
    others: Mapping[str, tuple[CardId, ...]]
    agreed: Mapping[str, object]
    discard: tuple[CardId, ...] = ()
    activated: tuple[CardId, ...] = ()


def _bear(told: Mapping[str, Any]) -> Bear:
    strange = told.keys() - {"type", "sym", "max", "spears", "animals"}
    if strange:
        raise ValueError(f"a card knows no {sorted(strange)}")
    return Bear(
        told["type"], tuple(told.get("sym", ())), told.get("max"), tuple(told.get("animals", ())),
        told.get("spears", 0),
    )  # fmt: skip


def _spread(given: Given) -> Spread:
    king = {"type": "king", "sym": ["crown"], **given.get("king", {})}
    bears = {name: _bear(told) for name, told in {KING: king, **given.get("cards", {})}.items()}
    others = {player: tuple(cards) for player, cards in given.get("others", {}).items()}
    turn = Turn(tuple(given.get("tribe", ())), KING, dict(given.get("dice", {})))
    return Spread(bears, turn, tuple(given.get("hand", ())), others, rulings(given))


def _remove(event: Mapping[str, Any]) -> CardId | None:
    return event.get("remove")


def _played(table: Spread, event: Mapping[str, Any]) -> Turn | Refusal:
    """What the turn is after one event, or why it is not."""
    bears, turn, agreed = table.bears, table.turn, table.agreed
    kind = event["e"]
    if kind == "skull":
        return rules_tribe.skull(bears, turn, event["on"], agreed)
    if kind == "assign":
        return rules_tribe.assign(bears, turn, event["die"], event["on"], agreed, event.get("source", "die"))
    if kind == "spear":
        return rules_tribe.set_aside(bears, turn, event.get("n", 1), agreed)
    if kind == "two_crowns":
        return rules_tribe.two_crowns(
            bears,
            turn,
            table.others,
            event["from"],
            event["card"],
            agreed,
            remove=_remove(event),
            kings=(KING,),
        )
    if kind in ("place", "backstab") and event["card"] not in table.hand:
        waits = rules_tribe.skulls_wait(bears, turn, agreed) if kind == "place" else None
        return waits or Refusal("KARN-PLA-01", "not_in_hand")
    if kind == "place":
        return rules_tribe.place(
            bears, turn, event["card"], agreed, side=event.get("side"), remove=_remove(event)
        )
    if kind == "backstab":
        return _backstab(table, event["card"])
    assert kind in ENDS, kind
    return rules_tribe.skulls_wait(bears, turn, agreed) or turn


def _backstab(table: Spread, card: CardId) -> Turn | Refusal:
    if table.bears[card].kind != "backstabbear":
        return Refusal("KARN-BAC-03", "not_a_backstabbear")
    waits = rules_tribe.skulls_wait(table.bears, table.turn, table.agreed)
    if waits is not None and ruled(table.agreed, 6, "after_skulls"):
        return waits
    return replace(table.turn, spears=table.turn.spears + table.bears[card].spears)


def _after(table: Spread, turn: Turn, event: Mapping[str, Any]) -> Spread:
    """Hand, discard pile and other tribes after an accepted event."""
    card, hand, discard, others = event.get("card"), table.hand, table.discard, table.others
    if event["e"] in ("place", "backstab"):
        hand = tuple(each for each in hand if each != card)
    if event["e"] == "backstab":
        discard = (*discard, CardId(str(card)))
    if event["e"] == "two_crowns":
        others = {player: tuple(c for c in cards if c != card) for player, cards in others.items()}
    removed = _remove(event)
    if removed is not None:
        discard = (*discard, removed)
    new = tuple(c for c in turn.dice if c not in table.activated)
    return replace(
        table, turn=turn, hand=hand, discard=discard, others=others, activated=(*table.activated, *new)
    )


def tribe(given: Given, events: Events) -> Answer:
    """A tribe phase, to the end of the turn where the case says so."""
    table = _spread(given)
    ends = bool(given.get("end_turn"))
    for event in events:
        turn = _played(table, event)
        if isinstance(turn, Refusal):
            return turn
        table = _after(table, turn, event)
        ends = ends or event["e"] in ENDS
    answer: dict[str, Any] = {}
    if ends:
        waits = rules_tribe.skulls_wait(table.bears, table.turn, table.agreed)
        if waits is not None:
            return waits
        gone = rules_tribe.leaving(table.bears, table.turn, table.agreed)
        answer = {"removed_at_end": list(gone), "king_skull_cleared": KING in table.turn.skulled}
        table = replace(
            table, turn=rules_tribe.without(table.turn, gone), discard=(*table.discard, *gone)
        )  # fmt: skip
    turn = table.turn
    return {
        "tribe": list(turn.koalas), "hand": list(table.hand), "discard": list(table.discard),
        "spears": turn.spears, "activated": list(table.activated), "skulled": list(turn.skulled),
        "dice_left": dict(sorted(turn.pool.items())), "others": {p: list(c) for p, c in table.others.items()},
        **answer,
    }  # fmt: skip


def _front(animal: Any) -> tuple[str, ...]:
    return () if animal is None else tuple(animal["front"])


def _name(animal: Any) -> str | None:
    return None if animal is None else str(animal["name"])


def _back(pile: Sequence[Any]) -> str | None:
    return pile[0]["back"] if pile else None


@dataclass
class Chase:
    """A hunter's table while a case's hunts are declared one after the other."""

    progress: int
    bears: dict[CardId, list[str]]
    spears: int
    menu: dict[str, Any]
    pile: list[Any]
    huntbears: list[CardId]
    skulled: frozenset[str]
    began: str | None  # the pile's back when the turn began
    last: str | None = None  # the back that lay there before
    hunted: list[str] = field(default_factory=list)
    removed: list[CardId] = field(default_factory=list)


def _hunt(chase: Chase, event: Mapping[str, Any], agreed: Mapping[str, object]) -> Refusal | None:
    dish = event["dish"]
    third = rules_hunt.third(_back(chase.pile), chase.last, chase.began, agreed)
    wanted = rules_hunt.required(dish, _front(chase.menu.get(dish)), third, agreed)
    able = rules_hunt.able(chase.bears, chase.skulled, agreed)
    named = {name: able.get(name, ()) for name in event.get("bears", ())}
    use = event.get("use", rules_hunt.sharing(wanted, named))  # bears alone give what is wanted of them
    fault = rules_hunt.declared(
        dish, chase.progress, chase.menu, wanted, able, use, chase.spears, agreed
    )  # fmt: skip
    if fault is not None:
        return fault
    chase.spears = 0 if ruled(agreed, 7, "lost") else chase.spears - rules_hunt.spears_needed(agreed)
    chase.hunted.append(str(_name(chase.menu[dish])))
    chase.progress += 1
    over = chase.progress == len(DISHES)
    if not over or ruled(agreed, 17, "cleaned_up"):
        gone = [name for name, symbols in use.items() if symbols]
        chase.removed += [*gone, *chase.huntbears]
        chase.huntbears = []
        chase.bears = {name: shows for name, shows in chase.bears.items() if name not in gone}
    if not over:
        chase.last = rules_hunt.third(_back(chase.pile), chase.last, None, agreed)
        chase.menu[dish] = chase.pile.pop(0) if chase.pile else None
    return None


def hunt(given: Given, events: Events) -> Answer:
    """One hunt or several in one turn."""
    agreed = rulings(given)
    chase = Chase(
        given.get("progress", 0), dict(given.get("workbears", {})), given.get("spears", 0), dict(given["menu"]),
        list(given.get("animal_pile", ())), list(given.get("activated_huntbears", ())),
        frozenset(given.get("skulled", ())), _back(given.get("animal_pile", ())),
    )  # fmt: skip
    for event in events:
        fault = _hunt(chase, event, agreed)
        if fault is not None:
            return fault
    return {
        "hunted": chase.hunted, "winner": chase.progress == len(DISHES), "removed": chase.removed,
        "spears_left": chase.spears, "next_dish": rules_hunt.next_dish(chase.progress),
        "menu": {dish: _name(animal) for dish, animal in chase.menu.items()},
        "third_symbol": rules_hunt.third(_back(chase.pile), chase.last, None, agreed),
        "workbears": list(chase.bears), "progress": chase.progress,
    }  # fmt: skip


def advise(given: Given, _: Events) -> Answer:
    """What a dish wants, and whether a tribe can hunt it."""
    agreed = rulings(given)
    wanted = rules_hunt.required(given["dish"], given["animal"], given.get("back"), agreed)
    need = rules_hunt.spears_needed(agreed)
    able = rules_hunt.able(given.get("workbears", {}), given.get("skulled", ()), agreed)
    fits = not rules_hunt.missing(wanted, able)
    return {
        "required": sorted(wanted), "spears_needed": need, "symbols_ok": fits,
        "can_hunt": fits and given.get("spears", 0) >= need,
    }  # fmt: skip


def draw(given: Given, events: Events) -> Answer:
    """The end of a turn: cards thrown away, cards drawn."""
    thrown = 0
    for each in (given, *events):
        words = THROWN if each is given else (*THROWN, "n", "count", "cards", "discard")
        told = [each[word] for word in words if word in each]
        thrown += sum(cards if isinstance(cards, int) else len(cards) for cards in told)
    drawn = rules_draw.turn_end(given["hand"], given["deck"], given["discard"], thrown, rulings(given))
    if isinstance(drawn, Refusal):
        return drawn
    return {
        "drawn": drawn.drawn, "hand": drawn.hand, "deck": drawn.deck, "discard": drawn.discard,
        "reshuffled": drawn.reshuffled,
    }  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """How a kind of case is answered, and the words its given and its events may hold."""

    answer: Callable[[Given, Events], Answer]
    given: frozenset[str]
    event: frozenset[str]


def _kind(answer: Callable[[Given, Events], Answer], given: str, event: str = "") -> Kind:
    agreed = {"options", "mode", "edition", "preset", *SWITCHES}
    also = {name for name, word in GIVEN.items() if word in given.split()}

    def told(given: Given, events: Events) -> Answer:
        return answer(given_told(given), events_told(answer.__name__, events))

    return Kind(told, frozenset({*given.split(), *also, *agreed}), frozenset({"e", *event.split()}))


KINDS = {
    "setup": _kind(setup, "n"),
    "dice": _kind(dice, "hand", "dice which discard cards card player"),
    "tribe": _kind(
        tribe, "cards tribe dice hand others end_turn king",
        "on to card side zone remove die source n from player what value",
    ),
    "hunt": _kind(
        hunt, "progress workbears spears menu animal_pile activated_huntbears skulled",
        "dish use bears player",
    ),
    "advise": _kind(advise, "dish animal back workbears spears progress skulled"),
    "draw": _kind(
        draw, " ".join(("hand deck discard", *THROWN)), " ".join(("n count cards discard player", *THROWN))
    ),
}  # fmt: skip
UNORDERED: set[str] = set()
