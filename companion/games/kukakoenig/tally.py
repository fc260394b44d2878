"""Score only: an evening played without the companion; each collection is laid under the camera at a scoring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.kukakoenig.options import settle_options
from companion.games.kukakoenig.rules_deck import layout
from companion.games.kukakoenig.rules_score import Held, by_type, fault, held, winners
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Setting, Shown
from companion.table.game import Game, Point, Refusal, Score, Step, View, Viewer
from companion.table.things import BID, CardId, Deck, Player, Zone, value

LOOK = Zone("look")  # everything the camera sees; no plate is needed
SCORINGS = {"first": ("first",), "second": ("second",), "both": ("first", "second")}


@value
class State:
    """Which cards were seen in whose collection at which scoring, and what is under the camera now."""

    setting: Setting
    deck: Deck
    rulings: Mapping[str, object]
    scorings: tuple[str, ...]
    noted: Mapping[Player, int]  # points of a first scoring that was written down
    held: tuple[tuple[CardId, ...], ...]  # what was seen at each place
    at: int = 0
    unclear: tuple[CardId, ...] = ()  # seen in two collections of one scoring: to be decided
    did: Say = Say("did.nothing")


def setup(setting: Setting, deck: Deck) -> Step[State] | Refusal:
    """`options["scorings"]`: first, second or both; `options["noted"]`: points of the first scoring by player."""
    own = {name: of for name, of in setting.options.items() if name not in ("scorings", "noted")}
    rulings = settle_options(own)
    if isinstance(rulings, Refusal):
        return rulings
    found = layout(len(setting.players))
    if isinstance(found, Refusal):
        return found
    chosen, noted = setting.options.get("scorings", "first"), setting.options.get("noted", {})
    if chosen not in SCORINGS:
        return _wrong("scorings", chosen, ", ".join(SCORINGS))
    if not isinstance(noted, Mapping) or not _noted(noted, setting, str(chosen)):
        return _wrong("noted", noted, "whole points of every player, with the second scoring only")
    state = State(
        setting, deck, rulings, SCORINGS[str(chosen)], {Player(p): int(n) for p, n in noted.items()}, ()
    )
    state = replace(state, held=((),) * len(places(state)))
    says = (Say("say.made_up"),) if deck.made_up else ()
    return Step(state, (*says, _ask(state)))


def _noted(noted: Mapping[Any, Any], setting: Setting, chosen: str) -> bool:
    """Whether noted points are those of everybody, for a second scoring; none are right everywhere."""
    whole = all(type(points) is int for points in noted.values())
    return not noted or (whole and chosen == "second" and set(noted) == set(setting.players))


def _wrong(name: str, chosen: object, allowed: str) -> Refusal:
    values = {"option": name, "value": str(chosen), "allowed": allowed}
    return Refusal("TABLE-OPTION", "wrong_value", values)


def places(state: State) -> tuple[str, ...]:
    """What is laid under the camera one after the other: everybody's collection at each scoring."""
    return tuple(f"{scoring}:{player}" for scoring in state.scorings for player in state.setting.players)


def _ask(state: State) -> Say:
    scoring, _, who = places(state)[state.at].partition(":")
    return Say(f"tally.{scoring}", {"name": who})


def legal(state: State) -> tuple[Cue, ...]:
    """Cards in any number and portion, and "next" by whoever presses; at the end the open questions."""
    if state.at < len(places(state)):
        cues: list[Cue] = [Show(LOOK, Expect(None, (), state.held[state.at]))]
        cues += [Press(player, BID, "cue.next_place") for player in state.setting.players]
        cues.append(Choose(state.setting.players[0], "tally", ("next", "back", "clear")))
        return tuple(cues)
    if state.unclear:
        card = state.unclear[0]
        options = tuple(place for place, cards in _pairs(state) if card in cards)
        return (Choose(state.setting.players[0], f"where:{card}", options),)
    return ()


def _pairs(state: State) -> list[tuple[str, tuple[CardId, ...]]]:
    return list(zip(places(state), state.held, strict=True))


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """Cards add up, each physical card once; next, back and clear move between the places."""
    if isinstance(move, Chosen):
        return _chosen(state, move)
    if state.at >= len(places(state)):
        return Refusal("KUKA-END2-04", "game_is_over", aloud=False)
    if isinstance(move, Pressed):
        return _go(state, state.at + 1)
    if not isinstance(move, Shown) or move.zone != LOOK:
        return Refusal("KUKA-SCO-01", "not_waited_for", aloud=False)
    return _seen(state, move.cards)


def _seen(state: State, cards: tuple[CardId, ...]) -> Step[State] | Refusal:
    place, here = places(state)[state.at], state.held[state.at]
    fresh = [card for card in dict.fromkeys(cards) if card not in here]
    strangers = [card for card in fresh if card not in state.deck.by_id]
    if strangers:
        return Refusal("KUKA-CMP-01", "foreign_card", {"card": strangers[0], "place": "@zone.look"})
    right = tuple(card for card in fresh if state.deck.by_id[card].kind != "number")
    if not right:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    scoring = place.partition(":")[0]
    others = {c for other, held_there in _pairs(state) if other.startswith(f"{scoring}:") for c in held_there}
    twice = tuple(card for card in right if card in others)
    held_now = (*state.held[: state.at], (*here, *right), *state.held[state.at + 1 :])
    unclear = (*state.unclear, *(card for card in twice if card not in state.unclear))
    says = [Say("tally.twice", {"card": f"@{state.deck.face(card)}"}) for card in twice]
    says.append(Say("tally.count", {"count": len(here) + len(right)}))
    return Step(
        replace(state, held=held_now, unclear=unclear, did=Say("did.shown", {"count": len(right)})),
        tuple(says),
    )


def _chosen(state: State, move: Chosen) -> Step[State] | Refusal:
    if move.cue == "tally" and move.option in ("next", "back", "clear"):
        if move.option == "clear" and state.at < len(state.held):
            gone = state.held[state.at]
            kept = (*state.held[: state.at], (), *state.held[state.at + 1 :])
            unclear = tuple(card for card in state.unclear if card not in gone)
            return Step(replace(state, held=kept, unclear=unclear, did=Say("did.cleared")), (_ask(state),))
        return _go(state, state.at + (1 if move.option == "next" else -1))
    for cue in legal(state):
        if isinstance(cue, Choose) and cue.what == move.cue and move.option in cue.options:
            card, scoring = state.unclear[0], move.option.partition(":")[0]
            kept = tuple(
                tuple(
                    c
                    for c in cards
                    if c != card or place == move.option or not place.startswith(f"{scoring}:")
                )
                for place, cards in _pairs(state)
            )
            after = replace(state, held=kept, unclear=state.unclear[1:], did=Say("did.decided"))
            return Step(after, _told(after))
    return Refusal("KUKA-SCO-01", "no_such_question", {"option": move.option})


def _go(state: State, at: int) -> Step[State]:
    after = replace(state, at=max(0, min(at, len(places(state)))), did=Say("did.next_place"))
    ended = after.at == len(state.setting.players) and "first" in state.scorings and at > state.at
    says = (
        *(_returns_told(after) if ended else ()),
        *(() if after.at == len(places(state)) else (_ask(after),)),
    )
    return Step(after, (*says, *(_told(after) if after.at == len(places(state)) else ())))


def _returns_told(state: State) -> tuple[Say, ...]:
    """After the first scoring: how many cards each player lays back into the box, and of which kinds."""
    says = []
    for player, cards in returns(state).items():
        kinds = ", ".join(dict.fromkeys(f"@{state.deck.face(card)}" for card in cards))
        if cards:
            says.append(Say("say.return", {"name": player, "count": len(cards), "cards": kinds}))
    return tuple(says)


def _told(state: State) -> tuple[Say, ...]:
    """All was seen: open questions asked, else faults named, else the winner said."""
    if state.unclear:
        return (Say("tally.where", {"card": f"@{state.deck.face(state.unclear[0])}"}),)
    for scoring in state.scorings:
        wrong = fault(_tables(state, scoring))
        if wrong is not None:
            return (Say(f"no.{wrong.stem}", wrong.values),)
    done = score(state)
    if "second" not in state.scorings:
        told = ", ".join(f"{who} {points}" for who, points in done.totals.items())
        return (Say("say.so_far", {"points": told}),)
    key = "say.winner" if len(done.winners) == 1 else "say.winners"
    return (Say(key, {"names": ", ".join(done.winners), "points": max(done.totals.values(), default=0)}),)


def _tables(state: State, scoring: str) -> dict[Player, Held]:
    return {
        Player(place.partition(":")[2]): held(state.deck.by_id[card] for card in cards)
        for place, cards in _pairs(state)
        if place.startswith(f"{scoring}:")
    }


def returns(state: State) -> dict[Player, tuple[CardId, ...]]:
    """What everybody lays back into the box after the first scoring: the cards with the red cross."""
    facts = state.deck.facts
    return {
        Player(place.partition(":")[2]): tuple(
            card for card in cards if not facts.get(state.deck.face(card), {}).get("stays", False)
        )
        for place, cards in _pairs(state)
        if place.startswith("first:")
    }


def score(state: State) -> Score:
    """The score of what was seen, with the noted points of an earlier scoring."""
    lines: list[Point] = [
        Point(player, points, "KUKA-SCO-03", "score.noted", {"scoring": 1})
        for player, points in state.noted.items()
    ]
    each: dict[Player, list[int]] = {player: [] for player in state.setting.players}
    for player, points in state.noted.items():
        each[player].append(points)
    for scoring in state.scorings:
        number = 1 if scoring == "first" else 2
        scored = [
            line for found in by_type(_tables(state, scoring), state.rulings).values() for line in found
        ]
        lines += [replace(line, values={**line.values, "scoring": number}) for line in scored]
        for player, sums in each.items():
            sums.append(sum(line.points for line in scored if line.who == player))
    cards = {player: table.cards for player, table in _tables(state, state.scorings[-1]).items()}
    totals, best = winners({p: tuple(points) for p, points in each.items()}, cards, state.rulings)
    final = best if "second" in state.scorings else ()
    return Score(tuple(lines), {str(p): n for p, n in totals.items()}, tuple(final))


def view(state: State, viewer: Viewer) -> View:
    """The counted collections as plain data: everything lies open."""
    del viewer  # nothing is hidden
    done, spots = not legal(state), places(state)
    back: dict[str, Any] = {
        str(p): [state.deck.face(card) for card in cards] for p, cards in returns(state).items()
    }
    return {
        "game": "kukakoenig-tally",
        "phase": "over" if done else "tally",
        "players": list(state.setting.players),
        "waiting_for": [] if done else list(state.setting.players),
        "place": spots[state.at] if state.at < len(spots) else None,
        "places": [
            {"place": place, "cards": [state.deck.face(card) for card in cards]}
            for place, cards in _pairs(state)
        ],
        "back_to_box": back,
        "unclear": [state.deck.face(card) for card in state.unclear],
        "made_up": state.deck.made_up,
        "prompt": _plain(_ask(state)) if state.at < len(spots) else _plain(Say("prompt.tally_done")),
        "did": _plain(state.did),
        "score": _score(score(state)) if done else None,
    }


def _plain(say: Say) -> dict[str, object]:
    return {"key": say.key, "values": dict(say.values)}


def _score(found: Score) -> dict[str, object]:
    return {
        "lines": [
            {"who": p.who, "points": p.points, "rule": p.rule, "why": p.why, "values": dict(p.values)}
            for p in found.lines
        ],
        "totals": dict(found.totals), "winners": list(found.winners), "notes": list(found.notes),
    }  # fmt: skip


GAME = Game("kukakoenig-tally", setup, legal, apply, score, view)
