"""Black cards: Sommelier, Lobbyists and Farandole begin here; glasses that are shown are judged in play_show."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wine import rules_black
from companion.games.wine.floor import closed, into_deck
from companion.games.wine.play_down import ask
from companion.games.wine.rules_glasses import MIDDLE
from companion.games.wine.rules_hand import ageing_ended
from companion.games.wine.state import (
    Glass,
    State,
    Went,
    current,
    glass_word,
    pointed,
    ruled,
    slot_names,
    table_of,
)
from companion.table.cues import Choose, Cue
from companion.table.effects import Say
from companion.table.events import Chosen, Move
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import Player


def _over(state: State, *says: Say) -> Step[State]:
    """The black card is carried out without a glass to be turned down."""
    return Step(replace(closed(state), phase="resume"), (*says, *into_deck(state)))


def enter_sommelier(state: State) -> Step[State]:
    """The drawer shows a glass of the wine served; Ageing ends, Vintage keeps everything down."""
    player = current(state)
    state = replace(state, aged=ageing_ended(table_of(state), player).aged)
    if rules_black.exempt(table_of(state), player):
        return _over(state, Say("say.vintage_holds", {"name": player}))
    return ask(state, player, Say("say.sommelier", {"name": player, "wine": f"@{state.wine}"}))


def enter_lobby(state: State) -> Step[State]:
    """The drawer looks for a glass of somebody else; with all of them protected nothing happens."""
    player = current(state)
    if not rules_black.lobby_targets(table_of(state), player):
        return _over(state, Say("say.all_protected"))
    return Step(state, (Say("say.lobbyists", {"name": player, "wine": f"@{state.wine}"}),))


def legal_lobby(state: State) -> tuple[Cue, ...]:
    """The glasses that may be pointed at."""
    found = rules_black.lobby_targets(table_of(state), current(state))
    return (Choose(current(state), "glass", tuple(f"{owner}:{slot}" for owner, slot in found)),)


def apply_lobby(state: State, move: Move) -> Step[State] | Refusal:
    """A glass is pointed at: its owner turns it over."""
    player = current(state)
    if not isinstance(move, Chosen) or move.cue != "glass" or move.player != player:
        return Refusal("WINE-LOB-01", "not_waited_for", aloud=False)
    owner, slot = pointed(move.option)
    fault = rules_black.lobby_fault(table_of(state), player, owner, slot)
    if fault is not None:
        return fault
    values: dict[str, str | int] = {"name": player, "owner": glass_word(owner), "slot": slot}
    state = replace(state, target=(owner, slot), did=Say("did.pointed", values))
    told: dict[str, str | int] = {"name": glass_word(owner), "slot": slot, "turn": player}
    return ask(state, owner, Say("say.reveal_middle" if owner == MIDDLE else "say.reveal", told))


def enter_farandole(state: State) -> Step[State]:
    """Everybody picks a glass for the next one."""
    if len(rules_black.dancers(table_of(state))) < 2:
        return _over(state, Say("say.all_protected"))
    return Step(state, (Say("say.farandole"),))


def legal_farandole(state: State) -> tuple[Cue, ...]:
    """Each dancer names the place of the glass that he gives; the one under the Ageing card stays."""
    cues = []
    for player in rules_black.dancers(table_of(state)):
        slots = [s + 1 for s in range(len(state.rows[player])) if state.aged.get(player) != s + 1]
        if player not in state.passing:
            cues.append(Choose(player, "pass", slot_names(player, slots)))
    return tuple(cues)


def apply_farandole(state: State, move: Move) -> Step[State] | Refusal:
    """When all have picked, the glasses go round unseen."""
    cue = next((c for c in legal_farandole(state) if isinstance(c, Choose) and _asks(c, move)), None)
    if not isinstance(cue, Choose) or not isinstance(move, Chosen):
        return Refusal("WINE-FAR-01", "not_waited_for", aloud=False)
    if move.option not in cue.options:
        return Refusal(
            "WINE-FAR-01",
            "no_such_glass",
            {"name": move.player, "slot": move.option, "count": len(cue.options)},
        )
    passing = {**state.passing, move.player: pointed(move.option)[1]}
    did = Say("did.passes", {"name": move.player})
    after = replace(state, passing=passing)
    if legal_farandole(after):
        return step(after, did)
    done = _over(
        _danced(after),
        Say("say.pass_on", {"end": "@end.left" if ruled(state, 18, "left_end") else "@end.right"}),
    )
    return Step(replace(done.state, did=did), done.says)


def _asks(cue: Choose, move: Move) -> bool:
    return isinstance(move, Chosen) and move.cue == cue.what and move.player == cue.player


def _danced(state: State) -> State:
    """Each glass picked lies at the end of the next dancer's row."""
    dancers = rules_black.dancers(table_of(state))
    left_end = ruled(state, 18, "left_end")
    given: dict[Player, Glass] = {p: state.rows[p][state.passing[p] - 1] for p in dancers}
    rows, aged, went = dict(state.rows), dict(state.aged), list(state.went)
    for place, player in enumerate(dancers):
        giver, slot = dancers[place - 1], state.passing[player]
        kept = tuple(glass for glass in state.rows[player] if glass != given[player])
        rows[player] = (given[giver], *kept) if left_end else (*kept, given[giver])
        went.append(Went(state.turns, given[giver], player))
        if player in aged:
            aged[player] += int(left_end) - int(slot < aged[player])
    return replace(state, rows=rows, aged=aged, went=tuple(went))
