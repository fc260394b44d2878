"""A turn: cards are played one by one, then drawn and shown; what a card does is told in the other files."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wine import rules_turn
from companion.games.wine.floor import beginning, closed, hand_cue, laid, used, with_turn
from companion.games.wine.rules_deck import FACES, Pile, class_of, drawn
from companion.games.wine.rules_glasses import alive, following, winner
from companion.games.wine.rules_hand import vintage_ended
from companion.games.wine.state import DRAWN, PLAYED, State, base, current, ruled, table_of, turn_of, wine_of
from companion.table.cues import Choose, Cue, Press
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, CardId

HANDS = tuple(face for face in FACES if class_of(face) not in ("black", "stop"))


def enter_next(state: State) -> Step[State]:
    """The next player with glasses begins; Vintage ends with the owner's own turn."""
    table = table_of(state)
    before = state.turn
    if before is not None and ruled(state, 16, "through_own_turn") and state.vintage_at != state.turns:
        table = vintage_ended(table, before)
    player = state.starter if before is None else following(table, before)
    assert player is not None and state.starter is not None, "a game has a starting player"
    if ruled(state, 16, "until_own_turn"):
        table = vintage_ended(table, player)
    first = state.order.index(state.starter)
    away = {each: (place - first) % len(state.order) for place, each in enumerate(state.order)}
    wraps = before is not None and away[player] <= away[before]
    state = replace(
        closed(state), vintage=table.vintage, turn=player, turns=state.turns + 1,
        round=state.round + int(wraps), picked=False, phase="turn",
    )  # fmt: skip
    state = replace(state, play=beginning(state))
    said = "say.turn_first" if state.play.first else "say.turn"
    return Step(state, (Say(said, {"name": player}),))


def enter_resume(state: State) -> Step[State]:
    """A card is carried out: the game is over, or the player goes on playing or drawing, or is done."""
    state = closed(state)
    table = table_of(state)
    last = winner(table)
    if last is not None:
        return Step(replace(state, phase="finale", winner=last))
    if current(state) not in alive(table):
        return Step(replace(state, phase="next"))
    if not state.play.has_drawn:
        return Step(replace(state, phase="turn"))
    return Step(replace(state, phase="draw" if rules_turn.may_draw_again(turn_of(state)) else "next"))


def legal(state: State) -> tuple[Cue, ...]:
    """A card played, or the button: done with playing, now for the drawing."""
    player = current(state)
    cues: list[Cue] = [Press(player, BID, "cue.draw")]
    if state.hands[player] > 0:
        cues.append(hand_cue(state, PLAYED, 1, HANDS))
        if ruled(state, 29, "whenever_wanted"):
            cues.append(Choose(player, "turn", ("discard",)))
    else:
        cues.append(hand_cue(state, PLAYED, 0))
    return (*cues, hand_cue(state, DRAWN, 0))


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """A card from hand, or the end of playing."""
    player = current(state)
    if isinstance(move, Chosen) and move.cue == "turn" and move.player == player:
        if not ruled(state, 29, "whenever_wanted") or state.hands[player] <= 0 or move.option != "discard":
            return Refusal("WINE-DRA-05", "discard_only_to_get_below_5", {"limit": turn_of(state).limit})
        return step(state, Say("did.discards", {"name": player}), phase="discard")
    if isinstance(move, Shown) and move.zone == PLAYED:
        return laid(state, move, _played)
    if isinstance(move, Shown) and move.zone == DRAWN:
        return laid(state, move, _too_early)
    if not isinstance(move, Pressed) or move.button != BID:
        return Refusal("WINE-TUR-01", "not_waited_for", aloud=False)
    if move.player != player:
        return Refusal("WINE-TUR-01", "not_your_turn", {"name": move.player, "turn": player})
    did = Say("did.done_playing", {"name": player})
    need = rules_turn.must_discard(turn_of(state))
    if need:
        return step(state, did, Say("say.discard", {"name": player, "count": need}), phase="discard")
    return step(state, did, Say("say.draw", {"name": player}), phase="draw")


def _too_early(state: State, _: CardId) -> Refusal:
    """A card on the place for drawing before anybody draws."""
    need = rules_turn.must_discard(turn_of(state))
    if need:
        values: dict[str, str | int] = {"name": current(state), "count": need}
        return Refusal("WINE-DRA-05", "hand_limit", values)
    return Refusal("WINE-TUR-01", "press_before_drawing", {"name": current(state)})


def _played(state: State, card: CardId) -> Step[State] | Refusal:
    player, face = current(state), state.deck.face(card)
    name = base(face)
    turn = rules_turn.play(turn_of(state), name, state.picked)
    if isinstance(turn, Refusal):
        return replace(turn, values={**turn.values, "name": player})
    after = replace(
        with_turn(state, turn), card=card, wine=wine_of(face), picked=False, lap=state.lap + 1, phase=name
    )
    values: dict[str, str | int] = {"name": player, "card": f"@{name}"}
    return step(after, Say("did.played", values), *_explained(state, name))


def legal_discard(state: State) -> tuple[Cue, ...]:
    """Any hand card on the place for playing."""
    return hand_cue(state, PLAYED, 1), hand_cue(state, DRAWN, 0)


def apply_discard(state: State, move: Move) -> Step[State] | Refusal:
    """Hand cards laid away until few enough are left."""
    if isinstance(move, Shown) and move.zone == DRAWN:
        return laid(state, move, _too_early)
    player = current(state)
    if isinstance(move, Pressed) and move.player == player:
        need = rules_turn.must_discard(turn_of(state))
        return Refusal("WINE-DRA-05", "hand_limit", {"name": player, "count": need})
    if not isinstance(move, Shown) or move.zone != PLAYED:
        return Refusal("WINE-DRA-05", "not_waited_for", aloud=False)
    return laid(state, move, _discarded)


def _discarded(state: State, card: CardId) -> Step[State] | Refusal:
    player, name = current(state), base(state.deck.face(card))
    if class_of(name) == "black":
        return Refusal("WINE-BLK-01", "black_is_never_in_hand", {"card": f"@{name}", "name": player})
    wanted = rules_turn.must_discard(turn_of(state)) == 0
    turn = rules_turn.discard(turn_of(state))
    if isinstance(turn, Refusal):
        return turn
    after = used(with_turn(state, turn), card)
    did = Say("did.discarded", {"name": player})
    if wanted:
        return step(after, did, phase="turn")
    if rules_turn.must_discard(turn):
        return step(after, did)
    return step(after, did, Say("say.draw", {"name": player}), phase="draw")


def legal_draw(state: State) -> tuple[Cue, ...]:
    """The next card, shown to everybody; with one drawn the player may be content."""
    cues: list[Cue] = [hand_cue(state, DRAWN, 1)]
    if state.play.has_drawn:
        cues.append(Press(current(state), BID, "cue.enough"))
    return tuple(cues)


def apply_draw(state: State, move: Move) -> Step[State] | Refusal:
    """A card drawn: kept, or black and to be carried out at once."""
    player = current(state)
    if isinstance(move, Shown) and move.zone == DRAWN:
        return laid(state, move, _drawn)
    if isinstance(move, Shown) and move.zone == PLAYED:
        return Refusal("WINE-TUR-01", "after_drawing", {"name": player, "card": "@card"})
    if not isinstance(move, Pressed) or move.button != BID:
        return Refusal("WINE-DRA-01", "not_waited_for", aloud=False)
    if move.player != player:
        return Refusal("WINE-TUR-01", "not_your_turn", {"name": move.player, "turn": player})
    ended = rules_turn.end(turn_of(state))
    if isinstance(ended, Refusal):
        return replace(ended, values={"name": player})
    return step(state, Say("did.enough", {"name": player}), play=ended, phase="next")


def _drawn(state: State, card: CardId) -> Step[State] | Refusal:
    player, name = current(state), base(state.deck.face(card))
    turn = rules_turn.draw(turn_of(state), name)
    if isinstance(turn, Refusal):
        return replace(turn, values={**turn.values, "name": player})
    if class_of(name) == "black":
        return _black(with_turn(state, turn), card, name)
    after = replace(with_turn(state, turn), pile=_pile_without(state, name))
    # Everybody saw the card, but whoever forgets what is in a hand is not reminded of it.
    did = Say("did.drew", {"name": player})
    if rules_turn.may_draw_again(turn):
        return step(after, did, Say("say.may_draw", {"name": player}))
    return step(after, did, phase="next")


def _pile_without(state: State, name: str) -> Pile:
    """The deck after this card; a card that by the count was not in it shows that the count was wrong."""
    pile = drawn(state.pile, name, name == "auction" and bool(state.lost))
    return state.pile if isinstance(pile, Refusal) else pile


def _black(state: State, card: CardId, name: str) -> Step[State]:
    """A black card counts as back in the deck from now on; an Auction that is held leaves it."""
    player = current(state)
    face = state.deck.face(card)
    pile = _pile_without(state, name)
    did = Say("did.drawn", {"name": player, "card": f"@{name}"})
    return step(
        state, did, *_explained(state, name), card=card, wine=wine_of(face), pile=pile, phase=name,
        lap=state.lap + 1,
    )  # fmt: skip


def _explained(state: State, name: str) -> tuple[Say, ...]:
    """For beginners: what the card that everybody sees now does."""
    return (Say(f"explain.{name}"),) if state.rulings["beginners"] else ()
