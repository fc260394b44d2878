"""Ku-Ka-König's rule cases: each kind of case mapped to rule functions, their answers to the keys of `expect`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.kukakoenig import rules_deck, rules_rows, rules_score
from companion.games.kukakoenig.options import settle_options
from companion.table.game import Refusal
from companion.table.things import CardId, Player

Given = Mapping[str, Any]
Events = Sequence[Mapping[str, Any]]
Answer = dict[str, Any] | Refusal

UNORDERED = {"winners", "who", "empty_handed", "again", "unknown_types"}


def _rulings(given: Given) -> Mapping[str, object]:
    rulings = settle_options(given.get("options", {}))
    assert not isinstance(rulings, Refusal), rulings
    return rulings


def _unknown(event: Mapping[str, Any]) -> ValueError:
    return ValueError(f"unknown event {event.get('e')!r} in {dict(event)!r}")


def setup(given: Given, _: Events) -> Answer:
    """Rows, cards and pile for a number of players."""
    spread = rules_deck.layout(given["n"])
    if isinstance(spread, Refusal):
        return spread
    return {
        "rows": spread.rows, "cards": spread.cards, "box_unseen": spread.unseen, "laid_out": spread.laid_out,
        "pile": spread.pile,
    }  # fmt: skip


def deck_check(given: Given, _: Events) -> Answer:
    """What is known of the deck."""
    found = rules_deck.checked(given["counts"])
    if isinstance(found, Refusal):
        return found
    known, unknown = found
    return {"known": known, "missing": rules_deck.CARDS - known, "unknown_types": list(unknown)}


def choose(given: Given, events: Events) -> Answer:
    """One round, reveal after reveal."""
    rulings = _rulings(given)
    rows: dict[int, tuple[CardId, ...]] = {int(row): tuple(cards) for row, cards in given["rows"].items()}
    everybody = tuple(Player(name) for name in given["players"])
    served = given.get("served", ())
    affected = given.get("affected", [player for player in everybody if player not in served])
    groups: tuple[tuple[Player, ...], ...] = (tuple(Player(name) for name in affected),) if affected else ()
    got: dict[str, list[str]] = {}
    box: list[str] = []
    empty: list[str] = []
    for event in events:
        if event["e"] != "show":
            raise _unknown(event)
        affected, later = (groups[0], groups[1:]) if groups else ((), ())
        shown = rules_rows.reveal(rows, affected, event["choices"], event.get("said", {}), rulings, later)
        if isinstance(shown, Refusal):
            return shown
        got.update({player: list(cards) for player, cards in shown.got.items()})
        box.extend(shown.box)
        empty.extend(shown.empty_handed)
        rows, groups = dict(shown.rows), shown.groups
    again = [p for p in everybody for group in groups if p in group]
    return {
        "got": got, "box": box, "rows": {str(row): len(cards) for row, cards in rows.items()},
        "round_over": not groups, "again": again, "empty_handed": empty,
    }  # fmt: skip


def refill(given: Given, _: Events) -> Answer:
    """Rows filled from pile and box."""
    rows = {int(row): count for row, count in given["rows"].items()}
    done = rules_rows.refill(
        rows, given["pile"], given.get("box", 0), _rulings(given), given.get("box_unseen", 0)
    )
    by_row = {
        name: {str(row): count for row, count in found.items()}
        for name, found in (("rows", done.rows), ("added", done.added), ("from_box", done.from_box))
    }
    return {**by_row, "pile": done.pile, "box": done.box, "final_round": done.final_round}


FULL = ("full_round", "everyone_served", "everybody_served", "completed", "complete")
SPECIAL = ("special", "special_case", "one_row_left", "empty_handed")
FINAL = ("final", "final_round")


def round_end(given: Given, _: Events) -> Answer:
    """Whether the first scoring is due, and by whom."""
    special = any(given.get(word) for word in SPECIAL) or not all(given.get(word, True) for word in FULL)
    final_round = any(given.get(word) for word in FINAL)
    who = rules_rows.first_scoring(
        given["cards"], given.get("stage", 1), special, final_round, _rulings(given)
    )  # fmt: skip
    return {"first_scoring": bool(who), "who": list(who)}


def _held(table: Mapping[str, Any]) -> rules_score.Held:
    strange = set(table) - {*rules_deck.FIXED, *rules_deck.OPEN, "vp", "animals"}
    assert not strange, f"unknown types {sorted(strange)}"
    return rules_score.Held(**{kind: tuple(of) if kind == "vp" else of for kind, of in table.items()})


def keep(given: Given, _: Events) -> Answer:
    """What stays after the first scoring, and how many cards go back."""
    stays = given.get("green", rules_score.GREEN_TYPES)
    kept, to_box = {}, 0
    for player, table in given["tables"].items():
        before = _held(table)
        after = rules_score.kept(before, stays)
        to_box += before.cards - after.cards
        green = [kind for kind in table if kind in stays]
        kept[player] = {kind: list(after.vp) if kind == "vp" else getattr(after, kind) for kind in green}
    return {"kept": kept, "to_box": to_box}


def scoring(given: Given, _: Events) -> Answer:
    """Points of each player; with `detail` by type."""
    tables = {Player(name): _held(table) for name, table in given["tables"].items()}
    wrong = rules_score.fault(tables)
    if wrong is not None:
        return wrong
    found = rules_score.sums(tables, _rulings(given))
    return {player: own if given.get("detail") else own["total"] for player, own in found.items()}


def final(given: Given, _: Events) -> Answer:
    """Totals and winners."""
    scores = {Player(name): tuple(points) for name, points in given["scores"].items()}
    totals, winners = rules_score.winners(scores, given.get("cards", {}), _rulings(given))
    return {"totals": dict(totals), "winners": list(winners)}


@dataclass(frozen=True)
class Kind:
    """One kind of case: its rule functions, the words of `given`, the words of events."""

    answer: Callable[[Given, Events], Answer]
    given: frozenset[str]
    event: frozenset[str] = frozenset()


def _kind(answer: Callable[[Given, Events], Answer], given: str, event: str = "") -> Kind:
    return Kind(answer, frozenset(f"{given} options".split()), frozenset(event.split()))


KINDS = {
    "setup": _kind(setup, "n"),
    "deck_check": _kind(deck_check, "counts"),
    "choose": _kind(choose, "players rows affected served", "e choices said"),
    "refill": _kind(refill, "rows pile box box_unseen"),
    "round_end": _kind(round_end, " ".join(("cards stage", *SPECIAL, *FULL, *FINAL))),
    "keep": _kind(keep, "tables green"),
    "score": _kind(scoring, "tables detail"),
    "final": _kind(final, "scores cards"),
}
