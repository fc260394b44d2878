"""Cards laid on the places for playing and drawing, glasses turned over in rows, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from companion.games.wine.options import extras
from companion.games.wine.rules_deck import BASIC, returned
from companion.games.wine.rules_glasses import MIDDLE, Done
from companion.games.wine.rules_turn import Turn
from companion.games.wine.state import (
    Seen,
    State,
    Up,
    Went,
    base,
    face_of,
    glass_word,
    is_glass,
    owner_of,
    row_zone,
    ruled,
)
from companion.table.cues import Cue, Expect, Show
from companion.table.effects import Say
from companion.table.events import Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import CardId, Player, Zone


def laid(
    state: State, move: Shown, then: Callable[[State, CardId], Step[State] | Refusal]
) -> Step[State] | Refusal:
    """What `then` makes of the one new card on a place; one taken away is noted, one that cannot be there refused."""
    before = state.lying.get(move.zone, ())
    new = tuple(card for card in move.cards if card not in before)
    for card in new:
        fault = _stranger(state, card, move.zone)
        if fault is not None:
            return fault
    gone = tuple(card for card in before if card not in move.cards)
    if state.card is not None and state.card in gone:
        return Refusal("WINE-TUR-02", "put_back", {"card": f"@{face_of(state, state.card)}"})
    if not new and not gone:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    if len(new) > 1:
        return Refusal("WINE-TUR-02", "one_card_at_a_time", {"count": len(new)})
    after = replace(state, lying={**state.lying, move.zone: move.cards})
    return then(after, new[0]) if new else step(after, Say("did.taken"))


def _stranger(state: State, card: CardId, zone: Zone) -> Refusal | None:
    known = state.deck.by_id.get(card)
    if known is None:
        return Refusal("WINE-TUR-02", "foreign_card", {"card": card})
    if known.kind == "glass":  # its wine is nobody's business
        return Refusal("WINE-TUR-02", "glass_here", {"place": f"@zone.{zone}"})
    if base(known.face) not in state_faces(state):
        return Refusal("WINE-EXT-01", "not_mixed_in", {"card": f"@{base(known.face)}"})
    if card in state.spent:
        return Refusal("WINE-AMB-02", "belongs_elsewhere", {"card": f"@{base(known.face)}"})
    return None


def state_faces(state: State) -> frozenset[str]:
    """The cards this table plays with: the basic ones and the extension's that were mixed in."""
    return frozenset((*BASIC, *extras(state.rulings)))


def hand_cue(state: State, zone: Zone, count: int | None, faces: tuple[str, ...] = ()) -> Show:
    """Cards wanted on a place, beside what lies there."""
    lying = tuple(card for card in state.lying.get(zone, ()) if card not in state.spent)
    return Show(zone, Expect(count, faces, lying))


def used(state: State, card: CardId) -> State:
    """A hand card is done with: on the discard pile, by the ruling into the deck."""
    if ruled(state, 2, "back_into_deck"):
        return replace(state, pile=returned(state.pile))
    return replace(state, spent=state.spent | {card})


def closed(state: State) -> State:
    """The card is carried out: nothing of it is told any more, not the wine it asked for either."""
    return replace(
        state, card=None, wine=None, target=None, chooser=None, asked=(), shown={}, pressed={}, tried=False,
        passing={}, offers={}, answered=frozenset(), lap=state.lap + 1,
    )  # fmt: skip


def counted(state: State, done: Done) -> State:
    """Hands, protections and who is out, as the rules' answer has them; hands of the eliminated are laid away."""
    table = done.table
    pile = state.pile
    if ruled(state, 7, "hand_into_deck"):
        gone = sum(state.hands[p] for p in table.out if p not in state.out)
        pile = returned(pile, gone) if gone else pile
    hands = {player: table.hands[player] for player in state.order}
    return replace(state, hands=hands, vintage=table.vintage, aged=table.aged, out=table.out, pile=pile)


def moved(state: State, owner: Player, slot: int, to: Player) -> State:
    """A glass goes to the end of another row."""
    glass = state.rows[owner][slot - 1]
    left = _without(state.rows[owner], slot)
    there = state.rows[to] if to != owner else left
    row = (glass, *there) if ruled(state, 18, "left_end") else (*there, glass)
    went = (*state.went, Went(state.turns, glass, to))
    return replace(state, rows={**state.rows, owner: left, to: row}, went=went)


def gone(state: State, owner: Player, slot: int) -> State:
    """A glass is out of the game, on top of those lost before."""
    glass = state.rows[owner][slot - 1]
    rows = {**state.rows, owner: _without(state.rows[owner], slot)}
    went = (*state.went, Went(state.turns, glass, "lost"))
    return replace(state, rows=rows, lost=(*state.lost, glass), went=went)


def _without(row: tuple[int, ...], slot: int) -> tuple[int, ...]:
    return (*row[: slot - 1], *row[slot:])


def remembered(state: State, owner: Player, slot: int) -> State:
    """What the whole table saw of a glass, for the map after the game."""
    if owner not in state.shown:
        return state
    seen = Seen(state.turns, state.rows[owner][slot - 1], state.shown[owner].card)
    return replace(state, seen=(*state.seen, seen))


def rows_cues(state: State, asked: Iterable[Player]) -> tuple[Cue, ...]:
    """The rows that must show a glass, and the others: a glass turned over there is a mistake."""
    wanted = tuple(asked)
    owners = [p for p in (*state.order, MIDDLE) if state.rows[p]]
    return tuple(
        Show(row_zone(state, owner), Expect(1 if owner in wanted else 0, ("red", "rose", "white")))
        for owner in (*wanted, *(p for p in owners if p not in wanted))
    )


def turned(state: State, move: Shown, t: float) -> State | Refusal:
    """A glass turned over in a row: noted if one is asked for there, refused by the row's name if not."""
    owner = owner_of(state, move.zone)
    if owner is None:
        return Refusal("WINE-THI-02", "not_waited_for", aloud=False)
    glasses = tuple(card for card in move.cards if is_glass(state, card))
    before = state.shown.get(owner)
    if not glasses:
        if before is None:
            return Refusal("TABLE-SAME", "nothing_new", aloud=False)
        shown = {other: up for other, up in state.shown.items() if other != owner}
        return replace(state, shown=shown)
    names = ", ".join(glass_word(other) for other in state.asked)
    if owner not in state.asked:
        return Refusal("WINE-THI-02", "wrong_row", {"name": glass_word(owner), "names": names})
    if len(glasses) > 1:
        return Refusal("WINE-SET-04", "one_glass_only", {"name": glass_word(owner)})
    if before is not None and before.card == glasses[0]:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    return replace(state, shown={**state.shown, owner: Up(glasses[0], t)})


def content(state: State, owner: Player) -> str:
    """What the glass holds that this row shows now."""
    return state.deck.face(state.shown[owner].card)


def with_turn(state: State, turn: Turn) -> State:
    """The turn as the rules have it, and its hand."""
    assert state.turn is not None, "a turn belongs to somebody"
    return replace(state, play=turn, hands={**state.hands, state.turn: turn.hand})


def beginning(state: State) -> Turn:
    """The rules' turn for the player whose turn begins."""
    assert state.turn is not None, "a turn belongs to somebody"
    used_up = state.turn in state.stopped_early and ruled(state, 5, "stop_counts")
    return Turn(state.hands[state.turn], state.round == 1, used=used_up, rulings=state.rulings)


def into_deck(state: State) -> tuple[Say, ...]:
    """The reminder where a black card goes when it is done with."""
    return (Say("say.into_deck", {"card": f"@{face_of(state, state.card)}"}),)
