"""What may leave a game of Koala & Wine: counts, places, protections and odds; never what a glass holds.

Nothing here asks `shown` for a card or `seen` at all until the game is over: not even while a glass lies open,
because an undo brings that moment back when the glass is long face down again.
"""

from __future__ import annotations

from companion.games.wine import rules_turn
from companion.games.wine.memory import memory_map
from companion.games.wine.rules_deck import chance
from companion.games.wine.rules_glasses import MIDDLE
from companion.games.wine.state import LETTERS, State, base, turn_of
from companion.table.cues import Choose, Cue, Press, Show
from companion.table.effects import Say
from companion.table.game import View, Viewer
from companion.table.plain import plain_say
from companion.table.things import Player

PRIVATE = ("memorise", "looking", "under_the_table")  # the camera looks away


def view(state: State, viewer: Viewer, cues: tuple[Cue, ...]) -> View:
    """The table as plain data. The companion knows nobody's hand, so every viewer gets the same."""
    del viewer
    waiting = dict.fromkeys(cue.player for cue in cues if isinstance(cue, Press | Choose))
    return {
        "game": "wine", "phase": state.phase, "round": state.round, "starter": state.starter,
        "turn": state.turn, "waiting_for": list(waiting), "players": list(state.setting.players),
        **_table(state), **_task(state),
        "limits": _limits(state), "camera": _camera(state, cues),
        "prompt": plain_say(prompt(state)), "did": plain_say(state.did),
        "winner": state.winner, "score": None,
        "map": memory_map(state) if state.phase == "over" else None,
    }  # fmt: skip


def standing(state: State) -> dict[Player, str]:
    """Who has lost the last glass."""
    return dict.fromkeys(state.out, "out")


def _table(state: State) -> dict[str, object]:
    """What lies there and how much of it."""
    return {
        "hands": dict(state.hands), "rows": [_row(state, player) for player in state.setting.players],
        "middle": len(state.rows[MIDDLE]) if state.rulings["variant_2_3"] else None,
        "lost": len(state.lost), "out": list(state.out), "pile": state.pile.cards,
        "black": state.pile.black, "chance": chance(state.pile, state.rulings), "discard": len(state.spent),
    }  # fmt: skip


def _task(state: State) -> dict[str, object]:
    """The card in play and whom it concerns; of what is sealed only who has answered."""
    return {
        "card": None if state.card is None else base(state.deck.face(state.card)), "wine": _wine(state),
        "target": None if state.target is None or not state.target[1] else list(state.target),
        "asked": list(state.asked), "down": list(state.down), "passed": sorted(state.passing),
        "offers": sorted(state.answered) if state.phase == "auction" else [],
        "ready": sorted(state.ready) if state.phase == "memorise" else [],
    }  # fmt: skip


def _wine(state: State) -> str | None:
    """The wine that the card in play asks for; what a player announced at a Blind Test everybody has heard."""
    announced = state.card is not None and state.deck.face(state.card) == "blind_test"
    return None if announced else state.wine


def _row(state: State, player: Player) -> dict[str, object]:
    aged = state.aged.get(player)
    return {
        "player": player, "row": LETTERS[state.setting.players.index(player)],
        "glasses": len(state.rows[player]), "vintage": player in state.vintage, "aged": aged,
        "out": player in state.out,
    }  # fmt: skip


def _limits(state: State) -> dict[str, object] | None:
    """What the turn still allows, in plain words for the panel."""
    if state.turn is None or state.phase in (
        "starter",
        "serve",
        "memorise",
        "all_down",
        "deal",
        "finale",
        "over",
    ):
        return None
    turn = turn_of(state)
    return {
        "first": turn.first, "greens": turn.greens, "thieves": turn.thieves, "blues": turn.blues,
        "drawing": turn.has_drawn, "discard": rules_turn.must_discard(turn),
    }  # fmt: skip


def _camera(state: State, cues: tuple[Cue, ...]) -> str:
    """away: it must not look now; on: it looks at something; idle: there is nothing to look at."""
    if state.phase in PRIVATE:
        return "away"
    return "on" if any(isinstance(cue, Show) for cue in cues) else "idle"


def prompt(state: State) -> Say:
    """What the table should do now, in one sentence."""
    wine = _wine(state)
    values: dict[str, str | int] = {
        "name": str(state.turn or state.starter), "count": state.per_type, "names": _names(state),
        "chooser": _word(state.chooser), "wine": f"@{wine}" if wine else "-",
    }  # fmt: skip
    if state.target is not None:
        values.update(owner=_word(state.target[0]), slot=state.target[1])
    key = f"prompt.{state.phase}"
    if state.phase == "serve" and state.rulings["variant_2_3"]:
        key = "prompt.serve_variant"
    elif state.phase == "turn":
        turn = turn_of(state)
        key = "prompt.turn_first" if turn.first and not turn.played else "prompt.turn"
        key = "prompt.turn_draw" if turn.blues or (turn.first and turn.played) else key
    elif state.phase == "discard":
        values["count"] = max(1, rules_turn.must_discard(turn_of(state)))
    elif state.phase == "draw" and state.play.has_drawn:
        key = "prompt.draw_more"
    elif state.phase == "looking" and state.target is None:
        key = "prompt.looking_alone"
    elif state.phase in ("tipsy_taster", "sneaky_taster"):
        key = "prompt.swap_with" if state.target else "prompt.swap"
    elif state.phase == "blind_test" and state.target is not None:
        key = "prompt.announce"
    elif state.phase == "charity_to" and state.target is not None:
        key = "prompt.charity_give"
    elif state.phase in ("finale", "over"):
        values["name"] = str(state.winner)
    return Say(key, values)


def _names(state: State) -> str:
    missing = [p for p in state.asked if p not in state.shown]
    if state.phase in ("memorise",):
        missing = [p for p in state.order if p not in state.ready]
    elif state.phase in ("down", "all_down"):
        missing = list(state.down)
    return ", ".join(_word(player) for player in missing) or "-"


def _word(player: Player | None) -> str:
    return f"@{MIDDLE}" if player == MIDDLE else str(player or "-")
