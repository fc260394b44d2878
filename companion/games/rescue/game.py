"""Koala Rescue Club as the crank plays it: a roll, everybody's drawing, badges, and at turns 15 and 30 the score."""

from __future__ import annotations

from dataclasses import replace

from companion.games.rescue import maps, play_badges, play_draw, play_roll, play_score
from companion.games.rescue import view as views
from companion.games.rescue.maps import chosen
from companion.games.rescue.options import MAP, OPTIONS, settle_options
from companion.games.rescue.rules_badges import Badges
from companion.games.rescue.rules_flow import begun
from companion.games.rescue.rules_map import Map
from companion.games.rescue.rules_sheet import fresh
from companion.games.rescue.state import Pupil, State
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.events import Chosen, Event, Move, Opened, Pressed, Rang, Rolled, Setting
from companion.table.game import Game, Refusal, Score, Step, View, Viewer
from companion.table.luck import Luck
from companion.table.phases import Phase
from companion.table.things import BID, CALL, Deck

MOST = 40  # players; a class


PHASES: dict[str, Phase[State]] = {
    "roll": Phase(play_roll.legal, play_roll.apply),
    "draw": Phase(play_draw.legal, play_draw.apply),
    "badges": Phase(play_badges.legal, play_badges.apply, play_badges.enter),
    "score": Phase(play_score.legal, play_score.apply, play_score.enter),
    "tie": Phase(play_score.legal_tie, play_score.apply_tie, play_score.enter_tie),
}


def setup(setting: Setting, deck: Deck) -> Step[State] | Refusal:
    """Give everybody a sheet; refuse a number of players that is none, an unknown option or a broken map."""
    rulings = settle_options({name: told for name, told in setting.options.items() if name != MAP})
    if isinstance(rulings, Refusal):
        return rulings
    board = chosen(setting.options, rulings)
    if isinstance(board, Refusal):
        return board
    players = setting.players[1:] if rulings["classroom"] else setting.players
    if not 1 <= len(players) <= MOST:
        return Refusal("RESC-CLA-01", "player_count", {"count": len(players)})
    sheet = fresh(board) if board is not None and rulings["depth"] == "full" else None
    state = State(
        setting, deck, rulings, board, "roll", begun(frozenset(players)),
        {player: Pupil(sheet) for player in players}, _badges(board, len(players) == 1, rulings),
        Luck(setting.seed),
    )  # fmt: skip
    welcome = "say.welcome_full" if state.full else "say.welcome"
    says = [Say(welcome, {"count": len(players)}), Say("say.no_look")]
    return Step(state, tuple(says if len(players) > 1 else says[:1]))


def _badges(board: Map | None, solo: bool, rulings: dict[str, object]) -> Badges:
    """The badges of the sheet; where it is not known three, with the table's values."""
    if board is not None:
        return Badges({badge.id: badge.points for badge in board.badges}, solo)
    first, later = rulings["badge_first"], rulings["badge_later"]
    assert isinstance(first, int | float) and isinstance(later, int | float), "checked with the options"
    return Badges({f"badge_{n}": (int(first), int(later)) for n in (1, 2, 3)}, solo)


def legal(state: State) -> tuple[Cue, ...]:
    """What the phase waits for; nothing once the score stands."""
    return () if state.over else PHASES[state.phase].legal(state)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """The phase's answer, followed by whatever the next phases do by themselves."""
    if isinstance(move, Pressed | Chosen) and move.player not in state.setting.players:
        return Refusal("TABLE-PLAYER", "unknown_player", {"name": move.player})
    if _closes(state, move) and (state.over or state.phase == "tie"):
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)  # the desk is closed already
    if state.over:
        return Refusal("RESC-END-01", "game_over", aloud=not isinstance(move, Rang))
    if isinstance(move, Chosen) and move.cue == "back" and state.phase == "draw":
        return play_roll.came_back(state, move.option)
    if state.phase == "score" and play_score.all_told(state) and not _at_desk(move):
        return _past_desk(state, move)
    answer = PHASES[state.phase].apply(state, move)
    return answer if isinstance(answer, Refusal) else _go_on(answer)


def _at_desk(move: Move) -> bool:
    return isinstance(move, Chosen) and move.cue.startswith("desk")


def _closes(state: State, move: Move) -> bool:
    return isinstance(move, Pressed) and (move.player, move.button) == (state.host, CALL) and not state.full


def _past_desk(state: State, move: Move) -> Step[State] | Refusal:
    """All is told: whoever leads has the round scored, or the next turn begins and it is scored on the way."""
    closed = _go_on(play_score.close(state))
    if _closes(state, move):
        return closed
    answer = play_roll.apply(closed.state, move)
    if isinstance(answer, Refusal):
        own = isinstance(move, Pressed) and (move.player, move.button) == (state.host, BID)
        return closed if own else answer  # no button rolls where the die is in the tray
    if isinstance(move, Rolled) and answer.state.phase == "roll":  # a die was picked up, nothing rolled
        return play_roll.apply(state, move)
    return Step(answer.state, (*closed.says, *answer.says))


def doubted(before: State | None, event: Event) -> Refusal | None:
    """What is refused when it is new, but taken from a journal: earlier versions wrote it."""
    if isinstance(event, Opened):
        return maps.doubted(event.setting.options)
    if before is not None and before.phase == "score" and isinstance(event, Chosen) and _at_desk(event):
        return play_score.doubted(before, event)
    return None


def _go_on(answer: Step[State]) -> Step[State]:
    """Enter the phases that follow, until one waits."""
    says, state = list(answer.says), answer.state
    while state.phase == "next":
        state = _next(state)
        enter = PHASES[state.phase].enter
        if enter is not None:
            entered = enter(state)
            says.extend(entered.says)
            state = entered.state
    return Step(state, tuple(says))


def _next(state: State) -> State:
    if state.todo:
        phase = "badges" if state.todo[0] == "badges" else "score"
        return replace(state, todo=state.todo[1:], phase=phase)
    return replace(state, phase="tie" if state.flow.state == "result" else "roll")


def score(state: State) -> Score:
    """The score so far; once the game is over, the result."""
    return play_score.final(state)


def view(state: State, viewer: Viewer) -> View:
    """The table as plain data; a player's own view adds the own sheet."""
    return views.view(state, viewer, legal(state))


GAME = Game("rescue", setup, legal, apply, score, view, OPTIONS, doubted=doubted)
GAMES: tuple[Game[State], ...] = (GAME,)
