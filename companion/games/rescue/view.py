"""What may leave a game: everybody sees who is ready and the sheets of finished turns, a player the own draft."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.rescue.drafts import numbers
from companion.games.rescue.play_badges import claimable
from companion.games.rescue.play_score import all_told, badge_words, final, totals
from companion.games.rescue.rules_bonus import targets
from companion.games.rescue.rules_draw import PLANT, REHOME, name, names, shapes, singles
from companion.games.rescue.rules_map import Badge, Cell, Map
from companion.games.rescue.rules_sheet import Sheet, areas_of_koalas, areas_of_trees, complete
from companion.games.rescue.rules_turn import open_lines
from companion.games.rescue.state import Draft, State, drawing
from companion.table.cues import Choose, Press
from companion.table.effects import Say
from companion.table.game import Seat, View, Viewer
from companion.table.plain import plain_say, plain_score
from companion.table.things import Player

Cues = Iterable[object]
PEOPLE = 5  # so many are named in a sentence, more are counted


def view(state: State, viewer: Viewer, cues: Cues) -> View:
    """Plain data for a screen. Drafts and the sheets behind them are in nobody's view but their owner's."""
    asked = [cue.player for cue in cues if isinstance(cue, Press | Choose) and not cue.aside]
    waiting = dict.fromkeys(drawing(state) if state.phase == "draw" else asked)
    sums = totals(state)
    told = {
        "game": "rescue",
        "phase": state.phase,
        "round": state.flow.round,
        "turn": state.flow.turn,
        "depth": "full" if state.full else "light",
        "classroom": state.rulings["classroom"],
        "host": state.host,
        "players": list(state.setting.players),
        "playing": list(state.playing),
        "away": sorted(state.away),
        "ready": sorted(state.flow.ready & set(state.playing)),
        "waiting_for": list(waiting),
        "rolled": list(state.rolled),
        "number": state.rolled[-1] if state.rolled else None,
        "shape": _shape(state),
        "tray": None if state.tray is None else list(state.tray),
        "sheets": {player: _summary(state, player, sums[player]) for player in state.playing},
        "badges": _badges(state),
        "claims": _claims(state),
        "words": _words(state),
        "map": None if state.board is None else state.board.plain,
        "prompt": plain_say(prompt(state)),
        "did": plain_say(state.did),
        "score": plain_score(final(state)) if state.over else None,
    }  # fmt: skip
    if isinstance(viewer, Seat) and viewer.player in state.pupils:
        told["me"] = _own(state, viewer.player)
    return told


def _shape(state: State) -> list[list[int]]:
    if state.board is None or not state.rolled:
        return []
    return [list(cell) for cell in state.board.shapes[state.rolled[-1] - 1]]


def _summary(state: State, player: Player, points: int) -> dict[str, object]:
    """A sheet as it stood when the last turn was over; in full once the game is."""
    own = state.pupils[player]
    told: dict[str, object] = {"total": points, "numbers": list(own.numbers)}
    if own.sheet is None or state.board is None:
        return told
    told |= {
        "trees": len(own.sheet.trees), "koalas": len(own.sheet.koalas),
        "areas": own.areas, "volunteers": own.sheet.volunteers,
        "beds": list(own.sheet.beds), "now": own.worth,
    }  # fmt: skip
    if state.over:
        told["sheet"] = plain_sheet(state, state.board, own.sheet)
    return told


def plain_sheet(state: State, board: Map, sheet: Sheet) -> dict[str, object]:
    """Everything drawn on a sheet."""
    done = complete(board, sheet, state.rulings)
    return {
        "trees": _names(sheet.trees), "koalas": _names(sheet.koalas), "connected": sorted(sheet.connected),
        "circled": sheet.circled, "used": sheet.used, "beds": list(sheet.beds), "claimed": sorted(sheet.claimed),
        "lost": sorted(line for line in board.bonuses if line in done and line not in sheet.claimed),
        "full": {
            "trees": list(areas_of_trees(board, sheet)),
            "koalas": list(areas_of_koalas(board, sheet, state.rulings)),
        },
    }  # fmt: skip


def _names(cells: Iterable[Cell]) -> list[str]:
    return [name(cell) for cell in sorted(cells)]


def _badges(state: State) -> list[dict[str, object]]:
    known = {badge.id: badge for badge in state.board.badges} if state.board is not None else {}
    return [
        {
            "id": badge, "points": list(points), "first": state.badges.first.get(badge),
            "asks": _asks(known.get(badge)),
            "got": {p: own[badge] for p, own in state.badges.got.items() if badge in own},
        }
        for badge, points in state.badges.points.items()
    ]  # fmt: skip


def _claims(state: State) -> dict[str, object]:
    """While the window is open: who may announce which badges."""
    if state.phase != "badges":
        return {}
    return {player: list(claimable(state, player)) for player in state.present}


def _words(state: State) -> dict[str, object]:
    """What options that are names of the sheet's own are called."""
    return {badge: plain_say(badge_words(state, badge, "badge.option")) for badge in state.badges.points}


def _asks(badge: Badge | None) -> dict[str, object]:
    if badge is None:
        return plain_say(Say("badge.own"))
    return plain_say(Say(f"badge.{badge.needs}", {"area": badge.of, "count": badge.count}))


def _own(state: State, player: Player) -> dict[str, object] | None:
    """A player's own sheet, and while drawing the draft with all that may be drawn."""
    own, board = state.pupils[player], state.board
    if own.sheet is None or board is None:
        return None
    draft = own.draft or own.done
    sheet = own.sheet if draft is None or state.phase != "draw" else draft.turn.sheet
    told: dict[str, object] = {"sheet": plain_sheet(state, board, sheet), "numbers": list(own.numbers)}
    if own.draft is not None and state.phase == "draw":
        told["draft"] = _draft(state, board, own.draft, own.sheet)
    return told


def _draft(state: State, board: Map, draft: Draft, before: Sheet) -> dict[str, object]:
    turn = draft.turn
    can = {} if turn.acted else {
        what: {
            "shapes": [names(laid) for laid in shapes(board, turn.sheet, turn.number, what)],
            "singles": [names(one) for one in singles(board, turn.sheet, turn.number, what, state.rulings)],
        }
        for what in (PLANT, REHOME)
    }  # fmt: skip
    return {
        "number": turn.number, "spent": draft.spent, "acted": turn.acted,
        "shape": [list(cell) for cell in board.shapes[turn.number - 1]],
        "numbers": [[want, least] for want, least in numbers(draft)] if not turn.acted else [],
        "can": can,
        "new": {
            "trees": _names(turn.sheet.trees - before.trees), "koalas": _names(turn.sheet.koalas - before.koalas)
        },
        "bonuses": [_open(state, board, draft, line) for line in open_lines(board, turn, state.rulings)],
        "undo": draft.before is not None, "ready": draft.ready,
    }  # fmt: skip


def _open(state: State, board: Map, draft: Draft, line: str) -> dict[str, object]:
    bonus = board.bonuses[line]
    sheet = draft.turn.sheet
    choice = targets(board, sheet, bonus, state.rulings)
    words = [name(target) if isinstance(target, tuple) else target for target in choice]
    beds = zip(board.hospitals, sheet.beds, strict=True)
    left = {each.id: each.size - filled for each, filled in beds} if bonus.kind == "hospital" else {}
    room = {word: left.get(word, 1) for word in words}  # how often each of them can be meant
    most = board.slots - sheet.circled if bonus.kind == "volunteer" else sum(room.values())
    return {
        "line": line.replace(":", "-"), "kind": bonus.kind, "times": bonus.times, "targets": words,
        "room": room, "most": max(0, min(bonus.times, most)),
    }  # fmt: skip


def prompt(state: State) -> Say:
    """What the table should do now, in one sentence."""
    values: dict[str, str | int] = {"turn": state.flow.turn, "host": state.host}
    if state.phase == "draw":
        left = drawing(state)
        values |= {"number": f"@die_{state.rolled[-1]}", "count": len(left), "of": len(state.present)}
        values["names"] = ", ".join(left)
        return Say("prompt.draw" if len(left) > PEOPLE else "prompt.draw_named", values)
    if state.phase == "over":
        values["names"] = ", ".join(final(state).winners)
    elif state.phase == "roll":
        values["turn"] = state.flow.turn + 1
        return Say("prompt.roll_class" if state.rulings["classroom"] else "prompt.roll", values)
    elif state.phase == "score":
        values["round"] = state.flow.round
        if all_told(state):
            return Say("prompt.score_told", values)
    return Say(f"prompt.{state.phase}", values)
