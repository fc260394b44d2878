"""Wine Fair and Contest: many glasses at once; for the fair a count and a look, for the contest the time stamps."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wine import rules_black, rules_hand
from companion.games.wine.floor import (
    content,
    counted,
    into_deck,
    moved,
    remembered,
    rows_cues,
    turned,
    used,
)
from companion.games.wine.play_down import chosen_place, fallen, legal_which, lies_down
from companion.games.wine.rules_deck import WINES
from companion.games.wine.rules_hand import Raised
from companion.games.wine.state import State, clock, current, table_of, with_deed
from companion.table.cues import Choose, Cue, Press, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Rang, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import seconds, step
from companion.table.things import BID, Player

BEATS = ("beat.three", "beat.two", "beat.one")
PATIENCE_S = 8.0  # then whoever still shows nothing is named, again and again


def enter_fair(state: State) -> Step[State]:
    """Three, two, one: everybody turns a glass over."""
    owners = rules_black.showing(table_of(state))
    if not owners:
        return lies_down(state, state.did, (), Say("say.all_protected"), *into_deck(state))
    said = Say("say.fair", {"names": ", ".join(owners)})
    return Step(replace(state, asked=owners, shown={}), (said,))


def legal_fair(state: State) -> tuple[Cue, ...]:
    """The count; glasses may come early."""
    return (*rows_cues(state, state.asked), Wait(clock(state, "turn_up"), 3.0, BEATS))


def apply_fair(state: State, move: Move) -> Step[State] | Refusal:
    """Glasses come up; after the count those missing are waited for."""
    if isinstance(move, Rang):
        return _fair_on(replace(state, phase="fair_missing", lap=state.lap + 1), Say("did.counted"))
    return _glass(state, move, 0.0)


def legal_missing(state: State) -> tuple[Cue, ...]:
    """The rows of everybody who takes part, and a clock that names who is missing."""
    return (*rows_cues(state, state.asked), Wait(clock(state, "missing"), PATIENCE_S))


def apply_missing(state: State, move: Move) -> Step[State] | Refusal:
    """The last one turns his glass over, or is reminded."""
    if isinstance(move, Rang):
        missing = ", ".join(player for player in state.asked if player not in state.shown)
        return step(
            state, Say("did.asked_again"), Say("say.must_show", {"names": missing}), lap=state.lap + 1
        )
    answer = _glass(state, move, 0.0)
    return answer if isinstance(answer, Refusal) else _fair_on(answer.state, answer.state.did)


def _glass(state: State, move: Move, t: float) -> Step[State] | Refusal:
    if not isinstance(move, Shown):
        return Refusal("WINE-FAI-01", "not_waited_for", aloud=False)
    after = turned(state, move, t)
    if isinstance(after, Refusal):
        return after
    return step(after, Say("did.turned", {"count": len(after.shown)}))


def _fair_on(state: State, did: Say) -> Step[State]:
    if any(player not in state.shown for player in state.asked):
        return step(state, did)
    return step(state, did, Say("say.fair_look"), phase="fair_look", lap=state.lap + 1)


def legal_look(state: State) -> tuple[Cue, ...]:
    """A few seconds to look."""
    return (Wait(clock(state, "fair"), seconds(state, "fair_s")),)


def apply_look(state: State, move: Move) -> Step[State] | Refusal:
    """Time is over: all face down."""
    if not isinstance(move, Rang):
        return Refusal("WINE-FAI-01", "not_waited_for", aloud=False)
    after = state
    for player in state.asked:
        if len(state.rows[player]) == 1:
            after = remembered(after, player, 1)
    return lies_down(after, Say("did.fair"), state.asked, Say("say.fair_down"), *into_deck(state))


def enter_contest(state: State) -> Step[State]:
    """Ask which wine it is to be."""
    return Step(state, (Say("say.contest_which", {"name": current(state)}),))


def legal_wine(state: State) -> tuple[Cue, ...]:
    """The player's choice."""
    return (Choose(current(state), "wine", WINES),)


def apply_wine(state: State, move: Move) -> Step[State] | Refusal:
    """The wine is called: all others turn such a glass over and press."""
    player = current(state)
    if (
        not isinstance(move, Chosen)
        or move.cue != "wine"
        or move.player != player
        or move.option not in WINES
    ):
        return Refusal("WINE-CON-01", "not_waited_for", aloud=False)
    part = rules_hand.contestants(table_of(state), player)
    state = replace(state, wine=move.option, asked=part, lap=state.lap + 1, phase="contest_race")
    did = Say("did.contest", {"name": player})
    if not part:
        return _judged(replace(state, did=did))
    return step(state, did, Say("say.contest", {"wine": f"@{move.option}"}, lane="countdown"))


def legal_race(state: State) -> tuple[Cue, ...]:
    """The rows and buttons of all others until the time is over."""
    presses = (Press(player, BID, "cue.up") for player in state.asked if player not in state.pressed)
    return (
        *presses,
        *rows_cues(state, state.asked),
        Wait(clock(state, "contest"), seconds(state, "contest_s")),
    )


def apply_race(state: State, move: Move) -> Step[State] | Refusal:
    """A button gives the time; a glass without one has the time at which it was seen, after all before it."""
    if isinstance(move, Rang):
        return _judged(replace(state, did=Say("did.contest_over")))
    if isinstance(move, Pressed):
        return _timed(state, move)
    answer = _glass(state, move, _latest(state))
    if isinstance(answer, Refusal):
        return answer
    return _judged(answer.state) if set(answer.state.shown) >= set(state.asked) else answer


def _latest(state: State) -> float:
    """A moment after everything that has happened in this contest so far."""
    return max((*state.pressed.values(), *(up.t for up in state.shown.values())), default=0.0) + 0.001


def _timed(state: State, move: Pressed) -> Step[State] | Refusal:
    if move.player not in state.asked or move.button != BID:
        return Refusal("WINE-CON-02", "not_in_the_contest", {"name": move.player})
    if move.player in state.pressed:
        return Refusal("WINE-CON-02", "already_pressed", {"name": move.player})
    t = next((state.pressed[other] for other in move.tied if other in state.pressed), move.at / 1e9)
    return step(state, Say("did.pressed", {"name": move.player}), pressed={**state.pressed, move.player: t})


def _raised(state: State) -> dict[Player, Raised]:
    """When each contestant showed what; who showed nothing counts as slowest."""
    return {
        player: Raised(state.pressed.get(player, state.shown[player].t), content(state, player))
        if player in state.shown
        else Raised(None, None)
        for player in state.asked
    }


def _judged(state: State) -> Step[State] | Refusal:
    """One glass is won: the first wrong one, else the slowest one's."""
    player, card = current(state), state.card
    assert card is not None, "a Contest was played"
    if not state.asked:
        return lies_down(used(state, card), state.did, (), Say("say.all_protected"))
    loser = rules_hand.contest_loser(table_of(state), player, str(state.wine), _raised(state))
    if len(state.rows[loser]) == 1:
        return _won(state, loser, 1)
    said = Say("say.contest_lost", {"name": player, "owner": loser})
    return step(state, state.did, said, phase="contest_won", chooser=loser, wine=None)


def legal_won(state: State) -> tuple[Cue, ...]:
    """The places of his row, without the one under the Ageing card."""
    which = legal_which(state)[0]
    assert isinstance(which, Choose), "there is one question"
    table = table_of(state)
    free = [o for o in which.options if rules_hand.contest_fault(table, which.player, int(o)) is None]
    return (replace(which, options=tuple(free)),)


def apply_won(state: State, move: Move) -> Step[State] | Refusal:
    """The loser names the place of the glass he showed."""
    slot = chosen_place(state, move)
    if isinstance(slot, Refusal):
        return slot
    assert state.chooser is not None, "chosen_place knows who was asked"
    return _won(state, state.chooser, slot)


def _won(state: State, loser: Player, slot: int) -> Step[State] | Refusal:
    player, card = current(state), state.card
    assert card is not None, "a Contest was played"
    done = rules_hand.contest_won(table_of(state), player, loser, slot)
    if isinstance(done, Refusal):
        return done
    after = counted(remembered(state, loser, slot), done)
    after = used(with_deed(moved(after, loser, slot, player), loser, "contest_lost"), card)
    values: dict[str, str | int] = {"name": player, "owner": loser, "slot": slot}
    out = fallen(state, after)
    owners = tuple(p for p in state.asked if p in state.shown)
    return lies_down(after, Say("did.stolen", values), owners, *out, Say("say.contest_won", values))
