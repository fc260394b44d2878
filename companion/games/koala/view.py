"""What may leave a game of Koala: everything here is public at the table, hands are only counted."""

from __future__ import annotations

from companion.games.koala import play_feast, play_refill
from companion.games.koala.rules_auction import next_bid
from companion.games.koala.rules_seats import CAVES, is_white
from companion.games.koala.state import Floor, State, faces, foods, winners
from companion.table.cues import Choose, Press
from companion.table.effects import Say
from companion.table.game import View, Viewer
from companion.table.plain import plain_say, plain_score
from companion.table.things import Player

Cues = tuple[object, ...]


def view(state: State, viewer: Viewer, cues: Cues) -> View:
    """The table as plain data. Nothing in it depends on a hand, so every viewer gets the same."""
    del viewer  # team cards are named from the moment all have shown them, hands never
    waiting = dict.fromkeys(cue.player for cue in cues if isinstance(cue, Press | Choose))
    return {
        "game": "koala",
        "phase": state.phase,
        "round": state.round,
        "starter": state.starter,
        "waiting_for": list(waiting),
        "players": list(state.setting.players),
        "seats": [_seat(state, cave) for cave in range(len(state.seats))],
        "hands": dict(state.hands),
        "feasts": dict(state.feasts),
        "feast_cards_left": state.feast_cards_left,
        "pile": state.pile,
        "discard": len(state.discarded) + len(state.middle.spent) + len(state.action.spent),
        "middle": _middle(state),
        "action": {
            "claims": [list(claim.players) for claim in state.action.claims],
            "take_back": list(faces(state, state.action.strays)),
            "unclaimed": _unclaimed(state, state.action),
        },
        "card": None if state.card is None else state.deck.face(state.card),
        "owner": state.owner,
        "moves": [
            {"player": w.player, "from": CAVES[w.start], "to": CAVES[w.end], "becomes": w.becomes}
            for w in state.walks
        ],
        "slid": list(state.slid),
        "feast": _feast(state),
        "refill": _refill(state),
        "teams": dict(state.teams) if len(state.teams) == len(state.hands) else {},
        "prompt": plain_say(prompt(state)),
        "did": plain_say(state.did),
        "score": None if state.score is None else plain_score(state.score),
    }


def _seat(state: State, cave: int) -> dict[str, object]:
    seat = state.seats[cave]
    return {
        "cave": CAVES[cave], "white": seat.white, "black": seat.black, "food": foods(state, cave),
        "cards": len(state.caves[cave]),
    }  # fmt: skip


def _middle(state: State) -> dict[str, object]:
    leader = (
        [] if state.lead is None else sorted(state.lead.bidders, key=lambda p: not is_white(state.seats, p))
    )
    return {
        "food": None if state.food is None else state.deck.face(state.food),
        "bonus": list(faces(state, state.bonus)),
        "pot": len(state.pot),
        "leader": leader,
        "bid": 0 if state.lead is None else state.lead.count,
        "next": next_bid(state.lead),
        "claims": [list(claim.players) for claim in state.middle.claims],
        "take_back": list(faces(state, state.middle.strays)),
        "unclaimed": _unclaimed(state, state.middle),
    }


def standing(state: State) -> dict[Player, str]:
    """Who leads the auction."""
    return {} if state.lead is None else dict.fromkeys(state.lead.bidders, "lead")


def _unclaimed(state: State, floor: Floor) -> list[str]:
    """Cards that lie there though nobody has pressed."""
    return [] if floor.claims else list(faces(state, floor.fresh))


def _feast(state: State) -> dict[str, object] | None:
    if state.phase not in ("feast", "feast_eat") or not state.queue:
        return None
    player = state.queue[0]
    eating = [state.feasting] if state.feasting else list(play_feast.allowed(state, player))
    return {"player": player, "foods": eating}


def _refill(state: State) -> dict[str, object] | None:
    if state.phase != "refill" or not state.queue:
        return None
    return {
        "player": state.queue[0], "draw": play_refill.draws(state), "again": bool(state.shown),
        "whose": list(play_refill.whose(state)),
    }  # fmt: skip


def prompt(state: State) -> Say:
    """What the table should do now, in one sentence."""
    values: dict[str, str | int] = {"starter": str(state.starter)}
    phase = state.phase
    if phase in ("auction", "call"):
        values.update(
            need=next_bid(state.lead), food=f"@{state.deck.face(state.food)}" if state.food else "-"
        )
        if state.middle.claims:
            values["name"] = " + ".join(state.middle.claims[0].players)
            return Say("prompt.lay", values)
    elif phase in ("actions", "action_call") and state.action.claims:
        return Say("prompt.lay_action", {"name": state.action.claims[0].players[0]})
    elif state.queue and phase in ("feast", "feast_eat", "refill", "scan_feasts", "scan_teams"):
        values["name"] = state.queue[0]
        values["count"] = _count(state, state.queue[0])
        values["food"] = f"@{state.feasting}" if state.feasting else "-"
        if phase == "refill" and state.shown:
            return Say("prompt.bad_cards", values)
    elif phase in ("action_do", "reveal_action", "take"):
        values["name"] = str(state.owner)
        values["card"] = f"@{state.deck.face(state.card)}" if state.card else "-"
    elif phase == "move":
        values["names"] = ", ".join(state.unsettled)
    elif phase == "over" and state.score is not None:
        values["names"] = winners(state, state.score)
    return Say(f"prompt.{phase}", values)


def _count(state: State, player: Player) -> int:
    return play_refill.draws(state) if state.phase == "refill" else state.feasts[player]
