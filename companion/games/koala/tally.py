"""Score only: an evening played without the companion, counted seat by seat under the camera."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.koala.options import settle_options
from companion.games.koala.rules_score import score as count
from companion.games.koala.rules_score import team_fault
from companion.games.koala.rules_seats import CAVES, FOODS, Seat, Seats, seating
from companion.games.koala.state import sides
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Setting, Shown
from companion.table.game import Game, Refusal, Score, Step, View, Viewer
from companion.table.plain import plain_score
from companion.table.things import BID, CardId, Deck, Player, Zone, value

LOOK = Zone("look")  # everything the camera sees; no plate is needed


@value
class State:
    """Which cards were seen at which seat, and whose seat is under the camera now."""

    setting: Setting
    deck: Deck
    rulings: Mapping[str, object]
    seats: Seats
    held: tuple[tuple[CardId, ...], ...]  # what was seen at each place: first the seats, then feasts, teams
    at: int = 0
    unclear: tuple[CardId, ...] = ()  # seen at two seats: named, and to be decided
    joins: str | None = None
    did: Say = Say("did.nothing")


def setup(setting: Setting, deck: Deck) -> Step[State] | Refusal:
    """Seats come as `options["seats"]`: one entry a cave, clockwise: [white, black] with null for nobody."""
    rulings = settle_options({k: v for k, v in setting.options.items() if k != "seats"})
    if isinstance(rulings, Refusal):
        return rulings
    if not 3 <= len(setting.players) <= 10:
        return Refusal("KOALA-SET-01", "player_count", {"count": len(setting.players)})
    seats = _seats(setting)
    if isinstance(seats, Refusal):
        return seats
    state = State(setting, deck, rulings, seats, ())
    state = replace(state, held=((),) * len(places(state)))
    return Step(state, (_ask(state),))


def _seats(setting: Setting) -> Seats | Refusal:
    """The seats as people sit at the end; without the option everybody sits alone or behind in order."""
    rows = setting.options.get("seats")
    if rows is None:
        return seating(setting.players)
    if not isinstance(rows, list | tuple) or not 3 <= len(rows) <= 6:
        return Refusal("KOALA-SET-05", "bad_seats", {"why": "three to six caves"})
    seats = []
    for row in rows:
        if not isinstance(row, list | tuple) or len(row) != 2 or (row[0] is None and row[1] is not None):
            return Refusal("KOALA-SET-04", "bad_seats", {"why": "each cave: [white, black]"})
        white, black = (None if name is None else Player(str(name)) for name in row)
        seats.append(Seat(white, black))
    seated = [player for seat in seats for player in (seat.white, seat.black) if player is not None]
    if sorted(seated) != sorted(setting.players):
        return Refusal("KOALA-SET-04", "bad_seats", {"why": "each player at one seat"})
    return tuple(seats)


def places(state: State) -> tuple[str, ...]:
    """What is laid under the camera one after the other: each cave, each player's feast cards, team cards."""
    caves = tuple(f"cave:{CAVES[i]}" for i in range(len(state.seats)))
    feasts = tuple(f"feasts:{player}" for player in state.setting.players)
    teams = tuple(f"team:{player}" for player in state.setting.players)
    return (*caves, *feasts, *(teams if state.setting.options.get("teams") else ()))


def _kind(place: str) -> str:
    return {"cave": "food", "feasts": "feast", "team": "team"}[place.partition(":")[0]]


def _ask(state: State) -> Say:
    place = places(state)[state.at]
    kind, _, who = place.partition(":")
    if kind != "cave":
        return Say(f"tally.{kind}", {"name": who})
    seat = state.seats[state.at]
    names = " + ".join(player for player in (seat.white, seat.black) if player is not None)
    return Say("tally.cave", {"place": f"@zone.{place}", "name": names or "@tally.nobody"})


def _prompt(state: State) -> Say:
    if state.at < len(places(state)):
        return _ask(state)
    fault = None if state.unclear else _team_fault(state)
    return Say("prompt.tally_done") if fault is None else fault[1]


def legal(state: State) -> tuple[Cue, ...]:
    """Cards in any number and portion, and "next" by whoever presses; at the end the open questions.

    A team card that is missing at the end is waited for, there or by going back.
    """
    if state.at < len(places(state)):
        expect = Expect(None, (), state.held[state.at])
        cues: list[Cue] = [Show(LOOK, expect)]
        cues += [Press(player, BID, "cue.next_seat") for player in state.setting.players]
        cues.append(Choose(state.setting.players[0], "tally", ("next", "back", "clear")))
        return tuple(cues)
    if state.unclear:
        options = tuple(place for i, place in enumerate(places(state)) if state.unclear[0] in state.held[i])
        return (Choose(state.setting.players[0], f"where:{state.unclear[0]}", options),)
    fault = _team_fault(state)
    if fault is not None:
        held = state.held[places(state).index(fault[0])]
        return Show(LOOK, Expect(None, (), held)), Choose(state.setting.players[0], "tally", ("back",))
    result = final(state)
    if isinstance(result, Refusal):
        return (Choose(_lone(state), "joins", tuple(result.code.removeprefix("choose_team:").split(","))),)
    return ()


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """Cards add up, each physical card once; next, back and clear move between the places."""
    if isinstance(move, Chosen):
        return _chosen(state, move)
    fault = None if state.unclear else _team_fault(state)
    if state.at >= len(places(state)) and fault is not None and isinstance(move, Shown):
        seen = _seen(replace(state, at=places(state).index(fault[0])), move.cards)
        return seen if isinstance(seen, Refusal) else _go(seen.state, len(places(state)))
    if state.at >= len(places(state)):
        return Refusal("KOALA-END-03", "game_is_over", aloud=False)
    if isinstance(move, Pressed):
        return _go(state, state.at + 1)
    if not isinstance(move, Shown) or move.zone != LOOK:
        return Refusal("KOALA-END-03", "not_waited_for", aloud=False)
    return _seen(state, move.cards)


def _seen(state: State, cards: tuple[CardId, ...]) -> Step[State] | Refusal:
    place = places(state)[state.at]
    here = state.held[state.at]
    fresh = [card for card in dict.fromkeys(cards) if card not in here]
    strangers = [card for card in fresh if card not in state.deck.by_id]
    if strangers:
        return Refusal("KOALA-CMP-01", "foreign_card", {"card": strangers[0]})
    right = tuple(card for card in fresh if state.deck.by_id[card].kind == _kind(place))
    wrong = [card for card in fresh if card not in right]
    if not right:
        if wrong:
            face = f"@{state.deck.face(wrong[0])}"
            return Refusal("KOALA-CMP-01", "foreign_card", {"card": face})
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    twice = tuple(card for card in right if any(card in held for held in state.held))
    held = (*state.held[: state.at], (*here, *right), *state.held[state.at + 1 :])
    unclear = (*state.unclear, *(card for card in twice if card not in state.unclear))
    says = [Say("tally.twice", {"card": f"@{state.deck.face(card)}"}) for card in twice]
    says.append(Say("tally.count", {"count": len(here) + len(right)}))
    did = Say("did.shown", {"cards": ", ".join(f"@{state.deck.face(card)}" for card in right)})
    return Step(replace(state, held=held, unclear=unclear, did=did), tuple(says))


def _chosen(state: State, move: Chosen) -> Step[State] | Refusal:
    if move.cue == "tally" and move.option in ("next", "back", "clear"):
        if move.option == "clear" and state.at < len(state.held):
            gone = state.held[state.at]
            held = (*state.held[: state.at], (), *state.held[state.at + 1 :])
            unclear = tuple(card for card in state.unclear if card not in gone)
            return Step(replace(state, held=held, unclear=unclear, did=Say("did.cleared")), (_ask(state),))
        if move.option == "next":
            return _go(state, state.at + 1)
        fault = _team_fault(state) if state.at >= len(places(state)) else None
        return _go(state, state.at - 1 if fault is None else places(state).index(fault[0]))
    for cue in legal(state):
        if isinstance(cue, Choose) and cue.what == move.cue and move.option in cue.options:
            if move.cue == "joins":
                return _told(replace(state, joins=move.option))
            card = state.unclear[0]
            held = tuple(
                tuple(c for c in cards if c != card or places(state)[i] == move.option)
                for i, cards in enumerate(state.held)
            )
            return _told(replace(state, held=held, unclear=state.unclear[1:]))
    return Refusal("KOALA-END-03", "no_such_question", {"option": move.option})


def _go(state: State, at: int) -> Step[State]:
    after = replace(state, at=max(0, min(at, len(places(state)))), did=Say("did.next_seat"))
    return Step(after, (_ask(after),)) if after.at < len(places(state)) else _told(after)


def _told(state: State) -> Step[State]:
    """All was seen: open questions asked, a wrong team card named and shown again, the winner said."""
    if state.unclear:
        face = f"@{state.deck.face(state.unclear[0])}"
        return Step(state, (Say("tally.where", {"card": face}),))
    fault = _team_fault(state)
    if fault is not None:
        return Step(state, (fault[1],))
    result = final(state)
    if isinstance(result, Refusal):
        return Step(state, (Say("say.question", {"name": _lone(state)}),))
    key = "say.winner" if len(result.winners) == 1 else "say.winners"
    names = sides(result.winners, bool(state.setting.options.get("teams")))
    return Step(replace(state, did=Say("did.scored")), (Say(key, {"names": names}),))


def _team_fault(state: State) -> tuple[str, Say] | None:
    """The place whose team card is missing or cannot be, and what is wrong there; None if all teams are right."""
    if not state.setting.options.get("teams"):
        return None
    for place, cards in zip(places(state), state.held, strict=True):
        kind, _, who = place.partition(":")
        if kind == "team" and len(cards) != 1:
            return place, Say("tally.one_team_card", {"name": who, "count": len(cards)})
    fault = team_fault(state.setting.players, _members(state))
    if fault is None:
        return None
    first = str(fault.values["names"]).partition(", ")[0]
    return f"team:{first}", Say(f"no.{fault.stem}", fault.values)


def _lone(state: State) -> Player:
    return next(player for player, face in _teams(state).items() if face == "question")


def foods(state: State) -> tuple[dict[str, int], ...]:
    """The foods of every cave as they were seen."""
    seen = [[state.deck.face(card) for card in state.held[i]] for i in range(len(state.seats))]
    return tuple({food: faces.count(food) for food in FOODS} for faces in seen)


def _teams(state: State) -> dict[Player, str]:
    out = {}
    for place, cards in zip(places(state), state.held, strict=True):
        kind, _, who = place.partition(":")
        if kind == "team" and cards:
            out[Player(who)] = state.deck.face(cards[0])
    return out


def _members(state: State) -> dict[str, tuple[Player, ...]]:
    own = _teams(state)
    return {face: tuple(p for p in own if own[p] == face) for face in sorted(set(own.values()))}


def final(state: State) -> Score | Refusal:
    """The score of what was seen; a Refusal where a team must be chosen or a team card is missing."""
    pairs = zip(places(state), state.held, strict=True)
    feasts = {Player(p.partition(":")[2]): len(cards) for p, cards in pairs if p.startswith("feasts:")}
    teams = _members(state) if state.setting.options.get("teams") else None
    return count(state.seats, foods(state), feasts, teams, state.joins, state.rulings)


def score(state: State) -> Score:
    """The score as far as it can be told."""
    result = final(state)
    return Score((), {}, ()) if isinstance(result, Refusal) else result


def view(state: State, viewer: Viewer) -> View:
    """The counted seats as plain data: everything lies open at the end of a game."""
    del viewer  # nothing is hidden once the caves are counted
    done = not legal(state)
    spots = places(state)
    missing = len([c for c in state.deck.cards if c.kind == "food"]) - sum(
        len(cards) for cards in state.held[: len(state.seats)]
    )
    return {
        "game": "koala-tally",
        "phase": "over" if done else "tally",
        "players": list(state.setting.players),
        "place": spots[state.at] if state.at < len(spots) else None,
        "places": [
            {"place": place, "cards": [state.deck.face(card) for card in cards]}
            for place, cards in zip(spots, state.held, strict=True)
        ],
        "seats": [_seat(*each) for each in zip(CAVES, state.seats, foods(state), strict=False)],
        "unclear": [state.deck.face(card) for card in state.unclear],
        "not_seen": missing,
        "prompt": _plain(_prompt(state)),
        "did": _plain(state.did),
        "score": plain_score(score(state)) if done else None,
    }


def _seat(cave: str, seat: Seat, food: Mapping[str, int]) -> dict[str, object]:
    cards = sum(food.values())
    return {"cave": cave, "white": seat.white, "black": seat.black, "food": dict(food), "cards": cards}


def _plain(say: Say) -> dict[str, object]:
    return {"key": say.key, "values": dict(say.values)}


GAME = Game("koala-tally", setup, legal, apply, score, view)
