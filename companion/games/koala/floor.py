"""Table manners of a zone where players press first and lay cards then: claims, fresh cards, strays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.koala import rules_call
from companion.games.koala.rules_seats import distance, partner
from companion.games.koala.state import Claim, Floor, State, place_of, ruled
from companion.table.cues import Cue, Press, Wait
from companion.table.events import Clock, Pressed
from companion.table.game import Refusal
from companion.table.phases import seconds
from companion.table.things import CALL, CardId, Player

BEATS = ("beat.ko", "beat.a", "beat.la")


def laid(state: State, floor: Floor, cards: Iterable[CardId], known: Iterable[CardId]) -> Floor | Refusal:
    """The floor after its zone was seen: what is new there, and which strays have gone.

    `known` lies there by right. A card that belongs elsewhere, or is no playing card, is refused by name.
    """
    there = tuple(cards)
    rightful = {*known, *floor.spent, *floor.strays}
    fresh = tuple(card for card in there if card not in rightful)
    for card in fresh:
        if (fault := _stranger(state, card)) is not None:
            return fault
    strays = tuple(card for card in floor.strays if card in there)
    if fresh == floor.fresh and strays == floor.strays:
        missing = [card for card in known if card not in there]
        if missing and not fresh:
            listed = ", ".join(f"@{state.deck.face(card)}" for card in missing)
            return Refusal("KOALA-AUC-05", "put_back", {"cards": listed})
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    return replace(floor, fresh=fresh, strays=strays)


def _stranger(state: State, card: CardId) -> Refusal | None:
    known = state.deck.by_id.get(card)
    if known is None:
        return Refusal("KOALA-CMP-01", "foreign_card", {"card": card})
    if known.kind not in ("food", "action"):
        return Refusal("KOALA-CMP-01", "foreign_card", {"card": f"@{known.face}"})
    where = place_of(state, card)
    if where is not None:
        return Refusal("KOALA-CMP-01", "belongs_elsewhere", {"card": f"@{known.face}", "place": where})
    return None


def claimed(state: State, floor: Floor, press: Pressed) -> Floor | Refusal:
    """The floor after a press: a new claim behind the earlier ones, or a partner joining an open claim.

    Presses too close to call are ordered by the ruling: nearer to the starting player, clockwise, first.
    """
    mate = partner(state.seats, press.player)
    for place, claim in enumerate(floor.claims):
        if press.player in claim.players:
            return Refusal("KOALA-AUC-19", "already_pressed", {"name": press.player}, aloud=False)
        if mate in claim.players and floor is state.middle:
            joint = replace(claim, players=(*claim.players, press.player))
            return replace(floor, claims=(*floor.claims[:place], joint, *floor.claims[place + 1 :]))
    mine = Claim((press.player,), press.at, press.unc)
    claims = list(floor.claims)
    place = len(claims)
    while place and press.tied and _nearer(state, mine, claims[place - 1], press.tied):
        place -= 1
    claims.insert(place, mine)
    lay = floor.lay + 1 if place == 0 else floor.lay
    return replace(floor, claims=tuple(claims), lay=lay)


def _nearer(state: State, mine: Claim, other: Claim, tied: tuple[Player, ...]) -> bool:
    if other.players[0] not in tied:
        return False
    if ruled(state, 2, "time_stamp"):
        return mine.at < other.at
    assert state.starter is not None, "the starting player is known once cards are dealt"
    mine_away, other_away = (distance(state.seats, state.starter, c.players[0]) for c in (mine, other))
    return mine_away < other_away


def lies_about(floor: Floor) -> tuple[CardId, ...]:
    """What was seen in a zone beside what is booked there: laid and not judged yet, or to be taken back."""
    return (*floor.fresh, *floor.strays)


def next_claim(floor: Floor, strays: tuple[CardId, ...] = ()) -> Floor:
    """The first claim is done with: the next one has the floor; invalid cards are to be taken back."""
    kept = tuple(card for card in floor.fresh if card not in strays)
    return replace(
        floor, claims=floor.claims[1:], fresh=kept, strays=(*floor.strays, *strays), lay=floor.lay + 1
    )


def cleared(floor: Floor) -> Floor:
    """Nobody claims any more: whatever lies there unjudged is to be taken back, clocks begin anew."""
    return replace(
        floor, claims=(), fresh=(), strays=(*floor.strays, *floor.fresh),
        quiet=False, ran_out=False, lap=floor.lap + 1, lay=floor.lay + 1,
    )  # fmt: skip


def pause_cues(state: State, floor: Floor, calling: bool) -> tuple[Cue, ...]:
    """The clocks of a window: laying, the least quiet, the pause that starts the count, the count itself."""
    cues: list[Cue] = []
    if floor.claims:
        cues.append(Wait(Clock("lay", floor.lay), seconds(state, "lay_s")))
    if calling:
        if not floor.ran_out:
            cues.append(Wait(Clock("call", floor.lap), seconds(state, "call_s"), BEATS))
    elif not floor.claims:
        assert state.starter is not None, "a window has a starting player"
        if not floor.quiet:
            cues.append(Wait(Clock("quiet", floor.lap), seconds(state, "min_pause_s")))
        else:
            cues.append(Press(state.starter, CALL, "cue.call"))
            rest = seconds(state, "pause_s") - seconds(state, "min_pause_s")
            if rest > 0:
                cues.append(Wait(Clock("pause", floor.lap), rest))
    return tuple(cues)


def call_fault(state: State, floor: Floor, player: Player) -> Refusal | None:
    """Why a call KO - A - LA does not start now; None if it may."""
    assert state.starter is not None, "a window has a starting player"
    return rules_call.call_fault(floor.quiet and not floor.claims, player, state.starter)
