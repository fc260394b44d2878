"""Koala & Wine on the simulated table: how it is seated, played and, at the end, counted glass by glass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.sim.evening import Counted, Evening, Rig
from companion.sim.wine.people import RESTING, View
from companion.sim.wine.physical import MIDDLE, Cellar
from companion.sim.wine.playing import Playing
from companion.sim.wine.showing import Showing
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.luck import Luck
from companion.table.things import Deck, Player, Zone

SPOTS: Mapping[Zone, tuple[float, float]] = {
    Zone("row:a"): (40, 20), Zone("row:b"): (475, 20), Zone("row:c"): (910, 20),
    Zone("row:f"): (40, 480), Zone("row:e"): (475, 480), Zone("row:d"): (910, 480),
    Zone("middle"): (475, 250), Zone("played"): (140, 250), Zone("drawn"): (910, 250),
}  # fmt: skip
# Every ruling is switched in one game of a series: each third game has one that is not the usual one.
UNUSUAL: tuple[tuple[int, str], ...] = (
    (1, "five_before_drawing"), (2, "back_into_deck"), (3, "may_play_picked"), (4, "strict"),
    (5, "stop_counts"), (6, "thief_discarded"), (7, "hand_into_deck"), (8, "second_try"),
    (9, "next_clockwise"), (10, "larger_hand_wins"), (11, "protection_yields"), (12, "drawer"),
    (13, "slowest_first"), (14, "protected_take_part"), (15, "takes_part"), (16, "through_own_turn"),
    (18, "left_end"), (19, "must_discard"), (20, "any_two"), (21, "first_lost"),
    (22, "no_stop_for_last_glass"), (23, "any_order"),
    (24, "anticlockwise"), (25, "right_end"), (26, "five_at_most"), (27, "blue_later"), (28, "all_pay"),
    (29, "whenever_wanted"), (30, "lost_all_the_same"), (31, "vintage_takes_part"),
    (32, "richest_all_the_same"), (33, "any_glass"), (34, "not_the_middle"), (35, "allowed_in_vain"),
)  # fmt: skip


class Persons(Playing, Showing):
    """Everybody at the table. `act` lets one person do one thing; False: everybody waits."""

    def act(self, view: View, cues: tuple[Cue, ...], heard: tuple[Say, ...]) -> bool:
        """One act of one person, if anybody has anything to do; `heard` is what the voice said meanwhile."""
        self.view, self.cues = view, cues
        self.acts += 1
        for say in heard:
            self.listen(say)
        if self.view["phase"] in RESTING:
            self._contest_won()  # nobody had shown a glass, so there was nothing to turn down
        if self.mend() or self.tidy():
            return True
        doing: dict[str, Callable[[], bool]] = {
            "starter": self._start, "serve": self._serve, "memorise": self._memorise,
            "all_down": self._all_down, "deal": self._deal, "turn": self._turn, "discard": self._discard,
            "draw": self._draw, "show": self._show, "second_try": self._second_try,
            "sommelier_lost": self._place, "fine": self._fine, "down": self._down, "thieves": self._aim,
            "stop_window": self._stop_window, "stop_lay": self._stop_window, "tipsy_taster": self._swap,
            "sneaky_taster": self._swap, "under_the_table": self._press_turn, "grape_picker": self._grape,
            "oenologist": self._oenologist, "looking": self._press_turn, "lobbyists": self._aim,
            "wine_fair": self._fair, "fair_missing": self._fair, "farandole": self._farandole,
            "auction": self._auction, "auction_tie": self._auction_tie, "charity": self._charity,
            "charity_to": self._charity, "blind_test": self._aim, "contest": self._call_wine,
            "contest_race": self._race, "contest_won": self._place, "ageing": self._age,
            "finale": self._finale,
        }  # fmt: skip
        phase = self.view["phase"]
        return doing[phase]() if phase in doing else False

    def finish(self, view: View, heard: tuple[Say, ...]) -> None:
        """The game is over: what is still owed is done."""
        self.view, self.cues = {**view, "phase": "finale", "card": None}, ()
        for say in heard:
            self.listen(say)
        while self.mend() or self.tidy():
            pass


def options(number: int, players: int, given: Mapping[str, object]) -> dict[str, object]:
    """Every second game has the whole extension, every third an unusual ruling; few players try the variant."""
    chosen: dict[str, object] = {}
    if number % 2 == 1:
        chosen["extension"] = "all"
    if players <= 3 and number // 2 % 2 == 1:
        chosen["variant_2_3"] = True
    if number % 3 == 2:
        ruling, value = UNUSUAL[number // 3 % len(UNUSUAL)]
        chosen[f"WINE-AMB-{ruling:02d}"] = value
    return {**chosen, **given}


def seat(deck: Deck, players: tuple[Player, ...], luck: Luck, options: Mapping[str, object]) -> Cellar:
    """A fresh table: cards shuffled, glasses still in the box."""
    return Cellar(deck, players, luck, options)


def persons(table: Cellar, rig: Rig, mess: float, options: Mapping[str, object]) -> Persons:
    """Everybody at the table."""
    return Persons(table, rig, mess, options)


def count(table: Cellar, people: Persons, view: Any) -> Counted:
    """Every row, hand and pile against the companion's books, and each glass against the map."""
    faults = [*people.notes, *_counts(table, view)]
    left = [player for player in table.players if table.rows[player]]
    if view["phase"] == "over":
        if [view["winner"]] != left:
            faults.append(f"{left} have glasses left, the winner is said to be {view['winner']}")
        faults.extend(_mapped(table, view["map"]))
    return Counted(
        tuple(faults), tuple(left), {str(player): len(table.rows[player]) for player in table.players}
    )


def _counts(table: Cellar, view: Any) -> list[str]:
    faults = []
    if sorted(table.everything()) != sorted(card.id for card in table.deck.cards):
        faults.append("cards were lost or doubled on the table itself")
    for row in view["rows"]:
        lying = len(table.rows[Player(row["player"])])
        if lying != row["glasses"]:
            faults.append(f"row of {row['player']}: {lying} glasses, {row['glasses']} are booked")
    for player, hand in table.hands.items():
        if len(hand) != view["hands"][player]:
            faults.append(f"hand of {player}: {len(hand)} cards, {view['hands'][player]} are booked")
    black = sum(table.kind(card) == "black" for card in table.pile)
    numbers = {
        "pile": len(table.pile), "black": black, "lost": len(table.lost), "middle": len(table.rows[MIDDLE])
    }  # fmt: skip
    for name, lying in numbers.items():
        if view[name] is not None and view[name] != lying:
            faults.append(f"{name}: {lying} lie there, {view[name]} are booked")
    share = round(100 * black / len(table.pile), 1) if table.pile else 0.0
    if view["chance"] != share and abs(view["chance"] - share) > 3:  # the strict figure differs a little
        faults.append(f"chance of black: {share} counted, {view['chance']} told")
    return faults


def _mapped(table: Cellar, drawn: Any) -> list[str]:
    """Where each glass is and what it holds, except those that went under the table."""
    faults = []
    for glass in drawn["glasses"]:
        card = table.served[glass["glass"]]
        if glass["unsure"]:
            continue
        if glass["wine"] is not None and glass["wine"] != table.deck.face(card):
            faults.append(f"{card} is a {table.deck.face(card)}, the map says {glass['wine']}")
        if (table.owner(card) or "lost") != glass["end"]:
            faults.append(f"{card} ended at {table.owner(card) or 'lost'}, the map says {glass['end']}")
    return faults


EVENING = Evening("wine", "wine", 2, 6, SPOTS, options, seat, persons, count)
