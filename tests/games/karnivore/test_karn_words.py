"""Each word of Karnivore's state machine means in a case what the cases' own words mean; others are named."""

from __future__ import annotations

from typing import Any

import pytest
from adapted import adapter

from companion.table.game import Refusal

KINDS = adapter("karnivore").KINDS
ROLL = ["spear", "skull", "koala", "crown", "skull"]
AGAIN = ["spear", "koala", "koala", "crown", "spear"]
BEARS = {
    "fx_v": {"type": "villagebear", "sym": ["koala"]}, "fx_w": {"type": "workbear"},
    "fx_b": {"type": "backstabbear"}, "fx_h": {"type": "huntbear", "sym": ["spear"], "spears": 1},
}  # fmt: skip
TRIBE = {
    "cards": BEARS, "tribe": ["fx_v"], "hand": ["fx_w", "fx_b"], "others": {"P2": ["fx_h"]},
    "dice": {"crown": 2, "spear": 1, "koala": 1, "skull": 1},
}  # fmt: skip
FULL = {**TRIBE, "cards": {**BEARS, **{f"fx_{n}": {"type": "workbear"} for n in range(6)}}, "dice": {"crown": 2},
        "tribe": ["fx_v", *(f"fx_{n}" for n in range(6))]}  # fmt: skip
MENU = {"appetizer": {"name": "A", "front": ["fish", "bird"]}, "main": None, "dessert": None}
HUNT = {"workbears": {"w1": ["fish", "bird"]}, "spears": 3, "menu": MENU}


def said(kind: str, given: dict[str, Any], *events: dict[str, Any]) -> Any:
    """An answer, or the code of a refusal."""
    found = KINDS[kind].answer(given, events)
    assert set(given) <= KINDS[kind].given
    assert all(set(event) <= KINDS[kind].event for event in events)
    return found.code if isinstance(found, Refusal) else found


@pytest.mark.parametrize(
    ("kind", "given", "words", "plain"),
    [
        ("dice", {"hand": 2}, [{"e": "dice_seen", "dice": ROLL}, {"e": "confirm"}],
         [{"e": "roll", "dice": ROLL}, {"e": "accept"}]),
        ("dice", {"hand": 2}, [{"e": "dice_seen", "dice": ROLL}, {"e": "discard_seen", "card": "fx_w"}, {"e": "dice_seen", "dice": AGAIN}],
         [{"e": "roll", "dice": ROLL}, {"e": "reroll", "which": [0, 1, 2, 3, 4], "dice": AGAIN}]),
        ("dice", {"hand": 3}, [{"e": "dice_seen", "dice": ROLL}, {"e": "dice_seen", "dice": AGAIN}],
         [{"e": "roll", "dice": ROLL}, {"e": "roll", "dice": AGAIN}]),
        ("dice", {"hand": 3}, [{"e": "roll", "dice": ROLL}, *2 * [{"e": "discard_seen"}], {"e": "dice_seen", "which": [1], "dice": ["koala"]}],
         [{"e": "roll", "dice": ROLL}, {"e": "reroll", "which": [1], "dice": ["koala"], "discard": 2}]),
        ("tribe", TRIBE, [{"e": "die_to", "die": "skull", "on": "king"}, {"e": "die_to", "die": "koala", "to": "fx_v"},
                          {"e": "confirm"}, {"e": "die_to", "die": "spear", "on": "HUNT"}, {"e": "ready"}],
         [{"e": "skull", "on": "king"}, {"e": "assign", "die": "koala", "on": "fx_v"}, {"e": "spear", "n": 1}, {"e": "end"}]),
        ("tribe", TRIBE, [{"e": "die_to", "die": "skull", "on": "fx_v"}, {"e": "die_to", "on": "CROWN2", "from": "P2", "card": "fx_h"}],
         [{"e": "skull", "on": "fx_v"}, {"e": "two_crowns", "from": "P2", "card": "fx_h"}]),
        ("tribe", TRIBE, [{"e": "die_to", "die": "skull", "on": "fx_v"}, {"e": "card_seen", "zone": "TRIBE", "side": "left", "card": "fx_w"},
                          {"e": "backstab", "player": "P1", "card": "fx_b"}],
         [{"e": "skull", "on": "fx_v"}, {"e": "place", "card": "fx_w", "side": "left"}, {"e": "backstab", "card": "fx_b"}]),
        ("tribe", FULL, [{"e": "card_seen", "card": "fx_w"}, {"e": "choose", "player": "P1", "what": "remove", "value": "fx_3"}],
         [{"e": "place", "card": "fx_w", "remove": "fx_3"}]),
        ("tribe", FULL, [{"e": "die_to", "on": "king", "die": "crown"}], [{"e": "king"}]),
        ("hunt", HUNT, [{"e": "hunt", "player": "P1", "dish": "appetizer", "bears": ["w1"]}],
         [{"dish": "appetizer", "use": {"w1": ["fish", "bird"]}}]),
        ("draw", {"hand": 3, "deck": 9, "discard": 0}, [{"e": "discard", "n": 2}, {"e": "draw", "player": "P1", "n": 2}, {"e": "next"}],
         [{"e": "discard", "n": 2}]),
    ],
)  # fmt: skip
def test_a_word_of_the_state_machine_means_the_same(
    kind: str, given: dict[str, Any], words: list[dict[str, Any]], plain: list[dict[str, Any]]
) -> None:
    """Events of dice, tribes, hunts and hands."""
    assert said(kind, given, *words) == said(kind, given, *plain)


@pytest.mark.parametrize(
    ("kind", "words", "plain"),
    [
        ("draw", {"hand_count": 1, "koala_deck": 5, "discard": 0}, {"hand": 1, "deck": 5, "discard": 0}),
        ("tribe", {"tribe": [], "dice_pool": {"koala": 1}}, {"tribe": [], "dice": {"koala": 1}}),
        ("advise", {"dish": "main", "animal": ["fish", "fish"], "blocked": []}, {"dish": "main", "animal": ["fish", "fish"]}),
    ],
)  # fmt: skip
def test_an_amount_may_have_the_models_name(kind: str, words: dict[str, Any], plain: dict[str, Any]) -> None:
    """What the model calls hand_count, dice_pool, koala_deck and blocked."""
    assert said(kind, words) == said(kind, plain)
    with pytest.raises(ValueError, match="which are the same"):
        said(kind, {**words, **plain, "skulled": []} if "blocked" in words else {**words, **plain})


@pytest.mark.parametrize(
    ("kind", "given", "events", "says"),
    [
        ("setup", {"n": 3}, [{"e": "confirm"}], r"events\[0\]: unknown event 'confirm'"),
        ("dice", {"hand": 3}, [{"e": "roll", "dice": ROLL}, {"e": "shake"}], r"events\[1\]: unknown event 'shake'"),
        ("tribe", TRIBE, [{"on": "fx_v"}], r"events\[0\]: unknown event None"),
        ("tribe", TRIBE, [{"e": "choose", "value": "fx_v"}], r"events\[0\]: nothing asks for a choice"),
        ("hunt", HUNT, [{"e": "fish", "dish": "main", "use": {}}], r"events\[0\]: unknown event 'fish'"),
        ("draw", {"hand": 1, "deck": 1, "discard": 1}, [{"e": "steal", "n": 1}], r"events\[0\]: unknown event 'steal'"),
        ("dice", {"hand": 3, "options": {"KARN-AMB-99": "x"}}, [], "KARN-AMB-99"),
        ("dice", {"hand": 3, "options": {"KARN-AMB-03": "often"}}, [], "often"),
        ("hunt", {**HUNT, "mode": "hard"}, [], "hard"),
    ],
)  # fmt: skip
def test_an_unknown_word_is_named_with_its_place(
    kind: str, given: dict[str, Any], events: list[dict[str, Any]], says: str
) -> None:
    """Events, options and their values."""
    with pytest.raises(ValueError, match=says):
        KINDS[kind].answer(given, events)
