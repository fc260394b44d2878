"""A round is over: the sheets are counted, or each player tells the scoring desk; at the end ties by koalas."""

from __future__ import annotations

from dataclasses import replace

from companion.games.rescue import play_roll
from companion.games.rescue.rules_score import rank, winners
from companion.games.rescue.state import State, points_now, pupil, ruled
from companion.table.cues import Choose, Cue, Press
from companion.table.effects import Say
from companion.table.events import Chosen, Move
from companion.table.game import Point, Refusal, Score, Step
from companion.table.phases import step
from companion.table.things import CALL, Player

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


def recorded(state: State, which: str) -> range:
    """The answers that are taken from a journal: all that some sheet of this map can show."""
    board = state.board
    if which == KOALAS:
        return range((MOST_KOALAS if board is None else len(board.koalas)) + 1)
    if which != "hospitals":
        return range((MOST if board is None else len(board.areas)) + 1)
    if board is None:
        return range(MOST_POINTS + 1)
    least, most = (sum(getattr(each, of) for each in board.hospitals) for of in ("penalty", "points"))
    return range(least, most + 1)


def choices(state: State, which: str, player: Player) -> tuple[str, ...]:
    """The answers that can be true, by the sheet and by what this player told before: no circle is ever undrawn."""
    told, all_ = state.pupils[player].told, recorded(state, which)
    if which == KOALAS:
        return tuple(map(str, all_))
    before, most = told.get(f"{which}{state.flow.round - 1}", 0), all_[-1]
    if which == "hospitals":  # a penalty may have come since
        return tuple(str(n) for n in range(all_[0] or before, most + 1))
    if which == "koalas":
        most = min(most, told.get(f"trees{state.flow.round}", 0) + _without_trees(state))
    return tuple(str(n) for n in range(min(before, most), most + 1))


def _without_trees(state: State) -> int:
    """How many areas may be full of koalas and not of trees: those that have a tree without a koala."""
    if ruled(state, 3, "every_tree"):
        return 0
    if state.board is None:
        return MOST
    return sum(not cells <= state.board.koalas for cells in state.board.trees_of.values())


def legal(state: State) -> tuple[Cue, ...]:
    """One question for each player; each answer can be taken back until whoever leads says that all is told.

    The next roll says so, too.
    """
    cues: list[Cue] = []
    for player in state.present:
        which = question(state, player)
        back = ("back",) if which != QUESTIONS[0] else ()
        if which is None:
            cues.append(Choose(player, "desk", back, aside=True))
        else:
            cues.append(Choose(player, f"desk.{which}", (*choices(state, which, player), *back)))
    if all_told(state):
        cues.append(Press(state.host, CALL, "cue.score"))
        rolls = play_roll.legal(state)
        cues += [replace(cue, aside=True) if isinstance(cue, Press | Choose) else cue for cue in rolls]
    return tuple(cues)


def all_told(state: State) -> bool:
    """Whether everybody there has answered everything."""
    return all(question(state, player) is None for player in state.present)


def close(state: State) -> Step[State]:
    """Score the round as it was told."""
    return _scored(state, _told(state))


def _more(state: State) -> bool:
    """Whether another turn follows at once: only then the desk waits to be closed, as it can wait for the roll."""
    return not state.todo and state.flow.state != "result"


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """An answer at the desk; the last one of the game ends it, before that whoever leads closes the desk."""
    if not isinstance(move, Chosen) or not move.cue.startswith("desk") or move.player not in state.present:
        return Refusal("RESC-SCO-07", "scores_first", aloud=False)
    which, told = question(state, move.player), dict(state.pupils[move.player].told)
    if move.option == "back" and which != QUESTIONS[0]:
        place = QUESTIONS.index(which) if which is not None else len(QUESTIONS)
        told.pop(f"{QUESTIONS[place - 1]}{state.flow.round}")
        return step(
            state, Say("did.told_back", {"name": move.player}), pupils=pupil(state, move.player, told=told)
        )
    if which is None or move.cue != f"desk.{which}" or move.option not in map(str, recorded(state, which)):
        return Refusal("RESC-SCO-07", "no_such_score", {"option": move.option}, aloud=False)
    told[f"{which}{state.flow.round}"] = int(move.option)
    did = Say(f"did.told_{which}", {"name": move.player, "count": int(move.option)})
    after = step(state, did, pupils=pupil(state, move.player, told=told))
    return close(after.state) if all_told(after.state) and not _more(after.state) else after


def doubted(state: State, move: Chosen) -> Refusal | None:
    """A new answer that no sheet of this player can show; in earlier journals there are such."""
    which = question(state, move.player) if move.player in state.pupils else None
    if which is None or move.option in ("back", *choices(state, which, move.player)):
        return None
    return Refusal("RESC-SCO-07", "no_such_score", {"option": move.option}, aloud=False)


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


def badge_words(state: State, badge: str, key: str) -> Say:
    """A badge by its number on the sheet and, where the sheet is known, by what it asks: "<key>_koalas" and so on."""
    number = list(state.badges.points).index(badge) + 1
    known = {each.id: each for each in state.board.badges} if state.board is not None else {}
    if badge not in known:
        return Say(key, {"badge": number})
    own = known[badge]
    return Say(f"{key}_{own.needs}", {"badge": number, "area": own.of, "count": own.count})


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
        Point(player, points, "RESC-BAD-03", say.key, say.values)
        for player, own in state.badges.got.items()
        for badge, points in own.items()
        for say in (badge_words(state, badge, "score.badge"),)
    )
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
        Choose(player, f"desk.{KOALAS}", choices(state, KOALAS, player))
        for player in state.playing
        if sums[player] == max(sums.values()) and KOALAS not in state.pupils[player].told
    )


def apply_tie(state: State, move: Move) -> Step[State] | Refusal:
    """One count; when all tied players have told theirs the winner stands."""
    open_ones = {cue.player for cue in legal_tie(state) if isinstance(cue, Choose)}
    if not isinstance(move, Chosen) or move.cue != f"desk.{KOALAS}" or move.player not in open_ones:
        return Refusal("RESC-END-05", "scores_first", aloud=False)
    if move.option not in choices(state, KOALAS, move.player):
        return Refusal("RESC-END-05", "no_such_score", {"option": move.option}, aloud=False)
    told = {**state.pupils[move.player].told, KOALAS: int(move.option)}
    after = step(
        state,
        Say("did.told_circled", {"name": move.player, "count": int(move.option)}),
        pupils=pupil(state, move.player, told=told),
    )
    return after if legal_tie(after.state) else enter_tie(after.state)
