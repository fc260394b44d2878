"""The words that Karnivore's rules have for events and amounts, told as the worked cases tell the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Event = Mapping[str, Any]
GIVEN = {"hand_count": "hand", "dice_pool": "dice", "koala_deck": "deck", "blocked": "skulled"}
HUNT = ("hunt", "HUNT")  # a spear die laid there is set aside
CROWN2 = ("two_crowns", "CROWN2")
ALL = (0, 1, 2, 3, 4)  # dice of which nobody says which were rolled again
ENDS = ("end", "end_turn", "next", "ready")
THROWN = (  # hand cards at the end of a turn
    "throw", "thrown", "throw_away", "thrown_away", "discarded", "discards", "discarding", "discard_hand",
    "discard_first", "drop", "put_away",
)  # fmt: skip
KNOWN: Mapping[str, frozenset[str]] = {  # what may happen in a case of each kind
    "setup": frozenset(),
    "dice": frozenset({"roll", "reroll", "accept", "dice_seen", "discard_seen", "confirm"}),
    "tribe": frozenset({
        "skull", "assign", "king", "crown", "spear", "place", "two_crowns", "backstab", "die_to", "card_seen",
        "choose", "confirm", *ENDS,
    }),
    "hunt": frozenset({"hunt"}),
    "advise": frozenset(),
    "draw": frozenset({"discard", "draw", "confirm", *THROWN, *ENDS}),
}  # fmt: skip
UNNAMED = {"hunt": "hunt", "draw": "discard"}  # what happens in a case that only has one thing to happen


def given_told(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given, each amount under the name that cases use."""
    twice = [name for name, word in GIVEN.items() if name in given and word in given]
    if twice:
        raise ValueError(f"given tells {twice[0]} and {GIVEN[twice[0]]}, which are the same")
    return {GIVEN.get(name, name): value for name, value in given.items()}


def events_told(kind: str, events: Sequence[Event]) -> list[dict[str, Any]]:
    """The events in the cases' own words; ValueError names the place of one that nobody knows."""
    named = [{"e": UNNAMED.get(kind), **event} for event in events]
    for place, event in enumerate(named):
        if event["e"] not in KNOWN[kind]:
            known = ", ".join(sorted(KNOWN[kind])) or "none"
            raise ValueError(f"events[{place}]: unknown event {event['e']!r} in {event!r}; known: {known}")
    if kind == "dice":
        return list(_dice(named))
    if kind == "tribe":
        return _tribe(named)
    return named if kind == "hunt" else [_thrown(event) for event in named]


def _thrown(event: Event) -> dict[str, Any]:
    """How many cards are thrown away; how many are drawn follows from the rules."""
    drawing = event["e"] not in ("discard", *THROWN)
    return {word: told for word, told in event.items() if not (drawing and word in ("n", "count"))}


def _dice(events: Sequence[Event]) -> Iterable[dict[str, Any]]:
    """Dice seen for the first time are the roll; once a card was discarded they are a re-roll."""
    paid = 0
    for event in events:
        if event["e"] == "discard_seen":
            paid += 1
        elif event["e"] == "dice_seen" and paid:
            yield {"e": "reroll", "which": event.get("which", ALL), "dice": event["dice"], "discard": paid}
            paid = 0
        else:
            yield {**event, "e": {"dice_seen": "roll", "confirm": "accept"}.get(event["e"], event["e"])}


def _tribe(events: Sequence[Event]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    for place, event in enumerate(events):
        if event["e"] == "choose":  # who makes room for the card that came before
            if not told or told[-1]["e"] not in ("place", "two_crowns") or "remove" in told[-1]:
                raise ValueError(f"events[{place}]: nothing asks for a choice: {dict(event)!r}")
            told[-1] = {**told[-1], "remove": event["value"]}
        elif event["e"] != "confirm":  # an effect was carried out: nothing changes by that
            told.append(_told(event))
    return told


def _told(event: Event) -> dict[str, Any]:
    """A die by where it is laid, a card that is seen in a tribe; all else as it is."""
    kind, on = event["e"], event.get("on", event.get("to"))
    if kind == "card_seen":
        return {**event, "e": "place"}
    if kind in ("king", "crown"):
        return {**event, "e": "assign", "die": "crown", "on": "king"}
    if kind in ("die_to", "assign"):
        if on in CROWN2:
            return {**event, "e": "two_crowns"}
        return {**event, "e": "spear" if on in HUNT else "assign", "on": on}
    return dict(event)
