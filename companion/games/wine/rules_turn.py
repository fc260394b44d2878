"""One player's turn: what may still be played, when to discard, when to draw, when to stop. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from companion.games.wine.options import ruled
from companion.games.wine.rules_deck import HAND, class_of
from companion.table.game import Refusal
from companion.table.things import value


@value
class Turn:
    """Where a turn stands. `first`: it is the player's only turn of the first round."""

    hand: int
    first: bool = False
    greens: int = 0
    thieves: int = 0
    blues: int = 0
    discards: int = 0
    used: bool = False  # the first round's one card is gone, though nothing was played in this turn
    drawn: int = 0  # cards kept from the deck
    black: tuple[str, ...] = ()
    ended: bool = False
    rulings: Mapping[str, object] = field(default_factory=dict)

    @property
    def played(self) -> int:
        """Cards played in this turn."""
        return self.greens + self.thieves + self.blues

    @property
    def has_drawn(self) -> bool:
        """Whether the drawing has begun."""
        return bool(self.drawn or self.black)

    @property
    def limit(self) -> int:
        """With so many cards in hand nobody may draw."""
        return 6 if ruled(self.rulings, 1, "five_before_drawing") else 5


def play_fault(turn: Turn, face: str, picked: bool = False) -> Refusal | None:
    """Why a card may not be played now; None if it may. `picked`: just taken by a Grape Picker."""
    kind = class_of(face)
    card = {"card": f"@{face}"}
    if kind is None:
        return Refusal("WINE-SET-07", "unknown_card", {"card": face})
    if turn.ended or turn.has_drawn:
        return Refusal("WINE-TUR-01", "after_drawing", card)
    if kind == "black":
        return Refusal("WINE-BLK-01", "black_is_never_in_hand", card)
    if kind == "stop":
        return Refusal("WINE-STO-01", "stop_is_a_reaction", card)
    if turn.hand <= 0:
        return Refusal("WINE-TUR-01", "no_hand_card", card)
    return _mix_fault(turn, kind, card, picked)


def _mix_fault(turn: Turn, kind: str, card: Mapping[str, str], picked: bool) -> Refusal | None:
    """Whether a card goes together with those that were played before."""
    extra = picked and ruled(turn.rulings, 3, "may_play_picked")
    if turn.first and (turn.played or turn.used) and not extra:
        return Refusal("WINE-TUR-03", "first_round_one_card", card)
    if kind == "blue" and picked:
        return Refusal("WINE-GRP-02", "picked_blue_not_now", card)
    if kind == "blue" and turn.first and ruled(turn.rulings, 27, "blue_later"):
        return Refusal("WINE-AMB-27", "first_round_one_card", card)
    if kind == "blue" and turn.blues:
        return Refusal("WINE-TUR-05", "one_blue_per_turn", card)
    if turn.blues or (kind == "blue" and turn.played):
        return Refusal("WINE-BLU-01", "blue_excludes_others", card)
    if kind == "thieves" and turn.thieves:
        return Refusal("WINE-THI-05", "one_thief_per_turn", card)
    return None


def play(turn: Turn, face: str, picked: bool = False) -> Turn | Refusal:
    """The turn after a card was played; a Grape Picker's gain is counted where it is picked."""
    fault = play_fault(turn, face, picked)
    if fault is not None:
        return fault
    kind, hand = class_of(face), turn.hand - 1
    if kind == "green":
        return replace(turn, hand=hand, greens=turn.greens + 1)
    if kind == "thieves":
        return replace(turn, hand=hand, thieves=turn.thieves + 1)
    return replace(turn, hand=hand, blues=turn.blues + 1)


def must_discard(turn: Turn) -> int:
    """How many cards have to go before drawing."""
    if turn.has_drawn:
        return 0
    idle = ruled(turn.rulings, 19, "must_discard") and not turn.played and not turn.discards and turn.hand > 0
    return max(turn.hand - turn.limit + 1, int(idle))


def discard(turn: Turn) -> Turn | Refusal:
    """The turn after one hand card was laid away."""
    if turn.ended or turn.has_drawn:
        return Refusal("WINE-TUR-01", "after_drawing", {"card": "@card"})
    if must_discard(turn) == 0 and not ruled(turn.rulings, 29, "whenever_wanted"):
        return Refusal("WINE-DRA-05", "discard_only_to_get_below_5", {"limit": turn.limit})
    if turn.hand <= 0:
        return Refusal("WINE-DRA-05", "no_hand_card", {"card": "@card"})
    return replace(turn, hand=turn.hand - 1, discards=turn.discards + 1)


def draw_fault(turn: Turn) -> Refusal | None:
    """Why no card may be drawn now; None if one may."""
    if turn.ended:
        return Refusal("WINE-TUR-01", "after_drawing", {"card": "@card"})
    if turn.has_drawn and turn.hand >= HAND:
        return Refusal("WINE-DRA-03", "enough_cards", {"hand": turn.hand})
    if must_discard(turn):
        return Refusal("WINE-DRA-05", "hand_limit", {"hand": turn.hand, "discard": must_discard(turn)})
    return None


def draw(turn: Turn, face: str, shown: bool = True) -> Turn | Refusal:
    """The turn after a card was drawn and shown: kept, or black and to be carried out."""
    fault = draw_fault(turn)
    if fault is not None:
        return fault
    kind = class_of(face)
    if kind is None:
        return Refusal("WINE-DRA-02", "unknown_card", {"card": face})
    if not shown:
        return Refusal("WINE-DRA-02", "must_show")
    if kind == "black":
        return replace(turn, black=(*turn.black, face))
    return replace(turn, hand=turn.hand + 1, drawn=turn.drawn + 1)


def may_draw_again(turn: Turn) -> bool:
    """Whether the player may draw another card, or has enough."""
    return turn.has_drawn and turn.hand < HAND


def end(turn: Turn) -> Turn | Refusal:
    """The turn is over; at least one card must have been drawn."""
    if not turn.has_drawn:
        return Refusal("WINE-DRA-01", "must_draw")
    if turn.ended:
        return Refusal("WINE-TUR-01", "after_drawing", {"card": "@card"})
    return replace(turn, ended=True)
