"""Both scorings, type by type with running sums; after the first one the red-cross cards go back to the box."""

from __future__ import annotations

from dataclasses import replace

from companion.games.kukakoenig.rules_score import TYPES, by_type, winners
from companion.games.kukakoenig.state import (
    BOX,
    ONWARD,
    State,
    kinds_of,
    place_of,
    playing,
    red,
    tables,
    words,
)
from companion.table.cues import Cue, Expect, Press, Show, Wait
from companion.table.effects import Say
from companion.table.events import Clock, Move, Pressed, Rang, Shown
from companion.table.game import Point, Refusal, Score, Step
from companion.table.phases import seconds, step  # fmt: skip
from companion.table.things import BID, CALL, CardId, Player


def enter_first(state: State) -> Step[State]:
    """The first scoring."""
    return _open(state, Say("say.first_scoring"))


def enter_second(state: State) -> Step[State]:
    """The concluding scoring."""
    only = not state.points
    return _open(state, Say("say.only_scoring" if only else "say.second_scoring"))


def _open(state: State, said: Say) -> Step[State]:
    scored = by_type(tables(state), state.rulings)
    lines = tuple(line for kind in TYPES for line in scored[kind])
    after = replace(state, phase="score", at=0, points=(*state.points, lines))
    return Step(after, (said, _spoken(after)))


def now(state: State) -> dict[str, tuple[Point, ...]]:
    """The scoring under way, by types."""
    return by_type(tables(state), state.rulings)


def _spoken(state: State) -> Say:
    """What the present type brings, in one sentence."""
    kind = TYPES[state.at]
    lines = now(state)[kind]
    got = {player: sum(p.points for p in lines if p.who == player) for player in state.setting.players}
    told = ", ".join(f"{player} {points}" for player, points in got.items() if points)
    return Say("say.scored" if told else "say.scored_none", {"kind": f"@type.{kind}", "points": told})


def legal(state: State) -> tuple[Cue, ...]:
    """The next type by a press, or by itself after a while."""
    cues: list[Cue] = [Press(player, BID, "cue.next") for player in state.setting.players]
    wait = seconds(state, "score_s")
    if wait > 0:
        cues.append(Wait(Clock("score", 10 * len(state.points) + state.at), wait))
    return tuple(cues)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """On to the next type; after the last one the sums."""
    if not isinstance(move, Rang) and not (isinstance(move, Pressed) and move.button == BID):
        return Refusal("KUKA-SCO-02", "not_waited_for", aloud=False)
    did = Say("did.scored_type", {"kind": f"@type.{TYPES[state.at]}"})
    if state.at + 1 < len(TYPES):
        after = replace(state, at=state.at + 1)
        return step(after, did, _spoken(after))
    totals = score(state).totals
    told = ", ".join(f"{player} {points}" for player, points in totals.items())
    if "keep" in state.todo:
        return step(state, did, Say("say.so_far", {"points": told}), phase=ONWARD)
    if state.todo:  # the concluding scoring follows at once
        return step(state, did, Say("say.so_far", {"points": told}), phase=ONWARD)
    final = score(state)
    key = "say.winner" if len(final.winners) == 1 else "say.winners"
    said = Say(key, {"names": ", ".join(final.winners), "points": max(final.totals.values(), default=0)})
    return step(state, did, Say("say.totals", {"points": told}), said, phase="over", score=final)


def score(state: State) -> Score:
    """All scorings so far: every line, totals, who is ahead."""
    people = state.setting.players
    each = {
        player: tuple(sum(p.points for p in lines if p.who == player) for lines in state.points)
        for player in people
    }
    cards = {player: len(held) for player, held in state.collections.items()}
    totals, best = winners(each, cards, state.rulings)
    lines = tuple(
        replace(line, values={**line.values, "scoring": number})
        for number, scored in enumerate(state.points, 1)
        for line in scored
    )
    return Score(lines, {str(p): n for p, n in totals.items()}, tuple(best) if state.points else ())


def enter_keep(state: State) -> Step[State]:
    """Everybody with red-cross cards lays them back, one after the other; from now on it is stage two."""
    queue = tuple(player for player in state.setting.players if red(state, player))
    after = replace(state, phase="keep", queue=queue, laid=None, stage=2)
    if not queue:
        return Step(replace(after, phase=ONWARD), (Say("say.nobody_returns"),))
    return Step(after, (_ask(after),))


def _ask(state: State) -> Say:
    player = state.queue[0]
    cards = red(state, player)
    return Say("say.return", {"name": player, "count": len(cards), "cards": kinds_of(state, cards)})


def legal_keep(state: State) -> tuple[Cue, ...]:
    """Exactly the red-cross cards on the box plate, or a press: done."""
    player = state.queue[0]
    return (
        Show(BOX, Expect(exactly=red(state, player))),
        Press(player, BID, "cue.returned"),
        Press(player, CALL, "cue.as_recorded"),
    )


def missing(state: State) -> tuple[CardId, ...]:
    """Which red-cross cards are not on the box plate yet."""
    if state.phase != "keep" or not state.queue:
        return ()
    return tuple(card for card in red(state, state.queue[0]) if card not in (state.laid or ()))


def apply_keep(state: State, move: Move) -> Step[State] | Refusal:
    """Cards on the box plate are compared card by card; a press without a camera is believed."""
    player = state.queue[0]
    if isinstance(move, Shown) and move.zone == BOX:
        return _seen(state, player, move)
    if not isinstance(move, Pressed):
        return Refusal("KUKA-END1-04", "not_waited_for", aloud=False)
    if move.player != player:
        return Refusal("KUKA-END1-04", "not_your_turn", {"name": player})
    if move.button == BID and state.laid:
        left = tuple(card for card in red(state, player) if card not in state.laid)
        if left:
            values = {"name": player, "cards": words(state, left)}
            return Refusal("KUKA-END1-04", "red_cards_missing", values)
        wrong = _wrong(state, player, state.laid)
        return Refusal("KUKA-END1-03", "green_card_stays", {"name": player, "cards": words(state, wrong)})
    return _returned(state, player)


def _wrong(state: State, player: Player, laid: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """Cards on the box plate that belong to a collection and stay there."""
    back = red(state, player)
    owned = {card for cards in state.collections.values() for card in cards}
    return tuple(card for card in laid if card in owned and card not in back)


def _seen(state: State, player: Player, move: Shown) -> Step[State] | Refusal:
    cards = tuple(c for c in playing(state.deck, move.cards) if c not in state.box)
    strangers = [card for card in cards if card not in state.deck.by_id]
    if strangers:
        return Refusal("KUKA-CMP-03", "foreign_card", {"card": strangers[0], "place": "@zone.box"})
    if set(cards) == set(state.laid or ()):
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    back, wrong = red(state, player), _wrong(state, player, cards)
    if set(back) <= set(cards) and not wrong:
        return _returned(state, player)
    says = []
    if wrong and set(wrong) - set(state.laid or ()):
        home = place_of(state, wrong[0]) or str(player)
        says.append(Say("say.stays", {"cards": words(state, wrong), "home": home}))
    return step(state, Say("did.box_seen"), *says, laid=cards)


def _returned(state: State, player: Player) -> Step[State]:
    back = red(state, player)
    held = tuple(card for card in state.collections[player] if card not in back)
    after = replace(
        state, collections={**state.collections, player: held}, box=(*state.box, *back),
        queue=state.queue[1:], laid=None,
    )  # fmt: skip
    did = Say("did.returned", {"name": player, "count": len(back)})
    if after.queue:
        return step(after, did, _ask(after))
    return step(after, did, Say("say.all_returned"), phase=ONWARD)
