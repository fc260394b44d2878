"""After a reveal: rows are taken, outermost cards go, and what people did is held against the rules."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from companion.games.kukakoenig.rules_rows import Reveal, first_scoring, reveal
from companion.games.kukakoenig.rules_seen import Difference, as_it_lies, difference
from companion.games.kukakoenig.state import ONWARD, State, in_order, playing, row_of, row_zone, ruled, words
from companion.table.cues import Choose, Cue, Expect, Press, Show, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Clock, Move, Pressed, Rang, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step  # fmt: skip
from companion.table.things import BID, CALL, Player, Words


def begin(state: State, found: Reveal, did: Say) -> Step[State]:
    """Say who takes what and what goes; nothing more to do if it lies so already."""
    after = replace(
        state,
        phase="take",
        reveal=found,
        differences={},
        asking=None,
        did=did,
        seen=state.seen or dict(state.rows),
    )
    says = announced(state, found)
    if _as_wanted(after):
        done = close(after, found, did)
        return Step(done.state, (*says, *done.says))
    return Step(after, says)


def announced(state: State, found: Reveal) -> tuple[Say, ...]:
    """Takers one by one, then each row that loses a card."""
    says = [Say("say.takes", {"name": p, "place": f"@zone.row:{row}"}) for p, row in found.took.items()]
    together = found.together if certain(state, found) else ()
    for row, cards in found.lost.items():
        who = next((group for group in together if all(state.shown.get(p, row) == row for p in group)), ())
        values: Words = {
            "place": f"@zone.row:{row}", "cards": words(state, cards), "names": " + ".join(who) or "-"
        }  # fmt: skip
        says.append(Say("say.collide" if who else "say.goes", values))
    missed = [player for player in found.empty_handed if not found.special]
    says.extend(Say("say.gets_nothing", {"name": player}) for player in missed)
    return tuple(says)


def certain(state: State, found: Reveal) -> bool:
    """Whether it is known who chose the same row: told, or there is one such row only."""
    return len(found.together) < 2 or all(player in state.shown for player in state.affected)


def legal(state: State) -> tuple[Cue, ...]:
    """Every row as it should lie; a press: done as told; a call: once more; a difference: who is right."""
    assert state.reveal is not None, "rows are taken after a reveal"
    cues: list[Cue] = [Press(player, BID, "cue.done") for player in state.setting.players]
    cues.extend(Press(player, CALL, "cue.again") for player in state.affected)
    cues.extend(
        Show(row_zone(row), Expect(lying=state.seen.get(row, state.rows.get(row, ())), exactly=cards))
        for row, cards in state.reveal.rows.items()
    )
    if state.differences:
        cues.append(Choose(state.affected[0], "table", ("as_recorded", "as_seen")))
    return tuple(cues)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """A row seen, a confirmation, a call, a decision."""
    assert state.reveal is not None, "rows are taken after a reveal"
    if isinstance(move, Shown):
        return _seen(state, state.reveal, move)
    if isinstance(move, Chosen) and move.cue == "table":
        return _decide(state, state.reveal, move)
    if not isinstance(move, Pressed):
        return Refusal("KUKA-RND-06", "not_waited_for", aloud=False)
    if move.button == CALL:
        return repeat(state, move.player)
    if move.button != BID:
        return Refusal("KUKA-RND-10", "too_late", {"name": move.player})
    half = _half_done(state, state.reveal)
    if half is not None:
        return Refusal("KUKA-RND-07", "still_differs", {"place": f"@zone.row:{half}"})
    return close(state, state.reveal, Say("did.done", {"name": move.player}))


def _half_done(state: State, found: Reveal) -> int | None:
    """A row that lies neither as before nor as wanted; a camera that saw no change at all is no witness."""
    for row, cards in found.rows.items():
        if set(state.seen.get(row, ())) not in (set(state.rows[row]), set(cards)):
            return row
    return None


def _as_wanted(state: State) -> bool:
    assert state.reveal is not None, "rows are taken after a reveal"
    return all(set(state.seen.get(row, ())) == set(cards) for row, cards in state.reveal.rows.items())


def _seen(state: State, found: Reveal, move: Shown) -> Step[State] | Refusal:
    """One row against what it was and what it should be; a difference is named once."""
    row = row_of(move.zone, state.rows)
    if row is None:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    cards = in_order(state, row, playing(state.deck, move.cards))
    if cards == state.seen.get(row):
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    odd = difference(row, state.rows[row], found.rows[row], cards)
    differences = {place: old for place, old in state.differences.items() if place != row}
    if odd is not None and odd.code != "still_there":
        differences[row] = odd
    after = replace(state, seen={**state.seen, row: cards}, differences=differences)
    if _as_wanted(after):
        return close(after, found, Say("did.rows_right"))
    did = Say("did.row_seen", {"place": f"@zone.row:{row}", "cards": words(state, cards)})
    new = row in differences and state.differences.get(row) != odd
    return step(after, did, *((told(after, differences[row]),) if new else ()))


def told(state: State, odd: Difference) -> Say:
    """A difference as a sentence: row 2: the knight should have gone, the church is missing."""
    values: Words = {
        "place": f"@zone.row:{odd.row}", "missing": words(state, odd.missing), "extra": words(state, odd.extra)
    }  # fmt: skip
    return Say(f"say.differs.{odd.code}", values)


def _decide(state: State, found: Reveal, move: Chosen) -> Step[State] | Refusal:
    """The table may leave it as it lies; the referee advises, people decide."""
    if move.option == "as_recorded":
        return close(state, found, Say("did.as_recorded"))
    bent = as_it_lies(state.rows, found, state.seen) if move.option == "as_seen" else None
    if bent is None:
        return Refusal("KUKA-RND-06", "cannot_follow", {"name": move.player})
    return close(state, bent, Say("did.as_seen"), Say("say.as_seen"))


def close(state: State, found: Reveal, did: Say, *says: Say) -> Step[State]:
    """Rows are taken: collections and box are booked; who is left repeats, or the round is over."""
    collections = {p: (*cards, *found.got.get(p, ())) for p, cards in state.collections.items()}
    alike, lost = dict(state.alike), dict(state.lost)
    if certain(state, found):
        for group in found.together:
            for pair in combinations(sorted(group, key=state.setting.players.index), 2):
                alike[pair] = alike.get(pair, 0) + 1
            for player in group:
                lost[player] = lost.get(player, 0) + 1
    more = [Say("say.one_row_left", {"names": ", ".join(found.empty_handed)})] if found.special else []
    return step(
        state, did, *says, *more, phase=ONWARD, rows=found.rows, collections=collections, alike=alike,
        lost=lost, box=(*state.box, *found.box), groups=found.groups, reveal=found, differences={}, seen={},
        empty_handed=(*state.empty_handed, *found.empty_handed), special=found.special,
        todo=("round_end",) if found.round_over else ("think",),
    )  # fmt: skip


def repeat(state: State, player: Player) -> Step[State] | Refusal:
    """Somebody wants the reveal once more: too late, or another number than was entered."""
    if player not in state.affected:
        names = ", ".join(state.affected)
        return Refusal("KUKA-RND-09", f"wrong_players:{','.join(state.affected)}", {"names": names})
    did = Say("did.calls", {"name": player})
    if ruled(state, 20, "ask_first"):
        said = Say("say.really", {"name": player})
        return step(state, did, said, phase="again", calls=player, lap=state.lap + 1)
    return once_more(state, (player,), did)


def legal_again(state: State) -> tuple[Cue, ...]:
    """One of the others confirms; nobody does: the reveal stands."""
    others = [player for player in state.setting.players if player != state.calls]
    return (
        *(Press(player, BID, "cue.yes_again") for player in others),
        Choose(others[0], "again", ("yes", "no")),
        Wait(Clock("again", state.lap), 2 * seconds(state, "done_s")),
    )


def apply_again(state: State, move: Move) -> Step[State] | Refusal:
    """Once more, or not."""
    assert state.calls is not None, "somebody called"
    yes = isinstance(move, Pressed) and move.button == BID and move.player != state.calls
    if yes or (isinstance(move, Chosen) and move.cue == "again" and move.option == "yes"):
        return once_more(state, (state.calls,), Say("did.again"))
    if isinstance(move, Rang) or (isinstance(move, Chosen) and move.cue == "again" and move.option == "no"):
        phase = "show" if state.reveal is None else "take"
        return step(state, Say("did.stands"), Say("say.stands"), phase=phase, calls=None, lap=state.lap + 1)
    return Refusal("KUKA-AMB-20", "not_waited_for", aloud=False)


def once_more(state: State, late: tuple[Player, ...], *says: Say) -> Step[State]:
    """The whole group repeats; by another ruling only who was late or wrong, and the others' numbers stand."""
    spoken = tuple(say for say in says if say.key.startswith("say."))
    numbers = {p: row for p, row in {**state.shown, **state.counted}.items() if p not in late}
    rest = tuple(player for player in state.affected if player not in late)
    if ruled(state, 2, "late_one_repeats") and rest and set(numbers) == set(rest):
        found = reveal(state.rows, rest, numbers, {}, state.rulings, (late, *state.groups[1:]))
        if not isinstance(found, Refusal):
            begun = begin(replace(state, shown=numbers, reveal=None), found, Say("did.again"))
            return Step(begun.state, (*spoken, *begun.says))
    return step(
        state, Say("did.again"), *spoken, Say("say.once_more", {"names": ", ".join(state.affected)}),
        phase=ONWARD, todo=("think",),
    )  # fmt: skip


def enter_round_end(state: State) -> Step[State]:
    """The round is over: a scoring, the refill, the next round, or the end."""
    counts = {player: len(cards) for player, cards in state.collections.items()}
    due = first_scoring(counts, state.stage, state.special, state.final, state.rulings)
    first = ("score1", "keep") if due else ()
    if state.final:
        todo: tuple[str, ...] = (*first, "score2")
    elif ruled(state, 10, "before_refill"):
        todo = (*first, "refill", "think")
    else:
        todo = ("refill", *first, "think")
    says = [Say("say.thirteen", {"names": ", ".join(due)})] if due else []
    after = replace(
        state, phase=ONWARD, todo=todo, groups=(), empty_handed=(), special=False,
        round=state.round + (0 if state.final else 1),
    )  # fmt: skip
    return Step(after, tuple(says))
