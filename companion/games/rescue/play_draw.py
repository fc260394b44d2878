"""Everybody draws at once: drafts that only their owners see, taken back at will, until all are ready."""

from __future__ import annotations

from dataclasses import replace

from companion.games.rescue.drafts import drafted
from companion.games.rescue.play_roll import offered_back, written
from companion.games.rescue.rules_draw import PLANT, REHOME, named
from companion.games.rescue.rules_flow import after, ready
from companion.games.rescue.rules_map import Map
from companion.games.rescue.rules_score import round_points, total
from companion.games.rescue.rules_sheet import areas_of_trees
from companion.games.rescue.rules_turn import Turn, Wish, claim, draw, finish, mix, open_lines
from companion.games.rescue.rules_volunteers import change, reachable
from companion.games.rescue.state import Draft, Pupil, State, drawing, pupil, remind_clock, ruled
from companion.table.cues import Choose, Cue, Press, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Rang
from companion.table.figures import number
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step
from companion.table.things import BID, CALL, Player, Words

DRAW = "draw"
NAMED = 5  # so many who still draw are called by name


def legal(state: State) -> tuple[Cue, ...]:
    """Ready buttons and, where the companion keeps the sheets, what may be drawn."""
    cues: list[Cue] = []
    if not state.full and len(drawing(state)) > 1:
        cues.append(Press(state.host, CALL, "cue.all_ready", aside=not state.rulings["classroom"]))
    for player in drawing(state):
        draft = state.pupils[player].draft
        if state.board is None or draft is None:
            cues.append(Press(player, BID, "cue.ready", own=True))
            continue
        if draft.ready:
            cues.append(Press(player, BID, "cue.ready", own=True))
        cues.append(Choose(player, DRAW, draft.offers, secret=True, hidden=True))
    cues += _led(state)
    wait = seconds(state, "remind_s")
    if wait:
        cues.append(Wait(remind_clock(state), wait))
    return tuple(cues)


def _led(state: State) -> list[Cue]:
    """What whoever leads may say for others: a phone can be lost, a child called home. None of it tells a draft."""
    left, cues = drawing(state), list[Cue]()
    if state.full:
        cues.append(Choose(state.host, "stands", left, aside=True))
    if ruled(state, 17, "ready_set_shrinks") and len(state.present) > 1:
        cues.append(Choose(state.host, "away", left, aside=True))
    return cues + offered_back(state)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """A draft changes, somebody is ready, or is away."""
    if isinstance(move, Rang):
        return _remind(state)
    if isinstance(move, Pressed) and move.button == BID:
        return _ready(state, move.player)
    if isinstance(move, Pressed) and move.player == state.host and not state.full:
        return _all_ready(state)
    if isinstance(move, Chosen) and move.cue == "stands":
        return _stands(state, move.option)
    if isinstance(move, Chosen) and move.cue == "away":
        return _away(state, move.option)
    if isinstance(move, Chosen) and move.cue == DRAW:
        return _ready(state, move.player) if move.option == "ready" else _drafted(state, move)
    values: Words = {"names": ", ".join(drawing(state)), "count": len(drawing(state))}
    return Refusal("RESC-CLA-04", "still_drawing", values, aloud=isinstance(move, Chosen))


def _remind(state: State) -> Step[State]:
    left = drawing(state)
    say = Say("say.remind", {"names": ", ".join(left)}, "chatter")
    if len(left) > NAMED:
        say = Say("say.remind_many", {"count": len(left)}, "chatter")
    return step(state, Say("did.reminded"), say, lap=state.lap + 1)


def _ready(state: State, player: Player) -> Step[State] | Refusal:
    own = state.pupils.get(player)
    if own is None or player in state.away:
        return Refusal("RESC-CLA-03", "not_playing", {"name": player}, aloud=False)
    if player in state.flow.ready:
        return Refusal("RESC-TUR-01", "turn_over", aloud=False)
    done = None
    if own.draft is not None and state.board is not None:
        turn = finish(state.board, own.draft.turn, state.rulings)
        if isinstance(turn, Refusal):
            return replace(turn, aloud=False)
        done = replace(own.draft, turn=turn, before=None)
    flow = ready(state.flow, player, state.rulings)
    assert not isinstance(flow, Refusal), "the turn was asked about just now"
    after_it = replace(state, pupils=pupil(state, player, draft=None, done=done), flow=flow)
    return _closed(step(after_it, Say("did.ready", {"name": player})))


def _all_ready(state: State) -> Step[State]:
    """Sheets on paper: whoever leads sees that all pens are down."""
    flow = state.flow
    for player in drawing(state):
        done = ready(flow, player, state.rulings)
        assert not isinstance(done, Refusal), "somebody still draws"
        flow = done
    return _closed(step(state, Say("did.all_ready"), flow=flow))


def _stands(state: State, chosen: str) -> Step[State] | Refusal:
    """A phone is lost: what was drawn on it in this turn counts, and what was left open is lost.

    Where nothing was drawn the turn brings nothing, volunteers included. That it is accepted tells nobody which.
    """
    player = Player(chosen)
    own = state.pupils.get(player)
    if player not in drawing(state) or own is None or own.draft is None or state.board is None:
        return Refusal("RESC-CLA-03", "not_playing", {"name": chosen}, aloud=False)
    turn = own.draft.turn
    left = open_lines(state.board, turn, state.rulings)
    done = replace(own.draft, turn=replace(turn, over=True, lost=(*turn.lost, *left)), before=None)
    flow = ready(state.flow, player, state.rulings)
    assert not isinstance(flow, Refusal), "the player draws"
    pupils = pupil(state, player, draft=None, done=done if turn.acted else None)
    return _closed(step(state, Say("did.stands", {"name": player}), flow=flow, pupils=pupils))


def _away(state: State, chosen: str) -> Step[State] | Refusal:
    """Nobody waits any longer for this player; the sheet stays as it was."""
    player = Player(chosen)
    if player not in drawing(state) or not ruled(state, 17, "ready_set_shrinks"):
        return Refusal("RESC-AMB-17", "not_playing", {"name": chosen}, aloud=False)
    if len(state.present) == 1:
        return Refusal("RESC-AMB-17", "nobody_left", aloud=False)
    flow = replace(state.flow, players=state.flow.players - {player})
    if flow.players <= flow.ready:
        ended = ready(flow, "", state.rulings)
        assert not isinstance(ended, Refusal), "everybody who is there has finished"
        flow = ended
    pupils = pupil(state, player, draft=None, done=None)
    return _closed(
        step(state, Say("did.away", {"name": player}), away=state.away | {player}, flow=flow, pupils=pupils)
    )


def _closed(answer: Step[State]) -> Step[State]:
    """Once all are ready the drafts become sheets, and the rest of the turn follows."""
    state = answer.state
    if state.flow.state == "draw":
        return answer
    pupils = {player: _committed(state, own) for player, own in state.pupils.items()}
    todo = after(state.flow.turn, state.rulings)
    says = (*answer.says, Say("say.turn_over", {"turn": state.flow.turn}, "chatter"))
    return Step(replace(state, pupils=pupils, todo=todo, phase="next", lap=state.lap + 1), says)


def _committed(state: State, own: Pupil) -> Pupil:
    """A draft becomes the sheet."""
    own = replace(own, draft=None, numbers=(*own.numbers, written(state, own)))
    if own.done is None or state.board is None:
        return own
    sheet = own.done.turn.sheet
    worth = total(round_points(state.board, sheet, "", state.rulings))
    return replace(own, sheet=sheet, worth=worth, areas=len(areas_of_trees(state.board, sheet)))


def _drafted(state: State, move: Chosen) -> Step[State] | Refusal:
    """One step of a draft; what is wrong with it only its owner hears."""
    own = state.pupils.get(move.player)
    if own is None or own.draft is None or state.board is None:
        code = "turn_over" if own is not None and own.done is not None else "not_playing"
        return Refusal("RESC-TUR-01", code, {"name": move.player}, aloud=False)
    draft = _changed(state, state.board, own.draft, move.option)
    if isinstance(draft, Refusal):
        return replace(draft, aloud=False)
    return step(state, Say("did.drew", {"name": move.player}), pupils=pupil(state, move.player, draft=draft))


def _changed(state: State, board: Map, draft: Draft, option: str) -> Draft | Refusal:
    what, _, rest = option.partition(":")
    if option == "undo":
        return draft.before or Refusal("RESC-AMB-16", "nothing_to_undo")
    if what == "number":
        return _numbered(state, board, draft, rest)
    turn = _turned(state, board, draft.turn, what, rest)
    if isinstance(turn, Refusal):
        return turn
    return drafted(board, replace(draft, turn=turn, before=draft), state.rulings)


def _turned(state: State, board: Map, turn: Turn, what: str, rest: str) -> Turn | Refusal:
    if what == "mixed":
        return mix(turn)
    if what == "bonus":
        line, _, wishes = rest.partition(":")
        wanted = [_wish(word) for word in wishes.split(",")] if wishes else []
        return claim(board, turn, line.replace("-", ":", 1), wanted, state.rulings)
    if what not in (PLANT, REHOME):
        return Refusal("RESC-TUR-06", "no_such_drawing", {"option": what})
    cells = [named(word) for word in rest.split(",")] if rest else []
    strange = [word for word, cell in zip(rest.split(","), cells, strict=False) if cell is None]
    if strange:
        return Refusal("RESC-PLA-01", "no_such_cell", {"cell": strange[0]})
    return draw(board, turn, what, [cell for cell in cells if cell is not None], state.rulings)


def _wish(word: str) -> Wish:
    return named(word) or word


def _numbered(state: State, board: Map, draft: Draft, rest: str) -> Draft | Refusal:
    """Another number by volunteers: before the drawing, from the number rolled; "5" or "5:4" of them."""
    if draft.turn.acted:
        return Refusal("RESC-VOL-01", "one_action_per_turn")
    want, _, use = rest.partition(":")
    if number(want, -1) < 0 or (use and number(use, -1) < 0):
        return Refusal("RESC-TUR-02", "die_value", {"value": rest})
    sheet = draft.turn.sheet
    available = sheet.volunteers + draft.spent
    least = dict(reachable(draft.rolled, 3)).get(number(want), 0)
    done = change(draft.rolled, number(want), number(use, least), available, state.rulings)
    if isinstance(done, Refusal):
        return done
    spent = available - done.left
    sheet = replace(sheet, used=sheet.used - draft.spent + spent)
    turn = replace(draft.turn, number=done.number, sheet=sheet)
    return drafted(board, Draft(turn, draft.rolled, spent, draft), state.rulings)
