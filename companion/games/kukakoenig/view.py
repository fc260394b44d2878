"""What may leave a game of Ku-Ka-König: all cards lie open; only a sealed number is its player's own."""

from __future__ import annotations

from typing import Any

from companion.games.kukakoenig import hints
from companion.games.kukakoenig.play_choose import unknown
from companion.games.kukakoenig.play_score import missing, now, score
from companion.games.kukakoenig.play_setup import needs, spread
from companion.games.kukakoenig.play_take import told
from companion.games.kukakoenig.rules_rows import THIRTEEN
from companion.games.kukakoenig.rules_score import RULES, TYPES, kind_of
from companion.games.kukakoenig.state import State, red, words
from companion.table.cues import Choose, Cue, Press
from companion.table.effects import Say
from companion.table.game import Point, Score, Seat, View, Viewer
from companion.table.plain import plain_say
from companion.table.things import CardId, Player, Words


def view(state: State, viewer: Viewer, cues: tuple[Cue, ...]) -> View:
    """The table as plain data; a seat's viewer also gets the own sealed number and what rows are worth."""
    waiting = dict.fromkeys(cue.player for cue in cues if isinstance(cue, Press | Choose))
    plain: dict[str, Any] = {
        "game": "kukakoenig",
        "phase": state.phase,
        "round": state.round,
        "stage": state.stage,
        "final": state.final,
        "starter": str((state.affected or state.setting.players)[0]),
        "waiting_for": list(waiting),
        "players": list(state.setting.players),
        "rows": [_row(state, row) for row in state.rows],
        "collections": {str(p): _collection(state, cards) for p, cards in state.collections.items()},
        "points": dict(score(state).totals),
        "pile": state.pile,
        "box": len(state.box) + state.unseen,
        "affected": list(state.affected),
        "ready": [p for p in state.affected if p in state.ready],
        "shown": {str(p): row for p, row in state.shown.items()},
        "unknown": list(unknown(state)) if state.phase == "show" else [],
        "calls": state.calls,
        "thirteen": THIRTEEN,
        "differences": [plain_say(told(state, odd)) for odd in state.differences.values()],
        "scoring": _scoring(state),
        "returns": _returns(state),
        "odds": hints.unseen(state),
        "alike": [{"pair": list(pair), "times": times} for pair, times in sorted(state.alike.items())],
        "lost": {str(p): n for p, n in state.lost.items()},
        "prompt": plain_say(prompt(state)),
        "did": plain_say(state.did),
        "score": None if state.score is None else _result(state, state.score),
    }
    if isinstance(viewer, Seat) and viewer.player in state.collections:
        plain["own"] = _own(state, viewer.player)
    return plain


def _own(state: State, player: Player) -> dict[str, object]:
    """What only this player may see."""
    helped = state.rulings["row_values"] is True and state.phase in ("think", "beat", "show")
    values = hints.row_values(state, player) if helped and player in state.affected else {}
    return {
        "sealed": state.sealed.get(player), "values": {str(row): worth for row, worth in values.items()}
    }  # fmt: skip


def _row(state: State, row: int) -> dict[str, object]:
    """A row from inside to outside, who took it, what goes from it, how many cards it still needs."""
    found = state.reveal if state.phase == "take" else None
    taker = next((p for p, taken in found.took.items() if taken == row), None) if found else None
    return {
        "row": row,
        "cards": [_card(state, card) for card in state.rows[row]],
        "taker": taker,
        "goes": len(found.lost.get(row, ())) if found else 0,
        "needs": needs(state).get(row, 0),
        "boxed": state.plan.from_box.get(row, 0) if state.plan is not None and row in needs(state) else 0,
        "asked": state.asking == row,
        "differs": row in state.differences,
    }


def _card(state: State, card: CardId) -> dict[str, object]:
    known = state.deck.by_id.get(card)
    return {"card": card, "face": known.face if known else card, "kind": known.kind if known else "stranger"}


def _collection(state: State, cards: tuple[CardId, ...]) -> dict[str, object]:
    """A collection sorted by type as it lies on the table: faces with their number, in the deck's order."""
    faces = [state.deck.face(card) for card in cards]
    order = dict.fromkeys(card.face for card in state.deck.cards)
    return {"cards": len(cards), "faces": {face: faces.count(face) for face in order if face in faces}}


def _scoring(state: State) -> dict[str, object] | None:
    """The scoring under way: points by type as far as they were told, and running sums."""
    if state.phase != "score":
        return None
    scored = now(state)
    told_types = TYPES[: state.at + 1]
    by_type = {
        kind: {
            str(p): sum(line.points for line in scored[kind] if line.who == p) for p in state.setting.players
        }
        for kind in told_types
    }
    before = score(state).totals
    here = {p: sum(line.points for line in state.points[-1] if line.who == p) for p in state.setting.players}
    told_sum = {p: sum(by_type[kind][str(p)] for kind in told_types) for p in state.setting.players}
    return {
        "number": len(state.points),
        "type": TYPES[state.at],
        "types": list(TYPES),
        "points": by_type,
        "sums": {str(p): before[p] - here[p] + told_sum[p] for p in state.setting.players},
        "lines": [_line(line) for line in scored[TYPES[state.at]]],
    }


def _returns(state: State) -> dict[str, object] | None:
    """Whose red-cross cards go back now, which, and which of them are still missing on the box plate."""
    if state.phase != "keep" or not state.queue:
        return None
    player = state.queue[0]
    return {
        "player": player,
        "cards": [_card(state, card) for card in red(state, player)],
        "missing": [_card(state, card) for card in missing(state)],
        "waiting": list(state.queue[1:]),
    }


def _line(line: Point) -> dict[str, object]:
    return {
        "who": line.who, "points": line.points, "rule": line.rule, "why": line.why, "values": dict(line.values)
    }  # fmt: skip


def _result(state: State, score: Score) -> dict[str, object]:
    """The final score, short enough to be read from across the room: each type with the points of each scoring.

    The score itself, with every single reason, goes into the history.
    """
    lines = []
    for player in state.setting.players:
        for kind in TYPES:
            each = [
                sum(line.points for line in scored if (line.who, kind_of(line)) == (player, kind))
                for scored in state.points
            ]
            if any(each):
                values = {"kind": f"@type.{kind}", "points": " + ".join(map(str, each))}
                lines.append(_line(Point(player, sum(each), RULES[kind], "score.by_type", values)))
    return {
        "lines": lines, "totals": dict(score.totals), "winners": list(score.winners), "notes": list(score.notes)
    }  # fmt: skip


def prompt(state: State) -> Say:
    """What the table should do now, in one sentence."""
    phase = state.phase
    if phase == "setup":
        found = spread(state)
        key = "prompt.setup_unseen" if found.unseen else "prompt.setup"
        return Say(key, {"rows": found.rows, "count": found.unseen})
    if phase == "layout":
        row = next((row for row, cards in state.rows.items() if not cards), 0)
        return Say("prompt.layout", {"place": f"@zone.row:{row}" if row else "-"})
    if phase == "refill":
        row, need = next(iter(needs(state).items()))
        return Say("prompt.refill", {"place": f"@zone.row:{row}", "count": need})
    if phase == "over" and state.score is not None:
        return Say("prompt.over", {"names": ", ".join(state.score.winners)})
    if phase == "show":
        return _show_prompt(state)
    if phase == "take" and state.differences:
        return told(state, state.differences[min(state.differences)])
    if phase == "keep" and state.queue:
        cards = missing(state)
        values: Words = {"name": state.queue[0], "cards": words(state, cards), "count": len(cards)}
        return Say("prompt.keep", values)
    names = ", ".join(player for player in state.affected if player not in state.ready)
    return Say(
        f"prompt.{phase}", {"names": names, "name": str(state.calls)} if phase in ("think", "again") else {}
    )


def _show_prompt(state: State) -> Say:
    names = ", ".join(unknown(state))
    if state.rulings["entry"] == "counted":
        return Say("prompt.count", {"names": names})
    if state.asking:
        return Say("prompt.whose", {"place": f"@zone.row:{state.asking}"})
    return Say("prompt.show", {"names": names})
