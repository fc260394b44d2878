"""A round is over: the sheets are counted, or each player tells the scoring desk; at the end ties by koalas."""

from __future__ import annotations

from dataclasses import replace

from companion.games.rescue.rules_score import rank, winners
from companion.games.rescue.state import State, points_now, pupil
from companion.table.cues import Choose, Cue
from companion.table.effects import Say
from companion.table.events import Chosen, Move
from companion.table.game import Point, Refusal, Score, Step
from companion.table.phases import step
from companion.table.things import Player

QUESTIONS = ("trees", "koalas", "hospitals")
RULES = {"trees": "RESC-SCO-03", "koalas": "RESC-SCO-04", "hospitals": "RESC-SCO-05"}
MOST = 9  # areas of a sheet that is not known
MOST_POINTS = 15  # of all hospitals of such a sheet
KOALAS = "circled"  # the question of a tie
MOST_KOALAS = 80


def enter(state: State) -> Step[State]:
    """Count the sheets; without them ask."""
    if not state.full:
        return Step(state, (Say("say.desk", {"round": state.flow.round}),))
    lines = tuple(_in_round(state, line) for player in state.playing for line in points_now(state, player))
    return _scored(state, lines)


def _in_round(state: State, line: Point) -> Point:
    return replace(line, values={**line.values, "round": state.flow.round})


def _scored(state: State, lines: tuple[Point, ...]) -> Step[State]:
    after = replace(state, rounds=(*state.rounds, lines), phase="next")
    did = Say("did.scored", {"round": state.flow.round})
    return step(after, did, Say("say.scored", {"round": state.flow.round}))


def question(state: State, player: Player) -> str | None:
    """What the desk asks this player next."""
    told = state.pupils[player].told
    return next((each for each in QUESTIONS if f"{each}{state.flow.round}" not in told), None)


def choices(state: State, which: str) -> tuple[str, ...]:
    """The answers that can be true."""
    board = state.board
    if which == KOALAS:
        most = MOST_KOALAS if board is None else len(board.koalas)
        return tuple(str(n) for n in range(most + 1))
    if which in ("trees", "koalas"):
        return tuple(str(n) for n in range((MOST if board is None else len(board.areas)) + 1))
    least = 0 if board is None else sum(hospital.penalty for hospital in board.hospitals)
    most = MOST_POINTS if board is None else sum(hospital.points for hospital in board.hospitals)
    return tuple(str(n) for n in range(least, most + 1))


def legal(state: State) -> tuple[Cue, ...]:
    """One question for each player; the last answer can be taken back."""
    cues: list[Cue] = []
    for player in state.present:
        which = question(state, player)
        back = ("back",) if which != QUESTIONS[0] else ()
        if which is None:
            cues.append(Choose(player, "desk", back))
        else:
            cues.append(Choose(player, f"desk.{which}", (*choices(state, which), *back)))
    return tuple(cues)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """An answer at the desk; when all have answered the round is scored."""
    if not isinstance(move, Chosen) or not move.cue.startswith("desk") or move.player not in state.present:
        return Refusal("RESC-SCO-07", "scores_first", aloud=False)
    which, told = question(state, move.player), dict(state.pupils[move.player].told)
    did = Say("did.told", {"name": move.player})
    if move.option == "back" and which != QUESTIONS[0]:
        place = QUESTIONS.index(which) if which is not None else len(QUESTIONS)
        told.pop(f"{QUESTIONS[place - 1]}{state.flow.round}")
        return step(state, did, pupils=pupil(state, move.player, told=told))
    if which is None or move.cue != f"desk.{which}" or move.option not in choices(state, which):
        return Refusal("RESC-SCO-07", "no_such_score", {"option": move.option}, aloud=False)
    told[f"{which}{state.flow.round}"] = int(move.option)
    after = replace(state, pupils=pupil(state, move.player, told=told), did=did)
    if any(question(after, player) is not None for player in after.present):
        return Step(after)
    return _scored(after, _told(after))


def _told(state: State) -> tuple[Point, ...]:
    number = state.flow.round
    lines = []
    for player, own in state.pupils.items():
        for which in QUESTIONS:
            count = own.told.get(f"{which}{number}", 0)
            if count:
                values = {"count": count, "round": number}
                lines.append(Point(player, count, RULES[which], f"score.{which}_told", values))
    return tuple(lines)


def totals(state: State) -> dict[str, int]:
    """Round 1, round 2 and badges of each player."""
    sums = {str(player): sum(state.badges.got.get(player, {}).values()) for player in state.playing}
    for lines in state.rounds:
        for line in lines:
            sums[line.who] += line.points
    return sums


def counted(state: State, player: Player) -> tuple[int, int]:
    """Circled koalas and trees: what ties are broken by."""
    own = state.pupils[player]
    if own.sheet is not None:
        return len(own.sheet.koalas), len(own.sheet.trees)
    return own.told.get(KOALAS, 0), 0


def final(state: State) -> Score:
    """Every point so far with its reason, the totals, and who leads or has won."""
    badges = tuple(
        Point(player, points, "RESC-BAD-03", "score.badge", {"badge": badge})
        for player, own in state.badges.got.items()
        for badge, points in own.items()
    )
    numbers = {badge: n for n, badge in enumerate(state.badges.points, 1)}
    badges = tuple(replace(p, values={"badge": numbers[str(p.values["badge"])]}) for p in badges)
    lines = (*(line for lines in state.rounds for line in lines), *badges)
    sums = totals(state)
    koalas = {player: counted(state, Player(player))[0] for player in sums}
    trees = {player: counted(state, Player(player))[1] for player in sums}
    best = winners(sums, koalas, trees, state.rulings)
    notes: tuple[str, ...] = ()
    if len(sums) == 1:
        steps = () if state.board is None else (state.board.ranks,)
        notes = (f"rank.{rank(next(iter(sums.values())), state.rulings, *steps)}",)
    return Score(lines, sums, best, notes)


def enter_tie(state: State) -> Step[State]:
    """The game is over, unless sheets on paper are tied and their koalas must be counted."""
    sums = totals(state)
    tied = [player for player, points in sums.items() if points == max(sums.values())]
    if len(tied) > 1 and not state.full and any(KOALAS not in state.pupils[Player(p)].told for p in tied):
        return Step(state, (Say("say.tie", {"names": ", ".join(tied)}),))
    result = final(state)
    key = "say.winner" if len(result.winners) == 1 else "say.winners"
    says = [Say(key, {"names": ", ".join(result.winners), "count": max(sums.values())})]
    says += [Say("say.rank", {"rank": f"@{note}"}) for note in result.notes]
    return Step(replace(state, phase="over", over=True), tuple(says))


def legal_tie(state: State) -> tuple[Cue, ...]:
    """The tied players count their circled koalas."""
    sums = totals(state)
    return tuple(
        Choose(player, f"desk.{KOALAS}", choices(state, KOALAS))
        for player in state.playing
        if sums[player] == max(sums.values()) and KOALAS not in state.pupils[player].told
    )


def apply_tie(state: State, move: Move) -> Step[State] | Refusal:
    """One count; when all tied players have told theirs the winner stands."""
    open_ones = {cue.player for cue in legal_tie(state) if isinstance(cue, Choose)}
    if not isinstance(move, Chosen) or move.cue != f"desk.{KOALAS}" or move.player not in open_ones:
        return Refusal("RESC-END-05", "scores_first", aloud=False)
    if move.option not in choices(state, KOALAS):
        return Refusal("RESC-END-05", "no_such_score", {"option": move.option}, aloud=False)
    told = {**state.pupils[move.player].told, KOALAS: int(move.option)}
    after = step(state, Say("did.told", {"name": move.player}), pupils=pupil(state, move.player, told=told))
    return after if legal_tie(after.state) else enter_tie(after.state)
