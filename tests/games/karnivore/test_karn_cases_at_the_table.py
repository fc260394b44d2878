"""The worked cases of tribes and hunts, played at a table: cards laid and taken, dice told, presses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from karn_cases import CASES, KING, MIA, Played
from karnivore_words import events_told

from companion.games.karnivore.rules_dice import Cup
from companion.games.karnivore.rules_hunt import next_dish
from companion.games.karnivore.state import MENU, PLAY, shown_back, token
from companion.table.things import CardId, Player

MENU_CARDS = {"appetizer": "cameleon", "main": "oystrich", "dessert": "octoturtle"}
PILE = ("salamingo", "gullizard", "troutguana")
HUNTED = ("sharkatoo-01", "pikeagle-01")


class Tribe(Played):
    """A tribe phase: what the case's events are at a table."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        super().__init__(given)
        self.cards({"king": {"type": "king", "sym": ["crown"], **given.get("king", {})}, **given["cards"]})
        tribes = {MIA: self.of(*given["tribe"])}
        tribes |= {Player(p): self.of(*given.get("others", {}).get(p, ())) for p in ("P2", "P3")}
        self.hand = list(given.get("hand", ()))
        hands = {**dict.fromkeys(tribes, 0), MIA: len(self.hand)}
        faces = tuple(die for die, count in given["dice"].items() for _ in range(count))
        if faces:
            self.desk.given(tribes=tribes, hands=hands, phase="decide", cup=Cup(hands[MIA], faces))
            assert self.desk.choose("reroll", "accept") == ""
        else:
            self.desk.given(tribes=tribes, hands=hands, phase="tribe", skulls_over=True)
        self.activated: dict[str, None] = {}

    def hear(self, event: Mapping[str, Any]) -> str:
        """One event of the case; the refusal's code."""
        code: str = getattr(self, f"_{event['e']}")(event)
        for name in self.names(self.desk.state.dice):
            self.activated.setdefault(name)
        return code

    def _skull(self, event: Mapping[str, Any]) -> str:
        word = token(self.real.get(event["on"], CardId("nobear-01")))
        return self.desk.choose(
            *(("skull", word) if self.desk.phase == "skulls" else ("act", f"skull:{word}"))
        )

    def _assign(self, event: Mapping[str, Any]) -> str:
        return self.desk.choose("act", f"{event['die']}:{token(self.real[event['on']])}")

    def _spear(self, event: Mapping[str, Any]) -> str:
        return next(filter(None, (self.desk.choose("act", "aside") for _ in range(event.get("n", 1)))), "")

    def _place(self, event: Mapping[str, Any]) -> str:
        """The eighth lies there for one that is gone; the new one itself goes when it is asked who makes room."""
        new, gone = event["card"], event.get("remove")
        stay = [
            card for card in self.desk.state.tribes[MIA] if gone in (None, new) or card != self.real[gone]
        ]
        bears = self.desk.state.bears
        sides = {
            card: "left" if bears[card].kind == "workbear" else "right" for card in (*stay, self.real[new])
        }
        sides[self.real[new]] = event.get("side", sides[self.real[new]])
        left, right = ([card for card in sides if sides[card] == side] for side in ("left", "right"))
        code = self.desk.tribe(*left, KING, *right)
        if code == "" and "say.side" in self.desk.said:
            return "wrong_side"  # at a table only told: the card lies there
        if code == "" and self.desk.phase == "room":
            code = (
                "eighth_needs_removal" if gone is None else self.desk.choose("remove", token(self.real[gone]))
            )
        return code

    def _two_crowns(self, event: Mapping[str, Any]) -> str:
        """Told where it is offered, else the card is brought over and seen."""
        card, gone = self.real[event["card"]], event.get("remove")
        if self.desk.choose("act", "crowns") == "":
            code = self.desk.choose("crowns", f"{event['from']}:{token(card)}")
        else:
            code = self.desk.tribe(*self.desk.state.tribes[MIA], KING, card)
        if code == "" and self.desk.phase == "room":
            code = (
                "eighth_needs_removal" if gone is None else self.desk.choose("remove", token(self.real[gone]))
            )
        return code

    def _backstab(self, event: Mapping[str, Any]) -> str:
        return self.desk.show(PLAY, self.real[event["card"]])

    def ended(self) -> str:
        """The end of the turn, up to the hand cards."""
        code = self.desk.press()
        if code == "" and self.desk.phase == "sweep":
            code = self.desk.press()
        return code


def at_a_table(case: Mapping[str, Any]) -> bool:
    """Nobody there says where a symbol comes from, or which cards a hand holds."""
    error = case["expect"].get("error", "")
    unknown_hand = error == "not_in_hand" and case["given"]["hand"]
    return case["kind"] == "tribe" and error != "effect_symbols_cannot_activate" and not unknown_hand


@pytest.mark.parametrize("case", [c for c in CASES if at_a_table(c)], ids=lambda case: case["id"])
def test_a_tribe_phase_comes_out_the_same_at_the_table(case: Mapping[str, Any]) -> None:
    """Tribe, hand, discard pile, spears, activated and skulled cards, dice left; or the same refusal."""
    given, expect = case["given"], case["expect"]
    table = Tribe(given)
    codes = [table.hear(event) for event in events_told("tribe", case["events"])]
    if given.get("end_turn"):
        codes.append(table.ended())
    code, state = next(filter(None, codes), ""), table.desk.state
    assert code == expect.get("error", "")
    if code:
        return
    assert table.names(state.tribes[MIA]) == expect["tribe"]
    assert state.hands[MIA] == len(expect["hand"])
    assert table.names(state.discarded) == expect["discard"]
    assert state.spears == expect["spears"]
    assert list(table.activated) == expect["activated"]
    assert dict(state.pool) == expect["dice_left"]


class Hunt(Played):
    """Hunts of one turn: workbears laid on the hunt place, then who leaves, then the menu laid anew."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        super().__init__(given)
        huntbears = {name: {"type": "huntbear"} for name in given.get("activated_huntbears", ())}
        self.cards(
            {name: {"type": "workbear", "animals": shows} for name, shows in given["workbears"].items()}
        )
        self.cards(huntbears)
        dishes = {MENU_CARDS[dish]: animal for dish, animal in given["menu"].items()}
        animals = {**dishes, **dict(zip(PILE, given["animal_pile"], strict=False))}
        self.real |= {animal["name"]: CardId(f"{face}-01") for face, animal in animals.items()}
        deck = self.desk.state.deck
        facts = {face: {**deck.facts[face], "symbols": animal["front"]} for face, animal in animals.items()}
        self.pile = [
            (self.real[each["name"]], CardId(f"back_{each['back']}-01")) for each in given["animal_pile"]
        ]
        self.desk.given(
            deck=replace(deck, facts={**deck.facts, **facts}), phase="tribe", skulls_over=True, pool={"koala": 1},
            tribes={**self.desk.state.tribes, MIA: self.of(*given["workbears"], *huntbears)}, spears=given["spears"],
            dice=dict.fromkeys(self.of(*huntbears), ("koala",)), skulled=self.of(*given.get("skulled", ())),
            hunted={**self.desk.state.hunted, MIA: tuple(map(CardId, HUNTED[: given["progress"]]))},
            menu=tuple(CardId(f"{face}-01") for face in MENU_CARDS.values()), animals=len(self.pile),
            back=self.pile[0][1] if self.pile else None,
        )  # fmt: skip
        self.desk.given(third_then=shown_back(self.desk.state))

    def hear(self, event: Mapping[str, Any]) -> str:
        """One hunt; the refusal's code."""
        code = self.desk.show(PLAY, *self.of(*event.get("use", event.get("bears", ()))))
        if code == "" and self.desk.phase == "clear":
            assert self.desk.press() == ""
        if code == "" and self.desk.phase == "refill":
            lying = [card for card in self.desk.state.menu if card is not None]
            (new, _), *self.pile = self.pile
            assert self.desk.show(MENU, *lying, new, *(back for _, back in self.pile[:1])) == ""
        return code


def hunted_at_a_table(case: Mapping[str, Any]) -> bool:
    """There the dish follows from what was hunted, and a bear gives all that it shows: some slips cannot be made."""
    if case["kind"] != "hunt":
        return False
    code = case["expect"].get("error", "").partition(":")[0].partition("is_")[0]
    slips = ("next_dish_", "no_such_dish", "symbol_not_on_workbear", "one_workbear_per_equal_symbol")
    stranger = code == "no_such_workbear" and "skulled" not in case["given"]
    return code not in slips and not stranger and all(each.get("use", True) for each in case["events"])


@pytest.mark.parametrize("case", [c for c in CASES if hunted_at_a_table(c)], ids=lambda case: case["id"])
def test_hunts_come_out_the_same_at_the_table(case: Mapping[str, Any]) -> None:
    """What was hunted, who left, the spears, the menu and the third symbol; or the same refusal."""
    expect = case["expect"]
    table = Hunt(case["given"])
    code = next(filter(None, [table.hear(event) for event in case["events"]]), "")
    assert code == expect.get("error", "")
    if code:
        return
    state = table.desk.state
    done = state.hunted[MIA]
    assert table.names(done[case["given"]["progress"] :]) == expect["hunted"]
    assert (state.winner == MIA, next_dish(len(done))) == (expect["winner"], expect["next_dish"])
    assert (table.names(state.discarded), state.spears) == (expect["removed"], expect["spears_left"])
    assert shown_back(state) == expect["third_symbol"]
    lying = [None if card is None else table.names([card])[0] for card in state.menu]
    if not expect["winner"]:  # of a hunted dessert the table says that its place is empty
        assert lying == list(expect["menu"].values())
