"""Thinking, the beat Ku-Ka-König, and the numbers that become known with it.

A number chosen on a phone or a pad is sealed until the beat has ended. Who shows fingers only is read off
the table afterwards, or presses as often as the number says.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.kukakoenig.play_take import begin, once_more, repeat
from companion.games.kukakoenig.rules_rows import Reveal, Row, choice_fault, reveal
from companion.games.kukakoenig.rules_seen import explained
from companion.games.kukakoenig.state import ONWARD, State, in_order, playing, row_of, row_zone, ruled, words
from companion.table.cues import Choose, Cue, Expect, Press, Show, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Clock, Move, Pressed, Rang, Shown
from companion.table.figures import number
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step
from companion.table.things import BID, CALL, Button, Player, value

BEATS = ("beat.ku", "beat.ka", "beat.koenig")
ROW = "row"  # the question on phones
UNCLEAR = 0  # "whose is this row?" has no answer: the table was told so and must change first


@value
class Number:
    """A number somebody gave, by phone, pad or several presses."""

    player: Player
    row: Row


def enter_think(state: State) -> Step[State]:
    """Everybody affected thinks; where fewer than two rows lie there is nothing to choose."""
    groups = state.groups or (state.setting.players,)
    if len(state.available) <= 1:
        empty = tuple(player for group in groups for player in group)
        return Step(
            replace(state, phase=ONWARD, todo=("round_end",), groups=(), empty_handed=empty, special=True),
            (Say("say.one_row_left", {"names": ", ".join(empty)}),),
        )
    fresh = replace(
        state, phase="think", groups=groups, ready=frozenset(), sealed={}, counted={}, shown={}, seen={},
        asking=None, nobody=frozenset(), claims={}, calls=None, differences={}, reveal=None, lap=state.lap + 1,
    )  # fmt: skip
    if ruled(state, 18, "no_talk"):
        key = "say.think_quietly"
    else:  # names only where not everybody thinks
        key = "say.think_all" if len(fresh.affected) == len(state.setting.players) else "say.think"
    values = {} if key == "say.think_all" else {"names": ", ".join(fresh.affected)}
    return Step(fresh, (Say(key, values),))


def _numbers(state: State, players: tuple[Player, ...], secret: bool) -> list[Cue]:
    """The ways to give a number: phone, and number keys where the table has them."""
    cues: list[Cue] = []
    options = tuple(str(row) for row in state.available)
    for player in players:
        cues.append(Choose(player, ROW, options, secret))
        if state.rulings["entry"] == "keys":
            cues.extend(Press(player, Button(row), "cue.row") for row in options)
    return cues


def legal_think(state: State) -> tuple[Cue, ...]:
    """Who is not ready yet: a press, or a sealed number."""
    waiting = tuple(player for player in state.affected if player not in state.ready)
    cues: list[Cue] = []
    if state.rulings["entry"] != "keys" or ruled(state, 1, "seen_only"):
        cues.extend(Press(player, BID, "cue.ready", own=True) for player in waiting)
    if not ruled(state, 1, "seen_only"):
        cues.extend(_numbers(state, waiting, True))
    return tuple(cues)


def apply_think(state: State, move: Move) -> Step[State] | Refusal:
    """Ready, with or without a sealed number; the beat starts with the last one."""
    player = getattr(move, "player", None)
    if player is None:
        return Refusal("KUKA-RND-03", "not_waited_for", aloud=False)
    if player not in state.affected:
        names = ", ".join(state.affected)
        return Refusal("KUKA-RND-09", f"wrong_players:{names.replace(', ', ',')}", {"names": names})
    if player in state.ready:
        return Refusal("KUKA-RND-03", "ready_already", {"name": str(player)}, aloud=False)
    sealed = state.sealed
    number = number_of(state, move)
    if isinstance(number, Number):
        sealed = {**sealed, number.player: number.row}
    elif number is not None:
        return number
    elif not isinstance(move, Pressed) or move.button != BID:
        return Refusal("KUKA-RND-03", "not_waited_for", aloud=False)
    ready = state.ready | {Player(str(player))}
    after = replace(state, ready=ready, sealed=sealed)
    did = Say("did.ready", {"name": str(player)})  # the same words with and without a number
    if len(ready) == len(state.affected):
        return step(after, did, phase="beat")
    return step(after, did)


def number_of(state: State, move: Move) -> Number | Refusal | None:
    """The number that a move gives; None where it gives none, a Refusal for one that cannot be chosen.

    With the ruling that an empty row brings nothing, such a number counts.
    """
    if isinstance(move, Chosen) and move.cue == ROW:
        text, player = move.option, move.player
    elif isinstance(move, Pressed) and move.button.isdecimal():
        text, player = str(move.button), move.player
    else:
        return None
    row = number(text)
    fault = choice_fault(state.rows, player, row)
    if fault is not None and (row not in state.rows or not ruled(state, 4, "gets_nothing")):
        return fault
    return Number(player, row)


def legal_beat(state: State) -> tuple[Cue, ...]:
    """Ku - Ka - König at an even pace."""
    return (Wait(Clock("beat", state.lap), seconds(state, "beat_s"), BEATS),)


def apply_beat(state: State, move: Move) -> Step[State] | Refusal:
    """With the last syllable sealed numbers open; who has none shows it now."""
    if not isinstance(move, Rang):
        return Refusal("KUKA-RND-04", "beat_runs", aloud=False)
    known = replace(state, shown=dict(state.sealed), sealed={}, seen=dict(state.rows))
    if len(known.shown) == len(state.affected):
        return resolve(known, Say("did.beat"))
    show = "say.show_first" if state.lap == 1 else "say.show"  # how to take is told once
    key = "say.press_number" if state.rulings["entry"] == "counted" else show
    return step(known, Say("did.beat"), Say(key, {"names": ", ".join(unknown(known))}), phase="show")


def unknown(state: State) -> tuple[Player, ...]:
    """Who has shown fingers only: the companion does not know the number yet."""
    return tuple(player for player in state.affected if player not in state.shown)


def legal_show(state: State) -> tuple[Cue, ...]:
    """A number typed, counted or seen; or a call: once more."""
    cues: list[Cue] = []
    if state.rulings["entry"] == "counted":
        cues.extend(Press(player, BID, "cue.count", own=True) for player in unknown(state))
        pause = "count_s" if state.counted else "done_s"
        cues.append(Wait(Clock("count", state.lap), seconds(state, pause)))
    elif state.asking:
        cues.extend(Press(player, BID, "cue.mine") for player in state.affected)
        cues.append(Wait(Clock("whose", state.lap), 2 * seconds(state, "done_s")))
    if not ruled(state, 1, "seen_only"):
        cues.extend(_numbers(state, unknown(state), False))
    if not ruled(state, 1, "entered_only"):
        cues.extend(
            Show(row_zone(row), Expect(lying=state.seen.get(row, cards))) for row, cards in state.rows.items()
        )
        if dict(state.seen) != dict(state.rows) and state.asking is None:
            cues.append(Wait(Clock("done", state.lap), seconds(state, "done_s")))
    cues.extend(Press(player, CALL, "cue.again") for player in state.affected)
    return tuple(cues)


def apply_show(state: State, move: Move) -> Step[State] | Refusal:
    """Numbers come one by one; when all are known the reveal is resolved."""
    if isinstance(move, Rang):
        if move.clock.name == "whose" and state.asking:
            nobody = state.nobody | {state.asking}
            return believe(replace(state, nobody=nobody, asking=None, lap=state.lap + 1))
        return _counted_out(state) if move.clock.name == "count" else believe(state)
    if isinstance(move, Shown):
        return _seen(state, move)
    if isinstance(move, Pressed) and move.button == CALL:
        return repeat(state, move.player)
    number = number_of(state, move)
    if isinstance(number, Refusal):
        return number
    if number is None:
        return _pressed(state, move)
    if number.player not in unknown(state):
        return Refusal("KUKA-AMB-02", "too_late", {"name": number.player})
    after = replace(state, shown={**state.shown, number.player: number.row})
    return _known(after, Say("did.number", {"name": number.player, "row": number.row}))


def _known(state: State, did: Say) -> Step[State] | Refusal:
    """Resolve when every number is known."""
    return step(state, did) if unknown(state) else resolve(state, did)


def _pressed(state: State, move: Move) -> Step[State] | Refusal:
    """Count a press, or take it for the answer whose row this is."""
    if not isinstance(move, Pressed) or move.button != BID or move.player not in state.affected:
        return Refusal("KUKA-RND-05", "not_waited_for", aloud=False)
    if state.rulings["entry"] == "counted":
        return _counts(state, move.player)
    if not state.asking:
        return Refusal("KUKA-RND-05", "not_waited_for", aloud=False)
    shown = {move.player: state.asking, **state.shown}
    after = replace(
        state, shown=shown, claims={**state.claims, move.player: state.asking}, asking=None,
        nobody=state.nobody - {state.asking},
    )  # fmt: skip
    if not _explanations(after):
        return Refusal(
            "KUKA-RND-06", "cannot_be", {"name": move.player, "place": f"@zone.row:{state.asking}"}
        )
    return believe(after)


def _counts(state: State, player: Player) -> Step[State] | Refusal:
    if player not in unknown(state):
        return Refusal("KUKA-RND-05", "not_waited_for", aloud=False)
    counted = {**state.counted, player: state.counted.get(player, 0) + 1}
    return step(state, Say("did.pressed", {"name": player}), counted=counted, lap=state.lap + 1)


def _explanations(state: State) -> tuple[Reveal, ...]:
    """The reveals that explain the rows as they lie, and what was said about who took which."""
    later = state.groups[1:]
    found = explained(state.rows, state.seen, state.affected, state.shown, state.rulings, later)
    return tuple(each for each in found if all(each.took.get(p) == row for p, row in state.claims.items()))


def _counted_out(state: State) -> Step[State] | Refusal:
    """Nobody has pressed for a while: the counts are the numbers; who pressed nothing is late."""
    late = tuple(player for player in unknown(state) if player not in state.counted)
    for player, count in state.counted.items():
        fault = choice_fault(state.rows, player, count)
        if fault is not None and not ruled(state, 4, "gets_nothing"):
            said = Say(f"say.wrong_number.{fault.stem}", {"name": player, "row": count})
            return once_more(state, (player,), said)
    if late:
        return once_more(state, late, Say("say.late", {"names": ", ".join(late)}))
    return resolve(replace(state, shown={**state.shown, **state.counted}), Say("did.counted"))


def _seen(state: State, move: Shown) -> Step[State] | Refusal:
    """A row lies otherwise than before: believed when the table has come to rest."""
    row = row_of(move.zone, state.rows)
    if row is None:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    cards = in_order(state, row, playing(state.deck, move.cards))
    if cards == state.seen.get(row):
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    did = Say("did.row_seen", {"place": f"@zone.row:{row}", "cards": words(state, cards)})
    return step(
        state,
        did,
        seen={**state.seen, row: cards},
        asking=None,
        nobody=frozenset(),
        claims={},
        lap=state.lap + 1,
    )


def believe(state: State) -> Step[State] | Refusal:
    """The table rests: one explanation is taken, of several somebody must tell, of none the table is told."""
    found = _explanations(state)
    found = tuple(each for each in found if not state.nobody & {*each.took.values()}) or found
    rested = Say("did.rested")
    if len(found) == 1:
        return begin(state, found[0], rested)
    if not found:
        odd = next(row for row, cards in state.seen.items() if cards != state.rows[row])
        return step(state, rested, Say("say.unclear", {"place": f"@zone.row:{odd}"}), asking=UNCLEAR)
    takers = {row: {_taker(each, row) for each in found} for row in state.rows}
    asking = next(row for row, names in takers.items() if len(names) > 1)
    return step(state, rested, Say("say.whose", {"place": f"@zone.row:{asking}"}), asking=asking)


def _taker(found: Reveal, row: Row) -> Player | None:
    return next((player for player, taken in found.took.items() if taken == row), None)


def resolve(state: State, did: Say) -> Step[State] | Refusal:
    """All numbers are known: the rules say who takes and what goes."""
    found = reveal(state.rows, state.affected, state.shown, {}, state.rulings, state.groups[1:])
    return found if isinstance(found, Refusal) else begin(state, found, did)
