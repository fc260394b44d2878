"""The worked cases of a round once more at the running table: sealed numbers, the beat, people who do as told."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from kuka_table import CARDS, NAMES, Desk

from companion.games.kukakoenig.play_setup import enter_refill, needs
from companion.games.kukakoenig.play_take import enter_round_end
from companion.table.crank import Turn
from companion.table.game import Refusal
from companion.table.things import CardId, Player

TESTS = Path(__file__).parents[2]
Case = Mapping[str, Any]
# Said and shown are compared by people (KUKA-AMB-20); after the round the table waits for the refill.
OTHERWISE = ("said_differs_from_shown", "round_is_over")


def cases(kind: str) -> Iterator[Case]:
    """The public ones and our own; those of the middle of a round are begun otherwise."""
    for path in (TESTS / "cases" / "kukakoenig.cases.json", Path(__file__).parent / "own.cases.json"):
        for case in json.loads(path.read_text("utf-8"))["cases"]:
            if case["kind"] == kind and case["expect"].get("error") not in OTHERWISE:
                yield case


ROUNDS = {
    str(case["id"]): case for case in cases("choose") if not {"affected", "served"} & set(case["given"])
}
ENDS = {str(case["id"]): case for case in cases("round_end")}
REFILLS = {str(case["id"]): case for case in cases("refill") if len(case["given"]["rows"]) > 5}


class Refused(Exception):
    """The table refuses what a case tells; the text is the code."""


def done(answer: object) -> None:
    if isinstance(answer, Refusal):
        raise Refused(answer.code)
    assert isinstance(answer, Turn)


def switched(given: Mapping[str, Any]) -> dict[str, Any]:
    """A case's rulings as a desk takes them."""
    return {name.replace("-", "_"): of for name, of in given.get("options", {}).items()}


class Told:
    """A case's names and cards, and who and what they are at the table."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.names: dict[str, str] = dict(zip(given["players"], NAMES, strict=False))
        every = [card for row in given["rows"].values() for card in row]
        self.cards: dict[str, CardId] = dict(zip(every, CARDS, strict=False))
        self.desk = Desk(len(self.names), **switched(given)).lay()
        rows = {int(row): tuple(self.cards[card] for card in cards) for row, cards in given["rows"].items()}
        self.desk.put(rows=rows, seen={})

    def name(self, player: str) -> str:
        return next(name for name, of in self.names.items() if of == player)

    def listed(self, cards: tuple[CardId, ...]) -> list[str]:
        back = {of: card for card, of in self.cards.items()}
        return [back[card] for card in cards]


def shows(told: Told, choices: Mapping[str, int]) -> tuple[Player, ...]:
    """Everybody seals a number, the beat runs out, people do as they are told; who goes empty-handed."""
    desk = told.desk
    rows = {told.names.get(player, player): row for player, row in choices.items()}
    for name in sorted(
        rows, key=lambda name: name in desk.state.affected
    ):  # whoever may not choose comes first
        done(desk.choose(name, "row", str(rows[name])))
    if desk.phase == "think":  # somebody's number is still waited for
        raise Refused(f"wrong_players:{','.join(desk.state.affected)}")
    done(desk.ring("beat"))
    empty: tuple[Player, ...] = desk.state.reveal.empty_handed
    desk.settle()
    return empty


def by_names(told: Told, code: str) -> str:
    """A refusal's code with the case's names."""
    stem, colon, names = code.partition(":")
    return stem + colon + ",".join(told.name(each) for each in names.split(",") if colon)


def played(told: Told, events: list[Mapping[str, Any]]) -> dict[str, Any]:
    """A round at the table, under the keys of the rules."""
    empty: list[str] = []
    for event in events:
        empty += [told.name(each) for each in shows(told, event["choices"])]
    state = told.desk.state
    over = told.desk.phase != "think"
    return {
        "got": {told.name(p): told.listed(cards) for p, cards in state.collections.items() if cards},
        "box": told.listed(state.box), "rows": {str(row): len(cards) for row, cards in state.rows.items()},
        "round_over": over, "again": [] if over else [told.name(each) for each in state.affected],
        "empty_handed": empty,
    }  # fmt: skip


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_at_the_table_ends_as_by_the_rules(name: str) -> None:
    """Who got what, what went to the box, who repeats and who goes empty."""
    case = ROUNDS[name]
    told = Told(case["given"])
    if "error" in case["expect"]:
        with pytest.raises(Refused) as refused:
            played(told, case["events"])
        assert by_names(told, str(refused.value)) == case["expect"]["error"]
        return
    now = played(told, case["events"])
    assert {key: now[key] for key in case["expect"]} == case["expect"]


@pytest.mark.parametrize("name", ENDS)
def test_the_end_of_a_round_makes_the_first_scoring_due_as_by_the_rules(name: str) -> None:
    """Thirteen cards, the special case, the second stage, the final round."""
    given, expect = ENDS[name]["given"], ENDS[name]["expect"]
    desk = Desk(len(given["cards"]), **switched(given)).lay()
    rest = iter(CARDS)
    held = {
        p: tuple(islice(rest, count)) for p, count in zip(desk.names, given["cards"].values(), strict=True)
    }
    special = not given.keys().isdisjoint(
        {"special", "special_case", "empty_handed", "everyone_served", "full_round"}
    )
    final = bool({"final", "final_round"} & given.keys())
    desk.put(collections=held, stage=given.get("stage", 1), special=special, final=final)
    after = enter_round_end(desk.state)
    assert ("score1" in after.state.todo) is expect["first_scoring"]
    names = ", ".join(desk.names[list(given["cards"]).index(player)] for player in expect.get("who", []))
    assert [say.values["names"] for say in after.says if say.key == "say.thirteen"] == (
        [names] if names else []
    )


@pytest.mark.parametrize("name", REFILLS)
def test_rows_are_filled_at_the_table_as_by_the_rules(name: str) -> None:
    """Each row that needs cards is laid, in order; pile, box and the final round are booked."""
    given, expect = REFILLS[name]["given"], REFILLS[name]["expect"]
    desk = Desk(len(given["rows"]) - 4, **switched(given)).lay()
    rest = iter(CARDS)
    rows = {int(row): tuple(islice(rest, count)) for row, count in given["rows"].items()}
    unseen = given.get("box_unseen", 0)
    box = tuple(islice(rest, given.get("box", 0) - unseen))
    desk.put(rows=rows, pile=given["pile"], box=box, unseen=unseen, todo=("think",), collections={})
    desk.put(
        **{
            field: getattr(enter_refill(desk.state).state, field)
            for field in ("phase", "plan", "filled", "final")
        }
    )
    plan = desk.state.plan
    said = {"added": plan.added, "from_box": plan.from_box, "pile": plan.pile, "box": plan.box}
    for row, need in needs(desk.state).items():
        boxed = desk.state.box[: plan.from_box.get(row, 0)]
        fresh = (*boxed, *islice(rest, need - len(boxed)))
        done(desk.show(row, (*desk.row(row), *fresh)))
    now = {
        **said, "rows": {row: len(cards) for row, cards in desk.state.rows.items()}, "final_round": desk.state.final
    }  # fmt: skip
    assert (desk.state.pile, len(desk.state.box) + desk.state.unseen) == (plan.pile, plan.box)
    text = {
        key: {str(row): n for row, n in of.items()} if isinstance(of, Mapping) else of
        for key, of in now.items()
    }
    assert text == expect
