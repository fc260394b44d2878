"""The worked cases of dice and of drawing up, played at a table: dice read in the tray, cards told, presses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from karn_cases import ADAPTER, CASES, MIA
from karn_table import Desk
from karnivore_words import events_told

from companion.games.karnivore.play_dice import TRAY
from companion.games.karnivore.rules_dice import counted


def desk(given: Mapping[str, Any], **changes: Any) -> Desk:
    """A table that has ruled as the case says."""
    table = Desk().started()
    hands = {**table.state.hands, MIA: given["hand"]}
    return table.given(rulings=ADAPTER.rulings(given), hands=hands, **changes)


def rolled_at_a_table(case: Mapping[str, Any]) -> bool:
    """A roll of other dice than the box's, and one that is no roll, cannot be read there; nor a wasted card."""
    plain = not {"options", "preset", "rerolls_any_time"} & case["given"].keys()
    return case["kind"] == "dice" and "error" not in case["expect"] and plain


def again(table: Desk, lying: list[str], event: Mapping[str, Any]) -> None:
    """A re-roll: the dice are marked, a card is paid, and they lie anew."""
    for place in event["which"]:
        shown = table.options("reroll")
        marks = [f"{n}:{die}" for n, die in enumerate(table.state.cup.dice, start=1)]
        marked = {marks[mark] for mark in table.state.marks}
        die = next(o for o in shown if o.endswith(f":{lying[place]}") and o not in marked)
        assert table.choose("reroll", die) == ""
    assert table.choose("reroll", "pay") == ""
    for place, face in zip(event["which"], event["dice"], strict=True):
        lying[place] = face
    assert table.show(TRAY, "spear-01") == ""  # some dice are taken up
    assert table.tray(" ".join(lying)) == ""


@pytest.mark.parametrize("case", [c for c in CASES if rolled_at_a_table(c)], ids=lambda case: case["id"])
def test_a_dice_phase_comes_out_the_same_at_the_table(case: Mapping[str, Any]) -> None:
    """The dice, the hand, the cards paid, and whether the phase is over."""
    table, lying = desk(case["given"]), list[str]()
    for event in events_told("dice", case["events"]):
        if event["e"] == "roll":
            lying = list(event["dice"])
            assert table.tray(" ".join(lying)) == ""
        elif event["e"] == "reroll":
            again(table, lying, event)
        elif table.phase == "decide":
            assert table.press() == ""
    state, expect = table.state, case["expect"]
    assert counted(state.cup.dice) == dict(Counter(lying)) == expect["dice"]
    paid = len(state.discarded) + state.blind
    assert (state.hands[MIA], paid) == (expect["hand"], expect["discarded"])
    assert (state.phase not in ("roll", "decide", "reroll")) is expect["locked"]


@pytest.mark.parametrize(
    "case",
    [c for c in CASES if c["kind"] == "draw" and "options" not in c["given"]],
    ids=lambda case: case["id"],
)
def test_a_hand_is_filled_up_as_the_cases_say(case: Mapping[str, Any]) -> None:
    """Cards thrown unseen, then drawn; or more than there are."""
    given, expect = case["given"], case["expect"]
    table = desk(given, phase="keep", pile=given["deck"], blind=given["discard"])
    thrown = given.get("discarded", 0) + sum(event.get("n", 0) for event in case["events"])
    code = table.choose("throw", str(thrown))
    if "error" in expect:
        assert code == expect["error"]
        return
    assert code == ""
    state = table.state
    assert state.drawn == expect["drawn"]
    assert (state.hands[MIA], state.pile) == (expect["hand"], expect["deck"])
    assert len(state.discarded) + state.blind == expect["discard"]
    assert ("say.reshuffle" in table.said) is expect["reshuffled"]
